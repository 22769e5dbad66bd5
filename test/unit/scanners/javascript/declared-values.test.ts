/** Which keys the types, fields and functions of a file leave for a call. */
import { describe, expect, test } from "vitest";
import { usageLanguageFor } from "../../../../src/scanners/supported-source-languages.ts";
import type { ImportedName } from "../../../../src/scanners/key-usage.ts";
import { find, options } from "../marked.ts";

/** The code, and the keys and patterns of its calls; `?` behind those that a type has, of which the code may exclude some. */
const types: readonly (readonly [title: string, code: string, keys: readonly string[]])[] = [
  [
    "the names of an object that a parameter may have",
    `const M = { a: 1, "b-c": 2 }; function f(k: keyof typeof M) { t(k) } const g = (x: 1, k: keyof typeof M) => t(k)`,
    ["a?", "b-c?", "a?", "b-c?"],
  ],
  [
    "an object that a parameter is like",
    `const M = { a: "x", b: "y" } as const; function f(m: typeof M) { t(m.a); t(m.c) }`,
    ["x", "*"],
  ],
  [
    "the elements of a list",
    `const L = ["a", "b"] as const; function f(k: (typeof L)[number], l: string) { t(k); t(l) }`,
    ["a?", "b?", "*"],
  ],
  ["a template of types", 'let k: `${"a" | "b"}.c`; t(k)', ["a.c?", "b.c?"]],
  ["a variable that is set later", `let k!: "a" | "b"; t(k)`, ["a?", "b?"]],
  [
    "an object with the members of two types, over lines",
    `function f(p: A\n & { k: "a" }) { t(p.k) }`,
    ["a?"],
  ],
  [
    "a type that depends on another one",
    `let k: "a" extends X ? "b" : "c"; t(k); let l: NonNullable<"a"> extends X ? "b" : "c"; t(l)`,
    ["*", "*"],
  ],
  ["what may be missing", `function f(k?: "a", l: "b" | undefined | null) { t(k); t(l) }`, ["a?", "b?"]],
  [
    "members of an interface, also in quotes",
    `interface P { 'k': "a" | "b"; "l": "c"; m?: "d"; n(): void; readonly o: "e"; [x: string]: "no" } function f(p: P) { t(p.k); t(p.l); t(p.m); t(p.o); t(p.n) }`,
    ["a?", "b?", "c?", "d?", "e?", "*"],
  ],
  [
    "members of what an interface extends",
    `interface B { k: "a" } interface P extends B, C { l: "b" } function f(p: P) { t(p.k); t(p.l); t(p.x) }`,
    ["a?", "b?", "*"],
  ],
  [
    "members that are taken out",
    `const f = ({ k, l: m }: { k: "a"; l: "b" }) => { t(k); t(m) }`,
    ["a?", "b?"],
  ],
  [
    "some of a type, and the others",
    `type T = "a" | "b" | "c"; function f(k: Exclude<T, "a">, l: Extract<T, "a" | "b">, m: Exclude<T, U>) { t(k); t(l); t(m) }`,
    ["b?", "c?", "a?", "b?", "*"],
  ],
  [
    "some of a type that is not known, and a value in place of a type",
    `const K = { a: "x" }; function f(k: Extract<"a" | U, "a">, l: K, m: (typeof K)[keyof typeof K]) { t(k); t(l); t(m) }`,
    ["*", "*", "x?"],
  ],
  [
    "a member of an enumeration, and any",
    `enum E { A = "a", B = "b" } function f(e: E, g: E.B) { t(e); t(g) }`,
    ["a?", "b?", "b?"],
  ],
  [
    "some of a type, on lines of their own, and with another type",
    `function f(k: "a" | "b" | "c", l: string) { t(k as\n | "a"\n | "b"); t(l as "d" | Other); t(l as "" | "e") }`,
    ["a?", "b?", "*", "e?"],
  ],
  [
    "one of yes and no",
    "const k: true = f(); function g(o: { on: false }) { t(`x.${k}`); t(`x.${o.on}`) }",
    ["x.true?", "x.false?"],
  ],
  [
    "a type without the text of a constant",
    `const X = "b"; function f(k: Exclude<"a" | "b" | "c", typeof X>) { t(k) }`,
    ["a?", "c?"],
  ],
  ["both of a yes or no", "function f(flag: boolean) { t(`x.${flag}`) }", ["x.true?", "x.false?"]],
  ["the constraint of a parameter", `function f<K extends "a" | "b">(k: K) { t(k) }`, ["a?", "b?"]],
  ["a template of a type", 'type K = `x.${"a" | "b"}`; function f(k: K) { t(k) }', ["x.a?", "x.b?"]],
  ["a member of any name", `function f(k: Readonly<Record<string, "a">>) { t(k.x) }`, ["a?"]],
  [
    "members over lines that end with CRLF",
    `interface P {\r\n  k: "a"\r\n  l:\r\n    | "b"\r\n    | "c"\r\n}\r\nfunction f(p: P) { t(p.k); t(p.l) }`,
    ["a?", "b?", "c?"],
  ],
  [
    "members of each of two interfaces",
    `interface A { k: "a" } interface B { l: "b" } interface P extends A, B {} function f(p: P) { t(p.l); t(p.k) }`,
    ["b?", "a?"],
  ],
  [
    "the names of an interface, and of the one it extends",
    `interface Q { c: 1 } interface P extends Q { a: 1; b: 2 } function f(k: keyof P) { t(k) }`,
    ["a?", "b?", "c?"],
  ],
  [
    "two of three members",
    `interface P { s: "a"; r: "b"; q: "c" } function f(x: P["s" | "r"]) { t(x) }`,
    ["a?", "b?"],
  ],
  ["the second of two elements", `function f(p: ["a", "b" | "c"]) { t(p[1]); t(p[2]) }`, ["b?", "c?", "*"]],
  [
    "the constraint of each of two parameters",
    `function f<A extends "a", B extends "b" | "c">(x: A, y: B) { t(x); t(y) }`,
    ["a?", "b?", "c?"],
  ],
  [
    "the properties of a component, no second parameter",
    `const F: FC<{ s: "a" }> = ({ s }) => t(s); const G: FC<{ s: "b" }> = (p, { s }) => t(s)`,
    ["a?", "*"],
  ],
  ["the names of a record", `let r: Record<"a" | "b", X>; Object.keys(r).map((k) => t(k))`, ["a?", "b?"]],
  [
    "before and behind a text, and in other letters",
    'const P = "p"; function f(k: "a") { t(`${P}.${k}`); t(`${k}.${P}`); t(k.toUpperCase()) }',
    ["p.a?", "a.p?", "A?"],
  ],
  [
    "what holds a value, and what beside it does not",
    `const r = useRef<"a" | "b">("a"); t(r.current); t(r.value); const s = signal<"c">("c"); t(s()); const [u, set] = useState<"d">("d"); t(u); t(set)`,
    ["a?", "b?", "*", "c?", "d?", "*"],
  ],
  [
    "what Vue and Svelte hold, by its type",
    `const c = computed<"b">(f); t(c.value); const k = $state<"c">(x); t(k)`,
    ["b?", "c?"],
  ],
  [
    "the elements of every kind of list",
    `function f(a: ReadonlyArray<"a">, b: Set<"b">, c: ReadonlySet<"c">, d: Iterable<"d">, e: Other<"e">) {
      for (const k of a) t(k); for (const k of b) t(k); for (const k of c) t(k); for (const k of d) t(k); for (const k of e) t(k) }`,
    ["a?", "b?", "c?", "d?", "*"],
  ],
  [
    "types with the members of their argument",
    `function f(a: Partial<{ k: "a" }>, b: NonNullable<{ k: "b" }>, c: Pick<{ k: "c" }, "k">, d: PropsWithChildren<{ k: "d" }>, e: Other<{ k: "e" }>, g: Ref<{ k: "g" }>) {
      t(a.k); t(b.k); t(c.k); t(d.k); t(e.k); t(g.k) } const h = async (k: Awaited<"h">) => t(k)`,
    ["a?", "b?", "c?", "d?", "*", "g?", "h?"],
  ],
  ["a type that is declared twice", `type K = "a"; type K = "b"; function f(k: K) { t(k) }`, ["*"]],
  ["types that refer to each other", `type A = B; type B = A; function f(k: A) { t(k) }`, ["*"]],
  [
    "the type that a function returns",
    `function key(x: number): "a" | "b" { return y } t(key(1))`,
    ["a?", "b?"],
  ],
];

