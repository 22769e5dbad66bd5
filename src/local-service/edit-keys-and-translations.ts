/**
 * Changes keys and translations. Sync, bulk write, import, AI job and the change of the source language all use it,
 * inside one transaction of the store, so that versions, outdated marks, QA issues and the content version follow the
 * same rules.
 */
import { checkPlaceholders } from "../model/placeholder-checks.ts";
import type { PlaceholderFamily } from "../model/placeholders.ts";
import { sourceHash } from "../model/key-hash.ts";
import { neededCategories } from "../model/plural-categories.ts";
import { isEmptyText, isForms, areTextsEqual, type Text, withoutEmptyForms } from "../model/text.ts";
import { placeholderFamilies, timestamp, type ServiceContext } from "./service-context.ts";
import { emitContentEvents } from "./webhooks/queue-deliveries.ts";
import { incrementContentVersion } from "./store/store-values.ts";
import {
  keyByHash,
  listedLanguages,
  storedText,
  textColumns,
  translationOf,
  type KeyRow,
  type LanguageRow,
  type NewKey,
} from "./store/store-rows.ts";
import type { Connection } from "./store/store.ts";

/** `undefined`: unchanged. */
interface KeyDetails {
  readonly description?: string | null | undefined;
  readonly maxLength?: number | null | undefined;
}

/** The changes of one transaction. */
export class ContentEdit {
  readonly connection: Connection;
  /** The source language first. */
  readonly languages: readonly LanguageRow[];
  /** `<timestamp>` of all changes. */
  readonly stamp: string;
  readonly #context: ServiceContext;
  readonly #families: readonly PlaceholderFamily[];
  readonly #retranslated = new Set<number>();
  #sourceChanged = false;
  #changed = false;

  constructor(context: ServiceContext, connection: Connection) {
    this.connection = connection;
    this.#context = context;
    this.#families = placeholderFamilies(context.settings);
    this.languages = listedLanguages(connection);
    this.stamp = timestamp(context.now());
  }

  /** Records that readers can see a change. */
  markChanged(): void {
    this.#changed = true;
  }

