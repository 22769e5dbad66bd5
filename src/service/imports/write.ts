/**
 * Writes the lines of an import into the store and counts what became of each. Which lines there are is `read.ts`'s
 * to say; how a text is kept is `content-edit.ts`'s.
 */
import { isEmptyText, isForms, sameText, type Text } from "../../model/text.ts";
import { withoutEmptyForms, type ContentEdit } from "../content-edit.ts";
import { keyByHash, translationOf, type KeyRow, type LanguageRow } from "../store/rows.ts";
import type { Line } from "./read.ts";
import type { ImportFields } from "./upload.ts";

/** § Event kinds, `import.finished`, `result`; also the job's own result. */
export interface ImportResult {
  newKeys: number;
  newTranslations: number;
  changedTranslations: number;
  unchanged: number;
  skipped: number;
  placeholderErrors: number;
}

export function noResult(): ImportResult {
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
 * One line for each key in each language: of several (two files of one namespace, a `.po` beside its `.mo`) the last
 * that says something, so that importing the same again changes nothing. The others are counted: `unchanged` those
 * that say the same, `skipped` the rest.
 */
export function withoutRepeated(lines: readonly Line[], result: ImportResult): Line[] {
  const chosen = new Map<string, Line>();
  for (const line of lines) {
    const id = `${line.hash} ${line.locale}`;
    const other = chosen.get(id);
    if (other === undefined) {
      chosen.set(id, line);
      continue;
    }
    const [winner, loser] = textOf(line) === null && textOf(other) !== null ? [other, line] : [line, other];
    const [said, wanted] = [textOf(loser), textOf(winner)];
    if (said !== null && wanted !== null && sameText(said, wanted)) result.unchanged++;
    else result.skipped++;
    const description = winner.description ?? loser.description;
    chosen.set(id, { ...winner, description, source: winner.source ?? loser.source });
  }
  return [...chosen.values()];
}

/** The line's words; `null`: it has none, and an import clears nothing. */
function textOf({ text }: Line): Text | null {
  return text === null || isEmptyText(text) ? null : text;
}

/**
 * One line. Of the source language it is the key's own text. An archived key, a text of the other kind and an
 * empty text are skipped; so is a text that would replace another without `overwrite`.
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
  if (isSource && line.description !== null && key.description === null && !key.archived) {
    edit.setDescription(key, line.description);
  }
  const said = textOf(line);
  const text = said === null || isSource ? said : withoutEmptyForms(said);
  if (key.archived || text === null || key.isPlural !== line.isPlural) {
    result.skipped++;
    return;
  }
  const before = isSource ? key.text : (translationOf(edit.connection, key.id, language.id)?.text ?? null);
  if (before !== null && sameText(before, text)) result.unchanged++;
  else if (before !== null && !fields.overwrite) result.skipped++;
  else {
    if (isSource) edit.setSource(key, text);
    else result.placeholderErrors += edit.setTranslation(key, language, text).errors;
    if (before === null) result.newTranslations++;
    else result.changedTranslations++;
  }
}

/** A file of another language that says the source text too gives it to the key that it makes, and to no other. */
function createKey(edit: ContentEdit, line: Line, isSource: boolean, fields: ImportFields): KeyRow {
  const said = isSource ? line.text : line.source;
  const id = edit.insertKey({
    hash: line.hash,
    namespace: line.namespace,
    key: line.key,
    context: line.context,
    isPlural: line.isPlural,
    text: said !== null && isForms(said) === line.isPlural && !isEmptyText(said) ? said : null,
    description: line.description,
    maxLength: null,
  });
  if (fields.tag !== undefined) edit.addTags(id, [fields.tag]);
  return edit.current(id);
}
