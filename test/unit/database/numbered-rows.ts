/** Keys and translations of any number, each with other values, and a position up to which they were read. */
import type { ProjectKey, ProjectRow } from "../../../src/database/records.ts";
import type { SyncCursor } from "../../../src/database/sync-metadata-repository.ts";
import { sha1 } from "../support/node-platform.ts";

export const key = (index: number, more: Partial<ProjectKey> = {}): ProjectKey => ({
  hash: sha1(`${index}`),
  namespace: index % 2 === 0 ? "*" : "shop/Ωmega",
  key: `key ${index} "quoted"\nand\u0000 broken \ud83d\ude00`,
  context: index % 3 === 0 ? null : "button",
  isPlural: index % 5 === 0,
  text: index % 5 === 0 ? { forms: { one: "one 1️⃣", other: "# more" } } : { value: `text\u2028 ${index}` },
  sourceHash: index % 7 === 0 ? null : sha1(`text ${index}`),
  description: index % 7 === 0 ? "For people" : null,
  maxLength: index % 4 === 0 ? 40 : null,
  tags: index % 6 === 0 ? ["a", "b"] : [],
  updatedAt: `2026-01-02T03:04:${String(index % 60).padStart(2, "0")}.000Z`,
  ...more,
});
export const row = (index: number, more: Partial<ProjectRow> = {}): ProjectRow => ({
  hash: sha1(`${index}`),
  text: index % 9 === 0 ? null : { value: `tekst ${index}` },
  isTranslated: index % 9 !== 0,
  isOutdated: index % 4 === 0,
  issues:
    index % 8 === 0
      ? [{ rule: "laravel.missing", level: "error", placeholder: ":name", form: "", suggestion: null }]
      : [],
  version: index % 9 === 0 ? null : index,
  updatedAt: `2026-01-02T03:04:${String(index % 60).padStart(2, "0")}.000Z`,
  ...more,
});
export const many = <Item>(item: (index: number) => Item, count: number): Item[] =>
  Array.from({ length: count }, (_, index) => item(index + 1));
export const CURSOR: SyncCursor = {
  contentVersion: 7,
  counts: [3, "x", null],
  since: "2026-01-02T03:04:05.000Z",
  keysSince: null,
  fullReadAt: 1,
  differences: [0],
};
