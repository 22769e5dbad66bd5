/**
 * Writes translations and key details to the service so that nobody's work is run over: each write carries the
 * version that was read, and what changed meanwhile comes back as a conflict for a person to solve.
 */
import { writeAll } from "../api/chunks.ts";
import type { Client, RequestOptions } from "../api/client.ts";
import type { KeyUpdate, TranslationItem, WriteMode } from "../api/contract.ts";
import { isApiError } from "../api/errors.ts";
import type { WriteResult } from "../api/holes.ts";
import { translationPages } from "../api/pages.ts";
import type { Row } from "../api/schemas.ts";
import { justAfter, latest, withOverlap } from "./changes-since.ts";
import { keyHash, NO_NAMESPACE, type KeyName } from "./identity.ts";
import type { Sha1 } from "./ports.ts";
import { projectKey, projectRow, type Project, type ProjectKey, type ProjectRow } from "./project.ts";
import type { Refresher } from "./refresh.ts";
import { isEmptyText, isForms, sameText, type Text } from "./text.ts";

export interface EditNeeds {
  readonly client: Client;
  readonly project: Project;
  readonly refresher: Refresher;
  readonly sha1: Sha1;
}

/** One translation to write. `version` as it was read; `undefined`: whatever is there may be replaced. */
export interface TranslationEdit {
  readonly name: KeyName;
  readonly text: Text;
  readonly version?: number | null;
}

export type SetOutcome =
  | { readonly kind: "done"; readonly row: Row }
  | { readonly kind: "unchanged"; readonly row: Row }
  /** Somebody wrote in between: `theirs` is what stands there now, `base` what was read before, if it is known. */
  | { readonly kind: "conflict"; readonly theirs: Row; readonly base: ProjectRow | null }
  | { readonly kind: "skipped"; readonly reason: string; readonly row: Row | null }
  | { readonly kind: "unknown_key" };

/**
 * Writes one translation and reads back what stands there (§ PUT /translations/{locale}: "An item carrying `version`
 * is refused when the translation has changed since it was read"). Throws ApiError.
 */
export async function setTranslation(
  needs: EditNeeds,
  locale: string,
  edit: TranslationEdit,
  options: RequestOptions = {},
): Promise<SetOutcome> {
  const item = itemOf(needs.sha1, edit);
  const base = needs.project.rows(locale)?.rows.get(item.hash) ?? null;
  const { skipped } = await writeAll(needs.client, locale, [item], "overwrite", options);
  const reason = skipped[0]?.reason;
  const isWritten = reason === undefined;
  const isThere = isWritten || needs.project.keys.has(item.hash);
  const row = await readRow(needs, locale, { ...item, isWritten, isThere }, options);
  if (row === null) return { kind: "unknown_key" };
  needs.refresher.takeRows(locale, [projectRow(row)]);
  if (reason === undefined) return { kind: "done", row };
  const theirs = projectRow(row).text;
  const isSame = theirs === null ? isEmptyText(edit.text) : sameText(theirs, edit.text);
  if (isSame) return { kind: "unchanged", row };
  // The words of `reason` are not shown, so a conflict is told by the version, which is.
  if (edit.version !== undefined && row.version !== edit.version)
    return { kind: "conflict", theirs: row, base };
  return { kind: "skipped", reason, row };
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
  needs: EditNeeds,
  locale: string,
  edits: readonly TranslationEdit[],
  mode: WriteMode,
  options: RequestOptions & { onProgress?: (done: number, total: number) => void } = {},
): Promise<WrittenMany> {
  const items = edits.map((edit) => itemOf(needs.sha1, edit));
  let so: { readonly sum: WriteResult; readonly sent: number } | null = null;
  const onProgress = (sent: number, total: number, { written, skipped }: WriteResult): void => {
    so = { sum: { written, skipped: [...skipped] }, sent };
    options.onProgress?.(sent, total);
  };
  try {
    const result = await writeAll(needs.client, locale, items, mode, { ...options, onProgress });
    return { ...namedSkips(result), failure: null };
  } catch (error) {
    // Read anew, since only the callback writes it.
    const done = so as { readonly sum: WriteResult; readonly sent: number } | null;
    if (done === null) throw error;
    return { ...namedSkips(done.sum), failure: { error, sent: done.sent, total: items.length } };
  } finally {
    // Also after a failure half way: what was written is shown.
    void needs.refresher.refresh({ priority: "person" });
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
  needs: EditNeeds,
  name: KeyName,
  update: KeyUpdate,
  options: RequestOptions = {},
): Promise<ProjectKey | null> {
  try {
    const key = await needs.client.updateKey(keyHash(needs.sha1, name), update, options);
    const kept = projectKey(key);
    if (!key.archived) needs.refresher.takeKey(kept);
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
  needs: Pick<EditNeeds, "client" | "project">,
  locale: string,
  key: KeyName & { readonly hash: string; readonly isWritten?: boolean; readonly isThere?: boolean },
  options: RequestOptions = {},
): Promise<Row | null> {
  const { client, project } = needs;
  const known = project.rows(locale)?.rows;
  const language = project.stats?.languages.find((each) => each.locale === locale);
  const last = latest([...(known?.times() ?? []), language?.lastTranslatedAt ?? null]);
  const own = known?.get(key.hash)?.updatedAt ?? null;
  const { namespace } = key;
  const queries: { namespace?: string; updatedSince?: string }[] = [];
  if (last !== null && key.isWritten === true) queries.push({ namespace, updatedSince: justAfter(last) });
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

function itemOf(sha1: Sha1, edit: TranslationEdit): TranslationItem {
  const { namespace, key, context } = edit.name;
  return {
    hash: keyHash(sha1, edit.name),
    namespace,
    key,
    context,
    ...(isForms(edit.text) ? { forms: edit.text.forms } : { value: edit.text.value }),
    ...(edit.version === undefined ? {} : { version: edit.version }),
  };
}
