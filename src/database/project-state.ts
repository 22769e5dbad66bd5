/**
 * The state of one project in one connection, as this window shows it: session, progress, jobs and pending work, with the
 * keys and translations in its database. What is shown subscribes to the store, which counts the changes; sync fetches the data.
 */
import type { LocalProblem } from "./local-file-repository.ts";
import type { PendingRename, ProjectRow, ProjectKey } from "./records.ts";
import type { ApiErrorKind } from "../api/errors.ts";
import type { Wait } from "../api/rate-limiter.ts";
import type { Job, Key, TranslationRow, Stats } from "../api/response-schemas.ts";
import type { Database } from "./database.ts";
import type { Session } from "./session/session.ts";
import { textSourceOf, type TextSource } from "./session/text-source.ts";
import { fingerprintOf } from "../util/fingerprint.ts";
import { Store, type StoreTable } from "./store.ts";
import { AgreedTextRepository } from "./personal/agreed-text-repository.ts";
import { KeyRepository } from "./key-repository.ts";
import { RejectedTranslationRepository } from "./personal/rejected-machine-translation-repository.ts";
import type { Subscription } from "../model/platform.ts";
import { isSameContent, SyncMetadataRepository } from "./sync-metadata-repository.ts";
import { TranslationDraftRepository } from "./personal/translation-draft-repository.ts";
import { PersonalData } from "./personal/personal-data.ts";
import { TranslationRepository } from "./translation-repository.ts";
import type { Text } from "../model/translation-text.ts";

/** A job that this window follows or followed, newest first. */
export interface FollowedJob {
  readonly job: Job;
  readonly kind: "import" | "export";
  /** What was requested, to show: file names or the profile's key. */
  readonly subject: readonly string[];
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly watching: boolean;
  /** Why the service did not say how far it is, when it was last asked. */
  readonly failure?: ApiErrorKind | undefined;
}

/** Numbers of local keys that differ from the service's. */
export interface PushCounts {
  readonly new: number;
  readonly changed: number;
  readonly restored: number;
}

/** How current the data is. Times are in milliseconds since the epoch; `null`: nothing was read completely. */
export type Freshness =
  | { readonly kind: "never" }
  | { readonly kind: "fresh"; readonly at: number }
  /** Stored by an earlier window; nothing was requested yet. */
  | { readonly kind: "stored"; readonly at: number | null }
  /** The last request failed. */
  | { readonly kind: "offline"; readonly at: number | null; readonly error: unknown };

/** What the window does for the project, and what is waiting to be done. */
export interface Activity {
  /** Why requests wait; `null`: none does. */
  readonly waiting: Wait | null;
  readonly pushCounts: PushCounts | null;
  /** Number of source texts that changed only at the service. */
  readonly sourceAtService: number;
  /** Number of translations that the local files do not have or that differ there; `null`: not counted yet. */
  readonly pullCount: number | null;
  /** Languages with files whose translations are not known, so that they are not counted. */
  readonly uncounted: readonly string[];
  /** Number of translations that only local files have, by language. */
  readonly localOnly: ReadonlyMap<string, number>;
  /** Number of translations that changed only in the files since both sides were equal, by language. */
  readonly changedInFiles: ReadonlyMap<string, number>;
  /** Number of texts that changed both in the files and at the service. */
  readonly conflicts: number;
  /** Renames that the service does not have yet. */
  readonly renames: readonly PendingRename[];
  /** The first problem of each local file or folder that could not be read completely. */
  readonly incomplete: readonly LocalProblem[];
  /** What the window is doing for this project, to show; `null`: nothing. */
  readonly busyWith: string | null;
  /** The URL at which this window listens for webhooks; `null`: it does not. */
  readonly listeningAt: string | null;
}

const NO_ACTIVITY: Activity = {
  waiting: null,
  pushCounts: null,
  sourceAtService: 0,
  pullCount: null,
  uncounted: [],
  localOnly: new Map(),
  changedInFiles: new Map(),
  conflicts: 0,
  renames: [],
  incomplete: [],
  busyWith: null,
  listeningAt: null,
};

/** The fields of `Activity` that are the table `pending` of the store. */
const PENDING: ReadonlySet<string> = new Set([
  "pushCounts",
  "sourceAtService",
  "pullCount",
  "uncounted",
  "localOnly",
  "changedInFiles",
  "conflicts",
  "renames",
  "incomplete",
] satisfies (keyof Activity)[]);

