/** The translation editor: a custom editor that shows all keys and languages of a project in one table. */
import type { OptionsOf } from "../../commands/define-command.ts";
import { openEditorCommand, openEditorRowCommand } from "../../commands/declarations/window-commands.ts";
import * as vscode from "vscode";
import { keyHash } from "../../model/key-hash.ts";
import type { App, CommandWork } from "../../vscode/app.ts";
import { projectDisplayName } from "../../messages/labels.ts";
import { CommandError, type CommandResult, type NextAction } from "../../commands/command-types.ts";
import { isAutoSaveOn } from "../../vscode/extension-settings.ts";
import { offerActions, showInformation, showWarning } from "../../vscode/notifications.ts";
import { formatCount } from "../../messages/counts-and-times.ts";
import { keyFromOptions } from "../../vscode/ui/input/pick-key.ts";
import { language, l10n } from "../../util/l10n.ts";
import { ALL_ROWS, type RowFilter } from "../../model/translation-editor-filters.ts";
import { PersonalData } from "../../database/personal/personal-data.ts";
import { TranslationDraftRepository } from "../../database/personal/translation-draft-repository.ts";
import { backupDrafts, restoreDrafts } from "./draft-backup.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import { runWithProgress } from "../../vscode/ui/input/progress.ts";
import { getOrCreate } from "../../util/maps.ts";
import { TranslationsDocument, type Unsaved } from "./translations-document.ts";
import { EditorPage } from "./editor-page.ts";
import { editorUri, folderOf, isEditorUri } from "../../vscode/files/editor-uri.ts";

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
  let named = language();
  app.addDisposable(
    app.store.subscribe(["settings"], () => {
      if (language() === named) return;
      named = language();
      provider.rename().catch((error: unknown) => app.log.error("The tabs could not be renamed", error));
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
  const page = await provider.open(open);
  if (page === undefined)
    throw new CommandError("no_project", l10n.t("The translation editor could not be opened."));
  await page.show({
    query: hasQuery ? { ...ALL_ROWS, filters, search: search ?? "" } : null,
    locales: locales === undefined ? null : [locales].flat(),
    hash: name === undefined ? null : keyHash(name),
  });
  return { outcome: "done" };
}

/** Returns the tabs of the editor of a folder, given as a URI. */
function tabsOf(folder: string) {
  return vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .flatMap((tab) => {
      const { input, isDirty } = tab;
      const isOfFolder =
        input instanceof vscode.TabInputCustom &&
        input.viewType === VIEW_TYPE &&
        folderOf(input.uri).toString() === folder;
      return isOfFolder ? [{ tab, input, isDirty }] : [];
    });
}

function titleOf(open: OpenProject): string {
  return l10n.t("Translations – {0}", projectDisplayName(open));
}

/** Returns the tab of a project. It keeps its name while it has unsaved changes; otherwise one with the current name replaces it. */
function shownTab(open: OpenProject) {
  const shown = tabsOf(open.root.toString()).find(({ input }) => isEditorUri(input.uri));
  if (shown === undefined) return undefined;
  const current = editorUri(open.root, titleOf(open)).toString();
  return { ...shown, isKept: shown.isDirty || shown.input.uri.toString() === current };
}

/** Opens or reveals the tab of a project. @param options as VS Code's command takes them */
async function show(open: OpenProject, options?: object): Promise<void> {
  const shown = shownTab(open);
  const uri = shown?.isKept === true ? shown.input.uri : editorUri(open.root, titleOf(open));
  await vscode.commands.executeCommand("vscode.openWith", uri, VIEW_TYPE, options);
  if (shown === undefined || shown.isKept) return;
  // Older versions of VS Code describe the tabs by new objects after one was opened.
  const replaced = tabsOf(open.root.toString()).filter(
    ({ input }) => input.uri.toString() === shown.input.uri.toString(),
  );
  await vscode.window.tabGroups.close(
    replaced.map(({ tab }) => tab),
    true,
  );
}

/** An undoable edit, or a change that only marks the document as dirty. */
type DocumentChange = vscode.CustomDocumentEditEvent<TranslationsDocument>;

class TranslationEditorProvider implements vscode.CustomEditorProvider<TranslationsDocument> {
  readonly #app: App;
  /** The open pages by the URI of the folder. */
  readonly #pages = new Map<string, EditorPage>();
  /** The saves that are running. */
  readonly #saves = new Map<TranslationsDocument, Promise<void>>();
  readonly #changed = new vscode.EventEmitter<DocumentChange>();
  readonly onDidChangeCustomDocument = this.#changed.event;

  constructor(app: App) {
    this.#app = app;
  }

  /** Opens or reveals the page of a project; `undefined` if VS Code does not open it. */
  async open(open: OpenProject): Promise<EditorPage | undefined> {
    await show(open);
    return this.#pages.get(open.root.toString());
  }

  /** Gives tabs the names that they have in the language of the window, which is another one now. */
  async rename(): Promise<void> {
    for (const open of this.#app.projects.all) {
      const shown = shownTab(open);
      if (shown === undefined || shown.isKept) continue;
      const { isActive, group } = shown.tab;
      await show(open, { viewColumn: group.viewColumn, preserveFocus: true, background: !isActive });
    }
  }

  async openCustomDocument(
    uri: vscode.Uri,
    { backupId }: vscode.CustomDocumentOpenContext,
  ): Promise<TranslationsDocument> {
    const { projects } = this.#app;
    await projects.ready;
    const folder = folderOf(uri);
    // A folder without a project file becomes a project on demand.
    if (!projects.all.some(({ root }) => root.toString() === folder.toString()))
      await projects.choose({ folder, confirm: false });
    const document = new TranslationsDocument(this.#app, uri, (edit) =>
      this.#changed.fire({ document, ...edit } as DocumentChange),
    );
    if (backupId !== undefined) await this.#restore(document, vscode.Uri.parse(backupId));
    return document;
  }

  /** Restores drafts that were only in memory when the window was closed. */
  async #restore({ rows }: TranslationsDocument, backup: vscode.Uri): Promise<void> {
    const { personal, database } = rows.connection;
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

  resolveCustomEditor(document: TranslationsDocument, panel: vscode.WebviewPanel): void {
    const { webview, onDidDispose } = panel;
    if (!isEditorUri(document.uri)) {
      void this.#openInstead(document, panel);
      return;
    }
    const dist = vscode.Uri.joinPath(this.#app.context.extensionUri, "dist");
    webview.options = { enableScripts: true, localResourceRoots: [dist] };
    const id = folderOf(document.uri).toString();
    const page = new EditorPage(this.#app, document, webview);
    this.#pages.set(id, page);
    onDidDispose(() => {
      if (this.#pages.get(id) === page) this.#pages.delete(id);
      page.dispose();
    });
    webview.html = html(webview, dist);
    document.notifyNewDrafts();
  }

  /** Opens the editor in a tab of its own in place of the project file's, also in one that an earlier version opened. */
  async #openInstead({ rows }: TranslationsDocument, panel: vscode.WebviewPanel): Promise<void> {
    try {
      await this.open(rows.open);
    } catch (error) {
      this.#app.log.error("The translation editor could not be opened", error);
    }
    panel.dispose();
  }

  /**
   * Resolves also if something could not be saved: VS Code's own message would speak of a file. Who saves again meanwhile waits
   * for the same save, which VS Code would cancel.
   */
  saveCustomDocument(document: TranslationsDocument): Promise<void> {
    return getOrCreate(this.#saves, document, () =>
      this.#save(document).finally(() => this.#saves.delete(document)),
    );
  }

  async #save(document: TranslationsDocument): Promise<void> {
    const title = titleOf(document.rows.open);
    const unsaved = await runWithProgress(title, false, (run) => document.save(run));
    if (unsaved === null) return;
    this.#report(document, unsaved);
    // Auto save would try again every second, unless it fails.
    if (isAutoSaveOn(document.uri)) throw new Error(unsaved.message);
    document.notifyUnsaved();
  }

  #report({ uri, rows }: TranslationsDocument, { message, hasConflicts, next }: Unsaved): void {
    const folder = rows.open.root;
    const show = (filter: RowFilter) => this.#app.run(openEditorCommand, { folder, filter });
    const actions: NextAction[] = [];
    if (hasConflicts) actions.push({ label: l10n.t("Show Conflicts"), act: () => show("conflicts") });
    if (next === "try-again")
      actions.push({
        label: l10n.t("Try Again"),
        act: async () => {
          // The editor may have been closed, and has its current name then.
          await show("unsaved");
          await vscode.workspace.save(shownTab(rows.open)?.input.uri ?? uri);
        },
      });
    else if (next !== null) actions.push(next);
    // What the service refused is refused again until somebody changes it.
    if (actions.length === 0)
      actions.push({ label: l10n.t("Show Unsaved Texts"), act: () => show("unsaved") });
    offerActions(showWarning, message, ...actions);
  }

  /** VS Code refuses it before: the URI of the editor has no file system. */
  async saveCustomDocumentAs(): Promise<void> {
    throw new Error("not supported");
  }

  /** Discards all unsaved changes, which can be restored until others are made of the same texts. */
  async revertCustomDocument(document: TranslationsDocument): Promise<void> {
    const discarded = document.revert();
    if (discarded.count === 0) return;
    offerActions(showInformation, l10n.t("Discarded: {0}.", formatCount.unsavedTexts(discarded.count)), {
      label: l10n.t("Restore"),
      act: discarded.restore,
    });
  }

  /** Rejects if the backup cannot be written, so that VS Code does not rely on it. */
  async backupCustomDocument(
    { rows }: TranslationsDocument,
    { destination }: vscode.CustomDocumentBackupContext,
  ): Promise<vscode.CustomDocumentBackup> {
    const { fs } = vscode.workspace;
    await fs.createDirectory(vscode.Uri.joinPath(destination, ".."));
    await fs.writeFile(destination, new TextEncoder().encode(backupDrafts(rows.connection)));
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
