/** What wp-cli's `i18n make-pot` found in a plugin, read from its committed catalogue, and what ours finds. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { detectFrameworks } from "../../../src/workspace/project-detection/detect-frameworks.ts";
import { usageLanguageFor } from "../../../src/scanners/supported-source-languages.ts";
import type { FindOptions } from "../../../src/scanners/key-usage.ts";
import { field } from "../../unit/scanners/extractors/xgettext.ts";

/** `context|text` of every entry. */
export function textsOf(catalogue: string): ReadonlySet<string> {
  const entries = catalogue
    .split(/\n\n+/)
    .map((block) => [field(block, "msgctxt"), field(block, "msgid")] as const);
  return new Set(
    entries.flatMap(([context, id]) => (id === null || id === "" ? [] : [`${context ?? ""}|${id}`])),
  );
}

/** The same of all uses for the plugin's own text domain. */
export function byPlugin(root: string, main: string, except: RegExp): ReadonlySet<string> {
  const { domains } = detectFrameworks([{ path: main, text: readFileSync(join(root, main), "utf8") }]);
  const options: FindOptions = { frameworks: new Set(["wordpress"]), functions: [], domains };
  const found = new Set<string>();
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name).slice(root.length + 1);
    if (!entry.isFile() || except.test(path) || !/\.(?:php|[jt]sx?|json)$/.test(path)) continue;
    const uses = usageLanguageFor(path)?.find(readFileSync(join(root, path), "utf8"), options) ?? [];
    for (const { expression, context, namespaces } of uses) {
      // Without a domain a text is WordPress's own.
      if (expression.kind === "static" && namespaces !== "unknown")
        found.add(`${context ?? ""}|${expression.key}`);
    }
  }
  return found;
}
