/** Helpers for tests in the extension host: commands, documents, positions and hovers. */
import assert from "node:assert/strict";
import {
  commands,
  Uri,
  workspace,
  type Hover,
  type MarkdownString,
  type Position,
  type TextDocument,
} from "vscode";

/** Runs one of the extension's commands without confirmation. */
export const runCommand = (name: string, options: object = {}): Thenable<Record<string, unknown>> =>
  commands.executeCommand(`projectTranslations.${name}`, { confirm: false, ...options });

/** Runs a command without confirmation and asserts that it succeeds. */
export async function runSuccessfully(name: string, options: object = {}): Promise<Record<string, unknown>> {
  const result = await runCommand(name, options);
  assert.equal(result["outcome"], "done", JSON.stringify(result));
  return result;
}

/** Opens a file of the only workspace folder. */
export async function openFile(path: string): Promise<TextDocument> {
  const [folder] = workspace.workspaceFolders ?? [];
  assert.ok(folder);
  return workspace.openTextDocument(Uri.joinPath(folder.uri, path));
}

/** Returns the position of the first occurrence of `text`, moved by `offset` characters. */
export function positionOf(document: TextDocument, text: string, offset = 0): Position {
  const at = document.getText().indexOf(text);
  assert.ok(at >= 0, `${text} is not in ${document.uri.path}`);
  return document.positionAt(at + offset);
}

/** Returns the position of the middle of the first occurrence of `text`. */
export function middleOfText(document: TextDocument, text: string): Position {
  return positionOf(document, text, Math.floor(text.length / 2));
}

/** Returns the Markdown of all hovers at the position. */
export async function markdownAt(document: TextDocument, position: Position): Promise<string> {
  const hovers = await commands.executeCommand<Hover[]>(
    "vscode.executeHoverProvider",
    document.uri,
    position,
  );
  return hovers.flatMap(({ contents }) => contents.map((each) => (each as MarkdownString).value)).join("\n");
}

/** Resolves the character references of Markdown. */
export function decodeEntities(markdown: string): string {
  return markdown.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
}

/** Returns the plain text of the hovers over the first occurrence of `text` in a file. */
export async function hoverText(path: string, text: string): Promise<string> {
  const document = await openFile(path);
  return decodeEntities(await markdownAt(document, middleOfText(document, text)));
}
