/** How a pull and an upload end, for each combination of what was done and what was not. */
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Client } from "../../../src/api/client.ts";
import { ApiError, type ApiErrorKind } from "../../../src/api/errors.ts";
import { findImportFiles } from "../../../src/operations/find-import-files.ts";
import { notAppliedError, pullOutcome, type NotPulled } from "../../../src/operations/pull-requirements.ts";
import { uploadImport } from "../../../src/operations/upload-import.ts";
import type { PulledProject } from "../../../src/messages/sync/pull-messages.ts";
import type { PullPlan, PullProblem } from "../../../src/sync/pull/pull-plan.ts";
import { openFixtureProject, type FixtureProject } from "../support/fixture-project.ts";

const ITEM: NotPulled["items"][number] = {
  namespace: "*",
  key: "a",
  context: null,
  field: "value",
  messages: [],
};

describe("the outcome of a pull", () => {
  const cases = [0, 2].flatMap((written) =>
    [[], [ITEM]].flatMap((items) => [false, true].map((hasConflict) => ({ written, items, hasConflict }))),
  );
  test.each(cases)("says what was left, whatever was written: %j", ({ written, items, hasConflict }) => {
    const { outcome, ...rest } = pullOutcome(written, { items, hasConflict, lines: [] });
    expect(rest).toEqual(items.length === 0 ? {} : { items });
    const whole = new Map([
      ["2 true", "done"],
      ["2 false", "done"],
      ["0 true", "conflict"],
      ["0 false", "unchanged"],
    ]);
    expect(outcome).toBe(whole.get(`${written} ${hasConflict}`));
  });

  const PROBLEMS: Readonly<Record<string, PullProblem>> = {
    theirs: { kind: "unreadable", path: "a.json", why: "theirs", line: null, column: null },
    ours: { kind: "unreadable", path: "b.json", why: "syntax", line: 1, column: 1 },
    unsaved: { kind: "unsaved", path: "c.json" },
  };
  test.each([
    [["theirs"], "bad_response"],
    [["theirs", "theirs"], "bad_response"],
    [["ours"], "invalid"],
    [["theirs", "unsaved"], "invalid"],
    [["unsaved", "theirs"], "invalid"],
    [["theirs", "ours"], "invalid"],
  ])("of which nothing could be applied because of %j is %s", (kinds, code) => {
    const problems = kinds.map((kind) => PROBLEMS[kind] as PullProblem);
    const plan = { files: [], otherProblems: problems } as unknown as PullPlan;
    const project = { sourceLocale: "en", local: { locate: () => undefined } } as unknown as PulledProject;
    const error = notAppliedError(project, plan);
    expect(error.code).toBe(code);
    expect(error.details).toMatchObject({ reason: "not_applied" });
    expect((error.details as { items?: readonly unknown[] }).items).toHaveLength(problems.length);
  });
});

describe("an upload that has no answer", () => {
  const FILES = [{ path: "a.json", file: "/a.json", bytes: new Uint8Array(4) }] as never;
  const UNCERTAIN: readonly ApiErrorKind[] = ["offline", "timeout", "server_error", "bad_response"];
  const REFUSED: readonly ApiErrorKind[] = ["unauthorized", "forbidden", "busy", "invalid", "rate_limited"];

  /** How it ends when the request failed after so many bytes. */
  async function endOf(sent: number, kind: ApiErrorKind): Promise<string> {
    const client = {
      import: (
        _files: unknown,
        _fields: unknown,
        { onUpload }: { onUpload: (sent: number, total: number) => void },
      ) => {
        onUpload(sent, 4);
        return Promise.reject(new ApiError(kind, "failed"));
      },
    } as unknown as Client;
    const service = { client, jobs: {} as never };
    const { signal } = new AbortController();
    const options = {
      signal,
      quiet: true,
      isFirst: true,
      onUpload: () => undefined,
      onStarted: () => undefined,
    };
    const error: unknown = await uploadImport(service, { files: FILES, fields: {} }, options).catch(
      (thrown: unknown) => thrown,
    );
    return error instanceof Error ? error.message : "done";
  }

  test("may be running only if it was sent completely, and may have been received", async () => {
    for (const kind of [...UNCERTAIN, ...REFUSED]) expect(await endOf(3, kind)).toBe("failed");
    for (const kind of UNCERTAIN) expect(await endOf(4, kind)).toContain("may be running anyway");
    for (const kind of REFUSED) expect(await endOf(4, kind)).toBe("failed");
  });
});

describe("the files of an import", () => {
  let shop: FixtureProject;
  beforeEach(async () => {
    shop = await openFixtureProject();
  });
  afterEach(() => shop.close());

  test("are those that are named, and those of named folders that look like translations, in any order", async () => {
    const { files, local } = await shop.open("one");
    await local.load();
    await shop.write("more/words.po", 'msgid "Title"\nmsgstr "Cart"\n');
    await shop.write("more/data.po", "first = 1");
    await shop.write("more/other.po", "second = 2");
    const root = join(shop.folder, "app");
    const folder = join(root, "more");
    const data = join(folder, "data.po");
    const find = async (...paths: readonly string[]): Promise<readonly string[]> => {
      const found = await findImportFiles({ root, files, local }, paths, new AbortController().signal);
      return found.map(({ file }) => file);
    };
    expect(await find(folder)).toEqual([join(folder, "words.po")]);
    expect(await find(data)).toEqual([data]);
    for (const paths of [
      [folder, data],
      [data, folder],
      [data, folder, data, folder],
    ])
      expect(await find(...paths)).toEqual([data, join(folder, "words.po")]);
  });
});
