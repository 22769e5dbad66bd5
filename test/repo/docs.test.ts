/** The generated pages of `docs` match the manifest, the commands and the formats. */
import { describe, expect, it } from "vitest";
import { FORMAT_NAMES } from "../../src/model/file-formats.ts";
import { generatedPages } from "./docs.ts";
import { read } from "./tree.ts";

describe("generated pages", () => {
  it.each([...generatedPages()])("%s is what `npm run docs` writes", (path, text) => {
    expect(read(path)).toBe(text);
  });
});

describe("docs/formats.md", () => {
  it("describes every format", () => {
    const text = read("docs/formats.md");
    expect(FORMAT_NAMES.length).toBeGreaterThan(0);
    expect(FORMAT_NAMES.filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
  });
});
