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
  /** A small number for the hash, from 0, within the pool. */
  readonly id: number;
  /** Which name of the pool it is, from 0. */
  readonly number: number;
}

export class NamePool {
  readonly #sha1: Sha1;
  readonly #byPlace = new Map<string | null, Map<string, Map<string, HashedName>>>();
  readonly #ids = new Map<string, number>();
  /** As they came. Files say the same names in much the same order, so the next one is often known by the last. */
  readonly #all: HashedName[] = [];
  #next = 0;

  constructor(sha1: Sha1) {
    this.#sha1 = sha1;
  }

  /** How many names there are. */
  get size(): number {
    return this.#all.length;
  }

  /** How many different hashes they have: every id is smaller. */
  get ids(): number {
    return this.#ids.size;
  }

  /** The one object for the name. */
  of({ namespace, key, context }: KeyName): HashedName {
    const next = this.#all[this.#next];
    if (next?.name.key === key && next.name.namespace === namespace && next.name.context === context) {
      this.#next++;
      return next;
    }
    const names = this.#at(namespace, context);
    let found = names.get(key);
    if (found === undefined) {
      const name = { namespace, key: apart(key), context };
      const hash = keyHash(this.#sha1, name);
      let id = this.#ids.get(hash);
      if (id === undefined) this.#ids.set(hash, (id = this.#ids.size));
      found = { name, hash, id, number: this.#all.length };
      names.set(name.key, found);
      this.#all.push(found);
    }
    this.#next = found.number + 1;
    return found;
  }

  /** The number of a hash that one of the names has. */
  idOf(hash: string): number | undefined {
    return this.#ids.get(hash);
  }

  #at(namespace: string, context: string | null): Map<string, HashedName> {
    let contexts = this.#byPlace.get(context);
    if (contexts === undefined) this.#byPlace.set(context, (contexts = new Map()));
    let names = contexts.get(namespace);
    if (names === undefined) contexts.set(namespace, (names = new Map()));
    return names;
  }
}

/** The text on its own: a piece of a larger one keeps the whole of it in memory. */
function apart(text: string): string {
  return JSON.parse(JSON.stringify(text)) as string;
}
