/** Properties of any code and any selection: no exception, no other changes, and the new code uses the new key. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { extractionAt } from "../../../../src/workspace/extract-text/extract-text.ts";
import { codeFile } from "./extracted.ts";
import { parseJavaScript, parsePhp } from "../../../../src/workspace/extract-text/syntax-tree-parsers.ts";
import { applySplices } from "../../../../src/formats/editing/apply-verified-edit.ts";
import { usageLanguageFor } from "../../../../src/scanners/supported-source-languages.ts";
import type { FrameworkName } from "../../../../src/frameworks/supported-frameworks.ts";
import { runCount } from "../../support/full-run.ts";

const PIECES = [
  ..."\"'`{}()[]<>/\\$#@%&;:=,.|!?\n\t\0 ".split(""),
  "{{",
  "}}",
  "{%",
  "%}",
  "{#",
  "{!!",
  "!!}",
  "{{--",
  "<!--",
  "-->",
  "<?php",
  "?>",
  "<p>",
  "</p>",
  '<b title="',
  "<script>",
  "</script>",
  "<template>",
  "</template>",
  "---\n",
  "${",
  "=>",
  "&amp;",
  "%s",
  "Save all",
  "name",
  "t(",
  "$t(",
  "__(",
  "_(",
  "|trans",
  "@if(",
  "@php",
  "import a from ",
  "const b = ",
  "\u00e9\ud83d\ude00",
];
const PATHS = [
  "a.php",
  "a.blade.php",
  "a.ts",
  "a.tsx",
  "a.jsx",
  "a.vue",
  "a.svelte",
  "a.astro",
  "a.twig",
  "a.py",
  "a.djhtml",
  "a.jinja",
];
const FRAMEWORKS: readonly (readonly FrameworkName[])[] = [
  [],
  ["laravel"],
  ["i18next"],
  ["vue-i18n"],
  ["next-intl"],
  ["svelte-i18n"],
  ["formatjs"],
  ["wordpress"],
  ["symfony"],
  ["craft"],
  ["django", "gettext"],
  ["jinja", "gettext"],
];

const code = fc.array(fc.constantFrom(...PIECES), { maxLength: 40 }).map((pieces) => pieces.join(""));
/** A text that has a chance: a selection of it all, among anything. */
const cases = fc.record({
  path: fc.constantFrom(...PATHS),
  frameworks: fc.constantFrom(...FRAMEWORKS),
  before: code,
  selected: fc.oneof(
    code,
    fc.constantFrom("Save all", '"Save all"', "'Save all'", "Hi {name}", "Hi {{ name }}"),
  ),
  after: code,
  key: fc.oneof(
    fc.constantFrom("a.b", "it's", 'say "a"', "{{ a }}", "50 %", "a\nb", "</script>", "$a"),
    fc.string(),
  ),
});

test("extracts or refuses a selection in any code without breaking it", async () => {
  let taken = 0;
  await fc.assert(
    fc.asyncProperty(cases, async ({ path, frameworks, before, selected, after, key }) => {
      const text = `${before}${selected}${after}`;
      const options = { frameworks: new Set(frameworks), functions: [] };
      const span = { start: before.length, end: before.length + selected.length };
      const found = await extractionAt(codeFile(path, text, options), span);
      if (found === null) return;
      const splices = found.splicesFor(key);
      if (splices === null) return;
      taken++;
      const language = usageLanguageFor(path);
      const changed = applySplices(text, splices);
      const uses = language?.find(changed, options) ?? [];
      expect(
        uses.filter(({ expression }) => expression.kind === "static" && expression.key === key).length,
      ).toBeGreaterThan(0);
      expect(uses).toHaveLength((language?.find(text, options).length ?? 0) + 1);
      expect(isUnderstood(path, changed)).toBe(true);
      // What is replaced is the selection, at most with its quotes or the name of its attribute.
      expect(found.span.start).toBeLessThanOrEqual(span.end);
      expect(found.span.end).toBeGreaterThanOrEqual(span.start);
      for (const splice of splices)
        if (splice.start !== found.span.start) expect(splice.end).toBe(splice.start);
    }),
    { numRuns: runCount(20_000) },
  );
  // Enough of the code is understood.
  expect(taken).toBeGreaterThan(runCount(200));
});

/** Whether the language's own parser takes it. */
function isUnderstood(path: string, code: string): boolean {
  if (path.endsWith(".tsx")) return parseJavaScript(code, ["typescript", "jsx", "decorators"]) !== null;
  if (path.endsWith(".ts")) return parseJavaScript(code, ["typescript", "decorators"]) !== null;
  if (path.endsWith(".jsx")) return parseJavaScript(code, ["flow", "jsx", "decorators"]) !== null;
  return path === "a.php" ? parsePhp(code) !== null : true;
}
