/**
 * Messages that a component defines itself, in blocks of a single-file component (JSON with comments, JSON5, YAML or a
 * module) or in options of a hook. They are not keys of the project.
 */
import type { Span } from "../util/span.ts";
import { literalText } from "./evaluate-key-expression.ts";
import type { KeyExpression, LocalMessage } from "./key-usage.ts";
import { skipSpace } from "./lexers/characters.ts";
import { unescapeJavaScript } from "./lexers/string-literals.ts";
import { javascriptSource, type Source } from "./source-reader.ts";

/** Maximum nesting; deeper blocks count as unparsed. */
const MAX_DEPTH = 50;
/** Longer lines of YAML count as unparsed. */
const MAX_LINE_CHARACTERS = 2_000;
/** Maximum number of keys that a pattern is compared with; with more, the pattern may match any of them. */
const MAX_COMPARED_KEYS = 1_000;

/** A message as it is read. */
interface FoundMessage {
  readonly path: readonly string[];
  /** Whether it may have more descendants than were read (list items). */
  readonly isOpen: boolean;
  /** `null` if it is no text, or calculated. */
  readonly text: string | null;
  readonly keySpan: Span;
}

type Add = (message: FoundMessage) => void;

/** The messages that a component defines itself. */
export class ComponentMessages {
  readonly #keys = new Set<string>();
  /** Paths that have descendants. */
  readonly #groups = new Set<string>();
  readonly #open: string[] = [];
  readonly #messages: LocalMessage[] = [];
  /** Whether every block was parsed completely, so that a key in none of them is not the component's own. */
  isComplete = true;

  /** All texts, in the order of the file. */
  get messages(): readonly LocalMessage[] {
    return this.#messages;
  }

  /**
   * Reads a block, or a file that a block names. Without a locale, the top-level names are locales.
   * @param language the language of the block; empty: JSON or YAML
   * @param offset of the block in the file
   */
  read(block: string, language: string, locale: string | null, offset = 0): void {
    const add: Add = ({ keySpan, ...message }) =>
      this.#add(
        { ...message, keySpan: { start: offset + keySpan.start, end: offset + keySpan.end } },
        locale,
      );
    const isYaml = /^ya?ml$/.test(language) || (language === "" && !/^\s*[{/]/.test(block));
    if (!(isYaml ? readYaml(block, add) : readModule(block, add))) this.isComplete = false;
  }

