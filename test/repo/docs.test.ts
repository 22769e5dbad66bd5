/** The generated pages of `docs` match the manifest and the formats. */
import { describe, expect, it } from "vitest";
import { FORMAT_NAMES } from "../../src/model/format-name.ts";
import { generatedPages } from "./docs.ts";
import { manifest, read } from "./tree.ts";

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

describe("docs/commands.md", () => {
  it("lists exactly the commands of the palette", () => {
    const { commands = [], menus = {} } = manifest().contributes;
    const hidden = new Set(
      (menus["commandPalette"] ?? []).filter(({ when }) => when === "false").map(({ command }) => command),
    );
    const text = read("docs/commands.md");
    const listed = [...text.matchAll(/^\| `(projectTranslations\.\w+)`/gmu)].map((match) => match[1] ?? "");
    const ids = commands.map(({ command }) => command);
    expect(listed.filter((id) => !ids.includes(id))).toEqual([]);
    const palette = ids.filter((id) => !hidden.has(id) && !listed.includes(id));
    const described = text.slice(text.lastIndexOf("|"));
    const titles = commands
      .filter(({ command }) => palette.includes(command))
      .map(({ title }) => titleOf(title));
    expect(titles.filter((title) => !described.includes(`**${title}**`))).toEqual([]);
  });
});

function titleOf(title: string): string {
  const titles = JSON.parse(read("package.nls.json")) as Record<string, string>;
  return titles[title.replaceAll("%", "")] ?? title;
}
