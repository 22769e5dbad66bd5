/** Inputs of language model tools, and the pages of their results. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseToolInput, TOOL_INPUTS, type ToolName } from "../../../src/agent-tools/tool-inputs.ts";
import {
  MAX_PAGE_TOKENS,
  createPage,
  estimateTokens,
  type ResultRow,
} from "../../../src/agent-tools/limit-result-tokens.ts";
import { propertyRuns, runCount } from "../support/full-run.ts";

describe("input", () => {
  test.each([
    ["list_keys", {}],
    ["list_keys", undefined],
    ["list_keys", { namespace: "cart", locale: "nl", state: "untranslated", cursor: "40" }],
    ["search_texts", { query: "Cart" }],
    ["get_translations", { keys: [{ key: "a", namespace: "b", context: null }], locales: ["nl"] }],
    ["find_usages", { key: "a" }],
    ["stage_translations", { locale: "nl", translations: [{ key: "a", text: "b" }] }],
    ["push_changes", {}],
  ] as const)("of %s is accepted: %j", (tool, given) => {
    expect(parseToolInput(tool, given)).toEqual(given ?? {});
  });

  test.each([
    ["search_texts", {}, /"query"/],
    ["search_texts", { query: 5 }, /"query"/],
    ["find_usages", {}, /"key"/],
    ["find_usages", { key: "" }, /"key"/],
    ["list_keys", { state: "other" }, /"state"/],
    ["list_keys", { cursor: "-1" }, /"cursor"/],
    ["list_keys", { folder: "/etc" }, /"folder"/],
    ["get_translations", { keys: [] }, /"keys"/],
    ["stage_translations", { locale: "nl", translations: [{ text: "b" }] }, /"translations\.0\.key"/],
    ["push_changes", [], /at the top/],
    ["push_changes", "all", /at the top/],
  ] as const)("of %s is rejected with advice: %j", (tool, given, words) => {
    expect(() => parseToolInput(tool, given)).toThrow(words);
    expect(() => parseToolInput(tool, given)).toThrow("Correct it and call the tool again.");
  });

  test.each([{ cursor: "x".repeat(200_000) }, { ["y".repeat(200_000)]: true }])(
    "of any length is rejected in a few words",
    (given) => {
      let message = "";
      try {
        parseToolInput("list_keys", given);
      } catch (error) {
        message = String(error);
      }
      expect(message).toContain("Correct it and call the tool again.");
      expect(message.length).toBeLessThan(1_000);
    },
  );

  test("of any kind throws nothing but a readable Error", () => {
    const tools = Object.keys(TOOL_INPUTS) as ToolName[];
    fc.assert(
      fc.property(fc.constantFrom(...tools), fc.jsonValue(), (tool, given) => {
        try {
          parseToolInput(tool, given);
        } catch (error) {
          expect((error as Error).constructor).toBe(Error);
        }
      }),
      propertyRuns(300),
    );
  });
});

interface Result {
  readonly items: readonly ResultRow[];
  readonly next?: string;
}

async function allPages(rows: readonly ResultRow[], head: ResultRow = {}): Promise<readonly string[]> {
  const pages: string[] = [];
  let cursor: string | undefined;
  do {
    const text = await createPage(rows, cursor, cursor === undefined ? { head } : {});
    pages.push(text);
    cursor = (JSON.parse(text) as Result).next;
  } while (cursor !== undefined);
  return pages;
}

describe("pages", () => {
  test("contain every row once in order, within the token limit", async () => {
    const row = fc.record({ key: fc.string({ maxLength: 300, unit: "grapheme" }), n: fc.nat() });
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 200 }), async (rows) => {
        const pages = await allPages(rows, { of: rows.length });
        expect(pages.flatMap((text) => (JSON.parse(text) as Result).items)).toEqual(rows);
        for (const text of pages) expect(estimateTokens(text)).toBeLessThanOrEqual(MAX_PAGE_TOKENS);
      }),
      { numRuns: runCount(100) },
    );
  });

  test("truncate long rows and say so", async () => {
    const rows = ["a", "é", "語", "😀"].map((character) => ({
      text: character.repeat(100_000),
      forms: { one: character.repeat(9_000), other: "short" },
    }));
    const pages = await allPages(rows);
    for (const text of pages) expect(estimateTokens(text)).toBeLessThanOrEqual(MAX_PAGE_TOKENS);
    const items = pages.flatMap((text) => (JSON.parse(text) as Result).items);
    expect(items).toHaveLength(4);
    for (const item of items) {
      expect(item["text"]).toMatch(/… \(cut\)$/u);
      expect(item["forms"]).toMatchObject({ other: "short" });
    }
  });

  test("of thousands of short rows stay within the token limit", async () => {
    const rows = Array.from({ length: 3_000 }, (_, index) => ({ n: index % 10 }));
    const pages = await allPages(rows);
    for (const text of pages) expect(estimateTokens(text)).toBeLessThanOrEqual(MAX_PAGE_TOKENS);
    expect(pages.flatMap((text) => (JSON.parse(text) as Result).items)).toEqual(rows);
  });

  test("keep numbers, states and missing values when texts are truncated", async () => {
    const rest = { description: null, maxLength: 12, isHidden: true, tags: ["a"], of: { plural: false } };
    const text = await createPage([{ text: "long ".repeat(9_000), ...rest }], undefined);
    expect((JSON.parse(text) as Result).items).toEqual([
      { text: expect.stringMatching(/^long .*… \(cut\)$/u) as string, ...rest },
    ]);
  });

  test("handle 32,768 characters in ten languages and scripts with many tokens", async () => {
    const locales = ["en", "nl", "fr", "de", "pl", "cs", "ar", "ja", "zh", "ga"];
    const long = (character: string) => character.repeat(32_768);
    const rows = locales.map((locale, index) => ({
      namespace: long("n"),
      key: "k".repeat(4_000),
      locale,
      tags: Array.from({ length: 500 }, () => "語".repeat(500)),
      translation: long(["a", "é", "語", "😀", "\n", '"', "\\", "\u0000", " ", "ا"][index] ?? "x"),
      proposedForms: { one: long("語"), few: long("a"), many: long("語"), other: long("é") },
    }));
    const pages = await allPages(rows, { instructions: "語".repeat(2_000), languages: locales });
    for (const text of pages) expect(estimateTokens(text)).toBeLessThanOrEqual(MAX_PAGE_TOKENS);
    const items = pages.flatMap((text) => (JSON.parse(text) as Result).items);
    expect(items.map((item) => item["locale"])).toEqual(locales);
    for (const item of items) expect(item["translation"]).toMatch(/… \(cut\)$/u);
  });

  test("respect a smaller limit", async () => {
    const rows = Array.from({ length: 50 }, (_, index) => ({ key: `key.number.${index}` }));
    const text = await createPage(rows, undefined, { maxTokens: 200 });
    expect(estimateTokens(text)).toBeLessThanOrEqual(200);
    expect(Number((JSON.parse(text) as Result).next)).toBeGreaterThan(0);
  });

  test("count tokens by script: Latin letters with accents as one, others as two", () => {
    const rows: readonly (readonly [string, number])[] = [
      ["hello", 2],
      ["a", 1],
      ["\u007f\u007f\u007f\u007f\u007f", 2],
      ["\u0080\u00e9\u024f", 3],
      ["\u0250", 2],
      ["語😀", 4],
      ["hello é 語", 6],
    ];
    expect(rows.map(([text]) => [text, estimateTokens(text)])).toEqual(rows);
    expect(MAX_PAGE_TOKENS).toBe(4_000);
  });

  test("leave half of their place to rows, however long the members beside them are", async () => {
    const rows = Array.from({ length: 500 }, (_, index) => ({ key: `key.number.${index}` }));
    const text = await createPage(rows, undefined, { head: { instructions: "語".repeat(4_000) } });
    const { items } = JSON.parse(text) as Result;
    expect(estimateTokens(JSON.stringify(items))).toBeGreaterThan(1_900);
  });

  test("never cut a character in half", async () => {
    const text = await createPage(
      [{ text: `a${"😀".repeat(9_000)}` }, { text: "😀".repeat(9_000) }],
      undefined,
    );
    expect(text).not.toMatch(/\\ud[89a-f]/iu);
  });

  test("are empty past the end", async () => {
    expect(await createPage([{ a: 1 }], "7")).toBe('{"items":[]}');
  });
});
