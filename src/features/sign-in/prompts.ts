/** The prompts of Sign In: the base URL and the token, which is verified before the input box closes. */
import { InputBoxValidationSeverity, QuickInputButtons, window, type InputBox } from "vscode";
import { parseBaseUrl, type BaseUrl } from "../../api/base-url.ts";
import type { FoundBaseUrl } from "../../api/find-base-url.ts";
import { labelText } from "../../vscode/ui/text/markdown.ts";
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
  return new Promise((resolve) => {
    const box = window.createInputBox();
    let search: AbortController | undefined;
    let answer: string | undefined;
    box.title = l10n.t("{0} (1/2): base URL of the service", title);
    box.value = before;
    box.prompt = l10n.t(
      "A manager can find it in the project's settings, next to the tokens. It ends with /v1.",
    );
    box.placeholder = "https://translations.example.com/v1";
    box.ignoreFocusOut = true;

    const accept = async (): Promise<void> => {
      const read = parseBaseUrl(box.value);
      if (search !== undefined || box.value.trim() === "") return;
      if (read.kind === "refused") {
        box.validationMessage = baseUrlErrorMessage(read.reason);
        return;
      }
      search = new AbortController();
      box.busy = true;
      box.enabled = false;
      try {
        const found = await find(read.url, search.signal);
        if (found.kind === "not-found") {
          box.enabled = true;
          box.validationMessage = labelText(
            l10n.t("There is no Project Translation Service at {0}. Check the address.", read.url),
          );
          return;
        }
        // If the probe is inconclusive, verifying the token will tell.
        answer = found.kind === "found" ? found.url : read.url;
        box.hide();
      } catch (error) {
        if (!search.signal.aborted) throw error;
      } finally {
        search = undefined;
        box.busy = false;
      }
    };
    box.onDidAccept(() => void accept());
    box.onDidChangeValue((text) => {
      const read = parseBaseUrl(text);
      box.validationMessage =
        text.trim() !== "" && read.kind === "refused" ? baseUrlErrorMessage(read.reason) : undefined;
    });
    box.onDidHide(() => {
      search?.abort();
      box.dispose();
      resolve(answer);
    });
    box.show();
  });
}

/** `back`: the user wants to change the base URL. */
export type TokenPromptResult<Verified> =
  | { readonly kind: "verified"; readonly verified: Verified }
  | { readonly kind: "back" | "closed" };

/**
 * Prompts for the token, masked. If `verify` rejects, the input box stays open and shows the message of `explain`.
 * Dismissing the box aborts the verification.
 */
export function promptForToken<Verified>(
  title: string,
  baseUrl: string,
  verify: (token: string, signal: AbortSignal, say: (message: string) => void) => Promise<Verified>,
  explain: (error: unknown) => string,
): Promise<TokenPromptResult<Verified>> {
  return new Promise((resolve) => {
    const box: InputBox = window.createInputBox();
    let check: AbortController | undefined;
    let answer: TokenPromptResult<Verified> = { kind: "closed" };
    box.title = l10n.t("{0} (2/2): token", title);
    box.prompt = l10n.t(
      "The project's token for {0}. It is stored in VS Code's secret storage and sent nowhere else.",
      labelText(baseUrl),
    );
    box.placeholder = l10n.t("Token");
    box.password = true;
    box.ignoreFocusOut = true;
    box.buttons = [QuickInputButtons.Back];

    const accept = async (): Promise<void> => {
      const token = box.value.trim();
      if (token === "" || check !== undefined) return;
      check = new AbortController();
      box.busy = true;
      box.enabled = false;
      try {
        const say = (message: string): void => {
          box.validationMessage =
            message === ""
              ? undefined
              : { message: labelText(message), severity: InputBoxValidationSeverity.Info };
        };
        answer = { kind: "verified", verified: await verify(token, check.signal, say) };
        box.hide();
      } catch (error) {
        if (check.signal.aborted) return;
        box.enabled = true;
        box.validationMessage = labelText(explain(error));
      } finally {
        check = undefined;
        box.busy = false;
      }
    };
    box.onDidAccept(() => void accept());
    box.onDidChangeValue(() => {
      box.validationMessage = undefined;
    });
    box.onDidTriggerButton(() => {
      answer = { kind: "back" };
      box.hide();
    });
    box.onDidHide(() => {
      check?.abort();
      box.dispose();
      resolve(answer);
    });
    box.show();
  });
}
