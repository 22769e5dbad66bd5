/** Keys that are made of values which other files export. */
import { afterEach, describe, expect, test, vi } from "vitest";
import type { UsageRepository } from "../../../../src/database/key-usage-repository.ts";
import type { UsageIndexer } from "../../../../src/workspace/usages/usage-indexer.ts";
import { importsOf } from "../../../../src/workspace/usages/imported-modules.ts";
import { NO_TEXTS, SourceFolder, usageOptions } from "../../support/source-folder.ts";

const OPTIONS = usageOptions("i18next");
let folder: SourceFolder;

afterEach(() => {
  folder.dispose();
});

interface Opened {
  readonly usages: UsageRepository;
  readonly indexer: UsageIndexer;
}

async function indexed(files: Readonly<Record<string, string>>): Promise<Opened> {
  folder = new SourceFolder(files);
  const { database, usages } = folder.open();
  const indexer = folder.indexer(database);
  await indexer.update(OPTIONS, NO_TEXTS);
  return { usages, indexer };
}

/** Returns the names that the code uses, and its patterns. */
function keysIn(usages: UsageRepository, ...names: readonly string[]): readonly string[] {
  const isUsed = (key: string): boolean =>
    usages.countUsagesOfName({ namespace: "translation", key, context: null }) > 0;
  return [...names.filter(isUsed), ...usages.unmatchedPatterns().map(({ pattern }) => pattern)];
}

describe("members of what other files export", () => {
  /** 600 members with texts, more than are read of a whole value. */
  const many = Array.from({ length: 600 }, (_, index) => `m${index}: "all.m${index}"`).join(", ");

  test("of a large object", async () => {
    const { usages } = await indexed({
      "keys.ts": `export const K = { page: { ${many} } }; export default K;`,
      "a.ts": `import { K } from "./keys"; import * as all from "./keys"; import D from "./keys"; t(K.page.m7); t(all.K.page.m8); t(D.page.m9);`,
    });
    expect(keysIn(usages, "all.m7", "all.m8", "all.m9", "all.m10")).toEqual(["all.m7", "all.m8", "all.m9"]);
  });

  test("of the result of a function that passes them on", async () => {
    const { usages } = await indexed({
      "labels.ts": `export const labels: Record<string, string> = { ${many} };`,
      "use-labels.ts": `import { labels } from "./labels"; export function useLabels() { const t = useTranslation(); return { t, labels }; }`,
      "hooks.ts": `export * from "./other"; export * from "./use-labels";`,
      "other.ts": `export const other = 1;`,
      "a.ts": `import { useLabels } from "./hooks"; function A() { const { labels } = useLabels(); return t(labels.m7) + t(labels.none); }`,
    });
    // The last member is in no object.
    expect(keysIn(usages, "all.m7", "all.m8")).toEqual(["all.m7", "*"]);
  });

  test("of fields that are not assigned again", async () => {
    const { usages } = await indexed({
      "keys.ts": `export class Keys { static readonly PAGE = { title: "page.title" }; static OTHER = "page.other"; mutable = "page.mutable"; }`,
      "a.ts": `import { Keys } from "./keys"; class A { readonly tabs = ["tab.a", "tab.b"] as const; label = "tab.c"; draw() { t(Keys.PAGE.title); t(Keys.OTHER); this.tabs.map((tab) => t(tab)); t(this.label); t(this.tabs[0]); } }`,
    });
    const names = ["page.title", "page.other", "page.mutable", "tab.a", "tab.b", "tab.c"];
    // The last pattern is the field that may be assigned again.
    expect(keysIn(usages, ...names)).toEqual(["page.title", "page.other", "tab.a", "tab.b", "*"]);
  });

  test("of components of one file", async () => {
    const { usages } = await indexed({
      "Tabs.vue": `<script lang="ts">\nexport const TABS = ["tab.a", "tab.b"] as const;\n</script>\n<template><p>const TABS = [];</p></template>`,
      "Tabs.svelte": `<script context="module">export const KEY = "tab.c";</script>`,
      "a.ts": `import { TABS } from "./Tabs.vue"; import { KEY } from "./Tabs.svelte"; for (const tab of TABS) t(tab); t(KEY);`,
    });
    expect(keysIn(usages, "tab.a", "tab.b", "tab.c")).toEqual(["tab.a", "tab.b", "tab.c"]);
  });

  test("in components", async () => {
    const { usages } = await indexed({
      "keys.ts": `export const A = "tab.a"; export const B = "tab.b"; export const C = "tab.c";`,
      "A.svelte": `<script>import { A } from "./keys";</script><p>{t(A)}</p>`,
      "B.astro": `---\nimport { B } from "./keys";\n---\n<p>{t(B)}</p>`,
      "C.vue": `<script setup>import { C } from "./keys";</script><template><p>{{ t(C) }}</p></template>`,
    });
    expect(keysIn(usages, "tab.a", "tab.b", "tab.c")).toEqual(["tab.a", "tab.b", "tab.c"]);
  });

  test("by the paths of the configurations that a solution lists", async () => {
    const { usages } = await indexed({
      "tsconfig.json": `{ "files": [], "references": [{ "path": "./tsconfig.app.json" }, { "path": "./tsconfig.spec.json" }] }`,
      "tsconfig.app.json": `{ "compilerOptions": { "paths": { "@/*": ["./src/*"] } } }`,
      "tsconfig.spec.json": `{}`,
      "src/keys.ts": `export const KEY = "tab.a";`,
      "src/deep/a.ts": `import { KEY } from "@/keys"; t(KEY);`,
    });
    expect(keysIn(usages, "tab.a")).toEqual(["tab.a"]);
  });

  test("of a component, in its template", async () => {
    folder = new SourceFolder({
      "keys.ts": `const T = { page: { ${many} }, a: { b: "page.ab" } }; export { T };`,
      "a.component.ts": `import { T } from "./keys";\n@Component({ templateUrl: "./a.component.html" })\nexport class A {\n  T: typeof T = T;\n  title = "page.title";\n  readonly label = "page.label";\n}`,
      "a.component.html": `<p>{{ T.page.m7 | translate }}</p><b [title]="T.a.b | translate">{{ title | translate }}{{ label | translate }}</b>`,
      "b.component.ts": `import { T } from "./keys";\n@Component({ template: \`{{ T.page.m8 | translate }}\` })\nexport class B { readonly T = T; }`,
    });
    const { database, usages } = folder.open();
    const indexer = folder.indexer(database);
    const options = usageOptions("ngx-translate");
    await indexer.update(options, NO_TEXTS);
    const used = (): readonly string[] =>
      ["all.m7", "all.m8", "page.ab", "page.label", "page.title", "page.new"].filter(
        (key) => usages.countUsagesOfName({ namespace: "*", key, context: null }) > 0,
      );
    expect(used()).toEqual(["all.m7", "all.m8", "page.ab", "page.label"]);
    // The template depends on what the component imports.
    folder.write("keys.ts", `export const T = { a: { b: "page.new" } };`);
    later();
    await indexer.update(options, NO_TEXTS);
    expect(used()).toEqual(["page.label", "page.new"]);
  });
});

