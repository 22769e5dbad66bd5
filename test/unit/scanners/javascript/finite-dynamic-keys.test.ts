/** Keys that are made of a finite number of values, which the file shows by types, enums, objects and functions. */
import { describe, expect, test } from "vitest";
import { find } from "../marked.ts";
import { cpuTime } from "../../support/cpu-time.ts";

type Cases = readonly (readonly [title: string, source: string, keys: readonly string[]])[];

/** Returns the keys, and the patterns with `*`, of the usages in the source. */
function keysIn(source: string, language = "typescriptreact"): readonly string[] {
  return find(language, source).map(({ expression }) =>
    expression.kind === "static" ? expression.key : `${expression.prefix}*${expression.suffix}`,
  );
}

const types: Cases = [
  ["a union", "declare const s: 'a' | 'b'; t(`x.${s}`)", ["x.a", "x.b"]],
  ["a union over lines, whose signs end them", "type S = 'a' |\n  'b'\nlet s: S; t(s)", ["a", "b"]],
  ["the second element of a tuple", "let p: ['a', 'b']; t(p[1])", ["b"]],
  [
    "the names of a record, and of what an interface extends",
    "let k: keyof Record<'a' | 'b', 1>; t(k); interface A { c: 1 } interface B extends A { d: 2 } let l: keyof B; t(l)",
    ["a", "b", "d", "c"],
  ],
  [
    "nothing beside a text, and half a boolean",
    "let k: 'a' | never; t(k); let l: false | 'b'; t(`x.${l}`)",
    ["a", "x.false", "x.b"],
  ],
  [
    "a parameter behind the properties of a component",
    "const F: FC<{ s: 'a' }> = (p, { s }) => t(s); let G: FC<{ s: 'b' }> = async ({ s }) => t(s)",
    ["*", "b"],
  ],
  ["what sets a state", "const [s, setS] = useState<'a'>('a'); t(setS)", ["*"]],
  [
    "a constant whose type has a name, or is not known",
    "type K = 'a' | 'b'; const k: K = 'a'; t(k); const l: 'c' | L = f(); t(l)",
    ["a", "*"],
  ],
  ["a type parameter before another one", "function f<K extends 'a' | 'b', X>(k: K) { t(k) }", ["a", "b"]],
  [
    "names of members that are no words",
    "type P = { 'k-1': 'a'; \"k-2\": 'b' }; const f = (p: P) => { t(p['k-1']); t(p[\"k-2\"]) }",
    ["a", "b"],
  ],
  [
    "an interface that is declared twice",
    "interface P { s: 'a' } interface P { r: 'b' } const f = (p: P) => t(p.s)",
    ["*"],
  ],
  ["a union over lines", "let s:\n  | 'a'\n  | 'b'\nt(`x.${s}`)", ["x.a", "x.b"]],
  ["an alias", "type S = 'a' | 'b'; declare const s: S; t(`x.${s}.y`)", ["x.a.y", "x.b.y"]],
  ["an alias of an alias", "type R = 'b'; type S = 'a' | R\nlet s: S\nt(s)", ["a", "b"]],
  ["a parameter", "function f(s: 'a' | 'b') { t(`x.${s}`) }", ["x.a", "x.b"]],
  ["an optional parameter", "const f = (s?: 'a' | 'b', n = 1) => t(`x.${s}`)", ["x.a", "x.b"]],
  ["no value", "const f = (s: 'a' | undefined | null) => t(`x.${s}`)", ["x.a"]],
  ["any text", "const f = (s: 'a' | string, r: string) => t(`x.${s}`) + t(`y.${r}`)", ["x.*", "y.*"]],
  ["an unknown type", "const f = (s: Status) => t(`x.${s}`)", ["x.*"]],
  [
    "an unknown type beside a text",
    "const f = (s: 'a' | Kinds.Other, r: 'b' | (() => string)) => t(`x.${s}`) + t(`y.${r}`)",
    ["x.*", "y.*"],
  ],
  ["itself", "type S = S | 'a'; const f = (s: S) => t(`x.${s}`)", ["x.*"]],
  ["a boolean", "const f = (s: boolean) => t(`x.${s}`)", ["x.true", "x.false"]],
  ["a template", "type S = `${'a' | 'b'}.c`; const f = (s: S) => t(`x.${s}`)", ["x.a.c", "x.b.c"]],
  ["excluded values", "type S = Exclude<'a' | 'b' | 'c', 'b'>; const f = (s: S) => t(s)", ["a", "c"]],
  ["extracted values", "type S = Extract<'a' | 'b' | 'c', 'b' | 'c'>; const f = (s: S) => t(s)", ["b", "c"]],
  ["a type parameter", "function f<S extends 'a' | 'b'>(s: S) { t(`x.${s}`) }", ["x.a", "x.b"]],
  ["names of members", "const M = { a: 1, 'b-c': 2 }; let k: keyof typeof M; t(`x.${k}`)", ["x.a", "x.b-c"]],
  ["elements", "const L = ['a', 'b'] as const; let k: (typeof L)[number]; t(`x.${k}`)", ["x.a", "x.b"]],
  [
    "elements, without parentheses",
    "const L = ['a', 'b'] as const; type K = typeof L[number]\nlet k: K; t(k)",
    ["a", "b"],
  ],
  [
    "values of members",
    "const M = { A: 'a', B: 'b' } as const; type V = (typeof M)[keyof typeof M]; let v: V; t(v)",
    ["a", "b"],
  ],
  ["a member of a type", "interface P { s: 'a' | 'b' } let s: P['s']; t(s)", ["a", "b"]],
  [
    "a member of properties",
    "interface P { n: number; s: 'a' | 'b' } const f = (p: P) => t(p.s)",
    ["a", "b"],
  ],
  [
    "destructured properties",
    "type P = { s: 'a', r?: 'b' | 'c' }; function F({ s, r }: P) { t(s); t(r) }",
    ["a", "b", "c"],
  ],
  ["renamed properties", "const F = ({ s: r = 'a' }: { s?: 'a' | 'b' }) => t(r)", ["a", "b"]],
  [
    "properties with a type, in a function",
    "function F() { const { s, r }: { s: 'a'; r: () => 'b' } = f(); var { q }: { q: 'c' } = f(); t(s); t(q) }",
    ["a", "c"],
  ],
  ["a rest is not its first element", "const [a, ...r] = ['a', 'b']; t(a); t(r); t(r[0])", ["a", "*", "*"]],
  [
    "what Vue and Svelte hold",
    "const v = shallowRef<'a' | 'b'>('a'); t(v.value); const { s } = $props<{ s: 'c' }>(); t(s); const p = input<'d'>('d'); t(p())",
    ["a", "b", "c", "d"],
  ],
  ["a constant with a type over lines", "const k:\n  | 'a'\n  | 'b' = 'a'; t(k)", ["a", "b"]],
  ["the type argument of any function", "const k = f<'a'>(); t(k); const l = f<'b'>('c'); t(l)", ["*", "*"]],
  ["members of which one is missing", "const K = { a: 'x' }; for (const n of ['a', 'b']) t(K[n])", ["x"]],
  ["pairs in a list", "const L = [...Object.entries({ a: 'b' })]; for (const k of L) t(k)", ["*"]],
  [
    "what lists have beside their elements",
    "type T = ['a', 'b',]; const f = (l: T, k: keyof T, m: 'c'[], n: Array<'d'>, o: T[number]) => { t(l.length); t(k); t(m.length); t(n.length); t(o) }",
    ["*", "*", "*", "*", "a", "b"],
  ],
  [
    "a parameter that a comparison names as an index",
    "const L = ['a', 'b']; L.map((k) => { if (done[k] === true) return null; return t(`x.${k}`) })",
    ["x.a", "x.b"],
  ],
  [
    "the places of elements",
    "for (const k in ['a'].slice()) t(k); Object.keys(Object.values({ b: 'c' })).map((k) => t(k)); L?.filter(x).map((k) => t(k)); const L = ['d']",
    ["*", "*", "d"],
  ],
  [
    "types on lines of their own",
    "type L = Array<'a'>\ntype F = () =>\n  'b'\nlet l: L\nlet k: 'c'\nl.map((e) => t(e)); t(k)",
    ["a", "c"],
  ],
  [
    "members in arguments of types",
    "const F: FC<{ s: 'a'; r: 'b' }> = ({ s, r }) => t(s) + t(r); const f = (p: Required<{ s: 'c'; f: (x: [1]) => void }>) => t(p.s)",
    ["a", "b", "c"],
  ],
  [
    "the properties of components by their types, and of nothing else",
    "const F: NextPage<{ s: 'a' }> = ({ s }) => t(s); const G: Handler<{ s: 'b' }> = ({ s }) => t(s); const H: React.ComponentType<{ s: 'c' }> = ({ s }) => t(s)",
    ["a", "*", "c"],
  ],
  [
    "members with names that are in others",
    "interface P { readonly: 'a'; only: 'b'; r: 'c' } interface Pr extends P { x: 1 } const f = (p: Pr) => { t(p.r); t(p.only); t(p.readonly) }",
    ["c", "b", "a"],
  ],
  [
    "types of what is computed, omitted, deeply read-only or a condition",
    "type C = F<'a'> extends X ? 'b' : 'c'; const f = (a: ComputedRef<'a'>, b: Omit<{ k: 'b' }, 'l'>, c: C, d: DeepReadonly<{ k: 'd' }>) => { t(a); t(b.k); t(c); t(d.k) }",
    ["a", "b", "*", "d"],
  ],
  [
    "a constant type parameter, and one with a default",
    "function f<const K extends 'a' | 'b' = 'a'>(k: K) { t(k) } function g<X, K extends 'c'>(k: K) { t(k) }",
    ["a", "b", "c"],
  ],
  [
    "the first of two type arguments",
    "const [s] = useState<'a', 'b'>(); t(s); const r = useRef<Record<'x', 'c'>>({}); t(r.current.x)",
    ["a", "c"],
  ],
  [
    "what functions with type parameters return, and no generator",
    "const f = <T,>(x: T) => 'a'; t(f(1)); const h = function* () { return 'no' }; t(h()); function g<T>(x: T) { if (!x) return; return 'b' } t(g(1))",
    ["a", "*", "b"],
  ],
  [
    "the two parts of a pair",
    "for (const [k, v, w] of Object.entries({ a: 'b' })) { t(k); t(v); t(w) }",
    ["a", "b", "*"],
  ],
  ["a space before type arguments", "let l: Array <'a'>; l.map((k) => t(k))", ["a"]],
  ["a read-only list", "const f = (l: readonly ('a' | 'b')[]) => l.map((k) => t(k))", ["a", "b"]],
  ["a type over lines", "type P =\n  & { s: 'a' }\n  & Q\nconst F = ({ s }: P) => t(s)", ["a"]],
  [
    "a list in another order",
    "const L = ['b', 'a']; L.toReversed().map((k) => t(k)); L.slice(1).map((k) => t(k)); L.toSorted().map((k) => t(k))",
    ["b", "a", "b", "a", "b", "a"],
  ],
  ["nested properties", "interface P { o: { s: 'a' } } const F = ({ o: { s } }: P) => t(s)", ["a"]],
  [
    "inherited properties",
    "interface Q { s: 'a' } interface P extends Q, R { n: 1 } const F = ({ s }: P) => t(s)",
    ["a"],
  ],
  ["combined properties", "type P = Q & { s: 'a' | 'b' }; const F = ({ s }: P) => t(s)", ["a", "b"]],
  ["the type of a component", "const F: React.FC<{ s: 'a' | 'b' }> = ({ s }) => <b>{t(s)}</b>", ["a", "b"]],
  ["outside of the function", "const F = ({ s }: { s: 'a' }) => t(s); t(s)", ["a", "*"]],
  ["elements of a typed list", "const f = (l: { s: 'a' | 'b' }[]) => l.map(({ s }) => t(s))", ["a", "b"]],
  [
    "elements of a list of a type",
    "const f = (l: Array<P>) => l.forEach((p) => t(p.s)); interface P { s: 'a' }",
    ["a"],
  ],
  ["elements of what is fetched", "const l: ('a' | 'b')[] = load(); for (const k of l) t(k)", ["a", "b"]],
  ["a tuple", "let p: ['a' | 'b', number]; t(p[0])", ["a", "b"]],
  ["a record", "let r: Record<string, 'a' | 'b'>; t(r[x])", ["a", "b"]],
  ["a state", "const [s, setS] = useState<'a' | 'b'>('a'); t(`x.${s}`)", ["x.a", "x.b"]],
  [
    "a state of an alias",
    "type S = 'a' | 'b'; const [s] = React.useState<S | null>(null); t(`x.${s}`)",
    ["x.a", "x.b"],
  ],
  ["a state without a type", "const [s, setS] = useState('a'); t(`x.${s}`)", ["x.*"]],
  ["an assertion", "t(x as 'a' | 'b'); t(`x.${y as S}`); type S = 'c'", ["a", "b", "x.c"]],
  ["a narrowing assertion", "const f = (s: 'a' | 'b' | 'c') => t(`x.${s as 'a' | 'b'}`)", ["x.a", "x.b"]],
  ["satisfies", "const s = 'a'; t(s satisfies 'a' | 'b')", ["a"]],
  [
    "a value rather than its type",
    "const M: Record<string, string> = { a: 'x' }; t(M.a); const l: string[] = ['b']; l.map((k) => t(k))",
    ["x", "b"],
  ],
];

