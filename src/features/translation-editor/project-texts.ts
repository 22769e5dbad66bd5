/** The texts of a project as the translation editor shows them: the service's, the local files' and what is not saved yet. */
import type { GridScope } from "../../database/translation-grid.ts";
import type { LocalEntry } from "../../database/local-file-repository.ts";
import type { ProjectKey } from "../../database/project-records.ts";
import { TranslationDrafts, type TranslationDraft } from "../../database/translation-drafts.ts";
import { NO_NAMESPACE, type KeyName } from "../../model/key-identity.ts";
import { placeholderTokens } from "../../model/message-tokens.ts";
import { replaceIn } from "../../model/replace-text.ts";
import { neededCategories } from "../../model/plural-rules.ts";
import { type Forms, isEmptyText, isForms, plainText, sameText, type Text } from "../../model/text.ts";
import { StagedTexts, type StoredText } from "../../sync/staged-texts.ts";
import type { App } from "../../vscode/app.ts";
import type { OpenProject } from "../../vscode/projects/project-handle.ts";
import { issueMessage } from "../../vscode/ui/issue-messages.ts";
import { labelIn } from "../../vscode/ui/text-label.ts";
import type {
  Cell,
  CellId,
  Found,
  Replacement,
  Detail,
  Language,
  Row,
  State,
} from "../../webview/translation-editor/messages.ts";

/** Longer texts are cut in rows. Characters. */
const SHOWN_LENGTH = 200;
const SIMILAR_TEXTS = 3;
/** Of a text in which something is replaced, before the place. Characters. */
const SHOWN_BEFORE = 40;

export class ProjectTexts {
  readonly open: OpenProject;
  readonly drafts: TranslationDrafts;
  readonly staged: StagedTexts;
  readonly #app: App;

  constructor(app: App, open: OpenProject) {
    this.#app = app;
    this.open = open;
    this.drafts = new TranslationDrafts(open.database);
    this.staged = new StagedTexts(
      this.drafts,
      (locale, hash) => this.stored(locale, hash),
      (hash) => this.#sourceOf(hash),
    );
  }

  get sourceLocale(): string {
    return this.open.project.sourceLocale ?? this.open.local.sourceLocale;
  }

  /** All languages, the source first. */
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

  /** Whether the texts of the language are the service's; else they are those of local files. */
  isAtService(locale: string): boolean {
    return this.hasService && locale !== this.sourceLocale;
  }

  /** Whether texts are read from the service. */
  get hasService(): boolean {
    return this.open.project.stats !== null && !this.open.project.isLocal;
  }

  /** Whether all texts of the language are known. */
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

