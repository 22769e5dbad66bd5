/** What the project file says of calls whose keys the code does not show. */
import { expect, test } from "vitest";
import { choiceOf, expressionText } from "../../../../src/workspace/usages/call-choices.ts";

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
