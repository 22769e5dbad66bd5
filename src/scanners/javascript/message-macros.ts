/**
 * Finds key usages in files that import macros, whose key is an id or the text that they are given: t`Hello ${name}`,
 * `plural(count, { one: "…" })`, `<Trans>Hello <b>{name}</b></Trans>`. The text is an ICU message: a value has its name,
 * or its number if it is more than a name, and an element its number.
 */
import type { MacroOptions, Macros } from "../../frameworks/framework.ts";
import type { Span } from "../../util/span.ts";
import {
  exactValue,
  type ExpressionValue,
  literalText,
  readValues,
  templateParts,
} from "../evaluate-key-expression.ts";
import { addUsages, DEFAULT_SCOPE, defaultDetails } from "../function-calls/call-usages.ts";
import type { KeyUsage } from "../key-usage.ts";
import { escapeRegExp, skipSpace } from "../lexers/characters.ts";
import { unescapeJavaScript, unescapeMarkup } from "../lexers/string-literals.ts";
import type { Property, Source, ValueSpan } from "../source-reader.ts";
import { collapseJsxText } from "./components.ts";
import { importedNames } from "./declared-names.ts";

/** What a name in a file stands for. */
type Role =
  /** A tag of templates, which also takes a descriptor. */
  | { readonly kind: "tag" }
  /** A function or component with a text for each case. */
  | { readonly kind: "choice"; readonly type: string }
  | { readonly kind: "component" }
  | { readonly kind: "label" };

/** The macros and translators of a file by their local names. */
export interface MacroNames {
  readonly roles: ReadonlyMap<string, Role>;
  /** Objects with methods that take ids. */
  readonly translators: ReadonlySet<string>;
  readonly macros: Macros;
  /** Of the project's configuration. */
  readonly idPrefixLeader: string;
  /** What comments set, by offset; each includes those before it. */
  readonly directives: readonly Directive[];
}

/** What a comment sets for the macros from its line on. */
interface Directive {
  readonly offset: number;
  readonly context: string | null;
  readonly idPrefix: string;
}

const NO_DIRECTIVE: Directive = { offset: 0, context: null, idPrefix: "" };

/** Returns what the comments of the file set. A value that is empty is no longer set. */
function directivesOf({ withComments = "" }: Source, { directives }: Macros): readonly Directive[] {
  if (directives === undefined) return [];
  const { set, reset, context, idPrefix } = directives;
  if (!withComments.includes(set) && !withComments.includes(reset)) return [];
  const comment = new RegExp(
    `(?:/\\*|//)\\s*(?:${set}|(${reset}))((?:\\s+\\w+="[^"\\n]*")*)\\s*(?:\\*/|$)`,
    "gm",
  );
  const found: Directive[] = [];
  for (const { index: offset, 1: isReset, 2: members = "" } of withComments.matchAll(comment)) {
    const before = isReset === undefined ? found.at(-1) : undefined;
    const values = new Map(
      Array.from(members.matchAll(/(\w+)="([^"]*)"/g), ([, name = "", value = ""]) => [name, value]),
    );
    found.push({
      offset,
      context: (values.get(context) ?? before?.context) || null,
      idPrefix: values.get(idPrefix) ?? before?.idPrefix ?? "",
    });
  }
  return found;
}

/** Returns what the last comment before the offset, or on its line, sets. */
function directiveAt({ code }: Source, { directives }: MacroNames, offset: number): Directive {
  if (directives.length === 0) return NO_DIRECTIVE;
  const lineEnd = code.indexOf("\n", offset);
  const end = lineEnd === -1 ? code.length : lineEnd;
  return directives.findLast((each) => each.offset < end) ?? NO_DIRECTIVE;
}