  /** Adds an active key and returns its id. */
  insertKey(key: NewKey): number {
    const hash = sourceHash(key.text);
    const text = hash === null ? null : key.text;
    const [value, forms] = textColumns(text);
    this.#changed = true;
    if (text !== null) this.#sourceChanged = true;
    const { lastInsertRowid } = this.connection
      .sql(
        `INSERT INTO keys (hash, namespace, name, context, is_plural, value, forms, source_hash, description, max_length,
           version, activated_at, source_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(
        key.hash,
        key.namespace,
        key.key,
        key.context,
        key.isPlural ? 1 : 0,
        value,
        forms,
        hash,
        key.description,
        key.maxLength,
        text === null ? null : 1,
        this.stamp,
        this.stamp,
        this.stamp,
      );
    return Number(lastInsertRowid);
  }

  /**
   * Sets the source text (`null`: none). Existing translations become outdated, and their issues are recomputed.
   * Returns whether anything changed.
   */
  setSource(key: KeyRow, given: Text | null): boolean {
    const hash = sourceHash(given);
    if (hash === key.sourceHash) return false;
    const text = hash === null ? null : given;
    const [value, forms] = textColumns(text);
    this.connection
      .sql(
        `UPDATE keys SET value = ?, forms = ?, source_hash = ?, version = coalesce(version, 0) + 1, source_at = ?,
           updated_at = ? WHERE id = ?`,
      )
      .run(value, forms, hash, this.stamp, this.stamp, key.id);
    this.#changed = true;
    this.#sourceChanged = true;
    this.#updateIssues(key.id, text, true);
    return true;
  }

  /** Replaces the source text by a translation, with its version; translations do not become outdated. */
  moveSource(key: KeyRow, text: Text | null, version: number): void {
    this.connection
      .sql(
        `UPDATE keys SET value = ?, forms = ?, source_hash = ?, version = ?, source_at = ?, updated_at = ?
         WHERE id = ?`,
      )
      .run(...textColumns(text), sourceHash(text), version, this.stamp, this.stamp, key.id);
    this.#updateIssues(key.id, text, false);
  }

  /** Recomputes the issues of all translations of a key after its source text changed. */
  #updateIssues(keyId: number, source: Text | null, isOutdated: boolean): void {
    for (const row of this.connection
      .sql(
        `SELECT t.language_id, l.locale, t.value, t.forms, t.issues FROM translations t
         JOIN languages l ON l.id = t.language_id
         WHERE t.key_id = ? AND coalesce(t.value, t.forms) IS NOT NULL`,
      )
      .all(keyId)) {
      const text = storedText(row["value"], row["forms"]);
      const { issues, errors } = this.#check(source, text, String(row["locale"]));
      if (!isOutdated && issues === row["issues"]) continue;
      this.connection
        .sql(
          `UPDATE translations SET outdated = max(outdated, ?), issues = ?, errors = ?, updated_at = ?
           WHERE key_id = ? AND language_id = ?`,
        )
        .run(isOutdated ? 1 : 0, issues, errors, this.stamp, keyId, Number(row["language_id"]));
    }
  }

  /** Sets description and maximum length as far as they are given. Returns whether anything changed. */
  setDetails(key: KeyRow, details: KeyDetails): boolean {
    const { description = key.description, maxLength = key.maxLength } = details;
    if (description === key.description && maxLength === key.maxLength) return false;
    this.connection
      .sql("UPDATE keys SET description = ?, max_length = ? WHERE id = ?")
      .run(description, maxLength, key.id);
    this.#touch(key.id);
    return true;
  }

  /** Adds tags (§ Sync rule 1). Returns whether one was new. */
  addTags(keyId: number, tags: readonly string[]): boolean {
    const insert = this.connection.sql("INSERT OR IGNORE INTO key_tags (key_id, tag) VALUES (?, ?)");
    let added = 0;
    for (const tag of tags) added += Number(insert.run(keyId, tag).changes);
    if (added > 0) this.#touch(keyId);
    return added > 0;
  }

  /** Replaces all tags (§ PATCH: "the new complete set"). */
  replaceTags(keyId: number, tags: readonly string[]): void {
    const stored = this.connection.sql("SELECT tag FROM key_tags WHERE key_id = ?").all(keyId);
    const removed = stored.map((row) => String(row["tag"])).filter((tag) => !tags.includes(tag));
    const remove = this.connection.sql("DELETE FROM key_tags WHERE key_id = ? AND tag = ?");
    for (const tag of removed) remove.run(keyId, tag);
    if (removed.length > 0) this.#touch(keyId);
    this.addTags(keyId, tags);
  }

  /** Archives or restores a key (§ States, Key). */
  setArchived(keyId: number, archived: boolean): void {
    const flag = archived ? 1 : 0;
    // Node 22 cannot bind numbered parameters by position, so repeated values are passed twice.
    this.connection
      .sql(
        `UPDATE keys SET archived = ?, updated_at = ?, activated_at = CASE ? WHEN 0 THEN ? ELSE activated_at END
         WHERE id = ?`,
      )
      .run(flag, this.stamp, flag, this.stamp, keyId);
    this.#changed = true;
  }

  /** Returns the key's text in a language; `null` without one. */
  textIn(key: KeyRow, language: LanguageRow): Text | null {
    if (language === this.languages[0]) return key.text;
    return translationOf(this.connection, key.id, language.id)?.text ?? null;
  }

  /**
   * Writes one translation; an empty text clears it. Writing the same text again confirms it, so that it is no longer
   * outdated. Returns the number of issues that are errors.
   */
  setTranslation(key: KeyRow, language: LanguageRow, given: Text | null): number {
    const text = given === null || isEmptyText(given) ? null : withoutEmptyForms(given);
    const before = translationOf(this.connection, key.id, language.id);
    const { issues, errors } = this.#check(key.text, text, language.locale);
    if (before?.outdated !== true && areSame(before?.text ?? null, text)) return errors;
    const [value, forms] = textColumns(text);
    this.connection
      .sql(
        `INSERT INTO translations (key_id, language_id, value, forms, translated, outdated, issues, errors, version, updated_at)
         VALUES (?, ?, ?, ?, ?, 0, ?, ?, 1, ?)
         ON CONFLICT (key_id, language_id) DO UPDATE SET value = excluded.value, forms = excluded.forms,
           translated = excluded.translated, outdated = 0, issues = excluded.issues, errors = excluded.errors,
           version = version + 1, updated_at = excluded.updated_at`,
      )
      .run(
        key.id,
        language.id,
        value,
        forms,
        isComplete(text, language.locale) ? 1 : 0,
        issues,
        errors,
        this.stamp,
      );
    this.#retranslated.add(language.id);
    this.#changed = true;
    return errors;
  }

  /** Ends the edit: content version, progress and resulting events. */
  finish(): void {
    if (!this.#changed) return;
    incrementContentVersion(this.connection);
    const update = this.connection.sql("UPDATE languages SET last_translated_at = ? WHERE id = ?");
    const [source] = this.languages;
    if (this.#sourceChanged && source !== undefined) update.run(this.stamp, source.id);
    const retranslated = this.languages.filter(({ id }) => this.#retranslated.has(id));
    for (const { id } of retranslated) update.run(this.stamp, id);
    emitContentEvents(
      this.#context,
      this.connection,
      this.stamp,
      retranslated.map(({ locale }) => locale),
    );
  }

  /** Returns the current state of a key within this edit. */
  current(hash: string): KeyRow {
    const key = keyByHash(this.connection, hash);
    if (key === undefined) throw new Error(`there is no key ${hash}`);
    return key;
  }

  #touch(keyId: number): void {
    this.connection.sql("UPDATE keys SET updated_at = ? WHERE id = ?").run(this.stamp, keyId);
    this.#changed = true;
  }

  #check(source: Text | null, text: Text | null, locale: string): { issues: string; errors: number } {
    const issues = checkPlaceholders(this.#families, source, text, locale);
    return {
      issues: JSON.stringify(issues),
      errors: issues.filter((issue) => issue.level === "error").length,
    };
  }
}

/** `isTranslated` (§ Translation row): a plural text needs every form that whole numbers use. */
function isComplete(text: Text | null, locale: string): boolean {
  if (text === null) return false;
  if (!isForms(text)) return text.value !== "";
  return neededCategories(locale).every((category) => (text.forms[category] ?? "") !== "");
}

function areSame(a: Text | null, b: Text | null): boolean {
  if (a === null || b === null) return a === b;
  return areTextsEqual(a, b);
}
