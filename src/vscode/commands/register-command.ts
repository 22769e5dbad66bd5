/**
 * The only module that calls `registerCommand`. A command never throws to its caller: an error is logged with its stack,
 * shown as one notification with one action, and returned as plain JSON (command-types.ts).
 */
import { commands, type Disposable } from "vscode";
import { signInCommand, signOutCommand } from "../../commands/declarations/session-commands.ts";
import type { CommandDeclaration, FieldsOf, OptionsOf } from "../../commands/define-command.ts";
import { parseOptions } from "../../commands/parse-options.ts";
import type { App, CommandWork, Granted } from "../app.ts";
import type { OpenProject } from "../projects/open-project.ts";
import { requireNeeds } from "./command-requirements.ts";
import { explainRefusal } from "./explain-refusal.ts";
import { isApiError } from "../../api/errors.ts";
import { isAbortError } from "../../util/abort-error.ts";
import { definedFields } from "../../util/defined-fields.ts";
import type { LogChannel } from "../log.ts";
import { toFailure, nextStep, type NextStep } from "../../messages/error-messages.ts";
import { offerActions, showError, showWarning } from "../notifications.ts";
import {
  CommandError,
  KeptInputError,
  PartialResultError,
  type CommandResult,
  type CommonOptions,
  type Failure,
  type NextAction,
} from "../../commands/command-types.ts";
import { runWithProgress } from "../ui/input/progress.ts";
import { l10n } from "../../util/l10n.ts";
import { readArguments } from "./call-arguments.ts";
import { optionProblemMessage, refusedOption } from "../../messages/option-messages.ts";

type Execute = (...args: readonly unknown[]) => Promise<CommandResult>;

/** The commands of this window. */
export class Commands {
  readonly #app: () => App;
  readonly #registered = new Map<string, Execute>();

  /** @param app is called when a command runs */
  constructor(app: () => App) {
    this.#app = app;
  }

  /** Registers the work of a declared command, as `App.command`. */
  register<Declared extends CommandDeclaration>(
    declaration: Declared,
    work: CommandWork<Declared>,
    choose = (options: OptionsOf<Declared>): Promise<OpenProject> =>
      this.#app().projects.choose(options as CommonOptions),
  ): Disposable {
    const { id } = declaration;
    const execute: Execute = (...args) => {
      const call = readArguments(declaration, args);
      const given = call.kind === "options" ? call.options : {};
      const quiet = isQuiet(given);
      return runWithProgress(l10n.t(declaration.title), quiet, async (run) => {
        const app = this.#app();
        /** Once they are checked. */
        let options: CommonOptions = {};
        let needsSignIn = false;
        let open: OpenProject | undefined;
        try {
          if (call.kind === "missing-row")
            throw new CommandError(
              "not_found",
              l10n.t("The list has just been updated. Choose the row again."),
            );
          const checked = requireOptions(declaration, given);
          options = checked as CommonOptions;
          await app.projects.ready;
          const granted = await requireNeeds(declaration.needs, () => choose(checked)).catch(
            (error: unknown) => {
              // What needs a sign-in asks for it.
              needsSignIn = error instanceof CommandError && error.code === "not_signed_in";
              throw error;
            },
          );
          ({ open } = granted);
          // The work throws when it fails; a failure that it returns is that of a command that it ran, which has shown it.
          return await work(app, checked, { ...run, ...(granted as Granted<Declared["needs"]>) });
        } catch (error) {
          const partly = error instanceof PartialResultError ? error : null;
          const cause = await explainRefusal(open, partly?.cause ?? error);
          const done: object = partly?.fields ?? {};
          if (isCancellation(cause, run.signal)) {
            if (partly !== null) reportCancelled(app.log, id, partly, quiet);
            return { outcome: "cancelled", ...done };
          }
          const failure = toFailure(cause, partly?.message, open);
          if (needsSignIn && !quiet) {
            app.log.info(`${id} needs a sign-in`);
            void this.run(signInCommand, definedFields({ folder: options.folder }));
            return { outcome: "failed", error: failure };
          }
          this.#reportFailure(id, failure, cause, quiet, options);
          return { outcome: "failed", error: failure, ...done };
        }
      });
    };
    this.#registered.set(id, execute);
    return commands.registerCommand(id, execute);
  }

