/**
 * The state of a project without a sign-in: keys, translations and statistics come from the local files instead of
 * the service, so that every view works. Sends no requests.
 */
import { bilingualFamily } from "../../model/file-formats.ts";
import type { Language, Stats } from "../../api/response-schemas.ts";
import type { LocalKeys, LocalKeysOptions } from "../../database/keys-from-local-files.ts";
import type { LocalCounts } from "../../database/sync-metadata-repository.ts";
import { yieldNow } from "../../util/event-loop.ts";
import type { Priority, RequestPriority } from "../../util/priority.ts";
import { WorkQueue } from "../../util/work-queue.ts";
import type { Project } from "../../database/project-state.ts";
import { detectSourceLanguage } from "../project-detection/detect-source-language.ts";
import type { FilesEntry } from "../project-file/project-file.ts";
import type { LocalEntries } from "./local-entries.ts";
import { hasOwnLocales } from "./local-file.ts";

export interface LocalOnlyStateDependencies {
  readonly project: Project;
  readonly local: LocalEntries;
  readonly indexing: (
    priority: Priority | RequestPriority,
  ) => Pick<LocalKeys, "updateKeys" | "updateTranslations">;
  /** Deletes what was stored of the service's project, so that the tables are filled from the files. */
  readonly takeOver: () => Promise<void>;
  /** The source language that the user chose; `null` if none. */
  readonly chosenSource: () => string | null;
  /** The languages in the framework's configuration, the likeliest source first. */
  readonly configuredLanguages: () => Promise<readonly string[]>;
  /** Called when files are to be read with another source language. */
  readonly onSourceLanguage: (locale: string) => void;
}

export class LocalOnlyState {
  readonly #dependencies: LocalOnlyStateDependencies;
  readonly #disposed = new AbortController();
  readonly #reading = new WorkQueue();
  readonly #updatingKeys = new WorkQueue();
  readonly #showing = new WorkQueue();
  #hasTakenTables = false;
  /** Revision of the files and source language that the project was last updated to. */
  #projectRevision = "";
  /** The same of the keys alone. */
  #keysRevision = "";
  /** Counts as of the last update of the keys; `null` before the first. */
  #counts: LocalCounts | null = null;
  /** Whether updates of the keys changed any that are not shown yet. */
  #areKeysChanged = false;
  #configured: Promise<readonly string[]> | null = null;
  #source: string | null = null;

