/** Quick picks: a question with a few answers, a list of ticked items, and a list with behaviour of its own. */
import * as vscode from "vscode";

export interface Answer<Value> {
  readonly label: string;
  readonly description?: string;
  readonly detail?: string;
  readonly value: Value;
}

/** The answer's value; `undefined` when the list was closed. Escape and a click elsewhere mean "no". */
export async function ask<Value>(
  title: string,
  placeholder: string,
  answers: readonly Answer<Value>[],
): Promise<Value | undefined> {
  const picked = await vscode.window.showQuickPick([...answers], optionsOf(title, placeholder));
  return picked?.value;
}

/** The values that are ticked on accepting; `undefined` when the list was closed. */
export async function pickMany<Value>(
  title: string,
  placeholder: string,
  items: readonly (Answer<Value> & { readonly picked?: boolean })[],
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
 * Shows the list until it is answered or closed, and disposes of it and its listeners then.
 * `accept` gets the selected items and returns the answer; `undefined` leaves the list open.
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
