/** What is known of a file format stands in its record in `src/formats/format-capabilities.ts`. */
import { expect, test } from "vitest";
import { FORMAT_NAMES } from "../../src/model/format-name.ts";
import { sources } from "./tree.ts";

const NAMES = `["'](?:${FORMAT_NAMES.join("|")})["']`;
/** A comparison, a case, or a list of names. */
const COMPARISON = new RegExp(
  String.raw`[!=]==?\s*${NAMES}|${NAMES}\s*[!=]==?|\bcase\s+${NAMES}|\[[^\][]*?${NAMES}[^\][]*\]\s*\)?\.(?:includes|has|some|find)|new Set(?:<\w+>)?\(\[[^\][]*?${NAMES}`,
  "g",
);

/** The places where a format's name is compared, as `PATH: CODE`. */
function comparisons(texts: ReadonlyMap<string, string>): readonly string[] {
  return [...texts].flatMap(([path, text]) =>
    Array.from(text.matchAll(COMPARISON), ([found]) => `${path}: ${found.replaceAll(/\s+/g, " ")}`),
  );
}

test("no code compares the name of a format", () => {
  expect(comparisons(sources(/^/))).toEqual([]);
});

test.each([
  'if (format === "pot") return;',
  'if ("po" !== entry.format) return;',
  'case "xliff12":',
  '["csv", "xlsx"].includes(format)',
  'const BINARY = new Set(["mo", "xlsx"]);',
])("%s is found", (code) => {
  expect(comparisons(new Map([["src/a.ts", code]]))).toHaveLength(1);
});
