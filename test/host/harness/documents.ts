/** The workspace's documents for the tests in the window: opening them, places in them, and what is said there. */
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

/** A command of ours that asks nothing. */
export const run = (name: string, options: object = {}): Thenable<Record<string, unknown>> =>
  commands.executeCommand(`projectTranslations.${name}`, { confirm: false, ...options });

/** The same of one that has to succeed. */
export async function done(name: string, options: object = {}): Promise<Record<string, unknown>> {
  const result = await run(name, options);
  assert.equal(result["outcome"], "done", JSON.stringify(result));
  return result;
}

/** The document of a file of the only folder. */
export async function openFile(path: string): Promise<TextDocument> {
  const [folder] = workspace.workspaceFolders ?? [];
  assert.ok(folder);
  return workspace.openTextDocument(Uri.joinPath(folder.uri, path));
}

/** Where the words begin, moved by so many characters. */
export function placeOf(document: TextDocument, words: string, by = 0): Position {
  const at = document.getText().indexOf(words);
  assert.ok(at >= 0, `${words} is not in ${document.uri.path}`);
  return document.positionAt(at + by);
}

/** Where the middle of the words is. */
export function middleOf(document: TextDocument, words: string): Position {
  return placeOf(document, words, Math.floor(words.length / 2));
}

/** The Markdown of all hovers at the place. */
export async function markdownAt(document: TextDocument, position: Position): Promise<string> {
  const hovers = await commands.executeCommand<Hover[]>(
    "vscode.executeHoverProvider",
    document.uri,
    position,
  );
  return hovers.flatMap(({ contents }) => contents.map((each) => (each as MarkdownString).value)).join("\n");
}

/** Markdown as a person reads it: with its character references resolved. */
export function plain(markdown: string): string {
  return markdown.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
}

/** What the hovers over the words of a file say to a person. */
export async function hoverOver(path: string, words: string): Promise<string> {
  const document = await openFile(path);
  return plain(await markdownAt(document, middleOf(document, words)));
}
