/**
 * Finds key usages in files that import ttag, whose functions are template tags: t`Hello ${ name }`,
 * ngettext(msgid`…`, …), c("context").t`…`. The key is the template's text with each value replaced by its name.
 */
import { addUsages, DEFAULT_SCOPE, defaultDetails } from "../functions/call-usages.ts";
import { escapeRegExp, lastBefore, skipSpace } from "../lexers/characters.ts";
import { unescapeJavaScript } from "../lexers/literals.ts";
import { readArguments, templateEnd, type Source } from "../lexed-source.ts";
import type { KeyUsage } from "../usage.ts";
import { literalText, type ExpressionValue } from "../expression-values.ts";

/** ttag's functions by their local names in a file. */
export type TtagNames = ReadonlyMap<string, string>;

const FUNCTIONS = new Set(["t", "jt", "ngettext", "msgid", "c"]);
/** Matches the names and module specifier of an import or `require`. */
const IMPORT =
  /\b(?:import|const|let|var)\s*\{([^{}]*)\}\s*(?:from|=\s*require\s*\()\s*(["'])(?:ttag|ttag\.macro|ttag\/macro)\2/g;

/** Returns the file's local names for ttag's template tags; `null` if the file does not import ttag. */
export function ttagNames({ text }: Source): TtagNames | null {
  if (!text.includes("ttag")) return null;
  const names = new Map<string, string>();
  for (const [, list = ""] of text.matchAll(IMPORT)) {
    for (const part of list.split(",")) {
      const [name = "", own = name] = part.trim().split(/\s*:\s*|\s+as\s+/);
      if (FUNCTIONS.has(name)) names.set(own, name);
    }
  }
  return names.size === 0 ? null : names;
}

/** Whether the name at the offset is a ttag function, or a method of the result of `c("context")`. */
export function isTtag({ code }: Source, names: TtagNames, name: string, at: number): boolean {
  const before = lastBefore(code, at);
  if (code[before] !== ".") return names.has(name);
  return [...names.values()].includes("c") && code[lastBefore(code, before)] === ")";
}

/** Adds the key usages of the file. No other translator uses these names. */
export function addTtagUsages(source: Source, names: TtagNames, out: KeyUsage[]): void {
  const { code } = source;
  const own = [...names.keys()].map(escapeRegExp).join("|");
  for (const found of code.matchAll(new RegExp(`(?<![\\w$.])(${own})\\s*(?=[\`(])`, "g"))) {
    const name = found[1] ?? "";
    const after = found.index + found[0].length;
    const is = names.get(name);
    if (is === "c") addInContext(source, names, name, found.index, after, out);
    else if (is === "ngettext") addCounted(source, names, name, found.index, after, null, out);
    else if (is !== "msgid") addTemplate(source, name, found.index, after, null, out);
  }
}

/** Adds usages of `c("menu").t`…`` and its other functions. */
function addInContext(
  source: Source,
  names: TtagNames,
  name: string,
  start: number,
  open: number,
  out: KeyUsage[],
): void {
  const { code } = source;
  const close = code[open] === "(" ? source.brackets.closing(open) : -1;
  const [argument] = close === -1 ? [] : readArguments(source, open);
  const method = /^\s*\.\s*(jt|t|ngettext|gettext)\s*(?=[`(])/.exec(code.slice(close + 1, close + 100));
  if (argument === undefined || method === null) return;
  const context = literalText(source, argument);
  const after = close + 1 + method[0].length;
  const callee = `${name}().${method[1]}`;
  if (method[1] === "ngettext") addCounted(source, names, callee, start, after, context, out);
  else if (method[1] !== "gettext") addTemplate(source, callee, start, after, context, out);
  else {
    const [key] = readArguments(source, after);
    const text = key && literalText(source, key);
    if (key === undefined || text === undefined || text === null) return;
    const value = { exact: true, prefix: text, suffix: "", start: key.start + 1, end: key.end - 1 };
    add(source, value, callee, { start, end: source.brackets.closing(after) + 1 }, context, false, out);
  }
}

function addCounted(
  source: Source,
  names: TtagNames,
  callee: string,
  start: number,
  open: number,
  context: string | null,
  out: KeyUsage[],
): void {
  const close = source.code[open] === "(" ? source.brackets.closing(open) : -1;
  const [first] = close === -1 ? [] : readArguments(source, open);
  if (first === undefined) return;
  const tag = /^([\w$]+)\s*(?=`)/.exec(source.code.slice(first.start, first.end));
  const value =
    tag !== null && names.get(tag[1] ?? "") === "msgid"
      ? templateValue(source, first.start + tag[0].length)
      : null;
  if (value !== null) add(source, value, callee, { start, end: close + 1 }, context, true, out);
}

function addTemplate(
  source: Source,
  callee: string,
  start: number,
  open: number,
  context: string | null,
  out: KeyUsage[],
): void {
  const value = source.code[open] === "`" ? templateValue(source, open) : null;
  if (value !== null) add(source, value, callee, { start, end: value.end + 1 }, context, false, out);
}

function add(
  source: Source,
  value: ExpressionValue,
  callee: string,
  span: { readonly start: number; readonly end: number },
  context: string | null,
  plural: boolean,
  out: KeyUsage[],
): void {
  const facts = defaultDetails(DEFAULT_SCOPE);
  facts.contexts = [context];
  facts.plural = plural;
  const { start } = span;
  addUsages(
    [value],
    facts,
    callee,
    { start, end: Math.max(span.end, skipSpace(source.code, value.end)) },
    out,
  );
}

/** A name or member path: the expressions that ttag accepts as values. */
const NAMED_VALUE = /^[\w$]+(?:\.[\w$]+|\[(?:\d+|[\w$.]+|'[^']*'|"[^"]*")\])*$/;

/** Returns the key of the template at the backtick; `null` if it is not closed. */
function templateValue(source: Source, open: number): ExpressionValue | null {
  const { code, text } = source;
  const end = templateEnd(source, open, code.length);
  if (code[end - 1] !== "`" || end - open < 2) return null;
  let key = "";
  let from = open + 1;
  for (let at = from; at < end - 1; at++) {
    if (code[at] !== "{") continue;
    const close = source.brackets.closing(at);
    if (close === -1) return null;
    const value = text.slice(at + 1, close).trim();
    key += unescapeJavaScript(text.slice(from, at - 1));
    // ttag's own extraction reports anything else as an error.
    if (!NAMED_VALUE.test(value)) return { exact: false, prefix: key, suffix: "", start: open, end };
    key += `\${ ${value} }`;
    at = close;
    from = close + 1;
  }
  key += unescapeJavaScript(text.slice(from, end - 1));
  return { exact: true, prefix: dedented(key), suffix: "", start: open + 1, end: end - 1 };
}

/** Removes the common indentation of a multi-line text, and leading and trailing whitespace. */
function dedented(key: string): string {
  if (!key.includes("\n")) return key;
  const lines = key.split("\n");
  const indents = lines.flatMap((line) => /^(\s+)\S/.exec(line)?.[1]?.length ?? []);
  const least = indents.length === 0 ? 0 : Math.min(...indents);
  return lines
    .map((line) => (/^[ \t]/.test(line) ? line.slice(least) : line))
    .join("\n")
    .trim();
}
