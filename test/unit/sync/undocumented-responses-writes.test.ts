/**
 * The product against another implementation of the API document than the local service, as undocumented-responses.test.ts.
 * Here: writing translations, pulling, importing.
 */
import { afterEach, describe, expect, test } from "vitest";
import { ApiError } from "../../../src/api/errors.ts";
import { setTranslation, setTranslations, updateKey } from "../../../src/sync/edit/send-translations.ts";
import { runImport } from "../../../src/sync/import/send-import.ts";
import { saveAtService } from "../../../src/sync/drafts/save-drafts.ts";
import { createLocaleMap } from "../../../src/model/locales.ts";
import {
  planPull,
  problemsOf,
  type PullDependencies,
  type PullOutcome,
} from "../../../src/sync/pull/pull-plan.ts";
import { projectFiles } from "../support/node-platform.ts";
import type { Variant } from "../support/alternative-responses.ts";
import {
  hashOf,
  LOGOUT,
  openAlternativeProject,
  TITLE,
  type AlternativeProject,
} from "../support/alternative-project.ts";
import type { TestWindow } from "../support/test-window.ts";
import { writePull } from "../../../src/sync/pull/write-pull.ts";

let other: AlternativeProject;
let service: AlternativeProject["service"];

afterEach(() => other.close());

/** A window that is up to date. */
async function opened(variant: Variant = {}): Promise<TestWindow> {
  other = await openAlternativeProject(variant);
  service = other.service;
  const window = await other.open();
  await window.refresher.refresh();
  expect(window.project.freshness.kind).toBe("fresh");
  return window;
}

