/** The question of Listen for Webhooks: the secret, masked, beside the URL that it belongs to. */
import { env, ThemeIcon, window } from "vscode";
import { l10n } from "../../vscode/l10n.ts";

/** Out: the secret, or `undefined` when the box was closed. */
export function askSecret(title: string, url: string): Promise<string | undefined> {
  const input = window.createInputBox();
  const copy = { iconPath: new ThemeIcon("copy"), tooltip: l10n.t("Copy URL") };
  input.title = title;
  input.password = true;
  input.ignoreFocusOut = true;
  input.buttons = [copy];
  input.prompt = l10n.t(
    "Have a manager register {0} as a webhook in the project's settings, then enter the webhook's secret. It is stored in VS Code's secret storage.",
    url,
  );
  return new Promise((resolve) => {
    let answer: string | undefined;
    const listeners = [
      input.onDidTriggerButton(() => void env.clipboard.writeText(url)),
      input.onDidChangeValue(() => {
        input.validationMessage = "";
      }),
      input.onDidAccept(() => {
        const secret = input.value.trim();
        if (secret === "") {
          input.validationMessage = l10n.t("Enter the secret, or press Escape to cancel.");
          return;
        }
        answer = secret;
        input.hide();
      }),
      input.onDidHide(() => {
        for (const listener of listeners) listener.dispose();
        input.dispose();
        resolve(answer);
      }),
    ];
    input.show();
  });
}