const values: Cases = [
  [
    "lists with type arguments",
    "for (const k of new Set<string>(['a', 'b'])) t(k); Object.values<string>({ c: 'd' }).map((k) => t(k))",
    ["a", "b", "d"],
  ],
  [
    "the results of a switch, and of a computed value that is called",
    "function f(x) { switch (x) { case 1: return 'a'; default: return 'b' } } t(f(1)); const k = computed(() => x ? 'c' : 'd'); t(k())",
    ["a", "b", "c", "d"],
  ],
  [
    "names and values of an object with another one in it",
    "const A = { a: 'x' }; const B = { ...A, b: 'y' }; Object.keys(B).map((k) => t(k)); Object.values(B).map((k) => t(k))",
    ["a", "b", "x", "y"],
  ],
  ["an enum as a type", "enum S { A = 'a', B = 'b' } const f = (s: S) => t(`x.${s}`)", ["x.a", "x.b"]],
  ["an enum with a value", "enum S { A = 'a', B = 'b' } const s: S = S.A; t(`x.${s}`)", ["x.a", "x.b"]],
  ["members of an enum", "enum S { A = 'a', B = 'b' } const f = (s: S.A) => t(`x.${s}`)", ["x.a"]],
  ["an enum of numbers", "enum S { A, B = 1 } const f = (s: S) => t(`x.${s}`)", ["x.*"]],
  ["all values of an enum", "enum S { A = 'a', B = 'b' } Object.values(S).map((s) => t(s))", ["a", "b"]],
  [
    "the members that a key names",
    "const M = { a: 'x', b: 'y', c: 'z' }; const f = (k: 'a' | 'b') => t(M[k])",
    ["x", "y"],
  ],
  [
    "by members of an enum",
    "enum S { A = 'a', B = 'b' } const M = { [S.A]: 'x', [S.B]: 'y' }; t(M[S.B])",
    ["y"],
  ],
  ["names", "const M = { a: 1, b: 2 }; Object.keys(M).map((k) => t(`x.${k}`))", ["x.a", "x.b"]],
  [
    "indexes",
    "const L = ['a', 'b']; Object.keys(L).map((i) => t(`x.${i}`)); for (const i in ['a']) t(`y.${i}`)",
    ["x.*", "y.*"],
  ],
  [
    "names, asserted",
    "const M = { a: 1, b: 2 }; (Object.keys(M) as (keyof typeof M)[]).forEach((k) => t(k))",
    ["a", "b"],
  ],
  [
    "names in a loop",
    "const M = { a: 'x' }; for (const k in M) { t(k); t(M[k]) } for (const k of Object.keys(M)) t(k)",
    ["a", "x", "a"],
  ],
  [
    "pairs",
    "const M = { a: 'x' } as const; for (const [k, v] of Object.entries(M)) { t(k); t(v) }",
    ["a", "x"],
  ],
  ["a filtered list", "const L = ['a', 'b']; L.filter(isOn).slice(1).map((k) => t(k))", ["a", "b"]],
  [
    "a spread list",
    "const L = ['a']; const M = [...L, 'b'] as const; M.map((k) => t(k)); [...L].map((k) => t(k))",
    ["a", "b", "a"],
  ],
  ["a spread object", "const K = { a: 'x' }; const M = { ...K, b: 'y' }; t(M.a); t(M.b)", ["x", "y"]],
  ["what is taken out", "const M = { a: 'x' }; const { a } = M; const [b] = ['y']; t(a); t(b)", ["x", "y"]],
  [
    "a result with a type",
    "function f(): 'a' | 'b' { return g() } t(f()); const h = (): 'c' => g(); t(h())",
    ["a", "b", "c"],
  ],
  [
    "a result without a type",
    "function f(x) { if (x) { return 'a' } return x ? 'b' : 'c' } t(`x.${f(1)}`)",
    ["x.a", "x.b", "x.c"],
  ],
  ["a result in a constant", "const f = () => 'a'; const k = f(); t(`x.${k}`)", ["x.a"]],
  [
    "a result of any text",
    "function f(): string { return 'a' } t(f()); const g = () => { h(() => { return 'a' }) }; t(g())",
    ["*", "*"],
  ],
  ["a result that is not known", "function f(x) { if (x) return x; return 'a' } t(f())", ["*", "a"]],
  ["a remembered list", "const l = useMemo(() => ['a', 'b'], []); l.map((k) => t(k))", ["a", "b"]],
  ["lower case", "enum S { A = 'ONE' } const f = (s: S) => t(`x.${s.toLowerCase()}`)", ["x.one"]],
  ["numbers and booleans", "t(`x.${y ? 5 : false}`)", ["x.5", "x.false"]],
  ["a fallback", "const f = (s?: 'a' | 'b') => t(`x.${s ?? 'c'}`)", ["x.a", "x.b", "x.c"]],
  [
    "a selector of two members",
    "const f = (k: 'a' | 'b', l: 'c' | 'd') => t(($) => $[k][l])",
    ["a.c", "a.d", "b.c", "b.d"],
  ],
  ["a selector", "const f = (k: 'a' | 'b') => t(($) => $.x[k].y)", ["x.a.y", "x.b.y"]],
];

