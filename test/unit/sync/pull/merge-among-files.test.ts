/** Merging an exported file where other local files matter, and files that are generated, new or too large. */
import { describe, expect, test } from "vitest";
import { Project } from "../../../../src/database/project-state.ts";
import { MAX_FILE_BYTES } from "../../../../src/formats/parse-and-edit-file.ts";
import type { MergeDependencies } from "../../../../src/sync/pull/compare-with-export.ts";
import { mergeExport, newFile } from "../../../../src/sync/pull/merge-export-into-file.ts";
import type { FilesEntry } from "../../../../src/workspace/project-file/project-file.ts";
import { hashOf, nameOf, createLocalProject } from "../../workspace/local-files/local-project.ts";

interface Given {
  readonly entries: readonly FilesEntry[];
  readonly files: Readonly<Record<string, string>>;
  /** Keys that the source files and the service once had in common, and those that have another name by now. */
  readonly known?: readonly string[];
  readonly renamed?: readonly string[];
  readonly more?: Partial<MergeDependencies>;
}

async function open({ entries, files, known = [], renamed, more }: Given): Promise<MergeDependencies> {
  const fixture = createLocalProject(files, { files: [...entries], serviceLocales: ["en", "nl"] });
  const project = new Project("id", "label", fixture.database);
  const counts = { totalKeys: 2, translated: 0, outdated: 0, qaErrors: 0, percent: 0 };
  const language = { locale: "en", name: "English", isSource: true, lastTranslatedAt: null };
  project.setStats({ contentVersion: 1, languages: [{ ...language, ...counts }] }, { kind: "fresh", at: 0 });
  const hashes = (names: readonly string[]): string[] => names.map((id) => hashOf(nameOf(id)));
  await project.agreedTexts.store(
    hashes(known).map((hash) => ({ locale: "en", hash, fingerprint: "source" })),
  );
  await fixture.local.load();
  return {
    local: fixture.local,
    files: fixture.files,
    project,
    wantsBytes: false,
    ...(renamed === undefined ? {} : { renamed: new Set(hashes(renamed)) }),
    toService: (locale) => locale,
    toFile: (locale) => locale,
    ...more,
  };
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = (content: Uint8Array | null): string | null => content && new TextDecoder().decode(content);
const placed = (path: string, entry: FilesEntry | undefined) => {
  return { path, format: entry?.format ?? null, locale: "nl", isInLayout: true };
};

describe("a sheet beside another", () => {
  const entries: readonly FilesEntry[] = [
    { path: "a.csv", format: "csv" },
    { path: "b.csv", format: "csv" },
  ];
  const HEAD = "namespace,key,en,nl\nmenu,home,Home,Thuis\n";
  const files = { "a.csv": `${HEAD}menu,only,Only,Alleen\n`, "b.csv": `${HEAD}menu,more,More,Meer\n` };
  const merged = async (theirs: string, wantsBytes = false): Promise<unknown> => {
    const dependencies = await open({ entries, files, more: { wantsBytes } });
    const location = { ...placed("b.csv", entries[1]), locale: null };
    const result = await mergeExport(dependencies, location, bytes(files["b.csv"]), bytes(theirs));
    return result.bytes && [text(result.bytes), result.texts];
  };
  const both = `${HEAD}menu,only,Only,Alleen\nmenu,more,More,Meer\n`;

  test("gets a changed text of a key that both have, and no key of the other", async () => {
    expect(await merged(both.replace("Thuis", "Huis"))).toEqual([files["b.csv"].replace("Thuis", "Huis"), 1]);
  });

  test("gets the keys of the other where the service's bytes are wanted, and they count", async () => {
    expect(await merged(both, true)).toEqual([both, 2]);
  });
});

test("of a new file, only texts that no other file has are agreed, with what was agreed before", async () => {
  const entries = ["a", "b"].map((folder): FilesEntry => {
    return { path: `${folder}/{locale}.json`, format: "json_js" };
  });
  const dependencies = await open({
    entries,
    files: { "a/en.json": '{"a":"A"}', "a/nl.json": '{"a":"Aa"}' },
  });
  const hash = hashOf(nameOf("b"));
  await dependencies.project.agreedTexts.store([{ locale: "nl", hash, fingerprint: "before" }]);
  const theirs = bytes('{"a":"Aa","b":"Bb"}');
  const { agreed } = await newFile(dependencies, placed("b/nl.json", entries[1]), theirs);
  expect(agreed).toMatchObject([{ locale: "nl", hash, before: "before" }]);
  expect(agreed).toHaveLength(1);
});

describe("a generated file is the service's as a whole, also with old names and keys that were deleted", () => {
  const entries: readonly FilesEntry[] = [{ path: "{locale}.json", format: "wordpress_jed" }];
  const jed = (texts: Readonly<Record<string, readonly string[]>>): string =>
    JSON.stringify({ locale_data: { messages: { "": { domain: "messages", lang: "nl" }, ...texts } } });
  const theirs = bytes(jed({ a: ["Aa"], old: ["Oud"], gone: ["Weg"] }));
  const given: Given = { entries, files: {}, known: ["gone", "old"], renamed: ["old"] };

  test("if it is new", async () => {
    const result = await newFile(await open(given), placed("nl.json", entries[0]), theirs);
    expect(result).toMatchObject({ bytes: theirs, texts: 3, left: [], problems: [] });
  });

  test("if it is there", async () => {
    const ours = bytes(jed({ a: ["Oud"] }));
    const result = await mergeExport(
      await open({ ...given, known: [] }),
      placed("nl.json", entries[0]),
      ours,
      theirs,
    );
    expect(result).toMatchObject({ bytes: theirs, isWhole: true, problems: [] });
  });
});

describe("a new file", () => {
  const entries: readonly FilesEntry[] = [{ path: "{locale}/{namespace}.json", format: "json_js" }];
  const made = async (theirs: string, given: Partial<Given>): Promise<unknown> => {
    const files = { "en/app.json": '{"a":"A"}' };
    const dependencies = await open({ entries, files, ...given });
    const result = await newFile(dependencies, placed("nl/app.json", entries[0]), bytes(theirs));
    return [text(result.bytes), result.left.map(({ name, reason }) => `${name.key} ${reason}`)];
  };

  test("leaves out an old name without calling it deleted", async () => {
    const given = { known: ["app|old", "app|gone"], renamed: ["app|old"] };
    expect(await made('{"a":"Aa","old":"Oud","gone":"Weg"}', given)).toEqual([
      '{"a":"Aa"}',
      ["gone deleted"],
    ]);
  });

  test("is not made of deleted keys alone, which can still be chosen", async () => {
    expect(await made('{"gone":"Weg"}', { known: ["app|gone"] })).toEqual([null, ["gone deleted"]]);
  });

  test.each([
    ["app", ['{"gone":"Weg"}', []]],
    ["shop", [null, ["gone deleted"]]],
  ])("has a key that may be in a part of %s that could not be read", async (namespace, expected) => {
    const range = { path: "en/x.json", line: 1, column: 1, namespace, key: null };
    const given = { known: ["app|gone"], more: { unparsedSources: [range] } };
    expect(await made('{"gone":"Weg"}', given)).toEqual(expected);
  });
});

test("the texts of a new file outside of the layout are counted by what its content says of its format", async () => {
  const dependencies = await open({ entries: [], files: {} });
  const location = { path: "out/texts.json", format: "json_js", locale: null, isInLayout: false } as const;
  const theirs = bytes('{"locale_data":{"messages":{"":{"domain":"messages","lang":"nl"},"a":["Aa"]}}}');
  expect(await newFile(dependencies, location, theirs)).toMatchObject({ bytes: theirs, texts: 1 });
});

test("a file that is too large on either side is not read, and is named unless both are the same", async () => {
  const entries: readonly FilesEntry[] = [{ path: "{locale}.json", format: "json_js" }];
  const dependencies = await open({ entries, files: {} });
  const location = placed("nl.json", entries[0]);
  const [small, large] = [bytes('{"a":"A"}'), new Uint8Array(MAX_FILE_BYTES + 1)];
  const problems = [{ kind: "unreadable", path: "nl.json", why: "too_large", line: null, column: null }];
  expect(await mergeExport(dependencies, location, small, large)).toEqual({ bytes: null, problems });
  expect(await mergeExport(dependencies, location, large, small)).toEqual({ bytes: null, problems });
  const same = await mergeExport(dependencies, location, large, large);
  expect([same.bytes === large, same.problems]).toEqual([true, []]);
  expect(await newFile(dependencies, location, large)).toMatchObject({ bytes: null, texts: 0, problems });
});
