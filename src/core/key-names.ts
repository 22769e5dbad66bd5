/**
 * The names of the keys that a project has, made for asking: is this one there, what begins like this. Built
 * once for each new set of keys and never changed; it knows nothing of texts or of how code says a key. It keeps
 * columns, no keys: a `NamedKey` is made when somebody asks for it.
 */
import { grown } from "./grown.ts";
import { HashTable } from "./hash-table.ts";
import type { KeyName } from "./identity.ts";
import { NumberedTexts, PackedTexts } from "./numbered-texts.ts";
import { atOnce, inSlices } from "./slices.ts";
import { Slots, textHash } from "./slots.ts";
import type { YieldNow } from "./ports.ts";
import { TextOrder } from "./text-order.ts";

/** A key by its hash and name. */
export interface NamedKey extends KeyName {
  readonly hash: string;
}

/** What may be asked of names. */
export type AskedNames = Pick<
  KeyNames,
  "get" | "withAnyContext" | "hasNamespace" | "namespaces" | "hasPrefix" | "matching"
>;

/** Two primes, so that names that differ in one part only do not fall together. */
const NAMESPACE_SALT = 0x9e3779b1;
const CONTEXT_SALT = 0x85ebca6b;

/** Names taken between two chances for other work; some 5 ms. */
const SLICE = 2_000;

export class KeyNames {
  /** Keys are numbered from 0 as they came, and so are their hashes. */
  readonly #hashes: HashTable;
  readonly #names = new PackedTexts();
  readonly #byName: Slots;
  readonly #namespaces: string[] = [];
  readonly #namespaceNumbers = new Map<string, number>();
  #namespaceOf: Uint32Array<ArrayBuffer>;
  /** The number 0 is no context. */
  readonly #contexts = new NumberedTexts();
  #contextOf: Uint32Array<ArrayBuffer>;
  /** By namespace, each made when first asked for. */
  readonly #orders: (TextOrder | undefined)[] = [];

  private constructor(count: number) {
    this.#hashes = new HashTable(count);
    this.#byName = new Slots(count);
    this.#namespaceOf = new Uint32Array(count);
    this.#contextOf = new Uint32Array(count);
    this.#contexts.add("");
  }

