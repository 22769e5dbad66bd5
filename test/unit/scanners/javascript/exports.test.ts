/** What a module exports under a name: its own, or another module's. */
import { expect, test } from "vitest";
import { exportsOf } from "../../../../src/scanners/javascript/module-syntax.ts";
import { javascriptSource } from "../../../../src/scanners/source-reader.ts";

function exported(code: string, name: string): readonly string[] {
  return exportsOf(javascriptSource(code), name).map((each) => {
    if (each.kind === "local") return each.name;
    if (each.kind === "elsewhere") return `${each.name} of ${each.specifier}`;
    return code.slice(each.span.start, each.span.end);
  });
}

test.each<[code: string, name: string, found: readonly string[]]>([
  ["export const KEYS = {};", "KEYS", ["KEYS"]],
  ["export { KEYS, OTHER as TITLES };", "TITLES", ["OTHER", "TITLES"]],
  ["export { KEYS as TITLES } from './keys';", "TITLES", ["KEYS of ./keys", "TITLES"]],
  // All of another module: what is its own comes first.
  ["export * from './a'; export * from \"./b\"; export const K = 1;", "K", ["K", "K of ./a", "K of ./b"]],
  ["export * from './a'; export default KEYS;", "default", ["KEYS"]],
  ["export * from './a';", "default", []],
  ["export { default } from './a';", "default", ["default of ./a"]],
  ["export { KEYS as default };", "default", ["KEYS"]],
  ["export * from './a'; export { K as L };", "L", ["K", "L", "L of ./a"]],
  ["export { A };\nexport { B as C, D };", "C", ["B", "C"]],
  ["export { A };\nexport { B as C,\r\n  D as E,\r\n};", "E", ["D", "E"]],
  ["export type { T as U } from './t'; export { V as W } from \"./v\";", "W", ["V of ./v", "W"]],
  ["export type { T as U } from './t';", "U", ["T of ./t", "U"]],
  ["export default function keys() {}", "default", ["keys"]],
  ["export default async function keys() {}", "default", ["keys"]],
  ["export default { a: 1 };", "default", ["{ a: 1 }"]],
  ["const a = 1;", "default", []],
])("%s as %s", (code, name, found) => {
  expect(exported(code, name)).toEqual(found);
});
