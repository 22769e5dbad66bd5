/** Side effects of a change, and refused changes with the position of the error. */
import { describe, expect, test } from "vitest";
import type { Change } from "../../../../src/formats/format.ts";
import { MAX_FILE_BYTES } from "../../../../src/formats/parse-and-edit-file.ts";
import type { FilesEntry } from "../../../../src/workspace/project-file/project-file.ts";
import type { LocalChange } from "../../../../src/workspace/local-files/local-entries.ts";
import { change, hashOf, nameOf, createLocalProject, type LocalProject } from "./local-project.ts";

const SERVICE = { sourceLocale: "en", serviceLocales: ["en", "nl"] };
const JSON_FILES: readonly FilesEntry[] = [{ path: "l/{locale}.json", format: "json_js" }];
const PO_FILES: readonly FilesEntry[] = [
  { path: "l/{locale}.po", format: "po" },
  { path: "l/all.pot", format: "pot" },
];

/** Of each refused change its key, why, and where. */
async function refusals(fixture: LocalProject, changes: readonly LocalChange[]): Promise<unknown[]> {
  const { refused } = await fixture.local.planEdit(changes);
  return refused.map(({ change: { name }, reason, path, line, column }) => [
    name.key,
    reason,
    path,
    line,
    column,
  ]);
}

describe("refuses", () => {
  test("a file of a format that this program does not write", async () => {
    const files = [{ path: "l/{locale}.strings", format: "apple_strings" as never }];
    const fixture = createLocalProject({}, { files, ...SERVICE });
    expect(await refusals(fixture, [change("a", "en", "x")])).toEqual([
      ["a", "unsupported", "l/en.strings", null, null],
    ]);
  });

  test.each([
    ["is", false],
    ["has become", true],
  ])("every change of a file that %s too large, and no other", async (_, isRead) => {
    const fixture = createLocalProject(
      { "l/en.json": "{}", "l/nl.json": "{}" },
      { files: JSON_FILES, ...SERVICE },
    );
    if (isRead) await fixture.local.load();
    fixture.files.put("l/en.json", new Uint8Array(MAX_FILE_BYTES + 1));
    const changes = [change("a", "en", "x"), change("a", "nl", "y"), change("b", "en", "z")];
    expect(await refusals(fixture, changes)).toEqual([
      ["a", "too_large", "l/en.json", null, null],
      ["b", "too_large", "l/en.json", null, null],
    ]);
    // Once before it was too large, and once to write it.
    expect(fixture.files.reads.filter((path) => path === "l/en.json")).toHaveLength(isRead ? 2 : 0);
  });

  test("a file that is not valid in its encoding, with the place", async () => {
    const text = new TextEncoder().encode('{\n  "a": "');
    const fixture = createLocalProject(
      { "l/en.json": Uint8Array.from([...text, 0xff]) },
      { files: JSON_FILES, ...SERVICE },
    );
    expect(await refusals(fixture, [change("a", "en", "x")])).toEqual([
      ["a", "unreadable", "l/en.json", 2, 9],
    ]);
  });

  test("a file that is of another format", async () => {
    const jed = '{\n "locale_data":{"messages":{"":{"lang":"nl"},"Hello":["Hallo"]}}}';
    const fixture = createLocalProject(
      { "l/nl.json": jed, "l/en.json": "{}" },
      { files: JSON_FILES, ...SERVICE },
    );
    expect(await refusals(fixture, [change("a", "nl", "x"), change("a", "en", "x")])).toEqual([
      ["a", "unreadable", "l/nl.json", null, null],
    ]);
  });

  test("what cannot be added to a file with a syntax error, with its location, but writes the rest", async () => {
    const fixture = createLocalProject(
      { "l/en.json": '{\n  "a": "x",\n  "b" "y"\n}\n', "l/nl.json": '{ "a": "x" }\n' },
      { files: JSON_FILES, ...SERVICE },
    );
    const changes = [change("new", "en", "z"), change("a", "nl", "z")];
    const { writes } = await fixture.local.planEdit(changes);
    expect(writes.map(({ path }) => path)).toEqual(["l/nl.json"]);
    expect(await refusals(fixture, changes)).toEqual([["new", "syntax", "l/en.json", 3, expect.any(Number)]]);
  });

  test("a change for another reason without the location of the syntax error", async () => {
    const php: readonly FilesEntry[] = [{ path: "l/{locale}/a.php", format: "laravel_php", namespace: "a" }];
    const code = "<?php\n\nreturn [\n    'a' => env('A'),\n    'b' => 'x',\n];\n";
    const fixture = createLocalProject({ "l/en/a.php": code }, { files: php, ...SERVICE });
    const changes = [change("a|a", "en", "y"), change("a|b", "en", "z")];
    expect(await refusals(fixture, changes)).toEqual([["a", "expression", "l/en/a.php", null, null]]);
    const { writes } = await fixture.local.planEdit(changes);
    expect(writes.map(({ after }) => new TextDecoder().decode(after))).toEqual([code.replace("'x'", "'z'")]);
  });

  test("many changes of a file in linear time", async () => {
    const fixture = createLocalProject({ "l/en.json": "{}" }, { files: JSON_FILES, ...SERVICE });
    let reads = 0;
    Object.assign(fixture.local.formats, {
      edit: (_: unknown, bytes: Uint8Array, changes: readonly Change[]) => {
        const refused = changes.map(({ key, context }) => ({
          reason: "syntax",
          context,
          get key() {
            reads++;
            return key;
          },
        }));
        return Promise.resolve({ bytes, refused });
      },
    });
    const changes = Array.from({ length: 100 }, (_, index) => change(`key_${index}`, "en", "x"));
    expect(await refusals(fixture, changes)).toEqual(
      changes.map(({ name }) => [name.key, "syntax", "l/en.json", null, null]),
    );
    expect(reads).toBe(changes.length);
  });

  test("only the affected one of two changes to a file", async () => {
    const php: readonly FilesEntry[] = [{ path: "l/{locale}/a.php", format: "laravel_php", namespace: "a" }];
    const code = "<?php\n\nreturn [\n    'a' => 'x',\n    'b' => env('B'),\n    'c' => 'x',\n];\n";
    const fixture = createLocalProject({ "l/en/a.php": code }, { files: php, ...SERVICE });
    const changes = ["a", "b", "c"].map((key) => change(`a|${key}`, "en", "y"));
    expect(await refusals(fixture, changes)).toEqual([["b", "expression", "l/en/a.php", null, null]]);
  });
});

