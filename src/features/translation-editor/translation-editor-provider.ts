/** The translation editor: a custom editor for the project file that shows all keys and languages in one table. */
import type { OptionsOf } from "../../commands/define-command.ts";
import { openEditorCommand, openEditorRowCommand } from "../../commands/declarations/window-commands.ts";
import * as vscode from "vscode";
import { keyHash } from "../../model/key-hash.ts";
import { toAbortSignal } from "../../vscode/abort-signals.ts";
import type { App, CommandWork } from "../../vscode/app.ts";
import { CommandError, type CommandResult } from "../../commands/command-types.ts";
import { keyFromOptions } from "../../vscode/ui/input/pick-key.ts";
import { language, l10n } from "../../util/l10n.ts";
import { ALL_ROWS } from "../../model/translation-editor-filters.ts";
import { PersonalData } from "../../database/personal/personal-data.ts";
import { TranslationDraftRepository } from "../../database/personal/translation-draft-repository.ts";
import { backupDrafts, restoreDrafts } from "./draft-backup.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import { TranslationsDocument } from "./translations-document.ts";
import { EditorPage } from "./editor-page.ts";

const VIEW_TYPE = "projectTranslations.editor";

/** Registers the editor and `projectTranslations.openEditor`. */
export function registerTranslationEditor(app: App): void {
  const provider = new TranslationEditorProvider(app);
  app.addDisposable(
    vscode.window.registerCustomEditorProvider(VIEW_TYPE, provider, {
      supportsMultipleEditorsPerDocument: false,
      webviewOptions: { retainContextWhenHidden: false },
    }),
  );
  const open: CommandWork<typeof openEditorCommand> = (_app, options, run) =>
    openEditor(provider, run.open, options);
  app.command(openEditorCommand, open);
  app.command(openEditorRowCommand, open);
}

async function openEditor(
  provider: TranslationEditorProvider,
  open: OpenProject,
  options: OptionsOf<typeof openEditorCommand>,
): Promise<CommandResult> {
  const { locale, filter, search } = options;
  const filters = [filter ?? []].flat();
  const name = keyFromOptions(options);
  const hasQuery = filter !== undefined || search !== undefined || name !== undefined;
  // Rows of a language or of its remaining work show that language; others do not change the columns.
  const isOfLanguage = (name === undefined || filters.length > 0) && locale !== open.sourceLocale;
  const locales = options.locales ?? (isOfLanguage ? locale : undefined);
  const page = await provider.open(open.fileUri);
  if (page === undefined)
    throw new CommandError(
      "no_project",
      l10n.t("The translation editor needs project-translations.json. Run “Configure Project” first."),
    );
  await page.show({
    query: hasQuery ? { ...ALL_ROWS, filters, search: search ?? "" } : null,
    locales: locales === undefined ? null : [locales].flat(),
    hash: name === undefined ? null : keyHash(name),
  });
  return { outcome: "done" };
}

/** An undoable edit, or a change that only marks the document as dirty. */
type DocumentChange = vscode.CustomDocumentEditEvent<TranslationsDocument>;

class TranslationEditorProvider implements vscode.CustomEditorProvider<TranslationsDocument> {
  readonly #app: App;
  /** The open pages by the URI of the project file. */
  readonly #pages = new Map<string, EditorPage>();
  readonly #changed = new vscode.EventEmitter<DocumentChange>();
  readonly onDidChangeCustomDocument = this.#changed.event;

  constructor(app: App) {
    this.#app = app;
  }

  /** Opens or reveals the page of a project file; `undefined` if there is no such file. */
  async open(uri: vscode.Uri): Promise<EditorPage | undefined> {
    await vscode.commands.executeCommand("vscode.openWith", uri, VIEW_TYPE);
    return this.#pages.get(uri.toString());
  }

  async openCustomDocument(
    uri: vscode.Uri,
    { backupId }: vscode.CustomDocumentOpenContext,
  ): Promise<TranslationsDocument> {
    const { projects } = this.#app;
    await projects.ready;
    // A folder without a project file becomes a project on demand.
    if (!projects.all.some(({ fileUri }) => fileUri.toString() === uri.toString()))
      await projects.choose({ folder: vscode.Uri.joinPath(uri, ".."), confirm: false });
    const document = new TranslationsDocument(this.#app, uri, (edit) =>
      this.#changed.fire({ document, ...edit } as DocumentChange),
    );
    if (backupId !== undefined) await this.#restore(document, vscode.Uri.parse(backupId));
    return document;
  }

  /** Restores drafts that were only in memory when the window was closed. */
  async #restore({ rows }: TranslationsDocument, backup: vscode.Uri): Promise<void> {
    const { personal, database } = rows.open;
    try {
      const content = new TextDecoder().decode(await vscode.workspace.fs.readFile(backup));
      restoreDrafts(
        content,
        (project) => new TranslationDraftRepository(new PersonalData(personal.database, project), database),
      );
    } catch (error) {
      this.#app.log.error(`The backup ${backup.fsPath} of unsaved texts could not be read`, error);
    }
  }

  resolveCustomEditor(document: TranslationsDocument, { webview, onDidDispose }: vscode.WebviewPanel): void {
    const dist = vscode.Uri.joinPath(this.#app.context.extensionUri, "dist");
    webview.options = { enableScripts: true, localResourceRoots: [dist] };
    const id = document.uri.toString();
    const page = new EditorPage(this.#app, document, webview);
    this.#pages.set(id, page);
    onDidDispose(() => {
      if (this.#pages.get(id) === page) this.#pages.delete(id);
      page.dispose();
    });
    webview.html = html(webview, dist);
    document.notifyNewDrafts();
  }

  async saveCustomDocument(document: TranslationsDocument, token: vscode.CancellationToken): Promise<void> {
    const cancellation = toAbortSignal(token);
    await document.save(cancellation.signal).finally(() => cancellation.dispose());
  }

  async saveCustomDocumentAs({ uri }: TranslationsDocument, to: vscode.Uri): Promise<void> {
    await vscode.workspace.fs.copy(uri, to, { overwrite: true });
  }

  async revertCustomDocument(document: TranslationsDocument): Promise<void> {
    document.revert();
  }

  /** Rejects if the backup cannot be written, so that VS Code does not rely on it. */
  async backupCustomDocument(
    { rows }: TranslationsDocument,
    { destination }: vscode.CustomDocumentBackupContext,
  ): Promise<vscode.CustomDocumentBackup> {
    const { fs } = vscode.workspace;
    await fs.createDirectory(vscode.Uri.joinPath(destination, ".."));
    await fs.writeFile(destination, new TextEncoder().encode(backupDrafts(rows.open)));
    return {
      id: destination.toString(),
      delete: () => void fs.delete(destination).then(undefined, () => undefined),
    };
  }
}

/** Returns the HTML with a content security policy that allows only the page's own script and styles. */
function html(webview: vscode.Webview, dist: vscode.Uri): string {
  const nonce = crypto.randomUUID();
  const file = (name: string): string => webview.asWebviewUri(vscode.Uri.joinPath(dist, name)).toString();
  const policy = `default-src 'none'; style-src ${webview.cspSource}; script-src 'nonce-${nonce}'`;
  return `<!doctype html>
<html lang="${language()}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>${l10n.t("Translations")}</title>
<link rel="stylesheet" href="${file("translation-editor.css")}">
</head>
<body>
<script nonce="${nonce}" type="module" src="${file("translation-editor.js")}"></script>
</body>
</html>`;
}
