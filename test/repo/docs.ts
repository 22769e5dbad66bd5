/**
 * What is made from the declarations of commands, the records of formats and the manifest: pages of `docs`, the formats in
 * the schema of the project file, and in the manifest and its texts the entries of commands, the file names of formats,
 * and the descriptions and input schemas of tools. `npm run docs` writes it (`write-docs.ts`); a test compares it.
 */
import { inputSchema } from "../../src/agent-tools/input-schema.ts";
import { TOOL_DESCRIPTIONS } from "../../src/agent-tools/tool-descriptions.ts";
import type { ToolName } from "../../src/agent-tools/tool-inputs.ts";
import { ALL_COMMANDS } from "./all-commands.ts";
import type { CommandDeclaration, Requirement } from "../../src/commands/define-command.ts";
import { ROW_MENUS, type RowMenuEntry } from "../../src/commands/row-menus.ts";
import { importCommand } from "../../src/commands/declarations/sync-commands.ts";
import {
  documentsWhere,
  extensionGlob,
  FORMAT_NAMES,
  formatInfo,
  isInNoLanguage,
  lastExtensionsWhere,
} from "../../src/model/file-formats.ts";
import { TRANSLATION_NAMES } from "../../src/workspace/file-layout/infer-path-pattern.ts";
import { commandsPage } from "./commands-page.ts";
import { manifest, read, readJson, settingsOf } from "./tree.ts";

/** The conditions of the palette, by what a command needs. */
const WITH_PROJECT =
  "projectTranslations.local || projectTranslations.state =~ /^(signed-in|several|refused|archived)$/";
const PALETTE_CONDITIONS: Readonly<Record<Requirement, string | null>> = {
  window: null,
  project: WITH_PROJECT,
  "trusted-workspace": WITH_PROJECT,
  "signed-in": "projectTranslations.state =~ /^(signed-in|several)$/",
  "write-access": "projectTranslations.canWrite",
};

/** Returns when the palette offers a command whose entry says nothing else; `null`: always. */
export function paletteCondition({
  audience,
  needs,
}: Pick<CommandDeclaration, "audience" | "needs">): string | null {
  return audience === "row" ? "false" : PALETTE_CONDITIONS[needs];
}

/** What commands in the menus of rows need, beside a row. */
const ROW_CONDITIONS: Readonly<Record<Requirement, string | null>> = {
  window: null,
  project: null,
  "trusted-workspace": null,
  "signed-in": PALETTE_CONDITIONS["signed-in"],
  "write-access": PALETTE_CONDITIONS["write-access"],
};
const CAN_EDIT_TEXTS = "(projectTranslations.canWrite || projectTranslations.local)";

/** Returns when a row has the command in its menu. Other extensions have rows of the same kinds. */
export function rowMenuCondition({ command, rows, editsTexts }: RowMenuEntry): string {
  const [first, ...others] = rows;
  const kind = others.length === 0 ? `viewItem == ${first}` : `viewItem =~ /^(${rows.join("|")})$/`;
  const condition = editsTexts === true ? CAN_EDIT_TEXTS : ROW_CONDITIONS[command.needs];
  return ["view =~ /^projectTranslations/", kind, condition ?? []].flat().join(" && ");
}

interface GeneratedParts {
  activationEvents: readonly string[];
  readonly contributes: {
    readonly commands: { readonly command: string; readonly title: string; readonly category: string }[];
    readonly menus: {
      readonly commandPalette: { readonly command: string; readonly when: string }[];
      readonly "explorer/context": { readonly command: string; when: string }[];
      readonly "editor/context": { readonly command?: string; when: string }[];
      "view/item/context": { readonly command: string; readonly when: string; readonly group: string }[];
    };
    readonly languageModelTools: {
      readonly name: string;
      modelDescription: string;
      inputSchema: object;
    }[];
  };
}

/**
 * Returns the manifest with the descriptions and input schemas of the tools for language models, an entry for each command, and
 * the menus of rows.
 */
export function manifestWithGeneratedParts(): string {
  const parsed = readJson<GeneratedParts>("package.json");
  const { commands, menus, languageModelTools } = parsed.contributes;
  for (const tool of languageModelTools) {
    const name = tool.name.replace("project_translations_", "") as ToolName;
    tool.modelDescription = TOOL_DESCRIPTIONS[name].description;
    tool.inputSchema = inputSchema(name);
  }
  for (const declaration of ALL_COMMANDS) {
    const { id } = declaration;
    if (!commands.some(({ command }) => command === id))
      commands.push({ command: id, title: `%${textName(declaration)}%`, category: "Project Translations" });
    const when = paletteCondition(declaration);
    if (when !== null && !menus.commandPalette.some(({ command }) => command === id))
      menus.commandPalette.push({ command: id, when });
  }
  menus["view/item/context"] = ROW_MENUS.map((entry) => ({
    command: entry.command.id,
    when: rowMenuCondition(entry),
    group: entry.group,
  }));
  for (const entry of [...menus["explorer/context"], ...menus["editor/context"]])
    entry.when = withFormats(entry.when, entry.command === importCommand.id);
  parsed.activationEvents = parsed.activationEvents.map(activationEvent);
  return asJson(parsed);
}

