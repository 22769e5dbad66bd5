/** The rows of the translation editor: texts of the service and of local files, and drafts. */
import { isGenerated } from "../../model/file-formats.ts";
import { TranslationEditorQueries, type RowQueryContext } from "../../database/translation-editor-queries.ts";
import type { LocalEntry } from "../../database/local-file-repository.ts";
import type { TranslationDraftRepository } from "../../database/personal/translation-draft-repository.ts";
import { NO_NAMESPACE, type KeyName } from "../../model/key-hash.ts";
import type { Delimiters } from "../../model/placeholders.ts";
import type { CellId } from "../../model/text-edit.ts";
import { placeholderTokens } from "../../model/non-translatable-tokens.ts";
import {
  isEmptyText,
  isForms,
  areTextsEqual,
  flatText,
  valuesOf,
  type Text,
} from "../../model/translation-text.ts";
import { textsAtService, textsInFiles } from "../../sync/drafts/current-texts.ts";
import { isInConflict, type CurrentTexts } from "../../sync/drafts/decide-draft.ts";
import { DraftHistory } from "../../sync/drafts/draft-history.ts";
import type { App } from "../../vscode/app.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import type { ProjectConnection } from "../../vscode/projects/project-connection.ts";
import { languageName } from "../../model/locales.ts";
import { l10n } from "../../util/l10n.ts";
import { hiddenCategories } from "../../vscode/ui/input/translation-input-checks.ts";
import { chosenDelimiters } from "../../workspace/problems/project-placeholder-families.ts";
import type { ProjectRow } from "../../database/records.ts";
import { rowIssues } from "../../sync/qa-issues.ts";
import { issueMessage, wrongPlaceholders } from "../../messages/issue-messages.ts";
import { archivedKeyMessage, projectKeyLabel, writtenNamespace } from "../../messages/labels.ts";
import {
  type Cell,
  type CellDetails,
  type Counts,
  type Language,
  type Match,
  type EditorRow,
} from "../../webview/translation-editor/editor-protocol.ts";
import { toClipboardText } from "../../webview/translation-editor/clipboard-cells.ts";
import { cellStates, readonlyReason, readonlyText, type ReadonlyReason } from "./cell-decisions.ts";
import { matchExcerpt, toParts } from "./cell-texts.ts";
import type { ReplacedText } from "./range-edits.ts";

/** Longer texts are truncated in cells. Characters. */
const MAX_CELL_LENGTH = 200;
const MAX_SIMILAR_TEXTS = 3;
/** Characters of a source text that are searched for placeholders. */
const MAX_SEARCHED_LENGTH = 5_000;
const MAX_PLACEHOLDERS = 30;

/** Reads the rows of a project. */
export class EditorRows {
  readonly open: OpenProject;
  /** What the project was connected to when the rows were made. */
  readonly connection: ProjectConnection;
  readonly drafts: TranslationDraftRepository;
  readonly history: DraftHistory;
  /** Caches its results. */
  readonly queries: TranslationEditorQueries;
  readonly #app: App;

