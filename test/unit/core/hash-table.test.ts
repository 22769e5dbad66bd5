/** The table of hashes against a map of strings: numbers, order, growth, and texts that are no hashes. */
import { expect, test } from "vitest";
import { HashTable, HASH_WORDS, hashAt, putHash } from "../../../src/core/hash-table.ts";
import { sha1 } from "../support/node-ports.ts";

const hashes = (count: number): string[] => Array.from({ length: count }, (_, index) => sha1(`${index}`));

test("a hash comes back as it was, digit for digit", () => {
  const words = new Uint32Array(2 * HASH_WORDS);
  for (const hash of [
    ...hashes(100),
    "0".repeat(40),
    "f".repeat(40),
    "0123456789abcdef".repeat(3).slice(0, 40),
  ]) {
    expect(putHash(words, HASH_WORDS, hash)).toBe(true);
    expect(hashAt(words, HASH_WORDS)).toBe(hash);
  }
});

test.each([
  "",
  "a",
  "A".repeat(40),
  "g".repeat(40),
  "0".repeat(39),
  "0".repeat(41),
  `${"0".repeat(39)}é`,
  `${"0".repeat(39)}Ω`,
])("%j is no hash", (text) => {
  expect(putHash(new Uint32Array(HASH_WORDS), 0, text)).toBe(false);
});

test.each([0, 10, 5000])("with room for %i it numbers hashes as they come, however many", (expected) => {
  const table = new HashTable(expected);
  const all = hashes(5000);
  expect(all.map((hash) => table.add(hash))).toEqual(all.map((_, index) => index));
  expect(all.map((hash) => table.add(hash))).toEqual(all.map((_, index) => index));
  expect(table.size).toBe(5000);
  expect(all.map((_, index) => table.at(index))).toEqual(all);
  expect(all.map((hash) => table.numberOf(hash))).toEqual(all.map((_, index) => index));
  expect(table.numberOf(sha1("another"))).toBe(-1);
});

test("hashes that begin alike are told apart", () => {
  const table = new HashTable();
  const all = hashes(300).map((hash) => "0".repeat(8) + hash.slice(8));
  for (const hash of all) table.add(hash);
  expect(all.map((hash) => table.numberOf(hash))).toEqual(all.map((_, index) => index));
  expect(table.numberOf("0".repeat(40))).toBe(-1);
});

test("what is no hash is kept as it is, among hashes", () => {
  const table = new HashTable();
  const all = hashes(60).flatMap((hash, index) => [
    hash,
    index % 2 === 0 ? `no hash ${index}` : hash.toUpperCase(),
  ]);
  for (const text of all) table.add(text);
  expect(table.size).toBe(120);
  expect(all.map((_, index) => table.at(index))).toEqual(all);
  expect(all.map((text) => table.numberOf(text))).toEqual(all.map((_, index) => index));
  expect(table.numberOf("no hash 1")).toBe(-1);
  const again = new HashTable(table.data);
  expect(all.map((_, index) => again.at(index))).toEqual(all);
  expect(all.map((text) => again.numberOf(text))).toEqual(all.map((_, index) => index));
  expect(again.add(sha1("another"))).toBe(120);
});
