/**
 * Finds key usages in Vue single-file components: scripts, interpolations, bound attributes, `v-t` and `<i18n-t>`.
 * Tolerant of malformed markup; a translator created in `<script setup>` is in scope in the template. Keys that a component
 * defines in its own `<i18n>` blocks are not keys of the service.
 */
import { readValues } from "./evaluate-key-expression.ts";
import { addUsages, DEFAULT_SCOPE, defaultDetails, UNKNOWN_SCOPE } from "./function-calls/call-usages.ts";
import { COMPONENT_MESSAGES, COMPONENTS, javascriptFunctions } from "./function-calls/function-signatures.ts";
import type { ComponentMessagesShape } from "../frameworks/framework.ts";
import { ComponentMessages } from "./component-messages.ts";
import { addComponentUsages } from "./javascript/components.ts";
import type { Bindings } from "./javascript/hook-bindings.ts";
import { addJavaScriptUsages } from "./javascript/javascript-scanner.ts";
import {
  type FindOptions,
  type Imports,
  type KeyUsage,
  type LocalMessages,
  sortByOffset,
  type UsageLanguage,
} from "./key-usage.ts";
import type { Property, Source, Tag } from "./source-reader.ts";
import { escapeRegExp, indexWithin } from "./lexers/characters.ts";
import { MarkupLexer } from "./lexers/embedded-code.ts";

export const vue: UsageLanguage = {
  languageIds: ["vue"],
  extensions: [".vue"],
  comments: "markup",
  find: (text, options, imports) => sortByOffset(scan(text, options, imports).usages),
  findLocal: (text, options) => {
    const { localUsages, messages, files } = scan(text, options);
    return { messages: messages?.messages ?? [], usages: sortByOffset(localUsages), files };
  },
};

interface Scan {
  readonly usages: KeyUsage[];
  /** Usages of the component's own messages. */
  readonly localUsages: KeyUsage[];
  readonly messages: ComponentMessages | null;
  readonly files: LocalMessages["files"];
}

function scan(text: string, options: FindOptions, imports?: Imports): Scan {
  const functions = javascriptFunctions(options);
  if (!functions.prefilter.test(text)) return { usages: [], localUsages: [], messages: null, files: [] };
  const lexer = new VueLexer(text);
  const source = lexer.run();
  source.imports = imports;
  const found: KeyUsage[] = [];
  // Hooks of Vue search all of their namespaces.
  const bindings = addJavaScriptUsages(source, { ...functions, nsMode: "fallback" }, found);
  for (const tag of lexer.tags) addTagUsages(bindings, tag, found);
  const messages = withOptionMessages(source, lexer.messages);
  const { files } = lexer;
  if (messages === null) return { usages: found, localUsages: [], messages, files };
  const usages: KeyUsage[] = [];
  const localUsages: KeyUsage[] = [];
  for (const usage of found) {
    if (isDefined(messages, usage)) localUsages.push(usage);
    else usages.push(mayBeDefined(messages, usage) ? { ...usage, namespaces: "unknown" } : usage);
  }
  return { usages, localUsages, messages, files };
}

/** Adds the messages in options of hooks, and of the component. */
function withOptionMessages(source: Source, blocks: ComponentMessages | null): ComponentMessages | null {
  let messages = blocks;
  for (const { options, option } of COMPONENT_MESSAGES) {
    for (const { index, 0: start } of source.code.matchAll(options)) {
      const open = index + start.length;
      const properties = source.readObject({ start: open, end: source.brackets.closing(open) + 1 });
      const value = properties.find(({ name }) => name === option)?.value;
      if (value) (messages ??= new ComponentMessages()).readObject(source, value);
    }
  }
  return messages;
}

function hasNoNamespace({ namespaces }: KeyUsage): boolean {
  return namespaces === null || namespaces === "unknown";
}

/** Whether the component itself defines the message. */
function isDefined(messages: ComponentMessages, usage: KeyUsage): boolean {
  return hasNoNamespace(usage) && usage.expression.kind === "static" && messages.defines(usage.expression);
}

function mayBeDefined(messages: ComponentMessages, usage: KeyUsage): boolean {
  if (!hasNoNamespace(usage)) return false;
  return (
    !messages.isComplete || (usage.expression.kind === "pattern" && messages.mayDefine(usage.expression))
  );
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

const RAW = /^(?:script|style|i18n-custom|docs)$/i;
const PUG_PARTS = new RegExp(
  String.raw`\{\{|(?<=[\s(,])([:@#]?[\w.:@-]+)\s*=\s*(["'])|\b(${componentNames()})(?=\()`,
  "g",
);
const ATTRIBUTE = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/y;

/** The names of components with keys, as an alternation. */
function componentNames(): string {
  return [...COMPONENTS.keys()]
    .filter((name) => name !== "*")
    .map(escapeRegExp)
    .join("|");
}

class VueLexer extends MarkupLexer {
  /** Messages of the component's `<i18n>` blocks; `null` without any. */
  messages: ComponentMessages | null = null;
  /** Files that blocks name in place of messages. */
  readonly files: { readonly path: string; readonly locale: string | null }[] = [];
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
    const block = COMPONENT_MESSAGES.find((each) => each.block === tag);
    if (block === undefined && !RAW.test(tag)) return start;
    if (block?.isComponentWith.some((name) => attributes.has(name)) === true) return start;
    const end = isEmpty ? start : this.find(`</${tag}`, start);
    if (block !== undefined) this.#readMessages(block, start, end);
    return /^script$/i.test(tag) ? this.script(start, end, attributes.get("lang") !== "ts") : end;
  }

  #readMessages(block: ComponentMessagesShape, start: number, end: number): void {
    const attributes = this.#attributes;
    const path = attributes.get(block.fileAttribute);
    const locale = attributes.get(block.localeAttribute) ?? null;
    const messages = (this.messages ??= new ComponentMessages());
    messages.read(this.text.slice(start, end), attributes.get("lang") ?? "", locale, start);
    if (path === undefined) return;
    messages.isComplete = false;
    this.files.push({ path, locale });
  }

  /** Lexes Pug (`tag(:title="…" keypath="…")` and `{{ … }}`) line by line; indentation is irrelevant here. */
  #pug(start: number): number {
    const { text } = this;
    const end = this.find("\n</template", start);
    const parts = new RegExp(PUG_PARTS);
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
    const isKeyComponent = COMPONENTS.has(tag);
    if (/^(?:v-bind:|:|v-|@|#)/.test(name)) {
      this.script(start, end);
      const plainName = name.replace(/^(?:v-bind:|:)/, "");
      if (isKeyComponent || name.startsWith("v-t")) out.push({ name: plainName, value: { start, end } });
    } else if (isKeyComponent) out.push({ name, value: this.plainValue(start - 1, end + 1) });
  }
}
