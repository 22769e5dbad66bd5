/**
 * What a person expects of their unsaved texts, written independently of the code: they typed over a text that they saw, and
 * whatever else stands there when it is saved is somebody else's.
 */

/** A translation as it is stored; `value: ""`: there is none. */
export interface Stored {
  readonly value: string;
  readonly version: number | null;
}

/** An unsaved text, and what the person saw when they began it. */
interface Unsaved {
  readonly typed: string;
  readonly seen: Stored;
}

interface Cell {
  unsaved: Unsaved | null;
  /** What was stored when it was last saved or reverted; another object each time. */
  last: Stored | null;
}

/** The change of a cell by one action. */
interface Change {
  readonly cell: Cell;
  readonly key: string;
  readonly before: Unsaved | null;
  readonly after: Unsaved | null;
  readonly last: Stored | null;
}

export class PersonModel {
  readonly #cells = new Map<string, Cell>();
  readonly #stored: (key: string) => Stored;

  constructor(stored: (key: string) => Stored) {
    this.#stored = stored;
  }

  /** The unsaved texts by key. */
  get unsaved(): ReadonlyMap<string, Unsaved> {
    return new Map(
      [...this.#cells].flatMap(([key, { unsaved }]) => (unsaved ? [[key, unsaved] as const] : [])),
    );
  }

  /** Whether something else stands there than what the person saw, unless it is what they typed. */
  isConflict(key: string): boolean {
    const { unsaved } = this.#cell(key);
    const there = this.#stored(key);
    if (unsaved === null || there.value === unsaved.typed) return false;
    if (there.value !== unsaved.seen.value) return true;
    // The same words, written again. An empty text has no version.
    return there.value !== "" && unsaved.seen.version !== null && there.version !== unsaved.seen.version;
  }

  edit(keys: readonly string[], typed: string): readonly Change[] {
    return this.#change(keys, (cell, there) => {
      if (typed === there.value) return null;
      return { typed, seen: cell.unsaved?.seen ?? there };
    });
  }

  discard(key: string): readonly Change[] {
    return this.#change([key], () => null);
  }

  /** The person has looked at what stands there. */
  keepMine(key: string): readonly Change[] {
    return this.#change([key], ({ unsaved }, there) => {
      if (unsaved === null || unsaved.typed === there.value) return null;
      return { typed: unsaved.typed, seen: there };
    });
  }

  undo(changes: readonly Change[]): void {
    for (const { cell, key, before, after, last } of changes) this.#restore(cell, key, last, before, after);
  }

  redo(changes: readonly Change[]): void {
    for (const { cell, key, before, after, last } of changes) this.#restore(cell, key, last, after, before);
  }

  /** All that is in no conflict was written. */
  saved(keys: readonly string[]): void {
    for (const key of keys) {
      const cell = this.#cell(key);
      cell.unsaved = null;
      cell.last = { ...this.#stored(key) };
    }
  }

  /** The window was closed and opened: unsaved texts are kept, what could be undone is not. */
  reload(): void {
    for (const cell of this.#cells.values()) cell.last = null;
  }

  /** After a save, an undone edit is a new change of what was saved then. */
  #restore(cell: Cell, key: string, last: Stored | null, to: Unsaved | null, from: Unsaved | null): void {
    if (cell.last === last) {
      cell.unsaved = to;
      return;
    }
    const typed = to?.typed ?? from?.seen.value ?? "";
    const seen = cell.unsaved?.seen ?? cell.last ?? this.#stored(key);
    cell.unsaved = typed === this.#stored(key).value ? null : { typed, seen };
  }

  #cell(key: string): Cell {
    const known = this.#cells.get(key) ?? { unsaved: null, last: null };
    this.#cells.set(key, known);
    return known;
  }

  #change(keys: readonly string[], next: (cell: Cell, there: Stored) => Unsaved | null): readonly Change[] {
    return keys.map((key) => {
      const cell = this.#cell(key);
      const before = cell.unsaved;
      cell.unsaved = next(cell, this.#stored(key));
      return { cell, key, before, after: cell.unsaved, last: cell.last };
    });
  }
}
