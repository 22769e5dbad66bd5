/** Sign In and Sign Out: a token is verified before it is stored, and deleted with all cached data of the service. */
import {
  signInCommand,
  signOutCommand,
  setUpProjectFileCommand,
} from "../../commands/declarations/session-commands.ts";
import { openEditorCommand } from "../../commands/declarations/window-commands.ts";
import { InputBoxValidationSeverity, QuickInputButtons, window, type InputBox } from "vscode";
import { parseBaseUrl } from "../../api/parse-base-url.ts";
import type { Wait } from "../../api/rate-limiter.ts";
import { findBaseUrl } from "../../projects/sign-in.ts";
import type { App, CommandWork } from "../../vscode/app.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import { formatCount } from "../../messages/counts-and-times.ts";
import { baseUrlErrorMessage, waitMessage } from "../../messages/connection-messages.ts";
import { toFailure } from "../../messages/error-messages.ts";
import { showInformation } from "../../vscode/notifications.ts";
import { CommandError, requireAnswer, type CommandRun } from "../../commands/command-types.ts";
import { invalidOptionError } from "../../vscode/commands/command-options.ts";
import { verifyToken } from "../../vscode/create-api-client.ts";
import type { VerifiedToken } from "../../sync/session/token-storage.ts";
import { l10n } from "../../util/l10n.ts";
import { pickOne, showUntilHidden } from "../../vscode/ui/input/quick-pick.ts";
import { labelText } from "../../messages/escape-text.ts";
import type { KnownProject } from "../../database/personal/known-projects.ts";
import { projectDisplayName } from "../../messages/labels.ts";
import type { LogChannel } from "../../vscode/log.ts";

/** Registers both commands. */
export function registerSignIn(app: App): void {
  // Prompts if there are several apps, since signing in to the wrong one would push its keys to another project.
  app.command(signInCommand, signIn, (options) => app.projects.choose(options, "editor"));
  app.command(signOutCommand, signOut);
}

const signIn: CommandWork<typeof signInCommand> = async (app, options, run) => {
  const { open } = run;
  const { token, baseUrl } = options;
  const isInteractive = !run.quiet && (token === undefined || (baseUrl ?? open.baseUrl) === null);
  const verified = isInteractive
    ? await promptForMissing(app, open, baseUrl, token, run)
    : await verify(app, baseUrl ?? open.baseUrl, token, run);
  await app.projects.signIn(open, verified, (known) => isSameProject(known, run));
  const { record, stats, canWrite } = verified;
  app.log.info(`Signed in to ${record.slug} at ${verified.baseUrl}${canWrite ? "" : ", to read only"}`);
  if (!run.quiet) showResult(app, open, verified, isInteractive);
  return {
    outcome: "done",
    project: { slug: record.slug || record.name, name: record.name },
    languages: stats.languages.map((language) => language.locale),
    canWrite,
  };
};

/** Asks whether the token is of a project that was signed in to with another token. Quietly it is not, so nothing is mixed. */
async function isSameProject({ name }: KnownProject, run: CommandRun): Promise<boolean> {
  if (run.quiet) return false;
  run.pause();
  return pickOne(
    l10n.t("Sign In"),
    l10n.t("This folder was signed in to “{0}” with another token. Is it the same project?", name),
    [
      {
        label: l10n.t("The same project"),
        detail: l10n.t("Its unsaved texts and renames belong to this token too."),
        value: true,
      },
      {
        label: l10n.t("Another project"),
        detail: l10n.t("The unsaved texts of the first one are kept apart."),
        value: false,
      },
    ],
  );
}

