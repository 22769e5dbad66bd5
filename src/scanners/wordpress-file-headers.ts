/**
 * WordPress texts outside function calls: headers of plugins, themes, templates and patterns, `block.json` and
 * `theme.json`. The translated fields and their contexts are those of wp-cli's i18n-command.
 */
import { parseTree, type Node } from "jsonc-parser";
import type { Span } from "../util/span.ts";
import { exactValue } from "./evaluate-key-expression.ts";
import { addUsages, defaultDetails } from "./function-calls/call-usages.ts";
import { hasCalls } from "./function-calls/function-signatures.ts";
import { sortByOffset, type FindOptions, type KeyUsage, type UsageLanguage } from "./key-usage.ts";

const isWordPress = (options: FindOptions): boolean =>
  hasCalls(options, ({ hasFileHeaders }) => hasFileHeaders === true);

export const themeStyle = languageOf("style.css", findHeaderUsages);
export const blockJson = languageOf("block.json", (text, options) => findJsonUsages(text, BLOCK, options));
export const themeJson = languageOf("theme.json", (text, options) => findJsonUsages(text, THEME, options));

function languageOf(fileName: string, find: UsageLanguage["find"]): UsageLanguage {
  return {
    languageIds: [],
    extensions: [],
    fileNames: [fileName],
    appliesTo: isWordPress,
    find: (text, options) => (isWordPress(options) ? find(text, options) : []),
  };
}

/** WordPress reads headers only in the first 8 KiB of a file. */
const HEADER_CHARACTERS = 8_192;

/** File types with headers: the header that each has, and its translated headers with their contexts. */
const HEADERS: readonly {
  readonly pattern: RegExp;
  readonly fields: Readonly<Record<string, string | null>>;
  /** Whether its header names the text domain. A different domain means that it is a bundled third-party plugin. */
  readonly isMain?: true;
}[] = [
  {
    pattern: header("Plugin Name:"),
    fields: withoutContext("Plugin Name,Plugin URI,Description,Author,Author URI"),
    isMain: true,
  },
  {
    pattern: header("Theme Name:"),
    fields: withoutContext("Theme Name,Theme URI,Description,Author,Author URI"),
    isMain: true,
  },
  { pattern: header("Template Name:"), fields: withoutContext("Template Name") },
  {
    pattern: header("Slug:[ \\t]*[\\w-]+/[\\w-]+"),
    fields: { Title: "Pattern title", Description: "Pattern description" },
  },
];

function header(pattern: string): RegExp {
  return new RegExp(`^(?:[ \\t]*<\\?php)?[ \\t/*#@]*${pattern}`, "im");
}

function withoutContext(names: string): Readonly<Record<string, null>> {
  return Object.fromEntries(names.split(",").map((name) => [name, null]));
}

/** Returns the usages in the header comment of a PHP file or of a theme's style sheet. */
export function findHeaderUsages(text: string, options: FindOptions): readonly KeyUsage[] {
  if (!isWordPress(options)) return [];
  const head = text.slice(0, HEADER_CHARACTERS);
  const kind = HEADERS.find(({ pattern }) => pattern.test(head));
  if (kind === undefined) return [];
  const domain = headerOf(head, "Text Domain")?.value;
  const slug = domain ?? slugOf(headerOf(head, "Plugin Name") ?? headerOf(head, "Theme Name"));
  if (kind.isMain === true && options.domains?.has(slug) === false) return [];
  const usages: KeyUsage[] = [];
  for (const [name, context] of Object.entries(kind.fields)) {
    const found = headerOf(head, name);
    if (found !== null) addText(found, found.start, name, context, domain, usages);
  }
  return sortByOffset(usages);
}

/** Returns the default text domain: the folder name, which is usually the slug of the plugin's or theme's name. */
function slugOf(name: { readonly value: string } | null): string {
  return (name?.value ?? "").toLowerCase().replaceAll(/[^a-z\d]+/g, "-");
}

