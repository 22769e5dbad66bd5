/** The pages of `docs` that are made from the manifest and the declarations of commands. `npm run docs` writes them; a test compares them. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { root } from "../setup/ensure.mjs";
import { commandsPage } from "./commands-page.ts";
import { manifest, readJson, settingsOf } from "./tree.ts";

/** Contents by path, relative to the checkout. */
export function generatedPages(): ReadonlyMap<string, string> {
  return new Map([
    ["docs/commands.md", commandsPage()],
    ["docs/settings.md", settingsPage()],
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
