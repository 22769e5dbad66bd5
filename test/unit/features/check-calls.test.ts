/** What the extension answers of the calls of a web view. */
import { describe, expect, it } from "vitest";
import { checkedFunction } from "../../../src/features/translation-editor/check-calls.ts";
import { ALL_ROWS } from "../../../src/model/translation-editor-filters.ts";
import type { EditorFunctions } from "../../../src/webview/translation-editor/editor-protocol.ts";

const HASH = "abcdef6789".repeat(4);
const CELL = { locale: "nl", hash: HASH };
const EMPTY_REPLACEMENT = { find: "", replacement: "", matchCase: false, wholeWord: false, isRegExp: false };
const REPLACEMENT = { find: "a", replacement: "b", matchCase: true, wholeWord: true, isRegExp: true };

/** What the page calls: of each function the least that it takes, and what has everything. */
const CALLS: { readonly [Name in keyof EditorFunctions]: readonly Parameters<EditorFunctions[Name]>[] } = {
  ready: [[]],
  setup: [[null], [["nl"]]],
  find: [
    [ALL_ROWS, [], null],
    [{ filters: ["unsaved"], search: "a", namespace: "cart", tag: "web", sort: "changed" }, ["nl"], HASH],
  ],
  rows: [
    [[], []],
    [[HASH], ["nl"]],
  ],
  existing: [[[]], [[HASH]]],
  details: [[CELL]],
  stage: [
    [[]],
    [
      [
        { ...CELL, text: { value: "" } },
        { ...CELL, text: { forms: {} }, before: { value: "a" } },
      ],
    ],
  ],
  paste: [
    [[], 0],
    [[{ ...CELL, copied: "" }], 1],
  ],
  fill: [
    [HASH, [], []],
    [HASH, [HASH], ["nl"]],
  ],
  clear: [
    [[], []],
    [[HASH], ["nl"]],
  ],
  copy: [
    [[], []],
    [[HASH], ["nl"]],
  ],
  translate: [
    [[], []],
    [[HASH], ["nl"]],
  ],
  findMatches: [
    [[], [], EMPTY_REPLACEMENT],
    [[HASH], ["nl"], REPLACEMENT],
  ],
  replace: [
    [[], EMPTY_REPLACEMENT],
    [[CELL], REPLACEMENT],
  ],
  discard: [[[]], [[CELL]]],
  keepMine: [[[]], [[CELL]]],
  save: [[]],
  showUsage: [[HASH]],
  chooseLanguages: [[[]], [["nl"]]],
  setLanguages: [[[]], [["nl"]]],
};

/** Functions that note what they were called with. */
function functionsThatNote() {
  const calls: unknown[][] = [];
  const note = (...args: unknown[]): void => void calls.push(args);
  const functions = Object.fromEntries(Object.keys(CALLS).map((name) => [name, note]));
  return { calls, functions: functions as unknown as EditorFunctions };
}

it.each(Object.entries(CALLS))("passes on what the page calls %s with", (name, expected) => {
  const { calls, functions } = functionsThatNote();
  for (const args of expected) checkedFunction(functions, name)?.(...args);
  expect(calls).toEqual(expected);
});

it("passes the arguments on, without what was not asked for", () => {
  const { calls, functions } = functionsThatNote();
  checkedFunction(functions, "stage")?.([{ ...CELL, text: { value: "a" }, before: { value: "" }, other: 1 }]);
  checkedFunction(functions, "stage")?.([{ ...CELL, text: { forms: { one: "a" } } }]);
  expect(calls).toEqual([
    [[{ ...CELL, text: { value: "a" }, before: { value: "" } }]],
    [[{ ...CELL, text: { forms: { one: "a" } } }]],
  ]);
});

describe("refuses", () => {
  const query = { filters: [], search: "", namespace: null, tag: null, sort: "name" };
  it.each([
    ["an edit without a text", "stage", [[CELL]]],
    ["a text of both kinds", "stage", [[{ ...CELL, text: { value: "a", forms: {} } }]]],
    ["a form that is not a text", "stage", [[{ ...CELL, text: { forms: { one: 1 } } }]]],
    ["a hash of another kind", "stage", [[{ locale: "nl", hash: "' OR 1", text: { value: "a" } }]]],
    ["a cell whose hash is of another kind", "details", [{ locale: "nl", hash: "' OR 1" }]],
    ["one edit instead of a list", "stage", [{ ...CELL, text: { value: "a" } }]],
    ["a filter that there is not", "find", [{ ...query, filters: ["all"] }, ["nl"], null]],
    ["an order that there is not", "find", [{ ...query, sort: "text; DROP TABLE keys" }, ["nl"], null]],
    ["a missing argument", "fill", [HASH, [HASH]]],
    ["a negative number", "paste", [[], -1]],
  ])("%s", (_, name, args) => {
    const { calls, functions } = functionsThatNote();
    expect(() => checkedFunction(functions, name)?.(...args)).toThrow(`“${name}” with wrong arguments`);
    expect(calls).toEqual([]);
  });

  it.each(["toString", "constructor", "#document", "dispose", "show", "__proto__"])(
    "the call of %s",
    (name) => {
      expect(checkedFunction(functionsThatNote().functions, name)).toBeUndefined();
    },
  );
});

it("does not repeat a wrong argument, which may be a text of the user", () => {
  const { functions } = functionsThatNote();
  const call = () => checkedFunction(functions, "stage")?.([{ ...CELL, text: "secret" }]);
  expect(call).toThrow(/^(?!.*secret)/u);
});