  constructor(app: App, open: OpenProject) {
    this.#app = app;
    this.open = open;
    this.connection = open.connection;
    const { database, drafts, queries, rejectedTranslations } = this.connection;
    this.drafts = drafts;
    this.queries = new TranslationEditorQueries(database, queries, drafts, rejectedTranslations);
    this.history = new DraftHistory(this.drafts, (id) => this.#currentTexts(id));
  }

  get sourceLocale(): string {
    return this.connection.sourceLocale ?? this.connection.local.sourceLocale;
  }

  /** Returns all languages, the source first, and last those that only drafts have. */
  languages(): readonly Language[] {
    const { local } = this.connection;
    const known =
      this.connection.stats?.languages ??
      local.locales.map((locale) => ({ locale, name: languageName(locale) }));
    const all = known.map(({ locale, name }) => ({
      locale,
      name: name === "" ? languageName(locale) : name,
      isSource: locale === this.sourceLocale,
      hiddenCategories: [...hiddenCategories(this.#app, this.open, locale)],
    }));
    const removed = this.removedLocales().map((locale) => ({
      locale,
      name: l10n.t("no longer in the project"),
      isSource: false,
      hiddenCategories: [],
    }));
    return [...all.toSorted((a, b) => Number(b.isSource) - Number(a.isSource)), ...removed];
  }

  /** Returns the languages of drafts that the service's project no longer has, so that they cannot be saved. */
  removedLocales(): readonly string[] {
    const { stats } = this.connection;
    if (stats === null || !this.isServiceKnown) return [];
    const known = new Set(stats.languages.map(({ locale }) => locale));
    return this.drafts.locales().filter((locale) => !known.has(locale));
  }

  /** Returns whether the service's project no longer has the language. */
  isRemoved(locale: string): boolean {
    const { stats } = this.connection;
    return (
      stats !== null && this.isServiceKnown && stats.languages.every((language) => language.locale !== locale)
    );
  }

  /** Whether the project has a service, and the languages and counts of it were read. */
  get isServiceKnown(): boolean {
    return this.connection.stats !== null && this.connection.source.hasService;
  }

  /** Whether texts of the language are at the service, not in local files; also before anything of it was read. */
  isAtService(locale: string): boolean {
    return this.connection.source.hasService && locale !== this.sourceLocale;
  }

  /** Returns whether all texts of the language are loaded. */
  isLoaded(locale: string): boolean {
    return !this.isAtService(locale) || this.connection.isComplete(locale) || this.isRemoved(locale);
  }

  /** Returns what a draft of a cell is compared with. */
  #currentTexts(id: CellId): CurrentTexts {
    const { connection } = this;
    return this.isAtService(id.locale)
      ? textsAtService(connection, id)
      : textsInFiles({ project: connection, local: connection.local }, id);
  }

  /** Returns the stored text of a cell. */
  #stored(id: CellId): Text | null {
    return this.#currentTexts(id).stored.text;
  }

  /** Returns the text shown in a cell: the draft, else the stored text; `null` if there is none. */
  text(locale: string, hash: string): Text | null {
    return this.drafts.get(locale, hash)?.text ?? this.#stored({ locale, hash });
  }

  keyName(hash: string): KeyName | undefined {
    return this.connection.keys.get(hash) ?? this.connection.local.find(hash, this.sourceLocale)?.name;
  }

  isPlural(hash: string): boolean {
    return isPluralKey(this.connection.keys.isPlural(hash), this.text(this.sourceLocale, hash));
  }

  /** Returns the context of a query. `locales`: the languages that its filters apply to. */
  queryContext(locales: readonly string[]): RowQueryContext {
    return {
      sourceLocale: this.sourceLocale,
      locales,
      isServiceKnown: this.isServiceKnown,
      ...this.#sourceTexts(),
      conflicts: () => this.#conflicts(),
      unused: async () => {
        const { unused } = await this.#app.usageReports.current(this.open, new AbortController().signal);
        return unused.map(({ hash }) => hash);
      },
    };
  }

  #sourceTexts(): Pick<RowQueryContext, "localSource" | "agreedSource"> {
    const { sourceLocale } = this;
    return {
      localSource: (hash) => this.connection.local.find(hash, sourceLocale)?.text,
      agreedSource: (hash) => this.connection.agreedTexts.get(sourceLocale, hash),
    };
  }

  counts(): Counts {
    const unsaved = this.drafts.count();
    const refused = this.connection.rejectedTranslations.count();
    return { unsaved, conflicts: unsaved === 0 ? 0 : this.#conflicts().length, refused };
  }

  /** Returns the hashes of conflicting drafts, with duplicates. */
  #conflicts(): readonly string[] {
    const drafts = this.isServiceKnown ? this.drafts.mayConflict(this.sourceLocale) : [...this.drafts.all()];
    return drafts.filter((draft) => isInConflict(this.history.stateOf(draft))).map(({ hash }) => hash);
  }