/** Files that are just written are read again, so it is some time later. */
function later(): void {
  const now = Date.now();
  vi.spyOn(Date, "now").mockReturnValue(now + 60_000);
}

const CASES: readonly (readonly [
  title: string,
  files: Readonly<Record<string, string>>,
  keys: readonly string[],
])[] = [
  [
    "an array",
    {
      "src/a.ts": "import { L } from './b'; L.map((k) => t(`x.${k}`))",
      "src/b.ts": "export const L = ['a', 'b'] as const",
    },
    ["x.a", "x.b"],
  ],
  [
    "an object",
    {
      "src/a.ts": "import { M as N } from '../c/d'; t(N.k); t(N[y])",
      "c/d.js": "export const M = { k: 'x.a', l: 'x.b' }",
    },
    ["x.a", "x.b"],
  ],
  [
    "an enum, as value and type",
    {
      "src/a.ts": "import { S } from './b'; t(S.A); const f = (s: S) => t(`x.${s}`)",
      "src/b.ts": "export enum S { A = 'a', B = 'b' }",
    },
    ["a", "x.a", "x.b"],
  ],
  [
    "types",
    {
      "src/a.tsx": "import type { P, S } from '@/b'; const F = ({ s }: P) => t(`x.${s}`); let r: S; t(r)",
      "src/b.d.ts":
        "type Q = 'a' | 'b'; export interface P { s: Q } export type S = (typeof L)[number]; export declare const L: readonly ['c']",
      "tsconfig.json": '{ /* x */ "compilerOptions": { "paths": { "@/*": ["./src/*"] }, } }',
    },
    ["x.a", "x.b", "c"],
  ],
  [
    "values of a folder's own module, from in it and from below",
    {
      "src/a.ts": "import { K } from '.'; t(K)",
      "src/deep/b.ts": "import { L } from '..'; t(L)",
      "src/index.ts": "export const K = 'a'; export const L = 'b'",
    },
    ["a", "b"],
  ],
  [
    "values by a path with an end",
    {
      "src/a.ts":
        "import { K } from 'app/cart/keys'; t(K); import { L } from 'app/cart/more'; t(`l.${L}`); import { M } from 'app/keys'; t(`m.${M}`)",
      "src/cart/k.ts": "export const K = 'a'; export const L = 'b'",
      "src/k.ts": "export const M = 'c'",
      "tsconfig.json": '{ "compilerOptions": { "paths": { "app/*/keys": ["./src/*/k"] } } }',
    },
    ["a", "l.*", "m.*"],
  ],
  [
    "values by the first path where there is a module",
    {
      "src/a.ts": "import { K } from '@/keys'; t(K)",
      "src/keys.ts": "export const K = 'a'",
      "tsconfig.json": '{ "compilerOptions": { "paths": { "@/*": ["./generated/*", "./src/*"] } } }',
    },
    ["a"],
  ],
  [
    "what two modules on the way export from another one, but not three",
    {
      "a.ts": "import { K } from './b'; t(K); import { L } from './b'; t(L)",
      "b.ts": "export * from './c'",
      "c.ts": "export * from './d'",
      "d.ts": "export const K = 'a'; export { L } from './e'",
      "e.ts": "export const L = 'b'",
    },
    ["a", "*"],
  ],
  [
    "what is near enough, also where another file is too far away",
    {
      "a.ts": "import { L } from './b'; t(L)",
      "b.ts": "export * from './c'",
      "c.ts": "export * from './d'",
      "d.ts": "export { L } from './e'",
      "e.ts": "export const L = 'b'",
      "f.ts": "import { L } from './c'; t(`x.${L}`)",
    },
    ["x.b", "*"],
  ],
  [
    "a value and a type of one name",
    {
      "src/a.ts": "import { S } from './b'; t(S); const f = (s: S) => t(`x.${s}`)",
      "src/b.ts": "export const S = 'c'; export type S = 'a' | 'b'",
    },
    ["c", "x.a", "x.b"],
  ],
  [
    "values by paths below the base folder",
    {
      "src/a.ts": "import { K } from '@/keys'; t(K)",
      "src/lib/keys.ts": "export const K = 'a'",
      "lib/keys.ts": "export const K = 'b'",
      "tsconfig.json": '{ "compilerOptions": { "baseUrl": "./src", "paths": { "@/*": ["lib/*"] } } }',
    },
    ["a"],
  ],
  [
    "values by the paths of the first configuration that a solution lists",
    {
      "src/a.ts": "import { K } from '@/keys'; t(K)",
      "src/keys.ts": "export const K = 'a'",
      "test/keys.ts": "export const K = 'b'",
      "app.json": '{ "compilerOptions": { "paths": { "@/*": ["./src/*"] } } }',
      "spec.json": '{ "compilerOptions": { "paths": { "@/*": ["./test/*"] } } }',
      "tsconfig.json": '{ "references": [{ "path": "app.json" }, { "path": "./spec.json" }, { "path": 1 }] }',
    },
    ["a"],
  ],
  [
    "values by the paths of a base before one without any, but not of its own list that is empty",
    {
      "src/a.ts": "import { K } from '@/keys'; t(K)",
      "src/keys.ts": "export const K = 'a'",
      "src/deep/b.ts": "import { K } from '@/keys'; t(`x.${K}`)",
      "src/deep/tsconfig.json": '{ "extends": "../../tsconfig.json", "compilerOptions": { "paths": {} } }',
      "one.json": '{ "compilerOptions": { "paths": { "@/*": ["./src/*"] } } }',
      "two.json": '{ "compilerOptions": { "paths": {}, "baseUrl": 3 } }',
      "tsconfig.json": '{ "extends": ["./one.json", "./two.json", "./none.json"] }',
    },
    ["a", "x.*"],
  ],
  [
    "nothing by the paths of a base that is a package",
    {
      "src/a.ts": "import { K } from '@/keys'; t(K)",
      "src/keys.ts": "export const K = 'a'",
      "base.json": '{ "compilerOptions": { "paths": { "@/*": ["./src/*"] } } }',
      "tsconfig.json": '{ "extends": "base.json" }',
    },
    ["*"],
  ],
  [
    "values by a jsconfig, where there is no tsconfig",
    {
      "src/a.js": "import { K } from 'keys'; t(K)",
      "src/keys.js": "export const K = 'a'",
      "jsconfig.json": '{ "compilerOptions": { "baseUrl": "src" } }',
    },
    ["a"],
  ],
  [
    "values by a path that stands for one module",
    {
      "src/a.ts": "import { K } from 'keys'; import { K as L } from 'keys/more'; t(K); t(L)",
      "lib/k.ts": "export const K = 'a'",
      "tsconfig.json": '{ "compilerOptions": { "paths": { "keys": ["./lib/k.ts"] } } }',
    },
    ["a", "*"],
  ],
  [
    "values by a base folder, inherited",
    {
      "app/src/a.ts": "import { K } from 'lib/keys'; t(K)",
      "app/src/lib/keys.ts": "export const K = 'a'",
      "app/tsconfig.json": '{ "extends": "../base" }',
      "base.json": '{ "compilerOptions": { "baseUrl": "app/src" } }',
    },
    ["a"],
  ],
  [
    "values by the paths of the last of several bases",
    {
      "src/a.ts": "import { K } from '@/keys'; t(K)",
      "one/keys.ts": "export const K = 'a'",
      "two/keys.ts": "export const K = 'b'",
      "one.json": '{ "compilerOptions": { "paths": { "@/*": ["./one/*"] } } }',
      "two.json": '{ "compilerOptions": { "paths": { "@/*": ["./two/*"] } } }',
      "tsconfig.json": '{ "extends": ["./one.json", "./two.json"] }',
    },
    ["b"],
  ],
  [
    "an index file that exports from others",
    {
      "src/a.ts": "import { K, L } from './keys'; t(K); t(L)",
      "src/keys/index.ts": "export * from './k'; export { M as L } from './m.js'",
      "src/keys/k.ts": "export const K = 'a'",
      "src/keys/m.ts": "const M = 'b'; export { M }",
    },
    ["a", "b"],
  ],
  [
    "everything, and the default",
    {
      "src/a.vue":
        "<script setup lang='ts'>import * as C from './b'; import M from './b'</script><template>{{ $t(C.K) }}{{ $t(M.k) }}</template>",
      "src/b.ts": "export const K = 'a'; export default { k: 'b' }",
    },
    ["a", "b"],
  ],
  [
    "results of functions",
    {
      "src/a.ts": "import { f, g } from './b'; t(f(x)); t(g())",
      "src/b.ts": "export function f(x): 'a' | 'b' { return h(x) }\nexport const g = () => 'c'",
    },
    ["a", "b", "c"],
  ],
  [
    "what a module itself imports",
    {
      "src/a.ts": "import { M } from './b'; t(M.a)",
      "src/b.ts": "import { P } from './c'; export const M = { a: `${P}.a` }",
      "src/c.ts": "export const P = 'x'",
    },
    ["x.a"],
  ],
  [
    "a namespace",
    {
      "src/a.ts": "import { NS } from './b'; const { t: tr } = useTranslation(NS); tr('a')",
      "src/b.ts": "export const NS = ['translation', 'other'] as const",
    },
    ["a"],
  ],
  [
    "a default that is a text",
    { "src/a.ts": "import K from './b'; t(K)", "src/b.ts": "export default 'a'" },
    ["a"],
  ],
  [
    "the name of a member",
    {
      "src/a.ts": "import { N, L } from './b'; const M = { x: 'a', y: 'b', z: 'c' }; t(M[N]); t(M[L[0]])",
      "src/b.ts": "export const N = 'x'; export const L = ['y']",
    },
    ["a", "b"],
  ],
  [
    "members of what an arrow function and a default function return",
    {
      "src/a.ts":
        "import make, { use } from './b'; function A() { const { l } = use(); t(l.k) } function B() { const { n } = make(); t(n) }",
      "src/b.ts":
        "export const use = () => { return { l: { k: 'a', m: 'c' } } }; export default () => ({ n: 'b', o: 'c' })",
    },
    ["a", "b"],
  ],
  [
    "nothing whose name is declared again",
    {
      "src/a.ts":
        "import { M } from './b'; import * as C from './b'; const f = (C) => t(C.K); function g() { const M = { k: 'a' }; t(M.k) }",
      "src/b.ts": "export const K = 'b'; export const M = { k: 'c' }",
    },
    ["a", "*"],
  ],
  [
    "nothing that is not finite",
    {
      "src/a.ts":
        "import { k, L, N } from './b'; import { M } from 'package'; import { O } from '../../o'; t(k); t(L[0]); t(M.a); t(N); t(O)",
      "src/b.ts": "export let k = 'a'; export const L = [h()]; import { N } from './a'; export { N }",
    },
    ["*"],
  ],
  [
    "what stands behind elements, or a type in their brackets",
    {
      "src/a.ts":
        "import { K } from './b'; import { L } from './c'; import { M } from './d'; t(K); t(L); t(`x.${M}`)",
      "src/b.tsx": "export const B = () => <p>Press ` for more</p>; export const K = 'a'",
      "src/c.js": "export const C = () => <p>Press ` for more</p>; export const L = 'b'",
      "src/d.ts": "export const D = <string>f('x'); export const M = 'a'",
    },
    ["a", "b", "x.a"],
  ],
  [
    "not a declaration of the file itself",
    {
      "src/a.ts": "import { K } from './b'; const f = (K: string) => t(K); t(K)",
      "src/b.ts": "export const K = 'a'",
    },
    ["a", "*"],
  ],
];

