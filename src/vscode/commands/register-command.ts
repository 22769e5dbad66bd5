/**
 * The only module that calls `registerCommand`. A command never throws to its caller: an error is logged with its stack,
 * shown as one notification with one action, and returned as plain JSON (command-types.ts).
 */
import { commands, Uri, type Disposable } from "vscode";
import type { App, Command } from "../app.ts";
import { isAbortError } from "../../util/abort-error.ts";
import { definedFields } from "../../util/defined-fields.ts";
import type { LogChannel } from "../log.ts";
import { toFailure, nextStep, type NextStep } from "../ui/messages/error-messages.ts";
import { offerActions, showError, showWarning } from "../notifications.ts";
import {
  CommandError,
  PartialResultError,
  type CommandResult,
  type CommonOptions,
  type Failure,
  type NextAction,
} from "./command-types.ts";
import { runWithProgress } from "../ui/input/progress.ts";
import { l10n } from "../l10n.ts";

/** Implemented by tree elements: the options for a command that is run from the element's context menu. */
interface CommandSource {
  readonly commandOptions: object;
}

/** Failures that were already shown, so that a command that ran another command does not show them twice. */
const reported = new WeakSet<Failure>();

/** Registers a command. `title` is the title of its progress notification. */
export function registerCommand<Options extends CommonOptions, Fields extends object>(
  app: App,
  id: string,
  title: string,
  work: Command<Options, Fields>,
): Disposable {
  const execute = async (...args: readonly unknown[]): Promise<CommandResult<Fields>> => {
    const options = optionsOf(args) as Options;
    const quiet = options.confirm === false;
    return runWithProgress(title, quiet, async (run) => {
      try {
        if (isRowMissing(args))
          throw new CommandError(
            "not_found",
            l10n.t("The list has just been updated. Choose the row again."),
          );
        await app.projects.ready;
        const result = await work(app, options, run);
        if (result.outcome === "failed") reportFailure(app.log, id, result.error, undefined, quiet, options);
        return result;
      } catch (error) {
        const partly = error instanceof PartialResultError ? error : null;
        const cause: unknown = partly?.cause ?? error;
        const done = (partly?.fields ?? {}) as Partial<Fields>;
        if (isCancellation(cause, run.signal)) {
          if (partly !== null) reportCancelled(app.log, id, partly, quiet);
          return { outcome: "cancelled", ...done };
        }
        const failure = toFailure(cause, partly?.message);
        reportFailure(app.log, id, failure, cause, quiet, options);
        return { outcome: "failed", error: failure, ...done };
      }
    });
  };
  return commands.registerCommand(id, execute);
}

/**
 * Returns the options of a call. The explorer menu passes the clicked Uri and all selected ones, a tree view its element.
 */
function optionsOf([first, second]: readonly unknown[]): CommonOptions {
  if (first instanceof Uri) {
    const selected = Array.isArray(second) && second.every((each) => each instanceof Uri) ? second : [first];
    return { folder: first, files: selected } as CommonOptions;
  }
  if (typeof first !== "object" || first === null) return {};
  return "commandOptions" in first ? (first as CommandSource).commandOptions : first;
}

/**
 * Whether the command is of a tree row that VS Code is loading again: it passes nothing for the row then, so that the
 * command would apply to everything. Only rows pass a second argument, their selection, in any case.
 */
function isRowMissing(args: readonly unknown[]): boolean {
  const [row] = args;
  return args.length > 1 && (row === undefined || row === null);
}

/** Whether nothing went on after the cancellation: a write whose response did not arrive is a failure. */
function isCancellation(error: unknown, signal: AbortSignal): boolean {
  if (signal.aborted && error === signal.reason) return true;
  return isAbortError(error);
}

/** Logs and shows what a command did before it was cancelled. Does not wait for the notification to be dismissed. */
function reportCancelled(log: LogChannel, id: string, { message }: PartialResultError, quiet: boolean): void {
  log.info(`${id} was cancelled. ${message}`);
  if (!quiet) void showWarning(message);
}

/** Logs the failure and, unless `quiet`, shows it. Does not wait for the notification to be dismissed. */
function reportFailure(
  log: LogChannel,
  id: string,
  failure: Failure,
  error: unknown,
  quiet: boolean,
  options: CommonOptions,
): void {
  if (reported.has(failure)) return;
  log.error(`${id} failed (${failure.code})`, error ?? failure.message);
  if (quiet) return;
  reported.add(failure);
  const { folder } = options;
  const steps: Partial<Record<NextStep, NextAction>> = {
    "sign-in": {
      label: l10n.t("Sign In"),
      act: () => commands.executeCommand("projectTranslations.signIn", definedFields({ folder })),
    },
    "try-again": { label: l10n.t("Try Again"), act: () => commands.executeCommand(id, options) },
    "show-log": { label: l10n.t("Show Log"), act: () => log.show() },
    "manage-trust": {
      label: l10n.t("Manage Workspace Trust"),
      act: () => commands.executeCommand("workbench.trust.manage"),
    },
  };
  const step = (error instanceof CommandError ? error.step : undefined) ?? steps[nextStep(failure.code)];
  offerActions(showError, failure.message, ...(step === undefined ? [] : [step]));
}
