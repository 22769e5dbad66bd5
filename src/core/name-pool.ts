/**
 * The names of a project's keys with their hashes, each once and in columns: its files in every language say the same
 * names, and neither the memory nor the hashing of them should be paid for each language again.
 */
import { grown } from "./grown.ts";
import { HashTable } from "./hash-table.ts";
import { keyHash, type KeyName } from "./identity.ts";
import { PackedTexts } from "./numbered-texts.ts";
import type { Sha1 } from "./ports.ts";
import { Slots, textHash } from "./slots.ts";

/** What many names have in common. */
type NamePlace = Pick<KeyName, "namespace" | "context">;

/** Names by their numbers, from 0 in the order in which they came. */
export class NamePool {
  readonly #sha1: Sha1;
  readonly #keys = new PackedTexts();
  readonly #places: NamePlace[] = [];
  readonly #placeNumbers = new Map<string, Map<string | null, number>>();
  readonly #slots = new Slots();
  readonly #hashes = new HashTable();
  /** Of each name its place and its hash, by their numbers. */
  #placeOf = new Uint32Array();
  #idOf = new Uint32Array();
  /** Files say the same names in much the same order, so the next one is often known by the last. */
  #next = 0;
  #lastPlace = 0;

  constructor(sha1: Sha1) {
    this.#sha1 = sha1;
  }

  /** How many names there are. */
  get size(): number {
    return this.#keys.length;
  }

  /** How many different hashes they have: every id is smaller. */
  get ids(): number {
    return this.#hashes.size;
  }

  /** The number of the name, which is taken in where it was not there. */
  numberOf(name: KeyName): number {
    const { key } = name;
    const place = this.#placeNumber(name);
    const isIt = (number: number): boolean => this.#placeOf[number] === place && this.#keys.is(number, key);
    if (this.#next < this.size && isIt(this.#next)) return this.#next++;
    const hash = textHash(key, place);
    let number = this.#slots.find(hash, isIt);
    if (number === -1) {
      number = this.size;
      this.#keys.push(key);
      this.#slots.add(hash, number);
      this.#placeOf = grown(this.#placeOf, number + 1);
      this.#placeOf[number] = place;
      this.#idOf = grown(this.#idOf, number + 1);
      this.#idOf[number] = this.#hashes.add(keyHash(this.#sha1, name));
    }
    this.#next = number + 1;
    return number;
  }

  /** The name of a number that is there. */
  nameAt(number: number): KeyName {
    const { namespace = "", context = null } = this.#places[this.#placeOf[number] ?? 0] ?? {};
    return { namespace, key: this.#keys.at(number), context };
  }

  /** Its namespace alone. */
  namespaceAt(number: number): string {
    return this.#places[this.#placeOf[number] ?? 0]?.namespace ?? "";
  }

  /** The hash of a name (§ Key identity) that is there. */
  hashAt(number: number): string {
    return this.#hashes.at(this.idAt(number));
  }

  /** A small number for its hash, from 0: names that the service takes for the same have the same one. */
  idAt(number: number): number {
    return this.#idOf[number] ?? 0;
  }

  /** The number of a hash that one of the names has; -1: none has. */
  idOf(hash: string): number {
    return this.#hashes.numberOf(hash);
  }

  /** Lets go of the texts that the last names were cut from. */
  pack(): void {
    this.#keys.pack();
  }

  #placeNumber({ namespace, context }: NamePlace): number {
    const last = this.#places[this.#lastPlace];
    if (last?.namespace === namespace && last.context === context) return this.#lastPlace;
    let contexts = this.#placeNumbers.get(namespace);
    if (contexts === undefined) this.#placeNumbers.set(apart(namespace), (contexts = new Map()));
    let number = contexts.get(context);
    if (number === undefined) {
      const place = { namespace: apart(namespace), context: context === null ? null : apart(context) };
      number = this.#places.push(place) - 1;
      contexts.set(place.context, number);
    }
    this.#lastPlace = number;
    return number;
  }
}

/** The text on its own: a piece of a larger one keeps the whole of it in memory. */
function apart(text: string): string {
  return JSON.parse(JSON.stringify(text)) as string;
}
