/**
 * Prints new messages and whole PO or POT files, wrapping strings as the file does. Long strings are broken where
 * gettext's tools break them: Unicode line breaking as in libunistring 0.21 (which also breaks after the dot in
 * `example.com`), limited to the characters that occur in texts.
 */
import type { NewEntry, ReadOptions, RefusalReason } from "../format.ts";
import { joinMessageName, msgidPlural, newHeader, type PoKind } from "./gettext-message.ts";
import { gettextPlurals, standardPluralForms, stringsOfText } from "./plural-forms-header.ts";
import type { PoFile } from "./po-entries.ts";
import { closingQuote, escapePo, type PoDocument, type PoString, scanPo } from "./po-parser.ts";
import { fileNewline } from "../text/lines-and-indentation.ts";
import { type Forms, isForms, type Text, valuesOf } from "../../model/translation-text.ts";

/**
 * Line break classes of Unicode Annex 14, as far as the difference matters here. `AL`: letters and everything else.
 * `ID`: ideographs, each a word of its own. `BR`: characters after which a line may break. `XX`: characters that join
 * both neighbours. `CM`: marks that belong to the preceding character.
 */
type LineBreakClass = "AL" | "NU" | "ID" | "CM" | keyof typeof CHARACTERS;

const CHARACTERS = {
  SP: " ",
  OP: "([{¡¿",
  WO: "「『（【〈《〔［｛",
  CL: "}、。」』）】〉》〕］｝，．",
  CP: ")]",
  QU: "'\"«»“”‘’‹›",
  EX: "!?！？",
  IS: ";,.:/",
  HY: "-",
  BR: "|–…\u00ad\u200b\t‐‧",
  NS: "ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶー・：；々ゝゞヽヾ〜",
  PR: "$+\\€£¥№±",
  PO: "%°‰′″¢",
  XX: "\u200d\u00a0\u202f\u2060\ufeff\u2007\u2011",
  B2: "—",
};

const CLASSES: ReadonlyMap<string, LineBreakClass> = new Map(
  Object.entries(CHARACTERS).flatMap(([name, chars]) =>
    Array.from(chars, (char) => [char, name as LineBreakClass] as const),
  ),
);

/** Zero-width characters: combining marks and direction marks. */
const COMBINING = /^[\p{Mn}\p{Me}\p{Cf}]$/u;

/** Characters that are two columns wide. */
const WIDE =
  /^[\u1100-\u115f\u2e80-\u303e\u3040-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]$/u;

function isWide(char: string, code: number): boolean {
  return code >= 0x1100 && WIDE.test(char);
}

function classOf(char: string, code: number): LineBreakClass {
  if (code >= 0x30 && code <= 0x39) return "NU";
  if ((code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a)) return "AL";
  const known = CLASSES.get(char);
  if (known !== undefined) return known;
  if (isWide(char, code) || (code >= 0xff66 && code <= 0xff9d)) return "ID";
  return code >= 0x300 && COMBINING.test(char) ? "CM" : "AL";
}

/** Never at the start of a line, even after a space. */
const NEVER_FIRST: ReadonlySet<LineBreakClass> = new Set(["CL", "CP", "EX", "IS"]);
/** Never at the start of a line if no space precedes. */
const NEVER_SPLIT_BEFORE: ReadonlySet<LineBreakClass> = new Set(["QU", "XX", "BR", "HY", "NS", "SP"]);
const ALWAYS_AFTER: ReadonlySet<LineBreakClass> = new Set(["EX", "CL", "BR", "NS", "B2"]);
const WORDLIKE: ReadonlySet<LineBreakClass> = new Set(["AL", "NU"]);

/** Whether a line may break between characters of these classes; `spaced`: only spaces are between them. */
function mayBreak(before: LineBreakClass, after: LineBreakClass, spaced: boolean): boolean {
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

/** An unbreakable run of text, with the spaces after it. */
interface Piece {
  readonly end: number;
  readonly width: number;
}

/** Splits the escaped text at every permitted break. */
function breakablePieces(text: string): Piece[] {
  const pieces: Piece[] = [];
  let before: LineBreakClass | null = null;
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
      // The `\n` at the end of a line of text belongs to that line.
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
    // An escaped character belongs to its backslash; its class is that of the character itself.
    if (isEscape && at + 1 < text.length) {
      const escaped = text.charAt(at + 1);
      before = classOf(escaped, escaped.charCodeAt(0));
    }
    at += length;
  }
  pieces.push({ end: text.length, width });
  return pieces;
}

