/** PHP files against PHP itself: whatever is read is what PHP makes of the file, and edits change what they name only. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applyEdit } from "../../../../src/core/formats/edit.ts";
import type { Change, ReadOptions, TextFormat } from "../../../../src/core/formats/format.ts";
import { laravelPhp } from "../../../../src/core/formats/php/laravel-php.ts";
import { wordpressPhp } from "../../../../src/core/formats/php/wordpress-php.ts";
import { isForms } from "../../../../src/core/text.ts";
import { askPhp, type PhpSays } from "./php-oracle.ts";
import { file, mutated } from "./php-samples.ts";

const SHARED = process.env["PROJECT_SHARED"] ?? resolve(import.meta.dirname, "../../../../../shared");
/** Raised by hand to go looking: `PHP_RUNS=100 PROPERTY_SEED=random`. */
const RUNS = Number(process.env["PHP_RUNS"] ?? 1);

const SINGULAR: ReadOptions = { locale: "en", sourceLocale: "en", isPlural: () => false };
/** No text is said by code or by PHP's constants here, so that the rest is PHP's own. */
const NASTY = [
  "it's",
  '"q"',
  "$x {$y} ${z}",
  "\\",
  "\\n",
  "\n",
  "\r\n",
  "\0",
  "ctx\u0004",
  "7",
  "é🎉",
  "?>",
  "EOT",
  "'; exit; //",
  "",
];
const nasty = fc.array(fc.constantFrom(...NASTY), { maxLength: 3 }).map((parts) => parts.join(""));

/** What disagrees; empty when all is well. What is read-only because code may replace it is not compared. */
function disagreements(text: string, said: PhpSays): readonly string[] {
  const { entries, problems } = laravelPhp.read(text, SINGULAR);
  if ("error" in said) return [];
  const broken = problems.filter((problem) => problem.code === "syntax");
  // `<?` alone is PHP or text as php.ini says: nothing is read from such a file.
  if (broken.length > 0 && /<\?(?!=|php(?:\s|$))/i.test(text)) return [];
  if (broken.length > 0) return broken.map((problem) => `refused: ${problem.message}`);
  const found: string[] = [];
  for (const entry of entries) {
    if (entry.readOnly !== null || isForms(entry.text)) continue;
    const wanted = said.leaves.get(entry.key);
    if (wanted !== entry.text.value) found.push(`${entry.key}: PHP says ${JSON.stringify(wanted)}`);
  }
  const told = problems.some((problem) => problem.code === "expression" || problem.code === "type");
  const keys = new Set(entries.map((entry) => entry.key));
  for (const [key, wanted] of said.leaves) {
    if (wanted !== null && !keys.has(key) && !told) found.push(`${key} is lost`);
  }
  return found;
}

function expectAgreement(texts: readonly string[]): readonly PhpSays[] {
  const says = askPhp(texts);
  const bad = texts.flatMap((text, index) => {
    const said = says[index];
    const found = said === undefined ? ["no answer"] : disagreements(text, said);
    return found.length === 0 ? [] : [{ text, found }];
  });
  expect(bad).toEqual([]);
  return says;
}

