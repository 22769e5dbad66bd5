/**
 * Changes keys and translations. Sync, bulk write, import, AI job and the change of the source language all use it,
 * inside one transaction of the store, so that versions, outdated marks, QA issues and the content version follow the
 * same rules.
 */
import { checkPlaceholders, type PlaceholderFamily } from "../model/placeholder-checks.ts";
import { sourceHash, type KeyName } from "../model/key-identity.ts";
import { neededCategories } from "../model/plural-rules.ts";
import { isEmptyText, isForms, areTextsEqual, type Text, withoutEmptyForms } from "../model/text.ts";
import { placeholderFamilies, timestamp, type ServiceContext } from "./service-context.ts";
import { emitContentEvents } from "./webhooks/events.ts";
import { incrementContentVersion } from "./store/meta.ts";
import {
  keyById,
  listedLanguages,
  storedText,
  textColumns,
  translationOf,
  type KeyRow,
  type LanguageRow,
} from "./store/rows.ts";
import type { Connection } from "./store/store.ts";

export interface NewKey extends KeyName {
  readonly hash: string;
  readonly isPlural: boolean;
  readonly text: Text | null;
  readonly description: string | null;
  readonly maxLength: number | null;
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
    for (const row of this.connection
      .sql(
        "SELECT language_id, value, forms FROM translations WHERE key_id = ? AND coalesce(value, forms) IS NOT NULL",
      )
      .all(key.id)) {
      const languageId = Number(row["language_id"]);
      const { issues, errors } = this.#check(
        text,
        storedText(row["value"], row["forms"]),
        this.#localeOf(languageId),
      );
      this.connection
        .sql(
          `UPDATE translations SET outdated = 1, issues = ?, errors = ?, updated_at = ?
           WHERE key_id = ? AND language_id = ?`,
        )
        .run(issues, errors, this.stamp, key.id, languageId);
    }
    return true;
  }

  /** Recomputes the issues of an unchanged translation after its source text was moved. */
  updateIssues(key: KeyRow, languageId: number, text: Text | null): void {
    const { issues, errors } = this.#check(key.text, text, this.#localeOf(languageId));
    this.connection
      .sql(
        `UPDATE translations SET issues = ?, errors = ?, updated_at = ?
         WHERE key_id = ? AND language_id = ? AND issues <> ?`,
      )
      .run(issues, errors, this.stamp, key.id, languageId, issues);
  }

  setDescription(key: KeyRow, description: string | null): boolean {
    if (key.description === description) return false;
    this.connection
      .sql("UPDATE keys SET description = ?, updated_at = ? WHERE id = ?")
      .run(description, this.stamp, key.id);
    return this.#done();
  }

  setMaxLength(key: KeyRow, maxLength: number | null): boolean {
    if (key.maxLength === maxLength) return false;
    this.connection
      .sql("UPDATE keys SET max_length = ?, updated_at = ? WHERE id = ?")
      .run(maxLength, this.stamp, key.id);
    return this.#done();
  }

  /** Adds tags (§ Sync rule 1). Returns whether one was new. */
  addTags(keyId: number, tags: readonly string[]): boolean {
    let added = 0;
    for (const tag of tags) {
      added += Number(
        this.connection.sql("INSERT OR IGNORE INTO key_tags (key_id, tag) VALUES (?, ?)").run(keyId, tag)
          .changes,
      );
    }
    if (added === 0) return false;
    this.connection.sql("UPDATE keys SET updated_at = ? WHERE id = ?").run(this.stamp, keyId);
    return this.#done();
  }

  /** Replaces all tags (§ PATCH: "the new complete set"). */
  replaceTags(keyId: number, tags: readonly string[]): void {
    const wanted = new Set(tags);
    let removed = 0;
    for (const row of this.connection.sql("SELECT tag FROM key_tags WHERE key_id = ?").all(keyId)) {
      const tag = String(row["tag"]);
      if (wanted.has(tag)) continue;
      this.connection.sql("DELETE FROM key_tags WHERE key_id = ? AND tag = ?").run(keyId, tag);
      removed++;
    }
    if (removed > 0) {
      this.connection.sql("UPDATE keys SET updated_at = ? WHERE id = ?").run(this.stamp, keyId);
      this.#done();
    }
    this.addTags(keyId, [...wanted]);
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

  /**
   * Writes one translation; an empty text clears it. Writing the same text again confirms it, so that it is no longer
   * outdated. Returns whether anything changed.
   */
  setTranslation(
    key: KeyRow,
    language: LanguageRow,
    given: Text | null,
  ): { changed: boolean; errors: number } {
    const text = given === null || isEmptyText(given) ? null : withoutEmptyForms(given);
    const before = translationOf(this.connection, key.id, language.id);
    const { issues, errors } = this.#check(key.text, text, language.locale);
    if (before === undefined && text === null) return { changed: false, errors: 0 };
    if (before !== undefined && !before.outdated && areSame(before.text, text))
      return { changed: false, errors };
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
    return { changed: true, errors };
  }

  /** Ends the edit: content version, progress and resulting events. */
  finish(): void {
    if (!this.#changed) return;
    const version = incrementContentVersion(this.connection);
    const touched = new Set(this.#retranslated);
    const source = this.languages[0];
    if (this.#sourceChanged && source !== undefined) touched.add(source.id);
    for (const id of touched) {
      this.connection.sql("UPDATE languages SET last_translated_at = ? WHERE id = ?").run(this.stamp, id);
    }
    emitContentEvents(this.#context, this.connection, {
      contentVersion: version,
      stamp: this.stamp,
      locales: this.languages
        .filter((language) => this.#retranslated.has(language.id))
        .map(({ locale }) => locale),
    });
  }

  /** Returns the current state of a key within this edit. */
  current(keyId: number): KeyRow {
    const key = keyById(this.connection, keyId);
    if (key === undefined) throw new Error(`key ${keyId} is gone`);
    return key;
  }

  #done(): true {
    this.#changed = true;
    return true;
  }

  #check(source: Text | null, text: Text | null, locale: string): { issues: string; errors: number } {
    const issues = checkPlaceholders(this.#families, source, text, locale);
    if (issues.length === 0) return { issues: "[]", errors: 0 };
    return {
      issues: JSON.stringify(issues),
      errors: issues.filter((issue) => issue.level === "error").length,
    };
  }

  #localeOf(languageId: number): string {
    const listed = this.languages.find((language) => language.id === languageId);
    if (listed !== undefined) return listed.locale;
    return String(
      this.connection.sql("SELECT locale FROM languages WHERE id = ?").get(languageId)?.["locale"] ?? "",
    );
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