describe("writing translations", () => {
  test.each<[string, Variant]>([
    ["a list of objects", {}],
    ["lists by reason", { skipped: "by-reason" }],
    ["reasons by index", { skipped: "by-index" }],
    ["nested objects", { skipped: "nested" }],
    ["a hash of another name", { itemHash: "keyHash" }],
  ])("handles skipped items as %s: done, conflict, refused", async (_, variant) => {
    const window = await opened(variant);
    const version = window.project.translation("nl", hashOf(TITLE))?.version ?? null;
    const mine = { name: TITLE, text: { value: "Mijn" }, version };
    expect(await setTranslation(window, "nl", mine)).toMatchObject({ kind: "done", row: { value: "Mijn" } });
    expect(await setTranslation(window, "nl", { ...mine, text: { value: "Later" } })).toMatchObject({
      kind: "conflict",
      theirs: { value: "Mijn" },
    });
    const locked = { name: TITLE, text: { value: "LOCKED" } };
    expect(await setTranslation(window, "nl", locked)).toMatchObject({
      kind: "skipped",
      reason: "LOCKED_BY_REVIEW",
    });
    const nowhere = { name: { ...TITLE, key: "nowhere" }, text: { value: "x" } };
    expect(await setTranslation(window, "nl", nowhere)).toEqual({ kind: "unknown_key" });
    const empty = { name: LOGOUT, text: { value: "Afmelden" }, version: null };
    expect((await setTranslation(window, "nl", empty)).kind).toBe("done");

    const many = await setTranslations(
      window,
      "nl",
      [
        { name: TITLE, text: { value: "y" } },
        { name: { ...LOGOUT, key: "no", context: "menu" }, text: { value: "x" } },
        { name: LOGOUT, text: { value: "LOCKED" } },
      ],
      "overwrite",
    );
    expect(many).toEqual({
      written: 1,
      skipped: [
        { name: { ...LOGOUT, key: "no", context: "menu" }, reason: "KEY_MISSING" },
        { name: LOGOUT, reason: "LOCKED_BY_REVIEW" },
      ],
      failure: null,
    });
  });

  test.each([{}, { one: "", other: "" }])(
    "clears a plural translation with an empty value: %j",
    async (forms) => {
      const window = await opened();
      const name = { namespace: "cart", key: "items", context: null };
      await setTranslation(window, "nl", { name, text: { forms: { one: "artikel", other: "artikelen" } } });
      const { version = null } = window.project.translation("nl", hashOf(name)) ?? {};
      expect(version).not.toBeNull();
      expect(await setTranslation(window, "nl", { name, text: { forms }, version })).toMatchObject({
        kind: "done",
        row: { isTranslated: false, version: null },
      });
    },
  );

  test("does not report skipped items as written if only their count is known", async () => {
    const window = await opened({ skipped: "count" });
    const edit = { name: TITLE, text: { value: "LOCKED" } };
    expect(await setTranslation(window, "nl", edit)).toMatchObject({ kind: "skipped", reason: "" });
    const many = await setTranslations(
      window,
      "nl",
      [edit, { name: LOGOUT, text: { value: "Weg" } }],
      "overwrite",
    );
    expect(many.written).toBe(1);
    expect(many.skipped).toHaveLength(1);
  });

  test("reports what is read back if the response lists no skipped items", async () => {
    const window = await opened({ skipped: "absent" });
    const version = window.project.translation("nl", hashOf(TITLE))?.version ?? null;
    const mine = { name: TITLE, text: { value: "Mijn" }, version };
    expect(await setTranslation(window, "nl", mine)).toMatchObject({ kind: "done", row: { value: "Mijn" } });
    expect(window.project.translation("nl", hashOf(TITLE))?.text).toEqual({ value: "Mijn" });
    expect(await setTranslation(window, "nl", { ...mine, text: { value: "Later" } })).toMatchObject({
      kind: "conflict",
      theirs: { value: "Mijn" },
    });
    const locked = { name: TITLE, text: { value: "LOCKED" } };
    expect(await setTranslation(window, "nl", locked)).toMatchObject({ kind: "skipped", reason: "" });
    const nowhere = { name: { ...TITLE, key: "nowhere" }, text: { value: "x" } };
    expect(await setTranslation(window, "nl", nowhere)).toEqual({ kind: "unknown_key" });
    const items = { namespace: "cart", key: "items", context: null };
    const forms = { one: "artikel", other: "artikelen" };
    const edits = [locked, { name: LOGOUT, text: { value: "Weg" } }, { name: items, text: { forms } }];
    expect(await setTranslations(window, "nl", edits, "overwrite")).toEqual({
      written: 2,
      skipped: [{ name: TITLE, reason: "" }],
      failure: null,
    });
    // Without the current texts, what the response does not call skipped counts as written.
    const refresher = Object.assign(Object.create(window.refresher) as typeof window.refresher, {
      refresh: () => Promise.resolve(null),
    });
    expect(await setTranslations({ ...window, refresher }, "nl", edits, "overwrite")).toEqual({
      written: 3,
      skipped: [],
      failure: null,
    });
    expect(window.project.translation("nl", hashOf(LOGOUT))?.text).toEqual({ value: "Weg" });
  });

  test("accepts a text that the service normalised, if the response lists no skipped items", async () => {
    const window = await opened({ skipped: "absent", trims: true });
    const version = window.project.translation("nl", hashOf(TITLE))?.version ?? null;
    const mine = { name: TITLE, text: { value: " Mijn " }, version };
    expect(await setTranslation(window, "nl", mine)).toMatchObject({ kind: "done", row: { value: "Mijn" } });
    expect(await setTranslations(window, "nl", [mine], "overwrite")).toEqual({
      written: 1,
      skipped: [],
      failure: null,
    });
    const row = window.project.translation("nl", hashOf(TITLE));
    const draft = {
      locale: "nl",
      hash: hashOf(TITLE),
      text: { value: "Nieuw " },
      base: row?.text ?? null,
      baseVersion: row?.version ?? null,
      origin: "person",
      model: null,
      source: null,
    } as const;
    expect(await saveAtService(window, "nl", [draft], () => TITLE)).toMatchObject({
      saved: [draft],
      conflicts: [],
    });
  });

  test("reads unconfirmed items back if a later request fails", async () => {
    const window = await opened({ skipped: "absent" });
    const edits = [
      { name: TITLE, text: { value: "LOCKED" } },
      { name: LOGOUT, text: { value: "Weg" } },
      ...Array.from({ length: 1_000 }, (_, index) => ({
        name: { ...LOGOUT, key: `no ${index}` },
        text: { value: "x" },
      })),
    ];
    let requests = 0;
    const client: TestWindow["client"] = {
      ...window.client,
      writeTranslations: (...given) => {
        requests += 1;
        if (requests > 1) throw new ApiError("invalid", "refused");
        return window.client.writeTranslations(...given);
      },
    };
    expect(await setTranslations({ ...window, client }, "nl", edits, "overwrite")).toMatchObject({
      written: 999,
      skipped: [{ name: TITLE, reason: "" }],
      failure: { sent: 1_000, total: 1_002 },
    });
  });

  test("updates the details of a key", async () => {
    const window = await opened();
    expect(await updateKey(window, TITLE, { description: "Heading", tags: ["a"] })).toMatchObject({
      description: "Heading",
      tags: ["a"],
    });
    expect(window.project.keys.get(hashOf(TITLE))?.description).toBe("Heading");
    expect(await updateKey(window, { ...TITLE, key: "nowhere" }, { tags: [] })).toBeNull();
  });
});

