/**
 * The state of one project as this window shows it: session, progress, jobs and pending work, with the keys and
 * translations in its database. Views repaint on `onDidChange`; sync fetches the data.
 */
import { isDeepStrictEqual } from "node:util";
import type { LocalProblem } from "./local-file-repository.ts";
import type { PendingRename, ProjectRow, ProjectKey } from "./records.ts";
import type { Wait } from "../api/rate-limiter.ts";
import type { Job, Key, Row, Stats } from "../api/response-schemas.ts";
import type { Database } from "./database.ts";
import { ChangeThrottle, type ProjectChange } from "./project-changes.ts";
import { AgreedTextRepository } from "./personal/agreed-text-repository.ts";
import { KeyRepository } from "./key-repository.ts";
import { RejectedTranslationRepository } from "./personal/rejected-machine-translation-repository.ts";
import type { Subscription } from "../model/platform.ts";
import { SyncMetadataRepository } from "./sync-metadata-repository.ts";
import { TranslationDraftRepository } from "./personal/translation-draft-repository.ts";
import { PersonalData } from "./personal/personal-data.ts";
import { TranslationRepository } from "./translation-repository.ts";
import type { Text } from "../model/translation-text.ts";

/** The session of a project; immutable. */
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
  /** The stored token was refused: `401`, or `403` on a read (§ Authentication 5, 6). */
  | { readonly kind: "rejected"; readonly baseUrl: string; readonly reason: "unauthorized" | "archived" };

/** `reason` of an ApiError `unauthorized` when nothing was sent because the session had ended. */
export const SESSION_ENDED = "session_ended";

/**
 * Returns whether requests are allowed: signed in, or the project is archived, whose token "works again after the
 * project is restored" (§ Authentication 6).
 */
export function canQueryService(session: Session): boolean {
  return session.kind === "signed-in" || (session.kind === "rejected" && session.reason === "archived");
}

/** A job that this window follows or followed, newest first. */
export interface FollowedJob {
  readonly job: Job;
  readonly kind: "import" | "export";
  /** What was requested, to show: file names or the profile's key. */
  readonly subject: readonly string[];
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly watching: boolean;
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
  localOnly: new Map(),
  changedInFiles: new Map(),
  conflicts: 0,
  renames: [],
  incomplete: [],
  busyWith: null,
  listeningAt: null,
};

/** The state of one project; fires `onDidChange` after each change. */
export class Project {
  /** Stable on this machine, without secrets; identifies the project's database. */
  readonly id: string;
  readonly label: string;
  readonly database: Database;
  /** Separator of namespace and key in the project's code, for labels. */
  namespaceSeparator = ".";
  /** All stored languages; `translation` only has those that this window keeps up to date. */
  readonly translations: TranslationRepository;
  readonly syncMetadata: SyncMetadataRepository;
  /** What was made and agreed in this project; kept when the session ends. */
  readonly personal: PersonalData;
  readonly drafts: TranslationDraftRepository;
  readonly rejectedTranslations: RejectedTranslationRepository;
  /** What the files and the service last agreed on. */
  readonly agreedTexts: AgreedTextRepository;
  #session: Session = { kind: "unknown" };
  #isLocal = false;
  #stats: Stats | null = null;
  #freshness: Freshness = { kind: "never" };
  #keys: KeyRepository;
  readonly #locales = new Set<string>();
  #jobs: readonly FollowedJob[] = [];
  #activity = NO_ACTIVITY;
  readonly #listeners = new Set<(change: ProjectChange) => void>();
  readonly #viewListeners = new Set<(change: ProjectChange) => void>();
  readonly #viewChanges = new ChangeThrottle((change) => callAll(this.#viewListeners, change));

