/** The editor in which a translation of several lines is edited. */
import { window, type TextEditor } from "vscode";
import { waitFor } from "../harness/wait-for.ts";

/** Paths of the documents that a test had already: one may be closing still when the next one opens. */
const earlier = new Set<string>();

/** Waits until the document of the next edit is open, active and in its language. */
export async function translationEditor(): Promise<TextEditor> {
  const found = await waitFor("the document of the translation is open", () => {
    const editor = window.activeTextEditor;
    if (editor?.document.uri.scheme !== "project-translations-edit") return undefined;
    const { uri, languageId } = editor.document;
    return languageId === "projectTranslationsText" && !earlier.has(uri.path) ? editor : undefined;
  });
  earlier.add(found.document.uri.path);
  return found;
}
