/** Seeded random numbers: the same seed gives the same sample. */

/** Returns `count` different items, in the order of the list. */
export function sample<T>(items: readonly T[], count: number, seed: number): readonly T[] {
  const random = randomGenerator(seed);
  const order = items.map((_, index) => index);
  const last = Math.min(count, order.length);
  for (let at = 0; at < last; at++) {
    const other = at + Math.floor(random() * (order.length - at));
    [order[at], order[other]] = [order[other] ?? at, order[at] ?? other];
  }
  const chosen = new Set(order.slice(0, last));
  return items.filter((_, index) => chosen.has(index));
}

/** Returns a mulberry32 generator of numbers from 0 to 1. */
export function randomGenerator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
