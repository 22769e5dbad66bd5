/** Zips: reading the directory, limits, and replacing one entry without changing others. */
import { strFromU8, strToU8, unzipSync, zipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { isUnsafePath, readZip, readZipDirectory, ZipError } from "../../../src/formats/zip.ts";

const LIMITS = { entries: 3, unpackedBytes: 3_000_000, ratio: 10 };
const LOCAL = Uint8Array.of(0x50, 0x4b, 3, 4);
const CENTRAL = Uint8Array.of(0x50, 0x4b, 1, 2);
const END = Uint8Array.of(0x50, 0x4b, 5, 6);

const zip = (files: Readonly<Record<string, string | Uint8Array>>, level: 0 | 6 = 6): Buffer =>
  Buffer.from(
    zipSync(
      Object.fromEntries(
        Object.entries(files).map(([path, content]) => [
          path,
          [typeof content === "string" ? strToU8(content) : content, { level }],
        ]),
      ),
    ),
  );

const PLAIN = { "a.json": "{}", "b/c.json": "[1, 2, 3]" };

/** Path and text of each entry, or why there are none. */
function contentOf(bytes: Uint8Array, limits = LIMITS): readonly string[] | string {
  try {
    return readZip(bytes, limits).map((entry) => `${entry.path} ${entry.size} ${strFromU8(entry.read())}`);
  } catch (error) {
    if (error instanceof ZipError) return `${error.kind}: ${error.message}`;
    throw error;
  }
}

/** The zip with a number written behind the first of these marks. */
function withNumber(
  bytes: Buffer,
  mark: Uint8Array,
  offset: number,
  value: number,
  size: 1 | 2 | 4 = 2,
): Buffer {
  const changed = Buffer.from(bytes);
  changed.writeUIntLE(value, changed.indexOf(mark) + offset, size);
  return changed;
}

describe("reading", () => {
  test.each([0, 6] as const)("reads level %i, also in a slice of a larger buffer", (level) => {
    const bytes = zip(PLAIN, level);
    const larger = Buffer.concat([Buffer.from("before"), bytes, Buffer.from("after")]);
    for (const each of [bytes, larger.subarray(6, 6 + bytes.length)]) {
      expect(contentOf(each)).toEqual(["a.json 2 {}", "b/c.json 9 [1, 2, 3]"]);
    }
  });

  test("ignores folders, but not empty files", () => {
    expect(contentOf(zip({ "a/": "", "a/b": "" }))).toEqual(["a/b 0 "]);
    expect(readZipDirectory(zip({ "a/": "", "a/b": "" })).headers.map(({ path }) => path)).toEqual([
      "a/",
      "a/b",
    ]);
  });

  test("reads names as UTF-8 or Latin-1", () => {
    const bytes = zip({ "é.json": "{}" });
    expect(contentOf(bytes)).toEqual(["é.json 2 {}"]);
    expect(contentOf(withNumber(bytes, CENTRAL, 8, 0))).toEqual(["é.json 2 {}"]);
    const latin1 = withNumber(withNumber(zip({ "ab.json": "{}" }), CENTRAL, 8, 0), CENTRAL, 46, 0xe9, 1);
    expect(contentOf(latin1)).toEqual(["éb.json 2 {}"]);
    // Its flag says UTF-8, and the byte is none.
    expect(contentOf(withNumber(latin1, CENTRAL, 8, 0x800))).toEqual(["\ufffdb.json 2 {}"]);
  });

  test("skips what else is written behind the names of entries", () => {
    const bytes = zip(PLAIN);
    const insert = (at: number, text: string): void => {
      larger = Buffer.concat([larger.subarray(0, at), Buffer.from(text), larger.subarray(at)]);
    };
    // A comment of three bytes behind the name in the directory, and an extra field of four in the last entry.
    let larger = withNumber(bytes, CENTRAL, 32, 3);
    insert(larger.indexOf(CENTRAL) + 46 + "a.json".length, "abc");
    larger = withNumber(larger, END, 12, larger.readUInt32LE(larger.indexOf(END) + 12) + 3, 4);
    const last = larger.lastIndexOf(LOCAL);
    larger.writeUInt16LE(4, last + 28);
    insert(last + 30 + "b/c.json".length, "efgh");
    larger = withNumber(larger, END, 16, larger.readUInt32LE(larger.indexOf(END) + 16) + 4, 4);
    expect(contentOf(larger)).toEqual(["a.json 2 {}", "b/c.json 9 [1, 2, 3]"]);
  });

  test("accepts a trailing comment of any length", () => {
    for (const length of [1, 0xffff]) {
      const bytes = withNumber(zip(PLAIN), END, 20, length);
      expect(contentOf(Buffer.concat([bytes, Buffer.alloc(length, 0x61)]))).toHaveLength(2);
      expect(contentOf(Buffer.concat([bytes, Buffer.alloc(length - 1, 0x61)]))).toBe("unreadable: not a zip");
    }
  });
});

describe("refused", () => {
  test.each<[string, Buffer, string]>([
    ["nothing", Buffer.alloc(0), "unreadable: not a zip"],
    ["something else", Buffer.alloc(100), "unreadable: not a zip"],
    ["one byte too few", zip(PLAIN).subarray(0, -1), "unreadable: not a zip"],
    ["one byte too many", Buffer.concat([zip(PLAIN), Buffer.from("x")]), "unreadable: not a zip"],
    ["an encrypted file", withNumber(zip(PLAIN), CENTRAL, 8, 0x0801), "unreadable: encrypted"],
    [
      "a symbolic link",
      withNumber(withNumber(zip(PLAIN), CENTRAL, 5, 3, 1), CENTRAL, 40, 0xa1ff),
      "unsafe: symbolic link",
    ],
    ["a zip in the zip", zip({ "a.ZIP": "x" }), "unsafe: zip in a zip"],
    ["a directory that is none", withNumber(zip(PLAIN), CENTRAL, 0, 0, 1), "unreadable: directory is broken"],
    [
      "a directory that ends outside",
      withNumber(zip(PLAIN), END, 12, 5_000, 4),
      "unreadable: directory is broken",
    ],
    [
      "more files than there are records",
      withNumber(zip(PLAIN), END, 10, 3),
      "unreadable: directory is broken",
    ],
    ["a name that ends outside", withNumber(zip(PLAIN), CENTRAL, 28, 500), "unreadable: directory is broken"],
    [
      "a name of the last file that ends outside",
      withNumber(zip({ "a.json": "{}" }), CENTRAL, 28, 20),
      "unreadable: directory is broken",
    ],
    [
      "sizes of a larger kind of zip",
      withNumber(zip(PLAIN), END, 16, 0xffff_ffff, 4),
      "unreadable: directory is broken",
    ],
    [
      "as many entries as only that has",
      withNumber(zip(PLAIN), END, 10, 0xffff),
      "unreadable: directory is broken",
    ],
    ["a file that is not there", withNumber(zip(PLAIN), CENTRAL, 42, 1, 4), "unreadable: entry is broken"],
    ["a file outside", withNumber(zip(PLAIN), CENTRAL, 42, 9_999, 4), "unreadable: entry is broken"],
    ["a file that is cut off", withNumber(zip(PLAIN), CENTRAL, 20, 9_999, 4), "unreadable: entry is cut off"],
    ["another compression", withNumber(zip(PLAIN), CENTRAL, 10, 12), "unreadable: unknown compression"],
    ["a stream that is none", withNumber(zip(PLAIN), LOCAL, 36, 0xffff), "unreadable: entry is broken"],
    ["another checksum", withNumber(zip(PLAIN), CENTRAL, 16, 1, 4), "unreadable: entry is broken"],
    ["a size that is too large", withNumber(zip(PLAIN), CENTRAL, 24, 3, 4), "unreadable: entry is broken"],
    [
      "a size that is too small",
      withNumber(zip(PLAIN), CENTRAL, 24, 1, 4),
      "unreadable: entry is larger than declared",
    ],
    [
      "a size of nothing, stored",
      withNumber(zip(PLAIN, 0), CENTRAL, 24, 0, 4),
      "unreadable: entry is broken",
    ],
    ["one entry too many", zip({ a: "", b: "", c: "", d: "" }), "unsafe: too many entries"],
  ])("%s", (_, bytes, reason) => {
    expect(contentOf(bytes)).toBe(reason);
  });

  test("links only in archives made on Unix", () => {
    expect(contentOf(withNumber(zip(PLAIN), CENTRAL, 40, 0xa1ff))).toHaveLength(2);
    expect(contentOf(withNumber(withNumber(zip(PLAIN), CENTRAL, 5, 3, 1), CENTRAL, 40, 0x81ff))).toHaveLength(
      2,
    );
  });

  test("what exceeds the size or the compression ratio", () => {
    const noise = (length: number): Uint8Array =>
      Uint8Array.from({ length }, (_, index) => (index * index * 31) % 251);
    expect(contentOf(zip({ a: noise(1_500_000), b: noise(1_500_000) }, 0))).toHaveLength(2);
    expect(contentOf(zip({ a: noise(1_500_000), b: noise(1_500_001) }, 0))).toBe(
      "unsafe: unpacks to too many bytes",
    );
    expect(contentOf(zip({ a: new Uint8Array(1024 * 1024) }))).toHaveLength(1);
    expect(contentOf(zip({ a: new Uint8Array(1024 * 1024 + 1) }))).toBe(
      "unsafe: compression ratio is too high",
    );
    expect(contentOf(zip({ a: "", b: "", c: "" }))).toHaveLength(3);
  });
});

test("a damaged entry is an error, which fflate does not notice", () => {
  const stored = zip({ "a.json": "[1, 2, 3]" }, 0);
  const at = stored.indexOf("[1, 2, 3]");
  const damaged = Buffer.from(stored);
  damaged.writeUInt8(damaged.readUInt8(at) ^ 1, at);
  expect(strFromU8(unzipSync(damaged)["a.json"] ?? new Uint8Array())).toBe("Z1, 2, 3]");
  expect(contentOf(damaged)).toBe("unreadable: entry is broken");
  const shorter = withNumber(zip({ "a.json": "[1, 2, 3]" }), CENTRAL, 24, 4);
  expect(strFromU8(unzipSync(shorter)["a.json"] ?? new Uint8Array())).toBe("[1, ");
  expect(contentOf(shorter)).toBe("unreadable: entry is larger than declared");
});

test.each([
  ["", true],
  ["a/b.json", false],
  ["a..b/c", false],
  ["../a", true],
  ["a/../b", true],
  ["a\\..\\b", true],
  ["/a", true],
  ["\\a", true],
  ["C:a", true],
  ["a:b", true],
  ["ab:c", false],
  ["a\0b", true],
])("detects that the path %j leaves its folder: %s", (path, unsafe) => {
  expect(isUnsafePath(path)).toBe(unsafe);
});
