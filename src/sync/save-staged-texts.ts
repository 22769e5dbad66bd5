/** Saves drafts: to the service by the version that each was begun on, and to the local files. */
import { writeAll } from "../api/batches.ts";
import { MAX, type TranslationItem } from "../api/endpoints.ts";
import { isApiError } from "../api/errors.ts";
import type { RequestOptions } from "../api/client.ts";
import type { TranslationDraft } from "../database/translation-drafts.ts";
import type { KeyName } from "../model/key-identity.ts";
import type { ProjectFiles } from "../model/platform.ts";
import type { LocalEntries, LocalRefusal } from "../workspace/local-files/local-entries.ts";
import { itemOf, writtenRow, type EditDependencies } from "./edit.ts";
import { projectRow } from "../database/project-state.ts";
import { isSame } from "./staged-texts.ts";

/** A draft and its key. */
export interface NamedDraft {
  readonly draft: TranslationDraft;
  readonly name: KeyName;
}

/** Why a draft was not written, in the service's words or as the file's refusal. */
export interface RefusedDraft extends NamedDraft {
  readonly reason: string | LocalRefusal;
}

export interface SavedDrafts {
  /** What stands there now is what the draft says. */
  readonly saved: readonly TranslationDraft[];
  readonly conflicts: readonly NamedDraft[];
  /** Of a machine, whose source text was changed since: they are not written. */
  readonly stale: readonly NamedDraft[];
  readonly refused: readonly RefusedDraft[];
  /** Ended the work: what is in no list was not tried, or nobody knows what came of it. */
  readonly failure: { readonly error: unknown } | null;
}

/**
 * Writes drafts of one language to the service, at most 1,000 in a request ("An item carrying `version` is refused when
 * the translation has changed since it was read"). An item that the service refuses keeps no other from being written.
 * What was written is read back once; never throws. Before texts of a machine are written their source texts are read anew.
 */
export async function saveAtService(
  dependencies: EditDependencies,
  locale: string,
  drafts: readonly NamedDraft[],
  options: RequestOptions = {},
): Promise<SavedDrafts> {
  const person = { priority: "person", ...options } as const;
  const stale: NamedDraft[] = [];
  const written: NamedDraft[] = [];
  const skipped: RefusedDraft[] = [];
  const refused: RefusedDraft[] = [];
  let failure: SavedDrafts["failure"] = null;
  try {
    if (drafts.some(({ draft }) => draft.source !== null)) await dependencies.refresher.refreshKeys(person);
    const isStale = ({ draft: { hash, source } }: NamedDraft): boolean =>
      source !== null && !isSame(dependencies.project.keys.text(hash) ?? null, source);
    stale.push(...drafts.filter(isStale));
    const current = drafts.filter((each) => !isStale(each));
    for (const chunk of chunksOf(current))
      await writeChunk(dependencies, locale, chunk, person, { written, skipped, refused });
  } catch (error) {
    failure = { error };
  }
  if (written.length + skipped.length > 0) {
    try {
      await dependencies.refresher.refresh(person);
    } catch (error) {
      failure ??= { error };
    }
  }
  const stored = (draft: TranslationDraft) => dependencies.project.translations.get(locale, draft.hash);
  const isRead = ({ draft }: NamedDraft): boolean => {
    const row = stored(draft);
    return row !== undefined && (row.version !== draft.baseVersion || isSame(row.text, draft.text));
  };
  // Not read back: as far as it is known from what was sent.
  const unread = written.filter((each) => !isRead(each));
  dependencies.refresher.takeRows(
    locale,
    unread.map(({ draft, name }) => projectRow(writtenRow(sent({ draft, name }), draft.text))),
  );
  const isThere = ({ draft }: NamedDraft): boolean => isSame(stored(draft)?.text ?? null, draft.text);
  const left = skipped.filter((each) => !isThere(each));
  const isConflict = ({ draft }: NamedDraft): boolean =>
    (stored(draft)?.version ?? null) !== draft.baseVersion;
  return {
    saved: [...written, ...skipped.filter(isThere)].map(({ draft }) => draft),
    conflicts: left.filter(isConflict),
    stale,
    refused: [...refused, ...left.filter((each) => !isConflict(each))],
    failure,
  };
}

interface Sorted {
  readonly written: NamedDraft[];
  readonly skipped: RefusedDraft[];
  readonly refused: RefusedDraft[];
}

async function writeChunk(
  dependencies: EditDependencies,
  locale: string,
  drafts: readonly NamedDraft[],
  options: RequestOptions,
  into: Sorted,
): Promise<void> {
  for (let rest = drafts; rest.length > 0;) {
    const items = rest.map(sent);
    try {
      const result = await writeAll(dependencies.client, locale, items, "overwrite", options);
      const reasons = new Map(result.skipped.map(({ item, reason }) => [item, reason]));
      // Of an entry that names no item nobody can say which it is: what is read back decides.
      const unnamed = reasons.get(null);
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

/** One request each: items without a version are written in another mode. */
function* chunksOf(drafts: readonly NamedDraft[]): Generator<readonly NamedDraft[]> {
  for (const isNew of [false, true]) {
    const some = drafts.filter(({ draft }) => (draft.baseVersion === null) === isNew);
    for (let start = 0; start < some.length; start += MAX.write) yield some.slice(start, start + MAX.write);
  }
}

function sent({ draft, name }: NamedDraft): TranslationItem {
  return itemOf({ name, text: draft.text, version: draft.baseVersion });
}

/** Writes drafts to the local files, where only the entries' own bytes change. Throws where a file cannot be read or written. */
export async function saveInFiles(
  { local, files }: { readonly local: LocalEntries; readonly files: ProjectFiles },
  drafts: readonly NamedDraft[],
  baseOf: (draft: TranslationDraft) => TranslationDraft["base"],
  signal?: AbortSignal,
): Promise<SavedDrafts & { readonly changed: readonly string[] }> {
  await local.reload(signal);
  const now = drafts.map((each) => ({ ...each, text: baseOf(each.draft) }));
  const saved = now.filter(({ draft, text }) => isSame(text, draft.text)).map(({ draft }) => draft);
  const left = now.filter(({ draft, text }) => !isSame(text, draft.text));
  const conflicts = left.filter(({ draft, text }) => !isSame(text, draft.base));
  const wanted = left.filter(({ draft, text }) => isSame(text, draft.base));
  const changes = wanted.map(({ draft, name }) => ({ name, locale: draft.locale, text: draft.text }));
  const plan = await local.planEdit(changes, signal);
  const refused = plan.refused.flatMap((reason): RefusedDraft[] => {
    const each = wanted[changes.findIndex((change) => change === reason.change)];
    return each === undefined ? [] : [{ ...each, reason }];
  });
  const outcome = plan.writes.length === 0 ? null : await files.write(plan.writes);
  const isWritten = outcome === null || outcome.kind === "written";
  const isRefused = new Set(refused.map(({ draft }) => draft));
  const written = isWritten ? wanted.map(({ draft }) => draft).filter((draft) => !isRefused.has(draft)) : [];
  return {
    saved: [...saved, ...written],
    conflicts,
    stale: [],
    refused,
    failure: null,
    changed: outcome?.kind === "changed" ? outcome.paths : [],
  };
}
