/** Questions with a few answers, as a list that stays until it is answered or closed. */
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
  const picked = await vscode.window.showQuickPick(
    answers.map((answer) => ({ ...answer })),
    { title, placeHolder: placeholder, ignoreFocusOut: true, matchOnDescription: true, matchOnDetail: true },
  );
  return picked?.value;
}
