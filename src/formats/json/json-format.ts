/**
 * `json_js`: JSON of JavaScript programs (i18next, vue-i18n, next-intl), nested or flat; keys are dotted paths.
 * `laravel_json`: an object of texts. Its names are whole keys (often sentences), in which dots have no meaning.
 */
import { laravelPipes } from "../../frameworks/laravel.ts";
import { vueI18nPipes } from "../../frameworks/vue-i18n.ts";
import type { TextFormat } from "../format.ts";
import { jsonSyntax, scanJson } from "./json-parser.ts";
import { treeFormat, type TreeFormatParts } from "../object-tree/tree-format.ts";

const JSON_PARTS: Pick<TreeFormatParts, "scan" | "surroundingText" | "isReusable"> = {
  scan: scanJson,
  surroundingText: () => ["", "\n"],
  isReusable: ([before, after]) => (before + after).trim() === "",
};

export const jsonJs: TextFormat = treeFormat({
  ...JSON_PARTS,
  name: "json_js",
  rules: { nested: true, suffixes: true, pipes: false, parts: vueI18nPipes },
  syntax: jsonSyntax("  "),
});

export const laravelJson: TextFormat = treeFormat({
  ...JSON_PARTS,
  name: "laravel_json",
  rules: { nested: false, suffixes: false, pipes: true, parts: laravelPipes },
  syntax: jsonSyntax("    "),
});
