/** Quick picks: one of a few choices, several choices, and custom lists. */
import * as vscode from "vscode";

export interface Choice<Value> {
  readonly label: string;
  readonly description?: string;
  readonly detail?: string;
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

/**
 * Shows a custom list until it is accepted or dismissed, then disposes of it and its listeners. `accept` maps the selected
 * items to the result; `undefined` keeps the list open.
 */
export function showList<Item extends vscode.QuickPickItem, Value>(
  list: vscode.QuickPick<Item>,
  accept: (items: readonly Item[]) => Value | undefined,
  ...listeners: readonly vscode.Disposable[]
): Promise<Value | undefined> {
  return new Promise((resolve) => {
    let answer: Value | undefined;
    list.onDidAccept(() => {
      answer = accept(list.selectedItems);
      if (answer !== undefined) list.hide();
    });
    list.onDidHide(() => {
      for (const listener of listeners) listener.dispose();
      list.dispose();
      resolve(answer);
    });
    list.show();
  });
}
