/** The two questions of Sign In: where the service is, and the token, which is checked before its box closes. */
import { InputBoxValidationSeverity, QuickInputButtons, window, type InputBox } from "vscode";
import { readBaseUrl, type BaseUrl } from "../../api/base-url.ts";
import type { FoundBaseUrl } from "../../api/find-base-url.ts";
import { labelText } from "../../vscode/markdown.ts";
import { l10n } from "../../vscode/l10n.ts";

/** What is wrong with a base URL, for people. */
export function baseUrlMistake(reason: Extract<BaseUrl, { kind: "refused" }>["reason"]): string {
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
 * Asks for the base URL. `find` looks for the service at what was entered; the box stays where the address is certainly
 * not the service's. Out: the URL where it answers, in normal form, or `undefined` when the box was closed.
 */
export function askBaseUrl(
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
      const read = readBaseUrl(box.value);
      if (search !== undefined || box.value.trim() === "") return;
      if (read.kind === "refused") {
        box.validationMessage = baseUrlMistake(read.reason);
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
        // What cannot be told now is told when the token is checked.
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
      const read = readBaseUrl(text);
      box.validationMessage =
        text.trim() !== "" && read.kind === "refused" ? baseUrlMistake(read.reason) : undefined;
    });
    box.onDidHide(() => {
      search?.abort();
      box.dispose();
      resolve(answer);
    });
    box.show();
  });
}

/** `back`: the person wants to change the base URL. */
export type TokenAnswer<Verified> =
  | { readonly kind: "verified"; readonly verified: Verified }
  | { readonly kind: "back" | "closed" };

/**
 * Asks for the token, masked. `verify` is asked with what was entered; when it rejects, the box stays and says why, in
 * the words that `explain` finds. What it says on the way is shown in the box. Closing the box aborts the check.
 */
export function askToken<Verified>(
  title: string,
  baseUrl: string,
  verify: (token: string, signal: AbortSignal, say: (message: string) => void) => Promise<Verified>,
  explain: (error: unknown) => string,
): Promise<TokenAnswer<Verified>> {
  return new Promise((resolve) => {
    const box: InputBox = window.createInputBox();
    let check: AbortController | undefined;
    let answer: TokenAnswer<Verified> = { kind: "closed" };
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