  /** @param personal default: in memory */
  constructor(id: string, label: string, database: Database, personal = new PersonalData()) {
    this.id = id;
    this.label = label;
    this.database = database;
    this.#keys = new KeyRepository(database);
    this.translations = new TranslationRepository(database);
    this.syncMetadata = new SyncMetadataRepository(database);
    this.personal = personal;
    this.drafts = new TranslationDraftRepository(personal, database);
    this.rejectedTranslations = new RejectedTranslationRepository(personal, database);
    this.agreedTexts = new AgreedTextRepository(personal);
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
  /** Whether keys, translations and stats come from the local files, because the user is signed out. */
  get isLocal(): boolean {
    return this.#isLocal;
  }
  /** The active keys; a new object after each change. */
  get keys(): KeyRepository {
    return this.#keys;
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
    const { owner } = this.syncMetadata;
    return () => this.#session.kind !== "signed-out" && this.syncMetadata.owner === owner;
  }

  setSession(session: Session): void {
    this.#session = session;
    this.#fire({ session: true });
  }

  setStats(stats: Stats | null, freshness: Freshness): void {
    const isSame =
      freshness.kind === "fresh" && this.#freshness.kind === "fresh" && isDeepStrictEqual(stats, this.#stats);
    this.#stats = stats;
    this.#freshness = freshness;
    this.#fire(isSame ? { checked: true } : { stats: true });
  }

  /** Called when keys and translations were derived from local files. `stats` is `null` without such files. */
  showLocal(stats: Stats | null, areKeysChanged: boolean, changedLocales: readonly string[]): void {
    const isSame = this.#isLocal === (stats !== null) && isDeepStrictEqual(stats, this.#stats);
    this.#stats = stats;
    this.#isLocal = stats !== null;
    if (areKeysChanged) this.#keys = new KeyRepository(this.database);
    this.#locales.clear();
    for (const { locale, isSource } of stats?.languages ?? []) if (!isSource) this.#locales.add(locale);
    if (isSame && !areKeysChanged && changedLocales.length === 0) return;
    const keys: Pick<ProjectChange, "keys"> = areKeysChanged ? { keys: true } : {};
    this.#fire({ ...(isSame ? {} : { stats: true }), rows: changedLocales, ...keys });
  }

  /** Called when the stored keys can be shown, and after keys were written to the database. */
  keysChanged(): void {
    this.#keys = new KeyRepository(this.database);
    this.#fire({ keys: true });
  }

  /** Called after translations were written to the database; the language is loaded from then on. */
  translationsChanged(locale: string): void {
    this.#locales.add(locale);
    this.#fire({ rows: [locale] });
  }

  /** Picks up what other windows of the folder have stored. */
  showExternalChanges(): void {
    if (!this.syncMetadata.hasExternalChanges()) return;
    this.#keys = new KeyRepository(this.database);
    const stored = this.syncMetadata.stats;
    if (stored !== null && this.#freshness.kind === "fresh") this.#stats = stored.stats;
    this.#fire({ stats: true, keys: true, rows: this.loadedLocales() });
  }

  setJobs(jobs: readonly FollowedJob[]): void {
    this.#jobs = jobs;
    this.#fire({ jobs: true });
  }

  setActivity(changes: Partial<Activity>): void {
    const activity = { ...this.#activity, ...changes };
    if (isDeepStrictEqual(activity, this.#activity)) return;
    this.#activity = activity;
    this.#fire({ activity: true, ...(changes.localOnly === undefined ? {} : { localOnly: true }) });
  }

  /** Notifies listeners of a change that is stored elsewhere. */
  notify(change: Pick<ProjectChange, "search" | "drafts" | "local">): void {
    this.#fire(change);
  }

  /** Resets the state after the caller has removed the service's data from the database. */
  reset(session: Session): void {
    this.#session = session;
    this.#isLocal = false;
    this.#stats = null;
    this.#freshness = { kind: "never" };
    this.#keys = new KeyRepository(this.database);
    const locales = this.loadedLocales();
    this.#locales.clear();
    this.#jobs = [];
    const { busyWith, listeningAt } = this.#activity;
    this.#activity = { ...NO_ACTIVITY, busyWith, listeningAt };
    this.#fire({ session: true, stats: true, keys: true, rows: locales, jobs: true, activity: true });
  }

  /** Called when the reading of local files begins and ends. */
  setReading(isReading: boolean): void {
    this.#viewChanges.isHeld = isReading;
  }

  /** Calls the listener synchronously after each change; an exception of one does not affect the others. */
  onDidChange(listener: (change: ProjectChange) => void): Subscription {
    return subscribe(this.#listeners, listener);
  }

  /** Like `onDidChange`, for what is shown: while files are read, changes are merged, and reported once a second. */
  onDidChangeView(listener: (change: ProjectChange) => void): Subscription {
    return subscribe(this.#viewListeners, listener);
  }

  /** Discards changes that were not reported yet. */
  dispose(): void {
    this.#viewChanges.dispose();
  }

  #fire(change: ProjectChange): void {
    const report = (): void => this.#viewChanges.add(change);
    callAll(new Set([...this.#listeners, report]), change);
  }
}

type Listeners = Set<(change: ProjectChange) => void>;

function subscribe(listeners: Listeners, listener: (change: ProjectChange) => void): Subscription {
  listeners.add(listener);
  return { dispose: () => void listeners.delete(listener) };
}

/** @throws {AggregateError} after all were called, if some threw an exception */
function callAll(listeners: Listeners, change: ProjectChange): void {
  const errors: unknown[] = [];
  for (const listener of [...listeners]) {
    try {
      listener(change);
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw new AggregateError(errors, "a listener of the project threw an exception");
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
export function projectRow(row: Row): ProjectRow {
  const { hash, isPlural, value, forms, isTranslated, isOutdated, issues, version, updatedAt } = row;
  const text = toText(isPlural, value, forms);
  return { hash, text, isTranslated, isOutdated, issues, version, updatedAt };
}

function toText(isPlural: boolean, value: string | null, forms: Record<string, string> | null): Text | null {
  if (!isPlural) return value === null ? null : { value };
  return forms === null || Object.keys(forms).length === 0 ? null : { forms };
}
