/** All declared commands. */
import type { CommandDeclaration } from "./define-command.ts";
import * as keys from "./declarations/key-commands.ts";
import * as session from "./declarations/session-commands.ts";
import * as sync from "./declarations/sync-commands.ts";
import * as texts from "./declarations/text-commands.ts";
import * as usageReport from "./declarations/usage-report-commands.ts";
import * as windows from "./declarations/window-commands.ts";

/** The declarations by group and id, as in docs/commands.md. */
export const ALL_COMMANDS: readonly CommandDeclaration[] = [
  session,
  sync,
  texts,
  keys,
  usageReport,
  windows,
].flatMap((group) =>
  (Object.values(group) as readonly CommandDeclaration[]).toSorted((a, b) => (a.id < b.id ? -1 : 1)),
);
