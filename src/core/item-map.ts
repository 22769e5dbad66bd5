/**
 * Many items by their hash, as columns with the few that changed since beside them. To everybody it is a map that never
 * changes: a change makes another one, which shares the columns. An item is made when somebody asks for it.
 */
import type { HashTable } from "./hash-table.ts";
import type { YieldNow } from "./ports.ts";

/** Items in columns, by their numbers in the table of hashes. */
export interface Columns<Item, Data = unknown> {
  readonly hashes: HashTable;
  /** Plain, to make the same columns of. */
  readonly data: Data;
  at(number: number): Item;
  timeAt(number: number): string | null;
}

/** Gathers items to make columns of them. */
export interface Packer<Item, Packed extends Columns<Item>> {
  /** An item whose hash is not there yet. */
  add(item: Item): void;
  packed(): Packed;
}

/** What an item has by which it is found, and its time of its last change. */
interface Kept {
  readonly hash: string;
  readonly updatedAt: string | null;
}

/** A map as plain data. */
export interface MapData<Item, Data = unknown> {
  readonly columns: Data;
  readonly changes: readonly (readonly [hash: string, item: Item | null])[];
  readonly size: number;
}

/** Items by hash; `null`: taken out. */
export type Changes<Item> = ReadonlyMap<string, Item | null>;

/** So many changes, or a tenth of the columns, stay beside them. */
const FEW = 1000;
const SHARE = 0.1;
/** Items packed before other work gets its turn; some 5 ms. */
const SLICE = 1000;

export abstract class ItemMap<Item extends Kept, Packed extends Columns<Item>> implements ReadonlyMap<
  string,
  Item
> {
  readonly size: number;
  protected readonly columns: Packed;
  /** Newer than the columns. */
  protected readonly changes: Changes<Item>;

  constructor(columns: Packed, changes: Changes<Item> = new Map(), size: number = columns.hashes.size) {
    this.columns = columns;
    this.changes = changes;
    this.size = size;
  }

  /** To make the same map of. */
  get data(): MapData<Item, Packed["data"]> {
    return { columns: this.columns.data, changes: [...this.changes], size: this.size };
  }

  /** A map of the same kind. */
  protected abstract make(columns: Packed, changes?: Changes<Item>, size?: number): this;
  protected abstract packer(count: number): Packer<Item, Packed>;

  get(hash: string): Item | undefined {
    return this.look(
      hash,
      (item) => item,
      (number) => this.columns.at(number),
    );
  }

  has(hash: string): boolean {
    const changed = this.changes.get(hash);
    return changed === undefined ? this.columns.hashes.numberOf(hash) !== -1 : changed !== null;
  }

  forEach(each: (item: Item, hash: string, map: ReadonlyMap<string, Item>) => void, self?: unknown): void {
    for (const [hash, item] of this) each.call(self, item, hash, this);
  }

  [Symbol.iterator](): MapIterator<[string, Item]> {
    return this.entries();
  }

  entries(): MapIterator<[string, Item]> {
    return this.pass(
      (item) => [item.hash, item],
      (number) => {
        const item = this.columns.at(number);
        return [item.hash, item];
      },
    );
  }

  values(): MapIterator<Item> {
    return this.pass(
      (item) => item,
      (number) => this.columns.at(number),
    );
  }

  keys(): MapIterator<string> {
    return this.pass(
      (item) => item.hash,
      (number) => this.columns.hashes.at(number),
    );
  }

  /** The time of the last change of each, without making items. */
  times(): Iterable<string | null> {
    return this.pass(
      (item) => item.updatedAt,
      (number) => this.columns.timeAt(number),
    );
  }

  /** A map with these changes. */
  with(changes: Changes<Item>): this {
    const all = new Map(this.changes);
    let { size } = this;
    for (const [hash, item] of changes) {
      const before = all.get(hash);
      const isInColumns = this.columns.hashes.numberOf(hash) !== -1;
      const wasThere = before === undefined ? isInColumns : before !== null;
      if (item === null && !isInColumns) all.delete(hash);
      else all.set(hash, item);
      size += (item === null ? 0 : 1) - (wasThere ? 1 : 0);
    }
    return this.make(this.columns, all, size);
  }

  /** What `later` has otherwise; all of it where it does not come from this map or from what this one comes from. */
  changesTo(later: this): Changes<Item> {
    const changes = new Map<string, Item | null>();
    if (later === this) return changes;
    if (later.columns !== this.columns) {
      for (const hash of this.keys()) changes.set(hash, null);
      for (const [hash, item] of later) changes.set(hash, item);
      return changes;
    }
    for (const [hash, item] of later.changes) if (this.changes.get(hash) !== item) changes.set(hash, item);
    for (const hash of this.changes.keys())
      if (!later.changes.has(hash)) changes.set(hash, later.get(hash) ?? null);
    return changes;
  }

  /** The same in columns alone, where there are more changes than `few` and than this share of the columns. */
  async folded(yieldNow: YieldNow, share: number = SHARE, few: number = FEW): Promise<this> {
    if (this.changes.size <= Math.max(few, share * this.columns.hashes.size)) return this;
    const packer = this.packer(this.size);
    let count = 0;
    for (const item of this.values()) {
      packer.add(item);
      if (++count % SLICE === 0) await yieldNow();
    }
    return this.make(packer.packed());
  }

  /** Something of one item, from the item where it changed, else from the columns; `undefined`: it is not there. */
  protected look<Found>(
    hash: string,
    ofItem: (item: Item) => Found,
    ofColumns: (number: number) => Found,
  ): Found | undefined {
    const changed = this.changes.size === 0 ? undefined : this.changes.get(hash);
    if (changed !== undefined) return changed === null ? undefined : ofItem(changed);
    const number = this.columns.hashes.numberOf(hash);
    return number === -1 ? undefined : ofColumns(number);
  }

  /** Something of every item: in the order of the columns, then what is new. */
  protected *pass<Found>(
    ofItem: (item: Item) => Found,
    ofColumns: (number: number) => Found,
  ): Generator<Found, undefined, unknown> {
    const { columns, changes } = this;
    const { size } = columns.hashes;
    if (changes.size === 0) {
      for (let number = 0; number < size; number++) yield ofColumns(number);
      return;
    }
    for (let number = 0; number < size; number++) {
      const changed = changes.get(columns.hashes.at(number));
      if (changed === undefined) yield ofColumns(number);
      else if (changed !== null) yield ofItem(changed);
    }
    for (const [hash, item] of changes)
      if (item !== null && columns.hashes.numberOf(hash) === -1) yield ofItem(item);
  }
}
