/**
 * Where gettext's programs break a long string: Unicode's line breaking in the manner of libunistring 0.21 (which also
 * breaks behind the point of `example.com`), for the characters that texts have. Knows nothing of quotes.
 */

/**
 * Break classes of Unicode's annex 14, as far as they differ here. `AL` are letters and all the rest, `ID` those that
 * stand for a word each, `BR` what a line may end with, `XX` what joins both sides, `CM` belongs to what it follows.
 */
type Class =
  | "AL"
  | "NU"
  | "ID"
  | "SP"
  | "OP"
  | "WO"
  | "CL"
  | "CP"
  | "QU"
  | "EX"
  | "IS"
  | "HY"
  | "BR"
  | "NS"
  | "PR"
  | "PO"
  | "XX"
  | "CM"
  | "B2";

const CLASSES = new Map<string, Class>(
  (
    [
      ["SP", " "],
      ["OP", "([{¡¿"],
      ["WO", "「『（【〈《〔［｛"],
      ["CL", "}、。」』）】〉》〕］｝，．"],
      ["CP", ")]"],
      ["QU", "'\"«»“”‘’‹›"],
      ["EX", "!?！？"],
      ["IS", ";,.:/"],
      ["HY", "-"],
      ["BR", "|–…\u00ad\u200b\t‐‧"],
      ["NS", "ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶー・：；々ゝゞヽヾ〜"],
      ["PR", "$+\\€£¥№±"],
      ["PO", "%°‰′″¢"],
      ["XX", "\u200d\u00a0\u202f\u2060\ufeff\u2007\u2011"],
      ["B2", "—"],
    ] as const
  ).flatMap(([name, chars]) => Array.from(chars, (char) => [char, name] as const)),
);

/** They take no column: marks on letters, and what says in which direction letters run. */
const COMBINING = /^[\p{Mn}\p{Me}\p{Cf}]$/u;

function isWide(code: number): boolean {
  return (
    code >= 0x1100 &&
    (code <= 0x115f ||
      (code >= 0x2e80 && code <= 0xa4cf && code !== 0x303f) ||
      (code >= 0xac00 && code <= 0xd7a3) ||
      (code >= 0xf900 && code <= 0xfaff) ||
      (code >= 0xfe30 && code <= 0xfe6f) ||
      (code >= 0xff00 && code <= 0xff60) ||
      (code >= 0xffe0 && code <= 0xffe6) ||
      (code >= 0x1f300 && code <= 0x1faff) ||
      (code >= 0x20000 && code <= 0x3fffd))
  );
}

function classOf(char: string, code: number): Class {
  if (code >= 0x30 && code <= 0x39) return "NU";
  if ((code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a)) return "AL";
  const known = CLASSES.get(char);
  if (known !== undefined) return known;
  if (isWide(code) || (code >= 0xff66 && code <= 0xff9d)) return "ID";
  return code >= 0x300 && COMBINING.test(char) ? "CM" : "AL";
}

/** Nothing begins a line with these, even behind a space. */
const NEVER_FIRST: ReadonlySet<Class> = new Set(["CL", "CP", "EX", "IS"]);
/** Nor with these, where they follow directly. */
const NEVER_SPLIT_BEFORE: ReadonlySet<Class> = new Set(["QU", "XX", "BR", "HY", "NS", "SP"]);
const ALWAYS_AFTER: ReadonlySet<Class> = new Set(["EX", "CL", "BR", "NS", "B2"]);
const WORDLIKE: ReadonlySet<Class> = new Set(["AL", "NU"]);

/** Whether a line may end between two characters of these classes; `spaced`: only spaces stand between them. */
function mayBreak(before: Class, after: Class, spaced: boolean): boolean {
  if (NEVER_FIRST.has(after) || before === "OP" || before === "WO") return false;
  if (spaced) return !(before === "QU" && after === "OP");
  if (NEVER_SPLIT_BEFORE.has(after) || before === "QU" || before === "XX") return false;
  if (ALWAYS_AFTER.has(before)) return true;
  if (before === "HY" || before === "IS") return after !== "NU";
  if (before === "PR") return after === "PR";
  if (before === "PO") return after === "ID";
  if (before === "CP") return !WORDLIKE.has(after) && after !== "PR" && after !== "PO";
  if (before === "ID") return after !== "PO";
  return after === "ID" || after === "WO" || after === "B2";
}

/** A stretch that is never broken, with the spaces behind it. */
interface Piece {
  readonly end: number;
  readonly width: number;
}

/** The escaped text cut at all its breaks. */
function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = [];
  let before: Class | null = null;
  let spaced = false;
  let width = 0;
  let at = 0;
  while (at < text.length) {
    const code = text.codePointAt(at) ?? 0;
    const char = String.fromCodePoint(code);
    const found = classOf(char, code);
    const isEscape = char === "\\";
    if (found === "SP" && before !== null) {
      spaced = true;
    } else if (found !== "CM" || before === null) {
      // The `\n` that ends a line of the text stays with it.
      const isTail = isEscape && text.startsWith("n", at + 1) && at + 2 === text.length;
      if (before !== null && !isTail && mayBreak(before, found, spaced)) {
        pieces.push({ end: at, width });
        width = 0;
      }
      before = found;
      spaced = false;
    }
    const length = isEscape ? 2 : char.length;
    width += isEscape ? 2 : columnsOf(char, code);
    // What follows a backslash is part of it; in its class it is like any other character there.
    if (isEscape && at + 1 < text.length) {
      const escaped = text.charAt(at + 1);
      before = classOf(escaped, escaped.charCodeAt(0));
    }
    at += length;
  }
  pieces.push({ end: text.length, width });
  return pieces;
}

/** Columns that the escaped text takes. */
export function widthOf(text: string): number {
  let width = 0;
  for (const char of text) width += columnsOf(char, char.codePointAt(0) ?? 0);
  return width;
}

function columnsOf(char: string, code: number): number {
  if (code < 0x300) return code === 0xad ? 0 : 1;
  if (isWide(code)) return 2;
  return COMBINING.test(char) ? 0 : 1;
}

/** Columns of the text up to where it may first be broken. */
export function firstPieceWidth(text: string): number {
  return piecesOf(text)[0]?.width ?? 0;
}

/** The escaped text in lines of at most `most` columns, where it can be broken there. */
export function wrap(text: string, most: number): readonly string[] {
  const lines: string[] = [];
  let start = 0;
  let end = 0;
  let column = 0;
  for (const piece of piecesOf(text)) {
    if (column > 0 && column + piece.width > most) {
      lines.push(text.slice(start, end));
      start = end;
      column = 0;
    }
    column += piece.width;
    end = piece.end;
  }
  lines.push(text.slice(start));
  return lines;
}
