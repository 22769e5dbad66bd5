/** Filters, search and order of the keys in a table of translations, in a real database. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { Database } from "../../../src/database/database.ts";
import { KeyRepository } from "../../../src/database/key-repository.ts";
import { KeySearch } from "../../../src/database/key-search.ts";
import type { ProjectKey, ProjectRow } from "../../../src/database/project-records.ts";
import { SearchIndex } from "../../../src/database/search-index.ts";
import { TranslationDrafts } from "../../../src/database/translation-drafts.ts";
import { TranslationGrid, type GridQuery, type GridScope } from "../../../src/database/translation-grid.ts";
import { TranslationRepository } from "../../../src/database/translation-repository.ts";

let database: Database;
let grid: TranslationGrid;

const hash = (letter: string): string => letter.repeat(40);
const key = (letter: string, name: string, value: string, changes: Partial<ProjectKey> = {}): ProjectKey => ({
  hash: hash(letter),
  namespace: "cart",
  key: name,
  context: null,
  isPlural: false,
  text: { value },
  sourceHash: null,
  description: null,
  maxLength: null,
  tags: [],
  updatedAt: null,
  ...changes,
});
const row = (letter: string, value: string, changes: Partial<ProjectRow> = {}): ProjectRow => ({
  hash: hash(letter),
  text: { value },
  isTranslated: true,
  isOutdated: false,
  issues: [],
  version: 1,
  updatedAt: null,
  ...changes,
});
const scope: GridScope = {
  sourceLocale: "en",
  isAtService: true,
  localSource: () => undefined,
  isConflict: () => false,
  refused: () => [],
};
const find = (query: Partial<GridQuery> = {}, changes: Partial<GridScope> = {}): string =>
  grid
    .find(
      { filters: [], words: [], namespace: null, tag: null, sort: "name", locales: ["en", "nl"], ...query },
      { ...scope, ...changes },
    )
    .map((each) => each[0])
    .join("");

beforeEach(async () => {
  database = new Database();
  grid = new TranslationGrid(database, new KeySearch(database));
  const keys = [
    key("a", "title", "Your cart", { tags: ["head"] }),
    key("b", "empty", "It is empty", { updatedAt: "2026-01-02T00:00:00Z" }),
    key("c", "login", "Sign in", { namespace: "auth", updatedAt: "2026-01-01T00:00:00Z" }),
  ];
  new KeyRepository(database).put(keys, 1);
  const issue = {
    rule: "placeholder.missing",
    level: "error",
    placeholder: ":x",
    form: null,
    suggestion: null,
  };
  new TranslationRepository(database).put(
    "nl",
    [row("a", "Je mand", { isOutdated: true }), row("c", "Aanmelden", { issues: [issue] })],
    1,
  );
  await new SearchIndex(database).update();
});
afterEach(() => database.close());

it("orders keys by name, source text and last change", () => {
  expect([find(), find({ sort: "source" }), find({ sort: "changed" })]).toEqual(["cba", "bca", "bca"]);
});

it("keeps to a namespace and a tag", () => {
  expect([
    find({ namespace: "auth" }),
    find({ tag: "head" }),
    find({ namespace: "auth", tag: "head" }),
  ]).toEqual(["c", "a", ""]);
  expect([grid.namespaces(), grid.tags()]).toEqual([["auth", "cart"], ["head"]]);
});

it("shows what any of the filters finds in the languages that are shown", () => {
  expect(find({ filters: ["untranslated"] })).toBe("b");
  expect(find({ filters: ["outdated"] })).toBe("a");
  expect(find({ filters: ["issues"] })).toBe("c");
  expect(find({ filters: ["untranslated", "issues"] })).toBe("cb");
  expect(find({ filters: ["outdated"], locales: ["en"] })).toBe("");
  expect(find({ filters: ["unused"] })).toBe("cba");
});

it("finds what was refused from a language model", () => {
  expect(find({ filters: ["refused"] })).toBe("");
  expect(find({ filters: ["refused"] }, { refused: () => [hash("c")] })).toBe("c");
  expect(find({ filters: ["refused", "outdated"] }, { refused: () => [hash("c")] })).toBe("ca");
});

it("counts what is typed and not saved as translated", () => {
  const draft = {
    locale: "nl",
    hash: hash("b"),
    base: null,
    baseVersion: null,
    origin: "person",
    model: null,
    source: null,
  } as const;
  const drafts = new TranslationDrafts(database);
  drafts.put([{ ...draft, text: { value: "Niets in de mand" } }]);
  expect(find({ filters: ["untranslated"] })).toBe("");
  expect(find({ filters: ["unsaved"] })).toBe("b");
  expect(find({ filters: ["conflicts"] }, { isConflict: ({ hash: of }) => of === hash("b") })).toBe("b");
  expect(find({ words: ["niets"] })).toBe("b");
  drafts.put([{ ...draft, text: { value: "" } }]);
  expect(find({ filters: ["untranslated"] })).toBe("b");
});

it("finds names, source texts and translations, also with a filter", () => {
  expect(find({ words: ["mand"] })).toBe("a");
  expect(find({ words: ["EMPTY"] })).toBe("b");
  expect(find({ words: ["auth.login"] })).toBe("c");
  expect(find({ words: ["mand"], filters: ["issues"] })).toBe("");
});
