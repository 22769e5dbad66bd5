/** The placeholders of a project's texts, and the source text that a translation is compared with. */
import { expect, test } from "vitest";
import type { FileTranslation } from "../../../../src/model/placeholder-families.ts";
import {
  chosenDelimiters,
  projectPlaceholderFamilies,
} from "../../../../src/workspace/problems/project-placeholder-families.ts";
import { comparedSource, placeholderProblems } from "../../../../src/workspace/problems/text-problems.ts";

const ANGLES = { prefix: "<<", suffix: ">>" };
const DOLLARS = { prefix: "$[", suffix: "]" };
const I18NEXT = new Set(["i18next"] as const);
const LARAVEL = new Set(["laravel"] as const);

test("are those of the frameworks and formats, or between the delimiters that the project chose", () => {
  const php = [{ path: "{locale}.php", format: "laravel_php" as const }];
  const po = [{ path: "{locale}.po", format: "po" as const }];
  expect(projectPlaceholderFamilies({ frameworks: I18NEXT }, [])).toEqual(["double-braces"]);
  expect(projectPlaceholderFamilies({ frameworks: new Set(["i18next", "gettext"]) }, [])).toEqual([
    "printf",
    "double-braces",
  ]);
  expect(projectPlaceholderFamilies({ frameworks: I18NEXT, interpolation: ANGLES }, php)).toEqual([
    "delimited:%3C%3C:%3E%3E",
    "colon",
  ]);
  // Others have no delimiters of their own.
  expect(projectPlaceholderFamilies({ frameworks: LARAVEL, interpolation: ANGLES }, [...php, ...po])).toEqual(
    projectPlaceholderFamilies({ frameworks: LARAVEL }, [...php, ...po]),
  );
  expect(projectPlaceholderFamilies({ frameworks: new Set() }, [])).toEqual([]);
});

test("names the delimiters that were chosen, where a framework of the project has them", () => {
  const chosen = { interpolation: ANGLES, nesting: DOLLARS };
  expect(chosenDelimiters({ frameworks: I18NEXT, ...chosen })).toEqual([ANGLES, DOLLARS]);
  expect(chosenDelimiters({ frameworks: I18NEXT, nesting: DOLLARS })).toEqual([DOLLARS]);
  expect(chosenDelimiters({ frameworks: new Set(["gettext", "i18next"]), ...chosen })).toEqual([
    ANGLES,
    DOLLARS,
  ]);
  expect(chosenDelimiters({ frameworks: LARAVEL, ...chosen })).toEqual([]);
  expect(chosenDelimiters({ frameworks: new Set(), ...chosen })).toEqual([]);
});

const FILE: FileTranslation = {
  path: "nl.po",
  family: "gettext",
  locale: "nl",
  text: { value: "Dag %s" },
  source: { value: "Hi %s" },
  ownSource: { value: "Hello %d" },
  formatFlags: undefined,
  isFuzzy: false,
};

test("a translation is compared with the key’s text, and a format string with the one in the code", () => {
  expect(comparedSource(FILE)).toEqual({ value: "Hi %s" });
  expect(comparedSource({ ...FILE, source: null })).toEqual({ value: "Hello %d" });
  expect(comparedSource({ ...FILE, formatFlags: [] })).toEqual({ value: "Hello %d" });
  expect(comparedSource({ ...FILE, formatFlags: [], ownSource: null })).toEqual({ value: "Hi %s" });
  expect(comparedSource({ ...FILE, source: null, ownSource: null })).toBeNull();
});

test("placeholders are wrong by the flags of the file, and in no text that programs do not use", () => {
  const c = { ...FILE, formatFlags: ["c-format"] };
  expect(placeholderProblems([], { ...FILE, text: { value: "Dag" } })).toEqual([]);
  expect(placeholderProblems(["printf"], { ...FILE, text: { value: "Dag" } })).toHaveLength(1);
  expect(placeholderProblems(["printf"], FILE)).toEqual([]);
  expect(placeholderProblems([], c)).not.toEqual([]);
  expect(placeholderProblems([], { ...c, text: { value: "Dag %d" } })).toEqual([]);
  expect(placeholderProblems([], { ...c, isFuzzy: true })).toEqual([]);
});
