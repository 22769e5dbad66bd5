/** Which keys are archived and restored, and messages about those that the service refused. */
import { describe, expect, test } from "vitest";
import { projectKey } from "../../../src/database/project-state.ts";
import type { Key } from "../../../src/api/response-schemas.ts";
import {
  keysToArchive,
  keysToRestore,
  restoredMessage,
} from "../../../src/features/archive-keys/archive-and-restore-commands.ts";

const SPELLING = { namespaceSeparator: ".", unwrittenNamespaces: new Set<string>() };

const keyOf = (key: string): Key => ({
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
});
const keys = ["title", "total", "empty"].map(keyOf);
const refused = (...names: readonly string[]) =>
  names.map((name) => ({ hash: `hash of ${name}`, reason: "locked" }));

test("counts what was restored", () => {
  expect(restoredMessage(SPELLING, { restored: 3, rejected: [] }, keys)).toBe("Restored 3 keys.");
});

test("names the first refused key with its reason, and counts the others", () => {
  expect(restoredMessage(SPELLING, { restored: 2, rejected: refused("total") }, keys)).toBe(
    "Restored 2 keys. The service refused cart.total: locked.",
  );
  expect(restoredMessage(SPELLING, { restored: 0, rejected: refused("title", "total", "empty") }, keys)).toBe(
    "Restored 0 keys. The service refused cart.title and 2 more keys: locked.",
  );
});

describe("archives and restores", () => {
  const hashes = (found: readonly { readonly hash: string }[]) => found.map(({ hash }) => hash);
  const active = { ...keyOf("title"), hash: "hash of active", archived: false };
  const withoutText = { ...keyOf("title"), hash: "hash of nothing", source: {} };

  test("restores the keys that were asked for, and no other archived one", () => {
    const found = [...keys, active, withoutText];
    const three = ["hash of title", "hash of total", "hash of active"];
    expect(hashes(keysToRestore(found, three).keys)).toEqual(["hash of title", "hash of total"]);
    expect(hashes(keysToRestore(found, []).keys)).toEqual([]);
  });

  test("offers all archived keys with a text if none was named", () => {
    const { archived, keys: restorable } = keysToRestore([...keys, active, withoutText], undefined);
    expect(hashes(archived)).toEqual([...hashes(keys), "hash of nothing"]);
    expect(hashes(restorable)).toEqual(hashes(keys));
  });

  test("archives each key once, and none that is not active", () => {
    const stored = new Map(keys.map((key) => [key.hash, projectKey(key)]));
    const asked = ["hash of total", "hash of gone", "hash of total"];
    expect(hashes(keysToArchive(stored, asked))).toEqual(["hash of total"]);
  });
});
