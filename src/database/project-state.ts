/**
 * The state of one project as this window shows it: session, progress, jobs and pending work, with the keys and
 * translations in its database. It fires `onDidChange`, from which every view repaints; fetching is sync's.
 */
import { type ProjectRow, type ProjectKey, NO_TAGS, NO_ISSUES } from "./project-records.ts";
import type { ApiError } from "../api/errors.ts";
import type { Job, Key, Row, Stats } from "../api/schemas.ts";
import type { Database } from "./database.ts";
import type { KeyName } from "../model/key-identity.ts";
import { KeyRepository } from "./key-repository.ts";
import { RefusedTranslations } from "./refused-translations.ts";
import type { Subscription } from "../model/platform.ts";
import { SyncStateRepository } from "./sync-state-repository.ts";
import { TranslationRepository } from "./translation-repository.ts";
import { type Text, withOrderedForms } from "../model/text.ts";

/** Replaced as a whole; never changed in place. */
export type Session =
  | { readonly kind: "unknown" }
  | { readonly kind: "untrusted" }
  | { readonly kind: "signed-out" }
  | {
      readonly kind: "signed-in";
      readonly baseUrl: string;
      readonly slug: string;
      readonly name: string;
      readonly canWrite: boolean;
    }
  /** The token was there and was refused: `401`, or `403` on a read (§ Authentication 5, 6). */
  | { readonly kind: "rejected"; readonly baseUrl: string; readonly reason: "unauthorized" | "archived" };

/** `reason` of an ApiError `unauthorized`: this window sent nothing, since the session had ended. */
export const SESSION_ENDED = "session_ended";

/**
 * Whether the service may be asked: somebody is signed in, or the project is archived, whose token "works again after
 * the project is restored" (§ Authentication 6).
 */
export function mayAsk(session: Session): boolean {
  return session.kind === "signed-in" || (session.kind === "rejected" && session.reason === "archived");
}

/** A job that this window follows or followed, newest first. */
export interface FollowedJob {
  readonly job: Job;
  readonly kind: "import" | "export";
  /** What was sent, for people: file names or the profile's key. */
  readonly subject: readonly string[];
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly watching: boolean;
}

/** Work that goes on or waits, for the status bar. `until` is in milliseconds since the epoch. */
export type WaitState =
  | { readonly kind: "rate-limit"; readonly until: number }
  | { readonly kind: "busy"; readonly reason: string | null; readonly until: number };

/** How many local keys differ from the service, as last counted; `null`: not counted yet. */
export interface PushCounts {
  readonly new: number;
  readonly changed: number;
  readonly restored: number;
}

export type Freshness =
  | { readonly kind: "never" }
  | { readonly kind: "fresh"; readonly at: number }
  /**
   * The service could not be asked; what is shown is as of `at` (`null`: nothing is cached). `code`: of a connection
   * that failed, the platform's own. `cause`: the error itself, where there is one.
   */
  | {
      readonly kind: "offline";
      readonly at: number | null;
      readonly error: string;
      readonly code?: string;
      readonly cause?: ApiError;
    };

/** It was tried and did not work; a cache that nobody asked about yet is only not fresh. */
export function isOffline(
  freshness: Freshness,
): freshness is Extract<Freshness, { readonly kind: "offline" }> {
  return freshness.kind === "offline" && freshness.error !== "not_asked";
}

/** Which parts of the state changed. */
export interface ProjectChange {
  readonly session?: true;
  readonly stats?: true;
  readonly keys?: true;
  /** Locales whose rows changed. */
  readonly rows?: readonly string[];
  readonly jobs?: true;
  readonly activity?: true;
  /** `localOnly` was counted anew. */
  readonly localOnly?: true;
  /** More of what the database has can be found. */
  readonly search?: true;
  /** The local files or the project file changed. */
  readonly local?: true;
  /** Texts were staged, or are no longer, by others than the translation editor. */
  readonly drafts?: true;
}

const NONE: ReadonlyMap<string, number> = new Map();

