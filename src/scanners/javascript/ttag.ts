/**
 * Finds key usages in files that import ttag, whose functions are template tags: t`Hello ${ name }`,
 * ngettext(msgid`…`, …), c("context").t`…`. The key is the template's text with each value replaced by its name.
 */
import { addUsages, DEFAULT_SCOPE, defaultDetails } from "../function-calls/call-usages.ts";
import { escapeRegExp, skipSpaceBack } from "../lexers/characters.ts";
import type { Source } from "../source-reader.ts";
import type { KeyUsage } from "../key-usage.ts";
import {
  exactValue,
  literalText,
  templateParts,
  unknownValue,
  type ExpressionValue,
} from "../evaluate-key-expression.ts";

/** ttag's functions by their local names in a file. */
type TtagNames = ReadonlyMap<string, string>;

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
      const [name = "", localName = name] = part.trim().split(/\s*:\s*|\s+as\s+/);
      if (FUNCTIONS.has(name)) names.set(localName, name);
    }
  }
  return names.size === 0 ? null : names;
}

/** Whether the name at the offset is a ttag function, or a method of the result of `c("context")`. */
export function isTtag({ code }: Source, names: TtagNames, name: string, offset: number): boolean {
  const before = skipSpaceBack(code, offset);
  if (code[before] !== ".") return names.has(name);
  return [...names.values()].includes("c") && code[skipSpaceBack(code, before)] === ")";
}

/** A call of one of ttag's functions. */
interface TtagCall {
  /** The function's name in ttag. */
  readonly functionName: string;
  readonly callee: string;
  /** Offset of its template or parenthesis. */
  readonly open: number;
  readonly context: string | null;
}

/** Adds the key usages of the file. No other translator uses these names. */
export function addTtagUsages(source: Source, names: TtagNames, out: KeyUsage[]): void {
  const localNames = [...names.keys()].map(escapeRegExp).join("|");
  const calls = new RegExp(`(?<![\\w$.])(${localNames})\\s*(?=[\`(])`, "g");
  for (const { index: start, 0: found, 1: callee = "" } of source.code.matchAll(calls)) {
    const functionName = names.get(callee) ?? "";
    const open = start + found.length;
    const call =
      functionName === "c"
        ? callInContext(source, open, callee)
        : { functionName, callee, open, context: null };
    const value = call === null ? null : keyOf(source, names, call);
    if (call === null || value === null) continue;
    const isTemplate = source.code[call.open] === "`";
    const end = isTemplate
      ? source.templateEnd(call.open, source.code.length)
      : source.brackets.closing(call.open) + 1;
    const details = defaultDetails(DEFAULT_SCOPE, call.callee, { start, end });
    details.contexts = [call.context];
    details.plural = call.functionName === "ngettext";
    addUsages([value], details, out);
  }
}

/** Returns the call of `c("menu").t`…`` and its other functions. */
function callInContext(source: Source, open: number, callee: string): TtagCall | null {
  const [argument] = source.code[open] === "(" ? source.readArguments(open) : [];
  const close = source.brackets.closing(open);
  const rest = source.code.slice(close + 1, close + 100);
  const [method, functionName] = /^\s*\.\s*(jt|t|ngettext|gettext)\s*(?=[`(])/.exec(rest) ?? [];
  if (argument === undefined || method === undefined || functionName === undefined) return null;
  const context = literalText(source, argument);
  return { functionName, callee: `${callee}().${functionName}`, open: close + 1 + method.length, context };
}

/** Returns the key of the call; `null` if it has none. */
function keyOf(source: Source, names: TtagNames, { open, functionName }: TtagCall): ExpressionValue | null {
  const isTemplate = source.code[open] === "`";
  if (functionName === "t" || functionName === "jt") return isTemplate ? templateValue(source, open) : null;
  const [first] = isTemplate ? [] : source.readArguments(open);
  if (first === undefined) return null;
  if (functionName === "gettext") {
    const text = literalText(source, first);
    return text === null ? null : exactValue(text, first.start + 1, first.end - 1);
  }
  const tag = /^([\w$]+)\s*(?=`)/.exec(source.code.slice(first.start, first.end));
  const isText = tag !== null && names.get(tag[1] ?? "") === "msgid";
  return isText ? templateValue(source, first.start + tag[0].length) : null;
}

/** A name or member path: the expressions that ttag accepts as values. */
const NAMED_VALUE = /^[\w$]+(?:\.[\w$]+|\[(?:\d+|[\w$.]+|'[^']*'|"[^"]*")\])*$/;

/** Returns the key of the template at the backtick; `null` if it is not closed. */
function templateValue(source: Source, open: number): ExpressionValue | null {
  let key = "";
  let end = open;
  for (const part of templateParts(source, open) ?? []) {
    const value = source.text.slice(part.start, part.end).trim();
    // ttag's own extraction reports anything else as an error.
    if (part.text === undefined && !NAMED_VALUE.test(value)) {
      const span = { start: open, end: source.templateEnd(open, source.code.length) };
      return { ...unknownValue(span), prefix: key };
    }
    key += part.text ?? `\${ ${value} }`;
    end = part.end;
  }
  if (end === open) return null;
  const value = exactValue(dedented(key), open + 1, end);
  return key.includes("${ ") ? { ...value, hasValues: true } : value;
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
