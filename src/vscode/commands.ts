/**
 * The one entry point to `registerCommand`. A command never throws to its caller: whatever goes wrong becomes a log line with
 * its stack, one sentence with one next step, and a plain JSON result (command-result.ts).
 */
import { commands, Uri, type Disposable } from "vscode";
import type { Run } from "./app.ts";
import type { LogChannel } from "./log.ts";
import { failureOf, nextStep, type NextStep } from "./ui/error-messages.ts";
import { showError, showWarning } from "./notifications.ts";
import {
  CommandError,
  PartlyDone,
  type CommandResult,
  type CommonOptions,
  type Failure,
  type OwnStep,
} from "./command-result.ts";
import { withRun } from "./progress.ts";
import { l10n } from "./l10n.ts";

/** Elements of trees give a command its options by this member. */
export interface CommandSource {
  readonly commandOptions: object;
}

export interface CommandDependencies {
  readonly log: LogChannel;
  /** What every command waits for: the projects of the window are known. */
  readonly ready: () => Promise<void>;
}

/** Failures that a command already said to the person, so that a command that ran it does not say them again. */
const reported = new WeakSet<Failure>();

/** Registers a command. `title` is what its progress is headed with. */
export function registerCommand<Options extends CommonOptions, Fields extends object>(
  dependencies: CommandDependencies,
  id: string,
  title: string,
  work: (options: Options, run: Run) => Promise<CommandResult<Fields>>,
): Disposable {
  const execute = async (...given: readonly unknown[]): Promise<CommandResult<Fields>> => {
    const options = optionsOf(given) as Options;
    const quiet = options.confirm === false;
    return withRun(title, quiet, async (run) => {
      try {
        await dependencies.ready();
        const result = await work(options, run);
        if (result.outcome === "failed")
          reportFailure(dependencies.log, id, result.error, undefined, quiet, options);
        return result;
      } catch (error) {
        const partly = error instanceof PartlyDone ? error : null;
        const cause: unknown = partly?.cause ?? error;
        const done = (partly?.fields ?? {}) as Partial<Fields>;
        const failure = isCancellation(cause, run.signal) ? null : failureOf(cause, partly?.message);
        if (failure === null || failure.code === "cancelled") {
          if (partly !== null) reportCancelled(dependencies.log, id, partly, quiet);
          return { outcome: "cancelled", ...done };
        }
        reportFailure(dependencies.log, id, failure, cause, quiet, options);
        return { outcome: "failed", error: failure, ...done };
      }
    });
  };
  return commands.registerCommand(id, execute);
}

/**
 * The options object of a call. Menus call otherwise: the explorer with a Uri and all selected ones, a tree with its
 * element.
 */
function optionsOf([first, second]: readonly unknown[]): CommonOptions {
  if (first instanceof Uri) {
    const selected = Array.isArray(second) && second.every((each) => each instanceof Uri) ? second : [first];
    return { folder: first, files: selected } as CommonOptions;
  }
  if (typeof first !== "object" || first === null) return {};
  return "commandOptions" in first ? (first as CommandSource).commandOptions : first;
}

function isCancellation(error: unknown, signal: AbortSignal): boolean {
  if (signal.aborted) return true;
  return error instanceof Error && (error.name === "AbortError" || error.name === "Canceled");
}

/** Says what a command did before it was cancelled. Waits for no answer. */
function reportCancelled(log: LogChannel, id: string, { message }: PartlyDone, quiet: boolean): void {
  log.info(`${id} was cancelled. ${message}`);
  if (!quiet) void showWarning(message);
}

/** Logs the failure and, unless nobody is there to read it, says it. Waits for no answer. */
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
  const steps: Record<NextStep, OwnStep | null> = {
    "sign-in": {
      label: l10n.t("Sign In"),
      act: () =>
        commands.executeCommand("projectTranslations.signIn", folder === undefined ? {} : { folder }),
    },
    "try-again": { label: l10n.t("Try Again"), act: () => commands.executeCommand(id, options) },
    "show-log": { label: l10n.t("Show Log"), act: () => log.show() },
    "manage-trust": {
      label: l10n.t("Manage Workspace Trust"),
      act: () => commands.executeCommand("workbench.trust.manage"),
    },
    none: null,
  };
  const step = (error instanceof CommandError ? error.step : undefined) ?? steps[nextStep(failure.code)];
  void showError(failure.message, ...(step === null ? [] : [step.label])).then((chosen) => {
    if (step !== null && chosen === step.label) return step.act();
    return undefined;
  });
}
