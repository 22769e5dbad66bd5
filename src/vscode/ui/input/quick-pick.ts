/** Quick picks: one of a few choices, several choices, and custom lists. */
import * as vscode from "vscode";

export interface Choice<Value> {
  readonly label: string;
  readonly description?: string;
  readonly detail?: string;
  /** Whether it is shown whatever the user types. */
  readonly alwaysShow?: boolean;
  readonly value: Value;
}

/** Lets the user pick one choice; `undefined` if the list was dismissed. */
export async function pickOne<Value>(
  title: string,
  placeholder: string,
  answers: readonly Choice<Value>[],
): Promise<Value | undefined> {
  const picked = await vscode.window.showQuickPick([...answers], optionsOf(title, placeholder));
  return picked?.value;
}

/** Lets the user check several choices; `undefined` if the list was dismissed. */
export async function pickMany<Value>(
  title: string,
  placeholder: string,
  items: readonly (Choice<Value> & { readonly picked?: boolean })[],
): Promise<Value[] | undefined> {
  const picked = await vscode.window.showQuickPick([...items], {
    ...optionsOf(title, placeholder),
    canPickMany: true,
  });
  return picked?.map(({ value }) => value);
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