/** Returns a condition of the manifest with the formats of today. @param isImport whether archives are possible, too */
function withFormats(when: string, isImport: boolean): string {
  const extensions = lastExtensionsWhere(when.includes("editorLangId =~") ? isInNoLanguage : () => true);
  const names = [...extensions, ...(isImport ? ["zip"] : [])];
  const languages = documentsWhere(() => true).filter((each) => typeof each === "string");
  return when
    .replace(/resourceExtname =~ \/[^/]*\//u, () => `resourceExtname =~ /^\\.(${names.join("|")})$/`)
    .replace(/editorLangId =~ \/[^/]*\//u, () => `editorLangId =~ /^(${languages.join("|")})$/`);
}

/** Returns an activation event with the formats of today: files that are only translations, others in their folders. */
function activationEvent(event: string): string {
  if (event.startsWith("workspaceContains:**/*."))
    return `workspaceContains:**/*.${extensionGlob(({ isOnlyTranslations, kind }) => isOnlyTranslations && kind === "text")}`;
  if (event.startsWith("workspaceContains:**/{"))
    return `workspaceContains:**/{${TRANSLATION_NAMES.join(",")}}/**/*.${extensionGlob(({ isOnlyTranslations }) => !isOnlyTranslations)}`;
  return event;
}

/** Returns the schema of the project file with the formats of today. */
function schemaWithFormats(): string {
  const path = "media/project-translations.schema.json";
  const list = FORMAT_NAMES.map((name) => `\n              "${name}"`).join(",");
  return read(path).replace(
    /("The service's name of the format[^\n]*\n\s*"enum": \[)[^\]]*?(\n\s*\])/u,
    `$1${list}$2`,
  );
}

/** The name of a command's title in the manifest's texts; a command for rows has the title of the other one. */
function textName({ id }: CommandDeclaration): string {
  const name = id.replace("projectTranslations.", "");
  const whole = name.replace(/Row$/u, "");
  const isForRows = ALL_COMMANDS.some((each) => each.id === `projectTranslations.${whole}`);
  return `command.${isForRows ? whole : name}`;
}

/** Returns the manifest's texts with a title for each command. */
function manifestTexts(path: string, titleOf: (declaration: CommandDeclaration) => string): string {
  const texts = readJson<Record<string, string>>(path);
  for (const declaration of ALL_COMMANDS) texts[textName(declaration)] ??= titleOf(declaration);
  return asJson(texts);
}

/** @throws {Error} if the title has no Dutch translation */
function dutchTitle({ title }: CommandDeclaration): string {
  const bundle = "l10n/bundle.l10n.nl.json";
  const dutch = readJson<Record<string, string>>(bundle)[title];
  if (dutch === undefined) throw new Error(`${bundle} has no translation of "${title}"`);
  return dutch;
}

function asJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Contents by path, relative to the checkout. */
export function generatedPages(): ReadonlyMap<string, string> {
  return new Map([
    ["docs/commands.md", commandsPage()],
    ["docs/settings.md", settingsPage()],
    ["docs/formats.md", withTable(read("docs/formats.md"), formatsTable())],
    ["media/project-translations.schema.json", schemaWithFormats()],
    ["package.json", manifestWithGeneratedParts()],
    ["package.nls.json", manifestTexts("package.nls.json", ({ title }) => title)],
    ["package.nls.nl.json", manifestTexts("package.nls.nl.json", dutchTitle)],
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
  return `# Settings\n\n${markdownTable(["Setting", "Default", "Meaning"], rows)}\n`;
}

function markdownTable(head: readonly string[], body: readonly (readonly string[])[]): string {
  const table = [head, ...body];
  const widths = head.map((_, column) => Math.max(3, ...table.map((row) => (row[column] ?? "").length)));
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  const rule = line(widths.map((width) => "-".repeat(width)));
  return [line(head), rule, ...body.map(line)].join("\n");
}

/** Returns the page with another first table. */
function withTable(page: string, table: string): string {
  return page.replace(/(?:^\|.*\n)+/mu, () => `${table}\n`);
}

/** The facts of formats that are in their records. */
function formatsTable(): string {
  const rows = FORMAT_NAMES.map((name) => {
    const { displayName, extensions, kind, keys, descriptions, maxLengths } = formatInfo(name);
    return [
      displayName,
      `\`${name}\``,
      extensions.map((extension) => `\`${extension}\``).join(", "),
      kind === "text" ? "in place" : "only as a whole",
      keys,
      descriptions ?? "–",
      maxLengths ?? "–",
    ];
  });
  const head = [
    "Format",
    "In the project file",
    "File names",
    "Written",
    "Keys",
    "Descriptions",
    "Maximum lengths",
  ];
  return markdownTable(head, rows);
}
