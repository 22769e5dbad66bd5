/**
 * Finds key usages in Vue single-file components: scripts, interpolations, bound attributes, `v-t` and `<i18n-t>`.
 * Tolerant of malformed markup; a translator created in `<script setup>` is in scope in the template. Keys that a component
 * defines in its own `<i18n>` blocks are not keys of the service.
 */
import { readValues } from "./evaluate-key-expression.ts";
import { addUsages, DEFAULT_SCOPE, defaultDetails, UNKNOWN_SCOPE } from "./function-calls/call-usages.ts";
import { javascriptFunctions } from "./function-calls/function-signatures.ts";
import { addComponentUsages } from "./javascript/components.ts";
import type { Bindings } from "./javascript/hook-bindings.ts";
import { addJavaScriptUsages } from "./javascript/javascript-scanner.ts";
import {
  type FindOptions,
  type KeyExpression,
  type KeyUsage,
  sortByOffset,
  type UsageLanguage,
} from "./key-usage.ts";
import { javascriptSource, type Property, type Source, type Tag } from "./source-reader.ts";
import { indexWithin, skipSpace } from "./lexers/characters.ts";
import { MarkupLexer } from "./lexers/embedded-code.ts";
import { unescapeJavaScript } from "./lexers/string-literals.ts";

export const vue: UsageLanguage = {
  languageIds: ["vue"],
  extensions: [".vue"],
  comments: "markup",
  find: findInVue,
};

function findInVue(text: string, options: FindOptions): readonly KeyUsage[] {
  const functions = javascriptFunctions(options);
  if (!functions.prefilter.test(text)) return [];
  const lexer = new VueLexer(text);
  const source = lexer.run();
  const usages: KeyUsage[] = [];
  // i18next-vue passes all namespaces of its hook to i18next.
  const bindings = addJavaScriptUsages(source, { ...functions, nsMode: "fallback" }, usages);
  for (const tag of lexer.tags) addTagUsages(bindings, tag, usages);
  const { messages } = lexer;
  return sortByOffset(
    messages === null ? usages : usages.flatMap((usage) => excludeMessages(messages, usage)),
  );
}

/**
 * Drops a usage of a message that the component itself defines; if it only may be one, its namespace becomes
 * `unknown`.
 */
function excludeMessages(messages: ComponentMessages, usage: KeyUsage): readonly KeyUsage[] {
  const { expression, namespaces } = usage;
  if (namespaces !== null && namespaces !== "unknown") return [usage];
  if (expression.kind === "static" && messages.defines(expression)) return [];
  const mayBeDefined =
    !messages.isComplete || (expression.kind === "pattern" && messages.mayDefine(expression));
  return [mayBeDefined ? { ...usage, namespaces: "unknown" } : usage];
}

function addTagUsages(bindings: Bindings, tag: Tag, out: KeyUsage[]): void {
  const { source } = bindings;
  addComponentUsages(bindings, tag, out);
  const directive = tag.attributes.find((attribute) => /^v-t(?:\.|$)/.test(attribute.name));
  if (directive === undefined || directive.value === null) return;
  const object = source.readObject(directive.value);
  const path = object.find((property) => property.name === "path")?.value;
  const isDynamic = source.code[directive.value.start] === "{" && path === undefined;
  const details = defaultDetails(isDynamic ? UNKNOWN_SCOPE : DEFAULT_SCOPE, "v-t", tag);
  details.plural = object.some((property) => property.name === "choice" || property.name === "plural");
  addUsages(readValues(source, path ?? directive.value), details, out);
}

const RAW = /^(?:script|style|i18n|i18n-custom|docs)$/i;
const KEY_COMPONENTS = /^(?:i18n-t|I18nT|i18n|I18n|Translation|Trans|FormattedMessage)$/;
const ATTRIBUTE = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/y;

class VueLexer extends MarkupLexer {
  /** Messages of the component's `<i18n>` blocks; `null` without any. */
  messages: ComponentMessages | null = null;
  /** Values of all attributes of the current tag. */
  readonly #attributes = new Map<string, string>();

