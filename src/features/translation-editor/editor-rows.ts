/** The texts of a project as shown in the translation editor: of the service, of local files, and drafts. */
import { isNotPushed, TranslationGrid, type GridScope } from "../../database/translation-grid-queries.ts";
import type { LocalEntry } from "../../database/local-file-repository.ts";
import type { ProjectKey, ProjectRow } from "../../database/records.ts";
import { TranslationDrafts, type TranslationDraft } from "../../database/translation-draft-repository.ts";
import { NO_NAMESPACE, type KeyName } from "../../model/key-hash.ts";
import { placeholderTokens } from "../../model/non-translatable-tokens.ts";
import {
  replaceInText,
  type Replacement,
  isEmptyText,
  isForms,
  plainText,
  areTextsEqual,
  type Text,
} from "../../model/text.ts";
import { neededCategories } from "../../model/plural-categories.ts";
import { DraftHistory } from "../../sync/edit/draft-history.ts";
import type { StoredText } from "../../sync/edit/draft-conflicts.ts";
import type { App } from "../../vscode/app.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import { l10n } from "../../vscode/l10n.ts";
import { issueMessage } from "../../vscode/ui/text/issue-messages.ts";
import { projectKeyLabel } from "../../vscode/ui/text/labels.ts";
import type {
  Cell,
  CellId,
  Counts,
  Match,
  Detail,
  Language,
  Row,
  State,
} from "../../webview/translation-editor/messages.ts";
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
    const { stats } = this.open.project;
    const source = this.sourceLocale;
    const known = stats?.languages ?? this.open.local.locales.map((locale) => ({ locale, name: "" }));
    const language = ({ locale, name }: { readonly locale: string; readonly name: string }): Language => ({
      locale,
      name,
      isSource: locale === source,
      categories: [...neededCategories(locale)],
    });
    const all = known.map(language);
    return [...all.filter(({ isSource }) => isSource), ...all.filter(({ isSource }) => !isSource)];
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
    return {
      sourceLocale: this.sourceLocale,
      isAtService: this.hasService,
      localSource: (hash) => this.open.local.find(hash, this.sourceLocale)?.text,
      conflicts: () => this.#conflicts(),
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
    const { sourceLocale, hasService } = this;
    const drafts = this.drafts.forKeys(hashes);
    const keys = project.keys.of(hashes);
    const entries = local.entries(sourceLocale).of(hashes);
    const usages = this.#app.usages.of(this.open);
    const counts = this.#app.usages.isComplete(this.open) ? usages.countsOf(hashes) : null;
    const columns = locales.map((locale) => this.#column(locale, hashes, entries));
    const mayBeRefused = project.rejectedTranslations.count() > 0;
    return hashes.map((hash) => {
      const key = keys.get(hash);
      const entry = entries.get(hash);
      const name = key ?? entry?.name ?? { namespace: NO_NAMESPACE, key: "", context: null };
      const draftOf = (locale: string) => drafts.get(locale)?.get(hash);
      const source = draftOf(sourceLocale)?.text ?? entry?.text ?? key?.text ?? null;
      return {
        hash,
        namespace: name.namespace === NO_NAMESPACE ? "" : name.namespace,
        key: name.key,
        context: name.context,
        description: key?.description ?? entry?.description ?? null,
        tags: [...(key?.tags ?? [])],
        maxLength: key?.maxLength ?? null,
        isNotPushed: hasService && isNotPushed(key?.text ?? null, entry?.text),
        uses:
          counts === null
            ? null
            : key === undefined
              ? usages.countUsagesOfName(name)
              : (counts.get(hash) ?? 0),
        placeholders: placeholdersOf(source),
        cells: columns.map((column) => {
          const isPlural = isPluralKey(key?.isPlural, source);
          const facts = { hash, key, isPlural, draft: draftOf(column.locale), mayBeRefused };
          return this.#cell(column, facts);
        }),
      };
    });
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
    return {
      cell: { locale, hash },
      source,
      sourceAtService:
        atService !== null && source !== null && !areTextsEqual(atService, source) ? atService : null,
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
      readonly: this.#readonlyReason(locale, hash),
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

  get #mayWriteAtService(): boolean {
    const { session } = this.open.project;
    return session.kind !== "signed-in" || session.canWrite;
  }

  canEdit(locale: string, hash: string): boolean {
    const { project, local } = this.open;
    if (this.isAtService(locale)) {
      return this.#mayWriteAtService && project.keys.has(hash) && project.isComplete(locale);
    }
    const entry = local.find(hash, locale)?.entry;
    return local.locales.length > 0 && (entry?.readOnly ?? null) === null;
  }

  /** Returns why a cell cannot be edited and what to do; `null` if it can be. */
  #readonlyReason(locale: string, hash: string): string | null {
    const { project, local } = this.open;
    if (this.canEdit(locale, hash)) return null;
    if (!this.isAtService(locale))
      return local.locales.length === 0
        ? l10n.t("There is no local translation file for this text.")
        : l10n.t("This text can only be changed in its file.");
    if (!project.keys.has(hash)) return l10n.t("Push this key first: the service does not know it yet.");
    if (!project.isComplete(locale)) return l10n.t("The translations of {0} are not loaded yet.", locale);
    return l10n.t("Editing needs a token with write access.");
  }

  /** Returns the text shown in the cell: the draft, else the stored text; `null` if there is none. */
  textOf(locale: string, hash: string): Text | null {
    return this.drafts.get(locale, hash)?.text ?? this.stored(locale, hash).text;
  }

  /** Reads the data of a language for these keys. `sources`: their entries in the source language. */
  #column(locale: string, hashes: readonly string[], sources: ReadonlyMap<string, LocalEntry>): Column {
    const { project, local } = this.open;
    const isAtService = this.isAtService(locale);
    const isSource = locale === this.sourceLocale;
    return {
      locale,
      isSource,
      isKnown: this.isKnown(locale),
      mayWrite: isAtService ? this.#mayWriteAtService : local.locales.length > 0,
      stored: isAtService ? project.translations.of(locale, hashes) : null,
      entries: isSource ? sources : isAtService ? new Map() : local.entries(locale).of(hashes),
    };
  }

  #cell(column: Column, { hash, key, isPlural, draft, mayBeRefused }: CellFacts): Cell {
    const { locale, isSource, isKnown, mayWrite } = column;
    const isAtService = column.stored !== null;
    const row = column.stored?.get(hash);
    const entry = isAtService ? undefined : column.entries.get(hash);
    const stored = isAtService ? row?.text : (entry?.text ?? (isSource ? key?.text : undefined));
    const text = draft?.text ?? stored ?? null;
    const isEmpty = text === null || isEmptyText(text);
    const canEdit =
      mayWrite && (isAtService ? key !== undefined && isKnown : (entry?.entry.readOnly ?? null) === null);
    const states: [State, boolean][] = [
      ["missing", isEmpty && isKnown],
      ["outdated", draft === undefined && row?.isOutdated === true],
      ["issue", draft === undefined && row !== undefined && row.issues.length > 0],
      ["unsaved", draft !== undefined],
      ["conflict", draft !== undefined && this.history.isConflict(draft)],
      ["machine", draft?.origin === "machine"],
      ["refused", mayBeRefused && this.open.project.rejectedTranslations.reason(locale, hash) !== undefined],
      ["readonly", !canEdit],
    ];
    const parts = partsOf(text, locale, isPlural);
    return {
      parts: parts.map(({ category, text }) => ({ category, text: text.slice(0, SHOWN_LENGTH) })),
      isCut: parts.some(({ text }) => text.length > SHOWN_LENGTH),
      states: states.filter(([, is]) => is).map(([state]) => state),
    };
  }
}

