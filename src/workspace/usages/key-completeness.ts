/** Decides when a missing key may be reported as unknown. */
import type { LocalFiles } from "../local-files/local-file.ts";
import type { Freshness, Session } from "../../database/project-state.ts";

/** How completely a project's keys are known. `local`: `null` until its files are read. */
export interface KeyCompleteness {
  readonly project: {
    readonly session: Pick<Session, "kind">;
    readonly keysComplete: boolean;
    readonly isLocal: boolean;
    readonly freshness: Pick<Freshness, "kind">;
  };
  readonly local: Pick<LocalFiles, "files"> | null;
  /** Whether keys are source texts (gettext): a missing one is displayed as it is, and often not extracted yet. */
  readonly areKeysTexts: boolean;
  /** Whether all source files have been searched. */
  readonly areUsagesComplete: boolean;
}

/**
 * Whether all keys are known: those of the service (without a sign-in, of the files), of all translation files and of
 * all code.
 */
export function isEveryKeyKnown({
  project,
  local,
  areKeysTexts,
  areUsagesComplete,
}: KeyCompleteness): boolean {
  return (
    project.keysComplete &&
    ((project.isLocal && !areKeysTexts) ||
      (project.session.kind === "signed-in" && project.freshness.kind === "fresh")) &&
    local !== null &&
    areUsagesComplete
  );
}
