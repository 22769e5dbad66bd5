/**
 * Renames a key at the service, which has no such operation: creates a new key with the old one's text and details,
 * copies its translations, and only then archives the old key. Everything is read from the service before and after;
 * on any failure or difference the old key and its translations stay.
 */
import { syncInBatches, toTranslationItem, writeInBatches } from "../api/batches.ts";
import type { Client, RequestOptions } from "../api/client.ts";
import { ApiError } from "../api/errors.ts";
import { restartOnBadCursor, keyPages, translationPages } from "../api/pagination.ts";
import { requireSourceLocale, sourceLocaleOf } from "./handle-source-language-change.ts";
import type { EditDependencies } from "./edit/send-translations.ts";
import { syncKey } from "./sync-request-items.ts";
import { keyHash, type KeyName } from "../model/key-hash.ts";
import type { NamedKey } from "../database/key-name-repository.ts";
import { projectKey, projectRow, type Project } from "../database/project-state.ts";
import { SESSION_ENDED } from "../database/session/session.ts";
import type { ProjectRow, ProjectKey } from "../database/records.ts";
import { isEmptyText, areTextsEqual, type Text } from "../model/translation-text.ts";

/** Result of a rename at the service. */
export type RenameResult =
  /** Everything was copied to the new key, and the old one is archived. */
  | { readonly kind: "done"; readonly copied: number }
  /** The new key exists, but the old one was not archived, since data would be lost. */
  | {
      readonly kind: "kept";
      readonly copied: number;
      /** Languages in which the new key has another translation, or the service did not accept the old one's. */
      readonly skipped: readonly string[];
      /**
       * Languages with an outdated translation, which was not copied, since a written translation counts as up to
       * date (§ Translation row).
       */
      readonly outdated: readonly string[];
      /** Whether one of the two keys, or a translation of the old one, was changed concurrently. */
      readonly changed: boolean;
    }
  /**
   * Nothing was sent: the names are equal, the service has no such active key with a source text, the new key exists with
   * another source text, or its name has half a character (an unpaired surrogate), which cannot be encoded.
   */
  | { readonly kind: "nothing"; readonly reason: "same_name" | "unknown_key" | "taken" | "malformed" }
  /** The new key was rejected, with the service's reason code (§ Sync result). */
  | { readonly kind: "rejected"; readonly reason: string };

interface Options extends RequestOptions {
  /** Called when the service has the new key; what fails or is cancelled afterwards leaves both keys. */
  readonly onCreated?: () => void;
  /** Called before each language with its index and their number. */
  readonly onStep?: (done: number, total: number) => void;
}

/**
 * Renames a key at the service.
 * @throws {ApiError} also if the session ended or the source language changed; the old key was not archived then.
 */
export async function renameAtService(
  { client, project, refresher }: EditDependencies,
  fromName: KeyName,
  toName: KeyName,
  { onCreated, onStep, ...given }: Options = {},
): Promise<RenameResult> {
  const options = { priority: "person" as const, ...given };
  const from = { ...fromName, hash: keyHash(fromName) };
  const to = { ...toName, hash: keyHash(toName) };
  const isWellFormed = [to.namespace, to.key, to.context ?? ""].every((part) => part.isWellFormed());
  if (!isWellFormed) return { kind: "nothing", reason: "malformed" };
  if (from.hash === to.hash) return { kind: "nothing", reason: "same_name" };
  const requireSession = sessionGuard(project);
  const stats = await client.stats(options);
  const locales = stats.languages.filter(({ isSource }) => !isSource).map(({ locale }) => locale);
  const keys = await readKeys(client, project, [from, to], options);
  const old = keys.get(from.hash);
  if (old?.text == null || isEmptyText(old.text)) return { kind: "nothing", reason: "unknown_key" };
  // An existing new key with the same text is left over from an interrupted rename, which is completed.
  const existing = keys.get(to.hash);
  if (existing !== undefined && (existing.text === null || !areTextsEqual(existing.text, old.text)))
    return { kind: "nothing", reason: "taken" };
  const before = new Map<string, ProjectRow>();
  for (const locale of locales) {
    const row = (await readRows(client, locale, [from], options)).get(from.hash);
    if (row !== undefined) before.set(locale, row);
  }

  requireSession();
  // A text of the previous source language must not become the new key's source text.
  await requireSourceLocale(client, sourceLocaleOf(stats), options);
  const { rejected } = await syncInBatches(
    client,
    { keys: [syncKey(to, old.text, old)] },
    { ...options, failOnSourceLanguageChange: true },
  );
  if (rejected[0] !== undefined) return { kind: "rejected", reason: rejected[0].reason };
  onCreated?.();
  try {
    for (const [index, locale] of locales.entries()) {
      onStep?.(index, locales.length);
      const row = before.get(locale);
      const text = translatedText(row);
      if (text === null || row?.isOutdated === true) continue;
      requireSession();
      // Translations of the new key that were written concurrently are preserved.
      await writeInBatches(client, locale, [toTranslationItem({ name: to, text })], "fill_empty", options);
    }
    // The files have the texts under the new name.
    project.agreedTexts.rename([sourceLocaleOf(stats), ...locales], from.hash, to.hash);
    const compared = await compareTranslations(client, [from, to], locales, before, options);
    const after = await readKeys(client, project, [from, to], options);
    const changed = compared.changed || ![from, to].every(({ hash }) => hasText(after.get(hash), old.text));
    const { copied, skipped, outdated } = compared;
    if (changed || skipped.length > 0 || outdated.length > 0)
      return { kind: "kept", copied, skipped, outdated, changed };
    requireSession();
    await syncInBatches(client, { keys: [], archive: [from.hash] }, options);
    return { kind: "done", copied };
  } finally {
    void refresher.refresh({ priority: "person" });
  }
}

