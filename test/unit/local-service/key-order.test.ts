/** The order of the list of keys across pages. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { start } from "./harness.ts";
import { runCount } from "../support/full-run.ts";

interface Page {
  readonly data: readonly { readonly key: string; readonly namespace: string }[];
  readonly meta: { readonly nextCursor: string | null };
}

/** SQLite's own: UTF-8 bytes, which is code points. */
const byCodePoint = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

test("orders keys by code point, and duplicates as inserted", async () => {
  const service = await start({});
  const names = fc.sample(
    fc.string({
      minLength: 1,
      maxLength: 3,
      unit: fc.constantFrom("a", "B", "é", ".", "\u{1f600}", "\uffee"),
    }),
    { numRuns: runCount(60) },
  );
  const keys = [...new Set(names)].flatMap((key) =>
    ["y", "x"].map((namespace) => ({ key, namespace, value: "v" })),
  );
  await service.data("POST", "/keys/sync", { keys });
  const wanted = keys
    .map(({ key, namespace }, at) => ({ key, namespace, at }))
    .sort((a, b) => byCodePoint(a.key, b.key) || a.at - b.at)
    .map(({ key, namespace }) => `${namespace} ${key}`);
  for (const [query, list] of [
    ["", wanted],
    ["&namespace=x", wanted.filter((name) => name.startsWith("x "))],
    ["&archived=all&tag=untagged", wanted],
  ] as const) {
    for (const limit of [1, 7, 1000]) {
      const found: string[] = [];
      let cursor = "";
      do {
        const { body } = await service.call<Page>("GET", `/keys?limit=${limit}${query}${cursor}`);
        found.push(...body.data.map(({ key, namespace }) => `${namespace} ${key}`));
        cursor = body.meta.nextCursor === null ? "" : `&cursor=${body.meta.nextCursor}`;
      } while (cursor !== "");
      expect(found, `${query} ${limit}`).toEqual(list);
    }
  }
});
