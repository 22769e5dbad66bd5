/** Compares one file of an export with the local file, by the text that both sides last agreed on. */
import type { AgreedChange } from "../../database/personal/agreed-text-repository.ts";
import type { Project } from "../../database/project-state.ts";
import { type Change, type Entry, entryId, type EntryName } from "../../formats/format.ts";
import type { FileRead } from "../../formats/parse-and-edit-file.ts";
import { type AgreedText, changedSide, textFingerprint } from "../../model/agreed-text.ts";
import { keyHash, NO_NAMESPACE, type KeyName } from "../../model/key-hash.ts";
import type { ProjectFiles } from "../../model/platform.ts";
import { areTextsEqual, isEmptyText, type Text } from "../../model/translation-text.ts";
import { collectInSlices, forEachInSlices } from "../../util/event-loop.ts";
import { getOrCreate } from "../../util/maps.ts";
import type { LocalEntries } from "../../workspace/local-files/local-entries.ts";
import {
  hasOwnLocales,
  keyNameIn,
  mayContainInNamespace,
  namespaceChooser,
  type LocalFileLocation,
  type UnparsedRange,
} from "../../workspace/local-files/local-file.ts";

export interface MergeDependencies {
  readonly local: LocalEntries;
  readonly files: Pick<ProjectFiles, "read">;
  readonly project: Project;
  /** Hashes of the old names of keys that were renamed in the files; they are not restored. */
  readonly renamed?: ReadonlySet<string>;
  /** Limits the pull to keys by hash, and to existing files. Default: all. */
  readonly only?: ReadonlySet<string>;
  /** Whether a file that differs is replaced by the service's bytes. */
  readonly wantsBytes: boolean;
  /** Whether the export may have texts of another language in place of missing ones (§ GET /exports, `missing`). */
  readonly hasFallbacks?: boolean;
  /** What could not be read of the source files; default: nothing. */
  readonly unparsedSources?: readonly UnparsedRange[];
  /** Whether nobody sees what they would replace: a file that cannot be parsed, or texts that only the file has. */
  readonly isQuiet?: boolean;
  /** Maps a locale in files to the service's; `null` if it has none. */
  readonly toService: (fileLocale: string) => string | null;
  readonly toFile: (serviceLocale: string) => string;
}

/** A text that a pull leaves as it is in the file, unless it is selected. */
export interface LeftText {
  /** Identifies it among the texts of the pull. */
  readonly id: string;
  readonly path: string;
  /** The service's name of the language. */
  readonly locale: string;
  readonly name: KeyName;
  /**
   * `file`: only the file's text changed since both sides last agreed, or it was never sent. `deleted`: only the file lost
   * it. `conflict`: both changed.
   */
  readonly reason: "file" | "deleted" | "conflict";
  /** The text in the file; `null`: none. */
  readonly ours: Text | null;
  readonly theirs: Text;
}

/** Which texts of the service are taken. */
export interface PullSelection {
  /** Whether those are that a pull takes by default. */
  readonly byDefault: boolean;
  /** Ids of `LeftText`. */
  readonly left: ReadonlySet<string>;
}

/** What a pull takes by default. */
export const DEFAULT_SELECTION: PullSelection = { byDefault: true, left: new Set() };

/** A key in one language. */
type KeyInLanguage = Pick<AgreedText, "locale" | "hash">;

/** Result of comparing one text. `equal`: only what the service does not store may differ. */
interface Comparison {
  readonly reason: "equal" | "service" | "unknown" | LeftText["reason"];
  /** `null`: nothing about this file. */
  readonly agreed: AgreedChange | null;
}

const EQUAL: Comparison = { reason: "equal", agreed: null };

/** A change of the local file. */
export interface FoundChange {
  readonly change: Change;
  /** `null`: nothing about this file. */
  readonly agreed: AgreedChange | null;
}

export interface Differences {
  readonly changes: readonly FoundChange[];
  readonly added: number;
  readonly differing: number;
  readonly others: number;
  /** Number of texts in the file that the service never had, as far as is known. */
  readonly unsent: number;
  readonly hasRenamed: boolean;
  readonly left: readonly LeftText[];
  /** Texts that are equal on both sides, and were not agreed before. */
  readonly equal: readonly AgreedText[];
}