/** Returns the macros of a file; `null` if it imports none. */
export function macroNames(
  source: Source,
  macros: Macros,
  { modules = [], idPrefixLeader = "" }: MacroOptions = {},
): MacroNames | null {
  const roles = new Map<string, Role>();
  const translators = new Set<string>();
  const hooks: string[] = [];
  for (const [local, { name, module }] of importedNames(source)) {
    if (!macros.modules.test(module) && !modules.includes(module)) continue;
    const type = macros.choices[name] ?? macros.choiceComponents[name];
    if (macros.tags.includes(name)) roles.set(local, { kind: "tag" });
    else if (type !== undefined) roles.set(local, { kind: "choice", type });
    else if (macros.components.includes(name)) roles.set(local, { kind: "component" });
    else if (name === macros.label) roles.set(local, { kind: "label" });
    else if (macros.hooks.includes(name)) hooks.push(escapeRegExp(local));
    else if (macros.translators.includes(name)) translators.add(local);
  }
  if (hooks.length > 0) {
    const calls = new RegExp(`=\\s*(?:${hooks.join("|")})\\s*\\(`, "g");
    for (const { index } of source.code.matchAll(calls)) {
      const declaration = source.code.slice(Math.max(0, index - MAX_PATTERN_CHARACTERS), index);
      const [, list, object] = /(?:\{([^{}]*)\}|([\w$]+))\s*$/.exec(declaration) ?? [];
      if (object !== undefined) translators.add(object);
      for (const part of list?.split(",") ?? []) {
        const [name = "", local = name] = part.trim().split(/\s*:\s*/);
        if (macros.methods.includes(name)) roles.set(local, { kind: "tag" });
        if (macros.translators.includes(name)) translators.add(local);
      }
    }
  }
  // A translator may also be passed in.
  for (const name of macros.translators) translators.add(name);
  const isUsed = roles.size > 0 || [...translators].some((name) => source.code.includes(`${name}.`));
  const directives = directivesOf(source, macros);
  return isUsed ? { roles, translators, macros, idPrefixLeader, directives } : null;
}

/** Adds the key usages of macros and translators. */
export function addMacroUsages(source: Source, names: MacroNames, out: KeyUsage[]): void {
  const reader = new MessageReader(source, names);
  const local = [...names.roles.keys()].map(escapeRegExp).join("|") || "(?!)";
  const objects = [...names.translators].map(escapeRegExp).join("|");
  const methods = names.macros.methods.map(escapeRegExp).join("|");
  const starts = new RegExp(
    `<(${local})(?=[\\s/>])|(?<![\\w$.])(${local})\\s*(?=[\`(])|(?<![\\w$])((?:${objects})\\s*[?!]?\\.\\s*(?:${methods}))\\s*(?=[\`(])`,
    "g",
  );
  for (const { index, 0: start, 1: component, 2: name, 3: method } of source.code.matchAll(starts)) {
    if (reader.isPart(index)) continue;
    const end = index + start.length;
    if (component !== undefined) addComponent(reader, { name: component, start: index, end }, out);
    else addCall(reader, { name: name ?? method ?? "", start: index, end }, out);
  }
}

/** A name in the code, up to what follows it. */
interface Occurrence extends Span {
  readonly name: string;
}

