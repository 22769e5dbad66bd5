/**
 * Versions of everything that is shown: one counter for each table of each project. What is shown subscribes to the tables
 * that it reads, and is rendered again, soon but never twice for the same state, when one of them has changed.
 */
import type { Subscription } from "../model/platform.ts";
import { forEachInSlices } from "../util/event-loop.ts";
import { getOrCreate } from "../util/maps.ts";

/**
 * Tables of a project's databases (several of SQLite's may count as one), and values that only this window has:
 * - `keys`, `translations`, `drafts` (with rejected machine translations): counted where a transaction writes them
 * - `renames`: renames in the files that the service does not have yet
 * - `search`: the search index; `usages`: the usages of keys in source files; `usageReport`: the
 *   last report of which keys are unused
 * - `files`: the contents of the translation files and the project file, as far as they are read
 * - `session`, `stats`, `freshness`, `jobs`, `activity`: `Project`
 * - `pending`: the counts of pending changes in `Project.activity`
 * - of the window: `projects` (which are open, and their project files), `active` (which of them that of the active editor is),
 *   `settings` (also the frameworks, functions and languages that were detected or chosen), `results` (of commands)
 */
export type StoreTable =
  | (typeof CONNECTION_TABLES)[number]
  | "usages"
  | "usageReport"
  | "projects"
  | "active"
  | "settings"
  | "results";

/** The tables of what a project is connected to: all are others when another connection replaces one. */
export const CONNECTION_TABLES = [
  "keys",
  "translations",
  "drafts",
  "renames",
  "search",
  "files",
  "session",
  "stats",
  "freshness",
  "jobs",
  "activity",
  "pending",
] as const;

/** What a person did or waits for: shown soon, also while files are read. */
const URGENT: ReadonlySet<StoreTable> = new Set(["session", "jobs", "drafts", "files", "projects", "active"]);

/** Changes within this time are rendered together. */
const SOON_MS = 50;
const MIN_INTERVAL_MS = 250;
/** While files or languages are read. */
const MIN_INTERVAL_READING_MS = 1_000;

interface Subscriber<Project> {
  readonly tables: ReadonlySet<StoreTable>;
  readonly render: (changed: ChangedTables<Project>) => void;
  /** What has changed since the last call; `null`: nothing has. */
  changed: Map<Project, Set<StoreTable>> | null;
}

/** The tables that have changed, by project; those of the window are not among them. */
export type ChangedTables<Project> = ReadonlyMap<Project, ReadonlySet<StoreTable>>;

/** The versions of the tables of a window's projects. */
export class Store<Project extends object> {
  readonly #onError: (error: unknown) => void;
  readonly #versions = new WeakMap<Project, Map<StoreTable, number>>();
  readonly #subscribers = new Set<Subscriber<Project>>();
  readonly #listeners = new Set<(table: StoreTable, project: Project | null) => void>();
  #readCount = 0;
  #renderedAt = -Infinity;
  #timer: NodeJS.Timeout | undefined;
  #renderAt = Infinity;

  /** @param onError called with the exceptions of subscribers, which do not affect each other; default: not caught */
  constructor(onError: (error: unknown) => void = throwLater) {
    this.#onError = onError;
  }

  /** Counts a change of tables of a project, or of the window (`null`). */
  changed(project: Project | null, ...tables: readonly StoreTable[]): void {
    for (const table of tables) {
      if (project !== null) {
        const versions = getOrCreate(this.#versions, project, () => new Map<StoreTable, number>());
        versions.set(table, (versions.get(table) ?? 0) + 1);
      }
      for (const subscriber of this.#subscribers) {
        if (!subscriber.tables.has(table)) continue;
        subscriber.changed ??= new Map();
        if (project !== null) getOrCreate(subscriber.changed, project, () => new Set()).add(table);
        this.#renderSoon(URGENT.has(table));
      }
      for (const listener of [...this.#listeners]) this.#call(() => listener(table, project));
    }
  }

  /** Returns the number of changes of a table. */
  version(project: Project, table: StoreTable): number {
    return this.#versions.get(project)?.get(table) ?? 0;
  }

  /**
   * Calls `render` soon after changes of the tables: at most four times a second, while files are read once a second,
   * except for what a person did.
   */
  subscribe(tables: readonly StoreTable[], render: (changed: ChangedTables<Project>) => void): Subscription {
    const subscriber: Subscriber<Project> = { tables: new Set(tables), render, changed: null };
    this.#subscribers.add(subscriber);
    return { dispose: () => void this.#subscribers.delete(subscriber) };
  }

  /** Calls the listener within each change: for what is computed from the tables, and for tests. */
  onDidChange(listener: (table: StoreTable, project: Project | null) => void): Subscription {
    this.#listeners.add(listener);
    return { dispose: () => void this.#listeners.delete(listener) };
  }

  /** Renders less often until the returned function is called: files or languages are being read. */
  startReading(): () => void {
    this.#readCount++;
    let isReading = true;
    return () => {
      if (!isReading) return;
      isReading = false;
      if (--this.#readCount === 0 && this.#timer !== undefined) this.#renderSoon(true);
    };
  }

  /** Renders nothing of a closed project any more. */
  forget(project: Project): void {
    for (const { changed } of this.#subscribers) changed?.delete(project);
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#subscribers.clear();
    this.#listeners.clear();
  }

  #renderSoon(isUrgent: boolean): void {
    const now = performance.now();
    const interval = this.#readCount > 0 && !isUrgent ? MIN_INTERVAL_READING_MS : MIN_INTERVAL_MS;
    const at = Math.max(now + SOON_MS, isUrgent ? 0 : this.#renderedAt + interval);
    if (at >= this.#renderAt) return;
    this.#renderAt = at;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#render(), at - now);
  }

  /** In slices, since many views are drawn at once after the first reading of a project. */
  #render(): void {
    this.#timer = undefined;
    this.#renderAt = Infinity;
    this.#renderedAt = performance.now();
    void forEachInSlices([...this.#subscribers], (subscriber) => {
      const { changed, render } = subscriber;
      // It may have been disposed of, or called for a later state, since the first slice.
      if (changed === null || !this.#subscribers.has(subscriber)) return;
      subscriber.changed = null;
      this.#call(() => render(changed));
    });
  }

  #call(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#onError(error);
    }
  }
}

function throwLater(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}