interface Column {
  readonly locale: string;
  readonly isSource: boolean;
  readonly isKnown: boolean;
  readonly mayWrite: boolean;
  /** Rows of the service; `null` if the texts of the language are in local files. */
  readonly stored: ReadonlyMap<string, ProjectRow> | null;
  /** Entries of local files. */
  readonly entries: ReadonlyMap<string, LocalEntry>;
}

interface CellFacts {
  readonly hash: string;
  readonly key: ProjectKey | undefined;
  readonly isPlural: boolean;
  readonly draft: TranslationDraft | undefined;
  /** Whether there are refused machine translations. */
  readonly mayBeRefused: boolean;
}

/** Returns the value, or all forms joined. */
function flatText(text: Text): string {
  return isForms(text) ? Object.values(text.forms).join(" · ") : text.value;
}

/** A key that the service does not know is plural if its source text is. */
function isPluralKey(atService: boolean | undefined, source: Text | null): boolean {
  return atService ?? (source !== null && isForms(source));
}

function placeholdersOf(source: Text | null): string[] {
  if (source === null) return [];
  const text = isForms(source) ? Object.values(source.forms).join("\n") : plainText(source);
  return [...new Set(placeholderTokens(text.slice(0, 5_000)).map((token) => token.text))].slice(0, 30);
}
