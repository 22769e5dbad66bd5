/** The texts of a project as shown in the translation editor: of the service, of local files, and drafts. */
import { isNotPushed, TranslationGrid, type GridScope } from "../../database/translation-editor-queries.ts";
import type { LocalEntry } from "../../database/local-file-repository.ts";
import type { ProjectKey } from "../../database/records.ts";
import { TranslationDrafts, type TranslationDraft } from "../../database/translation-draft-repository.ts";
import { keyPatternMatcher, NO_NAMESPACE, qualifiedNames, type KeyName } from "../../model/key-hash.ts";
import { placeholderTokens } from "../../model/non-translatable-tokens.ts";
import {
  replaceInText,
  type Replacement,
  isEmptyText,
  isForms,
  areTextsEqual,
  valuesOf,
  type Text,
} from "../../model/translation-text.ts";
import { DraftHistory, type StoredText } from "../../sync/drafts/draft-history.ts";
import type { App } from "../../vscode/app.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import { l10n } from "../../vscode/l10n.ts";
import { issueMessage } from "../../vscode/ui/messages/issue-messages.ts";
import { projectKeyLabel } from "../../vscode/ui/text/labels.ts";
import {
  STATES,
  type Cell,
  type CellId,
  type Counts,
  type Detail,
  type Language,
  type Match,
  type Row,
  type State,
} from "../../webview/translation-editor/message-protocol.ts";
import { linesOf, matchExcerpt, partsOf, textOfLines } from "./cell-texts.ts";

/** Longer texts are truncated in rows. Characters. */
const SHOWN_LENGTH = 200;
const SIMILAR_TEXTS = 3;

export class EditorRows {
  readonly open: OpenProject;
  readonly drafts: TranslationDrafts;
  readonly history: DraftHistory;
  /** Caches query results. */
  readonly grid: TranslationGrid;
  readonly #app: App;

  constructor(app: App, open: OpenProject) {
    this.#app = app;
    this.open = open;
    this.drafts = new TranslationDrafts(open.database);
    this.grid = new TranslationGrid(open.database, open.keySearch);
    this.history = new DraftHistory(
      this.drafts,
      (locale, hash) => this.stored(locale, hash),
      (hash) => this.#sourceOf(hash),
    );
  }

  get sourceLocale(): string {
    return this.open.project.sourceLocale ?? this.open.local.sourceLocale;
  }

  /** Returns all languages, the source first. */
  languages(): readonly Language[] {
    const { project, local } = this.open;
    const known = project.stats?.languages ?? local.locales.map((locale) => ({ locale, name: "" }));
    const all = known.map(({ locale, name }) => ({ locale, name, isSource: locale === this.sourceLocale }));
    return all.toSorted((a, b) => Number(b.isSource) - Number(a.isSource));
  }

  /** Whether the texts of the language are at the service and not in local files. */
  isAtService(locale: string): boolean {
    return this.hasService && locale !== this.sourceLocale;
  }

  /** Whether the project is connected to a service. */
  get hasService(): boolean {
    return this.open.project.stats !== null && !this.open.project.isLocal;
  }

  /** Whether all texts of the language are loaded. */
  isKnown(locale: string): boolean {
    return !this.isAtService(locale) || this.open.project.isComplete(locale);
  }

  stored(locale: string, hash: string): StoredText {
    const { project, local } = this.open;
    if (this.isAtService(locale)) {
      const row = project.translations.get(locale, hash);
      return { text: row?.text ?? null, version: row?.version ?? null };
    }
    const text = local.find(hash, locale)?.text;
    return {
      text: text ?? (locale === this.sourceLocale ? (project.keys.text(hash) ?? null) : null),
      version: null,
    };
  }

