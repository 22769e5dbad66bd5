/** Code files searched by another thread: the same uses and mentions come of it as in this one, and no file but the project's is read. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { MessageChannel } from "node:worker_threads";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { mentionsOver, searchOver } from "../../../src/core/code-conversation.ts";
import { serveCode } from "../../../src/core/code-conversation-worker.ts";
import { searchHere } from "../../../src/core/code-search-here.ts";
import { KeyNames } from "../../../src/core/key-names.ts";
import type { CodeSearch } from "../../../src/core/ports.ts";
import { UsageIndex } from "../../../src/core/usage-index.ts";
import type { FoundUses } from "../../../src/core/usage-table.ts";
import { readCode } from "../../../src/host/read-code.ts";
import { lineOf } from "../support/port-line.ts";

const { port1, port2 } = new MessageChannel();
const line = lineOf(port1);
const root = mkdtempSync(join(realpathSync(tmpdir()), "code-"));
const outside = mkdtempSync(join(realpathSync(tmpdir()), "outside-"));
void serveCode(lineOf(port2), readCode);
const aside: CodeSearch = {
  search: (...given) => searchOver(line, root, ...given),
  mentions: (...given) => mentionsOver(line, root, ...given),
};
afterAll(() => {
  port1.close();
  for (const folder of [root, outside]) rmSync(folder, { recursive: true });
});

const files: Record<string, string> = {
  "a.php": "<?php __('cart.title'); __('cart.' . $x); trans_choice('cart.items', 2);",
  "views/b.blade.php": "@lang('cart.title') {{ __('nowhere.said') }}",
  "c.ts": 'import { t } from "i18next";\nt("cart.title"); t(`cart.${x}`);',
  "min.js": `t("x");${"a".repeat(30_000)}`,
  "binary.js": "\0\0",
  "ü/d.php": "<?php __('über.größe');",
  ...Object.fromEntries(
    Array.from({ length: 450 }, (_, at) => [`many/${at}.php`, `<?php __('many.key${at}');`]),
  ),
};

function put(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

beforeAll(() => {
  for (const [path, text] of Object.entries(files)) put(path, text);
  put("large.php", `<?php ${" ".repeat(9 * 1024 * 1024)} __('cart.title');`);
  writeFileSync(join(outside, "secret.php"), "<?php __('secret.key');");
  symlinkSync(join(outside, "secret.php"), join(root, "link.php"));
  symlinkSync(outside, join(root, "folder"));
});

const PATHS = [...Object.keys(files), "large.php", "link.php", "folder/secret.php", "gone.php", "read.me"];
const KEYS = ["cart|title", "cart|items", "many|key7"].map((name) => {
  const [namespace = "", key = ""] = name.split("|");
  return { hash: name, namespace, key, context: null };
});

async function indexWith(search: CodeSearch): Promise<{ index: UsageIndex; reads: string[] }> {
  const reads: string[] = [];
  const find = { frameworks: new Set(["laravel", "i18next"] as const), functions: [] };
  const index = new UsageIndex(
    {
      aside: search,
      files: {
        find: async (glob) => (glob.endsWith(".gitignore") ? [] : PATHS),
        stat: async (path) => {
          const read = readCode(root, path, null);
          return "stamp" in read ? read.stamp : undefined;
        },
        read: async (path) => {
          reads.push(path);
          const read = readCode(root, path, null);
          return read.kind === "read" ? { ...read, dirty: false } : undefined;
        },
      },
      store: { read: async () => undefined, write: async () => undefined },
      now: () => performance.now(),
      yieldNow: () => new Promise((resolve) => setImmediate(resolve)),
      log: { info: () => undefined, warn: () => undefined },
    },
    { find, lookup: find },
    KeyNames.of(KEYS),
  );
  await index.build();
  return { index, reads };
}

describe("uses", () => {
  test("are the same as in this thread, and no file of them is read here", async () => {
    const [there, here] = [await indexWith(aside), await indexWith(searchHere)];
    expect(there.reads).toEqual([]);
    expect(here.reads.length).toBeGreaterThan(450);
    for (const { hash } of KEYS) expect(there.index.usesOf(hash)).toEqual(here.index.usesOf(hash));
    expect(there.index.usesOf("cart|title")).toHaveLength(3);
    expect(there.index.stats).toEqual(here.index.stats);
    expect(there.index.stats.leftOut.map(({ path, reason }) => [path, reason])).toEqual([
      ["binary.js", "not-text"],
      ["large.php", "too-large"],
      ["min.js", "minified"],
    ]);
    const said = ({ index }: typeof there): string[] =>
      index
        .unknown()
        .map((each) => JSON.stringify(each))
        .sort();
    expect(said(there)).toEqual(said(here));
    expect(there.index.patterns()).toEqual(here.index.patterns());
  });

  test("are not looked for again in a file that is as it was", async () => {
    const { index } = await indexWith(aside);
    const before = index.stats;
    put("a.php", "<?php __('cart.items');");
    await index.build();
    expect(index.usesOf("cart|title")).toHaveLength(2);
    expect(index.stats.uses).toBe(before.uses - 2);
    const found: FoundUses[] = [];
    const stat = statSync(join(root, "c.ts"));
    const known = { size: stat.size, modified: stat.mtime.getTime() };
    const take = async (each: FoundUses): Promise<void> => void found.push(each);
    const find = { frameworks: new Set(["i18next"] as const), functions: [] };
    expect(await aside.search([{ path: "c.ts", known }], find, take)).toEqual([]);
    expect(found.flatMap((each) => each.files)).toEqual([]);
    put("a.php", files["a.php"] ?? "");
  });

  test("are left to be looked for here where no file of the project can be read", async () => {
    const take = async (): Promise<void> => undefined;
    const find = { frameworks: new Set(["laravel"] as const), functions: [] };
    const asked = ["link.php", "folder/secret.php", "gone.php", "ü"].map((path) => ({ path, known: null }));
    expect(await aside.search(asked, find, take)).toEqual(["link.php", "folder/secret.php", "gone.php"]);
    expect(await aside.search([], find, take)).toEqual([]);
  });

  test("come no more when nobody wants them", async () => {
    const stop = new AbortController();
    const { port1: own, port2: other } = new MessageChannel();
    void serveCode(lineOf(other), readCode);
    const take = async (): Promise<void> => stop.abort(new Error("enough"));
    const asked = Object.keys(files).map((path) => ({ path, known: null }));
    const find = { frameworks: new Set(["laravel"] as const), functions: [] };
    await expect(searchOver(lineOf(own), root, asked, find, take, stop.signal)).rejects.toThrow("enough");
    own.close();
  });
});

describe("mentions", () => {
  test("name a file for each name that one has", async () => {
    const names = ["cart.title", "many.key440", "secret.key", "über.größe", "not.there"];
    const { found, left } = await aside.mentions(names, PATHS);
    expect([...found].sort(([a], [b]) => a - b)).toEqual([
      [0, "a.php"],
      [1, "many/440.php"],
      [3, "ü/d.php"],
    ]);
    expect(left).toEqual(["link.php", "folder/secret.php", "gone.php", "read.me"]);
    expect(await aside.mentions(names, [])).toEqual({ found: new Map(), left: [] });
    expect((await aside.mentions([], ["a.php"])).found.size).toBe(0);
  });
});
