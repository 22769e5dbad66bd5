/** Messages that components define themselves, at a position in their code. They are not keys of a project. */
import * as vscode from "vscode";
import { ComponentMessages, messagesNamed } from "../../scanners/component-messages.ts";
import type { KeyUsage, LocalMessage } from "../../scanners/key-usage.ts";
import type { App } from "../app.ts";

/** A message, and the file that has it. */
export interface LocatedMessage extends LocalMessage {
  readonly document: vscode.TextDocument;
}

export interface LocalMessagesAtPosition {
  readonly usage: KeyUsage;
  /** The key as the code has it. */
  readonly key: string;
  /** Its texts in all languages, or those of a group of keys; empty if the component does not have it. */
  readonly messages: readonly LocatedMessage[];
  /** All messages of the component. */
  readonly all: readonly LocatedMessage[];
}

/** Returns the component's messages where a position names one of them, or may; `undefined` elsewhere. */
export async function localMessagesAt(
  { documentUsages, projects }: App,
  document: vscode.TextDocument,
  position: vscode.Position,
): Promise<LocalMessagesAtPosition | undefined> {
  const local = documentUsages.localMessagesIn(document);
  if (local === undefined || (local.messages.length === 0 && local.files.length === 0)) return undefined;
  const offset = document.offsetAt(position);
  const own = local.usages.find(({ keySpan }) => keySpan.start - 1 <= offset && offset <= keySpan.end + 1);
  const usage = own ?? documentUsages.usageAt(document, position)?.use;
  if (usage?.expression.kind !== "static" || Array.isArray(usage.namespaces)) return undefined;
  const { key } = usage.expression;
  const all = local.messages.map((message): LocatedMessage => ({ ...message, document }));
  const open = projects.of(document.uri);
  for (const { path, locale } of local.files) {
    const uri = vscode.Uri.joinPath(document.uri, "..", path);
    if (open === undefined || open.codePath(uri) === null) continue;
    all.push(...(await messagesOfFile(uri, locale)));
  }
  return { usage, key, messages: messagesNamed(all, key), all };
}

async function messagesOfFile(uri: vscode.Uri, locale: string | null): Promise<readonly LocatedMessage[]> {
  const document = await vscode.workspace.openTextDocument(uri).then(undefined, () => undefined);
  if (document === undefined) return [];
  const messages = new ComponentMessages();
  messages.read(document.getText(), /[^.]*$/.exec(uri.path)?.[0] ?? "", locale);
  return messages.messages.map((message) => ({ ...message, document }));
}