/** Verifies the token of the options without prompting. */
async function verify(
  app: App,
  baseUrl: string | null,
  token: string | undefined,
  run: CommandRun,
): Promise<VerifiedToken> {
  const read = parseBaseUrl(baseUrl ?? "");
  if (read.kind === "refused") throw invalidOptionError("baseUrl", baseUrlErrorMessage(read.reason));
  if (token === undefined || token.trim() === "")
    throw invalidOptionError("token", l10n.t("No token was given. Set the option “token”."));
  run.report(l10n.t("Checking the token"));
  return verifyToken(read.url, token, app.log, {
    signal: run.signal,
    onWait: (wait) => run.report(wait === null ? l10n.t("Checking the token") : waitMessage(wait)),
  });
}

/**
 * Prompts for the missing options and verifies the token.
 *
 * @throws {CommandError} `cancelled`
 */
async function promptForMissing(
  app: App,
  open: OpenProject,
  givenUrl: string | undefined,
  givenToken: string | undefined,
  { signal }: CommandRun,
): Promise<VerifiedToken> {
  const title = l10n.t("Sign In to {0}", open.label);
  let baseUrl = givenUrl ?? open.baseUrl ?? open.file.baseUrl ?? app.settings.of(open.root).baseUrl;
  let needsUrl = givenUrl === undefined || parseBaseUrl(givenUrl).kind !== "ok";
  for (;;) {
    if (needsUrl) baseUrl = requireAnswer(await promptForBaseUrl(title, baseUrl));
    if (givenToken !== undefined) return verifyToken(baseUrl, givenToken, app.log, { signal });
    const answer = requireAnswer(await promptForToken(app.log, title, baseUrl));
    if (answer !== "back") return answer;
    needsUrl = true;
  }
}

/** Shows who is signed in; after an interactive sign-in continues with setting up the project file. */
function showResult(
  app: App,
  open: OpenProject,
  { record, stats, canWrite }: VerifiedToken,
  isInteractive: boolean,
): void {
  const languages = formatCount.languages(stats.languages.length);
  const message = canWrite
    ? l10n.t("Signed in to {0}: {1}.", record.name, languages)
    : l10n.t(
        "Signed in to {0} (read-only): {1}. Pushing and editing need a token with write access.",
        record.name,
        languages,
      );
  void showInformation(message);
  if (isInteractive || open.file.files === undefined) {
    void app.run(setUpProjectFileCommand, { folder: open.root, afterSignIn: true });
  }
}

const signOut: CommandWork<typeof signOutCommand> = async (app, _options, run) => {
  const { open } = run;
  const hadToken = open.source.hasService;
  const unsaved = open.connection.drafts.count();
  if (hadToken && unsaved > 0 && !run.quiet && !(await confirmSignOut(app, open, unsaved)))
    return { outcome: "cancelled" };
  await app.projects.signOut(open);
  if (!run.quiet) void showInformation(signedOutMessage(open, hadToken, unsaved));
  return { outcome: hadToken ? "done" : "unchanged" };
};

/** Says what happens to unsaved texts. Returns whether to go on. */
async function confirmSignOut(app: App, open: OpenProject, unsaved: number): Promise<boolean> {
  const isConfirmed = await pickOne(
    l10n.t("Sign Out"),
    l10n.t("Not sent yet: {0} of “{1}”", formatCount.unsavedTexts(unsaved), projectDisplayName(open)),
    [
      {
        label: l10n.t("Sign Out"),
        detail: l10n.t(
          "They are kept on this machine, and are there again when you sign in to this project.",
        ),
        value: true,
      },
      { label: l10n.t("Show Unsaved Texts"), detail: l10n.t("You stay signed in."), value: false },
    ],
  );
  if (!isConfirmed) void app.run(openEditorCommand, { folder: open.root, filter: "unsaved" });
  return isConfirmed;
}

function signedOutMessage({ label }: OpenProject, hadToken: boolean, unsaved: number): string {
  if (!hadToken) return l10n.t("You were not signed in to “{0}”.", label);
  const message = l10n.t(
    "Signed out of {0}. The token and what was read from the service are gone from this machine; your files are as they were, and the views show them.",
    label,
  );
  if (unsaved === 0) return message;
  const kept = formatCount.unsavedTexts(unsaved);
  return `${message} ${l10n.t("Kept until you sign in to this project again: {0}.", kept)}`;
}

