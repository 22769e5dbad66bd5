/** The token search that runs after every host suite finds planted tokens in any encoding, and nothing else. */
import { mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { findLeaks, leakLines } from "../host/harness/find-leaks.ts";

const TOKEN = "ptw_aZ09-_bcdefghijklmnopqrstuvwxyz0123456789AB";
const OTHER = "ptw_aZ09-_bcdefghijklmnopqrstuvwxyz0123456789AC";

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "pt-leaks-"))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const plant = (name: string, bytes: string | Uint8Array): void => {
  mkdirSync(join(folder, name, ".."), { recursive: true });
  writeFileSync(join(folder, name), bytes);
};
const found = (secrets: readonly string[] = [TOKEN]) =>
  findLeaks([folder], [], secrets).map(({ location: where, ...rest }) => ({
    ...rest,
    location: where.slice(folder.length + 1),
  }));

test("throws if the folder does not exist", () => {
  expect(() => findLeaks([join(folder, "gone")], [], [TOKEN])).toThrow("does not exist");
});

describe("finds a token", () => {
  test.each<[string, string | Uint8Array, number, string]>([
    ["as it is", `x: ${TOKEN}\n`, 3, "plain"],
    ["in UTF-16", Buffer.from(`{"${TOKEN}"}`, "utf16le"), 4, "UTF-16"],
    ["in UTF-16 the other way", Buffer.from(`{"${TOKEN}"}`, "utf16le").swap16(), 5, "UTF-16"],
    ["in hexadecimal", Buffer.from(TOKEN).toString("hex"), 0, "hexadecimal"],
    [
      "in percent signs",
      `?t=${Buffer.from(TOKEN).toString("hex").toUpperCase().replaceAll(/../g, "%$&")}`.toLowerCase(),
      3,
      "percent-encoded",
    ],
    ["in Base64", Buffer.from(TOKEN).toString("base64"), 0, "Base64"],
    ["in Base64 behind one character", Buffer.from(`"${TOKEN}"`).toString("base64"), 2, "Base64"],
    ["in Base64 behind two", Buffer.from(`{"${TOKEN}"}`).toString("base64"), 3, "Base64"],
    ["as basic authentication", Buffer.from(`user:${TOKEN}`).toString("base64url"), 7, "Base64"],
    [
      "behind a gigabyte's beginning",
      Buffer.concat([Buffer.alloc(9_000_001), Buffer.from(TOKEN)]),
      9_000_001,
      "plain",
    ],
  ])("%s", (_, bytes, offset, encoding) => {
    plant("logs/deep/er/a.log", bytes);
    expect(found()).toEqual([{ location: "logs/deep/er/a.log", offset, encoding }]);
  });

  test("across the boundary of two chunks, once", () => {
    for (const at of [4 * 1024 * 1024 - 20, 4 * 1024 * 1024, 8 * 1024 * 1024 - 1]) {
      plant("state.vscdb", Buffer.concat([Buffer.alloc(at), Buffer.from(TOKEN), Buffer.alloc(100)]));
      expect(found()).toEqual([{ location: "state.vscdb", offset: at, encoding: "plain" }]);
    }
  });

  test("percent-encoded in a URL", () => {
    plant("a", `https://x.example/?q=${encodeURIComponent("a|b/c+d=e f")}`);
    expect(found(["a|b/c+d=e f"]).map(({ encoding }) => encoding)).toEqual(["URL-encoded"]);
  });

  test("in a file name, in several files, and in a stored text", () => {
    plant(`${TOKEN}.json`, "");
    plant("twice", `${TOKEN}${TOKEN}`);
    expect(
      found()
        .map(({ location }) => location)
        .sort(),
    ).toEqual([`${TOKEN}.json`, "twice", "twice"].sort());
    const traces = [{ name: "the browser's storage", text: `{"secret":"${TOKEN}"}` }];
    expect(findLeaks([], traces, [TOKEN])).toEqual([
      { location: "the browser's storage", offset: 11, encoding: "plain" },
    ]);
  });

  test("and reports it without the token", () => {
    plant("a", TOKEN);
    const lines = leakLines(findLeaks([folder], [], [TOKEN]));
    expect(lines).toBe(`a token (plain) in ${join(folder, "a")}, at 0`);
    expect(lines).not.toContain(TOKEN);
  });
});

test("ignores other texts and the targets of links", () => {
  plant("a", `${OTHER} ${TOKEN.slice(0, -1)} ${gzipSync(TOKEN).toString("base64")}`);
  symlinkSync(join(folder, "a"), join(folder, "link"));
  symlinkSync(folder, join(folder, "around"));
  expect(found()).toEqual([]);
  expect(found([])).toEqual([]);
});

test("reads only files that were written since the tokens exist", () => {
  plant("a", TOKEN);
  const { ctimeMs } = statSync(join(folder, "a"));
  expect(findLeaks([folder], [], [TOKEN], ctimeMs)).toHaveLength(1);
  expect(findLeaks([folder], [], [TOKEN], ctimeMs + 1)).toEqual([]);
  plant(TOKEN, "");
  expect(findLeaks([folder], [], [TOKEN], Date.now() + 60_000)).toHaveLength(1);
});
