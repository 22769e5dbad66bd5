/**
 * Finds key usages in Vue single-file components: scripts, interpolations, bound attributes, `v-t` and `<i18n-t>`.
 * Tolerant of malformed markup; a translator created in `<script setup>` is in scope in the template. Keys that a component
 * defines in its own `<i18n>` blocks are not keys of the service.
 */
import type { Bindings } from "./javascript/hook-bindings.ts";
import {
  addUsages,
  DEFAULT_SCOPE,
  defaultDetails,
  UNKNOWN_SCOPE,
  sortByOffset,
} from "./function-calls/call-usages.ts";
import { addComponentUsages } from "./javascript/components.ts";
import {
  makeSource,
  readObject,
  type Property,
  type Tag,
  splitAtCommas,
  type Source,
  javascriptSource,
} from "./lexed-source.ts";
import { indexWithin, isWord, skipSpace } from "./lexers/characters.ts";
import { addJavaScriptUsages } from "./javascript/javascript-scanner.ts";
import { javascriptFunctions } from "./function-calls/function-signatures.ts";
import { EmbeddedCodeLexer } from "./lexers/embedded-code.ts";
import type { FindOptions, KeyUsage, UsageLanguage, KeyExpression } from "./key-usage.ts";
import { readValues } from "./evaluate-key-expression.ts";
import { unescapeJavaScript } from "./lexers/literals.ts";

export const vue: UsageLanguage = {
  languageIds: ["vue"],
  extensions: [".vue"],
  comments: "markup",
  find: findInVue,
};

function findInVue(text: string, options: FindOptions): readonly KeyUsage[] {
  const functions = javascriptFunctions(options);
  if (!functions.prefilter.test(text)) return [];
  const markup = new VueLexer(text);
  const source = makeSource(markup.run(), "javascript");
  const usages: KeyUsage[] = [];
  // i18next-vue passes all namespaces of its hook to i18next.
  const bindings = addJavaScriptUsages(source, { ...functions, nsMode: "fallback" }, usages);
  for (const tag of markup.tags) addTagUsages(bindings, tag, usages);
  const { own } = markup;
  return sortByOffset(own === null ? usages : usages.flatMap((usage) => withOwn(own, usage)));
}

/**
 * Drops a usage of a message that the component itself defines; if it only may be one, its namespace becomes
 * `unknown`.
 */
function withOwn(own: OwnMessages, usage: KeyUsage): readonly KeyUsage[] {
  const { expression, namespaces } = usage;
  if (namespaces !== null && namespaces !== "unknown") return [usage];
  if (expression.kind === "static" && own.defines(expression)) return [];
  const mayBeOwn = !own.whole || (expression.kind === "pattern" && own.mayDefine(expression));
  return [mayBeOwn ? { ...usage, namespaces: "unknown" } : usage];
}

function addTagUsages(bindings: Bindings, tag: Tag, out: KeyUsage[]): void {
  const { source } = bindings;
  addComponentUsages(bindings, tag, out);
  const directive = tag.attributes.find((attribute) => /^v-t(?:\.|$)/.test(attribute.name));
  if (directive === undefined || directive.value === null) return;
  const object = readObject(source, directive.value);
  const path = object.find((property) => property.name === "path")?.value;
  const span = path ?? directive.value;
  const isDynamic = source.code[directive.value.start] === "{" && path === undefined;
  const facts = defaultDetails(isDynamic ? UNKNOWN_SCOPE : DEFAULT_SCOPE, "v-t", tag);
  facts.plural = object.some((property) => property.name === "choice" || property.name === "plural");
  addUsages(readValues(source, span.start, span.end), facts, out);
}

const RAW = /^(?:script|style|i18n|i18n-custom|docs)$/i;
const MARKED = /^(?:i18n-t|I18nT|i18n|I18n|Translation|Trans|FormattedMessage)$/;
const ATTRIBUTE = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/y;