describe("writes nothing", () => {
  test("if the file already has the text", async () => {
    const fixture = createLocalProject({ "l/en.json": '{ "a": "x" }' }, { files: JSON_FILES, ...SERVICE });
    expect((await fixture.local.planEdit([change("a", "en", "x")])).writes).toEqual([]);
  });

  test("to a new file that can have none of the texts", async () => {
    const { local } = createLocalProject({ "l/en.json": '{ "a": "x" }' }, { files: JSON_FILES, ...SERVICE });
    const inContext = { ...change("a", "nl", "x"), name: { ...nameOf("a"), context: "menu" } };
    const { writes, refused } = await local.planEdit([inContext]);
    expect([writes, refused.length]).toEqual([[], 1]);
  });

  test("without changes", async () => {
    const fixture = createLocalProject({ "l/en.json": '{ "a": "x" }' }, { files: JSON_FILES, ...SERVICE });
    expect(await fixture.local.planEdit([])).toEqual({ writes: [], refused: [] });
  });
});

test("lets other work run while it looks for the files of many changes", async () => {
  const { local } = createLocalProject({ "l/en.json": "{}" }, { files: JSON_FILES, ...SERVICE });
  await local.load();
  let turns = 0;
  const count = (): void => void (turns++, (immediate = setImmediate(count)));
  let immediate = setImmediate(count);
  await local.planEdit(Array.from({ length: 2_000 }, (_, index) => change(`key_${index}`, "en", null)));
  clearImmediate(immediate);
  expect(turns).toBeGreaterThanOrEqual(10);
});

test("applies the last of several changes to a key", async () => {
  const fixture = createLocalProject({ "l/en.json": '{ "a": "x" }' }, { files: JSON_FILES, ...SERVICE });
  const { writes } = await fixture.local.planEdit(["1", "2", "3"].map((value) => change("a", "en", value)));
  expect(writes.map(({ after }) => new TextDecoder().decode(after))).toEqual(['{ "a": "3" }']);
});

