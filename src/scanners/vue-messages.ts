/**
 * The keys that a Vue component defines in its `<i18n>` blocks, as JSON, JSON5, a module's object or block-style
 * YAML. They are not keys of the service. Texts are not read, and blocks that cannot be parsed reliably are reported.
 */
import { skipSpace } from "./lexers/characters.ts";
import { lexJavaScript } from "./lexers/javascript-lexer.ts";
import { unescapeJavaScript } from "./lexers/literals.ts";
import { Mask } from "./lexers/masked-source.ts";
import { makeSource, readObject, splitAtCommas, type Source } from "./lexed-source.ts";
import type { KeyExpression } from "./usage.ts";

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
  const mask = new Mask(block);
  lexJavaScript(block, 0, block.length, mask, false);
  const source = makeSource(mask.done(), "javascript");
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