const components: Cases = [
  [
    "a setup script",
    "<script setup lang='ts'>const p = defineProps<{ s: 'a' | 'b' }>()</script><template>{{ $t(`x.${p.s}`) }}</template>",
    ["x.a", "x.b"],
  ],
  [
    "defaults",
    "<script setup lang='ts'>const p = withDefaults(defineProps<{ s?: 'a' }>(), { s: 'a' })</script><template>{{ $t(p.s) }}</template>",
    ["a"],
  ],
  [
    "a reference",
    "<script setup lang='ts'>const s = ref<'a' | 'b'>('a'); t(s.value)</script><template>{{ $t(`x.${s}`) }}</template>",
    ["a", "b", "x.a", "x.b"],
  ],
];

describe("types", () => {
  test.each(types)("%s", (_, source, keys) => expect(keysIn(source, "typescript")).toEqual(keys));
});

describe("values", () => {
  test.each(values)("%s", (_, source, keys) => expect(keysIn(source)).toEqual(keys));
});

describe("Vue", () => {
  test.each(components)("%s", (_, source, keys) => expect(keysIn(source, "vue")).toEqual(keys));
});

test("in Svelte", () => {
  const source =
    "<script lang='ts'>let { s }: { s: 'a' | 'b' } = $props(); let k: 'c' = 'c'</script>{t(`x.${s}`)}{t(k)}";
  expect(keysIn(source, "svelte")).toEqual(["x.a", "x.b", "c"]);
});

