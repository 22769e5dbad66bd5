/**
 * Writes translations and key details to the service so that nobody's work is run over: each write carries the
 * version that was read, and what changed meanwhile comes back as a conflict for a person to solve.
 */
import { writeAll } from "../api/batches.ts";
import type { Client, RequestOptions } from "../api/client.ts";
import type { KeyUpdate, TranslationItem, WriteMode } from "../api/endpoints.ts";
import { isApiError } from "../api/errors.ts";
import type { WriteResult } from "../api/undocumented-fields.ts";
import { translationPages } from "../api/pages.ts";
import type { Row } from "../api/schemas.ts";
import { timeAfter, latest, withOverlap } from "./incremental-read.ts";
import { keyHash, NO_NAMESPACE, type KeyName } from "../model/key-identity.ts";
import { projectKey, projectRow, type Project } from "../database/project-state.ts";
import type { ProjectRow, ProjectKey } from "../database/project-records.ts";
import type { Refresher } from "./refresh.ts";
import { withItems } from "./refused-items.ts";
import { isEmptyText, isForms, sameText, type Text } from "../model/text.ts";

export interface EditDependencies {
  readonly client: Client;
  readonly project: Project;
  readonly refresher: Refresher;
}

/** One translation to write. `version` as it was read; `undefined`: whatever is there may be replaced. */
export interface TranslationEdit {
  readonly name: KeyName;
  readonly text: Text;
  readonly version?: number | null;
}

export type SetOutcome =
  /** `readBackError`: it was written, but the row could not be read, so `row` has the text without a version. */
  | { readonly kind: "done"; readonly row: Row; readonly readBackError?: unknown }
  | { readonly kind: "unchanged"; readonly row: Row }
  /** Somebody wrote in between: `theirs` is what stands there now, `base` what was read before, if it is known. */
  | { readonly kind: "conflict"; readonly theirs: Row; readonly base: ProjectRow | null }
  | { readonly kind: "skipped"; readonly reason: string; readonly row: Row | null }
  | { readonly kind: "unknown_key" };

/**
 * Writes one translation and reads back what stands there (§ PUT /translations/{locale}: "An item carrying `version`
 * is refused when the translation has changed since it was read"). What was written is `done`, also when it cannot be read
 * back. Throws ApiError, or the signal's reason, when nothing was written as far as is known.
 */
export async function setTranslation(
  dependencies: EditDependencies,
  locale: string,
  edit: TranslationEdit,
  options: RequestOptions = {},
): Promise<SetOutcome> {
  const item = itemOf(edit);
  const known = dependencies.project.translation(locale, item.hash);
  // Another window may have read a later one since.
  const base = known !== undefined && known.version === edit.version ? known : null;
  const { skipped } = await written(locale, [item], () =>
    writeAll(dependencies.client, locale, [item], "overwrite", options),
  );
  const reason = skipped[0]?.reason;
  const isWritten = reason === undefined;
  const isThere = isWritten || dependencies.project.keys.has(item.hash);
  let row: Row | null;
  try {
    row = await readRow(dependencies, locale, { ...item, isWritten, isThere }, options);
  } catch (readBackError) {
    if (isWritten) {
      void dependencies.refresher.refresh({ priority: "person" });
      return { kind: "done", row: writtenRow(item, edit.text), readBackError };
    }
    if (options.signal?.aborted === true) throw readBackError;
    return { kind: "skipped", reason, row: null };
  }
  if (row === null) return { kind: "unknown_key" };
  dependencies.refresher.takeRows(locale, [projectRow(row)]);
  if (reason === undefined) return { kind: "done", row };
  const theirs = projectRow(row).text;
  const isSame = theirs === null ? isEmptyText(edit.text) : sameText(theirs, edit.text);
  if (isSame) return { kind: "unchanged", row };
  // The words of `reason` are not shown, so a conflict is told by the version, which is.
  if (edit.version !== undefined && row.version !== edit.version)
    return { kind: "conflict", theirs: row, base };
  return { kind: "skipped", reason, row };
}

