/**
 * What came into a map of the project (a push, an edit) while its pages were being read: it is newer than the pages,
 * so it is put on top of them instead of being lost until the next refresh.
 */
export class Meanwhile<Item> {
  #seen: ReadonlyMap<string, Item>;
  /** `null`: taken out. */
  readonly #changes = new Map<string, Item | null>();

  /** `seen`: the map as it was when the reading began. Such maps are replaced, never changed. */
  constructor(seen: ReadonlyMap<string, Item>) {
    this.#seen = seen;
  }

  /** The reader itself put this map there. */
  shows(map: ReadonlyMap<string, Item>): void {
    this.#seen = map;
  }

  /** Puts onto `items` what others changed up to `now`, where `isNewer` does not say that the page knows better. */
  putOn(
    items: Map<string, Item>,
    now: ReadonlyMap<string, Item>,
    isNewer: (read: Item, taken: Item) => boolean = () => false,
  ): void {
    if (now !== this.#seen) {
      for (const [hash, item] of now) if (this.#seen.get(hash) !== item) this.#changes.set(hash, item);
      for (const hash of this.#seen.keys()) if (!now.has(hash)) this.#changes.set(hash, null);
      this.#seen = now;
    }
    for (const [hash, item] of this.#changes) {
      const read = items.get(hash);
      if (item === null) items.delete(hash);
      else if (read === undefined || !isNewer(read, item)) items.set(hash, item);
    }
  }
}