  /** Returns the rows of keys, with the cells of these languages. */
  rows(hashes: readonly string[], locales: readonly string[]): EditorRow[] {
    const hasRejected = this.connection.rejectedTranslations.count() > 0;
    const columns = locales.map((locale): Column => ({
      locale,
      isAtService: this.isAtService(locale),
      isLoaded: this.isLoaded(locale),
    }));
    return hashes.map((hash) => this.#row(hash, columns, hasRejected));
  }

  #row(hash: string, columns: readonly Column[], hasRejected: boolean): EditorRow {
    const { local } = this.connection;
    const key = this.connection.keys.get(hash);
    const entry = local.find(hash, this.sourceLocale);
    const drafts = this.drafts.forKey(hash, [this.sourceLocale, ...columns.map(({ locale }) => locale)]);
    const translations = this.connection.translations.forKey(
      hash,
      columns.filter(({ isAtService }) => isAtService).map(({ locale }) => locale),
    );
    // Their texts are read from the files.
    const inFiles = this.connection.source.hasService
      ? new Map<string, ProjectRow>()
      : this.connection.translations.forKey(hash, this.connection.loadedLocales());
    const source = drafts.get(this.sourceLocale)?.text ?? entry?.text ?? key?.text ?? null;
    const isPlural = isPluralKey(key?.isPlural, source);
    const name = key ?? entry?.name ?? { namespace: NO_NAMESPACE, key: "", context: null };
    const { usages, usageReports } = this.#app;
    const usageCount = usages.areAllComplete() ? usages.countUsages(this.open, hash, name) : null;
    const usage = usageCount === 0 ? usageReports.stateOf(this.open, hash) : undefined;
    return {
      hash,
      namespace: writtenNamespace(this.open, name),
      key: name.key,
      context: name.context,
      description: key?.description ?? entry?.description ?? null,
      tags: [...(key?.tags ?? [])],
      maxLength: key?.maxLength ?? null,
      isNotPushed: this.isServiceKnown && this.queries.isNotPushed(hash, this.#sourceTexts()),
      usageCount,
      mayBeUsed: usage === "mayBeUsed",
      isUnused: usage === "unused",
      placeholders: placeholdersIn(
        source,
        chosenDelimiters(this.#app.documentUsages.lookupOptions(this.open)),
      ),
      cells: Object.fromEntries(
        columns.map((column): [string, Cell] => {
          const { locale, isAtService } = column;
          const localEntry = isAtService ? undefined : local.find(hash, locale);
          const sourceText = locale === this.sourceLocale ? key?.text : undefined;
          const translation = translations.get(locale);
          const draft = drafts.get(locale);
          const text = draft?.text ?? translation?.text ?? localEntry?.text ?? sourceText ?? null;
          const parts = toParts(text, locale, isPlural);
          const stored = translation ?? inFiles.get(locale);
          const cell: Cell = {
            parts: parts.map((part) => ({ ...part, text: part.text.slice(0, MAX_CELL_LENGTH) })),
            isTruncated: parts.some((part) => part.text.length > MAX_CELL_LENGTH),
            // What is known of the stored text is not known of a draft.
            wrongPlaceholders: draft === undefined ? wrongPlaceholders(text, stored?.issues ?? []) : [],
            states: cellStates({
              text,
              source,
              isLoaded: column.isLoaded,
              translation: stored,
              draft: draft && { origin: draft.origin, isConflict: isInConflict(this.history.stateOf(draft)) },
              isRefused:
                hasRejected && this.connection.rejectedTranslations.reason(locale, hash) !== undefined,
              isReadonly: this.#readonlyReason(column, key !== undefined, localEntry) !== null,
            }),
          };
          return [locale, cell];
        }),
      ),
    };
  }

  details({ locale, hash }: CellId): CellDetails {
    const draft = this.drafts.get(locale, hash);
    const stored = this.#stored({ locale, hash });
    const state = draft === undefined ? "stored" : this.history.stateOf(draft);
    const hasRow = !this.connection.source.hasService || this.isAtService(locale);
    const translation = hasRow ? this.connection.translations.get(locale, hash) : undefined;
    const name = this.keyName(hash);
    const usages = this.#app.usages.of(this.open);
    const [usage] =
      name === undefined || this.connection.keys.has(hash)
        ? usages.usagesOf(hash)
        : usages.usagesOfName(name);
    const source = this.text(this.sourceLocale, hash);
    const atService = this.isServiceKnown ? (this.connection.keys.text(hash) ?? null) : null;
    const isDifferent = atService !== null && source !== null && !areTextsEqual(atService, source);
    return {
      cell: { locale, hash },
      source,
      sourceAtService: isDifferent ? atService : null,
      previousSource: translation?.isOutdated === true ? this.connection.keys.previousText(hash) : null,
      text: draft?.text ?? stored,
      conflict: isInConflict(state) ? { base: draft?.base ?? null, theirs: stored } : null,
      isSourceChanged: state === "stale",
      issues: rowIssues({ issues: translation?.issues ?? [], text: draft?.text ?? stored }, source).map(
        (issue) => ({
          message: issueMessage(issue),
          suggestion: issue.suggestion ?? null,
          form: issue.form ?? null,
        }),
      ),
      readonlyReason: this.#readonlyReasonOf(locale, hash),
      rejectionReason: this.connection.rejectedTranslations.reason(locale, hash) ?? null,
      similar: this.#similar(locale, hash, source),
      usedIn: usage?.path ?? null,
    };
  }

  /** Returns translations of similar source texts; for a plural text those of other plural texts. */
  #similar(locale: string, hash: string, source: Text | null): CellDetails["similar"] {
    if (source === null || locale === this.sourceLocale) return [];
    const texts = new Set<string>();
    const found = this.connection.keySearch
      .similarTexts(flatText(source), MAX_SIMILAR_TEXTS * 4)
      .flatMap((hit) => {
        const text = hit.hash === hash ? null : this.text(locale, hit.hash);
        if (hit.text === null || text === null || isForms(text) !== isForms(source) || isEmptyText(text))
          return [];
        const flat = flatText(text);
        if (flat.length > MAX_CELL_LENGTH || texts.has(flat)) return [];
        texts.add(flat);
        return [{ source: hit.text, text }];
      });
    return found.slice(0, MAX_SIMILAR_TEXTS);
  }

  /** Returns the text of a spreadsheet cell. */
  clipboardText(locale: string, hash: string): string {
    return toClipboardText(toParts(this.text(locale, hash), locale, this.isPlural(hash)));
  }

  /** Returns the preview of a replacement; `null` if the cell is not editable. */
  preview({ locale, hash, before, text }: ReplacedText): Match | null {
    const name = this.keyName(hash);
    if (name === undefined || !this.canEdit(locale, hash)) return null;
    const excerpt = matchExcerpt(flatText(before), flatText(text));
    return { cell: { locale, hash }, key: projectKeyLabel(this.open, name), ...excerpt };
  }

  canEdit(locale: string, hash: string): boolean {
    return this.#readonlyReasonOf(locale, hash) === null;
  }

  /** Returns why a cell cannot be edited and what to do; `null` if it can be. */
  #readonlyReasonOf(locale: string, hash: string): string | null {
    const { local } = this.connection;
    const column = { locale, isAtService: this.isAtService(locale), isLoaded: this.isLoaded(locale) };
    const reason = this.#readonlyReason(column, this.connection.keys.has(hash), local.find(hash, locale));
    if (reason === "not-pushed" && this.connection.keys.isArchived(hash)) return archivedKeyMessage();
    return reason && readonlyText(reason, locale);
  }

