/** The pages of `docs` that are made from the manifest and the declarations of commands, and the manifest’s input schemas. `npm run docs` writes them; a test compares them. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { root } from "../setup/ensure.mjs";
import { toJsonSchema } from "@valibot/to-json-schema";
import { TOOL_INPUTS, type ToolName } from "../../src/features/language-model-tools/tool-inputs.ts";
import { commandsPage } from "./commands-page.ts";
import { manifest, readJson, settingsOf } from "./tree.ts";

/** What only validators need. No member of an input has such a name. */
const OMITTED = new Set(["$schema", "minLength", "maxLength", "propertyNames"]);

/** Returns a shorter schema: a member that may be `null` can as well be left out. */
function schemaForModels(schema: object): object {
  const shorten = (name: string, value: unknown): unknown => {
    if (OMITTED.has(name)) return undefined;
    const { anyOf } = (value ?? {}) as { readonly anyOf?: readonly { readonly type?: string }[] };
    return anyOf?.some(({ type }) => type === "null") === true ? anyOf[0] : value;
  };
  return JSON.parse(JSON.stringify(schema, shorten)) as object;
}

/** Returns the manifest with the input schemas of the tools for language models. */
export function manifestWithSchemas(): string {
  const parsed = readJson<{ contributes: { languageModelTools: { name: string; inputSchema: object }[] } }>(
    "package.json",
  );
  for (const tool of parsed.contributes.languageModelTools) {
    const schema = TOOL_INPUTS[tool.name.replace("project_translations_", "") as ToolName];
    tool.inputSchema = schemaForModels(toJsonSchema(schema, { ignoreActions: ["regex"] }));
  }
  return `${JSON.stringify(parsed, null, 2)}\n`;
}

/** Contents by path, relative to the checkout. */
export function generatedPages(): ReadonlyMap<string, string> {
  return new Map([
    ["docs/commands.md", commandsPage()],
    ["docs/settings.md", settingsPage()],
    ["package.json", manifestWithSchemas()],
  ]);
}

function settingsPage(): string {
  const descriptions = readJson<Record<string, string>>("package.nls.json");
  const rows = Object.entries(settingsOf(manifest())).map(([id, setting]) => {
    const values =
      setting.enum === undefined ? "" : ` (${setting.enum.map((value) => `\`${value}\``).join(", ")})`;
    const description = descriptions[(setting.markdownDescription ?? "").replaceAll("%", "")] ?? "";
    return [
      `\`${id}\``,
      setting.default === "" ? "" : `\`${String(setting.default)}\``,
      `${description}${values}`,
    ];
  });
  const table = [["Setting", "Default", "Meaning"], ...rows];
  const widths = [0, 1, 2].map((column) => Math.max(3, ...table.map((row) => (row[column] ?? "").length)));
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  const [head = [], ...body] = table;
  const rule = line(widths.map((width) => "-".repeat(width)));
  return `# Settings\n\n${[line(head), rule, ...body.map(line)].join("\n")}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [path, text] of generatedPages()) writeFileSync(join(root, path), text);
}
