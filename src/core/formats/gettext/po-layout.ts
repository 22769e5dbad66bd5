/** How a PO file spreads its strings over lines, told from those that it has, and new strings in the same manner. */
import { closingQuote, type PoDocument, type PoString } from "./po-scan.ts";
import { escapePo } from "./po-strings.ts";
import { firstPieceWidth, widthOf, wrap } from "./po-wrap.ts";

/** A file's manner. */
export interface PoStyle {
  readonly eol: string;
  /** A text of several lines has a string for each. */
  readonly split: boolean;
  /** A string of several pieces begins with `""` on the keyword's line. */
  readonly emptyFirst: boolean;
  /** Columns, quotes included, that no line has more of; `null`: long lines stay. */
  readonly fold: number | null;
  readonly rawTabs: boolean;
}

/** gettext's own width. */
const PAGE = 79;
/** Widths of other programs, where the file shows that it is not gettext's. */
const PAGES: readonly number[] = [PAGE, 80, 78, 77, 76];

/** Tells the manner from all strings of the file. */
export function styleOf(text: string, eol: string, { messages }: PoDocument): PoStyle {
  let split = 0;
  let emptyFirst = 0;
  let folded = 0;
  let tabs = 0;
  let atLeast = 0;
  let below = Number.POSITIVE_INFINITY;
  const look = (string: PoString | null): void => {
    if (string === null) return;
    const raw = text.slice(string.start, string.end);
    const shape = shapeOf(string, raw);
    if (shape.split !== null) split += shape.split ? 1 : -1;
    if (shape.emptyFirst !== null) emptyFirst += shape.emptyFirst ? 1 : -1;
    if (string.text.includes("\t")) tabs += raw.includes("\t") ? 1 : -1;
    if (shape.folded === null) return;
    folded += shape.folded ? 1 : -1;
    if (!shape.folded) return;
    const pieces = piecesOf(raw);
    for (const [index, piece] of pieces.entries()) {
      const next = pieces[index + 1];
      if (next === undefined || piece === "" || piece.endsWith("\\n")) continue;
      const width = widthOf(piece) + 2;
      if (piece.trimEnd().includes(" ")) atLeast = Math.max(atLeast, width);
      below = Math.min(below, width + firstPieceWidth(next));
    }
  };
  for (const { context, id, plural, strings } of messages) {
    look(context);
    look(id);
    look(plural);
    for (const string of strings) look(string);
  }
  const page = PAGES.find((each) => each >= atLeast && each < below) ?? Math.max(atLeast, 40);
  return {
    eol,
    split: split >= 0,
    emptyFirst: emptyFirst >= 0,
    fold: folded > 0 ? page : null,
    rawTabs: tabs > 0,
  };
}

/** The manner of a new file. */
export function plainStyle(eol: string): PoStyle {
  return { eol, split: true, emptyFirst: true, fold: null, rawTabs: false };
}

/** What one string shows of its manner; `null`: nothing. */
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
      folded: raw.length > PAGE && !lines ? false : null,
    };
  }
  const first = raw.startsWith('""');
  const pieces = piecesOf(raw);
  const folded = pieces.some(
    (piece, index) => index < pieces.length - 1 && piece !== "" && !piece.endsWith("\\n"),
  );
  const isLong = pieces.some((piece) => piece.length > PAGE);
  return { split: lines ? true : null, emptyFirst: first, folded: folded ? true : isLong ? false : null };
}

/** What stands between each pair of quotes. */
function piecesOf(raw: string): readonly string[] {
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
 * The string with its quotes, as it stands behind `keyword` and a space. `old`: as it is written now, whose manner
 * counts for more than the file's.
 */
export function layOut(
  said: string,
  keyword: string,
  style: PoStyle,
  old: { readonly string: PoString; readonly raw: string } | null,
): string {
  const own = old === null ? null : shapeOf(old.string, old.raw);
  const split = own?.split ?? style.split;
  const emptyFirst = own?.emptyFirst ?? style.emptyFirst;
  const fold = own?.folded === false ? null : style.fold;
  const parts = (split ? said.split(/(?<=\n)/) : [said]).map((part) => escapePo(part, style.rawTabs));
  const [whole = ""] = parts;
  if (parts.length <= 1 && (fold === null || keyword.length + 3 + widthOf(whole) <= fold))
    return `"${whole}"`;
  const lines = fold === null ? parts : parts.flatMap((part) => wrap(part, fold - 2));
  const isUnbreakable = lines.length === 1 && firstPieceWidth(whole) === widthOf(whole);
  return (emptyFirst && !isUnbreakable ? ["", ...lines] : lines).map((line) => `"${line}"`).join(style.eol);
}
