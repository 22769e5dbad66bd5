/** The edits that change a range of cells. Keys are named by their hashes, so that rows may move in the meantime. */
import type { CellId, TextEdit } from "../../model/text-edit.ts";
import {
  isForms,
  replaceInText,
  withoutEmptyForms,
  type Replacement,
  type Text,
} from "../../model/translation-text.ts";
import { yieldNow } from "../../util/event-loop.ts";
import { TimeLimitError, withTimeLimit } from "../../util/time-limit.ts";
import type { PastedCell } from "../../webview/translation-editor/editor-protocol.ts";
import { parseClipboardText } from "./cell-texts.ts";

/** What the edits depend on. */
export interface CellReader {
  /** Returns the text shown in a cell; `null` if there is none. */
  text(locale: string, hash: string): Text | null;
  /** Returns whether the key has plural forms. */
  isPlural(hash: string): boolean;
}

/** Returns the edits of pasted cells; `null` for a cell without one line per plural form. */
export function pastedEdits(cells: readonly PastedCell[], reader: CellReader): readonly (TextEdit | null)[] {
  return cells.map(({ locale, hash, copied }) => {
    const text = parseClipboardText(copied, reader.text(locale, hash), locale, reader.isPlural(hash));
    return text && { locale, hash, text };
  });
}

/**
 * Returns the edits that set the texts of the key `from` in other keys; `null` for cells that differ in having plural forms.
 * A language without a text in `from` is left as it is.
 */
export function filledEdits(
  from: string,
  to: readonly string[],
  locales: readonly string[],
  reader: CellReader,
): readonly (TextEdit | null)[] {
  return locales.flatMap((locale) => {
    const text = reader.text(locale, from);
    if (text === null) return [];
    return to.map((hash) => (isForms(text) === reader.isPlural(hash) ? { locale, hash, text } : null));
  });
}

/** Returns the edits that clear cells. */
export function clearedEdits(
  hashes: readonly string[],
  locales: readonly string[],
  reader: Pick<CellReader, "isPlural">,
): readonly TextEdit[] {
  return hashes.flatMap((hash) => {
    const text: Text = reader.isPlural(hash) ? { forms: {} } : { value: "" };
    return locales.map((locale) => ({ locale, hash, text }));
  });
}

/** Texts that are searched before other work runs. */
const TEXTS_PER_SEARCH = 100;
/** A regular expression may take exponential time. */
const MAX_SEARCH_MS = 40;

/** A text before and after a replacement. */
export interface ReplacedText extends TextEdit {
  readonly before: Text;
}

/**
 * Returns the replacements in cells, yielding to other work; cells without a match have none.
 * @throws {TimeLimitError} if the regular expression takes too long in one of the texts
 */
export async function* replacedTexts(
  cells: Iterable<CellId>,
  replacement: Replacement,
  reader: Pick<CellReader, "text">,
): AsyncGenerator<readonly ReplacedText[]> {
  for (const some of batches(cells)) {
    await yieldNow();
    const before = some.flatMap(({ locale, hash }) => {
      const text = reader.text(locale, hash);
      return text === null ? [] : [{ locale, hash, before: withoutEmptyForms(text) }];
    });
    const replaceAll = (): readonly ReplacedText[] =>
      before.flatMap((cell) => {
        const text = replaceInText(cell.before, replacement);
        return text === null ? [] : [{ ...cell, text }];
      });
    yield replacement.isRegExp ? await limited(replaceAll) : replaceAll();
  }
}

function* batches(cells: Iterable<CellId>): Generator<readonly CellId[]> {
  let batch: CellId[] = [];
  for (const cell of cells) {
    if (batch.push(cell) < TEXTS_PER_SEARCH) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}

/** Runs the search within the limit; a second time, since another process may have taken the time of the first. */
async function limited<Result>(search: () => Result): Promise<Result> {
  try {
    return withTimeLimit(MAX_SEARCH_MS, search);
  } catch (error) {
    if (!(error instanceof TimeLimitError)) throw error;
    await yieldNow();
    return withTimeLimit(MAX_SEARCH_MS, search);
  }
}
