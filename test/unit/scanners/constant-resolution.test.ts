/** Keys in constants of the same file are found at their usages and never guessed. */
import { describe, expect, test } from "vitest";
import { check, find, type Case } from "./marked.ts";

/** Source, and the keys and patterns (with `*`) of its uses. */
const cases: readonly (readonly [title: string, source: string, keys: readonly string[]])[] = [
  ["a constant", `const KEY = "a.b"; t(KEY)`, ["a.b"]],
  [
    "with a type, as const, over lines",
    `const KEY: string =\n  "a.b" as const\nt(KEY!); t(KEY as string)`,
    ["a.b", "a.b"],
  ],
  ["an element or a member that is assigned", `const K = "a.b"; for (K[0] of x) {} t(K)`, ["a.b"]],
  [
    "a member that is called as the constant",
    `const K = "a.b"; const f = (x = o.K.c) => t(K); t(K.d)`,
    ["a.b", "*"],
  ],
  [
    "an empty enumeration, and a member that is not there",
    `enum K {} const L = {}; t(K.A); t(L.a)`,
    ["*", "*"],
  ],
  ["a member of a text", `const K = "a.b"; t(K.c)`, ["*"]],
  [
    "a member of the pairs of an object, one behind a pattern, and one with a default",
    `Object.entries({ a: { k: "no" } }).map(({ k }) => t(k)); [{ a: 1, c: "x" }].map(({ a: { b }, c }) => t(c)); [{ a: "no" }].map(({ a = "d" }) => t(a))`,
    ["*", "x", "*"],
  ],
  ["parentheses around a table", `const K = (((({ a: "b" })))); t(K.a)`, ["b"]],
  ["more parentheses than anyone writes", `const K = ((((({ a: "b" }))))); t(K.a)`, ["*"]],
  [
    "a member of a list or call",
    `[["a"], ["b"]][1].map((k) => t(k)); f(x)()["a"].map((k) => t(k))`,
    ["*", "*"],
  ],
  ["a list behind a word", `const f = () => { return ["a", "b"].map((k) => t(k)) }`, ["a", "b"]],
  [
    "a constant over lines, with operators at the end or start of each",
    "const K = a\n  && `a`\nt(K); const L = b &&\n  `b`\nt(L); const M = c\n  ? x ||\n    `c`\n  : `d`\nt(M); const N = [`e`]\n  .concat([`f`])\nN.map((k) => t(k))",
    ["a", "b", "*", "c", "d", "e", "f"],
  ],
  [
    "a callback that is a function",
    `["a"].map(function (k) { return t(k) }); ["b"].forEach(async function each({ x }, k) { t(x); t(k) }); [{ x: "c" }].some(function each({ x }) { t(x) })`,
    ["a", "*", "*", "c"],
  ],
  [
    "what is in a value that only readers change",
    `const A = readonly({ k: "a" }); const B = markRaw({ k: "b" }); const C = reactive({ k: "c" }); const D = Object.freeze(({ k: "d" }) as const); const E = Object.freeze({ k: { k: "e" }, l: "no" }).k; t(A.k); t(B.k); t(C.k); t(D.k); t(E.l)`,
    ["a", "b", "c", "d", "*"],
  ],
  [
    "a constant with an asserted type, and a member that is named as such an assertion",
    `const A = { as: "a", satisfies: { k: "no" }, k: "b" }; const B = A.as; const C = A satisfies X; const D = A as const satisfies X; t(B); t(C.k); t(D.k)`,
    ["a", "b", "b"],
  ],
  ["a conditional constant", "const key = x\n  ? `a`\n  : 'b'\nt(key)", ["a", "b"]],
  [
    "a part of a template",
    "const P = 'a.b'; t(`${P}.c`); t(P + '.d'); t(`${P}.${x}`)",
    ["a.b.c", "a.b.d", "a.b.*"],
  ],
  [
    "a member that a constant or function names",
    `const A = { n: "b" }; const f = () => "a"; const K = { a: "x.a", b: "x.b", c: "x.c" }; t(K[A.n]); t(K[f()]); t(K[f() + A.n])`,
    ["x.b", "x.a", "x.a", "x.b", "x.c"],
  ],
  [
    "what is made a text, or of another case",
    "const K = 'A.b'; const s = String(K); t(s); t(K.toLowerCase()); t(s?.toUpperCase()); t(`${x}.A`.toLowerCase())",
    ["A.b", "a.b", "A.B", "*"],
  ],
  [
    "no part of what is of another case where another part is not known",
    "t((x ? 'A' : y).toLowerCase()); t((x ? 'A' : 'B').toLowerCase())",
    ["*", "a", "b"],
  ],
  [
    "the results of the functions in a list, all of which must be known",
    `for (const f of [() => "a", () => "b"]) t(f()); for (const g of [() => "a", other]) t(g())`,
    ["a", "b", "*"],
  ],
  [
    "the result of a function, but not of a method with its name",
    `function label() { return "a" } t(label()); t(other.label())`,
    ["a", "*"],
  ],
  ["a constant of a constant", `const A = "a"; const B = A; t(B)`, ["a"]],
  ["the first of two in one statement", `const A = "a", B = "b"; t(A); t(B)`, ["a", "*"]],
  [
    "elements that are known in part, each once",
    `const K = [x + "a", x + "b", x + "a"]; t(K[i])`,
    ["*a", "*b"],
  ],
  [
    "a text, and one that only begins with it",
    "const K = ['item', `item${x}`]; t(K[i]); const L = y ? 'a' + x : 'a'; t(L)",
    ["item", "item*", "a*", "a"],
  ],
  [
    "the other methods with a callback",
    `const K = ["a"]; K.flatMap((k) => t(k)); K.find((k) => t(k)); K.some(k => t(k)); K.every(async (k) => t(k)); K.filter(async k => t(k))`,
    ["a", "a", "a", "a", "a"],
  ],
  [
    "loops without braces, up to their end",
    `const K = ["a"]; for (let k of K) t(k); for (var k of K) t(k); t(k)`,
    ["a", "a", "*"],
  ],
  [
    "pairs in a list",
    `const P = [["a", "x"], ["b", "y"]]; P.map(([id, k]) => t(k)); for (const [l] of P) t(l)`,
    ["x", "y", "a", "b"],
  ],
  [
    "loops of one variable, one after another and one in another",
    `["a"].map((k) => t(k)); ["b"].map((k) => { ["c"].map((k) => t(k)); t(k) })`,
    ["a", "c", "b"],
  ],
  [
    "the rest of what is taken out",
    `const M = { a: "x", b: "y" }; const { a, ...rest } = M; t(a); t(rest.b); const [c, ...others] = ["p", "q"]; t(c); t(others[0])`,
    ["x", "*", "p", "*"],
  ],
  [
    "in wrappers, also several",
    `const K = reactive({ a: "x" }); const L = Object.freeze(new Set(["y"])); t(K.a); for (const k of L) t(k); Array.from(L).map((k) => t(k))`,
    ["x", "y", "y"],
  ],
  [
    "lines that end with CRLF",
    `const K = "a." +\r\n  "b"\r\nconst L = x\r\n  ? "c"\r\n  : "d"\r\nt(K); t(L)`,
    ["a.b", "c", "d"],
  ],
  [
    "two objects that are spread",
    `const A = { a: "x" }; const B = { b: "y" }; const M = { ...A, ...B }; t(M.a); t(M.b); t(M.c)`,
    ["x", "y", "*"],
  ],
  [
    "values and names that are spread",
    `const M = { a: "x" }; const L = [...Object.values(M), ...Object.keys(M)]; L.map((k) => t(k))`,
    ["x", "a"],
  ],
  [
    "names in brackets",
    `const S = "b"; const M = { ["a"]: 1, [S]: 2 }; Object.keys(M).map((k) => t(k))`,
    ["a", "b"],
  ],
  [
    "a list in another order, and with others",
    `const K = ["a", "b"]; K.sort().map((k) => t(k)); K.slice().reverse().map((k) => t(k)); K.concat(["c"], ["d"]).map((k) => t(k))`,
    ["a", "b", "a", "b", "a", "b", "c", "d"],
  ],
  [
    "the names of an object in a list, and its values in another",
    `const M = { a: "x" }; const K = Object.keys(M); const V = Object.values(M); K.map((k) => t(k)); V.map((v) => t(v)); t(K[0])`,
    ["a", "x", "a"],
  ],
  ["a value that goes on below", `const K = "A"\n  .toLowerCase()\nt(K)`, ["a"]],
  ["a function that is remembered", `const f = useCallback(() => "a", []); t(f())`, ["a"]],
  [
    "what a function returns in blocks of all kinds",
    `function key() { try { for (const x of y) { return "a" } } catch (e) { return "b" } while (z) { return "c" } return "d" } t(key())`,
    ["a", "b", "c", "d"],
  ],
  [
    "what an inner function with a type returns",
    `function key() { function f(): string { return "no" } return "a" } t(key())`,
    ["a"],
  ],
  [
    "a member",
    `const K = { a: "x.a", b: { c: "x.c" }, "d-e": "x.d" } as const; t(K.a); t(K.b.c); t(K["d-e"]); t(K?.a)`,
    ["x.a", "x.c", "x.d", "x.a"],
  ],
  ["asserted not to be null", `const K = { a: "x.a" }; t(K!.a)`, ["x.a"]],
  [
    "beside a member of another object with its name",
    `const K = "x.a"; class A { m(b = p.K) { t(K) } }`,
    ["x.a"],
  ],
  ["any member", `const K = { a: "x.a", b: "x.b" }; t(K[y])`, ["x.a", "x.b"]],
  [
    "computed members",
    `const K: Record<S, string> = { [S.A]: "x.a", [S.B]: "x.b" }; t(K[s])`,
    ["x.a", "x.b"],
  ],
  [
    "members of members",
    `const K = { a: { label: "x.a" }, b: { label: "x.b" } }; t(K[y].label)`,
    ["x.a", "x.b"],
  ],
  ["frozen", `const K = Object.freeze({ a: "x.a" }); t(K.a)`, ["x.a"]],
  [
    "an enum",
    `enum K { A = "x.a", B = 'x.b' } t(K.A); export const enum L { C = "x.c" } t(L.C)`,
    ["x.a", "x.c"],
  ],
  ["an element", `const K = ["a", "b"] as const; t(K[1]); t(K[i])`, ["b", "a", "b"]],
  [
    "a loop's variable",
    `const K = ["a", "b"]; K.map((key) => t(key)); K.forEach(key => { t(key) }); for (const k of K) t(k)`,
    ["a", "b", "a", "b", "a", "b"],
  ],
  ["a loop over an array itself", `["a", "b"].map((key) => t(key))`, ["a", "b"]],
  [
    "members of a loop's variable",
    `const tabs = [{ id: 1, label: "x.a" }, { id: 2, label: "x.b" }]; tabs.map((tab, i) => <b key={i}>{t(tab.label)}</b>)`,
    ["x.a", "x.b"],
  ],
  [
    "members that a loop takes out",
    `const tabs = [{ label: "x.a" }]; tabs.map(({ id, label: l }) => t(l)); for (const { label } of tabs) { t(label) }`,
    ["x.a", "x.a"],
  ],
  [
    "values of an object",
    `const K = { a: "x.a" }; Object.values(K).map((k) => t(k)); Object.entries(K).map(([id, k]) => t(k))`,
    ["x.a", "x.a"],
  ],
  [
    "a namespace and a prefix",
    `const NS = { shop: "shop" }; const { t } = useTranslation(NS.shop); t("a")`,
    ["a"],
  ],
];

