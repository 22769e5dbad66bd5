/**
 * Changes keys and translations. Sync, bulk write, import, AI job and the change of the source language all use it,
 * inside one transaction of the store, so that versions, outdated marks, QA issues and the content version follow the
 * same rules.
 */
import { checkPlaceholders } from "../model/placeholder-checks.ts";
import type { PlaceholderFamily } from "../model/placeholders.ts";
import { sourceHash } from "../model/key-hash.ts";
import { neededCategories } from "../model/plural-categories.ts";
import {
  isEmptyText,
  isForms,
  areTextsEqual,
  type Text,
  withoutEmptyForms,
} from "../model/translation-text.ts";
import { FAMILIES_BY_TYPE, FAMILIES_DEFAULT } from "./specification-decisions.ts";
import { timestamp, type Service } from "./service-context.ts";
import { emitContentEvents } from "./webhooks.ts";
import {
  incrementContentVersion,
  keyByHash,
  listedLanguages,
  storedText,
  tagsOf,
  textColumns,
  translationOf,
  type KeyRow,
  type LanguageRow,
  type NewKey,
  type TextColumns,
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
  readonly #service: Service;
  readonly #families: readonly PlaceholderFamily[];
  /** Locales. */
  readonly #retranslated = new Set<string>();
  #sourceChanged = false;
  #changed = false;

  constructor(service: Service, connection: Connection) {
    this.connection = connection;
    this.#service = service;
    this.#families = FAMILIES_BY_TYPE[service.settings.type.toLowerCase()] ?? FAMILIES_DEFAULT;
    this.languages = listedLanguages(connection);
    this.stamp = timestamp(service.now());
  }

  /** Adds an active key and returns its id. */
  insertKey(key: NewKey): number {
    const hash = sourceHash(key.text);
    const text = hash === null ? null : key.text;
    this.#changed = true;
    if (text !== null) this.#sourceChanged = true;
    const { value, forms } = textColumns(text);
    const { stamp } = this;
    const { lastInsertRowid } = this.connection.run(
      `INSERT INTO keys (hash, namespace, name, context, is_plural, value, forms, source_hash, description,
         max_length, version, activated_at, source_at, updated_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
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
      stamp,
      stamp,
      stamp,
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
    this.#replaceSource(key.id, hash === null ? null : given, null, true);
    this.#changed = true;
    this.#sourceChanged = true;
    return true;
  }

  /** Replaces the source text by a translation, with its version; translations do not become outdated. */
  moveSource(key: KeyRow, text: Text | null, version: number): void {
    this.#replaceSource(key.id, text, version, false);
  }

  /** @param version `null`: the next one */
  #replaceSource(keyId: number, text: Text | null, version: number | null, isOutdated: boolean): void {
    this.connection.runNamed(
      `UPDATE keys SET value = :value, forms = :forms, source_hash = :hash, source_at = :stamp, updated_at = :stamp,
         version = coalesce(:version, version + 1, 1) WHERE id = :keyId`,
      { ...textColumns(text), hash: sourceHash(text), version, stamp: this.stamp, keyId },
    );
    for (const row of this.connection.all<
      TextColumns & { languageId: number; locale: string; issues: string }
    >(
      `SELECT t.language_id AS languageId, l.locale, t.value, t.forms, t.issues FROM translations t
       JOIN languages l ON l.id = t.language_id
       WHERE t.key_id = ? AND coalesce(t.value, t.forms) IS NOT NULL`,
      keyId,
    )) {
      const { issues, errors } = this.#check(text, storedText(row), row.locale);
      if (!isOutdated && issues === row.issues) continue;
      this.connection.run(
        `UPDATE translations SET outdated = max(outdated, ?), issues = ?, errors = ?, updated_at = ?
         WHERE key_id = ? AND language_id = ?`,
        isOutdated ? 1 : 0,
        issues,
        errors,
        this.stamp,
        keyId,
        row.languageId,
      );
    }
  }

  /** Sets description and maximum length as far as they are given. Returns whether anything changed. */
  setDetails(key: KeyRow, details: KeyDetails): boolean {
    const { description = key.description, maxLength = key.maxLength } = details;
    if (description === key.description && maxLength === key.maxLength) return false;
    const sql = "UPDATE keys SET description = ?, max_length = ? WHERE id = ?";
    this.connection.run(sql, description, maxLength, key.id);
    this.#touch(key.id);
    return true;
  }

  /** Adds tags (§ Sync rule 1). Returns whether one was new. */
  addTags(keyId: number, tags: readonly string[]): boolean {
    const sql = "INSERT OR IGNORE INTO key_tags (key_id, tag) VALUES (?, ?)";
    let added = 0;
    for (const tag of tags) added += Number(this.connection.run(sql, keyId, tag).changes);
    if (added > 0) this.#touch(keyId);
    return added > 0;
  }

  /** Replaces all tags (§ PATCH: "the new complete set"). */
  replaceTags(keyId: number, tags: readonly string[]): void {
    for (const tag of tagsOf(this.connection, keyId)) {
      if (tags.includes(tag)) continue;
      this.connection.run("DELETE FROM key_tags WHERE key_id = ? AND tag = ?", keyId, tag);
      this.#touch(keyId);
    }
    this.addTags(keyId, tags);
  }

  /** Archives or restores a key (§ States, Key). */
  setArchived(keyId: number, archived: boolean): void {
    this.connection.runNamed(
      `UPDATE keys SET archived = :archived, updated_at = :stamp,
         activated_at = iif(:archived, activated_at, :stamp) WHERE id = :keyId`,
      { archived: archived ? 1 : 0, stamp: this.stamp, keyId },
    );
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
    const { value, forms } = textColumns(text);
    this.connection.run(
      `INSERT INTO translations
         (key_id, language_id, value, forms, translated, outdated, issues, errors, version, updated_at)
       VALUES (?, ?, ?, ?, ?, 0, ?, ?, 1, ?)
       ON CONFLICT (key_id, language_id) DO UPDATE SET value = excluded.value, forms = excluded.forms,
         translated = excluded.translated, outdated = 0, issues = excluded.issues, errors = excluded.errors,
         version = version + 1, updated_at = excluded.updated_at`,
      key.id,
      language.id,
      value,
      forms,
      isComplete(text, language.locale) ? 1 : 0,
      issues,
      errors,
      this.stamp,
    );
    this.#retranslated.add(language.locale);
    this.#changed = true;
    return errors;
  }

  /** Ends the edit: content version, progress and resulting events. */
  finish(): void {
    if (!this.#changed) return;
    incrementContentVersion(this.connection);
    const sql = "UPDATE languages SET last_translated_at = ? WHERE locale = ?";
    if (this.#sourceChanged) this.connection.run(sql, this.stamp, this.languages[0]?.locale ?? "");
    for (const locale of this.#retranslated) this.connection.run(sql, this.stamp, locale);
    emitContentEvents(this.#service, this.connection, this.stamp, [...this.#retranslated]);
  }

  /** Returns the current state of a key within this edit. */
  current(hash: string): KeyRow {
    const key = keyByHash(this.connection, hash);
    if (key === undefined) throw new Error(`there is no key ${hash}`);
    return key;
  }

  #touch(keyId: number): void {
    this.connection.run("UPDATE keys SET updated_at = ? WHERE id = ?", this.stamp, keyId);
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
