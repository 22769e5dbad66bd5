/** Finds texts outside of calls: fields in the comment at the start of a file, and members of JSON files. */
import { parseTree, type Node } from "jsonc-parser";
import { type FileTexts, headerField, type JsonTexts } from "../frameworks/framework.ts";
import { supportedFrameworks, frameworksOf } from "../frameworks/supported-frameworks.ts";
import type { Span } from "../util/span.ts";
import { exactValue } from "./evaluate-key-expression.ts";
import { addUsages, defaultDetails } from "./function-calls/call-usages.ts";
import { sortByOffset, type FindOptions, type KeyUsage, type UsageLanguage } from "./key-usage.ts";

/** Style sheets and JSON files with texts, of all frameworks. */
export const filesWithTexts: readonly UsageLanguage[] = [...supportedFrameworks.values()].flatMap(
  ({ calls: { fileTexts } }) =>
    fileTexts === undefined
      ? []
      : [
          languageOf(fileTexts, fileTexts.styleSheet, findHeaderUsages),
          ...Object.entries(fileTexts.json).map(([name, texts]) =>
            languageOf(fileTexts, name, (text, options) => findJsonUsages(text, fileTexts, texts, options)),
          ),
        ],
);

function languageOf(fileTexts: FileTexts, fileName: string, find: UsageLanguage["find"]): UsageLanguage {
  const applies = (options: FindOptions): boolean => fileTextsOf(options).includes(fileTexts);
  return {
    languageIds: [],
    extensions: [],
    fileNames: [fileName],
    appliesTo: applies,
    find: (text, options) => (applies(options) ? find(text, options) : []),
  };
}

function fileTextsOf({ frameworks }: FindOptions): readonly FileTexts[] {
  return frameworksOf(frameworks).flatMap(({ calls }) => calls.fileTexts ?? []);
}

/** Returns the usages in the comment at the start of a PHP file or a style sheet. */
export function findHeaderUsages(text: string, options: FindOptions): readonly KeyUsage[] {
  return sortByOffset(fileTextsOf(options).flatMap((fileTexts) => headerUsages(text, fileTexts, options)));
}

function headerUsages(text: string, fileTexts: FileTexts, { domains }: FindOptions): readonly KeyUsage[] {
  const head = text.slice(0, fileTexts.maxHeaderCharacters);
  const kind = fileTexts.headers.find(({ pattern }) => pattern.test(head));
  if (kind === undefined) return [];
  const domain = fieldOf(head, fileTexts.domainField)?.value;
  const slug =
    domain ?? slugOf(fileTexts.nameFields.map((name) => fieldOf(head, name)).find(Boolean) ?? null);
  if (kind.isMain === true && domains?.has(slug) === false) return [];
  const usages: KeyUsage[] = [];
  for (const [name, context] of Object.entries(kind.fields)) {
    const found = fieldOf(head, name);
    if (found !== null) addText(found, name, context, domain, usages);
  }
  return usages;
}

/** Returns the default text domain: the folder name, which is usually the slug of the package's name. */
function slugOf(name: { readonly value: string } | null): string {
  return (name?.value ?? "").toLowerCase().replaceAll(/[^a-z\d]+/g, "-");
}

/** Returns the value of a field and its range, without the end of the comment. */
function fieldOf(head: string, name: string): (Span & { readonly value: string }) | null {
  const found = headerField(`${name}:(.*)$`).exec(head);
  if (found === null) return null;
  const written = found[1] ?? "";
  const value = written.replace(/(?:\*\/|\?>).*$/, "").trim();
  const line = found.index + found[0].length - written.length;
  const start = line + (written.length - written.trimStart().length);
  return value === "" ? null : { value, start, end: start + value.length };
}

/** Adds the usage of a text, which is all that there is of its call. */
function addText(
  text: Span & { readonly value: string },
  callee: string,
  context: string | null,
  domain: string | undefined,
  out: KeyUsage[],
): void {
  const namespaces = domain === undefined || domain === "" ? null : [domain];
  const details = defaultDetails({ namespaces, keyPrefix: "" }, callee, text);
  addUsages([exactValue(text.value, text.start, text.end)], { ...details, contexts: [context] }, out);
}

function findJsonUsages(
  text: string,
  { domainMember }: FileTexts,
  texts: JsonTexts,
  { domains }: FindOptions,
): readonly KeyUsage[] {
  const root = parseTree(text);
  if (root === undefined) return [];
  const domain = memberOf(root, domainMember)?.value as unknown;
  const textDomain = typeof domain === "string" ? domain : undefined;
  if (textDomain !== undefined && domains !== undefined && !domains.has(textDomain)) return [];
  const usages: KeyUsage[] = [];
  const visit = (node: Node, expected: JsonTexts): void => {
    if (typeof expected === "string") {
      if (node.type !== "string" || node.value === "") return;
      const span = { start: node.offset + 1, end: node.offset + node.length - 1 };
      addText({ ...span, value: String(node.value) }, expected, expected, textDomain, usages);
    } else if (isList(expected)) {
      if (node.type === "array") for (const item of node.children ?? []) visit(item, expected[0]);
    } else if (node.type === "object") {
      for (const { children: [name, value] = [] } of node.children ?? []) {
        const next = expected[String(name?.value)] ?? expected["*"];
        if (value !== undefined && next !== undefined) visit(value, next);
      }
    }
  };
  visit(root, texts);
  return usages;
}

function isList(texts: Exclude<JsonTexts, string>): texts is readonly [JsonTexts] {
  return Array.isArray(texts);
}

function memberOf(node: Node, name: string): Node | undefined {
  return node.children?.find(({ children: [key] = [] }) => key?.value === name)?.children?.[1];
}