/** The state of one project in one connection; `store` counts its changes. */
export class Project {
  /** Stable on this machine, without secrets; identifies the project's database. */
  readonly id: string;
  readonly label: string;
  readonly database: Database;
  /** Separator of namespace and key in the project's code, for labels. */
  namespaceSeparator = ".";
  /** Namespaces that the project's code leaves out of the names of keys; `all`: it has texts in place of names. */
  unwrittenNamespaces: ReadonlySet<string> | "all" = new Set();
  /** All stored languages; `translation` only has those that this window keeps up to date. */
  readonly translations: TranslationRepository;
  readonly syncMetadata: SyncMetadataRepository;
  /** What was made and agreed in this project; kept when the session ends. */
  readonly personal: PersonalData;
  readonly drafts: TranslationDraftRepository;
  readonly rejectedTranslations: RejectedTranslationRepository;
  /** What the files and the service last agreed on. */
  readonly agreedTexts: AgreedTextRepository;
  #session: Session;
  #areFilesShown = false;
  #source: TextSource;
  #stats: Stats | null = null;
  #freshness: Freshness = { kind: "never" };
  /** The active keys. */
  readonly keys: KeyRepository;
  readonly #locales = new Set<string>();
  #jobs: readonly FollowedJob[] = [];
  #activity = NO_ACTIVITY;
  readonly #store: Store<object>;
  readonly #owner: object;
  #isDisposed = false;
  readonly #writes: readonly Subscription[];
  #endReading: (() => void) | undefined;

  /**
   * @param personal default: in memory
   * @param store that of the window
   * @param owner what the changes are counted of; default: this object
   */
  constructor(
    id: string,
    label: string,
    database: Database,
    personal = new PersonalData(),
    store = new Store<object>(),
    session: Session = { kind: "unknown", isTokenStored: false },
    owner?: object,
  ) {
    this.#session = session;
    this.#source = this.#decideSource();
    this.id = id;
    this.label = label;
    this.database = database;
    this.keys = new KeyRepository(database);
    this.translations = new TranslationRepository(database);
    this.syncMetadata = new SyncMetadataRepository(database);
    this.personal = personal;
    this.drafts = new TranslationDraftRepository(personal, database);
    this.rejectedTranslations = new RejectedTranslationRepository(personal, database);
    this.agreedTexts = new AgreedTextRepository(personal);
    this.#store = store;
    this.#owner = owner ?? this;
    const count = (tables: readonly StoreTable[]): void => this.changed(...tables);
    this.#writes = [database.onDidWrite(count), personal.database.onDidWrite(count)];
  }

  get session(): Session {
    return this.#session;
  }
  get stats(): Stats | null {
    return this.#stats;
  }
  get freshness(): Freshness {
    return this.#freshness;
  }
  /** Where keys and texts come from, and where changes of them are saved. */
  get source(): TextSource {
    return this.#source;
  }
  /** Whether all pages of `GET /keys` were read. */
  get keysComplete(): boolean {
    return this.syncMetadata.hasCursor();
  }
  get jobs(): readonly FollowedJob[] {
    return this.#jobs;
  }
  get activity(): Activity {
    return this.#activity;
  }
  /** The source locale; `null` before the first response. */
  get sourceLocale(): string | null {
    return this.#stats?.languages.find((language) => language.isSource)?.locale ?? null;
  }