/** Where a constant holds, and where it does not. */
const held: readonly (readonly [title: string, source: string, keys: readonly string[]])[] = [
  ["in its block alone", `{ const K = "a"; t(K) } t(K); { t(K) }`, ["a", "*", "*"]],
  ["before its line too", `function f() { t(K) } const K = "a";`, ["a"]],
  [
    "not below a parameter, and again behind it",
    `const K = "a"; const f = (K) => t(K); t(K); function g(x, K = 1) { t(K) } t(K); (K, y) => { t(K) }; t(K)`,
    ["*", "a", "*", "a", "*", "a"],
  ],
  [
    "not below a parameter with a type",
    `const K = "a"; function f(K: string): string { t(K) } t(K); const g = (K: X): Y => t(K); t(K)`,
    ["*", "a", "*", "a"],
  ],
  [
    "not below what is taken out as a parameter",
    `const K = "a"; f(({ K }) => t(K)); f(([K]) => t(K)); f(({ x: K }) => t(K)); f(({ K: x }) => t(K)); f(({ x: { K } }) => t(K)); t(K)`,
    ["*", "*", "*", "a", "*", "a"],
  ],
  [
    "not below another declaration",
    `const K = "a"; { let K = x; t(K) } { var K; t(K) } { const { K } = x; t(K) } { const [K] = x; t(K) } { function K() {} t(K) } t(K)`,
    ["*", "*", "*", "*", "*", "a"],
  ],
  [
    "below what only has its name in it",
    `const K = "a"; if (K) { t(K) } while (K) { t(K) } f(K, 1); const o = { K: 1, x: K }; const { K: y } = o; t(K); g(K); t(K)`,
    ["a", "a", "a", "a"],
  ],
  [
    "behind what looks like the head of a function",
    `const K = "a"; x = (K) === "b" && t(K); y = g(K) && { b: t(K) }; z = v ? (K || w) : { b: t(K) }; u = v ? g(K) : f({ b: t(K) })`,
    ["a", "a", "a", "a"],
  ],
  ["in the children of an element that has it", `const K = "a"; x = <A b={g(K)}>{t(K)}</A>`, ["a"]],
  [
    "behind an arrow function whose line nothing ends",
    `const K = "a"; const f = (K) => { t(K) }\nt(K)`,
    ["*", "a"],
  ],
  [
    "within an arrow function without braces, up to its end",
    `const K = "a"; const f = K => t(K), g = t(K); h(K => t(K), t(K)); const i = K => [t(K)]; t(K)`,
    ["*", "a", "*", "a", "*", "a"],
  ],
  [
    "by a name with a dollar in it",
    `const $K = "a"; t($K); const f = ($K) => t($K); const x$K = "b"; t(x$K)`,
    ["a", "*", "b"],
  ],
  ["of an enumeration", `{ enum K { A = "a" } t(K.A) } t(K.A)`, ["a", "*"]],
  [
    "a loop's variable in the loop",
    `const L = ["a"]; for (const K of L) { t(K) } t(K); L.map((K) => t(K)); t(K)`,
    ["a", "*", "a", "*"],
  ],
  [
    "a loop's variable, and one of the same name in it",
    `const L = ["a"]; L.map((K) => { const f = (K) => t(K); t(K) })`,
    ["*", "a"],
  ],
];

