/**
 * The cache of one project on this machine: numbers, keys and translations, each in a file of its own in the `Store`
 * that says itself how old it is. Keys and rows stand there in their columns, so that nobody looks at each of them to
 * read or write them. What it cannot read it forgets: everything can be fetched again.
 */
import * as v from "valibot";
import { StatsSchema, type Stats } from "../api/schemas.ts";
import type { Log, Store, YieldNow } from "./ports.ts";
import type { MapData } from "./item-map.ts";
import { KeyMap } from "./key-map.ts";
import { fromBytes, toBytes } from "./plain-bytes.ts";
import { RowMap } from "./row-map.ts";

/** Raised when a file or a column in it means something else than before; older files are not read. */
const VERSION = 3;

/** How old one part is. `wholeAt` is in milliseconds since the epoch, on this machine's clock. */
const PartSchema = v.object({
  /** The `contentVersion` the part was brought to, and the service's numbers of it at that time. */
  contentVersion: v.number(),
  told: v.array(v.union([v.number(), v.string(), v.null()])),
  /** The latest `updatedAt` seen, in the service's words; `null`: none, so the next read is whole. */
  since: v.nullable(v.string()),
  /** Of rows: the latest `updatedAt` of the keys that were known when they were read. */
  keysSince: v.nullable(v.string()),
  /** When it was last read whole. */
  wholeAt: v.number(),
  /** By how much our counts differed from the service's after the last whole read. */
  differences: v.array(v.number()),
});
export type Part = v.InferOutput<typeof PartSchema>;

/** A part and its items by hash. */
export interface Kept<Items> {
  readonly part: Part;
  readonly items: Items;
}

/** A file of items. What is in their map is our own, and whole by its sum. */
const ItemsSchema = v.object({
  version: v.literal(VERSION),
  part: PartSchema,
  map: v.custom<object>((map) => typeof map === "object" && map !== null),
});

const NumbersSchema = v.object({
  version: v.literal(VERSION),
  stats: StatsSchema,
  checkedAt: v.nullable(v.number()),
});

/** The last numbers, and when everything was last seen to be as new as the service. */
export interface Numbers {
  readonly stats: Stats;
  readonly checkedAt: number | null;
}

export class Cache {
  readonly #store: Store;
  readonly #log: Log;
  readonly #yieldNow: YieldNow;
  /** What stands to be written, by name: the newest only. */
  readonly #pending = new Map<string, () => Promise<Uint8Array>>();
  #writing: Promise<void> | null = null;

  constructor(store: Store, log: Log, yieldNow: YieldNow) {
    this.#store = store;
    this.#log = log;
    this.#yieldNow = yieldNow;
  }

  /** `null`: nothing is there, or nothing that can be read. So of all reads. */
  async readNumbers(): Promise<Numbers | null> {
    const bytes = await this.#read("stats");
    if (bytes === undefined) return null;
    const parsed = v.safeParse(NumbersSchema, parseJson(new TextDecoder().decode(bytes)));
    if (parsed.success) return parsed.output;
    this.#log.warn("The cached stats are of another version or damaged; they will be fetched again.");
    return null;
  }

  readKeys(): Promise<Kept<KeyMap> | null> {
    return this.#readItems("keys", (map: KeyMap["data"]) => KeyMap.from(map));
  }

  readRows(locale: string): Promise<Kept<RowMap> | null> {
    return this.#readItems(rowsName(locale), (map: RowMap["data"]) => RowMap.from(map));
  }

  /** Written soon, and only the newest of what is handed in until then. So of all writes; `saved` waits for them. */
  writeNumbers(numbers: Numbers): void {
    const encode = (): Uint8Array =>
      new TextEncoder().encode(JSON.stringify({ version: VERSION, ...numbers }));
    this.#write("stats", () => Promise.resolve(encode()));
  }

  writeKeys(kept: Kept<KeyMap>): void {
    this.#write("keys", () => this.#bytesOf(kept));
  }

  writeRows(locale: string, kept: Kept<RowMap>): void {
    this.#write(rowsName(locale), () => this.#bytesOf(kept));
  }

  /** Waits until all that was handed in stands on disk. */
  async saved(): Promise<void> {
    while (this.#writing !== null) await this.#writing;
  }

  /** A disk that refuses to read costs the cache, never the work. */
  async #read(name: string): Promise<Uint8Array | undefined> {
    try {
      return await this.#store.read(name);
    } catch (error) {
      this.#log.warn(`The cached ${name} cannot be read, so it will be fetched again: ${String(error)}`);
      return undefined;
    }
  }

  #write(name: string, bytes: () => Promise<Uint8Array>): void {
    this.#pending.set(name, bytes);
    this.#writing ??= this.#writeAll();
  }

  /** One file after another; a disk that refuses costs the cache, never the work. */
  async #writeAll(): Promise<void> {
    // A burst of changes in one go is written once.
    await this.#yieldNow();
    for (let next = this.#first(); next !== undefined; next = this.#first()) {
      const [name, bytes] = next;
      this.#pending.delete(name);
      try {
        await this.#store.write(name, await bytes());
      } catch (error) {
        this.#log.warn(`The cache cannot be written: ${String(error)}`);
      }
    }
    this.#writing = null;
  }

  #first(): [string, () => Promise<Uint8Array>] | undefined {
    return this.#pending.entries().next().value;
  }

  async #readItems<Data, Items>(name: string, from: (map: Data) => Items): Promise<Kept<Items> | null> {
    const bytes = await this.#read(name);
    if (bytes === undefined) return null;
    const parsed = v.safeParse(ItemsSchema, await fromBytes(bytes, this.#yieldNow));
    if (parsed.success) return { part: parsed.output.part, items: from(parsed.output.map as Data) };
    this.#log.warn(`The cached ${name} are of another version or damaged; they will be fetched again.`);
    return null;
  }

  async #bytesOf<Items extends Foldable<Items>>({ part, items }: Kept<Items>): Promise<Uint8Array> {
    const map = (await items.folded(this.#yieldNow)).data;
    return toBytes({ version: VERSION, part, map }, this.#yieldNow);
  }
}

/** A map whose columns are written as they are, and its changes as JSON, of which there should not be many. */
interface Foldable<Items> {
  readonly data: MapData<unknown>;
  folded(yieldNow: YieldNow): Promise<Items>;
}

function rowsName(locale: string): string {
  return `rows.${encodeURIComponent(locale.toWellFormed())}`;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