function addCall(reader: MessageReader, { name, start, end }: Occurrence, out: KeyUsage[]): void {
  const { source, names } = reader;
  const { code, brackets } = source;
  const role = names.roles.get(name);
  const directive = role === undefined ? NO_DIRECTIVE : directiveAt(source, names, start);
  const callee = name.replaceAll(/[\s?!]/g, "");
  const add = (text: string | null, key: Span, callSpan: Span, context = directive.context): void => {
    if (text === null) return;
    const details = { ...defaultDetails(DEFAULT_SCOPE, callee, callSpan), contexts: [context] };
    addUsages([reader.valueOf(text, key)], details, out);
  };
  const addTemplate = (open: number): void => {
    const close = source.templateEnd(open, code.length);
    add(reader.template(open), { start: open + 1, end: close - 1 }, { start, end: close });
  };
  if (code[end] === "`") return role?.kind === "choice" ? undefined : addTemplate(end);
  const close = brackets.closing(end);
  if (close === -1 || role?.kind === "label") return;
  const callSpan = { start, end: close + 1 };
  if (role?.kind === "choice") {
    add(reader.choice(end, role.type), callSpan, callSpan);
    return;
  }
  // The tag of another instance: t(i18n)`…`.
  const next = skipSpace(code, close + 1);
  if (code[next] === "`") {
    addTemplate(next);
    return;
  }
  const isInstance = role?.kind === "tag" && code[next] === "(";
  const [argument] = source.readArguments(isInstance ? next : end);
  if (argument === undefined) return;
  if (isInstance) callSpan.end = Math.max(brackets.closing(next) + 1, callSpan.end);
  if (code[argument.start] === "{") {
    const { id, message, context } = descriptorOf(source, source.readObject(argument), directive);
    const text = message === null ? null : reader.text(message);
    if (id !== null) addIds(reader, id, directive, { callee, callSpan, context }, out);
    else if (message !== null) add(text, quotedSpan(source, message), callSpan, context);
    return;
  }
  // An id; anything else is a message that another macro has.
  const values = readValues(source, argument).filter(
    ({ isExact, prefix, suffix }) => isExact || prefix + suffix !== "",
  );
  addUsages(values, defaultDetails(DEFAULT_SCOPE, callee, callSpan), out);
}

/** The parts of a message descriptor. */
interface Descriptor {
  readonly id: ValueSpan | null;
  readonly message: ValueSpan | null;
  readonly context: string | null;
}

function descriptorOf(source: Source, properties: readonly Property[], directive: Directive): Descriptor {
  const valueOf = (wanted: string): ValueSpan | null =>
    properties.find(({ name }) => name === wanted)?.value ?? null;
  const context = valueOf("context");
  return {
    id: valueOf("id"),
    message: valueOf("message"),
    context: (context && literalText(source, context)) || directive.context,
  };
}

/** Adds explicit ids, with the prefix that a comment sets. */
function addIds(
  { source, names }: MessageReader,
  id: ValueSpan,
  { idPrefix }: Directive,
  { callee, callSpan, context }: Pick<KeyUsage, "callee" | "callSpan" | "context">,
  out: KeyUsage[],
): void {
  for (const value of readValues(source, id)) {
    const isPrefixed = value.prefix.startsWith(names.idPrefixLeader);
    const scope = isPrefixed ? { ...DEFAULT_SCOPE, keyPrefix: idPrefix } : DEFAULT_SCOPE;
    addUsages([value], { ...defaultDetails(scope, callee, callSpan), contexts: [context] }, out);
  }
}