const values: readonly (readonly [title: string, code: string, keys: readonly string[]])[] = [
  [
    "fields that are read-only or static",
    `class A { readonly key: string = "a"; other = "b"; static K = "c"; f() { t(this.key); t(this.other); t(A.K); t(A.key) } }`,
    ["a", "*", "c", "*"],
  ],
  [
    "fields with modifiers",
    `class A { public readonly a = "a"; protected readonly b = "b"; private readonly c = "c"; override readonly d = "d"; protected static e = "e"; f() { t(this.a); t(this.b); t(this.c); t(this.d); t(A.e) } }`,
    ["a", "b", "c", "d", "e"],
  ],
  [
    "fields that are only another name, but no default of a parameter",
    `const K = { a: "x" }; const L = "y"; class A { k = K.a; l = L; m = "no"; f(n = L) { t(this.k); t(this.l); t(this.m); t(this.n) } }`,
    ["x", "y", "*", "*"],
  ],
  [
    "a field that is a parameter of the constructor, whose default is not its only value",
    `const K = "x"; class A {\n  constructor(\n    private readonly k = "a",\n    readonly l: string = "b",\n    m = K,\n  ) {}\n  readonly n = "c";\n  f() { t(this.k); t(this.l); t(this.m); t(this.n) } }`,
    ["*", "*", "*", "c"],
  ],
  [
    "a constant below the function that hides it",
    `const g = (K) => t(K); const K = "a"; t(K); const L = ["b"]; L.map((k: "b" | "c") => t(k))`,
    ["*", "a", "b"],
  ],
  [
    "a member that is one of several names, or not known",
    "const K = { a: 'x', b: 'y' }; for (const n of ['a', z]) t(K[n]); const N = `${z}`; t(K[N]); const M = `a`; t(K[M])",
    ["x", "y", "x", "y", "x"],
  ],
  [
    "static fields of one name",
    `class A { static K = "a" } class B { static K = "b" } t(A.K); t(B.K); t(C.K)`,
    ["a", "b", "*"],
  ],
  [
    "what an arrow function returns, in other letters, too",
    `const key = (x) => x ? "a" : "b"; t(key(1)); t(key(1).toUpperCase())`,
    ["a", "b", "A", "B"],
  ],
  [
    "each of what a function returns",
    `function key(x) { if (x) { return "a" } switch (y) { case 1: return "b"; default: return z } } t(key(1))`,
    ["a", "b", "*"],
  ],
  [
    "members of an object that another one is spread into",
    `const M = { a: { k: "x" }, ...N }; const N = { b: { k: "y" } }; t(M.a.k); t(M.b.k); t(M[z].k)`,
    ["x", "y", "x", "y"],
  ],
  [
    "elements of a list that another one is spread into",
    `const L = [...K, "c"]; const K = ["a", "b"]; for (const k of L) t(k); t(L[0])`,
    ["a", "b", "c", "*"],
  ],
  [
    "what is taken out of lists and objects",
    `const [a, { b: c }] = ["x", { b: "y" }]; t(a); t(c); const { d: { e = "no" } } = { d: { e: "z" } }; t(e)`,
    ["x", "y", "z"],
  ],
  [
    "a set, and the names of an object",
    `for (const k of new Set(["a", "b"])) t(k); for (const l in { c: 1, d: 2 }) t(l)`,
    ["a", "b", "c", "d"],
  ],
  [
    "constants beside parameters that have them as types or default values",
    `const K = "a"; function f(x: K, y: typeof K | B, z = K) { t(K) } const g = (K: string) => t(K); const h = (K = 1) => t(K)`,
    ["a", "*", "*"],
  ],
  [
    "fields of a class whose lines have no ends",
    `const K = { a: { b: "x" }, b: "y" };\nclass A {\n  n = 1\n  k = K\n  f() { t(this.k.b); t(this.k[z].b) }\n}`,
    ["y", "*"],
  ],
  [
    "a map and a computed value",
    `const M = new Map([["a", "x"]]); t(M.get(z)); const C = computed(() => "b"); t(C.value)`,
    ["*", "*"],
  ],
];

