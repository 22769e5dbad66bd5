/** What `push`, `pull` and `import` have in common: they write only with `--yes`, and say what they did. */
import { PartialResultError, type CommandResult } from "../commands/command-types.ts";
import { oneLine } from "../messages/escape-text.ts";
import { readOnlyError, toFailure } from "../messages/error-messages.ts";
import { l10n } from "../util/l10n.ts";
import { openFolder, type OpenedProject } from "../projects/open-folder.ts";
import type { ServiceConnection } from "../projects/sign-in.ts";
import { CommandLineError, EXIT, print } from "./arguments.ts";
import { failureText } from "./failure-text.ts";
import { createProgress, type Progress } from "./progress.ts";
import { accessTo } from "./service-access.ts";

/** One of both is needed. */
export const SYNC_USAGE = "(--dry-run | --yes)";
/** Options of the commands. */
export const SYNC_OPTIONS = {
  "dry-run": { type: "boolean", isHidden: true },
  yes: { type: "boolean", isHidden: true },
  json: { type: "boolean" },
  cache: { type: "string", value: "FOLDER" },
} as const;

interface SyncArguments {
  readonly "dry-run"?: boolean | undefined;
  readonly yes?: boolean | undefined;
  readonly json?: boolean | undefined;
  readonly cache?: string | undefined;
}

/** A command that is running. */
export interface SyncRun {
  readonly open: OpenedProject;
  readonly service: ServiceConnection;
  readonly isDryRun: boolean;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/** What a command did, or would do. */
export interface SyncReport {
  /** As that of the editor's command (docs/commands.md). */
  readonly result: CommandResult<Readonly<Record<string, unknown>>>;
  /** The same for people. */
  readonly lines: readonly string[];
  /** Whether there is something to do (of a dry run), or something was refused or left. */
  readonly isOpen: boolean;
}

/**
 * Runs a command in the only project of a folder, and prints what it did. Returns the exit code.
 * @param needsWrite Whether the token must be allowed to write.
 */
export async function runSyncCommand(
  folder: string,
  args: SyncArguments,
  { signal, needsWrite }: { readonly signal: AbortSignal; readonly needsWrite: boolean },
  work: (run: SyncRun) => Promise<SyncReport>,
): Promise<number> {
  const { "dry-run": isDryRun = false, yes = false, json = false, cache } = args;
  if (isDryRun === yes)
    throw new CommandLineError(l10n.t("Add --dry-run to see what would be done, or --yes to do it."));
  const progress = createProgress();
  try {
    const opened = await openFolder(folder, {
      signal,
      cache,
      reads: "nothing",
      writes: yes,
      connect: { accessTo, progress },
    });
    try {
      const [open] = opened.projects;
      if (open?.service == null) throw new Error("one project was connected");
      if (needsWrite && open.project.source.refusal === "read-only") throw readOnlyError(open.project);
      const { service } = open;
      const { result, lines, isOpen } = await work({ open, service, isDryRun, progress, signal });
      progress.clear();
      print(json ? JSON.stringify(result, null, 2) : lines.map(oneLine).join("\n"));
      return isOpen ? EXIT.findings : EXIT.nothing;
    } finally {
      await opened.close();
    }
  } catch (error) {
    progress.clear();
    if (json && !(error instanceof CommandLineError)) print(JSON.stringify(failed(error, signal), null, 2));
    throw error;
  }
}

function failed(error: unknown, signal: AbortSignal): object {
  const partly = error instanceof PartialResultError ? error : null;
  const done: object = partly?.fields ?? {};
  if (signal.aborted) return { outcome: "cancelled", message: failureText(error, signal), ...done };
  return { outcome: "failed", error: toFailure(partly?.cause ?? error, partly?.message), ...done };
}
