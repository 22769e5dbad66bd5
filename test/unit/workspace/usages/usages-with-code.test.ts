/** The usages of a key, with the code that each is in. */
import { afterEach, expect, test } from "vitest";
import { usagesOfKey, usagesWithCode } from "../../../../src/workspace/usage-locations/usages-with-code.ts";
import { NO_TEXTS, SourceFolder, usageOptions } from "../../support/source-folder.ts";
import { createLocalProject } from "../local-files/local-project.ts";

let folder: SourceFolder;
afterEach(() => folder.dispose());

test("exact usages come first, also of a key that was never pushed, then those that may be of the key", async () => {
  folder = new SourceFolder({
    "a.ts": 't("menu." + x); t("menu.open"); t("menu.new");',
    "b.ts": 't("menu.open");',
  });
  const { database, usages } = folder.open();
  folder.setKeys(database, ["*|menu.open"]);
  await folder.indexer(database).update(usageOptions("i18next"), NO_TEXTS);
  const found = (...key: [hash: string, name?: string]): unknown[] => {
    const [hash, name] = key;
    const own = name === undefined ? undefined : { namespace: "*", key: name, context: null };
    return usagesOfKey(usages, hash, own).map(({ path, span, pattern }) => [path, span.start, pattern]);
  };
  expect(found("*|menu.open")).toEqual([
    ["a.ts", 19, null],
    ["b.ts", 3, null],
    ["a.ts", 2, "menu.*"],
  ]);
  expect(found("*|menu.new", "menu.new")).toEqual([["a.ts", 35, null]]);
  expect(found("*|menu.gone", "menu.gone")).toEqual([]);
});

test("the line of each usage is that of the file as it is, in its encoding", async () => {
  folder = new SourceFolder({});
  const po =
    'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=ISO-8859-1\\n"\n\nmsgid "é"\nmsgstr "é"\n';
  const at = po.indexOf("é");
  const contents = {
    "a.ts": '// Header\n  const label = t("a");\nt("b")',
    "gone.ts": "",
    "l/nl.po": new Uint8Array(Buffer.from(po, "latin1")),
    // The project file says what it is.
    "m/nl.txt": new Uint8Array(Buffer.from(po, "latin1")),
    "t.xlsx": "t('a')",
    "broken.ts": Uint8Array.of(0xff, 0xfe, 0x00),
  };
  const { files, local } = createLocalProject(contents, {
    files: [
      { path: "l/{locale}.po", format: "po" },
      { path: "m/{locale}.txt", format: "po" },
    ],
    serviceLocales: ["en", "nl"],
  });
  await local.load();
  files.remove("gone.ts");
  const usage = (path: string, start: number, end: number) => ({ path, span: { start, end }, pattern: null });
  const found = await usagesWithCode({ files, local }, [
    usage("a.ts", 28, 31),
    usage("gone.ts", 0, 0),
    usage("t.xlsx", 0, 1),
    usage("broken.ts", 0, 1),
    usage("l/nl.po", at, at + 1),
    usage("a.ts", 36, 39),
    usage("m/nl.txt", at, at + 1),
  ]);
  expect(found).toEqual([
    {
      ...usage("a.ts", 28, 31),
      code: 'const label = t("a");',
      start: { line: 1, character: 18 },
      end: { line: 1, character: 21 },
    },
    {
      ...usage("a.ts", 36, 39),
      code: 't("b")',
      start: { line: 2, character: 2 },
      end: { line: 2, character: 5 },
    },
    {
      ...usage("l/nl.po", at, at + 1),
      code: 'msgid "é"',
      start: { line: 4, character: 7 },
      end: { line: 4, character: 8 },
    },
    {
      ...usage("m/nl.txt", at, at + 1),
      code: 'msgid "é"',
      start: { line: 4, character: 7 },
      end: { line: 4, character: 8 },
    },
  ]);
});
