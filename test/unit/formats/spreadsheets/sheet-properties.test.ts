/** Properties of any spreadsheet content in every file format; no file makes the reader throw. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeText, encodeText, isUndecodable } from "../../../../src/formats/text/encoding.ts";
import { csv } from "../../../../src/formats/spreadsheets/csv-format.ts";
import {
  type BinaryFormat,
  type Change,
  entryId,
  type Entry,
  type EntryName,
  type NewEntry,
  type ReadOptions,
  type TextFormat,
} from "../../../../src/formats/format.ts";
import {
  editTranslationFile,
  isUnreadable,
  printTranslationFile,
  readTranslationFile,
} from "../../../../src/formats/parse-and-edit-file.ts";
import { xlsx } from "../../../../src/formats/spreadsheets/xlsx-format.ts";
import { isForms, areTextsEqual, type Text } from "../../../../src/model/translation-text.ts";
import { ENGLISH } from "../editing.ts";
import { parts, row, sharedStrings, sheet, zipped } from "./workbooks.ts";
import { runCount } from "../../support/full-run.ts";

type Sheets = TextFormat | BinaryFormat;

const RUNS = runCount(60);

const TORTURE = [
  '"',
  '""',
  ",",
  ";",
  "\t",
  "\n",
  "\r\n",
  "\r",
  "=1+1",
  "-",
  "@",
  "_x000D_",
  "_x0041",
  "<b>",
  "&amp;",
  "]]>",
];
const MORE = ["é", "語", "🎉", "\u2028", "\u0001", "\0", "\uffff", " "];
const word = fc.oneof(fc.string({ maxLength: 6 }), fc.constantFrom(...TORTURE, ...MORE));
const value = fc.array(word, { maxLength: 4 }).map((words) => words.join("").toWellFormed());
const nonEmpty = value.filter((text) => text !== "");
const text: fc.Arbitrary<Text> = fc.oneof(
  { weight: 3, arbitrary: value.map((saying) => ({ value: saying })) },
  fc.record({ one: nonEmpty, other: nonEmpty }).map((forms) => ({ forms })),
  nonEmpty.map((other) => ({ forms: { other } })),
);
const key = fc
  .oneof(
    fc.constantFrom("a", "b", "menu.a", "menu.b", "menu.c.d", "__proto__", "constructor", "0", "=1", "key"),
    value,
  )
  .filter((name) => name.trim() !== "");
const namespace = fc.constantFrom(null, null, "shop", "admin/users", "__proto__");
const context = fc.constantFrom(null, null, "menu", "c,d");
const locale = fc.constantFrom("en", "nl", "pt_BR");

interface Content {
  readonly entries: readonly NewEntry[];
  readonly locales: readonly (string | null)[];
}

/** Keys with a text in each of the file's locales, or in the one that it does not name. */
const content: fc.Arbitrary<Content> = fc
  .tuple(
    fc.uniqueArray(
      fc.record({ namespace, key, context, texts: fc.array(text, { minLength: 3, maxLength: 3 }) }),
      {
        selector: (entry) => entryId(entry),
        maxLength: 8,
      },
    ),
    fc.oneof(
      fc.constant<readonly (string | null)[]>([null]),
      fc.uniqueArray(locale, { minLength: 1, maxLength: 3 }),
    ),
    fc.boolean(),
  )
  .map(([keys, locales, isSorted]) => {
    if (isSorted) keys.sort((a, b) => (a.key < b.key ? -1 : 1));
    const entries = keys.flatMap(({ texts, ...name }) =>
      locales.map((each, index): NewEntry => ({
        ...name,
        locale: each,
        text: texts[index] ?? { value: "" },
      })),
    );
    return { entries, locales };
  });

async function read(
  format: Sheets,
  bytes: Uint8Array,
  options: ReadOptions = ENGLISH,
): Promise<readonly Entry[]> {
  const result = await readTranslationFile(format, bytes, options);
  if (isUnreadable(result)) throw new Error("not readable");
  return result.entries;
}

async function edit(bytes: Uint8Array, changes: readonly Change[]) {
  const result = await editTranslationFile(csv, bytes, changes, ENGLISH);
  if (isUnreadable(result)) throw new Error("not readable");
  return result;
}

const texts = (entries: readonly (EntryName & { readonly text: Text })[]): Map<string, Text> =>
  new Map(entries.map((entry) => [entryId(entry), entry.text]));

/** An empty cell is a text without words, of whichever kind. */
function same(a: Text | undefined, b: Text | undefined): boolean {
  const isEmpty = (each: Text | undefined): boolean =>
    each === undefined || (isForms(each) ? Object.keys(each.forms).length === 0 : each.value === "");
  return (isEmpty(a) && isEmpty(b)) || (a !== undefined && b !== undefined && areTextsEqual(a, b));
}

