/** Keys that a file has from the modules it imports: which member of what they export, and how it is exported. */
import { describe, expect, test } from "vitest";
import { usageLanguageFor } from "../../../../src/scanners/supported-source-languages.ts";
import { exportedValue } from "../../../../src/scanners/javascript/exported-values.ts";
import type { Imports } from "../../../../src/scanners/key-usage.ts";
import { javascriptSource } from "../../../../src/scanners/source-reader.ts";
import { options } from "../marked.ts";

/** Returns the keys and patterns of the code, `?` behind those of which the code may exclude some. */
function keysIn(
  code: string,
  modules: Readonly<Record<string, string>>,
  language = "typescriptreact",
): readonly string[] {
  const imports: Imports = ({ specifier, ...imported }) => {
    const module = modules[specifier];
    return module === undefined ? null : exportedValue(javascriptSource(module, false, imports), imported);
  };
  const uses = usageLanguageFor(language)?.find(code, options(), imports) ?? [];
  return uses.map(({ expression, isUncertain }) => {
    const key = expression.kind === "static" ? expression.key : `${expression.prefix}*${expression.suffix}`;
    return isUncertain === true ? `${key}?` : key;
  });
}

type Cases = readonly (readonly [title: string, code: string, module: string, keys: readonly string[]])[];

const members: Cases = [
  [
    "any member of a namespace's object, and one that a constant names",
    `import * as all from "b"; const N = "y"; t(all.K[x]); t(all.K[N]); t(all.K.y)`,
    `export const K = { x: "a", y: "b" };`,
    ["a", "b", "b", "b"],
  ],
  [
    "a list of none, and what is known to be true or nothing",
    `import { N, B, F } from "b"; N.map((k) => t(k)); t("a." + B); t(F())`,
    `export const N = []; export const B: true | "x" = f(); export const F = () => {};`,
    ["*", "a.true", "a.x", "*"],
  ],
  [
    "elements of lists by their places, and any of them",
    `import { L } from "b"; t(L[1]); t(L[2]); t(L.length); L.map((k) => t(k))`,
    `export const L = ["a", "b"];`,
    ["b", "*", "*", "a", "b"],
  ],
  [
    "the names of members, and what they are in a loop over both",
    `import { M } from "b"; Object.keys(M).map((k) => t(k)); for (const k in M) t(k); Object.entries(M).map(([k, v]) => t(v))`,
    `export const M = { x: "a", y: "b" };`,
    ["x", "y", "x", "y", "a", "b"],
  ],
  [
    "a member that is not known beside those that are",
    `import { M } from "b"; t(M.x); t(M.y); t(M.z); t(M[k])`,
    `export const M = { x: "a", y: load() };`,
    ["a", "*", "*", "a", "*"],
  ],
  [
    "nothing of a text, or of a function that is not called",
    `import { K, f } from "b"; t(K.x); t(f); t(f.x); t(f())`,
    `export const K = "a"; export const f = () => "b";`,
    ["*", "*", "*", "b"],
  ],
  [
    "both values of a condition, and both of what a function returns",
    `import { K, f } from "b"; t(K); t(f(1))`,
    `export const K = x ? "a" : "b"; export function f(y) { if (y) return "c"; return "d"; }`,
    ["a", "b", "c", "d"],
  ],
  [
    "what a function returns that may also return nothing",
    `import { f } from "b"; t(f(1))`,
    `export function f(y) { if (!y) return; return "a"; }`,
    ["a"],
  ],
  [
    "not what a condition leaves open",
    `import { K, f } from "b"; t(K); t(f(1))`,
    `export const K = x ? "a" : y; export function f(y) { if (y) return "c"; return y; }`,
    ["*", "*"],
  ],
  [
    "a function's member by member",
    `import { use } from "b"; const { a: { k } } = use(); t(k); const [, l] = use(); t(l); const { a } = use(); t(a.k)`,
    `export function use() { return { a: { k: "x" }, k: "y" }; }`,
    ["x", "*", "x"],
  ],
  [
    "what a function returns for any argument, and nothing of a namespace that is called",
    `import { use } from "b"; import * as all from "b"; const { k } = use(x); t(k); const { k: l } = all(); t(l); const { k: m } = other(); t(m)`,
    `export function use() { return { k: "x" }; }`,
    ["x", "*", "*"],
  ],
  [
    "names of objects whose values are not needed, and of those in them",
    `import { M } from "b"; t(M.a.b.c); t(M.a.b.d)`,
    `const inner = { c: "x" }; const middle = { b: inner }; export const M = Object.freeze({ a: middle });`,
    ["x", "*"],
  ],
  [
    "a member of a member that is another object's",
    `import { M } from "b"; t(M.a.c); t(M.b.c); t(M.d.a.c)`,
    `const N = { a: { c: "x" }, b: { c: "y" } }; export const M = { a: N.b, b: N.a, d: N };`,
    ["y", "x", "x"],
  ],
  [
    "a member of what the module imports",
    `import { M } from "b"; t(M.a.k)`,
    `import { N } from "c"; export const M = { a: N.y };`,
    ["d"],
  ],
  [
    "fields of classes: static ones by the class, of the right name",
    `import { A, B } from "b"; t(A.K); t(B.K); t(A.L); t(A.M.k)`,
    `export class A { static readonly K: string = "a"; L = "no"; static override M = { k: "c" } } export class B { static K = "b" }`,
    ["a", "b", "*", "c"],
  ],
];

