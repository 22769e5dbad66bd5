/**
 * The names of a project's keys with their hashes, each once: its files in every language say the same names, and
 * neither the memory nor the hashing of them should be paid for each language again.
 */
import { keyHash, type KeyName } from "./identity.ts";
import type { Sha1 } from "./ports.ts";

/** A key's name and its hash (§ Key identity). */
export interface HashedName {
  readonly name: KeyName;
  readonly hash: string;
}

export class NamePool {
  readonly #sha1: Sha1;
  readonly #byPlace = new Map<string, Map<string, HashedName>>();
  #size = 0;

  constructor(sha1: Sha1) {
    this.#sha1 = sha1;
  }

  /** How many names there are. */
  get size(): number {
    return this.#size;
  }

  /** The one object for the name. */
  of(name: KeyName): HashedName {
    const place = `${name.namespace ?? ""}\u0004${name.context ?? "\u0004"}`;
    let names = this.#byPlace.get(place);
    if (names === undefined) this.#byPlace.set(place, (names = new Map()));
    let found = names.get(name.key);
    if (found === undefined) {
      found = { name, hash: keyHash(this.#sha1, name) };
      names.set(name.key, found);
      this.#size++;
    }
    return found;
  }

  clear(): void {
    this.#byPlace.clear();
    this.#size = 0;
  }
}
