/** `json_js`: JSON of JavaScript programs (i18next, vue-i18n, next-intl), nested or flat; keys are dotted paths. */
import type { TextFormat } from "../format.ts";
import { scanJson } from "./json-scan.ts";
import { jsonSyntax } from "./json-tree.ts";
import { treeFormat } from "../tree/tree-format.ts";

export const jsonJs: TextFormat = treeFormat({
  name: "json_js",
  extensions: [".json"],
  rules: { nested: true, suffixes: true, pipes: false },
  syntax: jsonSyntax("  "),
  scan: scanJson,
  before: "",
  after: "\n",
});