/** Returns the width of the escaped text in columns. */
function widthOf(text: string): number {
  let width = 0;
  for (const char of text) width += columnsOf(char, char.codePointAt(0) ?? 0);
  return width;
}

function columnsOf(char: string, code: number): number {
  if (code < 0x300) return code === 0xad ? 0 : 1;
  if (isWide(char, code)) return 2;
  return COMBINING.test(char) ? 0 : 1;
}

/** Returns the width of the text before its first permitted break, in columns. */
function firstPieceWidth(text: string): number {
  return breakablePieces(text)[0]?.width ?? 0;
}

/** Wraps the escaped text at a number of columns, where it can be broken. */
function wrapText(text: string, maxColumns: number): readonly string[] {
  const lines: string[] = [];
  let start = 0;
  let end = 0;
  let column = 0;
  for (const piece of breakablePieces(text)) {
    if (column > 0 && column + piece.width > maxColumns) {
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

/** The line layout of strings. */
interface StringLayout {
  /** Whether a text of several lines has a string for each line. */
  readonly split: boolean;
  /** Whether a string of several pieces begins with `""` on the keyword's line. */
  readonly emptyFirst: boolean;
  /** Maximum width of a line in columns, including quotes; `null`: long lines are not wrapped. */
  readonly fold: number | null;
}

/** The style of a file. */
export interface PoStyle {
  readonly eol: string;
  readonly hasRawTabs: boolean;
  /** Layout of strings extracted from the source code (`ids`) and of translations (`texts`). */
  readonly ids: StringLayout;
  readonly texts: StringLayout;
}

/** gettext's default line width. */
const DEFAULT_WIDTH = 79;
/** Line widths of other tools, if the file shows that gettext did not write it. */
const KNOWN_WIDTHS: readonly number[] = [DEFAULT_WIDTH, 80, 78, 77, 76];

/**
 * Detects the style from all strings of a file; that of translations from the translations alone, if they show it.
 */
export function styleOf(text: string, eol: string, { messages }: PoDocument): PoStyle {
  const ids = { ...NO_EVIDENCE };
  const texts = { ...NO_EVIDENCE };
  for (const { context, id, plural, strings } of messages) {
    for (const string of [context, id, plural]) if (string !== null) addEvidence(ids, text, string);
    for (const string of strings) addEvidence(texts, text, string);
  }
  const all: Evidence = {
    split: ids.split + texts.split,
    emptyFirst: ids.emptyFirst + texts.emptyFirst,
    folded: ids.folded + texts.folded,
    tabs: ids.tabs + texts.tabs,
    atLeast: Math.max(ids.atLeast, texts.atLeast),
    below: Math.min(ids.below, texts.below),
  };
  const knownWidth = KNOWN_WIDTHS.find((width) => width >= all.atLeast && width < all.below);
  const width = knownWidth ?? Math.max(all.atLeast, 40);
  const layoutOf = ({ split, emptyFirst, folded }: Evidence): StringLayout => ({
    split: (split || all.split) >= 0,
    emptyFirst: (emptyFirst || all.emptyFirst) >= 0,
    fold: (folded || all.folded) >= 0 ? width : null,
  });
  return { eol, hasRawTabs: all.tabs > 0, ids: layoutOf(all), texts: layoutOf(texts) };
}

/** What strings show of their layout: more than zero means yes. */
interface Evidence {
  split: number;
  emptyFirst: number;
  folded: number;
  tabs: number;
  /** Bounds of the line width. */
  atLeast: number;
  below: number;
}

const NO_EVIDENCE: Evidence = { split: 0, emptyFirst: 0, folded: 0, tabs: 0, atLeast: 0, below: Infinity };

function addEvidence(evidence: Evidence, text: string, string: PoString): void {
  const raw = text.slice(string.start, string.end);
  const { split, emptyFirst, folded } = shapeOf(string, raw);
  evidence.split += voteOf(split);
  evidence.emptyFirst += voteOf(emptyFirst);
  evidence.folded += voteOf(folded);
  if (string.text.includes("\t")) evidence.tabs += voteOf(raw.includes("\t"));
  if (folded !== true) return;
  const pieces = linesOf(raw);
  for (const [index, piece] of pieces.entries()) {
    const next = pieces[index + 1];
    if (next === undefined || piece === "" || piece.endsWith("\\n")) continue;
    const width = widthOf(piece) + 2;
    if (piece.trimEnd().includes(" ")) evidence.atLeast = Math.max(evidence.atLeast, width);
    evidence.below = Math.min(evidence.below, width + firstPieceWidth(next));
  }
}

function voteOf(isShown: boolean | null): number {
  if (isShown === null) return 0;
  return isShown ? 1 : -1;
}

/** Returns the style of a new file. */
export function plainStyle(eol: string): PoStyle {
  const layout = { split: true, emptyFirst: true, fold: null };
  return { eol, hasRawTabs: false, ids: layout, texts: layout };
}

/** What a single string shows of its layout; `null`: nothing. */
interface Shape {
  readonly split: boolean | null;
  readonly emptyFirst: boolean | null;
  readonly folded: boolean | null;
}

function shapeOf(string: PoString, raw: string): Shape {
  const inner = string.text.indexOf("\n");
  const lines = inner >= 0 && inner < string.text.length - 1;
  if (string.pieces === 1) {
    return {
      split: lines ? false : null,
      emptyFirst: null,
      folded: raw.length > DEFAULT_WIDTH && !lines ? false : null,
    };
  }
  const first = raw.startsWith('""');
  const pieces = linesOf(raw);
  const folded = pieces.some(
    (piece, index) => index < pieces.length - 1 && piece !== "" && !piece.endsWith("\\n"),
  );
  const isLong = pieces.some((piece) => piece.length > DEFAULT_WIDTH);
  // On a line of its own because it did not fit after the keyword.
  if (first && pieces.length === 2 && !lines && !isLong)
    return { split: null, emptyFirst: true, folded: true };
  return { split: lines ? true : null, emptyFirst: first, folded: folded ? true : isLong ? false : null };
}

/** Returns the raw content of each pair of quotes. */
function linesOf(raw: string): readonly string[] {
  const pieces: string[] = [];
  for (let start = raw.indexOf('"'); start >= 0; start = raw.indexOf('"', start)) {
    const end = closingQuote(raw, start);
    if (end < 0) break;
    pieces.push(raw.slice(start + 1, end));
    start = end + 1;
  }
  return pieces;
}

/**
 * Returns the string with its quotes, to follow `keyword` and a space. `old` is the string that it replaces, whose
 * layout takes precedence over the file's.
 */
export function printString(
  content: string,
  keyword: string,
  style: PoStyle,
  old: { readonly string: PoString; readonly raw: string } | null,
): string {
  const own = old === null ? null : shapeOf(old.string, old.raw);
  const layout = keyword.startsWith("msgstr") ? style.texts : style.ids;
  const split = own?.split ?? layout.split;
  const emptyFirst = own?.emptyFirst ?? layout.emptyFirst;
  const fold = own?.folded === false ? null : layout.fold;
  const parts = (split ? content.split(/(?<=\n)/) : [content]).map((part) =>
    escapePo(part, style.hasRawTabs),
  );
  const [whole = ""] = parts;
  if (parts.length <= 1 && (fold === null || keyword.length + 3 + widthOf(whole) <= fold))
    return `"${whole}"`;
  const lines = fold === null ? parts : parts.flatMap((part) => wrapText(part, fold - 2));
  const isUnbreakable = lines.length === 1 && firstPieceWidth(whole) === widthOf(whole);
  return (emptyFirst && !isUnbreakable ? ["", ...lines] : lines).map((line) => `"${line}"`).join(style.eol);
}

/** A message to print. */
export interface NewMessage {
  readonly key: string;
  readonly context: string | null;
  readonly description: string | null;
  readonly plural: string | null;
  readonly strings: readonly string[];
  readonly fuzzy?: boolean;
  /** Comment lines, printed as they are before those made from `description` and `fuzzy`. */
  readonly comments?: readonly string[];
}

/** Returns the lines of the message, without a line end after the last one. */
export function printMessage(message: NewMessage, style: PoStyle, describedBy: "#." | "#"): string {
  const { key, context, description, plural, strings, fuzzy = false, comments = [] } = message;
  const described = (description ?? "")
    .split(/\r\n|[\n\r]/)
    .filter((line) => line.trim() !== "")
    .map((line) => `${describedBy} ${line.trim()}`);
  const lines = [...comments, ...described.filter((line) => !comments.includes(line))];
  if (fuzzy) lines.push("#, fuzzy");
  const put = (keyword: string, content: string): void => {
    lines.push(`${keyword} ${printString(content, keyword, style, null)}`);
  };
  if (context !== null) put("msgctxt", context);
  put("msgid", key);
  if (plural !== null) put("msgid_plural", plural);
  for (const [index, content] of strings.entries())
    put(plural === null ? "msgstr" : `msgstr[${index}]`, content);
  return lines.join(style.eol);
}

/**
 * Returns the message for an entry, and why it does not say all of it; then it is as similar as possible.
 * `emptySources`: a msgstr that would equal the msgid is left empty.
 */
export function newMessage(
  entry: NewEntry,
  { kind, plurals }: Pick<PoFile, "kind" | "plurals">,
  emptySources: boolean,
): { readonly message: NewMessage; readonly reason: RefusalReason | null } {
  const { key, context, text, source, description = null, fuzzy = false } = entry;
  const base = { key, context: context === "" ? null : context, description, fuzzy };
  const isTemplate = kind === "template";
  if (!isForms(text)) {
    const isSource = text.value === key;
    const isEmpty = isTemplate || (isSource && emptySources);
    const message = { ...base, plural: null, strings: [isEmpty ? "" : text.value] };
    return { message, reason: isTemplate && !isSource ? "source" : null };
  }
  const known = msgidPlural(kind === "translations" ? source : text);
  // If unknown: programs fall back to this text, and the next merge with the template corrects it.
  const plural = known ?? key;
  const isSource = isExpressedBy(text.forms, key, plural);
  if (isTemplate) {
    const reason = known === null ? "forms" : isSource ? null : "source";
    return { message: { ...base, plural, strings: ["", ""] }, reason };
  }
  const strings = isSource && emptySources ? plurals.categories.map(() => "") : stringsOfText(plurals, text);
  const reason = known === null || strings === null ? "forms" : null;
  return { message: { ...base, plural, strings: strings ?? valuesOf(text) }, reason };
}

/** Whether msgid and msgid_plural are all the forms. */
function isExpressedBy(forms: Forms, id: string, plural: string): boolean {
  const isPart = ([name, form]: [string, string]): boolean =>
    form === "" || form === plural || (name === "one" && form === id);
  return (forms["one"] ?? plural) === id && Object.entries(forms).every(isPart);
}

/** Prints a new file. Entries that cannot be messages are omitted: the empty key is reserved for the header. */
export function printPo(entries: readonly NewEntry[], kind: PoKind, options: ReadOptions): string {
  const like = options.examples?.[0]?.text;
  const eol = like === undefined ? "\n" : fileNewline(like);
  const style = like === undefined ? plainStyle(eol) : styleOf(like, eol, scanPo(like));
  const categories = new Set(entries.flatMap(({ text }) => filledCategories(text)));
  const header = newHeader(options, kind, categories);
  const plurals = gettextPlurals(standardPluralForms(options.locale, categories), options.locale);
  const blocks = entries
    .filter(({ key, context }) => joinMessageName(key, context) !== "")
    .map((entry) => printMessage(newMessage(entry, { kind, plurals }, false).message, style, "#."));
  return `${[printHeader(header, eol), ...blocks].join(eol + eol)}${eol}`;
}

/** Returns the lines of the header's message. */
export function printHeader(header: string, eol: string): string {
  return `msgid ""${eol}msgstr ${printString(header, "msgstr", plainStyle(eol), null)}`;
}

/** Returns the plural categories whose form is not empty. */
export function filledCategories(text: Text | null): string[] {
  if (text === null || !isForms(text)) return [];
  return Object.entries(text.forms).flatMap(([name, form]) => (form === "" ? [] : [name]));
}
