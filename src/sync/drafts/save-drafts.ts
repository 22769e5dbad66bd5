/** Saves drafts to the service, provided that the version each is based on is still current, or to local files. */
import { writeInBatches } from "../../api/batches.ts";
import { MAX_ITEMS, type TranslationItem } from "../../api/endpoints.ts";
import { ApiError, isApiError, mayHaveBeenExecuted } from "../../api/errors.ts";
import type { Client, RequestOptions } from "../../api/client.ts";
import type { TranslationDraft } from "../../database/personal/translation-draft-repository.ts";
import type { KeyName } from "../../model/key-hash.ts";
import type { ProjectFiles } from "../../model/platform.ts";
import type { LocalChange, LocalEntries, LocalRefusal } from "../../workspace/local-files/local-entries.ts";
import { toTranslationItem, rowFromItem, type EditDependencies } from "../edit/send-translations.ts";
import { projectRow } from "../../database/project-state.ts";
import { isSameNormalized, isSameOrBothEmpty, type Text } from "../../model/translation-text.ts";
import { isSourceChanged, isTextChanged } from "./draft-history.ts";

/** A draft and its key. */
export interface NamedDraft {
  readonly draft: TranslationDraft;
  readonly name: KeyName;
}

/** A draft with the version of the translation that it replaces; `null`: there is none. */
interface VersionedDraft extends NamedDraft {
  readonly version: number | null;
}

/** A draft that was not written: the service's message, or why the file cannot contain it. */
export interface RefusedDraft extends NamedDraft {
  readonly reason: string | LocalRefusal;
}