/**
 * Compares the two files. `others` counts differences that only the service's bytes would apply: keys that the export
 * lacks, keys that are in another local file, and untranslated texts (`missing=empty`), which do not replace a text.
 */
export async function compareWithExport(
  dependencies: MergeDependencies,
  path: string,
  { entries: local, namespaces }: FileRead,
  remote: readonly Entry[],
  selection: PullSelection,
): Promise<Differences> {
  const names = new NameMapper(dependencies, path, local, namespaces ?? []);
  const localById = new Map<string, Entry>();
  await forEachInSlices(local, (entry) => {
    const id = names.idOf(entry);
    if (id !== null) localById.set(id, entry);
  });
  const changes: FoundChange[] = [];
  const left: LeftText[] = [];
  const equal: AgreedText[] = [];
  let added = 0;
  let differing = 0;
  let others = 0;
  let hasRenamed = false;
  const isReviewed = (entry: Entry): boolean => entry.isFuzzy !== true && !names.isOutdated(entry);
  const take = (known: Entry | undefined, entry: Entry, agreed: AgreedChange | null): void => {
    if (known === undefined) {
      changes.push({ change: names.newEntry(entry), agreed });
      added++;
      return;
    }
    const fuzzy = entry.isFuzzy === true ? { fuzzy: true } : {};
    changes.push({ change: { ...entryName(known), text: entry.text, ...fuzzy }, agreed });
  };
  const compare = (entry: Entry): void => {
    const id = names.idOf(entry);
    if (id === null) return;
    if (names.isRenamed(entry)) {
      hasRenamed = true;
      return;
    }
    if (!names.isWanted(entry)) return;
    const known = localById.get(id);
    localById.delete(id);
    if (known === undefined && names.isElsewhere(entry)) {
      others++;
      return;
    }
    if (isEmptyText(entry.text)) {
      // An empty cell of a sheet does not justify a new column or row.
      const isNew = known === undefined && entry.locale === null && !names.isDeletedKey(entry);
      if (isNew && selection.byDefault) take(known, entry, null);
      else if (known !== undefined && !areTextsEqual(known.text, entry.text)) others++;
      return;
    }
    const isEqual = known !== undefined && areTextsEqual(known.text, entry.text);
    const { reason, agreed } = isEqual ? EQUAL : names.compare(known, entry);
    if (reason === "equal") {
      const key = names.keyOf(entry);
      if (key !== null) equal.push({ ...key, fingerprint: textFingerprint(entry.text) });
      if (known?.isFuzzy === true && isReviewed(entry) && selection.byDefault)
        changes.push({ change: { ...entryName(known), text: entry.text, fuzzy: false }, agreed: null });
    } else if (reason === "service" || reason === "unknown") {
      if (!selection.byDefault) return;
      if (reason === "unknown" && known !== undefined && !isEmptyText(known.text)) differing++;
      take(known, entry, agreed);
    } else {
      const text = names.leftText(entry, known?.text ?? null, reason);
      if (text === null || selection.left.has(text.id)) take(known, entry, agreed);
      else left.push(text);
    }
  };
  await forEachInSlices(remote, compare);
  const agreed = await dependencies.project.agreedTexts.withoutStored(equal);
  const equalHere = await collectInSlices(agreed, (text) => names.isAgreedHere(text));
  const unsent = await collectInSlices(localById.values(), (entry) => names.isUnsent(entry));
  return {
    changes,
    added,
    differing,
    others: others + localById.size,
    unsent: unsent.length,
    hasRenamed,
    left,
    equal: equalHere,
  };
}

/** Maps the names of keys and languages in both files to the service's. */
export class NameMapper {
  readonly #dependencies: MergeDependencies;
  readonly #location: LocalFileLocation | null;
  readonly #namespaces: readonly (string | null)[];
  readonly #chooseNamespace: ReturnType<typeof namespaceChooser>;
  /** Locales of the local file, by the service's. */
  readonly #fileLocales = new Map<string, string | null>();
  readonly #serviceLocales = new Map<string, string | null>();

