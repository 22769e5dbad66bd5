/**
 * What is known of keys' kinds, one text or plural forms, beside the files: the service's word, else in a target's file
 * what the source file makes of the key.
 */
import type { KindOf, LocalFile } from "./local-files.ts";
import type { NamePool } from "./name-pool.ts";

/** The keys of the service, as far as their kinds go. Replaced as a whole. */
export interface KnownKinds {
  /** `undefined`: there is no such key. */
  isPlural(hash: string): boolean | undefined;
}

const SINGULAR = 1;
const PLURAL = 2;

/** So many times something was known otherwise, in all projects of the window. */
let states = 0;

export class KeyKinds {
  readonly #known: () => KnownKinds;
  #names: NamePool;
  /** By the numbers of hashes (`NamePool.idOf`): whether the source file has the key as plural; 0: it has none such. */
  #ofSource = new Uint8Array();
  #state = 0;
  #knownThen: KnownKinds | null = null;

  constructor(known: () => KnownKinds, names: NamePool) {
    this.#known = known;
    this.#names = names;
  }

  /** Forgets the source files, whose names are in another pool now. */
  restart(names: NamePool): void {
    this.#names = names;
    this.#ofSource = new Uint8Array();
    this.#knownThen = null;
  }

  /** The kinds of keys in files of the source language or of another one. */
  of(isSource: boolean): KindOf {
    const known = this.#known();
    if (isSource) return (hash) => known.isPlural(hash);
    return (hash) => known.isPlural(hash) ?? this.#sourceKind(hash);
  }

  /** Another text for each set of answers: as long as it is the same, so are they. */
  stateOf(isSource: boolean): string {
    const known = this.#known();
    if (known !== this.#knownThen) this.#state = ++states;
    this.#knownThen = known;
    return `${this.#state}${isSource ? " source" : ""}`;
  }

  /** Takes over which keys are plural in the source files among these. Whether that differs from before. */
  settle(files: Iterable<LocalFile>, sourceLocale: string): boolean {
    const kinds = new Uint8Array(this.#names.ids);
    for (const { locales, entries } of files) {
      if (!locales.has(sourceLocale)) continue;
      for (let index = 0; index < entries.length; index++) {
        if (entries.localeAt(index) !== sourceLocale) continue;
        kinds[entries.idAt(index)] = entries.hasFormsAt(index) ? PLURAL : SINGULAR;
      }
    }
    const before = this.#ofSource;
    this.#ofSource = kinds;
    const isOther = before.length > kinds.length || kinds.some((kind, id) => kind !== (before[id] ?? 0));
    if (isOther) this.#knownThen = null;
    return isOther;
  }

  #sourceKind(hash: string): boolean | undefined {
    const id = this.#names.idOf(hash);
    const kind = id === -1 ? 0 : (this.#ofSource[id] ?? 0);
    return kind === 0 ? undefined : kind === PLURAL;
  }
}
