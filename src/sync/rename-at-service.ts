/**
 * Renaming a key at the service, which has no such thing: a new key with the old one's text and details, its
 * translations copied, and only then the old key archived. Everything is read from the service itself, before and
 * after; whatever fails or differs, the old key and its translations stay.
 */
import { syncAll, writeAll } from "../api/batches.ts";
import type { Client, RequestOptions } from "../api/client.ts";
import type { TranslationItem } from "../api/endpoints.ts";
import { ApiError } from "../api/errors.ts";
import { fromTheStart, keyPages, translationPages } from "../api/pages.ts";
import type { SyncKey } from "../api/schemas.ts";
import type { EditDependencies } from "./edit.ts";
import { keyHash, NO_NAMESPACE, type KeyName } from "../model/key-identity.ts";
import { projectKey, projectRow, SESSION_ENDED, type Project } from "../database/project-state.ts";
import type { ProjectRow, ProjectKey } from "../database/project-records.ts";
import { isEmptyText, isForms, sameText, type Text } from "../model/text.ts";

export type ServiceRename =
  /** The new key has all that the old one had, and the old one is archived. */
  | { readonly kind: "done"; readonly copied: number }
  /** The new key is there, and the old one was not archived, since something of it would be lost. */
  | {
      readonly kind: "kept";
      readonly copied: number;
      /** Languages in which the new key has another translation, or did not take the old one's. */
      readonly skipped: readonly string[];
      /**
       * Languages whose translation is outdated: a translation that is written counts as up to date (§ Translation
       * row), so it was not copied.
       */
      readonly outdated: readonly string[];
      /** Somebody changed one of the two keys, or a translation of the old one, in the meantime. */
      readonly changed: boolean;
    }
  /**
   * Nothing was sent: both names are the same, the service has no such active key with a source text, or it has the new
   * key with another source text.
   */
  | { readonly kind: "nothing"; readonly reason: "same_name" | "unknown_key" | "taken" }
  /** § Sync result: the new key was refused, with the service's word for why. */
  | { readonly kind: "rejected"; readonly reason: string };

type Options = RequestOptions & { readonly onStep?: (done: number, total: number) => void };

interface HashedName extends KeyName {
  readonly hash: string;
}

/**
 * Renames at the service. `onStep` is told before each language, and how many there are. Throws ApiError (also when the
 * session ended in between); then the old key was not archived.
 */
export async function renameAtService(
  { client, project, refresher }: EditDependencies,
  fromName: KeyName,
  toName: KeyName,
  { onStep, ...given }: Options = {},
): Promise<ServiceRename> {
  const options = { priority: "person" as const, ...given };
  const from = { ...fromName, hash: keyHash(fromName) };
  const to = { ...toName, hash: keyHash(toName) };
  if (from.hash === to.hash) return { kind: "nothing", reason: "same_name" };
  const requireSession = sessionGuard(project);
  const stats = await client.stats(options);
  const locales = stats.languages.filter(({ isSource }) => !isSource).map(({ locale }) => locale);
  const keys = await readKeys(client, project, [from, to], options);
  const old = keys.get(from.hash);
  if (old?.text == null || isEmptyText(old.text)) return { kind: "nothing", reason: "unknown_key" };
  // One with the same text is left by a rename that was interrupted, which is completed.
  const existing = keys.get(to.hash);
  if (existing !== undefined && (existing.text === null || !sameText(existing.text, old.text)))
    return { kind: "nothing", reason: "taken" };
  const before = new Map<string, ProjectRow>();
  for (const locale of locales) {
    const row = (await readRows(client, locale, [from], options)).get(from.hash);
    if (row !== undefined) before.set(locale, row);
  }

  requireSession();
  const { rejected } = await syncAll(client, { keys: [syncKeyOf(to, old, old.text)] }, options);
  if (rejected[0] !== undefined) return { kind: "rejected", reason: rejected[0].reason };
  try {
    for (const [index, locale] of locales.entries()) {
      onStep?.(index, locales.length);
      const row = before.get(locale);
      const text = textOf(row);
      if (text === null || row?.isOutdated === true) continue;
      requireSession();
      // What somebody wrote for the new key in the meantime stays.
      await writeAll(client, locale, [itemOf(to, text)], "fill_empty", options);
    }
    const compared = await compare(client, { from, to, locales, before }, options);
    const after = await readKeys(client, project, [from, to], options);
    const changed = compared.changed || ![from, to].every(({ hash }) => hasText(after.get(hash), old.text));
    const { copied, skipped, outdated } = compared;
    if (changed || skipped.length > 0 || outdated.length > 0)
      return { kind: "kept", copied, skipped, outdated, changed };
    requireSession();
    await syncAll(client, { keys: [], archive: [from.hash] }, options);
    return { kind: "done", copied };
  } finally {
    void refresher.refresh({ priority: "person" });
  }
}