/**
 * Prompts for the base URL. The input box stays open if the entered address is certainly not that of the service. Returns the
 * normalised URL, or `undefined` if dismissed.
 */
function promptForBaseUrl(title: string, before: string): Promise<string | undefined> {
  const box = window.createInputBox();
  box.title = l10n.t("{0} (1/2): base URL of the service", title);
  box.value = before;
  box.prompt = l10n.t(
    "A manager can find it in the project’s settings, next to the tokens. It ends with /v1.",
  );
  box.placeholder = "https://translations.example.com/v1";
  box.onDidChangeValue((text) => {
    const read = parseBaseUrl(text);
    box.validationMessage =
      text.trim() !== "" && read.kind === "refused" ? baseUrlErrorMessage(read.reason) : undefined;
  });
  const check = async (typed: string, signal: AbortSignal): Promise<string> => {
    const read = parseBaseUrl(typed);
    if (read.kind === "refused") throw new CommandError("invalid", baseUrlErrorMessage(read.reason));
    return findBaseUrl(read.url, signal);
  };
  return promptUntilValid(box, check, (error) => toFailure(error).message);
}

/**
 * Prompts for the token, masked. If it cannot be verified, the input box stays open and shows why. Returns `back` if the user
 * wants to change the base URL, and `undefined` if dismissed.
 */
async function promptForToken(
  log: LogChannel,
  title: string,
  baseUrl: string,
): Promise<VerifiedToken | "back" | undefined> {
  const box = window.createInputBox();
  box.title = l10n.t("{0} (2/2): token", title);
  box.prompt = l10n.t(
    "The project’s token for {0}. It is stored in VS Code’s secret storage and sent nowhere else.",
    labelText(baseUrl),
  );
  box.placeholder = l10n.t("Token");
  box.password = true;
  box.buttons = [QuickInputButtons.Back];
  box.onDidChangeValue(() => {
    box.validationMessage = undefined;
  });
  let isBack = false;
  box.onDidTriggerButton(() => {
    isBack = true;
    box.hide();
  });
  const check = (token: string, signal: AbortSignal): Promise<VerifiedToken> => {
    const onWait = (wait: Wait | null): void => {
      const { Info: severity } = InputBoxValidationSeverity;
      box.validationMessage = wait === null ? undefined : { message: waitMessage(wait), severity };
    };
    return verifyToken(baseUrl, token, log, { signal, onWait });
  };
  const verified = await promptUntilValid(box, check, (error) => {
    log.error("The token could not be verified", error);
    const { code, message } = toFailure(error);
    return code === "unauthorized"
      ? l10n.t("The service does not accept this token. Check it for typos, or ask a manager for a new one.")
      : message;
  });
  return isBack ? "back" : verified;
}

/**
 * Shows the box until `check` accepts its value, and returns the result of the check; `undefined` if dismissed, which aborts
 * the check. If the check rejects, the box stays open and shows the message of `explain`.
 */
async function promptUntilValid<Result>(
  box: InputBox,
  check: (value: string, signal: AbortSignal) => Promise<Result>,
  explain: (error: unknown) => string,
): Promise<Result | undefined> {
  let running: AbortController | undefined;
  let result: Result | undefined;
  const accept = async (): Promise<void> => {
    const value = box.value.trim();
    if (value === "" || running !== undefined) return;
    running = new AbortController();
    const { signal } = running;
    box.busy = true;
    box.enabled = false;
    box.validationMessage = undefined;
    try {
      result = await check(value, signal);
      box.hide();
    } catch (error) {
      if (signal.aborted) return;
      box.enabled = true;
      box.validationMessage = labelText(explain(error));
    } finally {
      running = undefined;
      box.busy = false;
    }
  };
  box.ignoreFocusOut = true;
  box.onDidAccept(() => void accept());
  await showUntilHidden(box);
  running?.abort();
  return result;
}
