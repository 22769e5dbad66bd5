/** PHP files compared with PHP itself: same values, and minimal edits. */
import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applyEdit } from "../../../../src/formats/editing/apply-verified-edit.ts";
import type { Change } from "../../../../src/formats/format.ts";
import { laravelPhp } from "../../../../src/formats/php/laravel-php-format.ts";
import { isForms } from "../../../../src/model/translation-text.ts";
import { IS_FULL } from "../../support/full-run.ts";
import { requireTool } from "../../support/reference-tools.ts";
import {
  askPhp,
  expectAgreement,
  expectAgreementBeforeAndAfterEdits,
  expectWordPressAgreement,
  NASTY,
  SINGULAR,
} from "./php-reference.ts";
import { file, mutated } from "./php-samples.ts";

/** PHP answers a batch at once, so these are batches. */
const RUNS = IS_FULL ? 1 : 0.4;

const nasty = fc.array(fc.constantFrom(...NASTY), { maxLength: 3 }).map((parts) => parts.join(""));

describe("generated files", () => {
  test("are read like PHP", (context) => {
    requireTool(context, "php");
    const says = expectAgreement(fc.sample(file, 250 * RUNS));
    expect(says.filter((said) => "leaves" in said).length).toBeGreaterThan(200 * RUNS);
  });

  test("are read like PHP after random damage", (context) => {
    requireTool(context, "php");
    const says = expectAgreement(fc.sample(mutated(file), 400 * RUNS));
    expect(says.filter((said) => "leaves" in said).length).toBeGreaterThan(15 * RUNS);
  });

  test("are edited so that PHP sees only the change", (context) => {
    requireTool(context, "php");
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

describe("fixtures", () => {
  const folder = resolve(import.meta.dirname, "../../../fixtures/translations");
  const filesIn = (name: string, ending: string): readonly string[] =>
    readdirSync(resolve(folder, name), { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(ending))
      .map((path) => readFileSync(resolve(folder, name, path), "utf8"));

  test("of Laravel are read like PHP, before and after an edit", (context) => {
    requireTool(context, "php");
    const texts = filesIn("laravel", ".php");
    expect(texts.length).toBeGreaterThan(6);
    expectAgreementBeforeAndAfterEdits(texts);
  });

  test("of WordPress are read like PHP, before and after an edit", (context) => {
    requireTool(context, "php");
    const texts = filesIn("wordpress", ".l10n.php");
    expect(texts.length).toBeGreaterThan(0);
    expectWordPressAgreement(texts);
  });
});
