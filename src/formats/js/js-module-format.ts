/** `js_module`: JavaScript and TypeScript modules that export one object of texts; keys are dotted paths. */
import { vueI18nPipes } from "../../frameworks/vue-i18n.ts";
import type { ReadOptions, TextFormat } from "../format.ts";
import { type SurroundingText, treeFormat } from "../object-tree/tree-format.ts";
import { loadParser } from "./babel-parser.ts";
import { scanModule } from "./js-object-parser.ts";
import { moduleSyntax } from "./js-syntax.ts";

export const jsModule: TextFormat = {
  ...treeFormat({
    name: "js_module",
    rules: { nested: true, suffixes: true, pipes: false, parts: vueI18nPipes },
    syntax: moduleSyntax,
    scan: scanModule,
    surroundingText: moduleSurroundings,
    isReusable: ([before, after]) =>
      /^\s*(?:(["'])use strict\1\s*;?\s*)?(?:export\s+default|module\.exports\s*=|export\s*=)\s*$/u.test(
        before,
      ) && /^\s*(?:as\s+const\s*)?;?\s*$/u.test(after),
  }),
  prepare: loadParser,
};

/** Returns what surrounds the object in a new module: as in the first example, if it shows an export. */
function moduleSurroundings({ examples = [], isCommonJs = false }: ReadOptions): SurroundingText {
  const { text } = examples[0] ?? {};
  const exportsAsModule = text !== undefined && /^\s*export\b(?!\s*=)/mu.test(text);
  const exportsAsCommon = text !== undefined && /^\s*(?:(?:module\.)?exports\b|export\s*=)/mu.test(text);
  const isCommon = exportsAsModule || exportsAsCommon ? !exportsAsModule : isCommonJs;
  return [isCommon ? "module.exports = " : "export default ", ";\n"];
}
