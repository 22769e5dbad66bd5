/**
 * The uses of a workspace in little memory: columns for the files, one pool for all uses, and what each says kept once.
 * Holds and counts; it reads no files and resolves no keys.
 */
import { grown } from "./grown.ts";
import type { FileStamp } from "./ports.ts";
import type { SaidKey } from "./key-lookup.ts";
import type { Span } from "./formats/format.ts";
import { NumberedTexts } from "./numbered-texts.ts";
import { readSaid, writeSaid } from "./said-text.ts";
import type { KeyUse } from "./usages/usage.ts";

/** Why a file was not searched. */
export type LeftOutReason = "minified" | "too-large" | "not-text" | "unreadable";

/** One file, and which of the uses are its own. */
export interface FoundFile {
  readonly path: string;
  readonly stamp: FileStamp;
  /** Not `null`: the file was left out, and why. */
  readonly leftOut: LeftOutReason | null;
  /** Its first use, and how many they are. */
  readonly from: number;
  readonly count: number;
}

/** Uses in some files. Plain data. */
export interface FoundUses {
  readonly files: readonly FoundFile[];
  /** Three numbers for each use: what is said, by its position in `texts`; start; length. In order of place. */
  readonly uses: Uint32Array<ArrayBuffer>;
  readonly texts: readonly string[];
}

/** How many there are in a table; `texts`: different things that are said. */
export interface TableSizes {
  readonly files: number;
  readonly texts: number;
  readonly uses: number;
}

/** Where a use stands. */
export interface UsePlace {
  readonly path: string;
  readonly span: Span;
}

/** Numbers of a use. */
const USE = 3;
/** Why a file may have been left out; the first: it was not. */
export const REASONS: readonly (LeftOutReason | null)[] = [
  null,
  "minified",
  "too-large",
  "not-text",
  "unreadable",
];
/** The state of a number that no file has; those of files are the reasons' positions, with one added. */
const NO_FILE = 0;
/** Fewer uses that nobody has any more are left where they are. */
const FEW = 1_000;

export class UsageTable {
  /** Files are numbered by their paths; the columns are by these numbers. */
  readonly #paths: NumberedTexts;
  #states: Uint8Array<ArrayBuffer>;
  #sizes: Float64Array<ArrayBuffer>;
  #modified: Float64Array<ArrayBuffer>;
  /** Which uses of the pool are the file's. */
  #from: Uint32Array<ArrayBuffer>;
  #useCounts: Uint32Array<ArrayBuffer>;
  /** Uses, those of a file together. */
  #pool: Uint32Array<ArrayBuffer>;
  /** So many uses are in the pool, with those that nobody has any more. */
  #pooled = 0;
  #uses = 0;
  /** What is said, by id. */
  readonly #texts: NumberedTexts;
  /** How many uses say it; 0: the id is free. */
  #counts: Uint32Array<ArrayBuffer>;

  /** Of each how many will come, where that is known; there may be more. */
  constructor({ files, texts, uses }: TableSizes = { files: 0, texts: 0, uses: 0 }) {
    this.#paths = new NumberedTexts(files);
    this.#states = new Uint8Array(files);
    this.#sizes = new Float64Array(files);
    this.#modified = new Float64Array(files);
    this.#from = new Uint32Array(files);
    this.#useCounts = new Uint32Array(files);
    this.#pool = new Uint32Array(USE * uses);
    this.#texts = new NumberedTexts(texts);
    this.#counts = new Uint32Array(texts);
  }

  get useCount(): number {
    return this.#uses;
  }
  get fileCount(): number {
    return this.#paths.size;
  }