  /** Reads the messages by locale in an object literal. */
  readObject(source: Source, object: Span): void {
    const isRead =
      source.code[object.start] === "{" &&
      readMessages(source, object.start, [], (message) => this.#add(message, null));
    if (!isRead) this.isComplete = false;
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

  #add({ path: written, isOpen, text, keySpan }: FoundMessage, blockLocale: string | null): void {
    const path = blockLocale === null ? written.slice(1) : written;
    if (path.length === 0) {
      // All messages of a language may be elsewhere: `{ en: messages }`.
      if (text === null) this.isComplete = false;
      return;
    }
    const key = plainPath(path.join("."));
    this.#keys.add(key);
    this.#messages.push({ key, locale: blockLocale ?? written[0] ?? null, text, keySpan });
    if (isOpen) this.#open.push(key);
    for (let dot = key.lastIndexOf("."); dot > 0; dot = key.lastIndexOf(".", dot - 1)) {
      const group = key.slice(0, dot);
      if (this.#groups.has(group)) break;
      this.#groups.add(group);
    }
  }
}

/** Returns the messages with this key, or those of the group with this name. */
export function messagesNamed<Message extends LocalMessage>(
  messages: readonly Message[],
  key: string,
): readonly Message[] {
  const path = plainPath(key);
  const own = messages.filter((message) => message.key === path);
  return own.length > 0 ? own : messages.filter((message) => message.key.startsWith(`${path}.`));
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
  let isComplete = true;
  for (const part of source.splitAtCommas(open + 1, close)) {
    const { name, value } = source.readMember(part);
    // Methods, spread properties, computed names and shorthands.
    if (name === null || value === null || text.slice(value.start, value.end) === name) {
      isComplete = false;
      continue;
    }
    const memberPath = [...path, unescapeJavaScript(name)];
    const first = code[value.start];
    if (first === "{" && brackets.closing(value.start) === value.end - 1) {
      if (!readMessages(source, value.start, memberPath, add)) isComplete = false;
      continue;
    }
    const start = part.start + (/["']/.test(code[part.start] ?? "") ? 1 : 0);
    add({
      path: memberPath,
      isOpen: first === "[",
      text: first === "[" ? null : literalText(source, value),
      keySpan: { start, end: start + name.length },
    });
  }
  return isComplete;
}

const YAML_NAME =
  /^( *)(?:"((?:[^"\\]|\\.)*)"|'((?:[^']|'')*)'|([^\s#'"?:,[\]{}&*!|>%@`-](?:[^:#]|:(?=\S)|(?<=\S)#)*?)) *:(?:[ ]+(.*))?$/;

/** A name that leads to the current line. */
interface YamlName {
  readonly name: string;
  readonly indent: number;
  readonly keySpan: Span;
}

/** Reads nested YAML names by indentation. Returns `false` for other syntax: anchors, flow style, tags. */
function readYaml(block: string, add: Add): boolean {
  const parents: YamlName[] = [];
  let isComplete = true;
  /** Lines indented deeper than this belong to a text. */
  let textIndent = Number.POSITIVE_INFINITY;
  /** The lines of the last text, the first after its name. */
  let lines: string[] | null = null;
  /** Whether the last name has no value, so that nested names may follow. */
  let isGroup = false;
  let inList = false;
  const end = (isOpen = false): void => {
    const last = parents.at(-1);
    const text = lines === null ? null : yamlText(lines);
    if (last !== undefined && (isGroup || lines !== null))
      add({ path: parents.map(({ name }) => name), isOpen, text, keySpan: last.keySpan });
    isGroup = false;
    lines = null;
  };
  let next = 0;
  for (const line of block.split("\n")) {
    const offset = next;
    next += line.length + 1;
    const written = line.endsWith("\r") ? line.slice(0, -1) : line;
    const indent = /^ */.exec(written)?.[0].length ?? 0;
    const isBlank = written.trim() === "";
    if (lines !== null && (isBlank || indent > textIndent)) {
      lines.push(written);
      continue;
    }
    if (isBlank || indent > textIndent || /^\s*(?:#|---)/.test(written)) continue;
    const deepest = parents.at(-1)?.indent ?? -1;
    if (/^ *-(?: |$)/.test(written) && indent >= deepest && (isGroup || inList)) {
      if (isGroup) end(true);
      inList = true;
      textIndent = indent;
      continue;
    }
    inList = false;
    const found = written.length > MAX_LINE_CHARACTERS ? null : YAML_NAME.exec(written);
    if (found === null) {
      end();
      return false;
    }
    if (indent <= deepest || lines !== null) end();
    while ((parents.at(-1)?.indent ?? -1) >= indent) parents.pop();
    const [, , double, single, plain] = found;
    const name =
      double === undefined ? (single?.replaceAll("''", "'") ?? plain ?? "") : unescapeJavaScript(double);
    const start = offset + indent + (plain === undefined ? 1 : 0);
    const length = (double ?? single ?? plain ?? "").length;
    parents.push({ name, indent, keySpan: { start, end: start + length } });
    if (parents.length > MAX_DEPTH || name === "<<") return false;
    const value = (found[5] ?? "").replace(/^#.*$/, "").trim();
    isGroup = value === "";
    textIndent = isGroup ? Number.POSITIVE_INFINITY : indent;
    if (isGroup) continue;
    lines = [value];
    if (/^[{[&*!]/.test(value)) isComplete = false;
  }
  end();
  return isComplete;
}

/** Returns the text of a scalar, of which the first line is after its name; `null` for other syntax. */
function yamlText([first = "", ...more]: readonly string[]): string | null {
  if (/^[{[&*!]/.test(first)) return null;
  const block = /^([|>])[+-]?\d?[+-]?\s*(?:#.*)?$/.exec(first);
  if (block === null) {
    const joined = [first, ...more.map((line) => line.trim())].join(" ").trim();
    const quoted = /^(?:"((?:[^"\\]|\\.)*)"|'((?:[^']|'')*)')/s.exec(joined);
    if (quoted === null) return joined.replace(/\s#.*$/s, "");
    return quoted[1] === undefined ? (quoted[2] ?? "").replaceAll("''", "'") : unescapeJavaScript(quoted[1]);
  }
  const indents = more.flatMap((line) => (line.trim() === "" ? [] : [/^ */.exec(line)?.[0].length ?? 0]));
  const cut = more.map((line) => line.slice(Math.min(...indents)));
  return cut.join(block[1] === "|" ? "\n" : " ").trim();
}
