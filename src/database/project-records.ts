/** A key and a translation of a project, as stored on this machine. */

import type { QaIssue } from "../api/schemas.ts";
import type { Text } from "../model/text.ts";
import type { KeyName } from "../model/key-identity.ts";
/** One active key (§ Key), as kept. `text` is null when the service has no source text. */
export interface ProjectKey extends KeyName {
  readonly hash: string;
  readonly isPlural: boolean;
  readonly text: Text | null;
  readonly sourceHash: string | null;
  readonly description: string | null;
  readonly maxLength: number | null;
  readonly tags: readonly string[];
  readonly updatedAt: string | null;
}

/** One translation row (§ Translation row), as kept; its key's name is found by the hash. */
export interface ProjectRow {
  readonly hash: string;
  readonly text: Text | null;
  readonly isTranslated: boolean;
  readonly isOutdated: boolean;
  readonly issues: readonly QaIssue[];
  readonly version: number | null;
  readonly updatedAt: string | null;
}

/** Many keys have no tags: one empty list serves them all. */
export const NO_TAGS: readonly string[] = [];

/** Most rows have no issues: one empty list serves them all. */
export const NO_ISSUES: readonly QaIssue[] = [];