  /** Returns the source text for translations, if any. */
  #sourceOf(hash: string): Text | null {
    const { project, local } = this.open;
    return (this.hasService ? project.keys.text(hash) : local.find(hash, this.sourceLocale)?.text) ?? null;
  }

  nameOf(hash: string): KeyName | undefined {
    return this.open.project.keys.get(hash) ?? this.open.local.find(hash, this.sourceLocale)?.name;
  }

  get scope(): GridScope {
    // Patterns of keys that the project file says are used.
    const keep = (this.open.file.usage?.keep ?? []).map(keyPatternMatcher);
    const isKept = (name: KeyName): boolean =>
      qualifiedNames(name).some((written) => keep.some((matches) => matches(written)));
    return {
      sourceLocale: this.sourceLocale,
      isAtService: this.hasService,
      localSource: (hash) => this.open.local.find(hash, this.sourceLocale)?.text,
      conflicts: () => this.#conflicts(),
      isKept: (hash) => {
        const name = keep.length === 0 ? undefined : this.nameOf(hash);
        return name !== undefined && isKept(name);
      },
    };
  }

  counts(): Counts {
    const unsaved = this.drafts.count();
    const refused = this.open.project.rejectedTranslations.count();
    return { unsaved, conflicts: unsaved === 0 ? 0 : this.#conflicts().length, refused };
  }

  /** Returns the hashes of conflicting drafts, with duplicates. */
  #conflicts(): readonly string[] {
    const drafts = this.hasService ? this.drafts.mayConflict(this.sourceLocale) : [...this.drafts.all()];
    return drafts.filter((draft) => this.history.isConflict(draft)).map(({ hash }) => hash);
  }

  /** Returns rows for the page. */
  rows(hashes: readonly string[], locales: readonly string[]): readonly Row[] {
    const { project, local } = this.open;
    const keys = project.keys.of(hashes);
    const entries = local.entries(this.sourceLocale).of(hashes);
    const drafts = this.drafts.forKeys(hashes);
    const usages = this.#app.usages.of(this.open);
    const counts = this.#app.usages.isComplete(this.open) ? usages.countsOf(hashes) : null;
    const columns = locales.map((locale) => this.#column(locale, hashes, keys, drafts.get(locale)));
    return hashes.map((hash) => {
      const key = keys.get(hash);
      const entry = entries.get(hash);
      const name = key ?? entry?.name ?? { namespace: NO_NAMESPACE, key: "", context: null };
      const source = drafts.get(this.sourceLocale)?.get(hash)?.text ?? entry?.text ?? key?.text ?? null;
      const count = (): number =>
        key === undefined ? usages.countUsagesOfName(name) : (counts?.get(hash) ?? 0);
      return {
        hash,
        namespace: name.namespace === NO_NAMESPACE ? "" : name.namespace,
        key: name.key,
        context: name.context,
        description: key?.description ?? entry?.description ?? null,
        tags: [...(key?.tags ?? [])],
        maxLength: key?.maxLength ?? null,
        isNotPushed: this.hasService && isNotPushed(key?.text ?? null, entry?.text),
        uses: counts && count(),
        placeholders: placeholdersOf(source),
        cells: columns.map((cellOf) => cellOf(hash, isPluralKey(key?.isPlural, source))),
      };
    });
  }

  /** Returns a function that returns the cell of one of these keys in the language. */
  #column(
    locale: string,
    hashes: readonly string[],
    keys: ReadonlyMap<string, ProjectKey>,
    drafts: ReadonlyMap<string, TranslationDraft> | undefined,
  ): (hash: string, isPlural: boolean) => Cell {
    const { project, local } = this.open;
    const { rejectedTranslations } = project;
    const isAtService = this.isAtService(locale);
    const isKnown = this.isKnown(locale);
    const mayBeRefused = rejectedTranslations.count() > 0;
    const rows = isAtService ? project.translations.of(locale, hashes) : null;
    const entries = isAtService ? null : local.entries(locale).of(hashes);
    return (hash, isPlural) => {
      const draft = drafts?.get(hash);
      const row = rows?.get(hash);
      const entry = entries?.get(hash);
      const key = keys.get(hash);
      const sourceText = locale === this.sourceLocale ? key?.text : undefined;
      const text = draft?.text ?? row?.text ?? entry?.text ?? sourceText ?? null;
      const parts = partsOf(text, locale, isPlural);
      const states: Readonly<Record<State, boolean>> = {
        missing: isKnown && (text === null || isEmptyText(text)),
        outdated: draft === undefined && row?.isOutdated === true,
        issue: draft === undefined && row !== undefined && row.issues.length > 0,
        unsaved: draft !== undefined,
        conflict: draft !== undefined && this.history.isConflict(draft),
        machine: draft?.origin === "machine",
        refused: mayBeRefused && rejectedTranslations.reason(locale, hash) !== undefined,
        readonly: this.#readonlyReason(locale, key !== undefined, entry) !== null,
      };
      return {
        parts: parts.map((part) => ({ ...part, text: part.text.slice(0, SHOWN_LENGTH) })),
        isCut: parts.some((part) => part.text.length > SHOWN_LENGTH),
        states: STATES.filter((state) => states[state]),
      };
    };
  }

  detail({ locale, hash }: CellId): Detail {
    const draft = this.drafts.get(locale, hash);
    const stored = this.stored(locale, hash);
    const row = this.isAtService(locale) ? this.open.project.translations.get(locale, hash) : undefined;
    const name = this.nameOf(hash);
    const usages = this.#app.usages.of(this.open);
    const isPushed = this.open.project.keys.has(hash);
    const [use] = isPushed || name === undefined ? usages.usagesOf(hash) : usages.usagesOfName(name);
    const source = this.textOf(this.sourceLocale, hash);
    const atService = this.hasService ? (this.open.project.keys.text(hash) ?? null) : null;
    const isDifferent = atService !== null && source !== null && !areTextsEqual(atService, source);
    return {
      cell: { locale, hash },
      source,
      sourceAtService: isDifferent ? atService : null,
      sourceBefore: row?.isOutdated === true ? this.open.project.keys.previousText(hash) : null,
      text: this.textOf(locale, hash),
      conflict:
        draft !== undefined && this.history.isConflict(draft)
          ? { base: draft.base, theirs: stored.text }
          : null,
      isSourceChanged: draft !== undefined && this.history.isSourceChanged(draft),
      issues: (row?.issues ?? []).map((issue) => ({
        message: issueMessage(issue),
        suggestion: issue.suggestion ?? null,
        form: issue.form ?? null,
      })),
      readonly: this.#readonlyReason(locale, isPushed, this.open.local.find(hash, locale)),
      refused: this.open.project.rejectedTranslations.reason(locale, hash) ?? null,
      similar: this.#similar(locale, hash),
      usedIn: use?.path ?? null,
    };
  }

  /** Returns translations of similar source texts; for a plural text those of other plural texts. */
  #similar(locale: string, hash: string): Detail["similar"] {
    const source = this.textOf(this.sourceLocale, hash);
    if (source === null || locale === this.sourceLocale) return [];
    const hits = this.open.keySearch.similarTexts(flatText(source), SIMILAR_TEXTS * 4);
    const texts = new Set<string>();
    const found = hits.flatMap((hit) => {
      const text = hit.hash === hash ? null : this.textOf(locale, hit.hash);
      if (hit.text === null || text === null || isForms(text) !== isForms(source) || isEmptyText(text))
        return [];
      const flat = flatText(text);
      if (flat.length > SHOWN_LENGTH || texts.has(flat)) return [];
      texts.add(flat);
      return [{ source: hit.text, text }];
    });
    return found.slice(0, SIMILAR_TEXTS);
  }

  /** Returns the text of a spreadsheet cell. */
  linesOf(locale: string, hash: string): string {
    return linesOf(partsOf(this.textOf(locale, hash), locale, this.isPlural(hash)));
  }

  /** Parses the text of a spreadsheet cell; `null` if it does not have one line per form. */
  textOfLines(locale: string, hash: string, lines: string): Text | null {
    return textOfLines(lines, this.textOf(locale, hash), locale, this.isPlural(hash));
  }

  /** Returns the text after the replacement; `null` if nothing changes or the cell is not editable. */
  replaced(locale: string, hash: string, replacement: Replacement): Text | null {
    const text = this.textOf(locale, hash);
    const replaced = text === null ? null : replaceInText(text, replacement);
    return replaced === null || !this.canEdit(locale, hash) ? null : replaced;
  }

  /** Returns the preview of a replacement. */
  preview(locale: string, hash: string, replacement: Replacement): Match | null {
    const after = this.replaced(locale, hash, replacement);
    const before = this.textOf(locale, hash);
    const name = this.nameOf(hash);
    if (after === null || before === null || name === undefined) return null;
    const excerpt = matchExcerpt(flatText(before), flatText(after));
    return { cell: { locale, hash }, key: projectKeyLabel(this.open, name), ...excerpt };
  }

  isPlural(hash: string): boolean {
    return isPluralKey(this.open.project.keys.isPlural(hash), this.textOf(this.sourceLocale, hash));
  }

  canEdit(locale: string, hash: string): boolean {
    const { project, local } = this.open;
    return this.#readonlyReason(locale, project.keys.has(hash), local.find(hash, locale)) === null;
  }

  /** Returns why a cell cannot be edited and what to do; `null` if it can be. `isKey`: the service has the key. */
  #readonlyReason(locale: string, isKey: boolean, entry: LocalEntry | undefined): string | null {
    const { project, local } = this.open;
    if (this.isAtService(locale)) {
      if (!isKey) return l10n.t("Push this key first: the service does not know it yet.");
      if (!this.isKnown(locale)) return l10n.t("The translations of {0} are not loaded yet.", locale);
      const isReadOnly = project.session.kind === "signed-in" && !project.session.canWrite;
      return isReadOnly ? l10n.t("Editing needs a token with write access.") : null;
    }
    if (local.locales.length === 0) return l10n.t("There is no local translation file for this text.");
    const isReadOnly = (entry?.entry.readOnly ?? null) !== null;
    return isReadOnly ? l10n.t("This text can only be changed in its file.") : null;
  }

  /** Returns the text shown in the cell: the draft, else the stored text; `null` if there is none. */
  textOf(locale: string, hash: string): Text | null {
    return this.drafts.get(locale, hash)?.text ?? this.stored(locale, hash).text;
  }
}

/** Returns the value, or all forms joined. */
function flatText(text: Text): string {
  return valuesOf(text).join(" · ");
}

/** A key that the service does not know is plural if its source text is. */
function isPluralKey(atService: boolean | undefined, source: Text | null): boolean {
  return atService ?? (source !== null && isForms(source));
}

function placeholdersOf(source: Text | null): string[] {
  const text = valuesOf(source).join("\n");
  return [...new Set(placeholderTokens(text.slice(0, 5_000)).map((token) => token.text))].slice(0, 30);
}