  /** The paths of all files. */
  *paths(): Iterable<string> {
    for (const file of this.#files()) yield this.#paths.at(file);
  }

  /** What the file was like when it was searched. */
  stampOf(path: string): FileStamp | undefined {
    const file = this.#paths.numberOf(path);
    return file === -1 ? undefined : this.#stamp(file);
  }

  /** Files that were not searched, by path. */
  leftOut(): readonly { readonly path: string; readonly reason: LeftOutReason }[] {
    const found: { path: string; reason: LeftOutReason }[] = [];
    // Asked for often, and there are few: no more is looked at than one number for each file.
    for (let file = 0; file < this.#paths.length; file++) {
      const reason = this.#leftOut(file);
      if (reason !== null) found.push({ path: this.#paths.at(file), reason });
    }
    return found.sort(byPath);
  }

  /** Ids that are in use, ascending. */
  *ids(): Iterable<number> {
    for (let id = 0; id < this.#texts.length; id++) if (this.count(id) > 0) yield id;
  }

  /** How many uses say this. */
  count(id: number): number {
    return this.#counts[id] ?? 0;
  }

  /** What an id that is in use stands for. */
  said(id: number): SaidKey {
    return readSaid(this.#texts.at(id));
  }

  /** Replaces what is known of a file; empty keys are no uses. Returns the ids that are new. */
  set(
    path: string,
    stamp: FileStamp,
    found: readonly KeyUse[],
    leftOut: LeftOutReason | null,
  ): readonly number[] {
    const said = found.filter(({ used }) => used.kind !== "static" || used.key !== "");
    const uses = said.flatMap(({ keySpan }, at) => [at, keySpan.start, keySpan.end - keySpan.start]);
    const file = { path, stamp, leftOut, from: 0, count: said.length };
    return this.take(file, { uses: Uint32Array.from(uses), texts: said.map(writeSaid) });
  }

  /** Replaces what is known of a file by what is known of it elsewhere. Returns the ids that are new. */
  take(file: FoundFile, { uses, texts }: Pick<FoundUses, "uses" | "texts">): readonly number[] {
    const fresh: number[] = [];
    const from = this.#pooled;
    this.#pool = grown(this.#pool, USE * (from + file.count));
    for (let use = 0; use < file.count; use++) {
      const [at, to] = [USE * (file.from + use), USE * (from + use)];
      this.#pool[to] = this.#hold(texts[uses[at] ?? 0] ?? "", fresh);
      this.#pool[to + 1] = uses[at + 1] ?? 0;
      this.#pool[to + 2] = uses[at + 2] ?? 0;
    }
    this.#pooled += file.count;
    this.#uses += file.count;
    // Held before the old ones are let go, so that what stays keeps its id.
    this.remove(file.path);
    this.#put(file, from);
    return fresh;
  }

  /** All of it. */
  plain(): FoundUses {
    const texts: string[] = [];
    const positions = new Uint32Array(this.#texts.length);
    for (const id of this.ids()) positions[id] = texts.push(this.#texts.at(id)) - 1;
    const files: FoundFile[] = [];
    const uses = new Uint32Array(USE * this.#uses);
    let to = 0;
    for (const file of this.#files()) {
      const [from, count] = this.#usesOf(file);
      const [path, stamp, leftOut] = [this.#paths.at(file), this.#stamp(file), this.#leftOut(file)];
      files.push({ path, stamp, leftOut, from: to / USE, count });
      for (let at = USE * from; at < USE * (from + count); at += USE) {
        uses[to++] = positions[this.#pool[at] ?? 0] ?? 0;
        uses[to++] = this.#pool[at + 1] ?? 0;
        uses[to++] = this.#pool[at + 2] ?? 0;
      }
    }
    return { files, uses, texts };
  }

  remove(path: string): boolean {
    const file = this.#paths.numberOf(path);
    if (file === -1) return false;
    const [from, count] = this.#usesOf(file);
    for (let use = from; use < from + count; use++) this.#release(this.#pool[USE * use] ?? 0);
    this.#uses -= count;
    this.#states[file] = NO_FILE;
    this.#paths.remove(file);
    return true;
  }

  /** Every place where one of the ids is used, by path and then by place. */
  places(ids: ReadonlySet<number>): readonly UsePlace[] {
    return [...this.placesById(ids).values()].flat().sort(byPathAndPlace);
  }

  /** As `places`, apart for each id, in one pass over all uses. */
  placesById(ids: ReadonlySet<number>): ReadonlyMap<number, readonly UsePlace[]> {
    const found = new Map<number, UsePlace[]>();
    if (ids.size === 0) return found;
    for (const file of this.#files()) {
      const [from, count] = this.#usesOf(file);
      for (let at = USE * from; at < USE * (from + count); at += USE) {
        const id = this.#pool[at] ?? 0;
        if (!ids.has(id)) continue;
        const start = this.#pool[at + 1] ?? 0;
        const place = { path: this.#paths.at(file), span: { start, end: start + (this.#pool[at + 2] ?? 0) } };
        const places = found.get(id);
        if (places === undefined) found.set(id, [place]);
        else places.push(place);
      }
    }
    for (const places of found.values()) places.sort(byPathAndPlace);
    return found;
  }

  *#files(): Iterable<number> {
    for (let file = 0; file < this.#paths.length; file++) if (this.#states[file] !== NO_FILE) yield file;
  }

  #usesOf(file: number): readonly [from: number, count: number] {
    return [this.#from[file] ?? 0, this.#useCounts[file] ?? 0];
  }

  #stamp(file: number): FileStamp {
    return { size: this.#sizes[file] ?? 0, modified: this.#modified[file] ?? 0 };
  }

  #leftOut(file: number): LeftOutReason | null {
    return REASONS[(this.#states[file] ?? NO_FILE) - 1] ?? null;
  }

  #put({ path, stamp, leftOut, count }: FoundFile, from: number): void {
    const file = this.#paths.add(path);
    this.#states = grown(this.#states, file + 1);
    this.#states[file] = REASONS.indexOf(leftOut) + 1;
    this.#sizes = grown(this.#sizes, file + 1);
    this.#sizes[file] = stamp.size;
    this.#modified = grown(this.#modified, file + 1);
    this.#modified[file] = stamp.modified;
    this.#from = grown(this.#from, file + 1);
    this.#from[file] = from;
    this.#useCounts = grown(this.#useCounts, file + 1);
    this.#useCounts[file] = count;
    if (this.#pooled - this.#uses > Math.max(FEW, this.#uses / 2)) this.#compact();
  }

  /** Puts the uses that somebody has together, in another pool. */
  #compact(): void {
    const pool = new Uint32Array(USE * this.#uses);
    let to = 0;
    for (const file of this.#files()) {
      const [from, count] = this.#usesOf(file);
      pool.set(this.#pool.subarray(USE * from, USE * (from + count)), USE * to);
      this.#from[file] = to;
      to += count;
    }
    this.#pool = pool;
    this.#pooled = to;
  }

  #hold(text: string, fresh: number[]): number {
    const id = this.#texts.add(text);
    this.#counts = grown(this.#counts, id + 1);
    const count = this.count(id);
    if (count === 0) fresh.push(id);
    this.#counts[id] = count + 1;
    return id;
  }

  #release(id: number): void {
    const left = this.count(id) - 1;
    this.#counts[id] = left;
    if (left === 0) this.#texts.remove(id);
  }
}

function byPathAndPlace(a: UsePlace, b: UsePlace): number {
  return byPath(a, b) || a.span.start - b.span.start;
}

function byPath(a: { readonly path: string }, b: { readonly path: string }): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
}
