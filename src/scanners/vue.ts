/**
 * Finds key usages in Vue single-file components: scripts, interpolations, bound attributes, `v-t` and `<i18n-t>`.
 * Tolerant of malformed markup; a translator created in `<script setup>` is in scope in the template.
 */
import type { Bindings } from "./javascript/bindings.ts";
import {
  addUsages,
  DEFAULT_SCOPE,
  defaultDetails,
  UNKNOWN_SCOPE,
  sortByOffset,
} from "./functions/call-usages.ts";
import { addComponentUsages } from "./javascript/components.ts";
import { makeSource, readObject, type Property, type Tag } from "./lexed-source.ts";
import { indexWithin, isWord, skipSpace } from "./lexers/characters.ts";
import { addJavaScriptUsages } from "./javascript.ts";
import { javascriptFunctions } from "./javascript/translation-functions.ts";
import { EmbeddedCodeLexer } from "./lexers/embedded-code.ts";
import type { FindOptions, KeyUsage, UsageLanguage } from "./usage.ts";
import { readValues } from "./expression-values.ts";
import { OwnMessages } from "./vue-messages.ts";

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
  const { used, namespaces } = usage;
  if (namespaces !== null && namespaces !== "unknown") return [usage];
  if (used.kind === "static" && own.defines(used)) return [];
  const mayBeOwn = !own.whole || (used.kind === "pattern" && own.mayDefine(used));
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