describe.each([
  ["types", types],
  ["values", values],
])("%s", (_, cases) => {
  test.each(cases)("%s", (__, code, keys) => {
    const found = find("typescript", code).map(({ expression, isUncertain }) => {
      const key = expression.kind === "static" ? expression.key : `${expression.prefix}*${expression.suffix}`;
      return isUncertain === true ? `${key}?` : key;
    });
    expect(found).toEqual(keys);
  });
});

test.each([
  ["typescript", `import { K } from "./k"; t(K)`],
  ["javascript", `import { K } from "./k"; t(K)`],
  ["src/Page.VUE", `<script setup>import { K } from "./k";</script><template>{{ $t(K) }}</template>`],
  ["svelte", `<script>import { K } from "./k";</script>{$t(K)}`],
  ["astro", `---\nimport { K } from "./k";\n---\n<p>{t(K)}</p>`],
  ["html", "{{ K | translate }}"],
  ["typescript", "@Component({ template: `{{ K | translate }}` }) class A {}"],
])("of an imported value that may be one of several, all are found in %s", (language, code) => {
  const value = { anyOf: ["a.b", { elements: [{ anyOf: ["a.c", "a.d"] }] }, null] };
  const uses = usageLanguageFor(language)?.find(
    code,
    options(["i18next", "ngx-translate"]),
    ({ specifier, name }) =>
      // A template has the fields of its component.
      specifier === (code.includes("import") ? "./k" : "") && name === "K" ? value : null,
  );
  expect(uses?.map(({ expression }) => expression)).toEqual([
    { kind: "static", key: "a.b" },
    { kind: "static", key: "a.c" },
    { kind: "static", key: "a.d" },
    { kind: "pattern", prefix: "", suffix: "" },
  ]);
});

