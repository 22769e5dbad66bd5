/** The active keys of a project by their hashes, in columns; what many callers ask of each key, they ask by itself. */
import { type PackedStrings, stringAt, StringPacker } from "./formats/packed-strings.ts";
import { HashTable } from "./hash-table.ts";
import type { KeyName } from "./identity.ts";
import { FewColumn, HashColumn, NumberColumn, TimeColumn } from "./item-columns.ts";
import { type Changes, type Columns, ItemMap, type Packer } from "./item-map.ts";
import type { ProjectKey } from "./project.ts";
import { sameText, type Text } from "./text.ts";
import { type TextColumn, TextPacker } from "./text-column.ts";

/** Many keys have no tags: one empty list serves them all. */
export const NO_TAGS: readonly string[] = [];

class KeyColumns implements Columns<ProjectKey> {
  readonly hashes: HashTable;
  readonly namespaces: FewColumn;
  readonly texts: TextColumn;
  readonly plurals: Uint8Array<ArrayBuffer>;
  readonly maxLengths: NumberColumn;
  readonly #keys: PackedStrings;
  readonly #contexts: PackedStrings;
  readonly #descriptions: PackedStrings;
  readonly #sourceHashes: HashColumn;
  readonly #tags: FewColumn;
  readonly #lists: readonly (readonly string[])[];
  readonly #times: TimeColumn;

  constructor(packer: KeyPacker) {
    this.hashes = packer.hashes;
    this.namespaces = packer.namespaces;
    this.texts = packer.texts.packed();
    this.plurals = packer.plurals;
    this.maxLengths = packer.maxLengths;
    this.#keys = packer.keys.packed();
    this.#contexts = packer.contexts.packed();
    this.#descriptions = packer.descriptions.packed();
    this.#sourceHashes = packer.sourceHashes;
    this.#tags = packer.tags;
    this.#lists = this.#tags.table.map((list) =>
      list === null ? NO_TAGS : (JSON.parse(list) as readonly string[]),
    );
    this.#times = packer.times;
  }

  at(number: number): ProjectKey {
    return {
      hash: this.hashes.at(number),
      namespace: this.namespaceAt(number),
      key: this.keyAt(number),
      context: this.contextAt(number),
      isPlural: this.plurals[number] === 1,
      text: this.texts.at(number),
      sourceHash: this.#sourceHashes.at(number),
      description: stringAt(this.#descriptions, number),
      maxLength: this.maxLengths.at(number),
      tags: this.#lists[this.#tags.whichAt(number)] ?? NO_TAGS,
      updatedAt: this.timeAt(number),
    };
  }

  namespaceAt(number: number): string {
    return this.namespaces.at(number) ?? "";
  }
  keyAt(number: number): string {
    return stringAt(this.#keys, number) ?? "";
  }
  contextAt(number: number): string | null {
    return stringAt(this.#contexts, number);
  }
  timeAt(number: number): string | null {
    return this.#times.at(number);
  }
}

/** Gathers keys to make columns of them. */
export class KeyPacker implements Packer<ProjectKey, KeyColumns> {
  readonly hashes: HashTable;
  readonly namespaces: FewColumn;
  readonly keys: StringPacker;
  readonly contexts: StringPacker;
  readonly plurals: Uint8Array<ArrayBuffer>;
  readonly texts: TextPacker;
  readonly sourceHashes: HashColumn;
  readonly descriptions: StringPacker;
  readonly maxLengths: NumberColumn;
  readonly tags: FewColumn;
  readonly times: TimeColumn;

  constructor(count: number) {
    this.hashes = new HashTable(count);
    this.namespaces = new FewColumn(count);
    this.keys = new StringPacker(count, true);
    this.contexts = new StringPacker(count, true);
    this.plurals = new Uint8Array(count);
    this.texts = new TextPacker(count);
    this.sourceHashes = new HashColumn(count);
    this.descriptions = new StringPacker(count);
    this.maxLengths = new NumberColumn(count);
    this.tags = new FewColumn(count);
    this.times = new TimeColumn(count);
  }

  add(key: ProjectKey): boolean {
    const { size } = this.hashes;
    if (this.hashes.add(key.hash) !== size) return false;
    this.namespaces.add(key.namespace);
    this.keys.add(key.key);
    this.contexts.add(key.context);
    this.plurals[size] = key.isPlural ? 1 : 0;
    this.texts.add(key.text);
    this.sourceHashes.add(key.sourceHash);
    this.descriptions.add(key.description);
    this.maxLengths.add(key.maxLength);
    this.tags.add(key.tags.length === 0 ? null : JSON.stringify(key.tags));
    this.times.add(key.updatedAt);
    return true;
  }

  get count(): number {
    return this.hashes.size;
  }

  packed(): KeyColumns {
    return new KeyColumns(this);
  }
}

/** Keys by their hashes; never changed (see ItemMap). */
export class KeyMap extends ItemMap<ProjectKey, KeyColumns> {
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

  /** The different namespaces, and maybe some of keys that are there no more. */
  namespaces(): ReadonlySet<string> {
    const namespaces = new Set(this.columns.namespaces.table.map((namespace) => namespace ?? ""));
    for (const key of this.changes.values()) if (key !== null) namespaces.add(key.namespace);
    return namespaces;
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
      (number) => this.columns.plurals[number] === 1,
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
      (number) => this.columns.maxLengths.at(number),
    );
  }
}

export const NO_KEYS = new KeyMap(new KeyPacker(0).packed());
