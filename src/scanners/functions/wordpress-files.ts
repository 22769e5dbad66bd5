/**
 * Texts of WordPress that stand in no call: headers of plugins, themes, templates and patterns, `block.json` and
 * `theme.json`. What is translated, and in which context, is as wp-cli's i18n-command has it.
 */
import { parseTree, type Node } from "jsonc-parser";
import type { Span } from "../../model/span.ts";
import { inOrder } from "../javascript.ts";
import type { FindOptions, KeyUsage, UsageLanguage } from "../usage.ts";

const holds = ({ frameworks }: FindOptions): boolean => frameworks.has("wordpress");

export const themeStyle: UsageLanguage = {
  languageIds: [],
  extensions: [],
  fileNames: ["style.css"],
  holds,
  find: (text, options) => headerUses(text, options),
};

export const blockJson: UsageLanguage = {
  languageIds: [],
  extensions: [],
  fileNames: ["block.json"],
  holds,
  find: (text, options) => (holds(options) ? jsonUses(text, BLOCK, options) : []),
};

export const themeJson: UsageLanguage = {
  languageIds: [],
  extensions: [],
  fileNames: ["theme.json"],
  holds,
  find: (text, options) => (holds(options) ? jsonUses(text, THEME, options) : []),
};

/** WordPress reads no further for headers, in characters that are at most so many bytes. */
const HEADER_LENGTH = 8_192;

/** What makes a file one with headers, and which of them are translated, with their contexts. */
const HEADERS: readonly {
  readonly mark: RegExp;
  readonly fields: Readonly<Record<string, string | null>>;
  /** Its header names the text domain; one for another domain is a plugin that the project brings along. */
  readonly isMain?: true;
}[] = [
  {
    mark: /^(?:[ \t]*<\?php)?[ \t/*#@]*Plugin Name:/im,
    fields: each("Plugin Name,Plugin URI,Description,Author,Author URI"),
    isMain: true,
  },
  {
    mark: /^(?:[ \t]*<\?php)?[ \t/*#@]*Theme Name:/im,
    fields: each("Theme Name,Theme URI,Description,Author,Author URI"),
    isMain: true,
  },
  { mark: /^(?:[ \t]*<\?php)?[ \t/*#@]*Template Name:/im, fields: each("Template Name") },
  {
    mark: /^(?:[ \t]*<\?php)?[ \t/*#@]*Slug:[ \t]*[\w-]+\/[\w-]+/im,
    fields: { Title: "Pattern title", Description: "Pattern description" },
  },
];

function each(names: string): Readonly<Record<string, null>> {
  return Object.fromEntries(names.split(",").map((name) => [name, null]));
}

/** The headers' uses in the first comment of a PHP file or a theme's style sheet. */
export function headerUses(text: string, options: FindOptions): readonly KeyUsage[] {
  if (!holds(options)) return [];
  const head = text.slice(0, HEADER_LENGTH);
  const kind = HEADERS.find(({ mark }) => mark.test(head));
  if (kind === undefined) return [];
  const domain = headerOf(head, "Text Domain")?.value;
  const slug = domain ?? slugOf(headerOf(head, "Plugin Name") ?? headerOf(head, "Theme Name"));
  if (kind.isMain === true && options.domains?.has(slug) === false) return [];
  const uses: KeyUsage[] = [];
  for (const [name, context] of Object.entries(kind.fields)) {
    const found = headerOf(head, name);
    if (found !== null) uses.push(useOf(found.value, found, found.start, name, context, domain));
  }
  return inOrder(uses);
}

/** A header without a domain has its folder's name as one, which is the name in small letters as a rule. */
function slugOf(name: { readonly value: string } | null): string {
  return (name?.value ?? "").toLowerCase().replaceAll(/[^a-z\d]+/g, "-");
}

/** The value of a header and its place, without the comment's end. */
function headerOf(head: string, name: string): (Span & { readonly value: string }) | null {
  const found = new RegExp(`^(?:[ \\t]*<\\?php)?[ \\t/*#@]*${name}:(.*)$`, "im").exec(head);
  if (found === null) return null;
  const written = found[1] ?? "";
  const value = written.replace(/(?:\*\/|\?>).*$/, "").trim();
  const line = found.index + found[0].length - written.length;
  const start = line + (written.length - written.trimStart().length);
  return value === "" ? null : { value, start, end: start + value.length };
}

function useOf(
  key: string,
  keySpan: Span,
  callStart: number,
  callee: string,
  context: string | null,
  domain: string | undefined,
): KeyUsage {
  return {
    used: { kind: "static", key },
    keySpan: { start: keySpan.start, end: keySpan.end },
    callSpan: { start: callStart, end: keySpan.end },
    callee,
    namespaces: domain === undefined || domain === "" ? null : [domain],
    keyPrefix: "",
    context,
    plural: false,
    defaultText: null,
  };
}

/** What of a JSON file is translated: texts with their contexts; `*` stands for any name. */
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

function jsonUses(text: string, schema: Schema, { domains }: FindOptions): readonly KeyUsage[] {
  const root = parseTree(text, [], { allowTrailingComma: true });
  if (root === undefined) return [];
  const domain = memberOf(root, "textdomain")?.value as unknown;
  const own = typeof domain === "string" ? domain : undefined;
  if (own !== undefined && domains !== undefined && !domains.has(own)) return [];
  const uses: KeyUsage[] = [];
  const visit = (node: Node, wanted: Schema): void => {
    if (typeof wanted === "string") {
      if (node.type !== "string" || node.value === "") return;
      const span = { start: node.offset + 1, end: node.offset + node.length - 1 };
      uses.push(useOf(String(node.value), span, node.offset, wanted, wanted, own));
    } else if (isList(wanted)) {
      if (node.type === "array") for (const item of node.children ?? []) visit(item, wanted[0]);
    } else if (node.type === "object") {
      for (const { children: [name, value] = [] } of node.children ?? []) {
        const next = wanted[String(name?.value)] ?? wanted["*"];
        if (value !== undefined && next !== undefined) visit(value, next);
      }
    }
  };
  visit(root, schema);
  return uses;
}

function isList(schema: Exclude<Schema, string>): schema is readonly [Schema] {
  return Array.isArray(schema);
}

function memberOf(node: Node, name: string): Node | undefined {
  return node.children?.find(({ children: [key] = [] }) => key?.value === name)?.children?.[1];
}