test("of what a file imports only the member that is needed is asked for", () => {
  const code = `import { useKeys, KEYS as K } from "./keys"; import * as all from "./all"; import own from "./own"; import main, { L as M } from "./main";
    const { menu: { title: key } } = useKeys(); t(key);
    const { [x]: other } = useKeys(); t(other);
    const { menu } = useKeys(); t(menu.title); const [first] = useKeys(); t(first); const { title: none } = all(); t(none);
    t(K.shop.title); t(all.shop.title); t(own.title); t(missing.title); t(main.title); t(M.title); t(all);`;
  const asked: Omit<ImportedName, "isType">[] = [];
  const uses = usageLanguageFor("typescript")?.find(code, options(), ({ isType, ...imported }) => {
    expect(isType).toBe(false);
    asked.push(imported);
    return imported.path?.at(-1) === "title" ? "a.title" : null;
  });
  expect(uses?.map(({ expression }) => expression.kind)).toEqual([
    "static",
    "pattern",
    "static",
    "pattern",
    "pattern",
    "static",
    "static",
    "static",
    "pattern",
    "static",
    "static",
    "pattern",
  ]);
  expect(asked.filter(({ name }) => name === "*")).toEqual([]);
  // What is written is elsewhere, so that nothing here may be changed in its place.
  expect(uses?.filter(({ literalSpan }) => literalSpan !== undefined)).toEqual([]);
  const members = asked.flatMap(({ specifier, name, path }) =>
    path === undefined ? [] : [[specifier, name, ...path].join(" ")],
  );
  expect([...new Set(members)]).toEqual([
    "./keys useKeys () menu title",
    "./keys useKeys () 0",
    "./keys KEYS shop title",
    "./all shop title",
    "./own default title",
    "./main default title",
    "./main L title",
  ]);
});
