/** Typed access to the rows of the store: keys, languages, translations and single values. */
import type { KeyName } from "../../model/key-hash.ts";
import { isForms, type Forms, type Text } from "../../model/translation-text.ts";
import type { Connection, SqlValue } from "./store.ts";

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
  /** `<timestamp>` */
  readonly updatedAt: string;
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
  readonly completed: 0 | 1;
  readonly lastTranslatedAt: string | null;
}

/** The columns of a text. */
export interface TextColumns {
  readonly value: string | null;
  readonly forms: string | null;
}

/** Query of keys, without conditions; the table is `k`. */
export const SELECT_KEYS = `SELECT k.id, k.hash, k.namespace, k.name AS key, k.context, k.is_plural AS isPlural,
  k.description, k.max_length AS maxLength, k.source_hash AS sourceHash, k.value, k.forms, k.archived,
  k.updated_at AS updatedAt FROM keys k`;
const KEY_BY_HASH = `${SELECT_KEYS} WHERE k.hash = ?`;
const KEYS_AFTER = `${SELECT_KEYS} WHERE k.id > ? ORDER BY k.id LIMIT ?`;
export const ACTIVE_KEYS = `${SELECT_KEYS} WHERE k.archived = 0 ORDER BY k.id`;

type KeyColumns = Omit<KeyRow, "isPlural" | "archived" | "text"> &
  TextColumns & { readonly isPlural: number; readonly archived: number };

/** Names each column, since spreading a row takes longer than reading it. */
function keyRow(row: KeyColumns): KeyRow {
  return {
    id: row.id,
    hash: row.hash,
    namespace: row.namespace,
    key: row.key,
    context: row.context,
    isPlural: row.isPlural === 1,
    text: storedText(row),
    description: row.description,
    maxLength: row.maxLength,
    sourceHash: row.sourceHash,
    archived: row.archived === 1,
    updatedAt: row.updatedAt,
  };
}

/** @param sql begins with `SELECT_KEYS` */
export function selectKeys(connection: Connection, sql: string, ...values: SqlValue[]): KeyRow[] {
  return connection.all<KeyColumns>(sql, ...values).map(keyRow);
}

export function keyByHash(connection: Connection, hash: string): KeyRow | undefined {
  const row = connection.get<KeyColumns>(KEY_BY_HASH, hash);
  return row && keyRow(row);
}

/** Returns up to `count` keys after an id, including archived ones. */
export function keysAfter(connection: Connection, id: number, count: number): KeyRow[] {
  return selectKeys(connection, KEYS_AFTER, id, count);
}

export function tagsOf(connection: Connection, keyId: number): string[] {
  const sql = "SELECT tag FROM key_tags WHERE key_id = ? ORDER BY tag";
  return connection.all<{ tag: string }>(sql, keyId).map(({ tag }) => tag);
}

export function translationOf(
  connection: Connection,
  keyId: number,
  languageId: number,
): TranslationRow | undefined {
  const row = connection.get<TextColumns & { outdated: number; version: number }>(
    "SELECT value, forms, outdated, version FROM translations WHERE key_id = ? AND language_id = ?",
    keyId,
    languageId,
  );
  return row && { text: storedText(row), outdated: row.outdated === 1, version: row.version };
}

/** Returns the project's languages, the source language first. */
export function listedLanguages(connection: Connection): LanguageRow[] {
  return connection
    .all<Omit<LanguageRow, "fallback"> & { fallback: string }>(
      `SELECT id, locale, name, fallback, translated, outdated, errors, completed,
       last_translated_at AS lastTranslatedAt FROM languages WHERE listed = 1 ORDER BY position`,
    )
    .map((row) => ({ ...row, fallback: JSON.parse(row.fallback) as string[] }));
}

/** Returns the locales of the project, the source language first. */
export function listedLocales(connection: Connection): string[] {
  return listedLanguages(connection).map(({ locale }) => locale);
}

/** Returns the number of active keys, and of those with a source text. */
export function totals(connection: Connection): { readonly active: number; readonly withSource: number } {
  const sql = "SELECT active, with_source AS withSource FROM totals";
  return connection.get<{ active: number; withSource: number }>(sql) ?? { active: 0, withSource: 0 };
}

export function textColumns(text: Text | null): TextColumns {
  if (text === null) return { value: null, forms: null };
  return isForms(text)
    ? { value: null, forms: JSON.stringify(text.forms) }
    : { value: text.value, forms: null };
}

export function storedText({ value, forms }: TextColumns): Text | null {
  if (forms !== null) return { forms: JSON.parse(forms) as Forms };
  return value === null ? null : { value };
}

/** Names of single values: secrets, the content version, the settings. */
type MetaName =
  | "token"
  | "readToken"
  | "cursorSecret"
  | "contentVersion"
  | "settings"
  | "base"
  | "sourceLocale"
  | "pendingUpdate";

/** Returns a value; `undefined` if it was never set. */
export function getMeta(connection: Connection, name: MetaName): string | undefined {
  return connection.get<{ value: string }>("SELECT value FROM meta WHERE name = ?", name)?.value;
}

/** Returns a value, which is created and stored when it is first needed. */
export function getOrCreateMeta(connection: Connection, name: MetaName, create: () => string): string {
  const stored = getMeta(connection, name);
  if (stored !== undefined) return stored;
  const value = create();
  setMeta(connection, name, value);
  return value;
}

export function setMeta(connection: Connection, name: MetaName, value: string): void {
  connection.run("INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)", name, value);
}

/** § Stats, `contentVersion`: 0 until something is written. */
export function contentVersion(connection: Connection): number {
  return Number(getMeta(connection, "contentVersion") ?? 0);
}

/** Increments the content version, after a change that readers can see. */
export function incrementContentVersion(connection: Connection): void {
  setMeta(connection, "contentVersion", String(contentVersion(connection) + 1));
}
