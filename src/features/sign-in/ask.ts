/** The two questions of Sign In: where the service is, and the token, which is checked before its box closes. */
import {
  InputBoxValidationSeverity,
  QuickInputButtons,
  window,
  type InputBox,
  type InputBoxValidationMessage,
} from "vscode";
import { readBaseUrl, type BaseUrl } from "../../api/base-url.ts";
import { labelText } from "../../host/markdown.ts";
import { l10n } from "../../host/words.ts";

/** What is wrong with a base URL, for people. */
export function baseUrlMistake(reason: Extract<BaseUrl, { kind: "refused" }>["reason"]): string {
  switch (reason) {
    case "not_a_url":
      return l10n.t("Enter a web address, for example https://translations.example.com/v1");
    case "not_https":
      return l10n.t("The address must begin with https:// (http:// only works for this machine).");
    case "credentials":
      return l10n.t("The address must not hold a user name or password. The token is asked for next.");
    case "query":
      return l10n.t("The address must not hold a “?” or “#”.");
  }
}

/** Asks for the base URL. Out: its normal form, or `undefined` when the box was closed. */
export async function askBaseUrl(title: string, before: string): Promise<string | undefined> {
  const typed = await window.showInputBox({
    title: l10n.t("{0} (1/2): base URL of the service", title),
    value: before,
    prompt: l10n.t("A manager finds it in the project's settings, beside the tokens. It ends in /v1."),
    placeHolder: "https://translations.example.com/v1",
    ignoreFocusOut: true,
    validateInput: (text): string | InputBoxValidationMessage | undefined => {
      if (text.trim() === "") return undefined;
      const read = readBaseUrl(text);
      if (read.kind === "refused") return baseUrlMistake(read.reason);
      if (read.hasVersion) return undefined;
      return {
        message: l10n.t("The base URL normally ends in /v1."),
        severity: InputBoxValidationSeverity.Warning,
      };
    },
  });
  const read = typed === undefined ? undefined : readBaseUrl(typed);
  return read?.kind === "ok" ? read.url : undefined;
}

/** `back`: the person wants to change the base URL. */
export type TokenAnswer<Verified> =
  | { readonly kind: "verified"; readonly verified: Verified }
  | { readonly kind: "back" | "closed" };

/**
 * Asks for the token, masked. `verify` is asked with what was entered; when it rejects, the box stays and says why, in
 * the words that `explain` finds. Closing the box aborts the check.
 */
export function askToken<Verified>(
  title: string,
  baseUrl: string,
  verify: (token: string, signal: AbortSignal) => Promise<Verified>,
  explain: (error: unknown) => string,
): Promise<TokenAnswer<Verified>> {
  return new Promise((resolve) => {
    const box: InputBox = window.createInputBox();
    let check: AbortController | undefined;
    let answer: TokenAnswer<Verified> = { kind: "closed" };
    box.title = l10n.t("{0} (2/2): token", title);
    box.prompt = l10n.t(
      "The project's token for {0}. It is kept in VS Code's secret storage, and sent nowhere else.",
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
        answer = { kind: "verified", verified: await verify(token, check.signal) };
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