describe("constant values", () => {
  test.each(held)("%s", (_, source, keys) => {
    expect(constantValues(source)).toEqual(keys);
  });
});

const unknown: readonly (readonly [title: string, source: string])[] = [
  ["another name", `const KEY = "a"; t(OTHER)`],
  ["a parameter of that name", `const key = "a"; f((key) => t(key)); function g({ key }) { return t(key) }`],
  ["a rest parameter of that name", `const key = "a"; function g(...key) { t(key) }`],
  ["a variable that may change", `let key = "a"; t(key)`],
  ["a constant of another block", `{ const key = "a" } t(key)`],
  ["the nearest one counts", `const key = "a"; { const key = f(); t(key) }`],
  ["a call", `const key = (): string => "a"; t(key()); const o = { a: "a" }; t(o.a.trim())`],
  ["a member that is spread in", `const K = { ...other }; t(K.a)`],
  ["itself", `const K = K; t(K); const A = { a: A }; t(A.a)`],
  ["the index of a loop", `const K = ["a"]; K.map((k, i) => t(i))`],
  ["what comes from elsewhere", `props.items.map((item) => t(item.label))`],
  ["a loop over what is typed half", `).map((k) => t(k)); ].forEach((k) => t(k))`],
  [
    "a loop over keys of what is not known",
    `const K = { a: "x" }; Object.keys(L).map((k) => t(k)); Object.values(f(K)).map((k) => t(k))`,
  ],
  [
    "pairs that are taken as one",
    `const K = { a: "x" }; Object.entries(K).map((k) => t(k)); Object.entries(K).map(({ k }) => t(k))`,
  ],
  ["an element that is not there, or by a name", `const K = ["a"]; t(K[1]); t(K.a); t(K.length)`],
  ["a member of a text", `const K = "a"; t(K.b); t(K[0])`],
  ["in a comment or text", `// const KEY = "a"\nconst x = 'const KEY = "b"'; t(KEY)`],
];

