/** The active keys of a project by their hashes, in columns; what many callers ask of each key, they ask by itself. */
import { type PackedStrings, stringAt, StringPacker } from "./formats/packed-strings.ts";
import { HashTable, type HashTableData } from "./hash-table.ts";
import type { KeyName } from "./identity.ts";
import {
  FewColumn,
  type FewData,
  HashColumn,
  type HashData,
  NumberColumn,
  type NumberData,
  TimeColumn,
  type TimeData,
} from "./item-columns.ts";
import { type Changes, type Columns, ItemMap, type MapData, type Packer } from "./item-map.ts";
import type { ProjectKey } from "./project.ts";
import { sameText, type Text } from "./text.ts";
import { TextColumn, type TextData, TextPacker } from "./text-column.ts";

/** Many keys have no tags: one empty list serves them all. */
export const NO_TAGS: readonly string[] = [];

interface KeyData {
  readonly hashes: HashTableData;
  readonly namespaces: FewData;
  readonly keys: PackedStrings;
  readonly contexts: PackedStrings;
  readonly plurals: Uint8Array<ArrayBuffer>;
  readonly texts: TextData;
  readonly sourceHashes: HashData;
  readonly descriptions: PackedStrings;
  readonly maxLengths: NumberData;
  /** Each list as JSON; `null`: the empty one. */
  readonly tags: FewData;
  readonly times: TimeData;
}

class KeyColumns implements Columns<ProjectKey, KeyData> {
  readonly data: KeyData;
  readonly hashes: HashTable;
  readonly texts: TextColumn;
  readonly #namespaces: FewColumn;
  readonly #sourceHashes: HashColumn;
  readonly #maxLengths: NumberColumn;
  readonly #tags: FewColumn;
  readonly #lists: readonly (readonly string[])[];
  readonly #times: TimeColumn;

  constructor(data: KeyData) {
    this.data = data;
    this.hashes = new HashTable(data.hashes);
    this.texts = new TextColumn(data.texts);
    this.#namespaces = new FewColumn(data.namespaces);
    this.#sourceHashes = new HashColumn(data.sourceHashes);
    this.#maxLengths = new NumberColumn(data.maxLengths);
    this.#tags = new FewColumn(data.tags);
    this.#lists = data.tags.table.map((list) =>
      list === null ? NO_TAGS : (JSON.parse(list) as readonly string[]),
    );
    this.#times = new TimeColumn(data.times);
  }

  at(number: number): ProjectKey {
    return {
      hash: this.hashes.at(number),
      namespace: this.namespaceAt(number),
      key: this.keyAt(number),
      context: this.contextAt(number),
      isPlural: this.isPluralAt(number),
      text: this.texts.at(number),
      sourceHash: this.#sourceHashes.at(number),
      description: stringAt(this.data.descriptions, number),
      maxLength: this.maxLengthAt(number),
      tags: this.#lists[this.#tags.whichAt(number)] ?? NO_TAGS,
      updatedAt: this.timeAt(number),
    };
  }

  namespaceAt(number: number): string {
    return this.#namespaces.at(number) ?? "";
  }
  keyAt(number: number): string {
    return stringAt(this.data.keys, number) ?? "";
  }
  contextAt(number: number): string | null {
    return stringAt(this.data.contexts, number);
  }
  isPluralAt(number: number): boolean {
    return this.data.plurals[number] === 1;
  }
  maxLengthAt(number: number): number | null {
    return this.#maxLengths.at(number);
  }
  timeAt(number: number): string | null {
    return this.#times.at(number);
  }
}

/** Gathers keys to make columns of them. */
class KeyPacker implements Packer<ProjectKey, KeyColumns> {
  readonly #hashes: HashTable;
  readonly #namespaces: FewColumn;
  readonly #keys: StringPacker;
  readonly #contexts: StringPacker;
  readonly #plurals: Uint8Array<ArrayBuffer>;
  readonly #texts: TextPacker;
  readonly #sourceHashes: HashColumn;
  readonly #descriptions: StringPacker;
  readonly #maxLengths: NumberColumn;
  readonly #tags: FewColumn;
  readonly #times: TimeColumn;

