/** Extracts a selected Python string: creates the call that replaces it, and the import that it needs. */
import { valueList } from "../../frameworks/code-styles.ts";
import { frameworksOf } from "../../frameworks/supported-frameworks.ts";
import type { Splice } from "../../formats/format.ts";
import type { Span } from "../../util/span.ts";
import { skipSpaceBack, skipSpace } from "../../scanners/lexers/characters.ts";
import { stringPrefix } from "../../scanners/lexers/python-lexer.ts";
import { unescapePython } from "../../scanners/lexers/string-literals.ts";
import { pythonSource, type Source } from "../../scanners/source-reader.ts";
import {
  coversContent,
  type ExtractionDraft,
  type ProjectConventions,
  type TextPart,
} from "./replacement-code.ts";

/** A string literal: its range with prefix and quotes, and its content. */
interface Literal {
  readonly span: Span;
  readonly contentSpan: Span;
  readonly prefix: string;
  readonly quoteStart: number;
}

/** Yields the string literals in order. */
export function* pythonLiterals(source: Source): Generator<Literal> {
  const { code, text } = source;
  for (let at = 0; at < code.length; at++) {
    if (!/["'`]/.test(code[at] ?? "")) continue;
    const end = source.skipGroup(at, code.length);
    const prefix = stringPrefix(text, at);
    const quotes = text.startsWith((text[at] ?? "").repeat(3), at) && end - at >= 6 ? 3 : 1;
    const contentSpan = { start: at + quotes, end: end - quotes };
    yield { span: { start: at - prefix.length, end }, contentSpan, prefix, quoteStart: at };
    at = Math.max(at, end - 1);
  }
}

/** Returns `null` if the selection is not one complete string. */
export function pythonDraft(
  text: string,
  selected: Span,
  project: ProjectConventions,
): ExtractionDraft | null {
  const source = pythonSource(text);
  const literal = literalAt(source, selected);
  if (literal === null || isName(source, literal)) return null;
  const parts = stringParts(source, literal);
  if (parts === null) return null;
  const known = translatorIn(source.code);
  const quote = text[literal.quoteStart] === "'" ? "'" : '"';
  return {
    parts,
    span: literal.span,
    codeFor: (key, values) => {
      const call = `${known ?? "_"}(${quote}${escapeLiteral(key, quote)}${quote})`;
      const list = valueList(values, ({ name, code }) => `${quote}${name}${quote}: ${code}`);
      if (list === "") return call;
      const formatted = `${call} % {${list}}`;
      return isSelfContained(source.code, literal.span) ? formatted : `(${formatted})`;
    },
    extraSplices: known === null ? [importSplice(source.code, text, literal.span.start, project)] : [],
  };
}

/** Returns the selected string, with or without its quotes selected. */
function literalAt(source: Source, selected: Span): Literal | null {
  const { code, text } = source;
  for (const literal of pythonLiterals(source)) {
    const { span, contentSpan, prefix } = literal;
    if (span.end <= selected.start) continue;
    const isInside = selected.start >= span.start && selected.end <= span.end;
    const isWhole = isInside && coversContent(text, contentSpan, selected);
    return isWhole && !isConcatenated(code, span) && !prefix.includes("b") ? literal : null;
  }
  return null;
}

/** Adjacent strings are concatenated. */
function isConcatenated(code: string, { start, end }: Span): boolean {
  return (
    /["'`]/.test(code[skipSpaceBack(code, start)] ?? "") ||
    /^[rRuUfF]{0,2}["'`]/.test(code.slice(skipSpace(code, end)))
  );
}

/** Whether the string is a docstring, a dictionary key, an index or a type. */
function isName({ code, brackets }: Source, { span: { start, end } }: Literal): boolean {
  const before = code.slice(code.lastIndexOf("\n", start - 1) + 1, start);
  const next = code.slice(skipSpace(code, end), skipSpace(code, end) + 1);
  const open = brackets.enclosing(start);
  if (open === -1) return before.trim() === "" || /^[ \t]*__\w+__[ \t]*\+?=/.test(before);
  if (code[open] === "{" && next === ":") return true;
  if (/^[ \t]*__\w+__[ \t]*\+?=/.test(code.slice(code.lastIndexOf("\n", open) + 1, open))) return true;
  return code[open] === "[" && /[\w)\]]/.test(code[skipSpaceBack(code, open)] ?? "");
}

/** Splits the string into text and values; `null` if gettext cannot format a value. */
function stringParts(source: Source, { contentSpan, prefix, quoteStart }: Literal): TextPart[] | null {
  const { code, text, brackets } = source;
  const raw = prefix.includes("r");
  if (code[quoteStart] !== "`") return [unescapePython(text.slice(contentSpan.start, contentSpan.end), raw)];
  const plain = (from: number, to: number): string =>
    unescapePython(text.slice(from, to), raw).replaceAll(/\{\{|\}\}/g, (pair) => pair.charAt(0));
  const parts: TextPart[] = [];
  let from = contentSpan.start;
  for (let at = code.indexOf("{", from); at !== -1 && at < contentSpan.end; at = code.indexOf("{", from)) {
    const close = brackets.closing(at);
    const value = text.slice(at + 1, close).trim();
    // A conversion or format (`!r`, `:>10`, `=`) is more than a value.
    if (close === -1 || value === "" || /[:!=](?!=)[^()[\]]*$/.test(code.slice(at + 1, close))) return null;
    parts.push(plain(from, at), { code: value });
    from = close + 1;
  }
  parts.push(plain(from, contentSpan.end));
  return parts;
}

/** Returns the file's name of gettext; `null` if it does not import it. */
function translatorIn(code: string): string | null {
  if (/\bas\s+_(?!\w)|^[ \t]*_\s*=|\bimport\b[^\n]*[\s,(]_\s*(?:[,)\n]|$)/m.test(code)) return "_";
  return /\bimport\b[^\n]*\b(gettext|gettext_lazy|lazy_gettext)\b(?!\s+as\b)/.exec(code)?.[1] ?? null;
}

const IMPORTS = /^(?:from[ \t]+[\w.]+[ \t]+import[ \t]+(?:\([^()]*\)|[^\n]*)|import[ \t]+[^\n]*)/gm;

/** Returns the import, after the last one at the start of the file. */
function importSplice(code: string, text: string, at: number, { frameworks }: ProjectConventions): Splice {
  const own = frameworksOf(frameworks).find((framework) => framework.code?.python !== undefined)?.code
    ?.python;
  // Module and class level code runs before the user's language is known.
  const isLater = /\n[ \t]+(?:async[ \t]+)?def[ \t]|\n(?:async[ \t]+)?def[ \t]/.test(
    `\n${blockBefore(code, at)}`,
  );
  const module = own?.module ?? (/\bflask\b/.test(code) ? "flask_babel" : "gettext");
  const name = (isLater ? own?.name : own?.lazyName) ?? "gettext";
  const line = `from ${module} import ${name} as _`;
  const last = [...code.matchAll(IMPORTS)].at(-1);
  if (last !== undefined) {
    const end = last.index + last[0].trimEnd().length;
    return { start: end, end, text: `\n${line}` };
  }
  const head =
    /^(?:#[^\n]*\n)*(?:\s*(?:"""[\s\S]*?"""|'''[\s\S]*?''')[ \t]*\r?\n)?/.exec(text)?.[0].length ?? 0;
  return { start: head, end: head, text: `${line}\n\n` };
}

/** Returns the enclosing lines with less indentation, up to the top level. */
function blockBefore(code: string, at: number): string {
  const start = code.lastIndexOf("\n", at - 1) + 1;
  let indentation = /^[ \t]*/.exec(code.slice(start, at))?.[0].length ?? 0;
  const found: string[] = [];
  for (const line of code.slice(0, start).split("\n").toReversed()) {
    const lineIndentation = /^[ \t]*/.exec(line)?.[0].length ?? 0;
    if (line.trim() === "" || lineIndentation >= indentation) continue;
    found.unshift(line);
    indentation = lineIndentation;
    if (lineIndentation === 0) break;
  }
  return found.join("\n");
}

/** Whether an operator may follow without parentheses. */
function isSelfContained(code: string, { start, end }: Span): boolean {
  const before = code.slice(Math.max(0, start - 20), start).trimEnd();
  const after = code.slice(end, end + 1);
  return /(?:^|[(,[{=:]|\breturn|\n)$/.test(before) && /^(?:$|[)\],}\n\r;])/.test(after);
}

function escapeLiteral(key: string, quote: string): string {
  return key
    .replaceAll("\\", "\\\\")
    .replaceAll(quote, `\\${quote}`)
    .replaceAll("\n", "\\n")
    .replaceAll("\r", "\\r");
}
