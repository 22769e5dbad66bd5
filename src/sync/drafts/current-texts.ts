/** The texts that drafts are compared with, as they were last read from where drafts are saved to. */
import type { Project } from "../../database/project-state.ts";
import type { DraftId } from "../../database/personal/translation-draft-repository.ts";
import type { LocalEntries } from "../../workspace/local-files/local-entries.ts";
import type { CurrentTexts } from "./decide-draft.ts";

/** Returns what the service has. */
export function textsAtService(
  { keys, translations }: Pick<Project, "keys" | "translations">,
  { locale, hash }: DraftId,
): CurrentTexts {
  return {
    stored: translations.get(locale, hash) ?? { text: null, version: null },
    source: keys.text(hash) ?? null,
  };
}

/** A project with its local files. */
export interface ProjectWithFiles {
  readonly project: Pick<Project, "keys" | "sourceLocale">;
  readonly local: LocalEntries;
}

/** Returns what the local files have, whose texts have no versions. */
export function textsInFiles({ project, local }: ProjectWithFiles, { locale, hash }: DraftId): CurrentTexts {
  const sourceLocale = project.sourceLocale ?? local.sourceLocale;
  const source = local.find(hash, sourceLocale)?.text ?? null;
  const text =
    locale === sourceLocale
      ? // A key that only the service has is written into the files.
        (source ?? project.keys.text(hash) ?? null)
      : (local.find(hash, locale)?.text ?? null);
  return { stored: { text, version: null }, source };
}