/** What both keys have in each language now. */
async function compare(
  client: Client,
  {
    from,
    to,
    locales,
    before,
  }: {
    readonly from: HashedName;
    readonly to: HashedName;
    readonly locales: readonly string[];
    readonly before: ReadonlyMap<string, ProjectRow>;
  },
  options: RequestOptions,
): Promise<{ copied: number; skipped: string[]; outdated: string[]; changed: boolean }> {
  let copied = 0;
  let changed = false;
  const skipped: string[] = [];
  const outdated: string[] = [];
  for (const locale of locales) {
    const rows = await readRows(client, locale, [from, to], options);
    const [old, made, read] = [rows.get(from.hash), rows.get(to.hash), before.get(locale)];
    if (old?.version !== read?.version || old?.isOutdated !== read?.isOutdated) changed = true;
    const wanted = textOf(old);
    if (wanted === null) continue;
    const text = made?.isOutdated === true ? null : textOf(made);
    if (old?.isOutdated === true) {
      // A translation that the new key got by itself is newer.
      if (text === null) outdated.push(locale);
    } else if (text !== null && sameText(text, wanted)) {
      copied++;
    } else {
      skipped.push(locale);
    }
  }
  return { copied, skipped, outdated, changed };
}

/** The active ones of these keys, by hash, as the service has them now. Throws ApiError. */
async function readKeys(
  client: Client,
  project: Project,
  names: readonly HashedName[],
  options: RequestOptions,
): Promise<ReadonlyMap<string, ProjectKey>> {
  const read = (query: { namespace?: string }): Promise<Map<string, ProjectKey>> =>
    fromTheStart(async () => {
      const found = new Map<string, ProjectKey>();
      for await (const page of keyPages(client, query, options)) {
        for (const key of page) {
          if (!key.archived && names.some(({ hash }) => hash === key.hash))
            found.set(key.hash, projectKey(key));
        }
      }
      return found;
    });
  const found = new Map<string, ProjectKey>();
  for (const namespace of new Set(names.map((name) => name.namespace)))
    for (const [hash, key] of await read({ namespace })) found.set(hash, key);
  // A key that was known a moment ago may stand where the filter does not find it.
  const isMissing = names.some(({ hash }) => !found.has(hash) && project.keys.has(hash));
  return isMissing ? read({}) : found;
}

/** The rows of these active keys in one language, by hash. Throws ApiError, also where one of them is missing. */
async function readRows(
  client: Client,
  locale: string,
  names: readonly HashedName[],
  options: RequestOptions,
): Promise<ReadonlyMap<string, ProjectRow>> {
  const found = new Map<string, ProjectRow>();
  const read = (query: { namespace?: string }): Promise<void> =>
    fromTheStart(async () => {
      for await (const page of translationPages(client, locale, query, options)) {
        for (const row of page)
          if (names.some(({ hash }) => hash === row.hash)) found.set(row.hash, projectRow(row));
      }
    });
  for (const namespace of new Set(names.map((name) => name.namespace))) await read({ namespace });
  if (found.size < names.length) await read({});
  // "one page of the active keys of the project …, including keys that have none" (§ GET /translations/{locale}).
  if (found.size < names.length)
    throw new ApiError("bad_response", `GET /translations/${locale}: an active key is missing`, {
      field: "data",
    });
  return found;
}

/** Throws ApiError `unauthorized` once another session, or none, has taken the place of the one of now. */
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
  return key?.text != null && text !== null && sameText(key.text, text);
}

/** The translation of the row; `null`: there is none. */
function textOf(row: ProjectRow | undefined): Text | null {
  return row?.text == null || isEmptyText(row.text) ? null : row.text;
}

/** The new key as `POST /keys/sync` takes it. */
function syncKeyOf({ namespace, key, context }: KeyName, old: ProjectKey, text: Text): SyncKey {
  return {
    key,
    ...(namespace === NO_NAMESPACE ? {} : { namespace }),
    ...(context === null || context === "" ? {} : { context }),
    ...(isForms(text) ? { forms: text.forms } : { value: text.value }),
    ...(old.description === null ? {} : { description: old.description }),
    ...(old.maxLength === null ? {} : { maxLength: old.maxLength }),
    ...(old.tags.length === 0 ? {} : { tags: [...old.tags] }),
  };
}

function itemOf({ hash, namespace, key, context }: HashedName, text: Text): TranslationItem {
  return {
    hash,
    namespace,
    key,
    context,
    ...(isForms(text) ? { forms: text.forms } : { value: text.value }),
  };
}
