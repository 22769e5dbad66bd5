/** Which files are parsed in this process and which in another, and what becomes of those that need too much memory. */
import { describe, expect, test } from "vitest";
import type { Change, Entry } from "../../../../src/formats/format.ts";
import type { FileRead } from "../../../../src/formats/parse-and-edit-file.ts";
import {
  LARGE_FILE_BYTES,
  OUT_OF_MEMORY,
  type RemoteTranslationFiles,
  type TranslationFiles,
  translationFilesBySize,
  unlessOutOfMemory,
} from "../../../../src/workspace/local-files/parse-large-files-in-indexer.ts";

const OPTIONS = { locale: "nl", sourceLocale: "en" };
const SMALL = new Uint8Array(LARGE_FILE_BYTES - 1);
const LARGE = new Uint8Array(LARGE_FILE_BYTES);
const PROBLEM = { code: "type", message: "a number" } as FileRead["problems"][number];
const outOfMemory = Object.assign(new Error("no memory"), { code: OUT_OF_MEMORY });

const entry = (key: string): Entry => ({ key }) as Entry;
const change = (key: string): Change => ({ key, context: null, locale: null, text: null });
const changes = (count: number): Change[] => Array.from({ length: count }, (_, index) => change(`k${index}`));

/** Both kinds of functions, with the calls of each. */
function functions(other: Partial<RemoteTranslationFiles> = {}) {
  const calls: unknown[] = [];
  const edit: TranslationFiles["edit"] = async (_, bytes) => ({
    bytes: bytes?.slice() ?? new Uint8Array(),
    refused: [],
  });
  const local: TranslationFiles = {
    read: async (...call) => (calls.push(["local", ...call]), { entries: [], problems: [] }),
    edit: (...call) => (calls.push("local edit"), edit(...call)),
    renameInPlace: async (...call) => (calls.push(["local", ...call]), []),
  };
  const remote: RemoteTranslationFiles = {
    parse: async (format, bytes, options, onEntries, signal) => {
      calls.push(["remote", format, bytes, options, signal]);
      onEntries({ start: 0, entries: [entry("a"), entry("b")] });
      onEntries({ start: 2, entries: [entry("c")] });
      return { problems: [PROBLEM], namespaces: ["shop"] };
    },
    edit: (...call) => (calls.push("remote edit"), edit(...call)),
    renameInPlace: async (...call) => (calls.push(["remote", ...call]), []),
    ...other,
  };
  return { files: translationFilesBySize(local, remote), calls };
}

test("a file is read here if it is small, else in the other process", async () => {
  const { files, calls } = functions();
  const { signal } = new AbortController();
  expect(await files.read("po", SMALL, OPTIONS, signal)).toEqual({ entries: [], problems: [] });
  expect(await files.read("po", LARGE, OPTIONS, signal)).toEqual({
    entries: ["a", "b", "c"].map(entry),
    problems: [PROBLEM],
    namespaces: ["shop"],
  });
  expect(calls).toEqual([
    ["local", "po", SMALL, OPTIONS, signal],
    ["remote", "po", LARGE, OPTIONS, signal],
  ]);
});

test("entries that a restarted process sends again are not there twice", async () => {
  const { files } = functions({
    parse: async (_, _bytes, _options, onEntries) => {
      onEntries({ start: 0, entries: [entry("a"), entry("b")] });
      onEntries({ start: 2, entries: [entry("c")] });
      onEntries({ start: 0, entries: [entry("a"), entry("b")] });
      onEntries({ start: 2, entries: [entry("c"), entry("d")] });
      return { problems: [] };
    },
  });
  expect(await files.read("po", LARGE, OPTIONS)).toMatchObject({ entries: ["a", "b", "c", "d"].map(entry) });
});

test("a large file that cannot be decoded is told", async () => {
  const undecodable = { refused: "encoding", line: 1, column: 2 } as const;
  const { files } = functions({ parse: () => Promise.resolve(undecodable) });
  expect(await files.read("po", LARGE, OPTIONS)).toEqual(undecodable);
});

test.each<[string, Uint8Array | undefined, number, string]>([
  ["a small file", SMALL, 999, "local edit"],
  ["a small file in many places", SMALL, 1_000, "remote edit"],
  ["a large file", LARGE, 1, "remote edit"],
  ["a new file", undefined, 1, "local edit"],
])("of %s an edit is made where it does not stop others", async (_, bytes, count, expected) => {
  const { files, calls } = functions();
  await files.edit("po", bytes, changes(count), OPTIONS);
  expect(calls).toEqual([expected]);
});

test("an edit that changes nothing returns the same bytes, one that does the new ones", async () => {
  const edited = Uint8Array.from([1, 2, 3]);
  const { files } = functions();
  expect(await files.edit("po", LARGE, changes(1), OPTIONS)).toMatchObject({ bytes: LARGE });
  expect((await files.edit("po", LARGE, changes(1), OPTIONS)) as object).toHaveProperty("bytes", LARGE);
  const other = functions({ edit: async () => ({ bytes: edited, refused: [] }) });
  const { bytes } = (await other.files.edit("po", LARGE, changes(1), OPTIONS)) as { bytes: Uint8Array };
  expect(bytes).toBe(edited);
  const { bytes: same } = (await files.edit("po", LARGE, changes(1), OPTIONS)) as { bytes: Uint8Array };
  expect(same).toBe(LARGE);
});

test("keys are renamed here in a small file, else in the other process", async () => {
  const { files, calls } = functions();
  await files.renameInPlace("po", SMALL, [], OPTIONS);
  await files.renameInPlace("po", LARGE, [], OPTIONS);
  expect(calls).toEqual([
    ["local", "po", SMALL, [], OPTIONS],
    ["remote", "po", LARGE, [], OPTIONS],
  ]);
});

describe("a file that needs too much memory", () => {
  const { files } = functions({
    parse: (_, _bytes, _options, onEntries) => {
      onEntries({ start: 0, entries: [entry("a")] });
      return Promise.reject(outOfMemory);
    },
    edit: () => Promise.reject(outOfMemory),
    renameInPlace: () => Promise.reject(outOfMemory),
  });

  test("has no texts, and that problem", async () => {
    expect(await files.read("po", LARGE, OPTIONS)).toEqual({
      entries: [],
      problems: [
        {
          code: "syntax",
          message: "parsing it takes too much memory",
          span: { start: 0, end: 0 },
          line: null,
          column: null,
        },
      ],
    });
  });

  test("stays as it is", async () => {
    const edited = await files.edit("po", LARGE, changes(2), OPTIONS);
    expect(edited).toMatchObject({
      bytes: LARGE,
      refused: [
        { key: "k0", reason: "unsupported" },
        { key: "k1", reason: "unsupported" },
      ],
    });
    expect(await files.renameInPlace("po", LARGE, [], OPTIONS)).toBeNull();
  });

  test("is told apart from one that fails for another reason", async () => {
    expect(await unlessOutOfMemory(Promise.resolve("read"), () => "other")).toBe("read");
    expect(await unlessOutOfMemory(Promise.reject(outOfMemory), (error) => error)).toBe(outOfMemory);
    for (const error of [new Error("broken"), Object.assign(new Error("gone"), { code: "ENOENT" })])
      await expect(unlessOutOfMemory(Promise.reject(error), () => "other")).rejects.toBe(error);
  });
});
