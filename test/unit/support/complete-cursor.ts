/** Where the reading of a project stands once all of its keys, or all rows of a language, were read. */
import type { SyncCursor } from "../../../src/database/sync-metadata-repository.ts";

export const COMPLETE_CURSOR: SyncCursor = {
  contentVersion: 1,
  counts: [],
  since: null,
  keysSince: null,
  fullReadAt: 0,
  differences: [],
};
