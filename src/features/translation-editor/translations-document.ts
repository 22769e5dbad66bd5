/** The custom document of the translation editor. Unsaved changes are stored as drafts in the project's database. */
import {
  EventEmitter,
  TabInputCustom,
  window,
  workspace,
  type CustomDocument,
  type Disposable,
  type Tab,
  type Uri,
} from "vscode";
import type { App } from "../../vscode/app.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import { CommandError } from "../../vscode/commands/command-types.ts";
import { l10n } from "../../vscode/l10n.ts";
import type { StagedEdit, StagedText } from "../../sync/edit/draft-history.ts";
import type { CellId } from "../../webview/translation-editor/messages.ts";
import { EditorRows } from "./editor-rows.ts";

/** Marks the document as dirty; with an edit that VS Code can undo and redo. */
type NotifyDirty = (edit: (StagedEdit & { readonly label: string }) | null) => void;

export class TranslationsDocument implements CustomDocument {
  readonly uri: Uri;
  readonly #app: App;
  readonly #notifyDirty: NotifyDirty;
  readonly #changed = new EventEmitter<void>();
  /** Fires when texts changed. */
  readonly onDidChange = this.#changed.event;
  readonly #subscription: Disposable;
  #texts: EditorRows;
  /** The texts whose dirty state VS Code knows. */
  #known: EditorRows;
  /** The number of drafts when VS Code was last notified. */
  #notifiedCount = 0;

  /** @throws {CommandError} `no_project` if there is no project for the file. */
  constructor(app: App, uri: Uri, notifyDirty: NotifyDirty) {
    this.uri = uri;
    this.#app = app;
    this.#notifyDirty = notifyDirty;
    const open = this.#open;
    if (open === undefined) throw new CommandError("no_project", l10n.t("There is no project here."));
    this.#texts = new EditorRows(app, open);
    this.#known = this.#texts;
    this.#subscription = app.projects.onDidChange(() => this.#follow());
  }

  /** Switches to the drafts of the signed-in project. */
  #follow(): void {
    if (this.texts === this.#known) return;
    this.#known = this.texts;
    if (this.texts.drafts.count() > 0) this.#notifyDirty(null);
    else void this.#markClean();
    this.change();
  }

  /** Saves the document without changes, since VS Code clears the dirty state only on save. */
  async #markClean(): Promise<void> {
    const tabs = window.tabGroups.all.flatMap((group) => group.tabs);
    const isOwn = ({ input }: Tab): boolean =>
      input instanceof TabInputCustom && input.uri.toString() === this.uri.toString();
    if (tabs.some((tab) => tab.isDirty && isOwn(tab))) await workspace.save(this.uri);
  }

  /** The current project; signing in to another base URL replaces the object. */
  get #open(): OpenProject | undefined {
    return this.#app.projects.all.find(({ fileUri }) => fileUri.toString() === this.uri.toString());
  }

  get texts(): EditorRows {
    const open = this.#open;
    if (open !== undefined && open !== this.#texts.open) this.#texts = new EditorRows(this.#app, open);
    return this.#texts;
  }

  /** Notifies VS Code of drafts from other windows or from machine translation. */
  notifyNewDrafts(): void {
    if (this.texts.drafts.count() > this.#notifiedCount) this.#notifyDirty(null);
    this.change();
  }

  /** Notifies VS Code of drafts that could not be saved. */
  notifyUnsaved(): void {
    if (this.texts.drafts.count() > 0) this.#notifyDirty(null);
  }

  /** Stages the texts of editable cells and returns their number. */
  stage(texts: readonly StagedText[]): number {
    const editable = texts.filter(({ locale, hash }) => this.texts.canEdit(locale, hash));
    this.#edit(this.texts.history.stage(editable), l10n.t("Edit Translations"));
    return editable.length;
  }

  discard(cells: readonly CellId[]): void {
    this.#edit(this.texts.history.discard(cells), l10n.t("Discard Changes"));
  }

  keepMine(cells: readonly CellId[]): void {
    this.#edit(this.texts.history.overwriteTheirs(cells), l10n.t("Keep Mine"));
  }

  revert(): void {
    this.texts.history.discardAll();
    this.change();
  }

  /** Notifies listeners that texts changed. */
  change(): void {
    this.#notifiedCount = this.texts.drafts.count();
    this.#changed.fire();
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changed.dispose();
  }

  #edit(edit: StagedEdit | null, label: string): void {
    this.change();
    if (edit === null) return;
    const { texts } = this;
    // Undo and redo apply only while the project of the edit is shown.
    const inOwn = (work: () => void) => (): void => {
      if (this.texts === texts) work();
      this.change();
    };
    this.#notifyDirty({ label, undo: inOwn(edit.undo), redo: inOwn(edit.redo) });
  }
}
