/** What `npm run docs` writes matches the manifest, the commands, the formats and the sources. */
import { describe, expect, it } from "vitest";
import { FORMAT_NAMES, formatDisplayName } from "../../src/model/file-formats.ts";
import { generatedPages } from "./docs.ts";
import { generatedCode } from "./generated-code.ts";
import { read } from "./tree.ts";

describe("generated", () => {
  it.each([...generatedCode(), ...generatedPages()])("%s is what `npm run docs` writes", (path, text) => {
    expect(read(path)).toBe(text);
  });
});

/** The cells of the first column of a table. */
function firstColumn(table: string): readonly string[] {
  return Array.from(table.matchAll(/^\| ([^|]+?) +\|/gmu), ([, cell = ""]) => cell);
}

describe("pages that are written by hand", () => {
  it("docs/formats.md says what is read and written of every format", () => {
    const [, byHand = ""] = read("docs/formats.md").split(/\n\n(?=\| Format +\| Read)/u);
    const cells = firstColumn(byHand).map((cell) => cell.split(", "));
    // `XLIFF 1.2, 2.0` are two.
    const named = cells.flatMap(([first = "", ...others]) => [
      first,
      ...others.map((other) => first.replace(/[^ ]+$/u, other)),
    ]);
    expect(FORMAT_NAMES.map(formatDisplayName).filter((name) => !named.includes(name))).toEqual([]);
  });

  it("docs/project-file.md says what keys the entries of every format are", () => {
    const text = read("docs/project-file.md");
    expect(FORMAT_NAMES.filter((name) => !firstColumn(text).join().includes(`\`${name}\``))).toEqual([]);
  });
});
