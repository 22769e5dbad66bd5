/** `laravel_json`: one object of texts, whose names are whole keys (often sentences), dots and all. */
import type { TextFormat } from "../format.ts";
import { scanJson } from "./json-scan.ts";
import { jsonSyntax } from "./json-tree.ts";
import { treeFormat } from "../tree/tree-format.ts";

export const laravelJson: TextFormat = treeFormat({
  name: "laravel_json",
  extensions: [".json"],
  rules: { nested: false, suffixes: false, pipes: true },
  syntax: jsonSyntax("    "),
  scan: scanJson,
  before: "",
  after: "\n",
});