describe("pulling", () => {
  const REQUEST = { profile: "app", locales: ["nl"], missing: undefined };
  const needs = (window: TestWindow): PullDependencies => {
    const file = { files: [{ path: "lang/{locale}.json", format: "json_js" as const }] };
    return {
      ...window,
      locationOptions: {
        file,
        entries: file.files,
        locales: new Set(["en", "nl", "fr"]),
        localeMap: createLocaleMap({}, ["en", "nl", "fr"], []),
      },
    };
  };
  const planned = (outcome: PullOutcome) => {
    if (outcome.kind !== "planned") throw new Error(JSON.stringify(outcome));
    return outcome.plan;
  };

  test.each<[string, Variant]>([
    ["a zip of no known type, its name without quotes", {}],
    [
      "one file with an extended name",
      { disposition: "attachment; filename=x.json; filename*=UTF-8''nl.json" },
    ],
    ["one file, its name without quotes", { disposition: "attachment;filename=nl.json" }],
    ["an export that is built for long", { slowExports: 2 }],
  ])("writes %s once, then reports no changes", async (_, variant) => {
    const window = await opened(variant);
    const plan = planned(await planPull(needs(window), REQUEST));
    expect(plan.files.map(({ path, change }) => [path, change])).toEqual([["lang/nl.json", "created"]]);
    expect(await writePull(needs(window), plan)).toEqual({ kind: "written" });
    expect(await planPull(needs(window), REQUEST)).toEqual({ kind: "unchanged" });

    service.content.translate("nl", hashOf(TITLE), "Je kar");
    const next = planned(await planPull(needs(window), REQUEST));
    expect(next.files).toMatchObject([{ change: "updated", texts: 1 }]);
    await writePull(needs(window), next);
    const read = await projectFiles(other.app).read("lang/nl.json");
    const bytes = read.kind === "read" ? read.bytes : undefined;
    expect(JSON.parse(new TextDecoder().decode(bytes))).toMatchObject({ title: "Je kar" });
  });

  test("treats a spreadsheet as one file, although it is a zip", async () => {
    const window = await opened();
    const { client } = window;
    const xlsx: PullDependencies = {
      ...needs(window),
      client: {
        ...client,
        export: async (...given) => {
          const answer = await client.export(...given);
          return answer.kind === "file" ? { ...answer, fileName: "texts.xlsx" } : answer;
        },
      },
    };
    const problems = problemsOf(planned(await planPull(xlsx, REQUEST)));
    expect(problems).toEqual([{ kind: "unmapped", path: "texts.xlsx", why: "layout" }]);
  });

  test("reports an unknown failure reason of a job", async () => {
    const window = await opened({ slowExports: 1, jobError: { code: "disk_full", message: "Schijf vol" } });
    expect(await planPull(needs(window), REQUEST)).toMatchObject({
      kind: "job",
      end: "failed",
      job: { error: { code: "disk_full", message: "Schijf vol" } },
    });
  });
});

describe("importing", () => {
  const bytes = (text: string) => new TextEncoder().encode(text);

  test.each([[[]], [{ rows: 3 }], [["one"]]])("follows an import to the result %j", async (jobResult) => {
    const window = await opened({ jobResult });
    const files = [{ path: "nl.json", bytes: bytes('{"Log out": "Uitloggen"}') }];
    expect(await runImport(window, files, { locale: "nl" })).toMatchObject({
      kind: "ended",
      job: { status: "succeeded", result: jobResult },
    });
    await window.refresher.refresh();
    expect(window.project.translation("nl", hashOf(LOGOUT))?.text).toEqual({ value: "Uitloggen" });
  });

  test("names refused files and reports unknown failures", async () => {
    const window = await opened({ jobError: { code: "mood", message: "Geen zin" } });
    const files = [
      { path: "nl.json", bytes: bytes("{}") },
      { path: "fr.json", bytes: bytes("no JSON") },
    ];
    expect(await runImport(window, files, {})).toMatchObject({
      kind: "refused",
      files: [{ path: "fr.json" }],
    });
    const outcome = await runImport(window, files.slice(0, 1), {});
    expect(outcome).toMatchObject({ kind: "ended", job: { status: "failed", error: { code: "mood" } } });
  });
});
