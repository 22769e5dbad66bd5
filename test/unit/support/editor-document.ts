/** The document and the page of the translation editor, without a window. */
import { createBirpc } from "birpc";
import type { Webview } from "vscode";
import { EditorPage } from "../../../src/features/translation-editor/editor-page.ts";
import { TranslationsDocument } from "../../../src/features/translation-editor/translations-document.ts";
import type { StagedEdit } from "../../../src/sync/drafts/draft-history.ts";
import type {
  EditorFunctions,
  PageFunctions,
} from "../../../src/webview/translation-editor/editor-protocol.ts";
import type { CommandRunner } from "./command-runner.ts";

/** Opens the document of a project; `edits` is what VS Code can undo, `null`: it is unsaved by something else. */
export function openDocument({ app, open }: Pick<CommandRunner, "app" | "open">) {
  const edits: (StagedEdit | null)[] = [];
  return { document: new TranslationsDocument(app, open.fileUri, (edit) => edits.push(edit)), edits };
}

/** A save that nobody cancels. */
export const RUN = { signal: new AbortController().signal, report: () => undefined };

/** Opens the page of a document; `told` is what it is told has changed. @param show paints it */
export function openPage(
  { app }: Pick<CommandRunner, "app">,
  document: TranslationsDocument,
  show: PageFunctions["show"] = async () => undefined,
) {
  let receive: (message: unknown) => void = () => undefined;
  let send: (message: unknown) => void = () => undefined;
  const told: string[] = [];
  createBirpc<EditorFunctions, PageFunctions>(
    { show, changed: (tables) => void told.push(...tables) },
    { post: (message) => send(message), on: (listener) => (receive = listener) },
  );
  const webview = {
    postMessage: (message: unknown) => Promise.resolve(receive(message)),
    onDidReceiveMessage: (listener: typeof send) => {
      send = listener;
      return { dispose: () => undefined };
    },
  };
  return { page: new EditorPage(app, document, webview as unknown as Webview), told };
}