  /** Runs a command as its callers do. */
  async run<Declared extends CommandDeclaration>(
    { id }: Declared,
    options: OptionsOf<Declared>,
  ): Promise<CommandResult<FieldsOf<Declared>>> {
    const execute = this.#registered.get(id);
    if (execute === undefined) throw new Error(`${id} is not registered`);
    return execute(options);
  }

  /** Logs the failure and, unless `quiet`, shows it. Does not wait for the notification to be dismissed. */
  #reportFailure(id: string, failure: Failure, error: unknown, quiet: boolean, options: CommonOptions): void {
    const { log } = this.#app();
    const { folder } = options;
    log.error(`${id} failed (${failure.code})`, error);
    if (quiet) return;
    const runs = (label: string, declaration: typeof signInCommand | typeof signOutCommand): NextAction => ({
      label,
      act: () => this.run(declaration, definedFields({ folder })),
    });
    const steps: Partial<Record<NextStep, NextAction>> = {
      "sign-in": runs(l10n.t("Sign In"), signInCommand),
      "sign-out": runs(l10n.t("Sign Out"), signOutCommand),
      "try-again": { label: l10n.t("Try Again"), act: () => this.#registered.get(id)?.(options) },
      "show-log": { label: l10n.t("Show Log"), act: () => log.show() },
      "manage-trust": {
        label: l10n.t("Manage Workspace Trust"),
        act: () => commands.executeCommand("workbench.trust.manage"),
      },
    };
    const next = nextStep(failure);
    const own = ownStep(error, next);
    // What answered may be a gateway that is gone the next time; the log says what it was.
    const names: readonly NextStep[] = isApiError(error, "bad_response") ? ["try-again", next] : [next];
    const actions = own === undefined ? names.flatMap((name) => steps[name] ?? []) : [own];
    offerActions(showError, failure.message, ...actions);
  }
}

/**
 * Checks the options of a call.
 *
 * @throws {CommandError} `invalid`
 */
function requireOptions<Declared extends CommandDeclaration>(
  declaration: Declared,
  given: unknown,
): OptionsOf<Declared> {
  const parsed = parseOptions(declaration, given);
  if (parsed.kind === "valid") return parsed.options as OptionsOf<Declared>;
  const message = optionProblemMessage(declaration, parsed.problem, l10n);
  const name = refusedOption(parsed.problem);
  throw new CommandError("invalid", message, name === undefined ? {} : { errors: { [name]: [message] } });
}

/** Returns the action that an error brings itself, in place of the one of its code. */
function ownStep(error: unknown, next: NextStep): NextAction | undefined {
  if (error instanceof CommandError) return error.step;
  if (!(error instanceof KeptInputError)) return undefined;
  // What was typed is kept until somebody has signed in.
  const isFirst = next === "sign-in" || next === "sign-out" || next === "manage-trust";
  return ownStep(error.cause, next) ?? (isFirst ? undefined : error.retry);
}

/** Whether nothing may be shown, also if another option is refused. */
function isQuiet(options: unknown): boolean {
  return typeof options === "object" && options !== null && "confirm" in options && options.confirm === false;
}

/** Whether nothing went on after the cancellation: a write whose response did not arrive is a failure. */
export function isCancellation(error: unknown, signal: AbortSignal): boolean {
  if (signal.aborted && error === signal.reason) return true;
  return isAbortError(error);
}

/** Logs and shows what a command did before it was cancelled. Does not wait for the notification to be dismissed. */
function reportCancelled(log: LogChannel, id: string, { message }: PartialResultError, quiet: boolean): void {
  log.info(`${id} was cancelled. ${message}`);
  if (!quiet) void showWarning(message);
}
