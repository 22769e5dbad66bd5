/** Quick picks: one of a few choices, several choices, and custom lists. */
import * as vscode from "vscode";
import { requireAnswer } from "../../../commands/command-types.ts";

export interface Choice<Value> {
  readonly label: string;
  readonly description?: string;
  readonly detail?: string;
  /** Whether it is shown whatever the user types. */
  readonly alwaysShow?: boolean;
  readonly value: Value;
}

/**
 * Lets the user pick one choice.
 *
 * @throws {CommandError} `cancelled` if the list was dismissed.
 */
export async function pickOne<Value>(
  title: string,
  placeholder: string,
  choices: readonly Choice<Value>[],
): Promise<Value> {
  const picked = await vscode.window.showQuickPick([...choices], optionsOf(title, placeholder));
  return requireAnswer(picked).value;
}

/** Like `pickOne`, but returns `undefined` if the list was dismissed. */
export async function pickOneOrNone<Value>(
  title: string,
  placeholder: string,
  choices: readonly Choice<Value>[],
): Promise<Value | undefined> {
  return (await vscode.window.showQuickPick([...choices], optionsOf(title, placeholder)))?.value;
}

/**
 * Lets the user check several choices.
 *
 * @throws {CommandError} `cancelled` if the list was dismissed.
 */
export async function pickMany<Value>(
  title: string,
  placeholder: string,
  choices: readonly (Choice<Value> & { readonly picked?: boolean })[],
): Promise<Value[]> {
  const options = { ...optionsOf(title, placeholder), canPickMany: true } as const;
  return requireAnswer(await vscode.window.showQuickPick([...choices], options)).map(({ value }) => value);
}

function optionsOf(title: string, placeHolder: string) {
  return { title, placeHolder, ignoreFocusOut: true, matchOnDescription: true, matchOnDetail: true };
}

/** Creates a button of a list, of one of its items, or of an input box. */
export function iconButton(icon: string, tooltip: string): vscode.QuickInputButton {
  return { iconPath: new vscode.ThemeIcon(icon), tooltip };
}

/**
 * Shows a custom list until it is accepted or dismissed, then disposes of it and its listeners. `accept` maps the selected
 * items to the result; `undefined` keeps the list open.
 */
export async function showList<Item extends vscode.QuickPickItem, Value>(
  list: vscode.QuickPick<Item>,
  accept: (items: readonly Item[]) => Value | undefined,
  ...listeners: readonly vscode.Disposable[]
): Promise<Value | undefined> {
  let answer: Value | undefined;
  list.onDidAccept(() => {
    answer = accept(list.selectedItems);
    if (answer !== undefined) list.hide();
  });
  await showUntilHidden(list, ...listeners);
  return answer;
}

/** Shows a list or an input box until it is hidden, then disposes of it and the listeners. */
export function showUntilHidden(
  input: vscode.QuickInput,
  ...listeners: readonly vscode.Disposable[]
): Promise<void> {
  return new Promise((resolve) => {
    input.onDidHide(() => {
      for (const listener of listeners) listener.dispose();
      input.dispose();
      resolve();
    });
    input.show();
  });
}
