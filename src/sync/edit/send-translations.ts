/**
 * Writes translations and key details to the service without overwriting concurrent changes: each write has the
 * version that was read, and a conflict is returned to the caller.
 */
import {
  toTranslationItem,
  withPartialResult,
  withRefusedItems,
  writeInBatches,
  type ItemName,
  type RequestFailure,
  type TranslationEdit,
} from "../../api/batches.ts";
import type { Client, RequestOptions } from "../../api/client.ts";
import type { KeyUpdate, TranslationItem, WriteMode } from "../../api/endpoints.ts";
import { isApiError } from "../../api/errors.ts";
import type { WriteResult } from "../../api/undocumented-fields.ts";
import { translationPages } from "../../api/pagination.ts";
import type { TranslationRow } from "../../api/response-schemas.ts";
import { timeAfter, latestTime, withOverlap } from "../refresh/full-or-incremental-fetch.ts";
import { definedFields } from "../../util/defined-fields.ts";
import { keyHash, NO_NAMESPACE, type KeyName } from "../../model/key-hash.ts";
import { projectKey, projectRow, type Project } from "../../database/project-state.ts";
import type { ProjectRow, ProjectKey } from "../../database/records.ts";
import type { Refresher } from "../refresh/refresh.ts";
import {
  isEmptyText,
  isForms,
  isSameNormalized,
  isSameOrBothEmpty,
  type Text,
} from "../../model/translation-text.ts";

export interface EditDependencies {
  readonly client: Client;
  readonly project: Project;
  readonly refresher: Refresher;
}

/** Result of writing one translation. */
export type SetTranslationResult =
  /** `readBackError`: it was written but could not be read back, so `row` has no version. */
  | { readonly kind: "done"; readonly row: TranslationRow; readonly readBackError?: unknown }
  | { readonly kind: "unchanged"; readonly row: TranslationRow }
  /** A concurrent change: `theirs` is the current row, `base` the one that was read before, if known. */
  | { readonly kind: "conflict"; readonly theirs: TranslationRow; readonly base: ProjectRow | null }
  | { readonly kind: "skipped"; readonly reason: string; readonly row: TranslationRow | null }
  | { readonly kind: "unknown_key" };

/**
 * Writes one translation and reads it back (§ PUT /translations/{locale}: "An item carrying `version` is refused when
 * the translation has changed since it was read").
 * @throws {ApiError} when nothing was written as far as is known; an abort rejects with the signal's reason if nothing
 * was sent.
 */
export async function setTranslation(
  dependencies: EditDependencies,
  locale: string,
  edit: TranslationEdit,
  options: RequestOptions = {},
): Promise<SetTranslationResult> {
  const item = toTranslationItem(edit);
  const known = dependencies.project.translation(locale, item.hash);
  // Another window may have read a later version.
  const base = known !== undefined && known.version === edit.version ? known : null;
  const { client } = dependencies;
  const { skipped, unconfirmed } = await writeInBatches(client, locale, [item], "overwrite", options).catch(
    (error: unknown) => {
      throw withRefusedItems(error, namesOf([item], locale));
    },
  );
  const reason = skipped[0]?.reason;
  const isWritten = reason === undefined;
  const isConfirmed = isWritten && unconfirmed.length === 0;
  const isThere = isWritten || dependencies.project.keys.has(item.hash);
  let row: TranslationRow | null;
  try {
    // Also after a cancellation, where only the current row tells whether it was written.
    const { signal, ...others } = options;
    const readOptions = isConfirmed ? { ...others, ...definedFields({ signal }) } : others;
    row = await readRow(dependencies, locale, { ...item, isWritten, isThere }, readOptions);
  } catch (readBackError) {
    if (isWritten) void dependencies.refresher.refresh({ priority: "person" });
    if (isConfirmed) return { kind: "done", row: rowFromItem(item, edit.text), readBackError };
    if (isWritten) throw readBackError;
    return { kind: "skipped", reason, row: null };
  }
  if (row === null) return { kind: "unknown_key" };
  await dependencies.refresher.applyRows(locale, [projectRow(row)]);
  const { text } = projectRow(row);
  if (isConfirmed || (isWritten && isSameNormalized(text, edit.text))) return { kind: "done", row };
  if (isSameOrBothEmpty(text, edit.text)) return { kind: "unchanged", row };
  // The values of `reason` are not documented, so a conflict is detected by the version.
  if (edit.version !== undefined && row.version !== edit.version)
    return { kind: "conflict", theirs: row, base };
  return { kind: "skipped", reason: reason ?? "", row };
}

/** Returns the row that results from an item, without a version. */
export function rowFromItem({ hash, namespace, key, context }: TranslationItem, text: Text): TranslationRow {
  const isTranslated = !isEmptyText(text);
  return {
    hash,
    namespace,
    key,
    context,
    isPlural: isForms(text),
    value: isTranslated && !isForms(text) ? text.value : null,
    forms: isTranslated && isForms(text) ? text.forms : null,
    isTranslated,
    isOutdated: false,
    issues: [],
    version: null,
    updatedAt: null,
  };
}

