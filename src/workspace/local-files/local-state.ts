/**
 * The state of a project that nobody is signed in to: what the local files say takes the place of the service's keys,
 * translations and numbers, so that everything which shows those works from files. Asks nobody.
 */
import * as v from "valibot";
import { StatsSchema, type Language, type Stats } from "../../api/schemas.ts";
import { LOCAL_OWNER, type LocalKeysIndexing, type LocalKeysState } from "../../database/local-keys.ts";
import type { Project } from "../../database/project-state.ts";
import { sourceLanguageOf } from "../project-file/source-language.ts";
import type { LocalEntries } from "./local-entries.ts";
import { ownLocales } from "./local-file.ts";

export interface LocalStateDependencies {
  readonly project: Project;
  readonly local: LocalEntries;
  readonly indexing: LocalKeysIndexing;
  /** The source language that a person chose; `null`: nobody did. */
  readonly chosenSource: () => string | null;
  /** The languages that the framework's configuration names, the likeliest source first. */
  readonly configuredLanguages: () => Promise<readonly string[]>;
  /** Files are read with this source language from now on. */
  readonly onSourceLanguage: (locale: string) => void;
  readonly nameOf: (locale: string) => string;
}

const StoredSchema = v.object({ source: v.nullable(v.string()), stats: v.nullable(StatsSchema) });
type Stored = v.InferOutput<typeof StoredSchema>;

export class LocalState {
  readonly #dependencies: LocalStateDependencies;
  readonly #disposed = new AbortController();
  #queue: Promise<unknown> = Promise.resolve();
  #isClaimed = false;
  /** What the tables were last brought up to. */
  #shown = "";
  #configured: Promise<readonly string[]> | null = null;
  #source: string | null = null;

  constructor(dependencies: LocalStateDependencies) {
    this.#dependencies = dependencies;
    const { project } = dependencies;
    if (project.syncState.owner !== LOCAL_OWNER) return;
    // What was shown last is there before any file is read.
    const stored = project.syncState.get("local", StoredSchema);
    this.#source = stored?.source ?? null;
    if (stored !== null) project.showLocal(stored.stats, false, []);
  }

  dispose(): void {
    this.#disposed.abort();
  }

  /** The source language; `null` before it is known. */
  get sourceLocale(): string | null {
    return this.#dependencies.chosenSource() ?? this.#source;
  }

  /** The database is another one. */
  forget(): void {
    this.#isClaimed = false;
    this.#shown = "";
  }

  /** The framework's configuration may say something else. */
  forgetConfiguration(): void {
    this.#configured = null;
  }

  /** Reads what changed in the files and shows it. Callers take turns; nothing to do costs nothing. */
  update(): Promise<void> {
    const next = this.#queue.then(() => this.#update());
    // What could not be read is asked for again.
    this.#queue = next.catch(() => this.forgetConfiguration());
    return next;
  }

  async #update(): Promise<void> {
    const { project, local, indexing, chosenSource, configuredLanguages, onSourceLanguage } =
      this.#dependencies;
    const { signal } = this.#disposed;
    if (signal.aborted) return;
    const configuring = (this.#configured ??= configuredLanguages());
    await Promise.all([local.load(signal), configuring]);
    const configured = await configuring;
    this.#source = this.#chooseSource(configured);
    const source = chosenSource() ?? this.#source;
    if (source !== local.sourceLocale) {
      onSourceLanguage(source);
      await local.load(signal);
    }
    signal.throwIfAborted();
    const shown = JSON.stringify([local.revision, source]);
    if (shown === this.#shown || !this.#claim()) return;
    const locales = local.locales.filter((locale) => locale !== source);
    const state = await indexing.update({ sourceLocale: source, locales, covered: local.covered }, signal);
    if (state === null || signal.aborted) return;
    this.#shown = shown;
    const stats = state.keys === 0 ? null : this.#stats(source, state);
    project.syncState.set("local", { source: this.#source, stats } satisfies Stored);
    project.showLocal(stats, state.areKeysChanged || !project.isLocal, [
      ...new Set([...state.changedLocales, ...locales]),
    ]);
  }

  #chooseSource(configured: readonly string[]): string {
    const { local } = this.#dependencies;
    const sizes = local.sizes();
    const isStatedInside = local.files.some(
      ({ family, entries, place: { entry } }) =>
        entries.length > 0 &&
        (family !== null || (!entry.path.includes("{locale}") && !ownLocales(entry.format))),
    );
    return sourceLanguageOf(sizes, configured, isStatedInside);
  }

  /** Whether the tables are the local files' to fill: what an ended session left in them goes, once. */
  #claim(): boolean {
    const { syncState } = this.#dependencies.project;
    if (syncState.owner === LOCAL_OWNER) return (this.#isClaimed = true);
    if (this.#isClaimed) return false;
    syncState.clear(syncState.owner);
    syncState.owner = LOCAL_OWNER;
    return (this.#isClaimed = true);
  }

  #stats(sourceLocale: string, { keys, withText, languages }: LocalKeysState): Stats {
    const { nameOf } = this.#dependencies;
    const language = (locale: string, translated: number, outdated: number): Language => ({
      locale,
      name: nameOf(locale),
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
        language(sourceLocale, withText, 0),
        ...languages.map(({ locale, translated, outdated }) => language(locale, translated, outdated)),
      ],
    };
  }
}
