/**
 * The cache of one project on this machine: numbers, keys and translations, each in a file of its own in the `Store`
 * that says itself how old it is. It decodes in slices, and what it cannot read it forgets: everything can be fetched
 * again.
 */
import * as v from "valibot";
import { StatsSchema, type Stats } from "../api/schemas.ts";
import type { Log, Store, YieldNow } from "./ports.ts";
import type { Columns, Packer } from "./item-map.ts";
import { KeyMap, KeyPacker, NO_TAGS } from "./key-map.ts";
import type { ProjectKey, ProjectRow } from "./project.ts";
import { NO_ISSUES, RowMap, RowPacker } from "./row-map.ts";
import type { Text } from "./text.ts";

/** Raised when a file means something else than before; older files are not read. */
const VERSION = 2;

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

/** First line of a file of items; `count` tells a whole file from one that was cut off. */
const HeaderSchema = v.object({ version: v.literal(VERSION), count: v.number(), part: PartSchema });

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

/** Bytes decoded, and lines encoded, before other work gets its turn; some 5 ms. */
const BLOCK = 256 * 1024;
const SLICE = 1000;

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

  async readKeys(): Promise<Kept<KeyMap> | null> {
    const read = await this.#readLines("keys", decodeKey, (count) => new KeyPacker(count));
    return read === null ? null : { part: read.part, items: new KeyMap(read.columns) };
  }

  async readRows(locale: string): Promise<Kept<RowMap> | null> {
    const read = await this.#readLines(rowsName(locale), decodeRow, (count) => new RowPacker(count));
    return read === null ? null : { part: read.part, items: new RowMap(read.columns) };
  }

  /** Written soon, and only the newest of what is handed in until then. So of all writes; `saved` waits for them. */
  writeNumbers(numbers: Numbers): void {
    const encode = (): Uint8Array =>
      new TextEncoder().encode(JSON.stringify({ version: VERSION, ...numbers }));
    this.#write("stats", () => Promise.resolve(encode()));
  }

  writeKeys(kept: Kept<KeyMap>): void {
    this.#write("keys", () => this.#lines(kept, encodeKey));
  }

  writeRows(locale: string, kept: Kept<RowMap>): void {
    this.#write(rowsName(locale), () => this.#lines(kept, encodeRow));
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

  async #readLines<Item, Packed extends Columns<Item>>(
    name: string,
    decode: (line: unknown) => Item | null,
    pack: (count: number) => Packer<Item, Packed>,
  ): Promise<{ readonly part: Part; readonly columns: Packed } | null> {
    const bytes = await this.#read(name);
    if (bytes === undefined) return null;
    let header: v.InferOutput<typeof HeaderSchema> | null = null;
    let packer: Packer<Item, Packed> | null = null;
    let isGood = true;
    for (const lines of linesOf(bytes)) {
      for (const line of lines) {
        if (packer === null) {
          const parsed = v.safeParse(HeaderSchema, parseJson(line));
          isGood = parsed.success && parsed.output.count < bytes.length;
          if (!parsed.success || !isGood) break;
          header = parsed.output;
          packer = pack(header.count);
        } else {
          const item = decode(parseJson(line));
          isGood = item !== null && packer.add(item);
        }
        if (!isGood) break;
      }
      if (!isGood) break;
      await this.#yieldNow();
    }
    if (isGood && header !== null && packer?.count === header.count) {
      return { part: header.part, columns: packer.packed() };
    }
    this.#log.warn(`The cached ${name} are of another version or damaged; they will be fetched again.`);
    return null;
  }

  async #lines<Item>(
    { part, items }: Kept<ReadonlyMap<string, Item>>,
    encode: (item: Item) => unknown,
  ): Promise<Uint8Array> {
    const encoder = new TextEncoder();
    const parts: Uint8Array[] = [];
    let lines = [JSON.stringify({ version: VERSION, count: items.size, part }), "\n"];
    for (const item of items.values()) {
      lines.push(JSON.stringify(encode(item)), "\n");
      if (lines.length < SLICE * 2) continue;
      parts.push(encoder.encode(lines.join("")));
      lines = [];
      await this.#yieldNow();
    }
    parts.push(encoder.encode(lines.join("")));
    return joined(parts);
  }
}

function rowsName(locale: string): string {
  return `rows.${encodeURIComponent(locale.toWellFormed())}`;
}

/** The lines of a file, some at a time. What stands after the last line end is no line. */
function* linesOf(bytes: Uint8Array): Generator<string[]> {
  const decoder = new TextDecoder();
  let rest = "";
  for (let at = 0; at < bytes.length; at += BLOCK) {
    const text = rest + decoder.decode(bytes.subarray(at, at + BLOCK), { stream: true });
    const lines = text.split("\n");
    rest = lines.pop() ?? "";
    yield lines;
  }
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** A text as one JSON value: a string, an object of forms, or null. */
function encodeText(text: Text | null): string | Record<string, string> | null {
  if (text === null) return null;
  return "forms" in text ? text.forms : text.value;
}

function decodeText(text: unknown): Text | null {
  if (typeof text === "string") return { value: text };
  return typeof text === "object" && text !== null ? { forms: text as Record<string, string> } : null;
}

function encodeKey(key: ProjectKey): unknown {
  const { hash, namespace, key: name, context, isPlural, text, sourceHash } = key;
  const { description, maxLength, tags, updatedAt } = key;
  return [
    hash,
    namespace,
    name,
    context,
    isPlural ? 1 : 0,
    encodeText(text),
    sourceHash,
    description,
    maxLength,
    tags,
    updatedAt,
  ];
}

// Lines are our own, written whole: their count and first member tell a good one from a damaged one.
function decodeKey(line: unknown): ProjectKey | null {
  if (!Array.isArray(line) || line.length !== 11 || typeof line[0] !== "string") return null;
  const [hash, namespace, key, context, isPlural, text, sourceHash, description, maxLength, tags, updatedAt] =
    line;
  return {
    hash,
    namespace,
    key,
    context,
    isPlural: isPlural === 1,
    text: decodeText(text),
    sourceHash,
    description,
    maxLength,
    tags: tags.length === 0 ? NO_TAGS : tags,
    updatedAt,
  };
}

function encodeRow(row: ProjectRow): unknown {
  const marks = (row.isTranslated ? 1 : 0) + (row.isOutdated ? 2 : 0);
  return [row.hash, encodeText(row.text), marks, row.issues, row.version, row.updatedAt];
}

function decodeRow(line: unknown): ProjectRow | null {
  if (!Array.isArray(line) || line.length !== 6 || typeof line[0] !== "string") return null;
  const [hash, text, marks, issues, version, updatedAt] = line;
  return {
    hash,
    text: decodeText(text),
    isTranslated: (marks & 1) !== 0,
    isOutdated: (marks & 2) !== 0,
    issues: issues.length === 0 ? NO_ISSUES : issues,
    version,
    updatedAt,
  };
}
