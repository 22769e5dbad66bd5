/** How a pull ends that has no plan, or whose plan was not written. */
import { expect, test } from "vitest";
import { ApiError } from "../../../src/api/errors.ts";
import type { Job } from "../../../src/api/response-schemas.ts";
import { CommandCancelled } from "../../../src/commands/command-types.ts";
import {
  exportLocationOptions,
  failedExportMessage,
  noProfileError,
  notAppliedError,
  notPulled,
  notWrittenError,
  planExport,
  planOfExport,
} from "../../../src/operations/pull-requirements.ts";
import type { PulledProject } from "../../../src/messages/sync/pull-messages.ts";
import type { LeftText } from "../../../src/sync/pull/compare-with-export.ts";
import type { FilesEntry } from "../../../src/workspace/project-file/project-file.ts";
import type { PullDependencies, PullFile, PullPlan, PullProblem } from "../../../src/sync/pull/pull-plan.ts";

const PROJECT = {
  namespaceSeparator: ".",
  unwrittenNamespaces: new Set<string>(),
  sourceLocale: "en",
  local: { locate: () => undefined },
} as unknown as PulledProject;
const REQUEST = { profile: "app", locales: [], missing: undefined };
const job = (error: object | null): Job => ({ id: 1, error }) as unknown as Job;

const thrown = (work: () => unknown): unknown => {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
};

test("an export that has not changed has no plan, and a planned one its own", () => {
  const plan = { files: [] } as unknown as PullPlan;
  expect(planOfExport({ kind: "unchanged" })).toBeNull();
  expect(planOfExport({ kind: "planned", plan })).toBe(plan);
});

test("an export that is not safe, or whose job failed, says why; one that nobody waits for is cancelled", () => {
  expect(thrown(() => planOfExport({ kind: "unsafe", message: "a path" }))).toMatchObject({
    code: "unsafe_file",
    message: expect.stringMatching(/^The export is not safe to unpack \(a path\), so nothing was written\./u),
  });
  const failed = job({ code: "too_large", message: "Too large." });
  for (const end of ["failed", "vanished"] as const)
    expect(thrown(() => planOfExport({ kind: "job", end, job: failed }))).toMatchObject({
      code: "job_failed",
      details: { reason: "too_large" },
      message: "The service could not build the export: Too large.",
    });
  expect(thrown(() => planOfExport({ kind: "job", end: "failed", job: job(null) }))).toMatchObject({
    details: {},
  });
  expect(thrown(() => planOfExport({ kind: "job", end: "unwatched", job: failed }))).toBeInstanceOf(
    CommandCancelled,
  );
  expect(failedExportMessage(job(null))).toBe("The service did not finish the export. Try again.");
});

test("an export format that is not chosen, or that the service does not have, is said with where to set it", async () => {
  const where = "Set “pull.profile” in project-translations.json, or the option “profile”.";
  expect(noProfileError()).toMatchObject({
    code: "invalid",
    message: `No export format is chosen. ${where}`,
    details: { reason: "profile" },
  });
  const planWith = (error: ApiError): Promise<unknown> => {
    const project = {
      session: { kind: "signed-in", name: "Shop" },
      label: "app",
      personal: { get: () => undefined },
    };
    const client = { export: () => Promise.reject(error) };
    const dependencies = {
      project,
      client,
      locationOptions: { file: {}, entries: [] },
    } as unknown as PullDependencies;
    return planExport(dependencies, REQUEST, { ignoreEtag: true }).catch((failure: unknown) => failure);
  };
  expect(await planWith(new ApiError("not_found", "words"))).toMatchObject({
    code: "not_found",
    message: `Shop has no export format “app”. ${where}`,
    details: { status: 404, reason: "profile" },
  });
  const offline = new ApiError("offline", "words");
  expect(await planWith(offline)).toBe(offline);
});

test("files that are not as they were read are named, with what they are", () => {
  const paths = ["a.php", "b.php"];
  expect(notWrittenError(paths, "unsaved")).toMatchObject({
    code: "file_changed",
    message: expect.stringContaining("because these files have unsaved changes: a.php, b.php."),
  });
  expect(notWrittenError(paths, "changed").message).toContain(
    "because these files were changed in the meantime: a.php, b.php.",
  );
});

const left = (key: string, reason: LeftText["reason"]): LeftText => {
  const name = { namespace: "*", key, context: null };
  return {
    id: key,
    path: "nl.json",
    locale: "nl",
    name,
    reason,
    ours: { value: "a" },
    theirs: { value: "b" },
  };
};
const planOf = (
  lefts: readonly LeftText[],
  problems: readonly PullProblem[],
  otherProblems: readonly PullProblem[],
) => {
  const file = { path: "nl.json", change: "unchanged", left: lefts, problems } as unknown as PullFile;
  return { files: [file], otherProblems } as unknown as PullPlan;
};
const unsaved = (path: string): PullProblem => ({ kind: "unsaved", path });

test("what was not pulled are the problems, and then the texts that were left, as items and as lines", () => {
  const plan = planOf(
    [left("one", "file"), left("two", "deleted")],
    [unsaved("b.json")],
    [unsaved("a.json")],
  );
  const { items, lines, hasConflict } = notPulled(PROJECT, plan);
  expect(items.map(({ file, key }) => `${file} ${key}`)).toEqual([
    "a.json ",
    "b.json ",
    "nl.json one",
    "nl.json two",
  ]);
  expect(lines).toEqual([
    "a.json has unsaved changes.",
    "b.json has unsaved changes.",
    "nl.json: one (nl) was changed only in the file. here: a ↔ service: b",
    "nl.json: two (nl) was deleted only in the file. here: a ↔ service: b",
  ]);
  expect(hasConflict).toBe(false);
  expect(notPulled(PROJECT, planOf([left("one", "file"), left("two", "conflict")], [], [])).hasConflict).toBe(
    true,
  );
});

test("a pull of which nothing was applied says the first reason, counts the others, and offers all", () => {
  const offered: unknown[] = [];
  const plan = planOf([left("one", "file")], [unsaved("b.json")], [unsaved("a.json")]);
  const step = { label: "Show", act: () => undefined };
  const error = notAppliedError(PROJECT, plan, (...all) => {
    offered.push(...all);
    return step;
  });
  const message = "Nothing was pulled. a.json has unsaved changes. Could not be applied either: 1.";
  expect([error.message, error.step]).toEqual([message, step]);
  expect(offered).toEqual([message, notPulled(PROJECT, plan).lines]);
  expect(notAppliedError(PROJECT, planOf([], [unsaved("a.json")], [])).message).toBe(
    "Nothing was pulled. a.json has unsaved changes.",
  );
});

test("without known languages, an export is placed by the files alone", () => {
  const files: FilesEntry[] = [{ path: "{locale}.json", format: "json_js" }];
  const options = exportLocationOptions({ stats: null }, { files }, { files: [] });
  expect([options.entries, [...options.locales]]).toEqual([files, []]);
  expect(exportLocationOptions({ stats: null }, {}, { files: [] }).entries).toEqual([]);
});