  /** @param hasKey whether the service has the key */
  #readonlyReason(
    { locale, isAtService, isLoaded }: Column,
    hasKey: boolean,
    localEntry: LocalEntry | undefined,
  ): ReadonlyReason | null {
    const { local, source } = this.open;
    if (isAtService)
      return readonlyReason({
        kind: "service",
        isRemoved: this.isRemoved(locale),
        hasKey,
        isLoaded,
        refusal: source.refusal,
      });
    const format = localEntry && local.locate(localEntry.path)?.entry.format;
    return readonlyReason({
      kind: "file",
      hasFiles: local.locales.length > 0,
      isGenerated: format !== undefined && isGenerated(format),
      isFixed: (localEntry?.entry.readOnly ?? null) !== null,
    });
  }
}

/** What the cells of a language have in common. */
interface Column {
  readonly locale: string;
  readonly isAtService: boolean;
  readonly isLoaded: boolean;
}

/** A key that the service does not know is plural if its source text is. */
function isPluralKey(atService: boolean | undefined, source: Text | null): boolean {
  return atService ?? (source !== null && isForms(source));
}

function placeholdersIn(source: Text | null, delimiters: readonly Delimiters[]): string[] {
  const text = valuesOf(source).join("\n").slice(0, MAX_SEARCHED_LENGTH);
  const found = new Set(placeholderTokens(text, delimiters).map((token) => token.text));
  return [...found].slice(0, MAX_PLACEHOLDERS);
}
