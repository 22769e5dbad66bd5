/**
 * An open-addressing table: small numbers by the hash of what they stand for, in eight bytes each and what is free. It
 * does not hold what they stand for; whoever asks says which of the numbers with that hash is meant.
 */

/** Others, who may choose the texts, do not know which of them fall together here. */
const SEED = Math.floor(Math.random() * 2 ** 32);
const PRIME = 0x01000193;

/** A number of 32 bits for the text; another in each run of the program. `salt`: what stands beside the text. */
export function textHash(text: string, salt = 0): number {
  let hash = SEED ^ salt;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), PRIME);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return hash ^ (hash >>> 13);
}

/** More of the slots than this are never taken: the search for what is not there would become long. */
const FULL = 0.8;
const FEWEST = 16;

export class Slots {
  /** Each at the first free slot from the one that its hash points to, with one added; 0: free. */
  #numbers: Uint32Array<ArrayBuffer>;
  #hashes: Int32Array<ArrayBuffer>;
  #size = 0;

  /** `expected`: how many will come, where that is known; there may be more. */
  constructor(expected = 0) {
    const count = Math.max(FEWEST, Math.ceil(expected / FULL));
    this.#numbers = new Uint32Array(count);
    this.#hashes = new Int32Array(count);
  }

  get size(): number {
    return this.#size;
  }

  /** The first number with that hash that is the one; -1: none is. */
  find(hash: number, isIt: (number: number) => boolean): number {
    const numbers = this.#numbers;
    for (let slot = this.#home(hash); ; slot = this.#after(slot)) {
      const number = (numbers[slot] ?? 0) - 1;
      if (number === -1 || (this.#hashes[slot] === hash && isIt(number))) return number;
    }
  }

  /** Puts a number in, beside those that have the same hash. */
  add(hash: number, number: number): void {
    if (++this.#size > this.#numbers.length * FULL) this.#grow();
    this.#put(hash, number + 1);
  }

  /** Takes a number out that is in. */
  remove(hash: number, number: number): void {
    const numbers = this.#numbers;
    let gap = this.#home(hash);
    while (numbers[gap] !== number + 1) {
      if (numbers[gap] === 0) return;
      gap = this.#after(gap);
    }
    this.#size--;
    // What stands behind it because of it comes forward, or nobody would find it.
    for (let slot = this.#after(gap); numbers[slot] !== 0; slot = this.#after(slot)) {
      const moved = this.#hashes[slot] ?? 0;
      const home = this.#home(moved);
      if (gap < slot ? gap < home && home <= slot : gap < home || home <= slot) continue;
      numbers[gap] = numbers[slot] ?? 0;
      this.#hashes[gap] = moved;
      gap = slot;
    }
    numbers[gap] = 0;
  }

  #put(hash: number, entry: number): void {
    let slot = this.#home(hash);
    while (this.#numbers[slot] !== 0) slot = this.#after(slot);
    this.#numbers[slot] = entry;
    this.#hashes[slot] = hash;
  }

  #home(hash: number): number {
    return (hash >>> 0) % this.#numbers.length;
  }

  #after(slot: number): number {
    return slot + 1 === this.#numbers.length ? 0 : slot + 1;
  }

  #grow(): void {
    const [numbers, hashes] = [this.#numbers, this.#hashes];
    const count = Math.ceil(numbers.length * 1.5);
    this.#numbers = new Uint32Array(count);
    this.#hashes = new Int32Array(count);
    for (const [slot, entry] of numbers.entries()) if (entry !== 0) this.#put(hashes[slot] ?? 0, entry);
  }
}
