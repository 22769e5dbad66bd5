/**
 * The state of one project as this window knows it: session, progress, keys, translations, jobs, what waits.
 * It only holds and tells (`onDidChange`); fetching, storing and writing stand in the files beside it. Every
 * view repaints from here, so that nobody refreshes anybody.
 */
import type { Job, Key, QaIssue, Row, Stats } from "../api/schemas.ts";
import type { KeyName } from "./identity.ts";
import { type KeyMap, NO_KEYS, NO_TAGS } from "./key-map.ts";
import type { Subscription } from "./ports.ts";
import { NO_ISSUES, type RowMap } from "./row-map.ts";
import { CATEGORIES, type Text } from "./text.ts";

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

/** One active key (§ Key), as kept. `text` is null when the service has no source text. */
export interface ProjectKey extends KeyName {
  readonly hash: string;
  readonly isPlural: boolean;
  readonly text: Text | null;
  readonly sourceHash: string | null;
  readonly description: string | null;
  readonly maxLength: number | null;
  readonly tags: readonly string[];
  readonly updatedAt: string | null;
}

/** One translation row (§ Translation row), as kept; its key's name is found by the hash. */
export interface ProjectRow {
  readonly hash: string;
  readonly text: Text | null;
  readonly isTranslated: boolean;
  readonly isOutdated: boolean;
  readonly issues: readonly QaIssue[];
  readonly version: number | null;
  readonly updatedAt: string | null;
}

/** The rows of one language. `complete`: every page was read, so a missing row means a missing translation. */
export interface LocaleRows {
  readonly rows: RowMap;
  readonly complete: boolean;
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
export type Waiting =
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
   * that failed, the platform's own.
   */
  | { readonly kind: "offline"; readonly at: number | null; readonly error: string; readonly code?: string };

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
  /** The local files or the project file changed. */
  readonly local?: true;
}

export class Project {
  /** Stable on this machine, no secret in it; names the store of the project. */
  readonly id: string;
  readonly label: string;
  #session: Session = { kind: "unknown" };
  #stats: Stats | null = null;
  #freshness: Freshness = { kind: "never" };
  #keys: KeyMap = NO_KEYS;
  #keysComplete = false;
  readonly #rows = new Map<string, LocaleRows>();
  #jobs: readonly FollowedJob[] = [];
  #waiting: Waiting | null = null;
  #pushCounts: PushCounts | null = null;
  #pullCount: number | null = null;
  #busyWith: string | null = null;
  #listeningAt: string | null = null;
  readonly #listeners = new Set<(change: ProjectChange) => void>();

  constructor(id: string, label: string) {
    this.id = id;
    this.label = label;
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
  /** Active keys by hash. */
  get keys(): KeyMap {
    return this.#keys;
  }
  /** Every page of `GET /keys` was read at the known `contentVersion`. */
  get keysComplete(): boolean {
    return this.#keysComplete;
  }
  get jobs(): readonly FollowedJob[] {
    return this.#jobs;
  }
  get waiting(): Waiting | null {
    return this.#waiting;
  }
  get pushCounts(): PushCounts | null {
    return this.#pushCounts;
  }
  /** How many translations of the service the local files lack or have otherwise; `null`: not counted yet. */
  get pullCount(): number | null {
    return this.#pullCount;
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

  rows(locale: string): LocaleRows | undefined {
    return this.#rows.get(locale);
  }

  loadedLocales(): readonly string[] {
    return [...this.#rows.keys()];
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

  setKeys(keys: KeyMap, complete: boolean): void {
    this.#keys = keys;
    this.#keysComplete = complete;
    this.#fire({ keys: true });
  }

  setRows(locale: string, rows: LocaleRows): void {
    this.#rows.set(locale, rows);
    this.#fire({ rows: [locale] });
  }

  setJobs(jobs: readonly FollowedJob[]): void {
    this.#jobs = jobs;
    this.#fire({ jobs: true });
  }

  setWaiting(waiting: Waiting | null): void {
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

  /** Local files changed: whoever shows them reads them again. */
  localChanged(): void {
    this.#fire({ local: true });
  }

  /** Forgets all that came from the service (sign out). */
  forget(session: Session): void {
    this.#session = session;
    this.#stats = null;
    this.#freshness = { kind: "never" };
    this.#keys = NO_KEYS;
    this.#keysComplete = false;
    const locales = [...this.#rows.keys()];
    this.#rows.clear();
    this.#jobs = [];
    this.#waiting = null;
    this.#pushCounts = null;
    this.#pullCount = null;
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
  if (isPlural) return forms === null || Object.keys(forms).length === 0 ? null : { forms: inOrder(forms) };
  return value === null ? null : { value };
}

function inOrder(forms: Record<string, string>): Record<string, string> {
  const known = CATEGORIES.filter((category) => Object.hasOwn(forms, category));
  const others = Object.keys(forms).filter((name) => !known.some((category) => category === name));
  return Object.fromEntries([...known, ...others].map((name) => [name, forms[name] ?? ""]));
}
