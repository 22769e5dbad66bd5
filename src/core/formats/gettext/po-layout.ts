/** How a PO file spreads its strings over lines, told from those that it has, and new strings in the same manner. */
import { closingQuote, type PoDocument, type PoString } from "./po-scan.ts";
import { escapePo } from "./po-strings.ts";
import { firstPieceWidth, widthOf, wrap } from "./po-wrap.ts";

/** How strings are spread over lines. */
interface Manner {
  /** A text of several lines has a string for each. */
  readonly split: boolean;
  /** A string of several pieces begins with `""` on the keyword's line. */
  readonly emptyFirst: boolean;
  /** Columns, quotes included, that no line has more of; `null`: long lines stay. */
  readonly fold: number | null;
}

/** A file's manner. */
export interface PoStyle {
  readonly eol: string;
  readonly rawTabs: boolean;
  /** Of what programs took from the source code, and of what people wrote. */
  readonly ids: Manner;
  readonly texts: Manner;
}

/** gettext's own width. */
const PAGE = 79;
/** Widths of other programs, where the file shows that it is not gettext's. */
const PAGES: readonly number[] = [PAGE, 80, 78, 77, 76];

/** Tells the manner from all strings of the file; that of texts from the texts, as far as they show it. */
export function styleOf(text: string, eol: string, { messages }: PoDocument): PoStyle {
  const ids = new Evidence(text);
  const texts = new Evidence(text);
  for (const { context, id, plural, strings } of messages) {
    for (const string of [context, id, plural]) if (string !== null) ids.look(string);
    for (const string of strings) texts.look(string);
  }
  const all = ids.with(texts);
  return { eol, rawTabs: all.tabs > 0, ids: all.manner(all), texts: texts.manner(all) };
}

/** What strings show, counted: more than zero is yes. */
class Evidence {
  readonly #text: string;
  split = 0;
  emptyFirst = 0;
  folded = 0;
  tabs = 0;
  atLeast = 0;
  below = Number.POSITIVE_INFINITY;

  constructor(text: string) {
    this.#text = text;
  }

  look(string: PoString): void {
    const raw = this.#text.slice(string.start, string.end);
    const shape = shapeOf(string, raw);
    if (shape.split !== null) this.split += shape.split ? 1 : -1;
    if (shape.emptyFirst !== null) this.emptyFirst += shape.emptyFirst ? 1 : -1;
    if (string.text.includes("\t")) this.tabs += raw.includes("\t") ? 1 : -1;
    if (shape.folded === null) return;
    this.folded += shape.folded ? 1 : -1;
    if (!shape.folded) return;
    const pieces = piecesOf(raw);
    for (const [index, piece] of pieces.entries()) {
      const next = pieces[index + 1];
      if (next === undefined || piece === "" || piece.endsWith("\\n")) continue;
      const width = widthOf(piece) + 2;
      if (piece.trimEnd().includes(" ")) this.atLeast = Math.max(this.atLeast, width);
      this.below = Math.min(this.below, width + firstPieceWidth(next));
    }
  }

  with(other: Evidence): Evidence {
    const all = new Evidence(this.#text);
    all.split = this.split + other.split;
    all.emptyFirst = this.emptyFirst + other.emptyFirst;
    all.folded = this.folded + other.folded;
    all.tabs = this.tabs + other.tabs;
    all.atLeast = Math.max(this.atLeast, other.atLeast);
    all.below = Math.min(this.below, other.below);
    return all;
  }

  /** `all`: what counts where these strings show nothing. */
  manner(all: Evidence): Manner {
    const { atLeast, below } = all;
    const page = PAGES.find((each) => each >= atLeast && each < below) ?? Math.max(atLeast, 40);
    return {
      split: (this.split || all.split) >= 0,
      emptyFirst: (this.emptyFirst || all.emptyFirst) >= 0,
      fold: (this.folded || all.folded) >= 0 ? page : null,
    };
  }
}

/** The manner of a new file. */
export function plainStyle(eol: string): PoStyle {
  const manner = { split: true, emptyFirst: true, fold: null };
  return { eol, rawTabs: false, ids: manner, texts: manner };
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
  // Alone on the next line, since it did not fit behind the keyword.
  if (first && pieces.length === 2 && !lines && !isLong)
    return { split: null, emptyFirst: true, folded: true };
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
  const manner = keyword.startsWith("msgstr") ? style.texts : style.ids;
  const split = own?.split ?? manner.split;
  const emptyFirst = own?.emptyFirst ?? manner.emptyFirst;
  const fold = own?.folded === false ? null : manner.fold;
  const parts = (split ? said.split(/(?<=\n)/) : [said]).map((part) => escapePo(part, style.rawTabs));
  const [whole = ""] = parts;
  if (parts.length <= 1 && (fold === null || keyword.length + 3 + widthOf(whole) <= fold))
    return `"${whole}"`;
  const lines = fold === null ? parts : parts.flatMap((part) => wrap(part, fold - 2));
  const isUnbreakable = lines.length === 1 && firstPieceWidth(whole) === widthOf(whole);
  return (emptyFirst && !isUnbreakable ? ["", ...lines] : lines).map((line) => `"${line}"`).join(style.eol);
}