function expectSame(actual: ReadonlyMap<string, Text>, expected: ReadonlyMap<string, Text>): void {
  for (const id of new Set([...actual.keys(), ...expected.keys()])) {
    if (!same(actual.get(id), expected.get(id))) expect([id, actual.get(id)]).toEqual([id, expected.get(id)]);
  }
}

test.each<readonly [string, Sheets, number]>([
  ["csv", csv, RUNS],
  // A workbook takes ten times as long.
  ["xlsx", xlsx, Math.ceil(RUNS / 4)],
])("%s: reads what it printed", async (_, format, numRuns) => {
  await fc.assert(
    fc.asyncProperty(content, async ({ entries }) => {
      const bytes = await printTranslationFile(format, entries, ENGLISH);
      const found = await read(format, bytes);
      expectSame(texts(found), texts(entries));
      expect(found.map((entry) => entry.readOnly).filter((reason) => reason !== null)).toEqual([]);
    }),
    { numRuns },
  );
});

describe("csv", () => {
  /** Other line ends, other quotes, no last line end: as other programs leave them. */
  const dress = (bytes: Uint8Array, kind: number): Uint8Array => {
    const decoded = decodeText(bytes);
    if (isUndecodable(decoded)) return bytes;
    if (kind % 3 === 1) return encodeText({ ...decoded, text: decoded.text.replace(/\n$/, "") });
    if (kind % 3 === 2) return encodeText({ text: decoded.text, bom: true });
    return bytes;
  };

  test("applies edits exactly", async () => {
    const wanted = fc.array(fc.record({ namespace, key, context, text: fc.option(text), pick: fc.nat() }), {
      minLength: 1,
      maxLength: 6,
    });
    await fc.assert(
      fc.asyncProperty(content, wanted, fc.nat(), async ({ entries, locales }, more, kind) => {
        const bytes = dress(await printTranslationFile(csv, entries, ENGLISH), kind);
        const before = await read(csv, bytes);
        const changes = more.map(({ pick, text: wish, ...name }): Change => {
          const known = pick % 2 === 0 ? before[pick % Math.max(1, before.length)] : undefined;
          return { ...(known ?? { ...name, locale: locales[pick % locales.length] ?? null }), text: wish };
        });
        const { bytes: after, refused } = await edit(bytes, changes);
        expect(refused.filter(({ reason }) => reason === "conflict")).toEqual([]);
        const refusals = new Set(refused.map(entryId));
        const expected = new Map(texts(before));
        for (const change of changes) {
          if (refusals.has(entryId(change))) continue;
          if (change.text === null) expected.delete(entryId(change));
          else expected.set(entryId(change), change.text);
        }
        expectSame(texts(await read(csv, after)), expected);
      }),
      { numRuns: RUNS * 2 },
    );
  });

  test("restores the bytes when a text is changed back", async () => {
    await fc.assert(
      fc.asyncProperty(content, fc.nat(), text, fc.nat(), async ({ entries }, pick, wish, kind) => {
        const bytes = dress(await printTranslationFile(csv, entries, ENGLISH), kind);
        const before = await read(csv, bytes);
        const entry = before[pick % Math.max(1, before.length)];
        if (entry === undefined || isForms(entry.text) !== isForms(wish)) return;
        const there = await edit(bytes, [{ ...entry, text: wish }]);
        if (there.refused.length > 0 || same(entry.text, wish)) return;
        const back = await edit(there.bytes, [{ ...entry }]);
        expect(Buffer.from(back.bytes).toString()).toBe(Buffer.from(bytes).toString());
        const again = await edit(back.bytes, [{ ...entry, text: wish }]);
        expect(Buffer.from(again.bytes).equals(Buffer.from(there.bytes))).toBe(true);
      }),
      { numRuns: RUNS },
    );
  });

  test("restores the entries when a key is added and removed", async () => {
    await fc.assert(
      fc.asyncProperty(content, key, text, fc.nat(), async ({ entries, locales }, name, wish, kind) => {
        const bytes = dress(await printTranslationFile(csv, entries, ENGLISH), kind);
        if (entries.some((entry) => entry.key === name && entry.namespace == null && entry.context === null))
          return;
        const changes = locales.map((each): Change => ({
          key: name,
          context: null,
          locale: each,
          text: wish,
        }));
        const there = await edit(bytes, changes);
        if (there.refused.length > 0) return;
        const back = await edit(
          there.bytes,
          changes.map((change) => ({ ...change, text: null })),
        );
        expect(back.refused).toEqual([]);
        expect(Buffer.from(back.bytes).toString()).toBe(Buffer.from(bytes).toString());
        expectSame(texts(await read(csv, back.bytes)), texts(await read(csv, bytes)));
      }),
      { numRuns: RUNS },
    );
  });
});