  constructor(
    dependencies: MergeDependencies,
    path: string,
    local: readonly Entry[],
    namespaces: readonly (string | null)[],
  ) {
    this.#dependencies = dependencies;
    this.#namespaces = namespaces;
    this.#chooseNamespace = namespaceChooser(namespaces, local);
    this.#location = dependencies.local.locate(path);
    for (const locale of new Set(local.map((entry) => entry.locale))) {
      const serviceLocale = this.#serviceLocale(locale);
      if (serviceLocale !== null) getOrCreate(this.#fileLocales, serviceLocale, () => locale);
    }
  }

  /** Returns an id that is comparable across both files; `null` if the entry does not belong to this file. */
  idOf(entry: Entry): string | null {
    if (this.#location === null) return entryId(entry);
    const locale = this.#serviceLocale(entry.locale);
    if (locale === null) return null;
    // The export's sheet has all namespaces, the local one a single one.
    const { entry: layout, keyNaming } = this.#location;
    if (
      layout.namespace !== undefined &&
      hasOwnLocales(layout.format) &&
      entry.namespace !== null &&
      entry.namespace !== keyNaming.namespace
    ) {
      return null;
    }
    return entryId({ ...keyNameIn(this.#location, entry), locale });
  }

  /** Returns whether another multilingual file has the key. */
  isElsewhere(entry: Entry): boolean {
    const { loaded } = this.#dependencies.local;
    const hash = this.#hashOf(entry);
    if (hash === null || loaded === null || entry.locale === null) return false;
    const source = loaded.entries(loaded.sourceLocale).get(hash);
    return source !== undefined && source.path !== this.#location?.path;
  }

  /**
   * Returns why the texts of both sides differ, and what is agreed when the file has the service's. `known`: the entry in
   * the local file.
   */
  compare(known: Entry | undefined, entry: Entry): Comparison {
    const key = this.keyOf(entry);
    if (key === null || !this.isAgreedHere(key)) return { reason: "unknown", agreed: null };
    const { agreedTexts, sourceLocale } = this.#dependencies.project;
    const before = agreedTexts.get(key.locale, key.hash);
    const side = changedSide(known?.text, entry.text, before);
    const isMissing = known === undefined || isEmptyText(known.text);
    const isDeleted = isMissing && (side === "file" || (side === "unknown" && this.isDeletedKey(entry)));
    // Source texts of which nothing was agreed were not pushed yet, and translations that the service lacks not sent.
    const isOurs = key.locale === sourceLocale || this.#isFallback(entry, key);
    const isUnsent = side === "unknown" && !isMissing && isOurs;
    const agreed = { ...key, fingerprint: textFingerprint(entry.text), before: before ?? null };
    if (side === "none") return EQUAL;
    if (isDeleted) return { reason: "deleted", agreed };
    if (isUnsent) return { reason: "file", agreed };
    return { reason: side === "both" ? "conflict" : side, agreed };
  }

  /** Returns whether the text probably is that of another language, in place of a translation that the service lacks. */
  #isFallback({ text }: Entry, { locale, hash }: KeyInLanguage): boolean {
    const { project, hasFallbacks = false } = this.#dependencies;
    if (!hasFallbacks || project.translation(locale, hash)?.isTranslated === true) return false;
    const source = project.keys.text(hash);
    if (source != null && areTextsEqual(source, text)) return true;
    const rows = [...project.translationsOf(hash).values()];
    return rows.some((row) => row.isTranslated && row.text !== null && areTextsEqual(row.text, text));
  }

  /** Returns whether the local file has a text that was never agreed. */
  isUnsent(entry: Entry): boolean {
    const key = this.keyOf(entry);
    if (key === null || isEmptyText(entry.text)) return false;
    return this.#dependencies.project.agreedTexts.get(key.locale, key.hash) === undefined;
  }

  /** Returns whether the source files had the key, and do not have it any more, as far as they could be read. */
  isDeletedKey(entry: Entry): boolean {
    const { local, project } = this.#dependencies;
    const { loaded } = local;
    const hash = this.#hashOf(entry);
    if (this.#location === null || hash === null || loaded === null) return false;
    if (project.sourceLocale !== loaded.sourceLocale) return false;
    if (project.agreedTexts.get(loaded.sourceLocale, hash) === undefined) return false;
    if (loaded.entries(loaded.sourceLocale).has(hash)) return false;
    const { unparsedSources = [] } = this.#dependencies;
    return !mayContainInNamespace(unparsedSources, keyNameIn(this.#location, entry));
  }

  /** Describes a text that is left; `null` for a file outside of the layout. */
  leftText(entry: Entry, ours: Text | null, reason: LeftText["reason"]): LeftText | null {
    const key = this.keyOf(entry);
    if (key === null || this.#location === null) return null;
    const { locale, hash } = key;
    const { path } = this.#location;
    const name = keyNameIn(this.#location, entry);
    return { id: `${locale}\u001f${hash}`, path, locale, name, reason, ours, theirs: entry.text };
  }

  /**
   * Returns whether what was agreed of a key is about this file: another one, such as the file that this one is compiled
   * from, may have the key too and take precedence.
   */
  isAgreedHere({ locale, hash }: KeyInLanguage): boolean {
    const { loaded } = this.#dependencies.local;
    const first = loaded?.entries(locale).get(hash);
    return first === undefined || first.path === this.#location?.path;
  }

  /** Returns what is agreed when the file has the service's text; `null` if that is not about this file. */
  agreedChange(entry: Entry): AgreedChange | null {
    const key = this.keyOf(entry);
    if (key === null || !this.isAgreedHere(key)) return null;
    const before = this.#dependencies.project.agreedTexts.get(key.locale, key.hash) ?? null;
    return { ...key, fingerprint: textFingerprint(entry.text), before };
  }

  /** Returns the key and the language; `null` for a file outside of the layout. */
  keyOf(entry: Entry): KeyInLanguage | null {
    const hash = this.#hashOf(entry);
    const locale = this.#serviceLocale(entry.locale);
    return hash === null || locale === null ? null : { locale, hash };
  }

  /** Returns whether it has the old name of a key that was renamed locally. */
  isRenamed(entry: Entry): boolean {
    const { renamed } = this.#dependencies;
    return renamed !== undefined && renamed.size > 0 && renamed.has(this.#hashOf(entry) ?? "");
  }

  isWanted(entry: Entry): boolean {
    return this.#dependencies.only?.has(this.#hashOf(entry) ?? "") !== false;
  }

  /** Returns whether the translation is outdated at the service. */
  isOutdated(entry: Entry): boolean {
    const locale = this.#serviceLocale(entry.locale);
    const hash = this.#hashOf(entry);
    if (hash === null || locale === null) return false;
    return this.#dependencies.project.translation(locale, hash)?.isOutdated === true;
  }

  /** Returns the hash of the entry's key; `null` for a file outside of the layout. */
  #hashOf(entry: Entry): string | null {
    return this.#location && keyHash(keyNameIn(this.#location, entry));
  }

  /** Returns the entry to add to the local file. */
  newEntry(entry: Entry): Change {
    const { key, context, text } = entry;
    const known = this.#dependencies.project.keys.get(this.#hashOf(entry) ?? "");
    const isSource = this.#serviceLocale(entry.locale) === this.#dependencies.project.sourceLocale;
    const source = isSource ? null : (entry.source ?? known?.text ?? null);
    return {
      key,
      context,
      text,
      namespace: this.#namespaceOf(entry),
      locale: this.#fileLocale(entry),
      description: entry.description ?? known?.description ?? null,
      ...(source === null ? {} : { source }),
      ...(entry.isFuzzy === true ? { fuzzy: true } : {}),
    };
  }

  #namespaceOf({ key, namespace }: Entry): string | null {
    if (this.#location === null) return namespace;
    if (this.#location.entry.namespace !== undefined) {
      if (this.#namespaces.length === 0) return null;
      return this.#chooseNamespace(key, namespace);
    }
    return [this.#location.keyNaming.namespace, NO_NAMESPACE].includes(namespace ?? "") ? null : namespace;
  }

  #fileLocale({ locale }: Entry): string | null {
    const service = this.#location === null || locale === null ? null : this.#serviceLocale(locale);
    if (service === null) return locale;
    const known = this.#fileLocales.get(service);
    return known === undefined ? this.#dependencies.toFile(service) : known;
  }

  /** Maps a locale in the file; texts without one have the file's. */
  #serviceLocale(locale: string | null): string | null {
    if (locale === null) return this.#location?.locale ?? "";
    return getOrCreate(this.#serviceLocales, locale, () =>
      this.#location === null ? locale : this.#dependencies.toService(locale),
    );
  }
}

export function entryName({ key, context, namespace, locale }: Entry): EntryName {
  return { key, context, namespace, locale };
}
