/**
 * `json_js`: JSON of JavaScript programs (i18next, vue-i18n, next-intl), nested or flat; keys are dotted paths.
 * `laravel_json`: an object of texts. Its names are whole keys (often sentences), in which dots have no meaning.
 */
import type { TextFormat } from "../format.ts";
import { jsonSyntax, scanJson } from "./json-tree.ts";
import { treeFormat } from "../tree/tree-format.ts";

export const jsonJs: TextFormat = treeFormat({
  name: "json_js",
  extensions: [".json"],
  rules: { nested: true, suffixes: true, pipes: false },
  syntax: jsonSyntax("  "),
  scan: scanJson,
  around: () => ["", "\n"],
  isCommonAround: ([before, after]) => (before + after).trim() === "",
});

export const laravelJson: TextFormat = treeFormat({
  name: "laravel_json",
  extensions: [".json"],
  rules: { nested: false, suffixes: false, pipes: true },
  syntax: jsonSyntax("    "),
  scan: scanJson,
  around: () => ["", "\n"],
  isCommonAround: ([before, after]) => (before + after).trim() === "",
});
