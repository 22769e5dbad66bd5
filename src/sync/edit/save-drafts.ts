/** Saves drafts to the service, provided that the version each is based on is still current, or to local files. */
import { writeInBatches } from "../../api/batches.ts";
import { MAX_ITEMS, type TranslationItem } from "../../api/endpoints.ts";
import { ApiError, isApiError } from "../../api/errors.ts";
import type { RequestOptions } from "../../api/client.ts";
import type { TranslationDraft } from "../../database/translation-draft-repository.ts";
import type { KeyName } from "../../model/key-hash.ts";
import type { ProjectFiles } from "../../model/platform.ts";
import type { LocalEntries, LocalRefusal } from "../../workspace/local-files/local-entries.ts";
import { toTranslationItem, rowFromItem, type EditDependencies } from "./write-translations.ts";
import { projectRow } from "../../database/project-state.ts";
import { isSameOrBothEmpty } from "../../model/text.ts";
import { isSourceChanged } from "./draft-history.ts";

/** A draft and its key. */
export interface NamedDraft {
  readonly draft: TranslationDraft;
  readonly name: KeyName;
}

/** A draft that was not written: the service's message, or why the file cannot contain it. */
export interface RefusedDraft extends NamedDraft {
  readonly reason: string | LocalRefusal;
}

/** The result for each draft. */
export interface SaveResult {
  /** The stored text now equals the draft. */
  readonly saved: readonly TranslationDraft[];
  readonly conflicts: readonly NamedDraft[];
  /** Machine translations whose source text has changed since; not written. */
  readonly stale: readonly NamedDraft[];
  readonly refused: readonly RefusedDraft[];
  /** The error that ended the save: drafts in no list were not tried, or their state is unknown. */
  readonly failure: { readonly error: unknown } | null;
}

/**
 * Writes drafts of one language to the service, at most 1,000 per request ("An item carrying `version` is refused
 * when the translation has changed since it was read"). A refused item does not prevent others from being written.
 * Refreshes the source texts before machine translations are written, and the translations afterwards. Never throws.
 */
export async function saveAtService(
  dependencies: EditDependencies,
  locale: string,
  drafts: readonly NamedDraft[],
  options: RequestOptions = {},
): Promise<SaveResult> {
  const person = { priority: "person", ...options } as const;
  const stored = (draft: TranslationDraft) => dependencies.project.translations.get(locale, draft.hash);
  // `fill_empty`, which items without a version are written with, would restore such a translation.
  const isCleared = ({ draft }: NamedDraft): boolean =>
    draft.baseVersion === null &&
    [draft.base, draft.text].every((text) => !isSameOrBothEmpty(text, null)) &&
    isSameOrBothEmpty(stored(draft)?.text ?? null, null);
  const stale: NamedDraft[] = [];
  const cleared: NamedDraft[] = [];
  const written: NamedDraft[] = [];
  const skipped: RefusedDraft[] = [];
  const refused: RefusedDraft[] = [];
  let failure: SaveResult["failure"] = null;
  try {
    if (drafts.some(({ draft }) => draft.source !== null)) await dependencies.refresher.refreshKeys(person);
    const isStale = ({ draft }: NamedDraft): boolean =>
      isSourceChanged(draft, dependencies.project.keys.text(draft.hash) ?? null);
    stale.push(...drafts.filter(isStale));
    cleared.push(...drafts.filter((each) => !isStale(each) && isCleared(each)));
    const current = drafts.filter((each) => !isStale(each) && !isCleared(each));
    for (const chunk of requestChunks(current))
      await writeChunk(dependencies, locale, chunk, person, { written, skipped, refused });
  } catch (error) {
    failure = { error };
  }
  let isReadBack = false;
  if (written.length + skipped.length > 0) {
    try {
      isReadBack = (await dependencies.refresher.refresh(person)) !== null;
    } catch (error) {
      failure ??= { error };
    }
  }
  const isRead = ({ draft }: NamedDraft): boolean => {
    const row = stored(draft);
    return (
      row !== undefined && (row.version !== draft.baseVersion || isSameOrBothEmpty(row.text, draft.text))
    );
  };
  // Rows that could not be read back are derived from what was sent.
  const notReadBack = written.filter((each) => !isRead(each));
  dependencies.refresher.applyRows(
    locale,
    notReadBack.map(({ draft, name }) => projectRow(rowFromItem(toItem({ draft, name }), draft.text))),
  );
  const isStored = ({ draft }: NamedDraft): boolean =>
    isSameOrBothEmpty(stored(draft)?.text ?? null, draft.text);
  const notSaved = skipped.filter((each) => !isStored(each));
  const isConflict = ({ draft }: NamedDraft): boolean =>
    (stored(draft)?.version ?? null) !== draft.baseVersion;
  // Neither the response nor what was read back says whether these were written.
  const isUnknown = ({ reason }: RefusedDraft): boolean => reason === "" && !isReadBack;
  if (notSaved.some(isUnknown)) failure ??= { error: missingSkippedError(locale) };
  return {
    saved: [...written, ...skipped.filter(isStored)].map(({ draft }) => draft),
    conflicts: [...cleared, ...notSaved.filter(isConflict)],
    stale,
    refused: [...refused, ...notSaved.filter((each) => !isConflict(each) && !isUnknown(each))],
    failure,
  };
}