export class Project {
  /** Stable on this machine, no secret in it; names the store of the project. */
  readonly id: string;
  readonly label: string;
  readonly database: Database;
  /** What the project's code has between a namespace and a key, for labels. */
  namespaceSeparator = ".";
  /** Of all languages that were ever read; see `translation` for those that this window keeps up to date. */
  readonly translations: TranslationRepository;
  readonly syncState: SyncStateRepository;
  readonly refusedTranslations: RefusedTranslations;
  #session: Session = { kind: "unknown" };
  #isLocal = false;
  #stats: Stats | null = null;
  #freshness: Freshness = { kind: "never" };
  #keys: KeyRepository;
  readonly #locales = new Set<string>();
  #jobs: readonly FollowedJob[] = [];
  #waiting: WaitState | null = null;
  #pushCounts: PushCounts | null = null;
  #pullCount: number | null = null;
  #localOnly: ReadonlyMap<string, number> = NONE;
  #renames: readonly { readonly from: KeyName; readonly to: KeyName }[] = [];
  #busyWith: string | null = null;
  #listeningAt: string | null = null;
  readonly #listeners = new Set<(change: ProjectChange) => void>();

  constructor(id: string, label: string, database: Database) {
    this.id = id;
    this.label = label;
    this.database = database;
    this.#keys = new KeyRepository(database);
    this.translations = new TranslationRepository(database);
    this.syncState = new SyncStateRepository(database);
    this.refusedTranslations = new RefusedTranslations(database);
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
  /** Nobody is signed in: keys, translations and numbers are those of the local files. */
  get isLocal(): boolean {
    return this.#isLocal;
  }
  /** The active keys; another object after each change. */
  get keys(): KeyRepository {
    return this.#keys;
  }
  /** Every page of `GET /keys` was read at the known `contentVersion`. */
  get keysComplete(): boolean {
    return this.syncState.hasCursor();
  }
  get jobs(): readonly FollowedJob[] {
    return this.#jobs;
  }
  get waiting(): WaitState | null {
    return this.#waiting;
  }
  get pushCounts(): PushCounts | null {
    return this.#pushCounts;
  }
  /** How many translations of the service the local files lack or have otherwise; `null`: not counted yet. */
  get pullCount(): number | null {
    return this.#pullCount;
  }
  /** How many translations of each language stand in local files alone, as last counted. */
  get localOnly(): ReadonlyMap<string, number> {
    return this.#localOnly;
  }
  /** Keys that the files call otherwise than the service does, as last looked at. */
  get renames(): readonly { readonly from: KeyName; readonly to: KeyName }[] {
    return this.#renames;
  }
  /** What the window is doing for this project right now, in words for people; `null`: nothing. */
  get busyWith(): string | null {
    return this.#busyWith;
  }
  /** The URL at which this window listens for the service's webhooks; `null`: it does not. */
  get listeningAt(): string | null {
    return this.#listeningAt;
  }
  /** The source locale, or `null` before the first answer. */
  get sourceLocale(): string | null {
    return this.#stats?.languages.find((language) => language.isSource)?.locale ?? null;
  }

  /** The languages that this window keeps up to date: those of the preview, and those that somebody looked at. */
  loadedLocales(): readonly string[] {
    return [...this.#locales];
  }

  /** Whether all translations of a loaded language are known, so that a missing row means a missing translation. */
  isComplete(locale: string): boolean {
    return this.#locales.has(locale) && this.syncState.hasCursor(locale);
  }

  /** The translations of a key in the loaded languages, or in one of them, by language. */
  translationsOf(hash: string, locale?: string): ReadonlyMap<string, ProjectRow> {
    const locales = this.loadedLocales().filter((each) => locale === undefined || each === locale);
    return this.translations.ofKey(hash, locales);
  }

  /** A translation of a loaded language. */
  translation(locale: string, hash: string): ProjectRow | undefined {
    return this.#locales.has(locale) ? this.translations.get(locale, hash) : undefined;
  }

  setSession(session: Session): void {
    this.#session = session;
    this.#fire({ session: true });
  }

  setStats(stats: Stats | null, freshness: Freshness): void {
    this.#stats = stats;
    this.#freshness = freshness;
    this.#fire({ stats: true });
  }

  /** The keys and translations in the database are those of the local files now. `null`: there are no such files. */
  showLocal(stats: Stats | null, areKeysChanged: boolean, changedLocales: readonly string[]): void {
    this.#stats = stats;
    this.#isLocal = stats !== null;
    if (areKeysChanged) this.#keys = new KeyRepository(this.database);
    this.#locales.clear();
    for (const { locale, isSource } of stats?.languages ?? []) if (!isSource) this.#locales.add(locale);
    this.#fire({ stats: true, rows: changedLocales, ...(areKeysChanged ? { keys: true } : {}) });
  }

  /** The keys that the database holds are shown from now on. */
  keysLoaded(): void {
    this.#fire({ keys: true });
  }

  /** Keys were written to the database. */
  keysChanged(): void {
    this.#keys = new KeyRepository(this.database);
    this.#fire({ keys: true });
  }

  /** Translations of the language were written to the database; it counts as loaded from now on. */
  translationsChanged(locale: string): void {
    this.#locales.add(locale);
    this.#fire({ rows: [locale] });
  }

  /** Shows what other windows of the folder have read and written since. */
  showOthersChanges(): void {
    if (!this.syncState.hasOthersChanges()) return;
    this.#keys = new KeyRepository(this.database);
    const stored = this.syncState.stats;
    if (stored !== null && this.#freshness.kind === "fresh") this.#stats = stored.stats;
    this.#fire({ stats: true, keys: true, rows: this.loadedLocales() });
  }

  setJobs(jobs: readonly FollowedJob[]): void {
    this.#jobs = jobs;
    this.#fire({ jobs: true });
  }

  setWaiting(waiting: WaitState | null): void {
    this.#waiting = waiting;
    this.#fire({ activity: true });
  }

  setBusyWith(words: string | null): void {
    this.#busyWith = words;
    this.#fire({ activity: true });
  }

  setListeningAt(url: string | null): void {
    this.#listeningAt = url;
    this.#fire({ activity: true });
  }

  setPushCounts(counts: PushCounts | null): void {
    this.#pushCounts = counts;
    this.#fire({ activity: true });
  }

  setPullCount(count: number | null): void {
    this.#pullCount = count;
    this.#fire({ activity: true });
  }

  setLocalOnly(counts: ReadonlyMap<string, number>): void {
    this.#localOnly = counts;
    this.#fire({ activity: true, localOnly: true });
  }

  setRenames(renames: readonly { readonly from: KeyName; readonly to: KeyName }[]): void {
    this.#renames = renames;
    this.#fire({ activity: true });
  }

  /** What was written before can be found now. */
  searchUpdated(): void {
    this.#fire({ search: true });
  }

  /** Drafts were put in or removed. */
  draftsChanged(): void {
    this.#fire({ drafts: true });
  }

  /** Local files changed: whoever shows them reads them again. */
  localChanged(): void {
    this.#fire({ local: true });
  }

  /** Forgets all that came from the service; what is in the database the caller has removed. */
  forget(session: Session): void {
    this.#session = session;
    this.#isLocal = false;
    this.#stats = null;
    this.#freshness = { kind: "never" };
    this.#keys = new KeyRepository(this.database);
    const locales = this.loadedLocales();
    this.#locales.clear();
    this.#jobs = [];
    this.#waiting = null;
    this.#pushCounts = null;
    this.#pullCount = null;
    this.#localOnly = NONE;
    this.#renames = [];
    this.#fire({ session: true, stats: true, keys: true, rows: locales, jobs: true, activity: true });
  }

  /** Listeners run at once, in order; one that throws does not stop the others. */
  onDidChange(listener: (change: ProjectChange) => void): Subscription {
    this.#listeners.add(listener);
    return { dispose: () => void this.#listeners.delete(listener) };
  }

  #fire(change: ProjectChange): void {
    const errors: unknown[] = [];
    for (const listener of [...this.#listeners]) {
      try {
        listener(change);
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw new AggregateError(errors, "a listener of the project failed");
  }
}

/** A `Key` of the wire as kept; archived ones are the caller's to leave out. */
export function projectKey(key: Key): ProjectKey {
  return {
    hash: key.hash,
    namespace: key.namespace,
    key: key.key,
    context: key.context === "" ? null : key.context,
    isPlural: key.isPlural,
    text: textOf(key.isPlural, key.source.value ?? null, key.source.forms ?? null),
    sourceHash: key.sourceHash,
    description: key.description,
    maxLength: key.maxLength,
    tags: key.tags.length === 0 ? NO_TAGS : key.tags,
    updatedAt: key.updatedAt,
  };
}

/** A row of the wire as kept. */
export function projectRow(row: Row): ProjectRow {
  return {
    hash: row.hash,
    text: textOf(row.isPlural, row.value, row.forms),
    isTranslated: row.isTranslated,
    isOutdated: row.isOutdated,
    issues: row.issues.length === 0 ? NO_ISSUES : row.issues,
    version: row.version,
    updatedAt: row.updatedAt,
  };
}

function textOf(isPlural: boolean, value: string | null, forms: Record<string, string> | null): Text | null {
  if (!isPlural) return value === null ? null : { value };
  return forms === null || Object.keys(forms).length === 0 ? null : withOrderedForms({ forms });
}
