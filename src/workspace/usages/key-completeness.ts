/** Decides when a missing key may be reported as unknown. */
import type { Project } from "../../database/project-state.ts";
import type { LocalFiles } from "../local-files/local-file.ts";

/** How completely a project's keys are known. */
export interface KeyCompleteness {
  readonly project: Pick<Project, "keysComplete"> & {
    readonly source: Pick<Project["source"], "hasService" | "isKnown">;
    readonly freshness: Pick<Project["freshness"], "kind">;
  };
  /** `null` until the translation files are read. */
  readonly local: Pick<LocalFiles, "locales"> | null;
  /** Whether keys are source texts (gettext): a missing one is displayed as it is, and often not extracted yet. */
  readonly areKeysTexts: boolean;
  /** Whether all source files have been scanned. */
  readonly areUsagesComplete: boolean;
}

/**
 * Whether all keys are known: those of the service (without a sign-in, of the files), of all translation files and of
 * all code.
 */
export function isEveryKeyKnown(known: KeyCompleteness): boolean {
  const { keysComplete, source, freshness } = known.project;
  const isUpToDate = source.isKnown && (source.hasService ? freshness.kind === "fresh" : !known.areKeysTexts);
  return keysComplete && isUpToDate && known.local !== null && known.areUsagesComplete;
}