describe("a new entry has", () => {
  const HEADER = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n';
  const POT = `${HEADER}\n#. Of the source file\nmsgid "Save"\nmsgstr ""\n`;
  const known = new Map([
    [
      hashOf(nameOf("Save")),
      { ...nameOf("Save"), text: { value: "Keep it" }, description: "Of the service" },
    ],
    [hashOf(nameOf("New")), { ...nameOf("New"), text: { value: "Newer" }, description: "Of the service" }],
  ]);

  async function added(wanted: LocalChange, path = "l/nl.po"): Promise<string> {
    const fixture = createLocalProject(
      { "l/all.pot": POT, "l/nl.po": HEADER },
      { files: PO_FILES, ...SERVICE },
    );
    fixture.setKnown(known);
    const { writes, refused } = await fixture.local.planEdit([wanted]);
    expect(refused).toEqual([]);
    const write = writes.find((each) => each.path === path);
    return new TextDecoder().decode(write?.after).replace(HEADER, "");
  }

  test("the given description, else the source file's, else the service's", async () => {
    const given = { ...change("Save", "nl", "Bewaar"), description: "Given" };
    expect(await added(given)).toContain("#. Given\n");
    expect(await added(change("Save", "nl", "Bewaar"))).toContain("#. Of the source file\n");
    expect(await added(change("New", "nl", "Nieuw"))).toContain("#. Of the service\n");
    expect(await added(change("Other", "nl", "Anders"))).not.toContain("#.");
  });

  test("the given source text, else the source file's, else the service's", async () => {
    const xliff: readonly FilesEntry[] = [
      { path: "x/messages.{locale}.xlf", format: "xliff12" },
      { path: "l/{locale}.json", format: "json_js" },
    ];
    const nl =
      '<xliff version="1.2"><file original="app" source-language="en" target-language="nl"><body>\n<trans-unit id="a"><source>A</source><target>Aa</target></trans-unit>\n</body></file></xliff>';
    const en = nl
      .replaceAll('"nl"', '"en"')
      .replace(
        "</body>",
        '<trans-unit id="there"><source>Of the file</source><target>Of the file</target></trans-unit>\n</body>',
      );
    const sourceOf = async (wanted: LocalChange, sources = {}): Promise<string | undefined> => {
      const fixture = createLocalProject(
        { "x/messages.nl.xlf": nl, ...sources },
        { files: xliff, ...SERVICE },
      );
      const there = nameOf("app|there");
      fixture.setKnown(new Map([[hashOf(there), { ...there, text: { value: "Of the service" } }]]));
      const { writes } = await fixture.local.planEdit([wanted]);
      const text = new TextDecoder().decode(writes[0]?.after);
      const id = wanted.name.key;
      return new RegExp(`id="${id}"[^>]*>\\s*<source>([^<]*)</source>`).exec(text)?.[1];
    };
    expect(await sourceOf({ ...change("app|there", "nl", "x"), source: { value: "Given" } })).toBe("Given");
    expect(await sourceOf(change("app|there", "nl", "x"))).toBe("Of the service");
    const sources = { "x/messages.en.xlf": en };
    expect(await sourceOf(change("app|there", "nl", "x"), sources)).toBe("Of the file");
    const given = { ...change("app|there", "nl", "x"), source: { value: "Given" } };
    expect(await sourceOf(given, sources)).toBe("Given");
    expect(await sourceOf(change("app|other", "nl", "x"))).not.toBe("Of the service");
    // In the source language, the text is the new one.
    const others = { "x/messages.en.xlf": nl.replaceAll('"nl"', '"en"') };
    expect(await sourceOf(change("app|there", "en", "Newer"), others)).toBe("Newer");
  });
});

test("an entry that exists keeps its description and source text", async () => {
  const po = `msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n\n#. Of the file\nmsgid "Save"\nmsgstr "Bewaar"\n`;
  const xliff =
    '<xliff version="1.2"><file original="app" source-language="en" target-language="nl"><body><trans-unit id="a"><source>Of the file</source><target>Aa</target></trans-unit></body></file></xliff>';
  const sheet = "key,description,en,nl\nb,Of the file,B,Bé\n";
  const files: readonly FilesEntry[] = [
    { path: "l/{locale}.po", format: "po" },
    { path: "x.{locale}.xlf", format: "xliff12" },
    { path: "t.csv", format: "csv" },
  ];
  const contents = { "l/nl.po": po, "x.nl.xlf": xliff, "t.csv": sheet };
  const fixture = createLocalProject(contents, { files, ...SERVICE });
  const names = ["Save", "app|a", "b"].map(nameOf);
  const ofService = { text: { value: "Of the service" }, description: "Of the service" };
  fixture.setKnown(new Map(names.map((name) => [hashOf(name), { ...name, ...ofService }])));
  const changes = ["Save", "app|a", "b"].map((id) => change(id, "nl", "Nieuw"));
  const { writes } = await fixture.local.planEdit(changes);
  expect(writes.map(({ path, after }) => [path, new TextDecoder().decode(after)])).toEqual([
    ["l/nl.po", po.replace("Bewaar", "Nieuw")],
    ["x.nl.xlf", xliff.replace("Aa", "Nieuw")],
    ["t.csv", sheet.replace("Bé", "Nieuw")],
  ]);
});