/** Returns the range within the quotes of a literal; of anything else the whole range. */
function quotedSpan({ code }: Source, { start, end }: Span): Span {
  return /["'`]/.test(code[start] ?? "") && code[end - 1] === code[start]
    ? { start: start + 1, end: end - 1 }
    : { start, end };
}

function addComponent(reader: MessageReader, { name, start, end }: Occurrence, out: KeyUsage[]): void {
  const { source, names } = reader;
  const { attributes, end: tagEnd } = source.readAttributes(end);
  const directive = directiveAt(source, names, start);
  const { id, message, context } = descriptorOf(source, attributes, directive);
  const element = reader.component(start);
  const callSpan = { start, end: Math.max(tagEnd, element?.end ?? tagEnd) };
  const details = { ...defaultDetails(DEFAULT_SCOPE, name, callSpan), contexts: [context] };
  if (id !== null) addIds(reader, id, directive, { callee: name, callSpan, context }, out);
  else if (message !== null) addUsages(readValues(source, message), details, out);
  else if (element !== null && element.text !== "")
    addUsages([reader.valueOf(element.text, element.key)], details, out);
}

/** A component's text, where it is, and the offset after the component. */
interface ReadComponent {
  readonly text: string;
  readonly key: Span;
  readonly end: number;
}

/** Longest pattern that a hook's result is assigned to. UTF-16 units. */
const MAX_PATTERN_CHARACTERS = 400;
const MAX_DEPTH = 16;
const MAX_CHILDREN_CHARACTERS = 20_000;
/** Attributes of components with a text for each case. */
const CASE = /^(?:_\w+|zero|one|two|few|many|other)$/;

/** Reads the texts of macros as ICU messages. */
class MessageReader {
  readonly source: Source;
  readonly names: MacroNames;
  /** Offsets of macros whose text is part of another one. */
  readonly #parts = new Set<number>();
  /** Numbers of values and elements of the current message. */
  #value = 0;
  #element = 0;
  /** Whether the current message has values, elements or cases. */
  #hasValues = false;
  #depth = 0;

  constructor(source: Source, names: MacroNames) {
    this.source = source;
    this.names = names;
  }

  /** Whether the macro at the offset belongs to another one that was read. */
  isPart(offset: number): boolean {
    return this.#parts.has(offset);
  }

  /** Returns the text of the template at the backtick; `null` if it is not closed. */
  template(open: number): string | null {
    return this.#message(() => this.#template(open));
  }

  /** Returns the text of the choice whose parenthesis is at `open`. */
  choice(open: number, type: string): string | null {
    return this.#message(() => this.#choice(open, type));
  }

  /** Returns the text of a literal, template or choice; `null` for anything else. */
  text(span: Span): string | null {
    return this.#message(() => this.#literal(span) ?? this.#call(span));
  }

  /** Returns the text of the component whose tag is at `open`; `null` if it is not closed. */
  component(open: number): ReadComponent | null {
    return this.#message(() => this.#readElement(open));
  }

  /** Returns the last text that was read, as the value of a key. */
  valueOf(text: string, { start, end }: Span): ExpressionValue {
    const value = exactValue(text, start, end);
    return this.#hasValues ? { ...value, hasValues: true } : value;
  }

  #message<T>(read: () => T): T {
    this.#value = 0;
    this.#element = 0;
    this.#hasValues = false;
    return read();
  }

  #template(open: number): string | null {
    const parts = templateParts(this.source, open);
    return parts && parts.map((part) => part.text ?? this.#expression(part)).join("");
  }

  /** Returns the text of a string or template; `null` for anything else. */
  #literal(untrimmed: Span): string | null {
    const { code, text } = this.source;
    const { start, end } = this.source.trimSpan(untrimmed.start, untrimmed.end);
    const quote = code[start] ?? "";
    if (!/["'`]/.test(quote) || this.source.skipGroup(start, end) !== end) return null;
    return quote === "`" ? this.#template(start) : unescapeJavaScript(text.slice(start + 1, end - 1));
  }

  /** Returns the text of a choice or tag that is the whole expression, or the name of a labelled value. */
  #call(untrimmed: Span): string | null {
    const source = this.source;
    const { start, end } = source.trimSpan(untrimmed.start, untrimmed.end);
    const name = /^[\w$]+/.exec(source.code.slice(start, Math.min(end, start + 100)))?.[0] ?? "";
    const role = this.names.roles.get(name);
    const open = skipSpace(source.code, start + name.length);
    if (role === undefined || source.skipGroup(open, end) !== end || open === end) return null;
    if (role.kind === "tag" && source.code[open] === "`") {
      this.#parts.add(start);
      return this.#template(open);
    }
    if (source.code[open] !== "(") return null;
    if (role.kind === "choice") {
      this.#parts.add(start);
      return this.#choice(open, role.type);
    }
    const [argument] = source.readArguments(open);
    return role.kind === "label" && argument !== undefined ? this.#labelled(argument) : null;
  }

  /** Returns `{name}` for `{ name: value }`. */
  #labelled(object: Span): string | null {
    this.#hasValues = true;
    const [property, ...others] = this.source.readObject(object);
    return property === undefined || others.length > 0 ? null : `{${property.name}}`;
  }

  /** Returns the text of a value: its name in braces, or what a macro yields. */
  #expression(untrimmed: Span): string {
    const span = this.#withoutAssertion(untrimmed);
    return this.#call(span) ?? `{${this.#nameOf(span)}}`;
  }

  /** Returns the range of the expression in `expression as Type`. */
  #withoutAssertion(untrimmed: Span): Span {
    const source = this.source;
    const { start, end } = source.trimSpan(untrimmed.start, untrimmed.end);
    const found = /\sas\s/.exec(source.code.slice(start, end));
    return found === null ||
      source.brackets.enclosing(start + found.index) !== source.brackets.enclosing(start)
      ? { start, end }
      : source.trimSpan(start, start + found.index);
  }

  #nameOf(untrimmed: Span): string {
    this.#hasValues = true;
    const source = this.source;
    const { start, end } = this.#withoutAssertion(untrimmed);
    const code = source.code.slice(start, end);
    const name = /^[\w$\u0080-\uffff]+$/.exec(code)?.[0];
    if (name !== undefined && !/^\d|^(?:this|null|true|false)$/.test(name)) return name;
    const label = this.#labelled({ start, end })?.slice(1, -1) ?? this.#labelOf({ start, end });
    return label ?? String(this.#value++);
  }

  #labelOf(span: Span): string | null {
    const isLabel = (role: Role | undefined): boolean => role?.kind === "label";
    const name = /^[\w$]+(?=\s*\()/.exec(this.source.code.slice(span.start, span.end))?.[0] ?? "";
    return isLabel(this.names.roles.get(name)) ? (this.#call(span)?.slice(1, -1) ?? null) : null;
  }

  /** Reads `(count, { one: "…", other: "…" })`. */
  #choice(open: number, type: string): string | null {
    const source = this.source;
    const [value, cases] = source.readArguments(open);
    if (value === undefined || cases === undefined) return null;
    const name = this.#nameOf(value);
    const read = source
      .readObject(cases)
      .flatMap(({ name: given, value: text }): (readonly [string, string])[] => {
        if (text === null) return [];
        const key = /^\d+$/.test(given) ? `=${given}` : given;
        if (type !== "select" && given === "offset")
          return [["offset", source.text.slice(text.start, text.end)]];
        return [[key, this.#literal(text) ?? this.#expression(text)]];
      });
    return icuChoice(name, type, read);
  }

  /** Reads a component or element from its tag; returns its text and where its content is. */
  #readElement(open: number): ReadComponent | null {
    const source = this.source;
    const name = /^[\w.:-]*/.exec(source.code.slice(open + 1, open + 100))?.[0] ?? "";
    const { attributes, end } = source.readAttributes(open + 1 + name.length);
    if (source.code[end - 1] !== ">") return null;
    const role = this.names.roles.get(name);
    const isEmpty = source.code[end - 2] === "/";
    if (role?.kind === "choice") {
      const text = this.#choiceComponent(attributes, role.type);
      const after = isEmpty ? end : this.#afterContent(end);
      return after === null ? null : { text, key: { start: open, end }, end: after };
    }
    const number = role?.kind === "component" ? null : this.#element++;
    if (number !== null) this.#hasValues = true;
    const content = isEmpty ? { text: "", end } : this.#children(end);
    if (content === null) return null;
    const close = isEmpty ? end - 1 : source.code.indexOf(">", content.end);
    if (close === -1) return null;
    const key = source.trimSpan(end, isEmpty ? end : content.end);
    if (number === null) return { text: content.text, key, end: close + 1 };
    // An element without content is empty, however it is written.
    const text = content.text === "" ? `<${number}/>` : `<${number}>${content.text}</${number}>`;
    return { text, key, end: close + 1 };
  }

  #afterContent(from: number): number | null {
    const content = this.#children(from);
    const close = content === null ? -1 : this.source.code.indexOf(">", content.end);
    return close === -1 ? null : close + 1;
  }

  #choiceComponent(attributes: readonly Property[], type: string): string {
    const source = this.source;
    let name = "";
    const read: (readonly [string, string])[] = [];
    for (const { name: given, value } of attributes) {
      if (value === null) continue;
      const plain = source.text.slice(value.start + 1, value.end - 1);
      if (given === "value") name = this.#nameOf(value);
      else if (type !== "select" && given === "offset") {
        const text = value.isPlain === true ? plain : source.text.slice(value.start, value.end);
        read.push(["offset", text.trim().replaceAll(/["'`]/g, "")]);
      } else if (CASE.test(given)) {
        const key = given.replace(/^_(\d+)/, "=$1").replace(/^_(\w+)/, "$1");
        read.push([key, value.isPlain === true ? plain : (this.#childText(value) ?? "")]);
      }
    }
    return icuChoice(name, type, read);
  }

  /** Reads child nodes up to the closing tag; `null` if there is none. */
  #children(from: number): { readonly text: string; readonly end: number } | null {
    const { code, brackets, text } = this.source;
    if (this.#depth >= MAX_DEPTH) return null;
    const limit = Math.min(code.length, from + MAX_CHILDREN_CHARACTERS);
    let read = "";
    let offset = from;
    while (offset < limit) {
      if (code[offset] === "{") {
        const close = brackets.closing(offset);
        if (close === -1) return null;
        read += this.#childText({ start: offset + 1, end: close }) ?? "";
        offset = close + 1;
      } else if (code[offset] === "<") {
        if (code[offset + 1] === "/") return { text: read, end: offset };
        const element = text[offset + 1] === ">" ? this.#fragment(offset) : this.#nested(offset);
        if (element === null) return null;
        read += element.text;
        offset = element.end;
      } else {
        const start = offset;
        while (offset < limit && code[offset] !== "{" && code[offset] !== "<") offset++;
        read += unescapeMarkup(collapseJsxText(text.slice(start, offset)));
      }
    }
    return null;
  }

  /** Macros drop fragments. */
  #fragment(open: number): ReadComponent | null {
    const before = [this.#value, this.#element] as const;
    const end = this.#afterContent(open + 2);
    [this.#value, this.#element] = before;
    return end === null ? null : { text: "", key: { start: open, end }, end };
  }

  #nested(open: number): ReadComponent | null {
    this.#parts.add(open);
    this.#depth++;
    const element = this.#readElement(open);
    this.#depth--;
    return element;
  }

  /** Returns the text of the expression in braces; `null` for a comment. */
  #childText(untrimmed: Span): string | null {
    const { start, end } = this.source.trimSpan(untrimmed.start, untrimmed.end);
    if (start >= end) return null;
    const literal = this.#literal({ start, end });
    if (literal !== null) return literal;
    const isElement = /^<[^>]/.test(this.source.text.slice(start, start + 2));
    const element = isElement ? this.#nested(start) : null;
    // Other macros in braces are messages of their own.
    return element?.end === end ? element.text : `{${this.#nameOf({ start, end })}}`;
  }
}

/** Returns `{count, plural, offset:1 one {…} other {…}}`. */
function icuChoice(name: string, type: string, cases: readonly (readonly [string, string])[]): string {
  const offset = cases.filter(([key]) => key === "offset" && type !== "select");
  const others = cases.filter((each) => !offset.includes(each));
  const written = [
    ...offset.map(([, value]) => `offset:${value}`),
    ...others.map(([key, text]) => `${key} {${text}}`),
  ];
  return `{${name}, ${type}, ${written.join(" ")}}`;
}
