/**
 * Components that take a key as an attribute (`<Trans i18nKey="…">`, `<FormattedMessage id="…">`, `<i18n-t keypath>`),
 * also in render functions, and `<Trans>` whose key is derived from its children.
 */
import type { Span } from "../../util/span.ts";
import { exactValue, literalText, readValues, type ExpressionValue } from "../evaluate-key-expression.ts";
import {
  addCallUsages,
  addKeyUsages,
  addSourceMessage,
  addUsages,
  DEFAULT_SCOPE,
  defaultDetails,
  readOptions,
  UNKNOWN_SCOPE,
  type CallDetails,
  type TranslatorScope,
} from "../function-calls/call-usages.ts";
import { COMPONENT_NAMES, COMPONENTS, MESSAGE_COMPONENTS } from "../function-calls/function-signatures.ts";
import type { KeyUsage } from "../key-usage.ts";
import type { Source, Tag } from "../source-reader.ts";
import { unescapeMarkup } from "../lexers/string-literals.ts";
import type { Bindings } from "./hook-bindings.ts";

/** Adds the key usages of JSX components: `<Trans i18nKey="…" ns="…" />`. */
export function addJsxComponentUsages(bindings: Bindings, out: KeyUsage[]): void {
  const { source } = bindings;
  for (const { index: start, 0: opener, 1: name = "" } of source.code.matchAll(
    /<([A-Za-z][\w.]*)(?=[\s<])/g,
  )) {
    const { attributes, end } = source.readAttributes(start + opener.length);
    if (attributes.length > 0) addComponentUsages(bindings, { name, attributes, start, end }, out);
  }
}

/** Adds the key usage of a component if one of its attributes contains a key. */
export function addComponentUsages(bindings: Bindings, tag: Tag, out: KeyUsage[]): void {
  const keyNames = [...(COMPONENTS.get(tag.name) ?? []), ...(COMPONENTS.get("*") ?? [])];
  const key = tag.attributes.find(({ name }) => keyNames.includes(name));
  const message = MESSAGE_COMPONENTS[tag.name];
  if (key === undefined && message !== undefined)
    addSourceMessage(bindings.source, tag.attributes, message, componentDetails(bindings, tag), out);
  if (key === undefined || key.value === null) return;
  const details = componentDetails(bindings, tag);
  if (tag.name === "Trans" && hasCount(bindings.source, tag.end)) details.plural = true;
  addKeyUsages(bindings.source, key.value, details, out);
}

/** Returns the details in the attributes. */
function componentDetails(bindings: Bindings, tag: Tag): CallDetails {
  const details = defaultDetails(scopeOfComponent(bindings, tag), tag.name, tag);
  const options = tag.attributes
    .filter(({ name }) => name !== "default")
    .map((attribute) => (attribute.name === "defaults" ? { ...attribute, name: "defaultValue" } : attribute));
  readOptions(bindings.source, options, details);
  // The component passes both on as options.
  for (const { name, value } of tag.name === "Trans" ? tag.attributes : []) {
    if ((name !== "tOptions" && name !== "values") || value === null) continue;
    const isObject = bindings.source.code[value.start] === "{";
    if (isObject) readOptions(bindings.source, bindings.source.readObject(value), details);
    else if (name === "tOptions") details.openOptions = true;
  }
  return details;
}

/** Returns the scope of the translator in `<Trans t={t}>`. */
function scopeOfComponent(bindings: Bindings, { attributes, start }: Tag): TranslatorScope {
  const translator = attributes.find((attribute) => attribute.name === "t")?.value;
  if (translator === undefined || translator === null) return DEFAULT_SCOPE;
  const name = bindings.source.code.slice(translator.start, translator.end).trim();
  return /^[\w$]+$/.test(name) ? bindings.scopeOf(name, start) : UNKNOWN_SCOPE;
}