  /** `count`: how many will come. */
  constructor(count: number) {
    this.#hashes = new HashTable(count);
    this.#namespaces = new FewColumn(count);
    this.#keys = new StringPacker(count, true);
    this.#contexts = new StringPacker(count, true);
    this.#plurals = new Uint8Array(count);
    this.#texts = new TextPacker(count);
    this.#sourceHashes = new HashColumn(count);
    this.#descriptions = new StringPacker(count);
    this.#maxLengths = new NumberColumn(count);
    this.#tags = new FewColumn(count);
    this.#times = new TimeColumn(count);
  }

  add(key: ProjectKey): void {
    const number = this.#hashes.add(key.hash);
    this.#namespaces.add(key.namespace);
    this.#keys.add(key.key);
    this.#contexts.add(key.context);
    this.#plurals[number] = key.isPlural ? 1 : 0;
    this.#texts.add(key.text);
    this.#sourceHashes.add(key.sourceHash);
    this.#descriptions.add(key.description);
    this.#maxLengths.add(key.maxLength);
    this.#tags.add(key.tags.length === 0 ? null : JSON.stringify(key.tags));
    this.#times.add(key.updatedAt);
  }

  packed(): KeyColumns {
    return new KeyColumns({
      hashes: this.#hashes.data,
      namespaces: this.#namespaces.data,
      keys: this.#keys.packed(),
      contexts: this.#contexts.packed(),
      plurals: this.#plurals,
      texts: this.#texts.packed(),
      sourceHashes: this.#sourceHashes.data,
      descriptions: this.#descriptions.packed(),
      maxLengths: this.#maxLengths.data,
      tags: this.#tags.data,
      times: this.#times.data,
    });
  }
}

/** Keys by their hashes; never changed (see ItemMap). */
export class KeyMap extends ItemMap<ProjectKey, KeyColumns> {
  /** `data`: what another one was. */
  static from({ columns, changes, size }: MapData<ProjectKey, KeyData>): KeyMap {
    return new KeyMap(new KeyColumns(columns), new Map(changes), size);
  }

  /** For a few: they are kept as they are. */
  static of(keys: Iterable<ProjectKey>): KeyMap {
    return NO_KEYS.with(new Map(Array.from(keys, (key) => [key.hash, key])));
  }

  protected override make(columns: KeyColumns, changes?: Changes<ProjectKey>, size?: number): this {
    return new KeyMap(columns, changes, size) as this;
  }

  protected override packer(count: number): KeyPacker {
    return new KeyPacker(count);
  }

  /** The names with their hashes, without the rest of the keys. */
  names(): Iterable<KeyName & { readonly hash: string }> {
    return this.pass<KeyName & { readonly hash: string }>(
      (key) => key,
      (number) => ({
        hash: this.columns.hashes.at(number),
        namespace: this.columns.namespaceAt(number),
        key: this.columns.keyAt(number),
        context: this.columns.contextAt(number),
      }),
    );
  }

  /** Of each key its namespace and the time of its last change. */
  namespacesAndTimes(): Iterable<Pick<ProjectKey, "namespace" | "updatedAt">> {
    return this.pass<Pick<ProjectKey, "namespace" | "updatedAt">>(
      (key) => key,
      (number) => ({ namespace: this.columns.namespaceAt(number), updatedAt: this.columns.timeAt(number) }),
    );
  }

  /** `undefined`: there is no such key. So of all that is asked of one key. */
  isPlural(hash: string): boolean | undefined {
    return this.look(
      hash,
      (key) => key.isPlural,
      (number) => this.columns.isPluralAt(number),
    );
  }

  text(hash: string): Text | null | undefined {
    return this.look(
      hash,
      (key) => key.text,
      (number) => this.columns.texts.at(number),
    );
  }

  /** Whether the key has this text; it is not unpacked. */
  isText(hash: string, text: Text): boolean | undefined {
    return this.look(
      hash,
      (key) => key.text !== null && sameText(key.text, text),
      (number) => this.columns.texts.isAt(number, text),
    );
  }

  maxLength(hash: string): number | null | undefined {
    return this.look(
      hash,
      (key) => key.maxLength,
      (number) => this.columns.maxLengthAt(number),
    );
  }
}

export const NO_KEYS = new KeyMap(new KeyPacker(0).packed());