test("values of a type may be excluded by the code, unlike those of constants", () => {
  const source =
    "const f = (s: 'a') => t(`x.${s}`); const L = ['b']; L.map((k) => t(k)); enum S { A = 'c' } t(S.A)";
  expect(find("typescript", source).map(({ isUncertain }) => isUncertain ?? false)).toEqual([
    true,
    false,
    false,
  ]);
});

test("what a type of a template allows may not occur", () => {
  const source = "type S = `a.${'b' | 'c'}`; const f = (s: S) => t(s)";
  expect(keysIn(source, "typescript")).toEqual(["a.b", "a.c"]);
  expect(find("typescript", source).map(({ isUncertain }) => isUncertain)).toEqual([true, true]);
});

test("a literal is only changed where nothing else passes it", () => {
  const source = "type S = 'a'; const f = (s: S) => t(s); const k: 'b' | 'c' = 'b'; t(k)";
  expect(find("typescript", source).map(({ literalSpan }) => literalSpan)).toEqual([
    undefined,
    { start: source.lastIndexOf("'b'") + 1, end: source.lastIndexOf("'b'") + 2 },
    undefined,
  ]);
});

test("more values than any real type has are a pattern", () => {
  const union = (count: number): string =>
    Array.from({ length: count }, (_, index) => `'k${index}'`).join(" | ");
  expect(keysIn(`const f = (s: ${union(100)}) => t(\`x.\${s}\`)`, "typescript")).toHaveLength(100);
  expect(keysIn(`const f = (s: ${union(101)}) => t(\`x.\${s}\`)`, "typescript")).toEqual(["x.*"]);
});

test("types that branch without end take little time", () => {
  const aliases = Array.from(
    { length: 40 },
    (_, index) => `type T${index} = [T${index + 1}[0], T${index + 1}[0]]`,
  );
  const source = `${aliases.join("\n")}\nlet x: T0; ${"t(x[0]); ".repeat(100)}`;
  const start = cpuTime();
  expect(new Set(keysIn(source, "typescript"))).toEqual(new Set(["*"]));
  // Following every branch would take years.
  expect(cpuTime() - start).toBeLessThan(10_000);
});
