/** A project's texts as VS Code's custom document: what is changed and not saved yet is in the project's drafts. */
import { EventEmitter, type CustomDocument, type Uri } from "vscode";
import type { App } from "../../vscode/app.ts";
import type { OpenProject } from "../../vscode/projects/project-handle.ts";
import { CommandError } from "../../vscode/command-result.ts";
import { l10n } from "../../vscode/l10n.ts";
import type { StagedEdit, StagedText } from "../../sync/staged-texts.ts";
import type { CellId } from "../../webview/translation-editor/messages.ts";
import { ProjectTexts } from "./project-texts.ts";

export class TranslationsDocument implements CustomDocument {
  readonly uri: Uri;
  readonly #app: App;
  readonly #edited = new EventEmitter<StagedEdit & { readonly label: string }>();
  readonly #changed = new EventEmitter<void>();
  readonly #grew = new EventEmitter<void>();
  readonly onDidEdit = this.#edited.event;
  /** Texts are other ones now. */
  readonly onDidChange = this.#changed.event;
  /** There are texts to save which no edit of this document made. */
  readonly onDidGrow = this.#grew.event;
  #texts: ProjectTexts;
  /** How many drafts there were when VS Code was last told. */
  #told = 0;

  /** @throws CommandError `no_project` where no project file lies there. */
  constructor(app: App, uri: Uri) {
    this.uri = uri;
    this.#app = app;
    const open = this.#open;
    if (open === undefined) throw new CommandError("no_project", l10n.t("There is no project here."));
    this.#texts = new ProjectTexts(app, open);
  }

  /** The project is another object once somebody signs in at another address. */
  get #open(): OpenProject | undefined {
    return this.#app.projects.all.find(({ fileUri }) => fileUri.toString() === this.uri.toString());
  }

  get texts(): ProjectTexts {
    const open = this.#open;
    if (open !== undefined && open !== this.#texts.open) this.#texts = new ProjectTexts(this.#app, open);
    return this.#texts;
  }

  /** Tells VS Code of drafts that it was not told of: kept from another window, or proposed by a machine. */
  takeUntold(): void {
    if (this.texts.drafts.count() > this.#told) this.#grew.fire();
    this.change();
  }

  /** Tells VS Code of the drafts that a save has left. */
  tellLeft(): void {
    if (this.texts.drafts.count() > 0) this.#grew.fire();
  }

  /** Leaves out cells that cannot be edited. Out: how many can. */
  stage(texts: readonly StagedText[]): number {
    const editable = texts.filter(({ locale, hash }) => this.texts.canEdit(locale, hash));
    this.#edit(this.texts.staged.stage(editable), l10n.t("Edit Translations"));
    return editable.length;
  }

  discard(cells: readonly CellId[]): void {
    this.#edit(this.texts.staged.discard(cells), l10n.t("Discard Changes"));
  }

  keepMine(cells: readonly CellId[]): void {
    this.#edit(this.texts.staged.keepMine(cells), l10n.t("Keep Mine"));
  }

  revert(): void {
    this.texts.staged.revert();
    this.change();
  }

  /** Tells whoever shows the texts. */
  change(): void {
    this.#told = this.texts.drafts.count();
    this.#changed.fire();
  }

  dispose(): void {
    this.#edited.dispose();
    this.#changed.dispose();
    this.#grew.dispose();
  }

  #edit(edit: StagedEdit | null, label: string): void {
    this.change();
    if (edit === null) return;
    const message = (work: () => void) => (): void => {
      work();
      this.change();
    };
    this.#edited.fire({ label, undo: message(edit.undo), redo: message(edit.redo) });
  }
}
