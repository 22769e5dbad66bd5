/** Messages about keys that the service refused to restore. */
import { expect, test } from "vitest";
import type { Key } from "../../../src/api/response-schemas.ts";
import { restoredMessage } from "../../../src/features/archive-keys/archive-and-restore-commands.ts";

const keys = ["title", "total", "empty"].map((key): Key => ({
  hash: `hash of ${key}`,
  namespace: "cart",
  key,
  context: null,
  isPlural: false,
  description: null,
  maxLength: null,
  sourceHash: null,
  source: { value: key },
  tags: [],
  archived: true,
  updatedAt: null,
}));
const refused = (...names: readonly string[]) =>
  names.map((name) => ({ hash: `hash of ${name}`, reason: "locked" }));

test("counts what was restored", () => {
  expect(restoredMessage({ restored: 3, rejected: [] }, keys)).toBe("Restored 3 keys.");
});

test("names the first refused key with its reason, and counts the others", () => {
  expect(restoredMessage({ restored: 2, rejected: refused("total") }, keys)).toBe(
    "Restored 2 keys. The service refused cart.total: locked.",
  );
  expect(restoredMessage({ restored: 0, rejected: refused("title", "total", "empty") }, keys)).toBe(
    "Restored 0 keys. The service refused cart.title and 2 more keys: locked.",
  );
});
