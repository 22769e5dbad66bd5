/** Properties of any content of any format: printing loses nothing, and an edit changes only its entries. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applyEdit, applySplices } from "../../../src/formats/editing/apply-verified-edit.ts";
import type { Change, NewEntry, ReadOptions, TextFormat } from "../../../src/formats/format.ts";
import { jsonJs, laravelJson } from "../../../src/formats/json/json-format.ts";
import { laravelPhp } from "../../../src/formats/php/laravel-php-format.ts";
import { isForms, areTextsEqual, type Text } from "../../../src/model/translation-text.ts";
import { ENGLISH } from "./editing.ts";
import { propertyRuns } from "../support/full-run.ts";

const TORTURE = [
  "'",
  '"',
  "\\",
  "$x",
  "{$y}",
  "${z}",
  "\n",
  "\r\n",
  "\t",
  "</b>",
  "é",
  "語",
  "🎉",
  "\u2028",
  "|",
  "/*",
];
const word = fc.oneof(fc.string({ maxLength: 8 }), fc.constantFrom(...TORTURE));
const value = fc.array(word, { maxLength: 4 }).map((parts) => parts.join(""));
const form = value.map((text) => text.replaceAll("|", " "));
const text: fc.Arbitrary<Text> = fc.oneof(
  { weight: 4, arbitrary: value.map((said) => ({ value: said })) },
  fc.record({ one: form, other: form }).map((forms) => ({ forms })),
);
const segment = fc.oneof(
  fc.constantFrom(
    "a",
    "b",
    "c",
    "title",
    "0",
    "1",
    "__proto__",
    "constructor",
    "x y",
    "",
    "é",
    "it's",
    '"q"',
  ),
  fc.string({ minLength: 1, maxLength: 5 }),
);
const key = fc.array(segment, { minLength: 1, maxLength: 4 }).map((segments) => segments.join("."));

/** Suffixes would make forms of singular names, which is what they say; a nameless key has no forms. */
const plain = (name: string): boolean => name !== "" && !/_(?:zero|one|two|few|many|other)$/.test(name);
const entries = fc
  .uniqueArray(fc.record({ key: key.filter(plain), context: fc.constant(null), text }), {
    selector: (entry) => entry.key,
  })
  .map((list): readonly NewEntry[] => list);

/** The kinds are known, as they are from the service. */
function optionsFor(list: readonly NewEntry[]): ReadOptions {
  const kinds = new Map(list.map((entry) => [entry.key, isForms(entry.text)]));
  return { ...ENGLISH, isPlural: (name) => kinds.get(name) };
}

function contents(format: TextFormat, file: string, options: ReadOptions): Map<string, Text> {
  return new Map(format.read(file, options).entries.map((entry) => [entry.key, entry.text]));
}

function expectSame(actual: ReadonlyMap<string, Text>, expected: ReadonlyMap<string, Text>): void {
  expect([...actual.keys()].sort()).toEqual([...expected.keys()].sort());
  for (const [name, wanted] of expected) {
    const found = actual.get(name);
    if (found === undefined || !areTextsEqual(found, wanted)) expect([name, found]).toEqual([name, wanted]);
  }
}