  /** `count`: how many they are, where that is known. */
  static of(keys: Iterable<NamedKey>, count = 0): KeyNames {
    const names = new KeyNames(count);
    atOnce(names.#taking(keys));
    return names;
  }

  /** The same, with other work in between. */
  static async soon(keys: Iterable<NamedKey>, count: number, yieldNow: YieldNow): Promise<KeyNames> {
    const names = new KeyNames(count);
    await inSlices(names.#taking(keys), yieldNow);
    return names;
  }

  *#taking(keys: Iterable<NamedKey>): Generator<void> {
    let taken = 0;
    for (const key of keys) {
      if (++taken % SLICE === 0) yield;
      this.#add(key);
    }
    this.#names.pack();
    this.#contexts.pack();
  }

  get size(): number {
    return this.#names.length;
  }

  /** The key of that name, if there is one. An empty context counts as none. */
  get(namespace: string, key: string, context: string | null = null): NamedKey | undefined {
    const ofNamespace = this.#namespaceNumbers.get(namespace);
    const ofContext = context === null ? 0 : this.#contexts.numberOf(context);
    if (ofNamespace === undefined || ofContext === -1) return undefined;
    const number = this.#find(ofNamespace, key, ofContext);
    if (number === -1) return undefined;
    return { hash: this.#hashes.at(number), namespace, key, context: ofContext === 0 ? null : context };
  }

  /** Any key of that name, whatever its context. */
  withAnyContext(namespace: string, key: string): NamedKey | undefined {
    const plain = this.get(namespace, key);
    // Keys without any context, the usual case, need not be put in order for this.
    if (plain !== undefined || this.#contexts.size === 1) return plain;
    for (const number of this.#orderOf(namespace)?.from(key) ?? []) {
      return this.#names.is(number, key) ? this.at(number) : undefined;
    }
    return undefined;
  }

  hasNamespace(namespace: string): boolean {
    return this.#namespaceNumbers.has(namespace);
  }

  namespaces(): Iterable<string> {
    return this.#namespaces;
  }

  /** Whether a key of the namespace begins with `prefix`. */
  hasPrefix(namespace: string, prefix: string): boolean {
    for (const number of this.#orderOf(namespace)?.from(prefix) ?? []) {
      return this.#names.startsWith(number, prefix);
    }
    return false;
  }

  /** Keys of the namespace that begin and end so, in order, at most `limit`; contexts of one name count singly. */
  matching(namespace: string, prefix: string, suffix: string, limit: number): readonly NamedKey[] {
    const found: NamedKey[] = [];
    const shortest = prefix.length + suffix.length;
    for (const number of this.#orderOf(namespace)?.from(prefix) ?? []) {
      if (found.length >= limit || !this.#names.startsWith(number, prefix)) break;
      if (suffix === "" || this.#names.endsWith(number, suffix, shortest)) found.push(this.at(number));
    }
    return found;
  }

  has(hash: string): boolean {
    return this.numberOf(hash) !== -1;
  }

  /** The number of the key with that hash, below `size`; -1: there is none. */
  numberOf(hash: string): number {
    return this.#hashes.numberOf(hash);
  }

  /** The hash of the key of a number. */
  hashAt(number: number): string {
    return this.#hashes.at(number);
  }

  /** The key of a number. */
  at(number: number): NamedKey {
    const context = this.#contextOf[number] ?? 0;
    return {
      hash: this.hashAt(number),
      namespace: this.#namespaces[this.#namespaceOf[number] ?? 0] ?? "",
      key: this.#names.at(number),
      context: context === 0 ? null : this.#contexts.at(context),
    };
  }

  #add({ hash, namespace, key, context }: NamedKey): void {
    const number = this.#hashes.add(hash);
    // A hash is a name's, so this is the same key again.
    if (number < this.size) return;
    const ofNamespace = this.#numberOfNamespace(namespace);
    const ofContext = context === null ? 0 : this.#contexts.add(context);
    this.#names.push(key);
    this.#namespaceOf = grown(this.#namespaceOf, number + 1);
    this.#namespaceOf[number] = ofNamespace;
    this.#contextOf = grown(this.#contextOf, number + 1);
    this.#contextOf[number] = ofContext;
    this.#byName.add(nameHash(ofNamespace, key, ofContext), number);
  }

  #numberOfNamespace(namespace: string): number {
    let number = this.#namespaceNumbers.get(namespace);
    if (number === undefined) {
      number = this.#namespaces.push(namespace) - 1;
      this.#namespaceNumbers.set(namespace, number);
    }
    return number;
  }

  #find(namespace: number, key: string, context: number): number {
    return this.#byName.find(
      nameHash(namespace, key, context),
      (number) =>
        this.#namespaceOf[number] === namespace &&
        this.#contextOf[number] === context &&
        this.#names.is(number, key),
    );
  }

  #orderOf(namespace: string): TextOrder | undefined {
    const number = this.#namespaceNumbers.get(namespace);
    if (number === undefined) return undefined;
    return (this.#orders[number] ??= new TextOrder(this.#names, this.#contextOf, this.#numbersIn(number)));
  }

  #numbersIn(namespace: number): Uint32Array {
    const numbers: number[] = [];
    for (let number = 0; number < this.size; number++) {
      if (this.#namespaceOf[number] === namespace) numbers.push(number);
    }
    return Uint32Array.from(numbers);
  }
}

function nameHash(namespace: number, key: string, context: number): number {
  return textHash(key, Math.imul(namespace, NAMESPACE_SALT) ^ Math.imul(context, CONTEXT_SALT));
}

/** The keys of a project, replaced as a whole (KeyMap). */
export interface KeysWithNames {
  readonly size: number;
  names(): Iterable<NamedKey>;
}

const made = new WeakMap<KeysWithNames, KeyNames>();

/** The names of these keys, made once. */
export function namesOf(keys: KeysWithNames): KeyNames {
  let names = made.get(keys);
  if (names === undefined) made.set(keys, (names = KeyNames.of(keys.names(), keys.size)));
  return names;
}

/** Makes them before somebody asks, with other work in between. */
export async function prepareNames(keys: KeysWithNames, yieldNow: YieldNow): Promise<void> {
  if (!made.has(keys)) made.set(keys, await KeyNames.soon(keys.names(), keys.size, yieldNow));
}
