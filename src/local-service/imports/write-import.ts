/** Writes the lines of an import into the store and counts the results. */
import { isEmptyText, isForms, areTextsEqual, type Text, withoutEmptyForms } from "../../model/text.ts";
import type { ContentEdit } from "../edit-keys-and-translations.ts";
import { keyByHash, type KeyRow, type LanguageRow } from "../store/store-rows.ts";
import type { Line } from "./read-import.ts";
import type { ImportFields } from "./parse-upload.ts";

/** § Event kinds, `import.finished`, `result`; also the job's `result`. */
export interface ImportResult {
  newKeys: number;
  newTranslations: number;
  changedTranslations: number;
  unchanged: number;
  skipped: number;
  placeholderErrors: number;
}

export function emptyResult(): ImportResult {
  return {
    newKeys: 0,
    newTranslations: 0,
    changedTranslations: 0,
    unchanged: 0,
    skipped: 0,
    placeholderErrors: 0,
  };
}

/**
 * Returns one line for each key in each language: the last non-empty one, so that repeating an import changes
 * nothing. The others are counted as `unchanged` if they are equal, else as `skipped`.
 */
export function withoutDuplicates(lines: readonly Line[], result: ImportResult): Line[] {
  const chosen = new Map<string, Line>();
  for (const line of lines) {
    const id = `${line.hash} ${line.locale}`;
    const other = chosen.get(id);
    if (other === undefined) {
      chosen.set(id, line);
      continue;
    }
    const [winner, loser] = textOf(line) === null && textOf(other) !== null ? [other, line] : [line, other];
    const [loserText, winnerText] = [textOf(loser), textOf(winner)];
    if (loserText !== null && winnerText !== null && areTextsEqual(loserText, winnerText)) result.unchanged++;
    else result.skipped++;
    const description = winner.description ?? loser.description;
    chosen.set(id, { ...winner, description, source: winner.source ?? loser.source });
  }
  return [...chosen.values()];
}

/** Returns the line's text; `null` if it is empty, since an import clears nothing. */
function textOf({ text }: Line): Text | null {
  return text === null || isEmptyText(text) ? null : text;
}

/**
 * Writes one line; one of the source language sets the key's source text. Skips archived keys, texts of the other
 * kind, empty texts, and without `overwrite` texts that would replace another one.
 */
export function writeLine(
  edit: ContentEdit,
  line: Line,
  language: LanguageRow,
  fields: ImportFields,
  result: ImportResult,
): void {
  const isSource = language === edit.languages[0];
  let key = keyByHash(edit.connection, line.hash);
  if (key === undefined) {
    if (!fields.createUnknownKeys) {
      result.skipped++;
      return;
    }
    key = createKey(edit, line, isSource, fields);
    result.newKeys++;
    if (isSource) {
      if (key.text !== null) result.newTranslations++;
      return;
    }
  }
  if (isSource && key.description === null && !key.archived) edit.setDetails(key, line);
  const ownText = textOf(line);
  const text = ownText === null || isSource ? ownText : withoutEmptyForms(ownText);
  if (key.archived || text === null || key.isPlural !== line.isPlural) {
    result.skipped++;
    return;
  }
  const before = edit.textIn(key, language);
  if (before !== null && areTextsEqual(before, text)) result.unchanged++;
  else if (before !== null && !fields.overwrite) result.skipped++;
  else {
    if (isSource) edit.setSource(key, text);
    else result.placeholderErrors += edit.setTranslation(key, language, text);
    if (before === null) result.newTranslations++;
    else result.changedTranslations++;
  }
}

/**
 * Creates the line's key. A file of another language that also contains the source text sets it only for keys that it
 * creates.
 */
function createKey(edit: ContentEdit, line: Line, isSource: boolean, fields: ImportFields): KeyRow {
  const ownText = isSource ? line.text : line.source;
  const id = edit.insertKey({
    ...line,
    text: ownText !== null && isForms(ownText) === line.isPlural && !isEmptyText(ownText) ? ownText : null,
    maxLength: null,
  });
  if (fields.tag !== undefined) edit.addTags(id, [fields.tag]);
  return edit.current(line.hash);
}