/** Returns the value of a header and its range, without the end of the comment. */
function headerOf(head: string, name: string): (Span & { readonly value: string }) | null {
  const found = header(`${name}:(.*)$`).exec(head);
  if (found === null) return null;
  const written = found[1] ?? "";
  const value = written.replace(/(?:\*\/|\?>).*$/, "").trim();
  const line = found.index + found[0].length - written.length;
  const start = line + (written.length - written.trimStart().length);
  return value === "" ? null : { value, start, end: start + value.length };
}

/** Adds the usage of a text whose callee, as written, starts at `callStart`. */
function addText(
  text: Span & { readonly value: string },
  callStart: number,
  callee: string,
  context: string | null,
  domain: string | undefined,
  out: KeyUsage[],
): void {
  const namespaces = domain === undefined || domain === "" ? null : [domain];
  const details = defaultDetails({ namespaces, keyPrefix: "" }, callee, { start: callStart, end: text.end });
  addUsages([exactValue(text.value, text.start, text.end)], { ...details, contexts: [context] }, out);
}

/** The translated values of a JSON file and their contexts; `*` matches any property name. */
type Schema = string | readonly [Schema] | { readonly [name: string]: Schema };

const BLOCK: Schema = {
  title: "block title",
  description: "block description",
  keywords: ["block keyword"],
  styles: [{ label: "block style label" }],
  variations: [
    {
      title: "block variation title",
      description: "block variation description",
      keywords: ["block variation keyword"],
    },
  ],
};

const SETTINGS: Schema = {
  typography: { fontSizes: [{ name: "Font size name" }], fontFamilies: [{ name: "Font family name" }] },
  color: {
    palette: [{ name: "Color name" }],
    gradients: [{ name: "Gradient name" }],
    duotone: [{ name: "Duotone name" }],
  },
  spacing: { spacingSizes: [{ name: "Space size name" }] },
  dimensions: {
    aspectRatios: [{ name: "Aspect ratio name" }],
    dimensionSizes: [{ name: "Dimension size name" }],
  },
  shadow: { presets: [{ name: "Shadow name" }] },
  border: { radiusSizes: [{ name: "Border radius size name" }] },
};

const THEME: Schema = {
  title: "Style variation name",
  description: "Style variation description",
  settings: { ...SETTINGS, blocks: { "*": SETTINGS } },
  customTemplates: [{ title: "Custom template name" }],
  templateParts: [{ title: "Template part name" }],
};

function findJsonUsages(text: string, schema: Schema, { domains }: FindOptions): readonly KeyUsage[] {
  const root = parseTree(text, [], { allowTrailingComma: true });
  if (root === undefined) return [];
  const domain = memberOf(root, "textdomain")?.value as unknown;
  const textDomain = typeof domain === "string" ? domain : undefined;
  if (textDomain !== undefined && domains !== undefined && !domains.has(textDomain)) return [];
  const usages: KeyUsage[] = [];
  const visit = (node: Node, expected: Schema): void => {
    if (typeof expected === "string") {
      if (node.type !== "string" || node.value === "") return;
      const span = { start: node.offset + 1, end: node.offset + node.length - 1 };
      addText({ ...span, value: String(node.value) }, node.offset, expected, expected, textDomain, usages);
    } else if (isList(expected)) {
      if (node.type === "array") for (const item of node.children ?? []) visit(item, expected[0]);
    } else if (node.type === "object") {
      for (const { children: [name, value] = [] } of node.children ?? []) {
        const next = expected[String(name?.value)] ?? expected["*"];
        if (value !== undefined && next !== undefined) visit(value, next);
      }
    }
  };
  visit(root, schema);
  return usages;
}

function isList(schema: Exclude<Schema, string>): schema is readonly [Schema] {
  return Array.isArray(schema);
}

function memberOf(node: Node, name: string): Node | undefined {
  return node.children?.find(({ children: [key] = [] }) => key?.value === name)?.children?.[1];
}
