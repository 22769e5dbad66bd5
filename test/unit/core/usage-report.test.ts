/** The usage report: what counts as used, what as unused, and what nobody can say, each with its reason. */
import { searchHere } from "../../../src/core/code-search-here.ts";
import { describe, expect, test } from "vitest";
import { KeyNames } from "../../../src/core/key-names.ts";
import type { ProjectKey } from "../../../src/core/project.ts";
import { UsageIndex } from "../../../src/core/usage-index.ts";
import { reportUsage, type UsageReport } from "../../../src/core/usage-report.ts";
import type { Framework } from "../../../src/core/usages/usage.ts";

interface Case {
  /** `namespace|key` to source text. */
  readonly keys: Readonly<Record<string, string>>;
  readonly code: Readonly<Record<string, string>>;
  readonly others?: Readonly<Record<string, string>>;
  readonly keep?: readonly string[];
  readonly framework?: Framework;
}

/** The parts of the report as names and reasons. */
async function report({ keys, code, others = {}, keep = [], framework = "laravel" }: Case) {
  const all = Object.entries(keys).map(([name, value]): ProjectKey => {
    const [namespace = "", key = ""] = name.split("|");
    const rest = { description: null, maxLength: null, tags: [], sourceHash: null, updatedAt: null };
    return { hash: name, namespace, key, context: null, isPlural: false, text: { value }, ...rest };
  });
  const find = { frameworks: new Set([framework]), functions: [] };
  const files = {
    find: async (glob: string) => (glob.endsWith(".gitignore") ? [] : Object.keys(code)),
    stat: async (path: string) => ({ size: code[path]?.length ?? 0, modified: 1 }),
    read: async (path: string) => ({
      bytes: new TextEncoder().encode(code[path]),
      stamp: { size: 1, modified: 1 },
      dirty: false,
    }),
  };
  const store = { read: async () => undefined, write: async () => undefined };
  const ports = { files, store, now: () => 0, yieldNow: async () => undefined };
  const log = { info: () => undefined, warn: () => undefined };
  const index = new UsageIndex(
    { ...ports, aside: searchHere, log },
    { find, lookup: find },
    KeyNames.of(all),
  );
  await index.build();
  const everything = { ...code, ...others };
  async function* texts(paths: readonly string[]) {
    for (const path of paths) yield { path, text: everything[path] ?? "" };
  }
  const found: UsageReport = await reportUsage({
    index,
    keys: new Map(all.map((key) => [key.hash, key])),
    frameworks: find.frameworks,
    keep,
    paths: async () => Object.keys(everything),
    texts,
    aside: searchHere,
    yieldNow: ports.yieldNow,
  });
  return {
    used: found.used.length,
    unused: found.unused.map(({ hash }) => hash),
    maybe: found.undeterminable.map(({ key, pattern, path }) => `${key.hash} ${pattern ?? path}`),
    open: found.open.map(({ path }) => path),
  };
}

describe("the usage report", () => {
  test("a static use is used, a key that nothing names is unused", async () => {
    expect(
      await report({
        keys: { "cart|title": "Cart", "cart|old_total": "Total" },
        code: { "a.php": "<?php echo __('cart.title');" },
      }),
    ).toEqual({ used: 1, unused: ["cart|old_total"], maybe: [], open: [] });
  });

  test("a key that a pattern covers may be used, with the narrowest pattern as the reason", async () => {
    expect(
      await report({
        keys: { "status|order.paid": "Paid", "status|other": "Other" },
        code: { "a.php": "<?php __('status.' . $a); __('status.order.' . $b);" },
      }),
    ).toMatchObject({
      used: 0,
      unused: [],
      maybe: ["status|order.paid status.order.*", "status|other status.*"],
    });
  });

  test("a key whose name stands in a string, a template or a document may be used", async () => {
    expect(
      await report({
        keys: {
          "cart|a_b": "x",
          "cart|c.d": "x",
          "*|Save the cart": "x",
          '*|It\'s "late"': "x",
          "cart|gone": "x",
        },
        code: { "a.php": '<?php $key = \'cart.a_b\'; $other = "It\'s \\"late\\""; // gone' },
        others: { "b.html": "<b>${cart.c.d}</b> <i> Save the cart </i>" },
      }),
    ).toMatchObject({
      unused: ["cart|gone"],
      maybe: ["cart|a_b a.php", "cart|c.d b.html", "*|Save the cart b.html", '*|It\'s "late" a.php'],
    });
  });

  test("kept keys, groups of the framework and keys that texts take in are used", async () => {
    expect(
      await report({
        keys: {
          "validation|required": "Required",
          "errors|404": "Not found",
          "*|brand.name": "Shop",
          "*|hello": "Hello from @:brand.name",
          "*|nested": "$t(deep.one, {})",
          "*|deep.one": "One",
        },
        keep: ["errors.*", "hello", "nested"],
        code: { "a.php": "<?php" },
      }),
    ).toMatchObject({ used: 6, unused: [], maybe: [] });
  });

  test("code that shows no part of its key is named, and makes nothing used", async () => {
    expect(await report({ keys: { "cart|never": "x" }, code: { "a.php": "<?php __($key);" } })).toEqual({
      used: 0,
      unused: ["cart|never"],
      maybe: [],
      open: ["a.php"],
    });
  });
});
