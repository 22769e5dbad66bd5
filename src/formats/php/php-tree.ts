/** How PHP writes names, texts and arrays, in the style of the file (quotes, `array()`, aligned arrows). */
import { CANONICAL_INTEGER } from "./php-parser.ts";
import { isPhpSpace, quotedEnd, skipPhpTrivia } from "../../scanners/lexers/php-lexer.ts";
import { heredocLiteral, type Concatenation, phpLiteral, type PhpStyle, SEPARATORS } from "./php-literals.ts";
import type { TreeStyle, TreeSyntax } from "../tree/tree-print.ts";

/** An even run before anything but a quote or the end: of an odd one the last backslash stands for itself. */
const NEEDLESSLY_DOUBLED = /(?<!\\)(?:\\\\)+(?![\\']|$)/;
const LONE = /(?<!\\)(?:\\\\)*\\[^\\']/;

export const phpSyntax: TreeSyntax = {
  skipTrivia: skipPhpTrivia,
  listsAreNameless: false,
  comments: "always",
  styleOf: (text) => phpStyle(text, false),
};

/** The same where files are made by PHP's own `var_export`, which escapes every backslash and writes no comments. */
export const exportedPhpSyntax: TreeSyntax = {
  ...phpSyntax,
  comments: "if-present",
  styleOf: (text) => phpStyle(text, true),
};

function phpStyle(text: string, exported: boolean): TreeStyle {
  const fallback: PhpStyle = {
    quote: "'",
    // Needlessly doubled backslashes in single quotes are a habit; without one seen, none is doubled.
    escapeAllBackslashes: exported || NEEDLESSLY_DOUBLED.test(text),
    rawNewlines: false,
    apart: SEPARATORS.filter((char) => !text.includes(char)),
    concatenation: concatenationIn(text) ?? [" . ", " . "],
  };
  return {
    unit: "    ",
    trailingComma: true,
    value: (value, like) => {
      const heredoc = like?.startsWith("<<<") === true ? heredocLiteral(value, like) : null;
      return heredoc ?? phpLiteral(value, styleLike(like, fallback));
    },
    head: (name, like) => phpHead(name, like, fallback),
    brackets: (like) => (/^array/i.test(like) ? [like, ")"] : ["[", "]"]),
  };
}

/** How a separator that stands in a literal of its own is joined to its neighbours, the first time it is. */
function concatenationIn(text: string): Concatenation | null {
  const at = Math.max(text.indexOf('"\\0"'), text.indexOf('"\\4"'));
  if (at < 0) return null;
  let start = at;
  while (isJoint(text.charCodeAt(start - 1))) start--;
  let end = at + 4;
  while (isJoint(text.charCodeAt(end))) end++;
  const concatenation: Concatenation = [text.slice(start, at), text.slice(at + 4, end)];
  return concatenation.every((part) => /^\s*\.\s*$/.test(part)) ? concatenation : null;
}

function isJoint(code: number): boolean {
  return code === 0x2e || isPhpSpace(code);
}

/** Of a value that is no plain literal (a number, a call) nothing is kept, of a concatenation the first quote and the dots. */
function styleLike(like: string | null, fallback: PhpStyle): PhpStyle {
  const quote = like?.[0];
  if (like === null || (quote !== "'" && quote !== '"')) return fallback;
  const body = like.slice(1, (quotedEnd(like, 0) ?? like.length) - 1);
  const concatenation = concatenationIn(like);
  const apart = concatenation === null ? [] : SEPARATORS;
  if (quote === '"') {
    return {
      ...fallback,
      quote,
      apart,
      concatenation: concatenation ?? fallback.concatenation,
      rawNewlines: /[\r\n]/.test(body),
    };
  }
  const escapeAllBackslashes =
    !LONE.test(body) && (NEEDLESSLY_DOUBLED.test(body) || fallback.escapeAllBackslashes);
  const raw = SEPARATORS.some((char) => body.includes(char));
  return {
    ...fallback,
    quote,
    apart: concatenation !== null ? SEPARATORS : raw ? [] : fallback.apart,
    concatenation: concatenation ?? fallback.concatenation,
    escapeAllBackslashes,
  };
}

/** `'name' => `, with the quotes of the neighbours and their arrow's column where they align. */
function phpHead(name: string, like: readonly string[], fallback: PhpStyle): string {
  const nearest = like[0] ?? "";
  const quote = nearest.startsWith('"') ? '"' : "'";
  const concatenation = like.map(concatenationIn).find((found) => found !== null) ?? fallback.concatenation;
  const apart = quote === '"' ? [] : fallback.apart;
  const bare = CANONICAL_INTEGER.test(name) && /^-?\d/.test(nearest);
  const literal = bare ? name : phpLiteral(name, { ...fallback, quote, apart, concatenation });
  const arrows = like.flatMap((head) => arrowOf(head) ?? []);
  const aligned = arrows.find(({ gap, column }) => gap.length > 1 && column > 0);
  const own = arrowOf(nearest);
  const after = own === null || /[\r\n]/.test(own.after) ? " " : own.after;
  if (aligned !== undefined) {
    return `${literal}${" ".repeat(Math.max(1, aligned.column - literal.length))}=>${aligned.after}`;
  }
  const gap = own === null || /[\r\n]/.test(own.gap) || own.gap.length > 1 ? " " : own.gap;
  return `${literal}${gap}=>${after}`;
}

interface Arrow {
  readonly gap: string;
  readonly after: string;
  /** Of the arrow in the head; 0 where the head has several lines. */
  readonly column: number;
}

/** The arrow that ends a head, with the white space around it; `null` when a comment stands there. */
function arrowOf(head: string): Arrow | null {
  let end = head.length;
  while (isPhpSpace(head.charCodeAt(end - 1))) end--;
  const arrow = end - 2;
  if (!head.startsWith("=>", arrow)) return null;
  let start = arrow;
  while (isPhpSpace(head.charCodeAt(start - 1))) start--;
  const after = head.slice(end);
  const oneLine = !/[\r\n]/.test(head);
  return { gap: head.slice(start, arrow), after, column: oneLine ? arrow : 0 };
}