  /** What translations are made of; `null`: there is none. */
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
      isConflict: (draft) => this.staged.isConflict(draft),
      refused: () => this.#refused(),
    };
  }

  counts(): { readonly unsaved: number; readonly conflicts: number; readonly refused: number } {
    const unsaved = this.drafts.count();
    const refused = this.#refused().length;
    if (unsaved === 0) return { unsaved, conflicts: 0, refused };
    const conflicts = [...this.drafts.all()].filter((it) => this.staged.isConflict(it)).length;
    return { unsaved, conflicts, refused };
  }

  /** The keys of translations of a language model that were refused and that nobody has written since; one for each. */
  #refused(): readonly string[] {
    return this.open.project.refusedTranslations
      .all()
      .filter(({ locale, hash }) => this.#refusalOf(locale, hash) !== null)
      .map(({ hash }) => hash);
  }

  #refusalOf(locale: string, hash: string): string | null {
    const refused = this.open.project.refusedTranslations.get(locale, hash);
    if (refused === undefined || this.drafts.get(locale, hash) !== undefined) return null;
    const source = this.#sourceOf(hash);
    const isCurrent = source !== null && sameText(source, refused.source);
    return isCurrent && this.stored(locale, hash).version === refused.version ? refused.reason : null;
  }

  /** Rows as the page shows them. `isNotPushed`: whether the service has another source text than the local files. */
  rows(
    hashes: readonly string[],
    locales: readonly string[],
    isNotPushed: (hash: string, local: Text | undefined) => boolean,
  ): readonly Row[] {
    const { open } = this;
    const drafts = this.drafts.of(hashes);
    const usages = this.#app.usages.of(open);
    const isUsageKnown = this.#app.usages.isComplete(open);
    const columns = locales.map((locale) => this.#column(locale));
    return hashes.map((hash) => {
      const key = open.project.keys.get(hash);
      const entry = open.local.find(hash, this.sourceLocale);
      const name = key ?? entry?.name ?? { namespace: NO_NAMESPACE, key: "", context: null };
      const draftOf = (locale: string) => drafts.get(locale)?.get(hash);
      const source = draftOf(this.sourceLocale)?.text ?? entry?.text ?? key?.text ?? null;
      return {
        hash,
        namespace: name.namespace === NO_NAMESPACE ? "" : name.namespace,
        key: name.key,
        context: name.context,
        description: key?.description ?? entry?.description ?? null,
        tags: [...(key?.tags ?? [])],
        maxLength: key?.maxLength ?? null,
        isNotPushed: this.hasService && isNotPushed(hash, entry?.text),
        uses: !isUsageKnown ? null : key === undefined ? usages.countOfName(name) : usages.countOf(hash),
        placeholders: placeholdersOf(source),
        cells: columns.map((column) => {
          const own = column.locale === this.sourceLocale ? entry : undefined;
          return this.#cell(column, { hash, key, own, draft: draftOf(column.locale) });
        }),
      };
    });
  }

  detail({ locale, hash }: CellId): Detail {
    const draft = this.drafts.get(locale, hash);
    const stored = this.stored(locale, hash);
    const issues = this.isAtService(locale)
      ? (this.open.project.translations.get(locale, hash)?.issues ?? [])
      : [];
    const name = this.nameOf(hash);
    const usages = this.#app.usages.of(this.open);
    const isPushed = this.open.project.keys.has(hash);
    const [use] = isPushed || name === undefined ? usages.usagesOf(hash) : usages.usagesOfName(name);
    return {
      cell: { locale, hash },
      source: this.#text(this.sourceLocale, hash),
      text: this.#text(locale, hash),
      conflict:
        draft !== undefined && this.staged.isConflict(draft)
          ? { base: draft.base, theirs: stored.text }
          : null,
      isSourceChanged: draft !== undefined && this.staged.isSourceChanged(draft),
      issues: issues.map((issue) => ({
        words: issueMessage(issue),
        suggestion: issue.suggestion ?? null,
        form: issue.form ?? null,
      })),
      refused: this.#refusalOf(locale, hash),
      similar: this.#similar(locale, hash),
      usedIn: use?.path ?? null,
    };
  }

  /** What other texts of the project say of much the same source text. */
  #similar(locale: string, hash: string): Detail["similar"] {
    const source = this.#text(this.sourceLocale, hash);
    if (source === null || isForms(source) || locale === this.sourceLocale) return [];
    const found = this.open.keySearch.similarTexts(source.value, SIMILAR_TEXTS * 4).flatMap((hit) => {
      const text = hit.hash === hash ? null : this.#text(locale, hit.hash);
      if (hit.text === null || text === null || isForms(text) || text.value === "") return [];
      return [{ source: plainText(hit.text), text: text.value }];
    });
    const texts = new Set<string>();
    return found
      .filter(({ text }) => text.length <= SHOWN_LENGTH && !texts.has(text) && texts.add(text))
      .slice(0, SIMILAR_TEXTS);
  }

  /** The text in a spreadsheet's cell: the value, or a line for each form that the cell shows. */
  linesOf(locale: string, hash: string): string {
    return this.#parts(locale, hash)
      .map(({ text }) => text)
      .join("\n");
  }

  /** The text of such lines, of which none stand for an empty text; `null`: there is not one for each form. */
  textOfLines(locale: string, hash: string, lines: string): Text | null {
    if (!this.#isPlural(hash)) return { value: lines };
    if (lines === "") return { forms: {} };
    const parts = this.#parts(locale, hash);
    const texts = lines.split("\n");
    const forms = parts.flatMap(({ category }, at) => (category === null ? [] : [[category, texts[at]]]));
    return texts.length === forms.length ? { forms: Object.fromEntries(forms) as Forms } : null;
  }

  /** The text with something replaced; `null`: nothing of it changes, or nobody may change it. */
  replaced(locale: string, hash: string, asked: Replacement): Text | null {
    const text = this.#text(locale, hash);
    const replaced = text === null ? null : replaceIn(text, asked);
    return replaced === null || !this.canEdit(locale, hash) ? null : replaced;
  }

  /** The same for a person to look at. */
  place(locale: string, hash: string, asked: Replacement): Found | null {
    const after = this.replaced(locale, hash, asked);
    const before = this.#text(locale, hash);
    const name = this.nameOf(hash);
    if (after === null || before === null || name === undefined) return null;
    const texts = [flatText(before), flatText(after)] as const;
    const first = Array.from(texts[0]).findIndex((letter, at) => letter !== texts[1][at]);
    const start = Math.max(0, first - SHOWN_BEFORE);
    const shown = (text: string): string =>
      `${start > 0 ? "…" : ""}${text.slice(start, start + SHOWN_LENGTH)}${text.length > start + SHOWN_LENGTH ? "…" : ""}`;
    return {
      cell: { locale, hash },
      key: labelIn(this.open, name),
      before: shown(texts[0]),
      after: shown(texts[1]),
    };
  }

  /** As it is in the cell; `null`: there is none. */
  textOf(locale: string, hash: string): Text | null {
    return this.#text(locale, hash);
  }

  #parts(locale: string, hash: string): ReturnType<typeof partsOf> {
    return partsOf(this.#text(locale, hash), locale, this.#isPlural(hash));
  }

  #isPlural(hash: string): boolean {
    const source = this.#text(this.sourceLocale, hash);
    return this.open.project.keys.isPlural(hash) ?? (source !== null && isForms(source));
  }

  canEdit(locale: string, hash: string): boolean {
    const { project, local } = this.open;
    if (this.isAtService(locale)) {
      const mayWrite = project.session.kind !== "signed-in" || project.session.canWrite;
      return mayWrite && project.keys.has(hash) && project.isComplete(locale);
    }
    const entry = local.find(hash, locale)?.entry;
    return local.locales.length > 0 && (entry?.readOnly ?? null) === null;
  }

  /** As it will be once all is saved. */
  #text(locale: string, hash: string): Text | null {
    return this.drafts.get(locale, hash)?.text ?? this.stored(locale, hash).text;
  }

  /** What holds for all cells of a language. */
  #column(locale: string): Column {
    const { project, local } = this.open;
    const isAtService = this.isAtService(locale);
    const { session } = project;
    const mayWrite = isAtService
      ? session.kind !== "signed-in" || session.canWrite
      : local.locales.length > 0;
    return { locale, isAtService, isKnown: this.isKnown(locale), mayWrite };
  }

  #cell({ locale, isAtService, isKnown, mayWrite }: Column, { hash, key, own, draft }: CellFacts): Cell {
    const row = isAtService ? this.open.project.translations.get(locale, hash) : undefined;
    const entry = isAtService ? undefined : (own ?? this.open.local.find(hash, locale));
    const stored = isAtService
      ? row?.text
      : (entry?.text ?? (locale === this.sourceLocale ? key?.text : undefined));
    const text = draft?.text ?? stored ?? null;
    const isEmpty = text === null || isEmptyText(text);
    const canEdit =
      mayWrite && (isAtService ? key !== undefined && isKnown : (entry?.entry.readOnly ?? null) === null);
    const states: [State, boolean][] = [
      ["missing", isEmpty && isKnown],
      ["outdated", draft === undefined && row?.isOutdated === true],
      ["issue", draft === undefined && row !== undefined && row.issues.length > 0],
      ["unsaved", draft !== undefined],
      ["conflict", draft !== undefined && this.staged.isConflict(draft)],
      ["machine", draft?.origin === "machine"],
      ["refused", this.#refusalOf(locale, hash) !== null],
      ["readonly", !canEdit],
    ];
    const parts = partsOf(isEmpty ? null : text, locale, key?.isPlural === true);
    return {
      parts: parts.map(({ category, text }) => ({ category, text: text.slice(0, SHOWN_LENGTH) })),
      isCut: parts.some(({ text }) => text.length > SHOWN_LENGTH),
      states: states.filter(([, is]) => is).map(([state]) => state),
    };
  }
}

