/** Typed access to keys, languages and translations of the store. */
import type { SQLOutputValue } from "node:sqlite";
import type { KeyName } from "../../model/key-hash.ts";
import { isForms, type Text } from "../../model/text.ts";
import type { Connection } from "./store.ts";

export type SqlRow = Record<string, SQLOutputValue>;

export interface NewKey extends KeyName {
  readonly hash: string;
  readonly isPlural: boolean;
  /** The source text. */
  readonly text: Text | null;
  readonly description: string | null;
  readonly maxLength: number | null;
}

/** One key, active or archived. */
export interface KeyRow extends NewKey {
  readonly id: number;
  readonly sourceHash: string | null;
  readonly archived: boolean;
}

/** A stored translation; `text` is `null` after it was cleared. */
export interface TranslationRow {
  readonly text: Text | null;
  readonly outdated: boolean;
  readonly version: number;
}

export interface LanguageRow {
  readonly id: number;
  readonly locale: string;
  readonly name: string;
  readonly fallback: readonly string[];
  readonly translated: number;
  readonly outdated: number;
  readonly errors: number;
  readonly completed: boolean;
  readonly lastTranslatedAt: string | null;
}

const KEY_COLUMNS = `id, hash, namespace, name, context, is_plural, value, forms, source_hash, description,
  max_length, archived`;
const KEY_BY_HASH = `SELECT ${KEY_COLUMNS} FROM keys WHERE hash = ?`;
const ACTIVE_KEYS = `SELECT ${KEY_COLUMNS} FROM keys WHERE archived = 0 ORDER BY id`;
const KEYS_AFTER = `SELECT ${KEY_COLUMNS} FROM keys WHERE id > ? ORDER BY id LIMIT ?`;

export function keyByHash(connection: Connection, hash: string): KeyRow | undefined {
  const row = connection.sql(KEY_BY_HASH).get(hash);
  return row === undefined ? undefined : keyRow(row);
}

/** Returns up to `count` keys after an id, including archived ones. */
export function keysAfter(connection: Connection, id: number, count: number): KeyRow[] {
  return connection.sql(KEYS_AFTER).all(id, count).map(keyRow);
}

/** Returns all active keys, ordered by id. */
export function activeKeys(connection: Connection): KeyRow[] {
  return connection.sql(ACTIVE_KEYS).all().map(keyRow);
}

function keyRow(row: SqlRow): KeyRow {
  return {
    id: Number(row["id"]),
    hash: String(row["hash"]),
    namespace: String(row["namespace"]),
    key: String(row["name"]),
    context: textOrNull(row["context"]),
    isPlural: row["is_plural"] === 1,
    text: storedText(row["value"], row["forms"]),
    sourceHash: textOrNull(row["source_hash"]),
    description: textOrNull(row["description"]),
    maxLength: numberOrNull(row["max_length"]),
    archived: row["archived"] === 1,
  };
}

export function translationOf(
  connection: Connection,
  keyId: number,
  languageId: number,
): TranslationRow | undefined {
  const row = connection
    .sql("SELECT value, forms, outdated, version FROM translations WHERE key_id = ? AND language_id = ?")
    .get(keyId, languageId);
  if (row === undefined) return undefined;
  return {
    text: storedText(row["value"], row["forms"]),
    outdated: row["outdated"] === 1,
    version: Number(row["version"]),
  };
}

/** Returns the project's languages, the source language first. */
export function listedLanguages(connection: Connection): LanguageRow[] {
  return connection
    .sql(
      `SELECT id, locale, name, fallback, translated, outdated, errors, completed, last_translated_at
       FROM languages WHERE listed = 1 ORDER BY position`,
    )
    .all()
    .map((row) => ({
      id: Number(row["id"]),
      locale: String(row["locale"]),
      name: String(row["name"]),
      fallback: JSON.parse(String(row["fallback"])) as string[],
      translated: Number(row["translated"]),
      outdated: Number(row["outdated"]),
      errors: Number(row["errors"]),
      completed: row["completed"] === 1,
      lastTranslatedAt: textOrNull(row["last_translated_at"]),
    }));
}

/** Returns the number of active keys, and of those with a source text. */
export function totals(connection: Connection): { readonly active: number; readonly withSource: number } {
  const row = connection.sql("SELECT active, with_source FROM totals").get();
  return { active: Number(row?.["active"] ?? 0), withSource: Number(row?.["with_source"] ?? 0) };
}

/** Returns the values of the two columns of a text. */
export function textColumns(text: Text | null): [value: string | null, forms: string | null] {
  if (text === null) return [null, null];
  return isForms(text) ? [null, JSON.stringify(text.forms)] : [text.value, null];
}

export function storedText(
  value: SQLOutputValue | undefined,
  forms: SQLOutputValue | undefined,
): Text | null {
  if (typeof forms === "string") return { forms: JSON.parse(forms) as Record<string, string> };
  return typeof value === "string" ? { value } : null;
}

export function textOrNull(value: SQLOutputValue | undefined): string | null {
  return typeof value === "string" ? value : null;
}

export function numberOrNull(value: SQLOutputValue | undefined): number | null {
  return typeof value === "number" ? value : null;
}
