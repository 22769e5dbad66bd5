/**
 * Changes keys and translations. Sync, bulk write, import, AI job and the change of the source language all use it
 * inside one transaction of the store, so that versions, outdated marks, issues and the content version follow the
 * same rules.
 */
import { sourceHash } from "../model/key-hash.ts";
import { checkPlaceholders } from "../model/placeholder-checks.ts";
import type { PlaceholderFamily } from "../model/placeholders.ts";
import { neededCategories } from "../model/plural-categories.ts";
import {
  isEmptyText,
  isForms,
  isSameOrBothEmpty,
  withoutEmptyForms,
  type Text,
} from "../model/translation-text.ts";
import { timestamp, type Service } from "./service-context.ts";
import { FAMILIES_BY_TYPE, FAMILIES_DEFAULT } from "./specification-decisions.ts";
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
import { emitContentEvents } from "./send-webhooks.ts";

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
  readonly #service: Service;
  readonly #families: readonly PlaceholderFamily[];
  /** `<timestamp>` of all changes. */
  readonly #timestamp: string;
  /** Target languages with changed translations. */
  readonly #changedLocales = new Set<string>();
  #sourceChanged = false;
  #changed = false;

  constructor(service: Service, connection: Connection) {
    this.connection = connection;
    this.#service = service;
    this.#families = FAMILIES_BY_TYPE[service.settings.type.toLowerCase()] ?? FAMILIES_DEFAULT;
    this.languages = listedLanguages(connection);
    this.#timestamp = timestamp(service.now());
  }

  /** Returns the listed language with this locale. */
  language(locale: string): LanguageRow | undefined {
    return this.languages.find((language) => language.locale === locale);
  }

  /** Adds an active key and returns its id. */
  insertKey({ hash, namespace, key, context, isPlural, text, description, maxLength }: NewKey): number {
    const textHash = sourceHash(text);
    this.#changed = true;
    if (textHash !== null) this.#sourceChanged = true;
    const { rowId } = this.connection.run(
      `INSERT INTO keys (hash, namespace, name, context, is_plural, value, forms, source_hash, description,
         max_length, version, activated_at, source_at, updated_at)
       VALUES (:hash, :namespace, :key, :context, :isPlural, :value, :forms, :textHash, :description,
         :maxLength, iif(:textHash IS NULL, NULL, 1), :now, :now, :now)`,
      {
        hash,
        namespace,
        key,
        context,
        isPlural: isPlural ? 1 : 0,
        ...textColumns(textHash === null ? null : text),
        textHash,
        description,
        maxLength,
        now: this.#timestamp,
      },
    );
    return rowId;
  }

  /**
   * Sets the source text (`null`: none). Existing translations become outdated, and their issues are recomputed.
   * Returns whether anything changed.
   */
  setSource(key: KeyRow, text: Text | null): boolean {
    const textHash = sourceHash(text);
    if (textHash === key.sourceHash) return false;
    this.#replaceSource(key.id, textHash === null ? null : text, null);
    this.#changed = true;
    this.#sourceChanged = true;
    return true;
  }

  /** Replaces the source text by a translation, with its version; translations do not become outdated. */
  moveSource(key: KeyRow, text: Text | null, version: number): void {
    this.#replaceSource(key.id, text, version);
  }

  /** @param movedVersion version of the translation that becomes the source text; `null`: the text is a new one */
  #replaceSource(keyId: number, text: Text | null, movedVersion: number | null): void {
    this.connection.run(
      `UPDATE keys SET value = :value, forms = :forms, source_hash = :hash, source_at = :now, updated_at = :now,
         version = coalesce(:movedVersion, version + 1, 1) WHERE id = :keyId`,
      { ...textColumns(text), hash: sourceHash(text), movedVersion, now: this.#timestamp, keyId },
    );
    const outdated = movedVersion === null ? 1 : 0;
    const translations = this.connection.all<
      TextColumns & { languageId: number; locale: string; issues: string }
    >(
      `SELECT t.language_id AS languageId, l.locale, t.value, t.forms, t.issues FROM translations t
       JOIN languages l ON l.id = t.language_id
       WHERE t.key_id = ? AND coalesce(t.value, t.forms) IS NOT NULL`,
      keyId,
    );
    for (const row of translations) {
      const { issues, errors } = this.#check(text, storedText(row), row.locale);
      if (outdated === 0 && issues === row.issues) continue;
      this.connection.run(
        `UPDATE translations SET outdated = max(outdated, :outdated), issues = :issues, errors = :errors,
           updated_at = :now WHERE key_id = :keyId AND language_id = :languageId`,
        { outdated, issues, errors, now: this.#timestamp, keyId, languageId: row.languageId },
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
    for (const tag of tags) added += this.connection.run(sql, keyId, tag).changes;
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
    this.connection.run(
      `UPDATE keys SET archived = :archived, updated_at = :now,
         activated_at = iif(:archived, activated_at, :now) WHERE id = :keyId`,
      { archived: archived ? 1 : 0, now: this.#timestamp, keyId },
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
  setTranslation(key: KeyRow, language: LanguageRow, newText: Text | null): number {
    const text = newText === null || isEmptyText(newText) ? null : withoutEmptyForms(newText);
    const before = translationOf(this.connection, key.id, language.id);
    const { issues, errors } = this.#check(key.text, text, language.locale);
    if (before?.outdated !== true && isSameOrBothEmpty(before?.text ?? null, text)) return errors;
    this.connection.run(
      `INSERT INTO translations
         (key_id, language_id, value, forms, translated, outdated, issues, errors, version, updated_at)
       VALUES (:keyId, :languageId, :value, :forms, :translated, 0, :issues, :errors, 1, :now)
       ON CONFLICT (key_id, language_id) DO UPDATE SET value = excluded.value, forms = excluded.forms,
         translated = excluded.translated, outdated = 0, issues = excluded.issues, errors = excluded.errors,
         version = version + 1, updated_at = excluded.updated_at`,
      {
        keyId: key.id,
        languageId: language.id,
        ...textColumns(text),
        translated: isComplete(text, language.locale) ? 1 : 0,
        issues,
        errors,
        now: this.#timestamp,
      },
    );
    this.#changedLocales.add(language.locale);
    this.#changed = true;
    return errors;
  }

  /** Ends the edit: updates the content version and the languages' times, and emits events. */
  finish(): void {
    if (!this.#changed) return;
    incrementContentVersion(this.connection);
    const sql = "UPDATE languages SET last_translated_at = ? WHERE locale = ?";
    if (this.#sourceChanged) this.connection.run(sql, this.#timestamp, this.languages[0]?.locale ?? "");
    for (const locale of this.#changedLocales) this.connection.run(sql, this.#timestamp, locale);
    emitContentEvents(this.#service, this.connection, this.#timestamp, this.#changedLocales);
  }

  /** Returns a key that exists, with the changes of this edit. */
  getKey(hash: string): KeyRow {
    const key = keyByHash(this.connection, hash);
    if (key === undefined) throw new Error(`there is no key ${hash}`);
    return key;
  }

  #touch(keyId: number): void {
    this.connection.run("UPDATE keys SET updated_at = ? WHERE id = ?", this.#timestamp, keyId);
    this.#changed = true;
  }

  #check(source: Text | null, text: Text | null, locale: string): { issues: string; errors: number } {
    const issues = checkPlaceholders(this.#families, source, text, locale).map(
      ({ rule, level, placeholder, form, suggestion }) => ({ rule, level, placeholder, form, suggestion }),
    );
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
