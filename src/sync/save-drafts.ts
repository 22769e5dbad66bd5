/**
 * Writes drafts to the service by the rules of every write: where nothing was there only what is still empty is filled,
 * else each carries the version that it was made from. What is written is no draft any more.
 */
import type { RequestOptions } from "../api/client.ts";
import type { TranslationDraft, TranslationDrafts } from "../database/translation-drafts.ts";
import { keyHash, type KeyName } from "../model/key-identity.ts";
import { setTranslations, type EditDependencies, type TranslationEdit } from "./edit.ts";

export interface SavedDrafts {
  readonly written: number;
  /** Still drafts: somebody wrote in between, the service refused them, or it has no such key. */
  readonly skipped: readonly (KeyName & { readonly locale: string; readonly reason: string })[];
  /** A request failed; `left`: how many drafts it and those after it were to write. */
  readonly failure: { readonly error: unknown; readonly left: number } | null;
}

export interface SaveDraftsDependencies extends EditDependencies {
  readonly drafts: TranslationDrafts;
}

/** Writes the drafts, language by language. Throws nothing of a request: that is `failure`. */
export async function saveDrafts(
  needs: SaveDraftsDependencies,
  drafts: readonly TranslationDraft[],
  options: RequestOptions & { readonly onProgress?: (done: number, total: number) => void } = {},
): Promise<SavedDrafts> {
  const skipped: SavedDrafts["skipped"][number][] = [];
  let written = 0;
  let done = 0;
  for (const group of groupsOf(drafts)) {
    const named = group.drafts.flatMap((draft) => {
      const name = needs.project.keys.get(draft.hash);
      return name === undefined ? [] : [{ draft, name }];
    });
    const { locale } = group;
    for (const { hash } of group.drafts.filter((draft) => !named.some((each) => each.draft === draft)))
      skipped.push({ locale, namespace: "", key: hash, context: null, reason: "unknown_key" });
    const edits = named.map(({ draft, name }): TranslationEdit => ({
      name,
      text: draft.text,
      ...(group.mode === "overwrite" ? { version: draft.baseVersion } : {}),
    }));
    const finished = done;
    const onProgress = (sent: number): void => options.onProgress?.(finished + sent, drafts.length);
    try {
      const result =
        edits.length === 0
          ? { written: 0, skipped: [], failure: null }
          : await setTranslations(needs, locale, edits, group.mode, { ...options, onProgress });
      written += result.written;
      const refused = new Set(result.skipped.map(({ name }) => keyHash(needs.sha1, name)));
      const sent = named.slice(0, result.failure?.sent ?? named.length).map(({ draft }) => draft);
      needs.drafts.remove(sent.filter(({ hash }) => !refused.has(hash)));
      skipped.push(...result.skipped.map(({ name, reason }) => ({ ...name, locale, reason })));
      if (result.failure !== null) {
        const left = drafts.length - done - result.failure.sent;
        return { written, skipped, failure: { error: result.failure.error, left } };
      }
    } catch (error) {
      return { written, skipped, failure: { error, left: drafts.length - done } };
    }
    done += group.drafts.length;
  }
  return { written, skipped, failure: null };
}

/** So many are written, and removed, at a time. */
const MAX_GROUP = 1_000;

interface Group {
  readonly locale: string;
  readonly mode: "fill_empty" | "overwrite";
  readonly drafts: readonly TranslationDraft[];
}

function groupsOf(drafts: readonly TranslationDraft[]): readonly Group[] {
  return [...Map.groupBy(drafts, ({ locale }) => locale)].flatMap(([locale, own]) =>
    (["fill_empty", "overwrite"] as const).flatMap((mode) => {
      const those = own.filter(
        ({ base, baseVersion }) => (base === null || baseVersion === null) === (mode === "fill_empty"),
      );
      const groups: Group[] = [];
      for (let start = 0; start < those.length; start += MAX_GROUP)
        groups.push({ locale, mode, drafts: those.slice(start, start + MAX_GROUP) });
      return groups;
    }),
  );
}
