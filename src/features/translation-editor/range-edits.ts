/** The edits that change a range of cells. Keys are named by their hashes, so that rows may move in the meantime. */
import type { CellId, TextEdit } from "../../model/text-edit.ts";
import { isForms, replaceInText, type Replacement, type Text } from "../../model/translation-text.ts";
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

/** Returns the edits of a replacement in the chosen cells; those whose text no longer contains what is replaced have none. */
export function replacedEdits(
  cells: readonly CellId[],
  replacement: Replacement,
  reader: Pick<CellReader, "text">,
): readonly TextEdit[] {
  return cells.flatMap(({ locale, hash }) => {
    const text = reader.text(locale, hash);
    const replaced = text === null ? null : replaceInText(text, replacement);
    return replaced === null ? [] : [{ locale, hash, text: replaced }];
  });
}