  protected override openers(): RegExp {
    return /<!--|\{\{|<(?=[A-Za-z])/g;
  }

  protected override open({ index, 0: opener }: RegExpExecArray): number {
    const after = index + opener.length;
    if (opener === "<!--") return this.after("-->", after);
    if (opener === "<") {
      this.#attributes.clear();
      return this.startTag(index);
    }
    const close = this.find("}}", after);
    return close === this.text.length ? close : this.script(after, close) + 2;
  }

  protected override attribute(tag: string, start: number, out: Property[]): number {
    ATTRIBUTE.lastIndex = start;
    const [written = "", name = "", double, single, unquoted = ""] = ATTRIBUTE.exec(this.text) ?? [];
    const value = double ?? single;
    const end = start + Math.max(written.length, 1);
    this.#attributes.set(name, value ?? unquoted);
    if (value !== undefined) this.#value(tag, name, end - 1 - value.length, end - 1, out);
    return end;
  }

  protected override content(tag: string, start: number, isEmpty: boolean): number {
    const attributes = this.#attributes;
    if (tag === "template" && attributes.get("lang") === "pug") return this.#pug(start);
    if (!RAW.test(tag)) return start;
    // `<i18n path>` is a component, `<i18n>` a block of messages.
    const isMessages = /^i18n$/i.test(tag);
    if (isMessages && ["path", ":path", "v-bind:path"].some((path) => attributes.has(path))) return start;
    const end = isEmpty ? start : this.find(`</${tag}`, start);
    if (isMessages) {
      (this.messages ??= new ComponentMessages()).read(this.text.slice(start, end), attributes);
    }
    return /^script$/i.test(tag) ? this.script(start, end, attributes.get("lang") !== "ts") : end;
  }

  /** Lexes Pug (`tag(:title="…" keypath="…")` and `{{ … }}`) line by line; indentation is irrelevant here. */
  #pug(start: number): number {
    const { text } = this;
    const end = this.find("\n</template", start);
    const parts = /\{\{|(?<=[\s(,])([:@#]?[\w.:@-]+)\s*=\s*(["'])|\b(i18n-t|I18nT|i18n)(?=\()/g;
    parts.lastIndex = start;
    let tag = { name: "", start };
    for (let found = parts.exec(text); found !== null; found = parts.exec(text)) {
      const { index, 0: part, 1: attribute = "", 2: quote, 3: component } = found;
      if (component !== undefined) {
        tag = { name: component, start: index };
        continue;
      }
      const after = index + part.length;
      const closer = quote ?? "}}";
      const close = indexWithin(text, closer, after, end);
      if (close === -1) break;
      parts.lastIndex = close + closer.length;
      if (quote === undefined) this.script(after, close);
      else {
        const attributes: Property[] = [];
        this.#value(tag.name, attribute, after, close, attributes);
        if (attributes.length > 0) this.tags.push({ ...tag, end: close + 1, attributes });
      }
    }
    return end;
  }

  /** Lexes a bound attribute's value as code; adds a plain one if its component takes a key. */
  #value(tag: string, name: string, start: number, end: number, out: Property[]): void {
    const isKeyComponent = KEY_COMPONENTS.test(tag);
    if (/^(?:v-bind:|:|v-|@|#)/.test(name)) {
      this.script(start, end);
      const plainName = name.replace(/^(?:v-bind:|:)/, "");
      if (isKeyComponent || name.startsWith("v-t")) out.push({ name: plainName, value: { start, end } });
    } else if (isKeyComponent) out.push({ name, value: this.plainValue(start - 1, end + 1) });
  }
}

/** Maximum nesting; deeper blocks count as unparsed. */
const MAX_DEPTH = 50;
/** Longer lines of YAML count as unparsed. */
const MAX_LINE_CHARACTERS = 2_000;
/** Maximum number of keys that a pattern is compared with; with more, the pattern may match any of them. */
const MAX_COMPARED_KEYS = 1_000;

/**
 * Adds the path of a key.
 * @param isOpen whether it may have more descendants than were read (list items)
 */
type Add = (path: readonly string[], isOpen: boolean) => void;

/** The messages that a component defines itself. */
export class ComponentMessages {
  readonly #keys = new Set<string>();
  /** Paths that have descendants. */
  readonly #groups = new Set<string>();
  readonly #open: string[] = [];
  /** Whether every block was parsed completely, so that a key in none of them is not the component's own. */
  isComplete = true;

  /** Reads a block. With the attribute `locale`, its top-level names are keys; without it they are locales. */
  read(block: string, attributes: ReadonlyMap<string, string>): void {
    const depth = attributes.has("locale") ? 0 : 1;
    const add: Add = (path, isOpen) => this.#add(path.slice(depth), isOpen);
    const language = attributes.get("lang") ?? "";
    const isYaml = /^ya?ml$/.test(language) || (language === "" && !/^\s*[{/]/.test(block));
    const isRead = isYaml ? readYaml(block, add) : readModule(block, add);
    // With `src` the messages are in another file.
    if (!isRead || attributes.has("src")) this.isComplete = false;
  }

  /** Whether the component defines the key, as a message or a group. */
  defines({ key }: KeyExpression & { readonly kind: "static" }): boolean {
    const path = plainPath(key);
    return (
      this.#keys.has(path) || this.#groups.has(path) || this.#open.some((list) => path.startsWith(`${list}.`))
    );
  }

  /** Whether the component may define a key that matches the pattern. */
  mayDefine({ prefix, suffix }: KeyExpression & { readonly kind: "pattern" }): boolean {
    if (this.#keys.size > MAX_COMPARED_KEYS) return true;
    const start = plainPath(prefix);
    for (const key of this.#keys) if (key.startsWith(start) && key.endsWith(suffix)) return true;
    return this.#open.some((list) => list.startsWith(start) || start.startsWith(list));
  }

  #add(path: readonly string[], isOpen: boolean): void {
    if (path.length === 0) return;
    const key = plainPath(path.join("."));
    this.#keys.add(key);
    if (isOpen) this.#open.push(key);
    for (let dot = key.lastIndexOf("."); dot > 0; dot = key.lastIndexOf(".", dot - 1)) {
      const group = key.slice(0, dot);
      if (this.#groups.has(group)) break;
      this.#groups.add(group);
    }
  }
}

/** Normalises a path: `a[0].b` and `a["b"]` become `a.0.b` and `a.b`. */
function plainPath(key: string): string {
  return key.includes("[") ? key.replaceAll(/\[["']?([^\]"']*)["']?\]/g, ".$1") : key;
}

/**
 * Reads JSON with comments, JSON5 or `export default { … }`. Returns `false` for anything else, or if it contains
 * code.
 */
function readModule(block: string, add: Add): boolean {
  const source = javascriptSource(block);
  const start = skipSpace(source.text, 0);
  if (start >= block.length) return true;
  const open = /^(?:export\s+default\s*)?(?=\{)/.exec(source.text.slice(start, start + 200));
  return open !== null && readMessages(source, start + open[0].length, [], add);
}

/** Reads the object at `open`; returns `false` if it could not be parsed completely. */
function readMessages(source: Source, open: number, path: readonly string[], add: Add): boolean {
  const { brackets, code, text } = source;
  const close = brackets.closing(open);
  if (close === -1 || path.length >= MAX_DEPTH) return false;
  const members = source.readObject({ start: open, end: close + 1 });
  // Methods, spread properties and computed names are not members here.
  let isComplete = source.splitAtCommas(open + 1, close).length === members.length;
  for (const { name, value } of members) {
    const memberPath = [...path, unescapeJavaScript(name)];
    const first = value === null ? "" : code[value.start];
    const isShorthand = value === null || text.slice(value.start, value.end) === name;
    if (isShorthand) isComplete = false;
    else if (first === "{" && brackets.closing(value.start) === value.end - 1) {
      if (!readMessages(source, value.start, memberPath, add)) isComplete = false;
    } else add(memberPath, first === "[");
  }
  return isComplete;
}

const YAML_NAME =
  /^( *)(?:"((?:[^"\\]|\\.)*)"|'((?:[^']|'')*)'|([^\s#'"?:,[\]{}&*!|>%@`-](?:[^:#]|:(?=\S)|(?<=\S)#)*?)) *:(?:[ ]+(.*))?$/;

/** Reads nested YAML names by indentation. Returns `false` for other syntax: anchors, flow style, tags. */
function readYaml(block: string, add: Add): boolean {
  /** The names that lead to this line, each with its indentation. */
  const parents: { readonly name: string; readonly indent: number }[] = [];
  let isComplete = true;
  /** Lines indented deeper than this belong to a text. */
  let textIndent = Number.POSITIVE_INFINITY;
  /** Whether the last name has no value, so that nested names may follow. */
  let isGroup = false;
  let inList = false;
  const pathOf = (): readonly string[] => parents.map(({ name }) => name);
  const end = (): void => {
    if (isGroup) add(pathOf(), false);
    isGroup = false;
  };
  for (const line of block.split(/\r?\n/)) {
    if (/^\s*(?:#|$|---)/.test(line)) continue;
    const indent = /^ */.exec(line)?.[0].length ?? 0;
    if (indent > textIndent) continue;
    const deepest = parents.at(-1)?.indent ?? -1;
    if (/^ *-(?: |$)/.test(line) && indent >= deepest && (isGroup || inList)) {
      if (isGroup) add(pathOf(), true);
      isGroup = false;
      inList = true;
      textIndent = indent;
      continue;
    }
    inList = false;
    const found = line.length > MAX_LINE_CHARACTERS ? null : YAML_NAME.exec(line);
    if (found === null) return false;
    if (indent <= deepest) end();
    while ((parents.at(-1)?.indent ?? -1) >= indent) parents.pop();
    const [, , double, single, plain] = found;
    const name =
      double === undefined ? (single?.replaceAll("''", "'") ?? plain ?? "") : unescapeJavaScript(double);
    parents.push({ name, indent });
    if (parents.length > MAX_DEPTH || name === "<<") return false;
    const value = (found[5] ?? "").replace(/^#.*$/, "").trim();
    isGroup = value === "";
    textIndent = isGroup ? Number.POSITIVE_INFINITY : indent;
    if (isGroup) continue;
    add(pathOf(), false);
    if (/^[{[&*!]/.test(value)) isComplete = false;
  }
  end();
  return isComplete;
}
