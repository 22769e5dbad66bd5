/** Saves drafts to the service, provided that the version each is based on is still current, or to local files. */
import { toTranslationItem, writeInBatches } from "../../api/batches.ts";
import type { TranslationItem } from "../../api/endpoints.ts";
import { ApiError, isApiError, mayHaveBeenExecuted } from "../../api/errors.ts";
import type { RequestOptions } from "../../api/client.ts";
import type { DraftId, TranslationDraft } from "../../database/personal/translation-draft-repository.ts";
import type { KeyName } from "../../model/key-hash.ts";
import type { ProjectFiles } from "../../model/platform.ts";
import type { LocalChange, LocalRefusal } from "../../workspace/local-files/local-entries.ts";
import { rowFromItem, type EditDependencies } from "../edit/send-translations.ts";
import { projectRow } from "../../database/project-state.ts";
import { isSameOrBothEmpty } from "../../model/translation-text.ts";
import { textsAtService, textsInFiles, type ProjectWithFiles } from "./current-texts.ts";
import { draftState, replacedVersion, stateAfterSkip, type CurrentTexts } from "./decide-draft.ts";

/** Where the drafts are saved. */
export interface SaveTargets {
  /** Returns whether the texts of the language are at the service and not in local files. */
  isAtService(locale: string): boolean;
  /** Returns whether the key and the language of a draft still exist. */
  isSavable(draft: TranslationDraft): boolean;
  readonly sourceLocale: string;
}

/**
 * Groups the drafts by language: source texts first, which machine translations in files are compared with, then the other
 * local files. Those whose key or language no longer exists are left out.
 */
export function saveOrder(
  drafts: readonly TranslationDraft[],
  targets: SaveTargets,
): readonly (readonly [string, readonly TranslationDraft[]])[] {
  const savable = drafts.filter((draft) => targets.isSavable(draft));
  const rank = (locale: string): number =>
    locale === targets.sourceLocale ? 0 : targets.isAtService(locale) ? 2 : 1;
  return [...Map.groupBy(savable, ({ locale }) => locale)].sort(([a], [b]) => rank(a) - rank(b));
}

/**
 * Returns whether the languages after this failure are not tried: requests would fail as well, unless the service refused
 * this language or its content.
 */
export function endsSave(error: unknown, isAtService: boolean): boolean {
  return isAtService && !isApiError(error, "not_found") && !isApiError(error, "invalid");
}

/** Returns the name of a draft's key. */
export type NameOf = (draft: DraftId) => KeyName;

/** A draft that was not written: the service's message, or why the file cannot contain it. */
export interface RefusedDraft {
  readonly draft: TranslationDraft;
  readonly reason: string | LocalRefusal;
}

