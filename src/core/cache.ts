/**
 * The cache of one project on this machine: keys, translations and what is known of their age, each in a file of
 * its own in the `Store`. It decodes in slices, and what it cannot read it forgets: everything can be fetched again.
 */
import * as v from "valibot";
import { StatsSchema, type Stats } from "../api/schemas.ts";
import type { Log, Store, YieldNow } from "./ports.ts";
import type { ProjectKey, ProjectRow } from "./project.ts";
import type { Text } from "./text.ts";

/** How old one part is. Times are milliseconds since the epoch, on this machine's clock. */
const PartSchema = v.object({
  /** The `contentVersion` the part was brought to. */
  contentVersion: v.number(),
  /** The latest `updatedAt` seen, in the service's words; `null`: none, so the next read is whole. */
  since: v.nullable(v.string()),
  /** When it was last read whole. */
  wholeAt: v.number(),
  /** By how much our count differs from the service's after a whole read; 0 in a service that counts as we do. */
  difference: v.number(),
});
export type Part = v.InferOutput<typeof PartSchema>;

const AgeSchema = v.object({
  version: v.literal(1),
  stats: v.nullable(StatsSchema),
  checkedAt: v.nullable(v.number()),
  keys: v.nullable(PartSchema),
  rows: v.record(v.string(), PartSchema),
});

/** What is known of the age of everything cached. */
export interface Age {
  readonly stats: Stats | null;
  readonly checkedAt: number | null;
  readonly keys: Part | null;
  readonly rows: Readonly<Record<string, Part>>;
}

export const NO_AGE: Age = { stats: null, checkedAt: null, keys: null, rows: {} };

/** Lines decoded or encoded before other work gets its turn; some 5 ms. */
const SLICE = 1000;

export class Cache {
  readonly #store: Store;
  readonly #log: Log;
  readonly #yieldNow: YieldNow;

  constructor(store: Store, log: Log, yieldNow: YieldNow) {
    this.#store = store;
    this.#log = log;
    this.#yieldNow = yieldNow;
  }

  async readAge(): Promise<Age> {
    const bytes = await this.#store.read("age");
    if (bytes === undefined) return NO_AGE;
    const parsed = v.safeParse(AgeSchema, parseJson(new TextDecoder().decode(bytes)));
    if (parsed.success) return parsed.output;
    this.#log.warn("The cache is of another version or damaged; it will be fetched again.");
    return NO_AGE;
  }

  async writeAge(age: Age): Promise<void> {
    await this.#store.write("age", new TextEncoder().encode(JSON.stringify({ version: 1, ...age })));
  }

  readKeys(): Promise<Map<string, ProjectKey> | null> {
    return this.#readLines("keys", decodeKey);
  }

  writeKeys(keys: ReadonlyMap<string, ProjectKey>): Promise<void> {
    return this.#writeLines("keys", keys, encodeKey);
  }

  readRows(locale: string): Promise<Map<string, ProjectRow> | null> {
    return this.#readLines(rowsName(locale), decodeRow);
  }

  writeRows(locale: string, rows: ReadonlyMap<string, ProjectRow>): Promise<void> {
    return this.#writeLines(rowsName(locale), rows, encodeRow);
  }

  async #readLines<Item extends { hash: string }>(
    name: string,
    decode: (line: unknown) => Item | null,
  ): Promise<Map<string, Item> | null> {
    const bytes = await this.#store.read(name);
    if (bytes === undefined) return null;
    const text = new TextDecoder().decode(bytes);
    const items = new Map<string, Item>();
    let start = 0;
    for (let line = 1; start < text.length; line++) {
      const end = text.indexOf("\n", start);
      const item = end === -1 ? null : decode(parseJson(text.slice(start, end)));
      if (item === null) {
        this.#log.warn(`The cached ${name} cannot be read at line ${line}; it will be fetched again.`);
        return null;
      }
      items.set(item.hash, item);
      start = end + 1;
      if (line % SLICE === 0) await this.#yieldNow();
    }
    return items;
  }

  async #writeLines<Item>(
    name: string,
    items: ReadonlyMap<string, Item>,
    encode: (item: Item) => unknown,
  ): Promise<void> {
    const encoder = new TextEncoder();
    const parts: Uint8Array[] = [];
    let lines: string[] = [];
    for (const item of items.values()) {
      lines.push(JSON.stringify(encode(item)), "\n");
      if (lines.length < SLICE * 2) continue;
      parts.push(encoder.encode(lines.join("")));
      lines = [];
      await this.#yieldNow();
    }
    parts.push(encoder.encode(lines.join("")));
    await this.#store.write(name, joined(parts));
  }
}

function rowsName(locale: string): string {
  return `rows.${encodeURIComponent(locale.toWellFormed())}`;
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
    tags,
    updatedAt,
  };
}

function encodeRow(row: ProjectRow): unknown {
  const marks = (row.isTranslated ? 1 : 0) + (row.isOutdated ? 2 : 0);
  return [row.hash, encodeText(row.text), marks, row.issues, row.version, row.updatedAt];
}

const NO_ISSUES: ProjectRow["issues"] = [];

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
