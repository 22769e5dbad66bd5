/** Changes of a project's state, and when views hear of them: at once, or together with later ones while files are read. */

/** Which parts of the state changed. */
export interface ProjectChange {
  readonly session?: true;
  readonly stats?: true;
  /** A refresh found the same stats; only the time of the last check changed. */
  readonly checked?: true;
  readonly keys?: true;
  /** Locales whose rows changed. */
  readonly rows?: readonly string[];
  readonly jobs?: true;
  readonly activity?: true;
  /** `localOnly` was counted again. */
  readonly localOnly?: true;
  /** The search index was updated. */
  readonly search?: true;
  /** The local files or the project file changed. */
  readonly local?: true;
  /** Drafts were changed outside of the translation editor. */
  readonly drafts?: true;
}

/** Views are brought up to date at most once in this time while files are read. */
const MIN_INTERVAL_MS = 1_000;

/**
 * Passes changes on. While `isHeld`, all but what a person did or waits for (session, jobs, drafts, files) are merged and
 * passed on at most once a second, the last ones when it ends.
 */
export class ChangeThrottle {
  readonly #deliver: (change: ProjectChange) => void;
  #isHeld = false;
  #pending: ProjectChange | null = null;
  #deliveredAt = -Infinity;
  #timer: NodeJS.Timeout | undefined;

  constructor(deliver: (change: ProjectChange) => void) {
    this.#deliver = deliver;
  }

  set isHeld(isHeld: boolean) {
    this.#isHeld = isHeld;
    if (!isHeld) this.#flush();
  }

  add(change: ProjectChange): void {
    const { session, jobs, drafts, local } = change;
    const isUrgent = session === true || jobs === true || drafts === true || local === true;
    this.#pending = this.#pending === null ? change : merged(this.#pending, change);
    const waitMs = this.#deliveredAt + MIN_INTERVAL_MS - performance.now();
    if (!this.#isHeld || isUrgent || waitMs <= 0) this.#flush();
    else this.#timer ??= setTimeout(() => this.#flush(), waitMs);
  }

  /** Discards changes that were not passed on. */
  dispose(): void {
    clearTimeout(this.#timer);
    this.#pending = null;
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const change = this.#pending;
    if (change === null) return;
    this.#pending = null;
    this.#deliveredAt = performance.now();
    this.#deliver(change);
  }
}

function merged(before: ProjectChange, after: ProjectChange): ProjectChange {
  const rows = new Set([...(before.rows ?? []), ...(after.rows ?? [])]);
  const hasRows = before.rows !== undefined || after.rows !== undefined;
  return { ...before, ...after, ...(hasRows ? { rows: [...rows] } : {}) };
}
