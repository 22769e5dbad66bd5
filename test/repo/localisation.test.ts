/** Every message of the manifest and the source has a Dutch translation, and no translation is unused. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { getL10nJson } from "@vscode/l10n-dev";
import { beforeAll, describe, expect, it } from "vitest";
import { ALL_COMMANDS } from "./all-commands.ts";
import { root } from "../setup/ensure.mjs";
import { manifest, read, readJson, sources } from "./tree.ts";

/** The marks that a value is put in place of: `{0}`, `{name}`. */
function marks(text: string): readonly string[] {
  return [...new Set(text.match(/\{\w+\}/g) ?? [])].sort();
}

describe("the manifest's texts", () => {
  const used = [...JSON.stringify(manifest()).matchAll(/"%([^%"]+)%"/g)].map((match) => match[1] ?? "");
  const english = readJson<Record<string, string>>("package.nls.json");
  const dutch = readJson<Record<string, string>>("package.nls.nl.json");

  it("exist in English, and all are used", () => {
    expect(Object.keys(english).sort()).toEqual([...new Set(used)].sort());
  });

  it("exist in Dutch, exactly the same", () => {
    expect(Object.keys(dutch).sort()).toEqual(Object.keys(english).sort());
    expect(Object.entries(dutch).filter(([, text]) => text.trim() === "")).toEqual([]);
  });

  it("are all in package.nls files", () => {
    const { contributes } = manifest();
    const shown = new Set([
      "title",
      "description",
      "markdownDescription",
      "contents",
      "name",
      "label",
      "altText",
      "displayName",
      "userDescription",
      "enumDescriptions",
    ]);
    const bare: string[] = [];
    const look = (value: unknown, name: string): void => {
      if (typeof value === "string" && shown.has(name) && !/^%.+%$/.test(value)) bare.push(value);
      if (typeof value !== "object" || value === null) return;
      for (const [key, inner] of Object.entries(value)) {
        // For language models, and the ids of their tools and prompts.
        const isId = key === "name" && ("path" in value || "modelDescription" in value);
        if (key !== "inputSchema" && !isId) look(inner, Array.isArray(value) ? name : key);
      }
    };
    look(contributes, "");
    // A name needs no translation.
    expect(bare.filter((text) => text !== "Project Translations")).toEqual([]);
  });
});

describe("the sources' messages", () => {
  const bundle = "l10n/bundle.l10n.nl.json";
  let english: Readonly<Record<string, string>>;
  let dutch: Readonly<Record<string, string>>;

  beforeAll(async () => {
    // l10n-dev gathers from what is imported from "vscode"; both of our l10n.ts have the same form. All files of
    // a kind as one: it takes a tenth of a second for each anew.
    const joined = ([".ts", ".tsx"] as const).map((extension) => {
      const files = [
        ...sources(/^src\/(projects|operations|messages|agent-tools|cli|vscode|features|webview|extension)/),
      ];
      const bodies = files.flatMap(([path, source]) =>
        path.endsWith(extension) ? source.replaceAll(/^import [^;]*;$/gm, "") : [],
      );
      return { contents: ['import { l10n } from "vscode";', ...bodies].join("\n"), extension };
    });
    const said = await getL10nJson(joined);
    const textOf = (message: string | { readonly message: string }) =>
      typeof message === "string" ? message : message.message;
    english = Object.fromEntries([
      ...Object.entries(said).map(([key, message]) => [key, textOf(message)] as const),
      ...ALL_COMMANDS.map(({ title }) => [title, title] as const),
    ]);
    dutch = existsSync(join(root, bundle)) ? readJson<Record<string, string>>(bundle) : {};
  });

  it("are found", () => {
    expect(Object.keys(english).length).toBeGreaterThan(0);
  });

  it("are all translated into Dutch", () => {
    expect(Object.keys(english).filter((key) => !Object.hasOwn(dutch, key))).toEqual([]);
  });

  it("have no unused Dutch translations", () => {
    expect(Object.keys(dutch).filter((key) => !Object.hasOwn(english, key))).toEqual([]);
  });

  it("have the same placeholders in both languages", () => {
    const differing = Object.entries(dutch).filter(
      ([key, text]) => marks(english[key] ?? "").join() !== marks(text).join(),
    );
    expect(differing).toEqual([]);
  });

  it("are translated only through `src/util/l10n.ts`", () => {
    const api = /\bvscode\.l10n\b|import \{[^}]*\bl10n\b[^}]*\} from "vscode"/;
    const passing = [...sources(/^src\/(messages|agent-tools|cli|vscode|features)/)].filter(
      ([path, source]) => path !== "src/vscode/window-language.ts" && api.test(source),
    );
    expect(passing.map(([path]) => path)).toEqual([]);
  });
});

describe("the changelog", () => {
  it("describes the current version", () => {
    expect(read("CHANGELOG.md")).toMatch(
      new RegExp(`^## .*${manifest().version.replaceAll(".", "\\.")}|^## .*Unreleased`, "m"),
    );
  });
});