function missingSkippedError(locale: string): ApiError {
  const endpoint = `PUT /translations/${locale}`;
  const field = "data.skipped";
  return new ApiError("bad_response", `${endpoint}: ${field} is missing`, { endpoint, field });
}

interface WriteResults {
  readonly written: NamedDraft[];
  readonly skipped: RefusedDraft[];
  readonly refused: RefusedDraft[];
}

async function writeChunk(
  dependencies: EditDependencies,
  locale: string,
  drafts: readonly NamedDraft[],
  options: RequestOptions,
  into: WriteResults,
): Promise<void> {
  for (let rest = drafts; rest.length > 0;) {
    const items = rest.map(toItem);
    try {
      const result = await writeInBatches(dependencies.client, locale, items, "overwrite", options);
      const reasons = new Map(result.skipped.map(({ item, reason }) => [item, reason]));
      // If an entry identifies no item, or there is no list, the state that is read back decides.
      const unnamed = reasons.get(null) ?? (result.isUnconfirmed ? "" : undefined);
      for (const [index, each] of rest.entries()) {
        const reason = reasons.get(items[index] ?? null) ?? unnamed;
        if (reason === undefined) into.written.push(each);
        else into.skipped.push({ ...each, reason });
      }
      return;
    } catch (error) {
      const entries = isApiError(error, "invalid") ? (error.refused ?? []) : [];
      if (entries.length === 0) throw error;
      const reasons = new Map(entries.map(({ index, messages }) => [index, messages.join(" ")]));
      for (const [index, each] of rest.entries()) {
        const reason = reasons.get(index);
        if (reason !== undefined) into.refused.push({ ...each, reason });
      }
      const before = rest.length;
      rest = rest.filter((_, index) => !reasons.has(index));
      if (rest.length === before) throw error;
    }
  }
}

/** Yields the drafts of each request; items without a version are written in another mode. */
function* requestChunks(drafts: readonly NamedDraft[]): Generator<readonly NamedDraft[]> {
  for (const isNew of [false, true]) {
    const some = drafts.filter(({ draft }) => (draft.baseVersion === null) === isNew);
    for (let start = 0; start < some.length; start += MAX_ITEMS.write)
      yield some.slice(start, start + MAX_ITEMS.write);
  }
}

function toItem({ draft, name }: NamedDraft): TranslationItem {
  return toTranslationItem({ name, text: draft.text, version: draft.baseVersion });
}

/**
 * Writes drafts to the local files, changing only the bytes of their entries.
 * @throws {Error} if a file cannot be read or written
 */
export async function saveInFiles(
  { local, files }: { readonly local: LocalEntries; readonly files: ProjectFiles },
  drafts: readonly NamedDraft[],
  baseOf: (draft: TranslationDraft) => TranslationDraft["base"],
  signal?: AbortSignal,
): Promise<SaveResult & { readonly changed: readonly string[] }> {
  await local.reload(signal);
  const now = drafts.map((each) => ({ ...each, text: baseOf(each.draft) }));
  const groups = Object.groupBy(now, ({ draft, text }) => {
    if (isSameOrBothEmpty(text, draft.text)) return "saved";
    return isSameOrBothEmpty(text, draft.base) ? "writable" : "conflicts";
  });
  const { saved = [], writable = [], conflicts = [] } = groups;
  const changes = writable.map(({ draft, name }) => ({ name, locale: draft.locale, text: draft.text }));
  const plan = await local.planEdit(changes, signal);
  const refused = plan.refused.flatMap((reason): RefusedDraft[] => {
    const each = writable[changes.findIndex((change) => change === reason.change)];
    return each === undefined ? [] : [{ ...each, reason }];
  });
  const outcome = plan.writes.length === 0 ? null : await files.write(plan.writes);
  const isWritten = outcome === null || outcome.kind === "written";
  const isRefused = new Set(refused.map(({ draft }) => draft));
  const written = isWritten ? writable.filter(({ draft }) => !isRefused.has(draft)) : [];
  return {
    saved: [...saved, ...written].map(({ draft }) => draft),
    conflicts,
    stale: [],
    refused,
    failure: null,
    changed: outcome?.kind === "changed" ? outcome.paths : [],
  };
}