describe("imports", () => {
  test.each(CASES)("%s", async (_, files, keys) => {
    const { usages } = await indexed(files);
    expect(keysIn(usages, "a", "b", "c", "x.a", "x.b").toSorted()).toEqual(keys.toSorted());
  });
});

const FILES = {
  "src/a.ts": "import { K } from '@/keys'; t(K)",
  "src/keys.ts": "export const K = 'a'",
  "tsconfig.json": '{ "compilerOptions": { "paths": { "@/*": ["./src/*"] } } }',
};

describe("when a module changes", () => {
  test("a configuration that the nearest one extends counts, too", async () => {
    later();
    const mapped = (to: string): string => `{ "compilerOptions": { "paths": { "@/*": ["./${to}/*"] } } }`;
    const { usages, indexer } = await indexed({
      ...FILES,
      "other/keys.ts": "export const K = 'b'",
      "tsconfig.json": '{ "extends": "./base.json" }',
      "base.json": mapped("src"),
    });
    expect(keysIn(usages, "a", "b")).toEqual(["a"]);
    folder.write("base.json", mapped("other"));
    await indexer.update(OPTIONS, NO_TEXTS);
    expect(keysIn(usages, "a", "b")).toEqual(["b"]);
  });

  test("the files that depend on it are scanned again", async () => {
    const { usages, indexer } = await indexed(FILES);
    folder.write("src/keys.ts", "export const K = 'b'");
    await indexer.updateFiles(["src/keys.ts"], OPTIONS, NO_TEXTS);
    expect(keysIn(usages, "a", "b")).toEqual(["b"]);
    folder.remove("src/keys.ts");
    await indexer.updateFiles(["src/keys.ts"], OPTIONS, NO_TEXTS);
    expect(keysIn(usages, "a", "b")).toEqual(["*"]);
    folder.write("src/keys/index.ts", "export const K = 'a'");
    await indexer.updateFiles(["src/keys/index.ts"], OPTIONS, NO_TEXTS);
    expect(keysIn(usages, "a", "b")).toEqual(["a"]);
    folder.write("src/a.ts", "t('b')");
    await indexer.updateFiles(["src/a.ts"], OPTIONS, NO_TEXTS);
    expect(usages.dependencies().size).toBe(0);
  });

  test("the files that depend on it through another module are scanned again", async () => {
    const { usages, indexer } = await indexed({
      "src/a.ts": "import { L } from './b'; t(L)",
      "src/b.ts": "import { K } from './keys'; export const L = K",
      "src/keys.ts": FILES["src/keys.ts"],
    });
    expect(keysIn(usages, "a", "b")).toEqual(["a"]);
    folder.write("src/keys.ts", "export const K = 'b'");
    await indexer.updateFiles(["src/keys.ts"], OPTIONS, NO_TEXTS);
    expect(keysIn(usages, "a", "b")).toEqual(["b"]);
  });

  test("the files that import its folder are scanned again", async () => {
    const importing = (specifier: string, name: string): string =>
      `import { K } from "${specifier}"; t(\`${name}.\${K}\`)`;
    const { usages, indexer } = await indexed({
      "index.ts": "export const K = 'x'",
      "a.ts": importing(".", "a"),
      "b.ts": importing("./", "b"),
      "src/c.ts": importing("..", "c"),
      "src/d.ts": importing("../", "d"),
      "src/e.ts": importing("./index.js", "e"),
      "src/deep/f.ts": importing("..", "f"),
      "src/deep/g.ts": importing("../", "g"),
      "src/index.ts": "export const K = 'x'",
    });
    const names = ["a", "b", "c", "d", "e", "f", "g"];
    const keys = (last: string): readonly string[] => names.map((name) => `${name}.${last}`);
    expect(keysIn(usages, ...keys("x"))).toEqual(keys("x"));
    for (const path of ["index.ts", "src/index.ts"]) folder.write(path, "export const K = 'y'");
    await indexer.updateFiles(["index.ts", "src/index.ts"], OPTIONS, NO_TEXTS);
    expect(keysIn(usages, ...keys("x"), ...keys("y"))).toEqual(keys("y"));
  });

  test("the next check of all files finds it, and scans nothing else", async () => {
    const { usages, indexer } = await indexed({ ...FILES, "src/other.ts": "t('b')" });
    later();
    await indexer.update(OPTIONS, NO_TEXTS);
    folder.reads = [];
    folder.write("src/keys.ts", "export const K = 'longer'");
    await indexer.update(OPTIONS, NO_TEXTS);
    expect(keysIn(usages, "a", "longer")).toEqual(["longer"]);
    expect(new Set(folder.reads)).toEqual(new Set(["src/keys.ts", "src/a.ts", "tsconfig.json"]));
    later();
    await indexer.update(OPTIONS, NO_TEXTS);
    folder.reads = [];
    await indexer.update(OPTIONS, NO_TEXTS);
    expect(folder.reads).toEqual(["tsconfig.json"]);
    // A module that was read before has its values, also for a new file.
    folder.write("src/new.ts", "import { K } from './keys'; t(`new.${K}`)");
    await indexer.update(OPTIONS, NO_TEXTS);
    expect(keysIn(usages, "new.longer")).toEqual(["new.longer"]);
  });

  test("the next check of all files finds one that was deleted", async () => {
    const { usages, indexer } = await indexed(FILES);
    later();
    await indexer.update(OPTIONS, NO_TEXTS);
    folder.remove("src/keys.ts");
    await indexer.update(OPTIONS, NO_TEXTS);
    expect(keysIn(usages, "a")).toEqual(["*"]);
  });

  test("a configuration counts, too, also before it exists", async () => {
    const { usages, indexer } = await indexed({
      "src/a.ts": FILES["src/a.ts"],
      "src/keys.ts": FILES["src/keys.ts"],
    });
    later();
    expect(keysIn(usages, "a")).toEqual(["*"]);
    folder.write("tsconfig.json", FILES["tsconfig.json"]);
    await indexer.updateFiles(["tsconfig.json"], OPTIONS, NO_TEXTS);
    expect(keysIn(usages, "a")).toEqual(["a"]);
    folder.write("tsconfig.json", "{}");
    await indexer.update(OPTIONS, NO_TEXTS);
    expect(keysIn(usages, "a")).toEqual(["*"]);
  });
});

test("open documents use the values that the index has", async () => {
  const { usages } = await indexed({ ...FILES, "src/none.ts": "import { K } from './gone'; t(K)" });
  expect(usages.importsOf("src/none.ts")).toBeNull();
  const imports = importsOf(usages.importsOf("src/a.ts"));
  expect(imports({ specifier: "@/keys", name: "K", isType: false })).toBe("a");
  expect(imports({ specifier: "@/keys", name: "L", isType: false })).toBeNull();
  expect(usages.importsOf("src/keys.ts")).toBeNull();
});
