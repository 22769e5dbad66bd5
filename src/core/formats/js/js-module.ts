/** `js_module`: JavaScript and TypeScript modules that export one object of texts; keys are dotted paths. */
import type { TextFormat } from "../format.ts";
import { treeFormat } from "../tree/tree-format.ts";
import { loadParser } from "./js-parser.ts";
import { scanModule } from "./js-scan.ts";
import { moduleSyntax } from "./js-tree.ts";

export const jsModule: TextFormat = {
  ...treeFormat({
    name: "js_module",
    extensions: [".ts", ".mts", ".cts", ".js", ".mjs", ".cjs"],
    rules: { nested: true, suffixes: true, pipes: false },
    syntax: moduleSyntax,
    scan: scanModule,
    before: "export default ",
    after: ";\n",
  }),
  prepare: loadParser,
};
