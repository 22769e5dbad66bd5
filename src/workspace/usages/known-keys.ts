/** When a key that nothing has may be called unknown. */
import type { LocalFiles } from "../local-files/locale-entries.ts";
import type { Freshness, Session } from "../../database/project-state.ts";

/** What is known of a project's keys. `local`: `null` until its files were read. */
export interface KnownKeys {
  readonly project: {
    readonly session: Pick<Session, "kind">;
    readonly keysComplete: boolean;
    readonly isLocal: boolean;
    readonly freshness: Pick<Freshness, "kind">;
  };
  readonly local: Pick<LocalFiles, "files"> | null;
  /** Keys are source texts (gettext): one that no file has is shown as it is, and often not extracted yet. */
  readonly areKeysTexts: boolean;
  /** All source files were searched. */
  readonly areUsagesComplete: boolean;
}

/**
 * Whether every key is known as of now: all of the service's (where nobody is signed in, of the files), all translation
 * files and all code were read.
 */
export function isEveryKeyKnown({ project, local, areKeysTexts, areUsagesComplete }: KnownKeys): boolean {
  return (
    project.keysComplete &&
    ((project.isLocal && !areKeysTexts) ||
      (project.session.kind === "signed-in" && project.freshness.kind === "fresh")) &&
    local !== null &&
    areUsagesComplete
  );
}