/** Compares the current translations of both keys in each language. */
async function compareTranslations(
  client: Client,
  [from, to]: readonly [from: NamedKey, to: NamedKey],
  locales: readonly string[],
  before: ReadonlyMap<string, ProjectRow>,
  options: RequestOptions,
): Promise<{ copied: number; skipped: string[]; outdated: string[]; changed: boolean }> {
  let copied = 0;
  let changed = false;
  const skipped: string[] = [];
  const outdated: string[] = [];
  for (const locale of locales) {
    const rows = await readRows(client, locale, [from, to], options);
    const [old, created, read] = [rows.get(from.hash), rows.get(to.hash), before.get(locale)];
    if (old?.version !== read?.version || old?.isOutdated !== read?.isOutdated) changed = true;
    const expected = translatedText(old);
    if (expected === null) continue;
    const text = created?.isOutdated === true ? null : translatedText(created);
    if (old?.isOutdated === true) {
      // A translation that was written for the new key is more recent.
      if (text === null) outdated.push(locale);
    } else if (text !== null && areTextsEqual(text, expected)) {
      copied++;
    } else {
      skipped.push(locale);
    }
  }
  return { copied, skipped, outdated, changed };
}

/**
 * Reads those of the keys that are active, by hash.
 * @throws {ApiError}
 */
async function readKeys(
  client: Client,
  project: Project,
  names: readonly NamedKey[],
  options: RequestOptions,
): Promise<ReadonlyMap<string, ProjectKey>> {
  const found = await findByName(
    names,
    (query) => keyPages(client, query, options),
    ({ hash }) => project.keys.has(hash),
  );
  const active = [...found].filter(([, key]) => !key.archived);
  return new Map(active.map(([hash, key]) => [hash, projectKey(key)]));
}

/**
 * Reads the rows of these active keys in one language, by hash.
 * @throws {ApiError} also if one is missing.
 */
async function readRows(
  client: Client,
  locale: string,
  names: readonly NamedKey[],
  options: RequestOptions,
): Promise<ReadonlyMap<string, ProjectRow>> {
  const found = await findByName(names, (query) => translationPages(client, locale, query, options));
  // "one page of the active keys of the project …, including keys that have none" (§ GET /translations/{locale}).
  if (found.size < names.length)
    throw new ApiError("bad_response", `GET /translations/${locale}: an active key is missing`, {
      field: "data",
    });
  return new Map(Array.from(found, ([hash, row]) => [hash, projectRow(row)]));
}

/**
 * Reads these items of a list, by hash: those of their namespaces or, as that filter may miss some, the whole list.
 * @param mustExist Whether the whole list is read if the item was not found.
 */
async function findByName<Item extends { readonly hash: string }>(
  names: readonly NamedKey[],
  pages: (query: { namespace?: string }) => AsyncIterable<Item[]>,
  mustExist: (name: NamedKey) => boolean = () => true,
): Promise<ReadonlyMap<string, Item>> {
  const found = new Map<string, Item>();
  const read = (query: { namespace?: string }): Promise<void> =>
    restartOnBadCursor(async () => {
      for await (const page of pages(query))
        for (const item of page) if (names.some(({ hash }) => hash === item.hash)) found.set(item.hash, item);
    });
  for (const namespace of new Set(names.map((name) => name.namespace))) await read({ namespace });
  if (names.some((name) => !found.has(name.hash) && mustExist(name))) await read({});
  return found;
}

/** Returns a function that throws ApiError `unauthorized` once the current session has ended or was replaced. */
function sessionGuard(project: Project): () => void {
  const identify = (): string => {
    const { session } = project;
    return JSON.stringify(session.kind === "signed-in" ? [session.baseUrl, session.slug] : null);
  };
  const begun = identify();
  return () => {
    if (identify() !== begun || project.session.kind !== "signed-in")
      throw new ApiError("unauthorized", "The session ended while a key was renamed", {
        reason: SESSION_ENDED,
      });
  };
}

function hasText(key: ProjectKey | undefined, text: Text | null): boolean {
  return key?.text != null && text !== null && areTextsEqual(key.text, text);
}

/** Returns the translation of the row; `null` without one. */
function translatedText(row: ProjectRow | undefined): Text | null {
  const text = row?.text ?? null;
  return text === null || isEmptyText(text) ? null : text;
}