/** The result for each draft. */
export interface SaveResult {
  /** The stored text now is the draft, or what the service normalised it to. */
  readonly saved: readonly TranslationDraft[];
  readonly conflicts: readonly TranslationDraft[];
  /** Machine translations whose source text has changed since; not written. */
  readonly stale: readonly TranslationDraft[];
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
  drafts: readonly TranslationDraft[],
  nameOf: NameOf,
  options: RequestOptions = {},
): Promise<SaveResult> {
  const { client, project, refresher } = dependencies;
  const person = { priority: "person", ...options } as const;
  const current = (draft: DraftId): CurrentTexts => textsAtService(project, draft);
  const isStored = (draft: TranslationDraft): boolean =>
    isSameOrBothEmpty(current(draft).stored.text, draft.text);
  const items = new Map<TranslationDraft, TranslationItem>();
  const saved: TranslationDraft[] = [];
  const conflicts: TranslationDraft[] = [];
  const stale: TranslationDraft[] = [];
  const written: TranslationDraft[] = [];
  const skipped: { readonly draft: TranslationDraft; readonly reason: string }[] = [];
  const refused: RefusedDraft[] = [];
  /** Sent without a response, so that only what is read back tells whether they were written. */
  const unanswered: TranslationDraft[] = [];
  let failure: SaveResult["failure"] = null;
  try {
    if (drafts.some(({ source }) => source !== null)) await refresher.refreshKeys(person);
    // What the drafts are compared with.
    if (drafts.length > 0 && !project.isComplete(locale)) await refresher.ensureLocale(locale, person);
    for (const draft of drafts) {
      const texts = current(draft);
      const state = draftState(draft, texts);
      if (state === "stale") stale.push(draft);
      else if (state === "conflict") conflicts.push(draft);
      else {
        // What is stored as far as is known may be another text by now.
        const version = replacedVersion(draft, texts.stored);
        items.set(draft, toTranslationItem({ name: nameOf(draft), text: draft.text, version }));
      }
    }
    for (const batch of batchesOf(items, client.maxItems.write)) {
      for (let rest = batch; rest.length > 0;) {
        const sent = rest.map(([, item]) => item);
        try {
          const result = await writeInBatches(client, locale, sent, "overwrite", person);
          const reasons = new Map(result.skipped.map(({ item, reason }) => [item, reason]));
          // If an entry identifies no item, or there is no list, the state that is read back decides.
          const unnamed = reasons.get(null) ?? (result.unconfirmed.length > 0 ? "" : undefined);
          for (const [draft, item] of rest) {
            const reason = reasons.get(item) ?? unnamed;
            if (reason === undefined) written.push(draft);
            else skipped.push({ draft, reason });
          }
          break;
        } catch (error) {
          if (mayHaveBeenExecuted(error)) unanswered.push(...rest.map(([draft]) => draft));
          const reasons = refusalReasons(error);
          if (reasons.size === 0) throw error;
          // Sent again without those that the service refuses.
          for (const [index, [draft]] of rest.entries()) {
            const reason = reasons.get(index);
            if (reason !== undefined) refused.push({ draft, reason });
          }
          rest = rest.filter((_, index) => !reasons.has(index));
        }
      }
    }
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
  const derived = written.flatMap((draft) => {
    const item = items.get(draft);
    const row = project.translations.get(locale, draft.hash);
    // A service may give no versions.
    const isAsBefore =
      row?.version === (item?.version ?? null) && isSameOrBothEmpty(row.text, draft.base) && !isStored(draft);
    return item !== undefined && (row === undefined || isAsBefore)
      ? [projectRow(rowFromItem(item, draft.text))]
      : [];
  });
  await refresher.applyRows(locale, derived);
  saved.push(...written, ...unanswered.filter(isStored));
  for (const { draft, reason } of skipped) {
    const became = stateAfterSkip(draft, reason, current(draft), isReadBack);
    if (became === "unknown") failure ??= { error: missingSkippedError(locale) };
    else if (became === "refused") refused.push({ draft, reason });
    else ({ stored: saved, stale, conflict: conflicts })[became].push(draft);
  }
  return { saved, conflicts, stale, refused, failure };
}

/** Returns why the service refused items of a request, by their index. */
function refusalReasons(error: unknown): ReadonlyMap<number, string> {
  const entries = isApiError(error, "invalid") ? (error.refused ?? []) : [];
  return new Map(entries.map(({ index, messages }) => [index, messages.join(" ")]));
}

function missingSkippedError(locale: string): ApiError {
  const endpoint = `PUT /translations/${locale}`;
  const field = "data.skipped";
  return new ApiError("bad_response", `${endpoint}: ${field} is missing`, { endpoint, field });
}

/** Yields the drafts and items of each request; items without a version are written in another mode. */
function* batchesOf(
  items: ReadonlyMap<TranslationDraft, TranslationItem>,
  maxItems: number,
): Generator<readonly (readonly [TranslationDraft, TranslationItem])[]> {
  for (const isNew of [false, true]) {
    const ofMode = [...items].filter(([, { version }]) => (version === null) === isNew);
    for (let start = 0; start < ofMode.length; start += maxItems) yield ofMode.slice(start, start + maxItems);
  }
}

/**
 * Writes drafts to the local files, changing only the bytes of their entries. Those in conflict with the files as they now are
 * on disk, translations and source texts, are not written.
 * @throws {Error} if a file cannot be read or written
 */
export async function saveInFiles(
  { files, ...target }: ProjectWithFiles & { readonly files: ProjectFiles },
  drafts: readonly TranslationDraft[],
  nameOf: NameOf,
  signal?: AbortSignal,
): Promise<SaveResult & { readonly changed: readonly string[] }> {
  const { local } = target;
  await local.reload(signal);
  const groups = Object.groupBy(drafts, (draft) => draftState(draft, textsInFiles(target, draft)));
  const { stored = [], current: writable = [], conflict: conflicts = [], stale = [] } = groups;
  const byChange = new Map<LocalChange, TranslationDraft>(
    writable.map((draft) => [{ name: nameOf(draft), locale: draft.locale, text: draft.text }, draft]),
  );
  const plan = await local.planEdit([...byChange.keys()], signal);
  const refused = plan.refused.flatMap((reason): RefusedDraft[] => {
    const draft = byChange.get(reason.change);
    return draft === undefined ? [] : [{ draft, reason }];
  });
  const outcome = plan.writes.length === 0 ? null : await files.write(plan.writes);
  const isWritten = outcome === null || outcome.kind === "written";
  const isRefused = new Set(refused.map(({ draft }) => draft));
  const written = isWritten ? writable.filter((draft) => !isRefused.has(draft)) : [];
  return {
    saved: [...stored, ...written],
    conflicts,
    stale,
    refused,
    failure: null,
    changed: outcome?.kind === "changed" ? outcome.paths : [],
  };
}