const exports: Cases = [
  [
    "the first that is known of what may have the name",
    `import { K } from "b"; import D from "b"; t(K); t(D)`,
    `export { K } from "none"; export * from "c"; export { default } from "c";`,
    ["a", "b"],
  ],
  [
    "a default by any name, in whichever way it is one",
    `import D from "b"; t(D)`,
    `const K = "a"; export { K as default };`,
    ["a"],
  ],
  [
    "a default expression, and its members",
    `import D from "b"; t(D.x); t(D)`,
    `export default { x: "a" };`,
    ["a", "*"],
  ],
  [
    "a default beside others",
    `import D, { K as L } from "b"; t(D); t(L)`,
    `export default "a"; export const K = "b";`,
    ["a", "b"],
  ],
  [
    "a default beside all",
    `import D, * as all from "b"; t(D); t(all.K)`,
    `export default "a"; export const K = "b";`,
    ["a", "b"],
  ],
  ["a default is no type", `import type D from "b"; let k: D; t(k)`, `export default "a";`, ["*"]],
  ["no default of all", `import D from "b"; t(D)`, `export * from "c";`, ["*"]],
  [
    "types, also of another module and among values",
    `import { type T, K, type U as V } from "b"; import type { U } from "b"; let t1: T; let t2: V; let t3: U; t(t1); t(t2); t(t3); t(K)`,
    `export type T = "x" | "y"; export { type U } from "c"; export const K = "k";`,
    ["x?", "y?", "u?", "u?", "k"],
  ],
  [
    "a type of a value's name",
    `import { K } from "b"; let k: K; t(k); t(K)`,
    `export type K = "x"; export const K = "y";`,
    ["x?", "y"],
  ],
  [
    "members of a type, each with its own alternatives",
    `import type { P } from "b"; const f = (p: P, q: keyof P, r: P["l"][number]) => { t(p.k); t(p.l[0]); t(q); t(r) }`,
    `export interface P { k: "a" | "b"; l: "c"[]; m: string }`,
    ["a?", "b?", "c?", "k?", "l?", "m?", "c?"],
  ],
  [
    "what is exported under another name",
    `import { L, K } from "b"; t(L); t(K)`,
    `const K = "a"; const M = "b"; export { K as L, M as K };`,
    ["a", "b"],
  ],
  [
    "lists as types, of objects and of texts",
    `import type { L, M } from "b"; const f = (l: L, m: M) => { l.map(({ k }) => t(k)); t(m[0]) }`,
    `export type L = { k: "a" }[]; export type M = ("b" | "c")[];`,
    ["a?", "b?", "c?"],
  ],
  [
    "what another module has of a third one: all of it, and members by their names",
    `import { K, N, G } from "b"; t(K); t(N.x.k); t(N.z); t(G.k)`,
    `import { N } from "c"; export * from "c"; export { N } from "c"; export const G = N.y;`,
    ["a", "c", "*", "d"],
  ],
  [
    "nothing of a module whose name is that of a parameter",
    `import * as all from "b"; const f = (all) => t(all.K)`,
    `export const K = "a";`,
    ["*"],
  ],
  ["a frozen object", `import { M } from "b"; t(M[x])`, `export const M = Object.freeze({ x: "a" });`, ["a"]],
  [
    "a function in parentheses",
    `import { f } from "b"; t(f()); t(f)`,
    `export const f = (() => "a") as F;`,
    ["a", "*"],
  ],
  [
    "values as deep as four objects",
    `import { K } from "b"; const { a: { b: { c } } } = K; t(c); const k = K; t(k.a.b.c)`,
    `export const K = { a: { b: { c: "x" } } };`,
    ["x", "x"],
  ],
];

/** What `b` exports from. */
const OTHER = `export const K = "a"; export type U = "u"; export default "b"; export const N = { x: { k: "c" }, y: { k: "d" } };`;

describe.each([
  ["members", members],
  ["exports", exports],
])("%s of imported modules", (_, cases) => {
  test.each(cases)("%s", (__, code, module, keys) => {
    expect(keysIn(code, { b: module, c: OTHER })).toEqual(keys);
  });
});

test("a selector may name any namespace of an imported list, of which only the first is searched otherwise", () => {
  const lists = `export const NS = ["first", "second", "third"] as const; export const ONE = "second";`;
  const code = `import { NS, ONE } from "b"; const { t } = useTranslation(NS);
t($ => $.second.title); t($ => $.third.a.b); t($ => $.first.c); t("d");
const { t: u } = useTranslation(ONE); u($ => $.second.e); const { t: v } = useTranslation(NS, { nsMode: "fallback" }); v("f")`;
  const imports: Imports = (from) => exportedValue(javascriptSource(lists), from);
  const uses = usageLanguageFor("typescript")?.find(code, options(["i18next"]), imports) ?? [];
  expect(
    uses.map(({ expression, namespaces }) => [expression.kind === "static" && expression.key, namespaces]),
  ).toEqual([
    ["title", ["second"]],
    ["a.b", ["third"]],
    ["first.c", ["first"]],
    ["d", ["first"]],
    ["second.e", ["second"]],
    ["f", ["first", "second", "third"]],
  ]);
});

test("a variable of a template hides what is imported", () => {
  const code = `<script>import { k } from "b"; const L = [{ x: "y" }];</script>{$t(k.x)}{#each L as k}{$t(k.x)}{/each}`;
  expect(keysIn(code, { b: `export const k = { x: "z" };` }, "svelte")).toEqual(["z", "y"]);
});
