/** When a pull sends the ETag of the last one. */
import { beforeEach, describe, expect, test } from "vitest";
import { PersonalData } from "../../../../src/database/personal/personal-data.ts";
import type { FileStamp } from "../../../../src/model/platform.ts";
import type { ProjectFile } from "../../../../src/workspace/project-file/project-file.ts";
import { type PullRequest, AppliedExports } from "../../../../src/sync/pull/applied-exports.ts";
import {
  limitToFiles,
  type PullDependencies,
  type PullFile,
  type PullPlan,
  settled,
  takeLeftTexts,
} from "../../../../src/sync/pull/pull-plan.ts";
import { writePull } from "../../../../src/sync/pull/write-pull.ts";

const REQUEST: PullRequest = { profile: "app", locales: ["nl", "fr"], missing: undefined };
const STAMP = { size: 3, modified: 7 };

let personal: PersonalData;
let stamps: Record<string, FileStamp>;
beforeEach(() => {
  personal = new PersonalData();
  stamps = { "nl.json": STAMP, "fr.json": STAMP };
});

const files = { stat: (path: string) => Promise.resolve(stamps[path]) };
const state = (file: ProjectFile = {}, path = "{locale}.json"): AppliedExports =>
  new AppliedExports(personal, { file, entries: [{ path, format: "json_js" }] });
const remember = (request = REQUEST, isPart = false): void =>
  state().remember(request, "tag", ["nl.json", "fr.json"], isPart);
const ask = (request = REQUEST, from = state(), whole = false): Promise<string | null> =>
  from.findEtag(request, files, whole);

describe("sends the ETag", () => {
  test("for the same languages in any order", async () => {
    expect(await ask()).toBeNull();
    remember();
    expect(await ask()).toBe("tag");
    expect(await ask({ ...REQUEST, locales: ["fr", "nl"] })).toBe("tag");
  });

  test.each<[string, PullRequest]>([
    ["another profile", { ...REQUEST, profile: "web" }],
    ["fewer languages", { ...REQUEST, locales: ["nl"] }],
    ["other texts for what is missing", { ...REQUEST, missing: "omit" }],
  ])("not for %s", async (_, request) => {
    remember();
    expect(await ask(request)).toBeNull();
    remember(request);
    expect([await ask(request), await ask()]).toEqual(["tag", "tag"]);
  });

  test.each<[string, ProjectFile, string?]>([
    ["files that lie elsewhere", {}, "lang/{locale}.json"],
    ["an export that lies elsewhere", { pull: { into: "app" } }],
    ["files that are written otherwise", { pull: { layout: "service" } }],
    ["other names of languages", { locales: { nl_NL: "nl" } }],
  ])("not for %s", async (_, file, path) => {
    remember();
    expect(await ask(REQUEST, state(file, path))).toBeNull();
  });

  test("not if a file is gone", async () => {
    remember();
    delete stamps["fr.json"];
    expect(await ask()).toBeNull();
  });

  test("not if files that were excluded are wanted now", async () => {
    remember(REQUEST, true);
    expect([await ask(), await ask(REQUEST, state(), true)]).toEqual(["tag", null]);
    remember();
    expect(await ask(REQUEST, state(), true)).toBe("tag");
  });
});

test("requests only exports with forgotten files in full", async () => {
  const other = { ...REQUEST, profile: "web" };
  remember();
  state().remember(other, "other", ["de.json"], false);
  state().forgetFiles(new Set(["fr.json", "es.json"]));
  stamps["de.json"] = STAMP;
  expect([await ask(), await ask(other)]).toEqual([null, "other"]);
});

test("remembers the last twenty by the time of the pull", async () => {
  const requests = Array.from({ length: 21 }, (_, index) => ({ ...REQUEST, profile: `p${index}` }));
  for (const request of requests.slice(0, 20)) remember(request);
  remember(requests[0]);
  remember(requests[20]);
  expect(await Promise.all(requests.map((request) => ask(request)))).toEqual(
    requests.map(({ profile }) => (profile === "p1" ? null : "tag")),
  );
});

test("a pull that wrote only some files, or none, is remembered with all of them", async () => {
  const [nl, fr] = ["nl.json", "fr.json"].map((path) => {
    const file = { path, change: "unchanged", left: [], problems: [], agreed: [], after: new Uint8Array() };
    return file as unknown as PullFile;
  }) as [PullFile, PullFile];
  const agreedTexts = { store: () => Promise.resolve() };
  const locationOptions = { file: {}, entries: [{ path: "{locale}.json", format: "json_js" }] };
  const dependencies = {
    project: { personal, agreedTexts },
    locationOptions,
    files: { write: () => Promise.resolve({ kind: "written" }) },
  } as unknown as PullDependencies;
  for (const changed of [{ ...nl, change: "updated" as const }, nl]) {
    personal.set("pulls", {});
    const plan: PullPlan = { request: REQUEST, files: [changed, fr], otherProblems: [], etag: "tag" };
    expect(await writePull(dependencies, plan)).toEqual({ kind: "written" });
    expect(await ask()).toBe("tag");
    delete stamps["fr.json"];
    expect(await ask()).toBeNull();
    stamps["fr.json"] = STAMP;
  }
});

test("a conflict that is settled in favour of the file leaves deleted what the file has not", () => {
  const conflict = {
    id: "nl",
    path: "nl.json",
    locale: "nl",
    name: { namespace: "*", key: "a", context: null },
    reason: "conflict",
    theirs: { value: "a" },
  } as const;
  const reasons = [null, { value: "" }, { value: "b" }].map((ours) => settled({ ...conflict, ours }).reason);
  expect(reasons).toEqual(["deleted", "deleted", "file"]);
});

describe("a plan of which a part is chosen", () => {
  const file = (path: string, change: PullFile["change"]): PullFile =>
    ({ path, change, left: [], problems: [] }) as Partial<PullFile> as PullFile;
  const plan = {
    request: REQUEST,
    files: [file("a", "updated"), file("b", "unchanged"), file("c", "created"), file("d", "updated")],
    otherProblems: ["a", "x"].map((path) => ({ kind: "unmapped", path, why: "exists" }) as const),
    etag: '"x"',
  };
  const without = async (...paths: readonly string[]): Promise<unknown> => {
    const {
      files: taken,
      etag,
      isPart,
    } = await takeLeftTexts(plan, new Set(), (path) => !paths.includes(path));
    return [taken.map(({ path }) => path).join(""), etag, isPart];
  };

  test("keeps its ETag only if each file that exists is as in the export, whichever was left out", async () => {
    expect(await without()).toEqual(["abcd", '"x"', undefined]);
    expect(await without("a")).toEqual(["bcd", null, undefined]);
    expect(await without("d")).toEqual(["abc", null, undefined]);
    expect(await without("b")).toEqual(["abcd", '"x"', undefined]);
    expect(await without("c")).toEqual(["abd", '"x"', true]);
    expect(await without("a", "c")).toEqual(["bd", null, true]);
  });

  test("has the problems of the files that were asked for, and no ETag", () => {
    const limited = limitToFiles(plan, new Set(["a", "c"]));
    expect(limited.files.map(({ path }) => path)).toEqual(["a", "c"]);
    expect(limited.otherProblems.map(({ path }) => path)).toEqual(["a"]);
    expect(limited.etag).toBeNull();
  });
});
