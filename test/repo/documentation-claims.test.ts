/** Verifiable statements of the documentation: scripts, paths, pictures, commands and settings. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../setup/ensure.mjs";
import { manifest, read, readJson, settingsOf, trackedFiles } from "./tree.ts";

const PAGES = trackedFiles().filter((path) =>
  /^(?!CHANGELOG|media\/|test\/(?:fixtures|demo)\/).*\.md$/.test(path),
);

describe.each(PAGES)("%s", (guide) => {
  const text = read(guide);

  it("names only existing scripts", () => {
    const named = [...text.matchAll(/\bnpm (?:run )?(test(?::\w+)?|[\w:]+)\b/g)].map(
      (match) => match[1] ?? "",
    );
    const builtIn = ["ci", "install", "publish", "run", "version"];
    expect(
      named.filter((name) => !Object.hasOwn(manifest().scripts, name) && !builtIn.includes(name)),
    ).toEqual([]);
  });

  it("links only to existing files", () => {
    const linked = [...text.matchAll(/\]\((?!https?:|#|command:)([^)#\s]+)/g)].map((match) => match[1] ?? "");
    expect(linked.filter((path) => !existsSync(join(root, dirname(guide), path)))).toEqual([]);
  });

  it("names only existing files", () => {
    const named = [...text.matchAll(/`((?:src|test|media|l10n)\/[\w./-]+)`/g)].map((match) => match[1] ?? "");
    expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it("names only existing settings and commands", () => {
    const words = readJson<Record<string, string>>("package.nls.json");
    const commands = manifest().contributes.commands ?? [];
    const ids = [...commands.map((it) => it.command), ...Object.keys(settingsOf(manifest()))];
    const known = (id: string) => ids.some((it) => it === id || it.startsWith(`${id}.`));
    const named = [...text.matchAll(/`(projectTranslations\.[\w.]*\w)`/g)].map((match) => match[1] ?? "");
    expect(named.filter((id) => !known(id))).toEqual([]);
    const bare = (title: string) => title.replace(/…$/, "");
    const titles = commands.map((it) => bare(words[it.title.replaceAll("%", "")] ?? it.title));
    const said = [...text.matchAll(/\*\*Project Translations: ([^*]+)\*\*/g)].map((match) =>
      bare(match[1] ?? ""),
    );
    expect(said.filter((title) => !titles.includes(title))).toEqual([]);
  });

  it("has only existing pictures", () => {
    expect(text).not.toMatch(/example\.invalid/);
  });
});