describe("generated files", () => {
  test("are read as PHP reads them", () => {
    const says = expectAgreement(fc.sample(file, 250 * RUNS));
    expect(says.filter((said) => "leaves" in said).length).toBeGreaterThan(200 * RUNS);
  });

  test("with characters lost, doubled and thrown in are read as PHP reads them, where it does", () => {
    const says = expectAgreement(fc.sample(mutated(file), 400 * RUNS));
    expect(says.filter((said) => "leaves" in said).length).toBeGreaterThan(15 * RUNS);
  });

  test("are edited so that PHP sees the change and no other", () => {
    const name = fc.constantFrom("new", "zz.y", "a.b.c", "7", "0", "99", "e.f", "c.n", "-3", "h");
    const edit = fc.record({
      text: file,
      picks: fc.array(fc.tuple(fc.nat(), fc.option(nasty)), { maxLength: 2 }),
      more: fc.array(fc.tuple(name, nasty), { maxLength: 2 }),
    });
    const edits = fc.sample(edit, 250 * RUNS).map(({ text, picks, more }) => {
      const { entries, problems } = laravelPhp.read(text, SINGULAR);
      const changes = new Map<string, Change>();
      for (const [pick, value] of picks) {
        const key = entries[pick % Math.max(1, entries.length)]?.key;
        if (key !== undefined)
          changes.set(key, { key, context: null, text: value === null ? null : { value } });
      }
      for (const [key, value] of more) changes.set(key, { key, context: null, text: { value } });
      const applied = applyEdit(laravelPhp, text, [...changes.values()], SINGULAR);
      for (const { key } of applied.refused) changes.delete(key);
      // What a removed key uncovers, and what a new one covers, is code's own there.
      const unsure = problems.some((problem) => /spread|key is not known/.test(problem.message));
      return { text, after: applied.text, changes, unsure };
    });
    const before = askPhp(edits.map(({ text }) => text));
    const after = askPhp(edits.map((each) => each.after));
    let compared = 0;
    for (const [index, { text, after: edited, changes, unsure }] of edits.entries()) {
      const [was, is] = [before[index], after[index]];
      if (was === undefined || is === undefined || "error" in was || unsure) continue;
      const wanted = new Map(was.leaves);
      for (const [key, change] of changes) {
        if (change.text === null) wanted.delete(key);
        else if (!isForms(change.text)) wanted.set(key, change.text.value);
      }
      expect({ text, edited, says: "error" in is ? is : is.leaves }).toEqual({
        text,
        edited,
        says: wanted,
      });
      if (edited !== text) compared++;
    }
    expect(compared).toBeGreaterThan(100 * RUNS);
  });
});

describe.runIf(existsSync(SHARED))("real files", () => {
  const filesIn = (folder: string, ending: string): string[] =>
    readdirSync(resolve(SHARED, "corpora", folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(ending))
      .map((name) => readFileSync(resolve(SHARED, "corpora", folder, name), "utf8"));

  test("of Laravel are read as PHP reads them, before and after an edit", () => {
    const texts = filesIn("bookstack", ".php");
    expect(texts.length).toBeGreaterThan(70);
    const edited = texts.map((text, index) => {
      const { entries } = laravelPhp.read(text, SINGULAR);
      const key = entries[(index * 7) % entries.length]?.key ?? "";
      const changes: Change[] = [
        { key, context: null, text: { value: NASTY.slice(index % 5).join(" ") } },
        { key: "brand.new", context: null, text: { value: NASTY.join("") } },
      ];
      return applyEdit(laravelPhp, text, changes, SINGULAR).text;
    });
    const says = expectAgreement([...texts, ...edited]);
    expect(says.every((said) => "leaves" in said)).toBe(true);
  });

  test("of WordPress are read as PHP reads them, and come back from edits", () => {
    const texts = filesIn("forms-bridge", ".l10n.php");
    expect(texts.length).toBe(3);
    const options: ReadOptions = { locale: "ca", sourceLocale: "en" };
    const says = askPhp(texts);
    for (const [index, text] of texts.entries()) {
      const said = says[index];
      const read = new Map(
        wordpressPhp
          .read(text, options)
          .entries.map(({ key, text: own }) => [`messages.${key}`, isForms(own) ? "" : own.value]),
      );
      const messages =
        said !== undefined && "leaves" in said
          ? [...said.leaves].filter(([key]) => key.startsWith("messages."))
          : [];
      expect(read).toEqual(new Map(messages));
      expectRoundTrips(wordpressPhp, text, options);
    }
  });
});

function expectRoundTrips(format: TextFormat, text: string, options: ReadOptions): void {
  const { entries, problems } = format.read(text, options);
  expect(problems).toEqual([]);
  for (const { key, context, text: old, valueSpan } of entries.filter((_, index) => index % 5 === 0)) {
    const there = applyEdit(format, text, [{ key, context, text: { value: "new 'text' \\ $x" } }], options);
    expect(there.text.slice(0, valueSpan.start)).toBe(text.slice(0, valueSpan.start));
    expect(there.text.endsWith(text.slice(valueSpan.end))).toBe(true);
    expect(applyEdit(format, there.text, [{ key, context, text: old }], options).text).toBe(text);
  }
}