interface Column {
  readonly locale: string;
  readonly isAtService: boolean;
  readonly isKnown: boolean;
  readonly mayWrite: boolean;
}

interface CellFacts {
  readonly hash: string;
  readonly key: ProjectKey | undefined;
  /** Of the local files in the language of the cell, where it is known already. */
  readonly own: LocalEntry | undefined;
  readonly draft: TranslationDraft | undefined;
}

/** The value, or all forms. */
function flatText(text: Text): string {
  return isForms(text) ? Object.values(text.forms).join(" · ") : text.value;
}

/** The value, or the forms that the language needs and those that are there. */
function partsOf(
  text: Text | null,
  locale: string,
  isPlural: boolean,
): readonly { readonly category: string | null; readonly text: string }[] {
  if (text !== null && !isForms(text)) return [{ category: null, text: text.value }];
  if (!isPlural && text === null) return [{ category: null, text: "" }];
  const forms = text === null ? {} : text.forms;
  const categories = new Set([...neededCategories(locale), ...Object.keys(forms)]);
  return [...categories].map((category) => ({ category, text: forms[category] ?? "" }));
}

function placeholdersOf(source: Text | null): string[] {
  if (source === null) return [];
  const text = isForms(source) ? Object.values(source.forms).join("\n") : plainText(source);
  return [...new Set(placeholderTokens(text.slice(0, 5_000)).map((token) => token.text))].slice(0, 30);
}
