/** Zips from untrusted senders: accepted and refused ones, without hangs or crashes. */
import * as fc from "fast-check";
import { strToU8, zipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { isUnsafePath, readZip, ZipError } from "../../../src/formats/zip.ts";
import { ARCHIVE_LIMITS } from "../../../src/local-service/specification-decisions.ts";
import { writeZip } from "../../../src/local-service/exports/build-export.ts";
import { propertyRuns } from "../support/full-run.ts";

const reasonOf = (bytes: Uint8Array): string => {
  try {
    for (const entry of readZip(bytes, ARCHIVE_LIMITS)) entry.read();
    return "taken";
  } catch (error) {
    if (error instanceof ZipError) return error.kind;
    throw error;
  }
};

test("round-trips files and ignores folders", () => {
  const zip = zipSync({
    lang: { "größe.php": strToU8("<?php"), "日本.json": [strToU8("{}"), { level: 0 }] },
  });
  const entries = readZip(zip, ARCHIVE_LIMITS).map((entry) => [
    entry.path,
    Buffer.from(entry.read()).toString(),
  ]);
  expect(entries).toEqual([
    ["lang/größe.php", "<?php"],
    ["lang/日本.json", "{}"],
  ]);
});

test("writes reproducible archives that it can read", () => {
  const files = [
    { path: "a/b.json", bytes: strToU8("{}") },
    { path: "c.php", bytes: strToU8("x".repeat(5000)) },
  ];
  const zip = writeZip(files);
  expect(readZip(zip, ARCHIVE_LIMITS).map((entry) => entry.path)).toEqual(["a/b.json", "c.php"]);
  const zone = process.env["TZ"];
  try {
    process.env["TZ"] = "Pacific/Kiritimati";
    expect(Buffer.from(writeZip(files)).equals(Buffer.from(zip))).toBe(true);
  } finally {
    if (zone === undefined) delete process.env["TZ"];
    else process.env["TZ"] = zone;
  }
});

describe("rejects", () => {
  test("bombs, links and nested zips", () => {
    expect(reasonOf(zipSync({ "a.json": new Uint8Array(2 * 1024 * 1024) }))).toBe("unsafe");
    expect(reasonOf(zipSync({ "a.php": [strToU8("/etc/passwd"), { os: 3, attrs: 0o120777 << 16 }] }))).toBe(
      "unsafe",
    );
    expect(reasonOf(zipSync({ "a.zip": zipSync({}) }))).toBe("unsafe");
  });
  test("other content, truncated archives and wrong sizes", () => {
    const zip = zipSync({ "a.json": strToU8("{}".repeat(500)) });
    expect(reasonOf(strToU8("no zip at all"))).toBe("unreadable");
    expect(reasonOf(zip.subarray(0, zip.length - 5))).toBe("unreadable");
    const lying = Buffer.from(zip);
    lying.writeUInt32LE(10, lying.indexOf(Buffer.from([0x50, 0x4b, 1, 2])) + 24);
    expect(reasonOf(lying)).toBe("unreadable");
  });
});

test("accepts or rejects any changed byte without another failure", () => {
  const zip = zipSync({ "lang/en.json": strToU8('{"a": "b"}'), "b.php": [strToU8("<?php"), { level: 0 }] });
  fc.assert(
    fc.property(fc.nat(zip.length - 1), fc.nat(255), (at, byte) => {
      const changed = Uint8Array.from(zip);
      changed[at] = byte;
      expect(["taken", "unreadable", "unsafe"]).toContain(reasonOf(changed));
    }),
    propertyRuns(400),
  );
});

test.each([
  ["lang/en.json", false],
  ["a..b/c.json", false],
  ["../a.json", true],
  ["a/../../b", true],
  ["a\\..\\b", true],
  ["/etc/x", true],
  ["C:\\x", true],
  ["a\0b", true],
])("detects that %j leaves its folder: %s", (path, unsafe) => {
  expect(isUnsafePath(path)).toBe(unsafe);
});