/** The result for each draft. */
export interface SaveResult {
  /** The stored text now is the draft, or what the service normalised it to. */
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
 * Drafts that are in conflict with the translations as they were last read are not sent. Refreshes the source texts before
 * machine translations are written, and the translations afterwards. Never throws.
 */
export async function saveAtService(
  dependencies: EditDependencies,
  locale: string,
  drafts: readonly NamedDraft[],
  options: RequestOptions = {},
): Promise<SaveResult> {
  const { client, project, refresher } = dependencies;
  const person = { priority: "person", ...options } as const;
  const stored = ({ hash }: TranslationDraft) => project.translations.get(locale, hash);
  const isStored = (draft: TranslationDraft): boolean =>
    isSameOrBothEmpty(stored(draft)?.text ?? null, draft.text);
  const current: VersionedDraft[] = [];
  const conflicts: NamedDraft[] = [];
  const stale: NamedDraft[] = [];
  const written: VersionedDraft[] = [];
  const skipped: (VersionedDraft & RefusedDraft)[] = [];
  const refused: RefusedDraft[] = [];
  /** Sent without a response, so that only what is read back tells whether they were written. */
  const unanswered: NamedDraft[] = [];
  let failure: SaveResult["failure"] = null;
  try {
    if (drafts.some(({ draft }) => draft.source !== null)) await refresher.refreshKeys(person);
    // What the drafts are compared with.
    if (drafts.length > 0 && !project.isComplete(locale)) await refresher.ensureLocale(locale, person);
    for (const each of drafts) {
      const { draft } = each;
      if (isSourceChanged(draft, project.keys.text(draft.hash) ?? null)) stale.push(each);
      else if (isTextChanged(draft, stored(draft) ?? { text: null, version: null })) conflicts.push(each);
      // Where only the text is known it is the current one, so its version is that.
      else if (isSameOrBothEmpty(draft.base, null)) current.push({ ...each, version: draft.baseVersion });
      else current.push({ ...each, version: draft.baseVersion ?? stored(draft)?.version ?? null });
    }
    for (const batch of batchesOf(current))
      await writeBatch(client, locale, batch, person, { written, skipped, refused, unanswered });
  } catch (error) {
    failure = { error };
  }
  let isReadBack = false;
  if (written.length + skipped.length + unanswered.length > 0) {
    try {
      // Also after a cancellation.
      isReadBack = (await refresher.refresh({ priority: "person" })) !== null;
    } catch (error) {
      failure ??= { error };
    }
  }
  // Rows that could not be read back are derived from what was sent.
  const notReadBack = written.filter(({ draft, version }) => {
    const row = stored(draft);
    return row === undefined || (row.version === version && !isStored(draft));
  });
  await refresher.applyRows(
    locale,
    notReadBack.map((each) => projectRow(rowFromItem(toItem(each), each.draft.text))),
  );
  const saved = written.map(({ draft }) => draft);
  saved.push(...unanswered.map(({ draft }) => draft).filter(isStored));
  for (const each of skipped) {
    const { draft, reason, version } = each;
    // Without a reason it may have been written, and the service may normalise texts.
    const isWritten = reason === "" && isSameNormalized(stored(draft)?.text ?? null, draft.text);
    if (isWritten || isStored(draft)) saved.push(draft);
    else if ((stored(draft)?.version ?? null) !== version) conflicts.push(each);
    // Neither the response nor what was read back says whether it was written.
    else if (reason === "" && !isReadBack) failure ??= { error: missingSkippedError(locale) };
    else refused.push(each);
  }
  return { saved, conflicts, stale, refused, failure };
}

function missingSkippedError(locale: string): ApiError {
  const endpoint = `PUT /translations/${locale}`;
  const field = "data.skipped";
  return new ApiError("bad_response", `${endpoint}: ${field} is missing`, { endpoint, field });
}

/** Writes the drafts of one request, again without those that the service refuses. Adds the result to `into`. */
async function writeBatch(
  client: Client,
  locale: string,
  drafts: readonly VersionedDraft[],
  options: RequestOptions,
  into: {
    readonly written: VersionedDraft[];
    readonly skipped: (VersionedDraft & RefusedDraft)[];
    readonly refused: RefusedDraft[];
    readonly unanswered: NamedDraft[];
  },
): Promise<void> {
  for (let rest = drafts; rest.length > 0;) {
    const items = rest.map(toItem);
    try {
      const result = await writeInBatches(client, locale, items, "overwrite", options);
      const reasons = new Map(result.skipped.map(({ item, reason }) => [item, reason]));
      // If an entry identifies no item, or there is no list, the state that is read back decides.
      const unnamed = reasons.get(null) ?? (result.unconfirmed.length > 0 ? "" : undefined);
      for (const [index, each] of rest.entries()) {
        const reason = reasons.get(items[index] ?? null) ?? unnamed;
        if (reason === undefined) into.written.push(each);
        else into.skipped.push({ ...each, reason });
      }
      return;
    } catch (error) {
      const entries = isApiError(error, "invalid") ? (error.refused ?? []) : [];
      const reasons = new Map(entries.map(({ index, messages }) => [index, messages.join(" ")]));
      const refused = rest.flatMap((each, index): RefusedDraft[] => {
        const reason = reasons.get(index);
        return reason === undefined ? [] : [{ ...each, reason }];
      });
      if (mayHaveBeenExecuted(error)) into.unanswered.push(...rest);
      if (refused.length === 0) throw error;
      into.refused.push(...refused);
      rest = rest.filter((_, index) => !reasons.has(index));
    }
  }
}

/** Yields the drafts of each request; items without a version are written in another mode. */
function* batchesOf(drafts: readonly VersionedDraft[]): Generator<readonly VersionedDraft[]> {
  for (const isNew of [false, true]) {
    const ofMode = drafts.filter(({ version }) => (version === null) === isNew);
    for (let start = 0; start < ofMode.length; start += MAX_ITEMS.write)
      yield ofMode.slice(start, start + MAX_ITEMS.write);
  }
}

function toItem({ draft, name, version }: VersionedDraft): TranslationItem {
  return toTranslationItem({ name, text: draft.text, version });
}

/**
 * Writes drafts to the local files, changing only the bytes of their entries.
 * @throws {Error} if a file cannot be read or written
 */
export async function saveInFiles(
  { local, files }: { readonly local: LocalEntries; readonly files: ProjectFiles },
  drafts: readonly NamedDraft[],
  storedText: (draft: TranslationDraft) => Text | null,
  signal?: AbortSignal,
): Promise<SaveResult & { readonly changed: readonly string[] }> {
  await local.reload(signal);
  const groups = Object.groupBy(drafts, ({ draft }) => {
    const text = storedText(draft);
    if (isSameOrBothEmpty(text, draft.text)) return "saved";
    return isSameOrBothEmpty(text, draft.base) ? "writable" : "conflicts";
  });
  const { saved = [], writable = [], conflicts = [] } = groups;
  const byChange = new Map<LocalChange, NamedDraft>(
    writable.map((each) => [{ name: each.name, locale: each.draft.locale, text: each.draft.text }, each]),
  );
  const plan = await local.planEdit([...byChange.keys()], signal);
  const refused = plan.refused.flatMap((reason): RefusedDraft[] => {
    const each = byChange.get(reason.change);
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