function nameOf({ namespace, key, context }: TranslationItem): KeyName {
  return { namespace, key, context };
}

/** Returns a function that names the item at an index of `items`, for errors. */
function namesOf(items: readonly TranslationItem[], locale: string) {
  return (_list: string, index: number): ItemName | undefined => {
    const item = items[index];
    return item && { ...nameOf(item), locale };
  };
}

/** Result of writing many translations. */
export interface SetTranslationsResult {
  readonly written: number;
  readonly skipped: { name: KeyName; reason: string }[];
  /** A later request failed; the result is that of the requests before it. */
  readonly failure: RequestFailure | null;
}

/**
 * Writes many translations; `skipped` has those that were not written, with the service's reason code.
 * @throws {ApiError} only if the first request failed.
 */
export async function setTranslations(
  dependencies: EditDependencies,
  locale: string,
  edits: readonly TranslationEdit[],
  mode: WriteMode,
  options: RequestOptions & { onProgress?: (done: number, total: number) => void } = {},
): Promise<SetTranslationsResult> {
  const items = edits.map((edit) => toTranslationItem(edit));
  try {
    const { result, failure } = await withPartialResult<WriteResult>(
      (onProgress) => writeInBatches(dependencies.client, locale, items, mode, { ...options, onProgress }),
      namesOf(items, locale),
      options.onProgress,
    );
    const skipped = result.skipped.map(({ item, reason }) => ({
      name: item === null ? { namespace: NO_NAMESPACE, key: "", context: null } : nameOf(item),
      reason,
    }));
    const unwritten = await unwrittenItems(dependencies, locale, result.unconfirmed);
    skipped.push(...unwritten.map((item) => ({ name: nameOf(item), reason: "" })));
    return { written: result.written - unwritten.length, skipped, failure };
  } finally {
    // Also after a partial failure, to show what was written.
    void dependencies.refresher.refresh({ priority: "person" });
  }
}

/** Reads unconfirmed items back and returns those that have another text. Never rejects. */
async function unwrittenItems(
  { project, refresher }: EditDependencies,
  locale: string,
  items: readonly TranslationItem[],
): Promise<TranslationItem[]> {
  if (items.length === 0) return [];
  const stats = await refresher.refresh({ priority: "person" });
  // Without the current rows the document's word counts: "Items not written are returned in `skipped`".
  if (stats === null) return [];
  return items.filter(({ hash, value = "", forms }) => {
    const row = project.translation(locale, hash);
    return row !== undefined && !isSameNormalized(row.text, forms === undefined ? { value } : { forms });
  });
}

/** Updates description, maximum length or tags (§ PATCH /keys). Returns `null` if the service does not know the key. */
export async function updateKey(
  dependencies: EditDependencies,
  name: KeyName,
  update: KeyUpdate,
  options: RequestOptions = {},
): Promise<ProjectKey | null> {
  try {
    const key = await dependencies.client.updateKey(keyHash(name), update, options);
    const updated = projectKey(key);
    if (!key.archived) await dependencies.refresher.applyKey(updated);
    return updated;
  } catch (error) {
    if (isApiError(error, "not_found")) return null;
    throw error;
  }
}

/**
 * Reads the current row of a key; `null` if there is no such active key. There is no endpoint for one row, so it
 * searches the latest changes of the namespace (with `isWritten` first those after all known changes, since a large
 * import may share one timestamp), then the changes since the row's own last one, then the whole namespace, and with
 * `isThere` (the key must exist) the whole language.
 * @throws {ApiError}
 */
export async function readRow(
  dependencies: Pick<EditDependencies, "client" | "project">,
  locale: string,
  key: KeyName & { readonly hash: string; readonly isWritten?: boolean; readonly isThere?: boolean },
  options: RequestOptions = {},
): Promise<TranslationRow | null> {
  const { client, project } = dependencies;
  const { translations } = project;
  const language = project.stats?.languages.find((each) => each.locale === locale);
  const written = latestTime(translations.latestChange(locale), language?.lastTranslatedAt ?? null);
  const last = written ?? latestTime(project.keys.latestChange());
  const rowChange = translations.get(locale, key.hash)?.updatedAt ?? null;
  const { namespace } = key;
  const queries: { namespace?: string; updatedSince?: string }[] = [];
  if (last !== null && key.isWritten === true) queries.push({ namespace, updatedSince: timeAfter(last) });
  if (last !== null) queries.push({ namespace, updatedSince: withOverlap(last) });
  if (rowChange !== null && rowChange !== last)
    queries.push({ namespace, updatedSince: withOverlap(rowChange) });
  queries.push({ namespace });
  if (key.isThere === true) queries.push({});
  for (const query of queries) {
    try {
      for await (const page of translationPages(client, locale, query, { priority: "person", ...options })) {
        const row = page.find((each) => each.hash === key.hash);
        if (row !== undefined) return row;
      }
    } catch (error) {
      // "Value formats of … `updatedSince` …: not shown": if the filter is refused, the next query omits it.
      if (!isApiError(error, "invalid") || query.updatedSince === undefined) throw error;
    }
  }
  return null;
}