  /** Returns the languages that this window keeps up to date: preview languages and those that were viewed. */
  loadedLocales(): readonly string[] {
    return [...this.#locales];
  }

  /** Returns whether a loaded language is completely known, so that a missing row means a missing translation. */
  isComplete(locale: string): boolean {
    return this.#locales.has(locale) && this.syncMetadata.hasCursor(locale);
  }

  /** Returns the languages for which `isComplete`. */
  completeLocales(): ReadonlySet<string> {
    return new Set(this.syncMetadata.locales().filter((locale) => this.#locales.has(locale)));
  }

  /** Returns the translations of a key in the loaded languages, or in one of them, by language. */
  translationsOf(hash: string, locale?: string): ReadonlyMap<string, ProjectRow> {
    const locales = this.loadedLocales().filter((each) => locale === undefined || each === locale);
    return this.translations.forKey(hash, locales);
  }

  /** Returns a translation of a loaded language. */
  translation(locale: string, hash: string): ProjectRow | undefined {
    return this.#locales.has(locale) ? this.translations.get(locale, hash) : undefined;
  }

  /**
   * Returns a check whether what was read or written for this session may still be stored: not after a sign-out, nor after
   * another window signed in to another project of the same service, which takes over the cache.
   */
  sessionGuard(): () => boolean {
    const { content } = this.syncMetadata;
    return () => {
      if (this.#session.kind === "signed-out") return false;
      const now = this.syncMetadata.content;
      return content === null ? now === null : isSameContent(content, now);
    };
  }

  setSession(session: Session): void {
    this.#session = session;
    this.#source = this.#decideSource();
    this.changed("session");
  }

  setStats(stats: Stats | null, freshness: Freshness): void {
    const isOther = !isSame(stats, this.#stats) || freshness.kind !== this.#freshness.kind;
    this.#stats = stats;
    this.#freshness = freshness;
    if (isOther) this.changed("stats");
    this.changed("freshness");
  }

  /**
   * Called when keys and translations were derived from local files, by the indexing process, whose writes are not
   * counted here. `stats` is `null` without such files.
   */
  showLocal(stats: Stats | null, areKeysChanged: boolean, changedLocales: readonly string[]): void {
    const isOther = this.#areFilesShown !== (stats !== null) || !isSame(stats, this.#stats);
    this.#stats = stats;
    this.#areFilesShown = stats !== null;
    this.#source = this.#decideSource();
    this.#locales.clear();
    for (const { locale, isSource } of stats?.languages ?? []) if (!isSource) this.#locales.add(locale);
    if (isOther) this.changed("stats");
    if (areKeysChanged) this.changed("keys");
    if (isOther || changedLocales.length > 0) this.changed("translations");
  }

  /** Shows a stored language, which is kept up to date from then on. */
  showLanguage(locale: string): void {
    if (this.#locales.has(locale)) return;
    this.#locales.add(locale);
    this.changed("translations");
  }

  /** Picks up what other windows of the folder have stored. */
  showExternalChanges(): void {
    if (this.personal.hasExternalChanges()) this.changed("drafts", "renames");
    if (!this.syncMetadata.hasExternalChanges()) return;
    const stored = this.syncMetadata.stats;
    if (stored !== null && this.#freshness.kind === "fresh") this.#stats = stored.stats;
    this.changed("stats", "keys", "translations");
  }

  setJobs(jobs: readonly FollowedJob[]): void {
    this.#jobs = jobs;
    this.changed("jobs");
  }

  setActivity(changes: Partial<Activity>): void {
    const before = this.#activity;
    const changed = (Object.keys(changes) as (keyof Activity)[]).filter(
      (name) => !isSame(changes[name], before[name]),
    );
    this.#activity = { ...before, ...changes };
    for (const table of new Set(changed.map((name) => (PENDING.has(name) ? "pending" : "activity"))))
      this.changed(table);
  }

  /** Counts changes that the caller made or noticed, other than by transactions of this window. */
  changed(...tables: readonly StoreTable[]): void {
    if (!this.#isDisposed) this.#store.changed(this.#owner, ...tables);
  }

  /** Returns the number of changes of a table since the window was opened. */
  version(table: StoreTable): number {
    return this.#store.version(this.#owner, table);
  }

  /** Resets the state after the caller has removed the service's data from the database. */
  reset(session: Session): void {
    this.#session = session;
    this.#areFilesShown = false;
    this.#source = this.#decideSource();
    this.#stats = null;
    this.#freshness = { kind: "never" };
    this.#locales.clear();
    this.#jobs = [];
    const { busyWith, listeningAt } = this.#activity;
    this.#activity = { ...NO_ACTIVITY, busyWith, listeningAt };
    this.changed("session", "stats", "freshness", "keys", "translations", "jobs", "activity", "pending");
  }

  /** Called when the reading of local files begins and ends. */
  setReading(isReading: boolean): void {
    this.#endReading?.();
    this.#endReading = isReading ? this.#store.startReading() : undefined;
  }

  /** As `Store.startReading`, for reading from the service. */
  startReading(): () => void {
    return this.#store.startReading();
  }

  #decideSource(): TextSource {
    return textSourceOf(this.#session, this.#areFilesShown, () => this.sourceLocale);
  }

  /** Calls the listener within each change of this project: for what is computed from its tables. */
  onDidChange(listener: (table: StoreTable) => void): Subscription {
    return this.#store.onDidChange((table, project) => {
      if (project === this.#owner) listener(table);
    });
  }

  /** Counts no more changes. */
  dispose(): void {
    this.#isDisposed = true;
    for (const subscription of this.#writes) subscription.dispose();
    this.setReading(false);
    this.#store.forget(this);
  }
}

function isSame(after: unknown, before: unknown): boolean {
  return after === before || fingerprintOf(after) === fingerprintOf(before);
}

/** Converts a key of the API; the caller must skip archived ones. */
export function projectKey(key: Key): ProjectKey {
  const { source, archived: _, ...fields } = key;
  return {
    ...fields,
    context: key.context === "" ? null : key.context,
    text: toText(key.isPlural, source.value ?? null, source.forms ?? null),
  };
}

/** Converts a row of the API. */
export function projectRow(row: TranslationRow): ProjectRow {
  const { hash, isPlural, value, forms, isTranslated, isOutdated, issues, version, updatedAt } = row;
  const text = toText(isPlural, value, forms);
  return { hash, text, isTranslated, isOutdated, issues, version, updatedAt };
}

function toText(isPlural: boolean, value: string | null, forms: Record<string, string> | null): Text | null {
  if (!isPlural) return value === null ? null : { value };
  return forms === null || Object.keys(forms).length === 0 ? null : { forms };
}
