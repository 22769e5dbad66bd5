/** What the project file says of calls whose keys the code does not show. */
import { expect, test } from "vitest";
import { chosenReferences, choiceOf, expressionText } from "../../../../src/workspace/usages/call-choices.ts";

test("the last choice for the file counts, or else the last one for every file", () => {
  const everywhere = [
    { key: "$x", only: ["a.*"] },
    { key: "$x", only: ["b.*"] },
  ];
  const here = [
    { path: "a.php", key: "$x", only: ["c.*"] },
    { path: "a.php", key: "$x" },
  ];
  const other = { path: "b.php", key: "$x", only: ["d.*"] };
  expect(choiceOf([...here, ...everywhere, other], "a.php", "$x")).toBe(here[1]);
  expect(choiceOf([...everywhere, other], "a.php", "$x")).toBe(everywhere[1]);
  expect(choiceOf([other], "a.php", "$x")).toBeUndefined();
  expect(choiceOf([...here, ...everywhere], "a.php", "$y")).toBeUndefined();
});

test("an expression is named on one line", () => {
  const text = "__( $a\n  . 'x' )";
  expect(expressionText(text, { start: 3, end: text.length - 1 })).toBe("$a . 'x'");
});

test("a reference has a choice where all of its places have one", () => {
  const texts: Readonly<Record<string, string>> = { "a.php": "__($x); __($y);", "b.php": "__( $x );" };
  const at = (path: string, key: string) => {
    const start = texts[path]?.indexOf(key) ?? 0;
    return { path, span: { start, end: start + key.length } };
  };
  const places = [
    [at("a.php", "$x"), at("b.php", "$x")],
    [at("a.php", "$y")],
    [at("a.php", "$x"), at("a.php", "$y")],
    [],
    [{ path: "gone.php", span: { start: 0, end: 2 } }],
  ];
  const part = { prefix: "", suffix: "", pattern: "*", reference: "" };
  const usages = {
    openReferences: () => places.map((_, id) => ({ id, ...part })),
    usagesOfPattern: ({ id }: { readonly id: number }) => places[id] ?? [],
  };
  const chosen = (...choices: Parameters<typeof chosenReferences>[0]) => [
    ...chosenReferences(choices, usages, (path) => texts[path]),
  ];
  expect(chosen()).toEqual([]);
  expect(chosen({ key: "$x", only: ["a.*", "b.*"] })).toEqual([[0, ["a.*", "b.*"]]]);
  expect(chosen({ path: "a.php", key: "$x" })).toEqual([]);
  expect(
    chosen({ path: "a.php", key: "$x", only: ["a.*"] }, { path: "b.php", key: "$x", only: ["a.*", "c.*"] }),
  ).toEqual([[0, ["a.*", "c.*"]]]);
  expect(chosen({ path: "a.php", key: "$x", only: ["a.*"] }, { path: "a.php", key: "$y" })).toEqual([
    [1, []],
    [2, ["a.*"]],
  ]);
});