/** The row as far as it is known from what was sent. */
export function writtenRow({ hash, namespace, key, context }: TranslationItem, text: Text): Row {
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

/** A write of these items. An item that the service refuses is named in the error. */
async function written(
  locale: string,
  items: readonly TranslationItem[],
  write: () => Promise<WriteResult>,
): Promise<WriteResult> {
  try {
    return await write();
  } catch (error) {
    throw withItems(error, (_, index) => {
      const item = items[index];
      return item && { namespace: item.namespace, key: item.key, context: item.context, locale };
    });
  }
}

/** What was written of many. */
export interface WrittenMany {
  readonly written: number;
  readonly skipped: { name: KeyName; reason: string }[];
  /** A later request failed; those before it were done, and what is told here is of those. */
  readonly failure: { readonly error: unknown; readonly sent: number; readonly total: number } | null;
}

/**
 * Writes many; what was not written is told item by item, with the service's word for why. Throws ApiError only when
 * the first request failed.
 */
export async function setTranslations(
  dependencies: EditDependencies,
  locale: string,
  edits: readonly TranslationEdit[],
  mode: WriteMode,
  options: RequestOptions & { onProgress?: (done: number, total: number) => void } = {},
): Promise<WrittenMany> {
  const items = edits.map((edit) => itemOf(edit));
  let so: { readonly sum: WriteResult; readonly sent: number } | null = null;
  const onProgress = (sent: number, total: number, { written, skipped }: WriteResult): void => {
    so = { sum: { written, skipped: [...skipped] }, sent };
    options.onProgress?.(sent, total);
  };
  try {
    const result = await written(locale, items, () =>
      writeAll(dependencies.client, locale, items, mode, { ...options, onProgress }),
    );
    return { ...namedSkips(result), failure: null };
  } catch (error) {
    // Read anew, since only the callback writes it.
    const done = so as { readonly sum: WriteResult; readonly sent: number } | null;
    if (done === null) throw error;
    return { ...namedSkips(done.sum), failure: { error, sent: done.sent, total: items.length } };
  } finally {
    // Also after a failure half way: what was written is shown.
    void dependencies.refresher.refresh({ priority: "person" });
  }
}

function namedSkips({ written, skipped }: WriteResult): Omit<WrittenMany, "failure"> {
  return {
    written,
    skipped: skipped.map(({ item, reason }) => ({
      name:
        item === null
          ? { namespace: NO_NAMESPACE, key: "", context: null }
          : { namespace: item.namespace, key: item.key, context: item.context },
      reason,
    })),
  };
}

/** Updates description, maximum length or tags (§ PATCH /keys). `null`: the service does not know the key. */
export async function updateKey(
  dependencies: EditDependencies,
  name: KeyName,
  update: KeyUpdate,
  options: RequestOptions = {},
): Promise<ProjectKey | null> {
  try {
    const key = await dependencies.client.updateKey(keyHash(name), update, options);
    const kept = projectKey(key);
    if (!key.archived) dependencies.refresher.takeKey(kept);
    return kept;
  } catch (error) {
    if (isApiError(error, "not_found")) return null;
    throw error;
  }
}

/**
 * The row as the service has it now. There is no endpoint for one row, so it is looked for among the latest changes of
 * its namespace (`isWritten`: first among those after all that was seen, which a large import may have made at one
 * time); then among those since its own last change, and then in the whole namespace. `isThere`: it must be somewhere,
 * so in the end the whole language is read. `null`: there is no such active key. Throws ApiError.
 */
export async function readRow(
  dependencies: Pick<EditDependencies, "client" | "project">,
  locale: string,
  key: KeyName & { readonly hash: string; readonly isWritten?: boolean; readonly isThere?: boolean },
  options: RequestOptions = {},
): Promise<Row | null> {
  const { client, project } = dependencies;
  const { translations } = project;
  const language = project.stats?.languages.find((each) => each.locale === locale);
  const written = latest([translations.latestChange(locale), language?.lastTranslatedAt ?? null]);
  const last = written ?? latest([project.keys.latestChange()]);
  const own = translations.get(locale, key.hash)?.updatedAt ?? null;
  const { namespace } = key;
  const queries: { namespace?: string; updatedSince?: string }[] = [];
  if (last !== null && key.isWritten === true) queries.push({ namespace, updatedSince: timeAfter(last) });
  if (last !== null) queries.push({ namespace, updatedSince: withOverlap(last) });
  if (own !== null && own !== last) queries.push({ namespace, updatedSince: withOverlap(own) });
  queries.push({ namespace });
  if (key.isThere === true) queries.push({});
  for (const query of queries) {
    try {
      for await (const page of translationPages(client, locale, query, { priority: "person", ...options })) {
        const row = page.find((each) => each.hash === key.hash);
        if (row !== undefined) return row;
      }
    } catch (error) {
      // "Value formats of … `updatedSince` …: not shown": where the filter is refused, the next query does without.
      if (!isApiError(error, "invalid") || query.updatedSince === undefined) throw error;
    }
  }
  return null;
}

export function itemOf(edit: TranslationEdit): TranslationItem {
  const { namespace, key, context } = edit.name;
  return {
    hash: keyHash(edit.name),
    namespace,
    key,
    context,
    ...(isForms(edit.text) ? { forms: edit.text.forms } : { value: edit.text.value }),
    ...(edit.version === undefined ? {} : { version: edit.version }),
  };
}