  constructor(dependencies: LocalOnlyStateDependencies) {
    this.#dependencies = dependencies;
    const { project } = dependencies;
    if (project.syncMetadata.content?.kind !== "files") return;
    // Shows the stored state until the files are read.
    const stored = project.syncMetadata.local;
    if (stored === null) return;
    this.#source = stored.detectedSource;
    project.showLocal(this.#stats(stored.sourceLocale, stored.counts), false, []);
  }

  dispose(): void {
    this.#disposed.abort();
  }

  /** The source language; `null` before it is known. */
  get sourceLocale(): string | null {
    return this.#dependencies.chosenSource() ?? this.#source;
  }

  /** Resets the state, for a new database. */
  reset(): void {
    this.#hasTakenTables = false;
    this.#projectRevision = "";
    this.#keysRevision = "";
    this.#counts = null;
  }

  /** Invalidates the languages of the framework's configuration. */
  invalidateConfiguration(): void {
    this.#configured = null;
  }

  /** Reads changed files and updates the project. Concurrent calls run in turn; without changes this costs nothing. */
  async load(priority: Priority | RequestPriority = "person"): Promise<void> {
    await this.#read(priority);
    if (!this.#disposed.signal.aborted) await this.showRead(priority);
  }

  /** Reads changed files and updates the keys alone: does not wait for the translations, of which there may be many more. */
  async loadKeys(priority: Priority | RequestPriority = "person"): Promise<void> {
    await this.#read(priority);
    if (!this.#disposed.signal.aborted) await this.showKeys(priority);
  }

  /**
   * Updates the project with the keys of the files that were read so far, which takes a fraction of the time of all
   * translations. Languages are shown once their translations are known.
   */
  async showKeys(priority: Priority | RequestPriority = "person"): Promise<void> {
    await this.#updateReadKeys(priority);
    // What is shown with the translations stays: the counts of the keys' update may be older.
    const isShown = this.#readRevision() === this.#projectRevision;
    if (this.#counts === null || isShown || this.#disposed.signal.aborted) return;
    const { local, project } = this.#dependencies;
    const { languages, ...others } = this.#counts;
    const known = new Set(project.syncMetadata.locales());
    const counts = { ...others, languages: languages.filter(({ locale }) => known.has(locale)) };
    this.#showLocal(this.#stats(local.sourceLocale, counts), []);
  }

  #read(priority: Priority | RequestPriority): Promise<void> {
    const read = async (current: RequestPriority): Promise<void> => {
      try {
        await this.#readFiles(current);
      } catch (error) {
        // Read the configuration again after a failure.
        this.invalidateConfiguration();
        throw error;
      }
    };
    return this.#reading.run(read, { priority });
  }

  async #readFiles(priority: RequestPriority): Promise<void> {
    const { local, configuredLanguages } = this.#dependencies;
    const { signal } = this.#disposed;
    if (signal.aborted) return;
    // Before the files are read, since keys of the service decide which of their keys are plural.
    await this.#takeTables();
    const configured = await (this.#configured ??= configuredLanguages());
    // The source language decides how files are read: the likeliest one is chosen by their paths, before all are read.
    this.#source ??= await this.#chooseSource(configured, priority);
    this.#configure();
    await local.loadTexts(signal, priority);
    // What waits for the files runs in turns.
    await yieldNow();
    const isInside = local.entriesWithKeys.some(containsSourceTexts);
    this.#source = detectSourceLanguage(local.sizes, configured, isInside);
    if (this.#configure()) await local.loadTexts(signal, priority);
    await this.#updateReadKeys(priority);
  }

  /** Returns the source language by the paths of the files alone. */
  async #chooseSource(configured: readonly string[], priority: RequestPriority): Promise<string> {
    const { locales, entries } = await this.#dependencies.local.list(this.#disposed.signal, priority);
    const sizes = locales.map((locale) => ({ locale, texts: 1 }));
    return detectSourceLanguage(sizes, configured, entries.some(containsSourceTexts));
  }

  /** Sets the source language of the files. Returns whether it changed. */
  #configure(): boolean {
    const { sourceLocale } = this;
    if (sourceLocale === null || sourceLocale === this.#dependencies.local.sourceLocale) return false;
    this.#dependencies.onSourceLanguage(sourceLocale);
    return true;
  }

  /** Updates the project with the files that were read so far. Concurrent calls run in turn. */
  showRead(priority: Priority | RequestPriority = "person"): Promise<void> {
    return this.#showing.run((current) => this.#show(current), { priority });
  }

  /** Shows statistics with what the updates since the last call changed. */
  #showLocal(stats: Stats | null, rows: Iterable<string>): void {
    const { project } = this.#dependencies;
    const shown = new Set(project.source.isKnown ? project.loadedLocales() : []);
    const changedLocales = new Set(rows);
    for (const { locale, isSource } of stats?.languages ?? [])
      if (!isSource && !shown.has(locale)) changedLocales.add(locale);
    const areKeysChanged = this.#areKeysChanged || !project.source.isKnown;
    this.#areKeysChanged = false;
    project.showLocal(stats, areKeysChanged, [...changedLocales]);
  }

  /** Updates the keys from the files that were read so far. Concurrent calls run in turn. */
  #updateReadKeys(priority: Priority | RequestPriority): Promise<void> {
    const update = async (current: RequestPriority): Promise<void> => {
      const { signal } = this.#disposed;
      signal.throwIfAborted();
      const revision = this.#readRevision();
      if (revision === this.#keysRevision || !(await this.#takeTables())) return;
      const change = await this.#dependencies.indexing(current).updateKeys(this.#options(), signal);
      if (change === null || signal.aborted) return;
      this.#keysRevision = revision;
      this.#counts = change;
      this.#areKeysChanged ||= change.areKeysChanged;
    };
    return this.#updatingKeys.run(update, { priority });
  }

  async #show(priority: RequestPriority): Promise<void> {
    const { indexing } = this.#dependencies;
    const { signal } = this.#disposed;
    signal.throwIfAborted();
    await this.#updateReadKeys(priority);
    const revision = this.#readRevision();
    if (revision === this.#projectRevision || !(await this.#takeTables())) return;
    const options = this.#options();
    const { sourceLocale } = options;
    const state = await indexing(priority).updateTranslations(options, signal);
    await yieldNow();
    if (state === null || signal.aborted) return;
    this.#projectRevision = revision;
    this.#showLocal(this.#stats(sourceLocale, state), state.changedLocales);
  }

  /** Identifies the files and the source language that were read. */
  #readRevision(): string {
    const { revision, sourceLocale } = this.#dependencies.local;
    return JSON.stringify([revision, sourceLocale]);
  }

  #options(): LocalKeysOptions {
    const { locales, sourceLocale, covered } = this.#dependencies.local;
    return {
      sourceLocale,
      detectedSource: this.#source,
      locales: locales.filter((locale) => locale !== sourceLocale),
      covered,
    };
  }

  /** Whether the tables may be filled from local files. Clears what an ended session left in them, once. */
  async #takeTables(): Promise<boolean> {
    const { syncMetadata } = this.#dependencies.project;
    if (syncMetadata.content?.kind !== "files") {
      if (this.#hasTakenTables) return false;
      await this.#dependencies.takeOver();
    }
    this.#hasTakenTables = true;
    return true;
  }

  /** Returns `null` without keys. */
  #stats(sourceLocale: string, { keys, withText, sourceName, languages }: LocalCounts): Stats | null {
    if (keys === 0) return null;
    const language = (locale: string, name: string, translated: number, outdated: number): Language => ({
      locale,
      name,
      isSource: locale === sourceLocale,
      totalKeys: keys,
      translated,
      outdated,
      qaErrors: 0,
      percent: Math.floor((translated / keys) * 100),
      lastTranslatedAt: null,
    });
    return {
      contentVersion: 0,
      languages: [
        language(sourceLocale, sourceName, withText, 0),
        ...languages.map(({ locale, name, translated, outdated }) =>
          language(locale, name, translated, outdated),
        ),
      ],
    };
  }
}

/** Whether the files contain the source text beside the translation, or name their languages in some other way. */
function containsSourceTexts({ format, path }: FilesEntry): boolean {
  return bilingualFamily(format) !== null || (!path.includes("{locale}") && !hasOwnLocales(format));
}