const CHANGES: readonly Change[] = [
  { key: "a", context: null, text: { value: "x" } },
  { key: "b", context: null, text: null },
  { key: "new", context: null, locale: "nl", text: { forms: { other: "y" } } },
];

/** Whatever the file: an answer, and when all is refused the file as it was. */
async function survives(format: Sheets, bytes: Uint8Array): Promise<void> {
  const result = await readTranslationFile(format, bytes, ENGLISH);
  const after = await editTranslationFile(format, bytes, CHANGES, ENGLISH);
  if (isUnreadable(result) || isUnreadable(after)) return;
  if (after.refused.length === CHANGES.length && bytes.length > 0) expect(after.bytes).toEqual(bytes);
}

/** Pieces cut out, doubled, swapped or overwritten. */
const mutation = fc.record({
  kind: fc.nat(3),
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  size: fc.nat(40),
  token: fc.nat(),
});
type Mutation = typeof mutation extends fc.Arbitrary<infer Kind> ? Kind : never;

function mutated(whole: string, mutations: readonly Mutation[], tokens: readonly string[]): string {
  let result = whole;
  for (const { kind, at, size, token } of mutations) {
    const start = Math.floor(at * result.length);
    const piece = result.slice(start, start + size);
    const other = tokens[token % tokens.length] ?? "";
    const put = kind === 0 ? "" : kind === 1 ? piece + piece : kind === 2 ? other : other + piece;
    result = result.slice(0, start) + put + result.slice(start + size);
  }
  return result;
}

const CSV_TOKENS = [
  '"',
  ",",
  ";",
  "\t",
  "\n",
  "\r",
  "\0",
  "key",
  "nl other",
  "sep=;\n",
  "\ufeff",
  ",".repeat(99),
];
const XML_TOKENS = [
  "<",
  ">",
  "/>",
  "</row>",
  "</c>",
  "</sheetData>",
  "<c/>",
  "<row/>",
  '<c r="A1048577"/>',
  '<c r="ZZZ9" t="s"><v>-1</v></c>',
  "<!DOCTYPE a [",
  "<!--",
  "<![CDATA[",
  "]]>",
  "&#x0;",
  "&lol;",
  '"',
  "'",
  ' r="',
  "<f>1</f>",
  '<mergeCell ref="A1:B9"/>',
];

const CSV_FILE = 'Namespace,Key,Comment,en,nl,nl other\r\nshop,a,"x ""y""",1,"two\nlines",\r\n,b,,=1,,z\r\n';
const BOOK = parts(
  [
    sheet(
      row(1, "key", "value", "nl other") +
        row(2, "a", "x") +
        '<row r="3" spans="1:2"><c r="A3" t="s" s="1"><v>0</v></c><c r="B3"><f>1</f><v>1</v></c></row>',
      '<mergeCells><mergeCell ref="A9:B9"/></mergeCells>',
      '<dimension ref="A1:C3"/><cols><col min="1" max="2" style="1"/></cols>',
    ),
  ],
  {
    "xl/sharedStrings.xml": sharedStrings("<r><t>b</t></r><rPh><t>p</t></rPh>", "<t>c</t>"),
    "xl/styles.xml":
      '<styleSheet><numFmts><numFmt numFmtId="170" formatCode="yyyy"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="170"/></cellXfs></styleSheet>',
  },
);

describe("never throws", () => {
  const mutations = fc.array(mutation, { minLength: 1, maxLength: 5 });

  test("for CSV", async () => {
    await fc.assert(
      fc.asyncProperty(mutations, async (list) => {
        const file = mutated(CSV_FILE, list, CSV_TOKENS);
        await survives(csv, new TextEncoder().encode(file));
      }),
      { numRuns: RUNS * 5 },
    );
  });

  test("for any part of an XLSX file", async () => {
    const paths = Object.keys(BOOK);
    await fc.assert(
      fc.asyncProperty(mutations, fc.nat(), async (list, pick) => {
        const path = pick % 2 === 0 ? "xl/worksheets/sheet1.xml" : (paths[pick % paths.length] ?? "");
        const file = zipped({ ...BOOK, [path]: mutated(BOOK[path] ?? "", list, XML_TOKENS) }, 0);
        await survives(xlsx, file);
      }),
      { numRuns: RUNS * 5 },
    );
  });

  test("for any zip of an XLSX file", async () => {
    const whole = zipped(BOOK);
    const bytes = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(bytes, fc.option(fc.nat(whole.length)), async (changed, length) => {
        const file = whole.slice(0, length ?? whole.length);
        // The directory is what everything hangs on, so half of the changes go there.
        for (const [at, byte] of changed) file[byte % 2 === 0 ? at : whole.length - 1 - (at % 700)] = byte;
        await survives(xlsx, file);
      }),
      { numRuns: RUNS * 3 },
    );
  });
});