class VueLexer extends EmbeddedCodeLexer {
  /** Start tags that may contain keys. */
  readonly tags: Tag[] = [];
  /** Messages of the component's `<i18n>` blocks; `null` without any. */
  own: OwnMessages | null = null;

  protected override openers(): RegExp {
    return /<!--|\{\{|<(?=[A-Za-z])/g;
  }

  protected override open({ index, 0: opener }: RegExpExecArray): number {
    const after = index + opener.length;
    if (opener === "<!--") return this.after("-->", after);
    if (opener === "<") return this.#tag(index);
    const close = this.text.indexOf("}}", after);
    if (close === -1) return this.text.length;
    this.script(after, close, false);
    return close + 2;
  }

  /** Reads the start tag at `open`, including the content of a script; returns the offset to continue at. */
  #tag(open: number): number {
    const text = this.text;
    let at = open + 1;
    while (isWord(text.charCodeAt(at)) || text[at] === "-" || text[at] === "." || text[at] === ":") at++;
    const name = text.slice(open + 1, at);
    const attributes: Property[] = [];
    const written = new Map<string, string>();
    while (at < text.length) {
      at = skipSpace(text, at);
      if (text[at] === "/" || text[at] === '"' || text[at] === "'" || text[at] === "=") {
        at++;
        continue;
      }
      if (text[at] === ">" || text[at] === "<" || at >= text.length) break;
      ATTRIBUTE.lastIndex = at;
      const found = ATTRIBUTE.exec(text);
      if (found === null) break;
      const attribute = found[1] ?? "";
      const value = found[2] ?? found[3];
      const end = at + found[0].length;
      written.set(attribute, value ?? found[4] ?? "");
      if (value !== undefined) this.#attribute(name, attribute, end - 1 - value.length, end - 1, attributes);
      at = end;
    }
    const end = text[at] === ">" ? at + 1 : at;
    if (attributes.length > 0) this.tags.push({ name, start: open, end, attributes });
    if (name === "template" && written.get("lang") === "pug") return this.#pug(end);
    if (!RAW.test(name)) return end;
    // `<i18n path>` is a component, `<i18n>` a block of messages.
    const isMessages = /^i18n$/i.test(name);
    if (isMessages && ["path", ":path", "v-bind:path"].some((path) => written.has(path))) return end;
    const close = text[at - 1] === "/" ? end : this.find(`</${name}`, end);
    if (isMessages) (this.own ??= new OwnMessages()).read(text, end, close, written);
    if (/^script$/i.test(name)) this.script(end, close, written.get("lang") !== "ts");
    return close;
  }

  /** Lexes Pug (`tag(:title="…" keypath="…")` and `{{ … }}`) line by line; indentation is irrelevant here. */
  #pug(start: number): number {
    const text = this.text;
    const end = this.find("\n</template", start);
    const parts = /\{\{|(?<=[\s(,])([:@#]?[\w.:@-]+)\s*=\s*(["'])|\b(i18n-t|I18nT|i18n)(?=\()/g;
    parts.lastIndex = start;
    let tag = "";
    let from = start;
    for (let found = parts.exec(text); found !== null; found = parts.exec(text)) {
      const after = found.index + found[0].length;
      if (found[0] === "{{") {
        const close = indexWithin(text, "}}", after, end);
        if (close === -1) break;
        this.script(after, close, false);
        parts.lastIndex = close + 2;
      } else if (found[1] === undefined) {
        tag = found[3] ?? "";
        from = found.index;
      } else {
        const close = indexWithin(text, found[2] ?? '"', after, end);
        if (close === -1) break;
        const attributes: Property[] = [];
        this.#attribute(tag, found[1], after, close, attributes);
        if (attributes.length > 0) this.tags.push({ name: tag, start: from, end: close + 1, attributes });
        parts.lastIndex = close + 1;
      }
    }
    return end;
  }

  /** Lexes a bound attribute as code; records a plain one if its component takes a key. */
  #attribute(tag: string, name: string, start: number, end: number, out: Property[]): void {
    const bound = /^(?:v-bind:|:|v-|@|#)/.test(name);
    const marked = MARKED.test(tag);
    if (bound) {
      this.script(start, end, false);
      const plain = name.replace(/^(?:v-bind:|:)/, "");
      if (marked || name.startsWith("v-t")) out.push({ name: plain, value: { start, end } });
    } else if (marked) out.push({ name, value: this.plainValue(start - 1, end + 1) });
  }
}

/** Maximum nesting; deeper blocks count as unparsed. */
const MAX_DEPTH = 50;
/** Maximum length of a YAML line in characters; longer lines count as unparsed. */
const LINE_LIMIT = 2_000;
/** Maximum number of keys that a pattern is compared with; with more, the pattern may match any of them. */
const COMPARED_LIMIT = 1_000;

/**
 * Adds the path of a key.
 * @param isOpen whether it may have more descendants than were read (list items)
 */
type Add = (path: readonly string[], isOpen: boolean) => void;

export class OwnMessages {
  readonly #keys = new Set<string>();
  /** Paths that have descendants. */
  readonly #groups = new Set<string>();
  readonly #open: string[] = [];
  #isComplete = true;

  /** Whether every block was parsed completely, so that a key in none of them is not the component's own. */
  get whole(): boolean {
    return this.#isComplete;
  }

  /**
   * Reads the block in `[start, end)` of the text. With the attribute `locale`, its top-level names are keys; without
   * it they are locales.
   */
  read(text: string, start: number, end: number, attributes: ReadonlyMap<string, string>): void {
    const depth = attributes.has("locale") ? 0 : 1;
    const add: Add = (path, isOpen) => this.#add(path.slice(depth), isOpen);
    const language = attributes.get("lang") ?? "";
    const isIndented =
      /^ya?ml$/.test(language) || (language === "" && !/^\s*[{/]/.test(text.slice(start, end)));
    const block = text.slice(start, end);
    const read = isIndented ? readYaml(block, add) : readModule(block, add);
    // With `src` the messages are in another file.
    if (!read || attributes.has("src")) this.#isComplete = false;
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
    if (this.#keys.size > COMPARED_LIMIT) return true;
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
  return open !== null && readMembers(source, start + open[0].length, [], add);
}

/** Reads the object at `open`; returns `false` if it could not be parsed completely. */
function readMembers(source: Source, open: number, path: readonly string[], add: Add): boolean {
  const close = source.brackets.closing(open);
  if (close === -1 || path.length >= MAX_DEPTH) return false;
  const members = readObject(source, { start: open, end: close + 1 });
  // Methods, spread properties and computed names are not members here.
  let isWhole = splitAtCommas(source, open + 1, close).length === members.length;
  for (const { name, value } of members) {
    const inner = [...path, unescapeJavaScript(name)];
    const first = value === null ? "" : source.code[value.start];
    if (value === null) isWhole = false;
    else if (first === "{" && source.brackets.closing(value.start) === value.end - 1) {
      if (!readMembers(source, value.start, inner, add)) isWhole = false;
    } else add(inner, first === "[");
  }
  return isWhole;
}

const YAML_NAME =
  /^( *)(?:"((?:[^"\\]|\\.)*)"|'((?:[^']|'')*)'|([^\s#'"?:,[\]{}&*!|>%@`-](?:[^:#]|:(?=\S)|(?<=\S)#)*?)) *:(?:[ ]+(.*))?$/;

/** Reads nested YAML names by indentation. Returns `false` for other syntax: anchors, flow style, tags. */
function readYaml(block: string, add: Add): boolean {
  /** The names that lead to this line, each with its indentation. */
  const parents: { readonly name: string; readonly indent: number }[] = [];
  let isWhole = true;
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
    const found = line.length > LINE_LIMIT ? null : YAML_NAME.exec(line);
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
    if (/^[{[&*!]/.test(value)) isWhole = false;
  }
  end();
  return isWhole;
}
