/** Matching brackets in possibly broken text, and the innermost of nested ranges. */
import { describe, expect, test } from "vitest";
import { Brackets } from "../../../src/scanners/source-reader.ts";
import { ScopeTree } from "../../../src/scanners/javascript/scopes.ts";

describe("brackets", () => {
  test("match the nearest of their kind, or none", () => {
    const brackets = new Brackets("([)] {(}");
    expect([0, 1, 5, 6].map((place) => brackets.closing(place))).toEqual([2, -1, 7, -1]);
    expect(brackets.closing(2)).toBe(-1);
    expect(brackets.closing(4)).toBe(-1);
    expect(new Brackets(") }").closing(0)).toBe(-1);
    const open = new Brackets("{ ) }");
    expect([2, 4].map((place) => open.opening(place))).toEqual([-1, 0]);
  });

  test("behind more nested ones than are recorded match again", () => {
    const nested = `${"(".repeat(402)}${")".repeat(402)}`;
    const brackets = new Brackets(`${nested}[x]`);
    expect([0, 399, 400, 401].map((place) => brackets.closing(place))).toEqual([803, 404, -1, -1]);
    expect([nested.length, brackets.closing(nested.length)]).toEqual([804, 806]);
  });

  test("enclose their content including the closing bracket", () => {
    const brackets = new Brackets("a(b{c[d]e}f)g");
    expect([0, 2, 4, 6, 7, 8, 9, 10, 11, 12].map((place) => brackets.enclosing(place))).toEqual([
      -1, 1, 3, 5, 5, 3, 3, 1, 1, -1,
    ]);
    expect(brackets.enclosing(6, "(")).toBe(1);
    expect(brackets.enclosing(6, "{")).toBe(3);
    expect(brackets.enclosing(2, "[")).toBe(-1);
    expect(brackets.enclosing(1)).toBe(-1);
  });
});

test("finds the innermost range including both ends", () => {
  const outer = { start: 0, end: 10 };
  const inner = { start: 2, end: 5 };
  const same = { start: 2, end: 5 };
  const wider = { start: 2, end: 6 };
  const beside = { start: 7, end: 9 };
  const tree = new ScopeTree([beside, inner, outer, same, wider]);
  expect([0, 1].map((at) => tree.innermost(at))).toEqual([[outer], [outer]]);
  expect([2, 5].map((at) => tree.innermost(at))).toEqual([
    [inner, same],
    [inner, same],
  ]);
  expect([6, 7, 9, 10].map((at) => tree.innermost(at)[0])).toEqual([wider, beside, beside, outer]);
  expect([-1, 11].map((at) => tree.innermost(at))).toEqual([[], []]);
});
