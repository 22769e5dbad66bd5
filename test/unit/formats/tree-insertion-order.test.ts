/** Where new members are inserted: in sorted order, else after the nearest neighbour. */
import { describe, expect, test } from "vitest";
import { jsonJs, laravelJson } from "../../../src/formats/json/json-format.ts";
import { edited } from "./editing.ts";
import { expectLinearTime } from "../support/linear-time.ts";

const file = (names: readonly string[]): string =>
  `${JSON.stringify(Object.fromEntries(names.map((name) => [name, "x"])), null, 2)}\n`;

const oneLine = (names: readonly string[]): string => JSON.stringify(JSON.parse(file(names)));

function namesAfter(names: readonly string[], added: readonly string[]): readonly string[] {
  const wanted = Object.fromEntries(added.map((name) => [name, "x"]));
  const after = edited(laravelJson, file(names), wanted);
  const taken = Object.fromEntries(added.map((name) => [name, null]));
  expect(edited(laravelJson, after, taken)).toBe(file(names));
  return Object.keys(JSON.parse(after) as object);
}

describe("sorted file", () => {
  test.each([
    ["by code units", ["B", "D", "a", "c"], ["C", "b", "A", "d"], ["A", "B", "C", "D", "a", "b", "c", "d"]],
    [
      "whatever the case",
      ["Add", "bold", "Copy"],
      ["apply", "Bring", "cut"],
      ["Add", "apply", "bold", "Bring", "Copy", "cut"],
    ],
    ["whatever the case, by signs", ["a.b", "A.c", "a_b", "b"], ["A.a"], ["A.a", "a.b", "A.c", "a_b", "b"]],
    [
      "by segments, not beside names alike",
      ["a.b", "a.c", "a-b", "b"],
      ["a-a"],
      ["a.b", "a.c", "a-a", "a-b", "b"],
    ],
    ["digit by digit", ["apfel", "Äpfel", "s10", "s2"], ["s11"], ["apfel", "Äpfel", "s10", "s11", "s2"]],
    ["equal but for the case", ["a", "A", "b", "C"], ["B"], ["a", "A", "b", "B", "C"]],
    ["by segments", ["a.b", "a.c", "a-b", "b"], ["a.d", "a-c"], ["a.b", "a.c", "a.d", "a-b", "a-c", "b"]],
    [
      "as people do",
      ["apfel", "Äpfel", "Birne", "zwei"],
      ["Öl", "chor"],
      ["apfel", "Äpfel", "Birne", "chor", "Öl", "zwei"],
    ],
    [
      "by numbers",
      ["step1", "step2", "step10"],
      ["step3", "step11"],
      ["step1", "step2", "step3", "step10", "step11"],
    ],
    ["signs apart", ["_a", "b", "-c", "d"], ["-bb"], ["_a", "b", "-bb", "-c", "d"]],
  ])("%s", (_, names, added, expected) => {
    expect(namesAfter(names, added)).toEqual(expected);
  });
});

test("inserts before all others on their line, with the same spacing", () => {
  for (const gap of [" ", "  ", ""]) {
    const text = `{"b":"x",${gap}"c":"y",${gap}"d":"z"}`;
    const after = text.replace("{", `{"a":"w",${gap}`);
    expect(edited(laravelJson, text, { a: "w" })).toBe(after);
    expect(edited(laravelJson, after, { a: null })).toBe(text);
  }
});

describe("unsorted file", () => {
  test.each([
    ["has the longest start in common", ["z", "page.a.x", "page.b.x", "page.a.y", "q"], ["page.a.z"], 4],
    ["is the last of several", ["z", "page.a", "b", "page.c", "q"], ["page.d"], 4],
    ["shares whole words", ["z", "save", "saved_search", "a"], ["saved_text"], 3],
    ["may be a name that this one goes on from", ["z", "page_create", "b", "a"], ["page_create_done"], 2],
    ["rather with the same sign after it", ["z", "page.b", "page_a", "b", "a"], ["page.c"], 2],
    ["in camel case too", ["z", "pageTitle", "b", "a"], ["pageText"], 2],
    ["or is the end", ["z", "b", "a"], ["sav"], 3],
    ["not by a part of a word", ["z", "saved", "a"], ["save"], 3],
  ])("%s", (_, names, added, index) => {
    expect(namesAfter(names, added).indexOf(added[0] ?? "")).toBe(index);
  });

  test("adds several in order", () => {
    expect(namesAfter(["z", "p.a", "b"], ["p.z", "p.c", "n"])).toEqual(["z", "p.a", "p.z", "p.c", "b", "n"]);
  });
});

test("adds ten thousand keys to ten thousand in linear time", () => {
  const orders = [file, (names: readonly string[]) => file(names.toSorted()), oneLine];
  for (const order of orders)
    expectLinearTime((count) => {
      const names = Array.from({ length: count }, (_, index) => `key.${(index * 7_919) % count}.text`);
      const added = Object.fromEntries(names.map((name) => [`${name}.more`, "x"]));
      const after = edited(laravelJson, order(names), added);
      expect(Object.keys(JSON.parse(after) as object).length).toBe(2 * count);
    }, 10_000);
});

describe("lists", () => {
  test("may become an object if empty, as PHP writes it", () => {
    expect(edited(jsonJs, "[]", { a: "x" })).toBe('{\n  "a": "x"\n}');
    expect(edited(jsonJs, '{\n  "a": []\n}\n', { "a.b": "x" })).toBe('{\n  "a": {\n    "b": "x"\n  }\n}\n');
    expect(edited(jsonJs, '{\n  "a": []\n}\n', { "a.0": "x" })).toBe('{\n  "a": [\n    "x"\n  ]\n}\n');
  });
});
