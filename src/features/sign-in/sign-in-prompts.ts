/** The prompts of Sign In: the base URL and the token, which is verified before the input box closes. */
import { InputBoxValidationSeverity, QuickInputButtons, window, type InputBox } from "vscode";
import { parseBaseUrl, type BaseUrl } from "../../api/parse-base-url.ts";
import type { FoundBaseUrl } from "../../api/discover-base-url.ts";
import { CommandError } from "../../vscode/commands/command-types.ts";
import type { VerifiedToken } from "../../vscode/projects/token-storage.ts";
import { showUntilHidden } from "../../vscode/ui/input/quick-pick.ts";
import { toFailure } from "../../vscode/ui/text/error-messages.ts";
import { labelText } from "../../vscode/ui/text/escape-text.ts";
import { l10n } from "../../vscode/l10n.ts";

/** Returns the message for an invalid base URL. */
export function baseUrlErrorMessage(reason: Extract<BaseUrl, { kind: "refused" }>["reason"]): string {
  switch (reason) {
    case "not_a_url":
      return l10n.t("Enter a web address, for example https://translations.example.com/v1");
    case "not_https":
      return l10n.t("The address must begin with https:// (http:// only works for this machine).");
    case "credentials":
      return l10n.t(
        "The address must not contain a user name or password. You will be asked for the token next.",
      );
    case "query":
      return l10n.t("The address must not contain a “?” or “#”.");
  }
}

/**
 * Prompts for the base URL. `find` probes the entered address; the input box stays open if it is certainly not the
 * service. Returns the normalised URL, or `undefined` if dismissed.
 */
export function promptForBaseUrl(
  title: string,
  before: string,
  find: (url: string, signal: AbortSignal) => Promise<FoundBaseUrl>,
): Promise<string | undefined> {
  const box = window.createInputBox();
  box.title = l10n.t("{0} (1/2): base URL of the service", title);
  box.value = before;
  box.prompt = l10n.t(
    "A manager can find it in the project's settings, next to the tokens. It ends with /v1.",
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
    const found = await find(read.url, signal);
    if (found.kind === "not-found") {
      throw new CommandError(
        "not_found",
        l10n.t("There is no Project Translation Service at {0}. Check the address.", read.url),
      );
    }
    // If the probe is inconclusive, verifying the token will tell.
    return found.kind === "found" ? found.url : read.url;
  };
  return promptUntilValid(box, check, (error) => toFailure(error).message);
}

/**
 * Prompts for the token, masked. If `verify` rejects, the input box stays open and shows the message of `explain`.
 * Returns `back` if the user wants to change the base URL, and `undefined` if dismissed.
 */
export async function promptForToken(
  title: string,
  baseUrl: string,
  verify: (token: string, signal: AbortSignal, say: (message: string) => void) => Promise<VerifiedToken>,
  explain: (error: unknown) => string,
): Promise<VerifiedToken | "back" | undefined> {
  const box = window.createInputBox();
  box.title = l10n.t("{0} (2/2): token", title);
  box.prompt = l10n.t(
    "The project's token for {0}. It is stored in VS Code's secret storage and sent nowhere else.",
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
  const say = (message: string): void => {
    const { Info: severity } = InputBoxValidationSeverity;
    box.validationMessage = message === "" ? undefined : { message: labelText(message), severity };
  };
  const verified = await promptUntilValid(box, (token, signal) => verify(token, signal, say), explain);
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