const RENDERED = new RegExp(
  `\\b(?:h|createVNode|createElement|jsxs?)\\s*\\)?\\(\\s*(?:[\\w$]+\\.)*(${COMPONENT_NAMES.join("|")})\\s*,`,
  "g",
);
const MAY_BE_RENDERED = new RegExp(COMPONENT_NAMES.join("|"));
/** The component whose children may be the key, and its attributes that contain one. */
const TEXT_COMPONENT = "Trans";
const TEXT_COMPONENT_KEYS = COMPONENTS.get(TEXT_COMPONENT) ?? [];
/** As bundlers call imported functions: `(0, i18n.__)(`, `Object(i18n["__"])(`. */
const COMPILED = /(?:\(0,\s*|\bObject\()(?:[\w$]+\.)*([\w$]+)(\[\s*["']\s*["']\s*\])?\)\s*\(/g;

/**
 * Adds usages whose function is not called by its plain name: components in render functions
 * (`h(I18nT, { keypath })`), and imported functions as bundlers call them (`(0, i18n.__)("…")`).
 */
export function addIndirectCalls(bindings: Bindings, out: KeyUsage[]): void {
  const { source, functions } = bindings;
  const { code, brackets } = source;
  if (MAY_BE_RENDERED.test(code)) {
    for (const { index: start, 0: call, 1: name = "" } of code.matchAll(RENDERED)) {
      const open = start + call.lastIndexOf("(");
      const end = brackets.closing(open) + 1;
      const properties = source.readArguments(open)[1];
      if (properties === undefined) continue;
      addComponentUsages(bindings, { name, attributes: source.readObject(properties), start, end }, out);
    }
  }
  if (!code.includes("(0,") && !code.includes("Object(")) return;
  for (const { index: start, 0: call, 1: name = "", 2: member } of code.matchAll(COMPILED)) {
    const bracket = start + call.lastIndexOf("[");
    const callee =
      member === undefined
        ? name
        : source.text.slice(bracket, bracket + member.length).replaceAll(/[^\w$]/g, "");
    const shape = functions.shapes.get(callee)?.find(({ qualifier = "" }) => qualifier === "");
    const open = start + call.length - 1;
    if (shape !== undefined) addCallUsages(source, { start, open, callee }, shape, DEFAULT_SCOPE, out);
  }
}

/** One child node, as React sees it, with its part of the key. */
interface Child {
  /** `unknown`: an expression, which may or may not yield text. */
  readonly kind: "text" | "unknown" | "other";
  readonly text: string;
}

/** Child nodes, and the offset of the closing tag after them. */
interface Children {
  readonly children: readonly Child[];
  readonly end: number;
}

/** Placeholder for a value that is only known at run time. */
const UNKNOWN = "\u0000";
const TAGS = /<\/?\w+\/?>/g;
const MAX_DEPTH = 16;
const MAX_CHILDREN_CHARACTERS = 8_000;
/** Elements that are kept if they have no attributes (`transKeepBasicHtmlNodesFor`). */
const PLAIN_ELEMENTS: ReadonlySet<string> = new Set(["br", "strong", "i", "p"]);

/**
 * Adds the key usages of `<Trans>` without `i18nKey`: its key is derived from its children, otherwise from
 * `defaults`.
 */
export function addTransUsages(bindings: Bindings, out: KeyUsage[]): void {
  const { source } = bindings;
  for (const { index: start, 0: opener } of source.code.matchAll(/<Trans(?=[\s>/])/g)) {
    const { attributes, end: tagEnd } = source.readAttributes(start + opener.length);
    if (source.code[tagEnd - 1] !== ">" || attributes.some(({ name }) => TEXT_COMPONENT_KEYS.includes(name)))
      continue;
    const isEmpty = source.code[tagEnd - 2] === "/";
    const children = isEmpty ? null : childrenValue(source, tagEnd);
    const defaults = attributes.find(({ name }) => name === "defaults")?.value;
    const values = children === null ? defaults && readValues(source, defaults) : [children];
    if (!values) continue;
    const end = Math.max(tagEnd, values[0]?.end ?? tagEnd);
    const details = componentDetails(bindings, { name: "Trans", attributes, start, end });
    if (!isEmpty && hasCount(source, tagEnd)) details.plural = true;
    // Elements without any text need no translation, although a tool may have extracted them.
    details.isUncertain = children?.isExact === true && children.prefix.replaceAll(TAGS, "").trim() === "";
    addUsages(values, details, out);
  }
}

/** Whether the children after the start tag that ends at `from` contain a count: `{{ count }}`, `{{ count: x.length }}`. */
function hasCount({ code }: Source, from: number): boolean {
  if (code[from - 1] !== ">" || code[from - 2] === "/") return false;
  const children = code.slice(from, from + MAX_CHILDREN_CHARACTERS);
  const end = children.indexOf("</Trans");
  return end !== -1 && /\{\s*\{\s*count\s*[:}]/.test(children.slice(0, end));
}

/**
 * Returns the text of the children that start at `from`, after the opening tag; `null` if there are none or the
 * element is not closed.
 */
function childrenValue(source: Source, from: number): ExpressionValue | null {
  const found = readChildren(source, from, Math.min(source.code.length, from + MAX_CHILDREN_CHARACTERS), 0);
  if (found === null || found.children.length === 0) return null;
  const text = textOf(found.children);
  const { start, end } = source.trimSpan(from, found.end);
  const first = text.indexOf(UNKNOWN);
  if (first === -1) return exactValue(text, start, end);
  // `<Trans>{t("…")}</Trans>` only inserts components into a text whose usage is already found.
  if (!/\p{L}/u.test(text.replaceAll(TAGS, ""))) return null;
  const suffix = text.slice(text.lastIndexOf(UNKNOWN) + 1);
  return { isExact: false, prefix: text.slice(0, first), suffix, start, end };
}

function textOf(children: readonly Child[]): string {
  return children.map(({ text }) => text).join("");
}

/** Returns the part of the key for an element, which is the child at `index`. */
function elementText(name: string, properties: number, children: readonly Child[], index: number): string {
  const isPlain = PLAIN_ELEMENTS.has(name) && properties === 0;
  if (children.length === 0) return isPlain ? `<${name}/>` : `<${index}></${index}>`;
  const only = children.length === 1 ? children[0]?.kind : undefined;
  // Such an element is only kept around plain text, and whether an expression yields text is unknown.
  if (isPlain && only === "unknown") return UNKNOWN;
  const tag = isPlain && only === "text" ? name : String(index);
  return `<${tag}>${textOf(children)}</${tag}>`;
}

function readChildren(source: Source, from: number, limit: number, depth: number): Children | null {
  const { code } = source;
  if (depth > MAX_DEPTH) return null;
  const children: Child[] = [];
  let offset = from;
  while (offset < limit) {
    if (code[offset] === "{") {
      const close = source.brackets.closing(offset);
      if (close === -1) return null;
      const child = readExpression(source, { start: offset + 1, end: close });
      if (child !== null) children.push(child);
      offset = close + 1;
    } else if (code[offset] === "<") {
      if (code[offset + 1] === "/") return { children, end: offset };
      const element = readElement(source, offset, limit, depth, children.length);
      if (element === null) return null;
      children.push({ kind: "other", text: element.text });
      offset = element.end;
    } else {
      const start = offset;
      while (offset < limit && code[offset] !== "{" && code[offset] !== "<") offset++;
      const text = unescapeMarkup(collapseJsxText(source.text.slice(start, offset)));
      if (text !== "") children.push({ kind: "text", text });
    }
  }
  return null;
}

/** Applies JSX's whitespace rule: lines are trimmed, empty ones dropped, and the rest joined by single spaces. */
export function collapseJsxText(text: string): string {
  const lines = text.split(/\r\n|\n|\r/);
  const last = lines.length - 1;
  return lines
    .map((line, index) => {
      const start = index === 0 ? line : line.trimStart();
      return index === last ? start : start.trimEnd();
    })
    .filter((line) => line !== "")
    .join(" ");
}

/** Returns the child that an expression in braces adds: a literal, `{{ name }}`, nothing (a comment), or unknown. */
function readExpression(source: Source, { start, end }: Span): Child | null {
  const unknown: Child = { kind: "unknown", text: UNKNOWN };
  const span = source.trimSpan(start, end);
  if (span.start >= span.end) return null;
  const literal = literalText(source, span);
  if (literal !== null) return { kind: "text", text: literal };
  const properties = source.readObject(span);
  const [named, ...others] = properties.filter(({ name }) => name !== "format");
  if (named === undefined) return unknown;
  // React's library drops an object with several values.
  if (others.length > 0) return { kind: "other", text: "" };
  const format = properties.find(({ name }) => name === "format")?.value;
  const suffix = format ? `, ${literalText(source, format) ?? UNKNOWN}` : "";
  return { kind: "other", text: `{{${named.name}${suffix}}}` };
}

/** Returns the part of the key for the element at `open`, which is the child at `index`, and the offset after it. */
function readElement(
  source: Source,
  open: number,
  limit: number,
  depth: number,
  index: number,
): { readonly text: string; readonly end: number } | null {
  const { code } = source;
  const name = /^[\w.:-]*/.exec(code.slice(open + 1, open + 100))?.[0] ?? "";
  const { attributes, end } = source.readAttributes(open + 1 + name.length);
  if (code[end - 1] !== ">") return null;
  if (code[end - 2] === "/") return { text: elementText(name, attributes.length, [], index), end };
  const inner = readChildren(source, end, limit, depth + 1);
  const close = inner === null ? -1 : code.indexOf(">", inner.end);
  if (inner === null || close === -1) return null;
  return { text: elementText(name, attributes.length, inner.children, index), end: close + 1 };
}
