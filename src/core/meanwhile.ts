/**
 * What came into a map of the project (a push, an edit) while its pages were being read: it is newer than the pages,
 * so it is put on top of them instead of being lost until the next refresh.
 */
import type { Changes } from "./item-map.ts";

/** A map that is replaced and never changed, and says what a later one has otherwise. */
interface Changing<Item, Items> {
  get(hash: string): Item | undefined;
  with(changes: Changes<Item>): Items;
  changesTo(later: Items): Changes<Item>;
}

export class Meanwhile<Item, Items extends Changing<Item, Items>> {
  #seen: Items;
  readonly #changes = new Map<string, Item | null>();

  /** `seen`: the map as it was when the reading began. */
  constructor(seen: Items) {
    this.#seen = seen;
  }

  /** The reader itself put this map there. */
  shows(map: Items): void {
    this.#seen = map;
  }

  /** `items` with what others changed up to `now`, where `isNewer` does not say that the page knows better. */
  putOn(items: Items, now: Items, isNewer: (read: Item, taken: Item) => boolean = () => false): Items {
    for (const [hash, item] of this.#seen.changesTo(now)) this.#changes.set(hash, item);
    this.#seen = now;
    const changes = new Map<string, Item | null>();
    for (const [hash, item] of this.#changes) {
      const read = items.get(hash);
      if (item === null || read === undefined || !isNewer(read, item)) changes.set(hash, item);
    }
    return changes.size === 0 ? items : items.with(changes);
  }
}