describe("known", () => {
  test.each(cases)("%s", (_, source, keys) => {
    expect(constantValues(source)).toEqual(keys);
  });
});

describe("unknown", () => {
  test.each(unknown)("%s", (_, source) => {
    expect(new Set(constantValues(source))).toEqual(new Set(["*"]));
  });
});

test("treats spread values as unknown", () => {
  expect(constantValues(`const K = { a: "x.a", ...other }; t(K[y])`)).toEqual(["x.a", "*"]);
});

const places: readonly Case[] = [
  ["the place is the name's", "typescript", `const KEY = "a.b"; t(«KEY»)`, { keys: ["a.b"] }],
  [
    "a namespace of an object",
    "typescript",
    `const NS = { shop: "s" }; const { t } = useTranslation(NS.shop); t("«a»")`,
    { scopes: ["s|"] },
  ],
  [
    "in Vue, from the script",
    "vue",
    `<script setup>const KEYS = { a: "x.a" }</script><template>{{ $t(«KEYS.a») }}</template>`,
    { keys: ["x.a"] },
  ],
  [
    "variables of one name in two loops of Vue",
    "vue",
    `<script setup>const A = ["a"]; const B = ["b"]</script><template><b v-for="k in A">{{ $t(«k») }}</b><b v-for="k in B">{{ $t(«k») }}</b></template>`,
    { keys: ["a", "b"] },
  ],
  [
    "variables of one name in two loops of Svelte",
    "svelte",
    `<script>const A = ["a"]; const B = ["b"]</script>{#each A as k}{$_(«k»)}{/each}{#each B as k}{$_(«k»)}{/each}`,
    { keys: ["a", "b"], frameworks: ["svelte-i18n"] },
  ],
  [
    "in Svelte, from the script",
    "svelte",
    `<script>const KEY = "x.a"</script>{$_(«KEY»)}`,
    { keys: ["x.a"], frameworks: ["svelte-i18n"] },
  ],
];