/** Line ends, tabs and indentation as other tools and systems leave them. */
const dress = fc.constantFrom<(file: string) => string>(
  (file) => file,
  (file) => file.replaceAll(/\n(?= *["'\]})]|$)/g, "\r\n"),
  (file) => file.replaceAll(/^ +/gm, (blanks) => "\t".repeat(blanks.length / 2)),
  (file) => file.trimEnd(),
);

describe.each([laravelPhp, laravelJson, jsonJs].map((format) => [format.name, format] as const))(
  "%s",
  (_, format) => {
    test("reads what it printed", () => {
      fc.assert(
        fc.property(entries, (list) => {
          const options = optionsFor(list);
          const found = contents(format, format.print(list, options), options);
          expectSame(found, new Map(list.map((entry) => [entry.key, entry.text])));
        }),
        propertyRuns(300),
      );
    });

    test("applies edits exactly and reversibly", () => {
      const wanted = fc.array(fc.record({ key: key.filter(plain), text: fc.option(text) }), {
        minLength: 1,
        maxLength: 5,
      });
      fc.assert(
        fc.property(entries, wanted, fc.infiniteStream(fc.nat()), dress, (list, more, picks, dressed) => {
          const options = optionsFor(list);
          const file = dressed(format.print(list, options));
          const before = contents(format, file, options);
          const changes = more.map((change): Change => {
            const pick = picks.next().value;
            const known = pick % 2 === 0 ? [...before.keys()][pick % Math.max(1, before.size)] : undefined;
            return { key: known ?? change.key, context: null, text: change.text };
          });
          const applied = applyEdit(format, file, changes, options);
          expect(applySplices(file, applied.splices)).toBe(applied.text);
          const refused = new Set(applied.refused.map((refusal) => refusal.key));
          const expected = new Map(before);
          for (const change of changes) {
            if (refused.has(change.key)) continue;
            if (change.text === null) expected.delete(change.key);
            else expected.set(change.key, change.text);
          }
          const kinds = new Map([...expected].map(([name, said]) => [name, isForms(said)]));
          const after = contents(format, applied.text, { ...ENGLISH, isPlural: (name) => kinds.get(name) });
          expectSame(after, expected);
          expect(applySplices(applied.text, undoOf(file, applied.splices))).toBe(file);
        }),
        propertyRuns(500),
      );
    });

    test("changes only the bytes of a value", () => {
      fc.assert(
        fc.property(entries, fc.nat(), value, dress, (list, pick, said, dressed) => {
          const options = optionsFor(list);
          const file = dressed(format.print(list, options));
          const singles = format.read(file, options).entries.filter((entry) => !isForms(entry.text));
          const entry = singles[pick % Math.max(1, singles.length)];
          if (entry === undefined) return;
          const { text: after } = applyEdit(
            format,
            file,
            [{ key: entry.key, context: null, text: { value: said } }],
            options,
          );
          const tail = file.slice(entry.valueSpan.end);
          expect(after.startsWith(file.slice(0, entry.valueSpan.start))).toBe(true);
          expect(after.endsWith(tail)).toBe(true);
        }),
        propertyRuns(200),
      );
    });

    test("restores the bytes when a value is changed back", () => {
      fc.assert(
        fc.property(entries, fc.nat(), text, dress, (list, pick, said, dressed) => {
          const options = optionsFor(list);
          const file = dressed(format.print(list, options));
          const all = format
            .read(file, options)
            .entries.filter((entry) => isForms(entry.text) === isForms(said));
          const entry = all[pick % Math.max(1, all.length)];
          if (entry === undefined) return;
          const change = { key: entry.key, context: null };
          const there = applyEdit(format, file, [{ ...change, text: said }], options);
          const back = applyEdit(format, there.text, [{ ...change, text: entry.text }], options);
          expect(back.text).toBe(file);
        }),
        propertyRuns(300),
      );
    });

    test("restores the bytes when a key is added and removed", () => {
      fc.assert(
        fc.property(entries, key.filter(plain), text, dress, (list, name, said, dressed) => {
          const options = optionsFor(list);
          const file = dressed(format.print(list, options));
          const change = { key: name, context: null };
          if (contents(format, file, options).has(name)) return;
          const there = applyEdit(format, file, [{ ...change, text: said }], options);
          if (there.refused.length > 0) return;
          const isPlural = (asked: string): boolean | undefined =>
            asked === name ? isForms(said) : options.isPlural?.(asked, null);
          const back = applyEdit(format, there.text, [{ ...change, text: null }], { ...options, isPlural });
          expect(back.text).toBe(file);
        }),
        propertyRuns(300),
      );
    });

    test("never throws", () => {
      const noise = fc.array(
        fc.oneof(
          fc.constantFrom(
            "<?php",
            "return",
            "[",
            "]",
            "array(",
            ")",
            "{",
            "}",
            "=>",
            ",",
            ";",
            ":",
            "'",
            '"',
            "\\",
            "//",
          ),
          fc.constantFrom(
            "/*",
            "*/",
            "#",
            "<<<A\n",
            "\nA",
            "?>",
            "$x",
            "...",
            "\n",
            " ",
            "'a'",
            '"b"',
            "null",
            "-1",
            ".",
          ),
          fc.string({ maxLength: 3 }),
        ),
        { maxLength: 40 },
      );
      fc.assert(
        fc.property(noise, fc.boolean(), (parts, headed) => {
          const file = (headed ? "<?php return [" : "") + parts.join("");
          format.read(file, ENGLISH);
          const changes: Change[] = [
            { key: "a", context: null, text: { value: "x" } },
            { key: "b", context: null, text: null },
          ];
          const { text: after, refused } = applyEdit(format, file, changes, ENGLISH);
          if (refused.length === 2) expect(after).toBe(file);
        }),
        propertyRuns(1_000),
      );
    });
  },
);

/** The splices that turn the edited text back. */
function undoOf(file: string, splices: readonly { start: number; end: number; text: string }[]) {
  let moved = 0;
  return splices.map((splice) => {
    const start = splice.start + moved;
    moved += splice.text.length - (splice.end - splice.start);
    return { start, end: start + splice.text.length, text: file.slice(splice.start, splice.end) };
  });
}