test.each([
  [
    "v-for",
    "vue",
    `<script setup>const tabs = [{ title: "x.a" }, { title: "x.b" }]</script><template><b v-for="(tab, i) in tabs" :key="i">{{ $t(tab.title) }}</b><i v-for="{ title } of tabs">{{ t(title) }}</i></template>`,
  ],
  [
    "each",
    "svelte",
    `<script>const tabs = [{ title: "x.a" }, { title: "x.b" }]</script>{#each tabs as tab, i (i)}{$t(tab.title)}{/each}{#each tabs as { title }}{$t(title)}{/each}`,
  ],
])("resolves %s in a template", (_, language, source) => {
  expect(find(language, source).map(({ expression }) => expression)).toEqual(
    ["x.a", "x.b", "x.a", "x.b"].map((key) => ({ kind: "static", key })),
  );
});

describe("locations", () => {
  for (const given of places) test(given[0], () => check(given));
});

function constantValues(source: string): readonly string[] {
  return find("typescriptreact", source).map(({ expression }) =>
    expression.kind === "static" ? expression.key : `${expression.prefix}*${expression.suffix}`,
  );
}

test("the literal of each key is its own", () => {
  const source = `const A = "aa"; const B = A; t(B); const K = ["b", "ccc"]; K.map((k) => t(k)); for (const n in { "d": 1, ee: 2 }) t(n)`;
  expect(
    find("javascript", source).map(({ literalSpan }) => source.slice(literalSpan?.start, literalSpan?.end)),
  ).toEqual(["aa", "b", "ccc", "d", "ee"]);
});

test("reads a list of up to 200 keys", () => {
  const listOf = (count: number) =>
    find(
      "typescript",
      `const KEYS = [${Array.from({ length: count }, (_, at) => `"k${at}"`).join(", ")}]; KEYS.map((key) => t(key))`,
    );
  expect(listOf(200).filter(({ expression }) => expression.kind === "static")).toHaveLength(200);
  expect(listOf(201).map(({ expression }) => expression)).toEqual([
    { kind: "pattern", prefix: "", suffix: "" },
  ]);
});

test("reads up to 200 nested members", () => {
  const tableOf = (count: number) => {
    const members = Array.from({ length: count }, (_, at) => `m${at}: { a: "a${at}", b: "b${at}" }`);
    return find("typescript", `const T = { ${members.join(", ")} }; t(T[x][y])`);
  };
  expect(tableOf(100)).toHaveLength(200);
  expect(tableOf(101).map(({ expression }) => expression)).toEqual([
    { kind: "pattern", prefix: "", suffix: "" },
  ]);
});

test("reads shorthand properties as the constants that they name", () => {
  check([
    "options of a hook and of a call",
    "javascript",
    `const keyPrefix = "p"; const ns = "shop"; const { t } = useTranslation("x", { keyPrefix }); t("«a»", { ns })`,
    { scopes: ["shop|p"] },
  ]);
  check([
    "options that are passed in",
    "javascript",
    `const f = (keyPrefix) => { const { t } = useTranslation("x", { keyPrefix }); t("«a»") }`,
    { scopes: ["?|"] },
  ]);
  expect(
    find("javascript", `const id = "a"; formatMessage({ id })`).map((usage) => usage.literalSpan),
  ).toEqual([{ start: 12, end: 13 }]);
});
