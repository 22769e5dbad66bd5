/**
 * The uses of a workspace in little memory: what each says is kept once, a use is three numbers. Holds and
 * counts; it reads no files and resolves no keys.
 */
import type { FileStamp } from "./ports.ts";
import type { SaidKey } from "./key-lookup.ts";
import type { Span } from "./formats/format.ts";
import type { KeyUse } from "./usages/usage.ts";

/** Why a file was not searched. */
export type LeftOutReason = "minified" | "too-large" | "not-text" | "unreadable";

/** One file: its uses as triples (what is said, start, length), in order of place. */
export interface FileRecord {
  readonly stamp: FileStamp;
  readonly uses: Int32Array;
  /** Not `null`: the file was left out, and why. */
  readonly leftOut: LeftOutReason | null;
}

/** Where a use stands. */
export interface UsePlace {
  readonly path: string;
  readonly span: Span;
}

const NO_USES = new Int32Array(0);
const UNIT = "\u001f";
const ITEM = "\u001e";

export class UsageTable {
  readonly #files = new Map<string, FileRecord>();
  readonly #ids = new Map<string, number>();
  /** What is said, by id; empty where an id is free. */
  readonly #texts: string[] = [];
  readonly #counts: number[] = [];
  readonly #free: number[] = [];
  #uses = 0;

  get useCount(): number {
    return this.#uses;
  }
  get files(): ReadonlyMap<string, FileRecord> {
    return this.#files;
  }

  /** Ids that are in use, ascending. */
  *ids(): Iterable<number> {
    for (let id = 0; id < this.#texts.length; id++) if ((this.#counts[id] ?? 0) > 0) yield id;
  }

  /** How many uses say this. */
  count(id: number): number {
    return this.#counts[id] ?? 0;
  }

  /** What the id stands for. */
  said(id: number): SaidKey {
    return readSaid(this.#texts[id] ?? "");
  }

  /** What the id stands for, as kept; the same text always means the same. */
  text(id: number): string {
    return this.#texts[id] ?? "";
  }

  /** Replaces what is known of a file; empty keys are no uses. Returns the ids that are new. */
  set(
    path: string,
    stamp: FileStamp,
    found: readonly KeyUse[],
    leftOut: LeftOutReason | null,
  ): readonly number[] {
    const fresh: number[] = [];
    const uses: number[] = [];
    for (const use of found) {
      if (use.used.kind === "static" && use.used.key === "") continue;
      uses.push(this.#hold(writeSaid(use), fresh), use.keySpan.start, use.keySpan.end - use.keySpan.start);
    }
    // Held before the old ones are let go, so that what stays keeps its id.
    this.remove(path);
    this.#files.set(path, { stamp, uses: uses.length === 0 ? NO_USES : Int32Array.from(uses), leftOut });
    this.#uses += uses.length / 3;
    return fresh.filter((id) => this.count(id) > 0);
  }

  /** Puts in a file as it was kept, its first numbers being positions in `texts`. Returns the ids that are new. */
  restore(path: string, record: FileRecord, texts: readonly string[]): readonly number[] {
    const fresh: number[] = [];
    const { uses } = record;
    for (let index = 0; index < uses.length; index += 3) {
      uses[index] = this.#hold(texts[uses[index] ?? 0] ?? "", fresh);
    }
    // Held before the old ones are let go, so that what stays keeps its id.
    this.remove(path);
    this.#files.set(path, record);
    this.#uses += uses.length / 3;
    return fresh;
  }

  /** All of it as plain data: `restore` takes each of the files with the texts. */
  plain(): {
    readonly files: readonly (readonly [path: string, record: FileRecord])[];
    readonly texts: readonly string[];
  } {
    return { files: [...this.#files], texts: this.#texts };
  }

  remove(path: string): boolean {
    const record = this.#files.get(path);
    if (record === undefined) return false;
    for (let index = 0; index < record.uses.length; index += 3) this.#release(record.uses[index] ?? 0);
    this.#uses -= record.uses.length / 3;
    return this.#files.delete(path);
  }

  /** Every place where one of the ids is used, by path and then by place. */
  places(ids: ReadonlySet<number>): readonly UsePlace[] {
    return [...this.placesById(ids).values()].flat().sort(byPathAndPlace);
  }

  /** As `places`, apart for each id, in one pass over all uses. */
  placesById(ids: ReadonlySet<number>): ReadonlyMap<number, readonly UsePlace[]> {
    const found = new Map<number, UsePlace[]>();
    if (ids.size === 0) return found;
    for (const [path, { uses }] of this.#files) {
      for (let index = 0; index < uses.length; index += 3) {
        const id = uses[index] ?? -1;
        if (!ids.has(id)) continue;
        const start = uses[index + 1] ?? 0;
        const place = { path, span: { start, end: start + (uses[index + 2] ?? 0) } };
        const places = found.get(id);
        if (places === undefined) found.set(id, [place]);
        else places.push(place);
      }
    }
    for (const places of found.values()) places.sort(byPathAndPlace);
    return found;
  }

  #hold(text: string, fresh: number[]): number {
    let id = this.#ids.get(text);
    if (id === undefined) {
      id = this.#free.pop() ?? this.#texts.length;
      this.#ids.set(text, id);
      this.#texts[id] = text;
      this.#counts[id] = 0;
      fresh.push(id);
    }
    this.#counts[id] = (this.#counts[id] ?? 0) + 1;
    return id;
  }

  #release(id: number): void {
    const left = (this.#counts[id] ?? 0) - 1;
    this.#counts[id] = left;
    if (left > 0) return;
    this.#ids.delete(this.#texts[id] ?? "");
    this.#texts[id] = "";
    this.#free.push(id);
  }
}

function byPathAndPlace(a: UsePlace, b: UsePlace): number {
  return byPath(a, b) || a.span.start - b.span.start;
}

/** The order of paths everywhere in the index. */
export function byPath(a: { readonly path: string }, b: { readonly path: string }): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
}

/** What a use says, as one text. */
function writeSaid({ used, namespaces, keyPrefix, context, dynamicContext }: SaidKey): string {
  const key = used.kind === "static" ? used.key : `${used.prefix}${ITEM}${used.suffix}`;
  const bound = namespaces === null ? "" : namespaces === "unknown" ? "?" : `=${namespaces.join(ITEM)}`;
  const kind = `${used.kind === "static" ? "s" : "p"}${dynamicContext === true ? "*" : ""}`;
  return [kind, key, bound, keyPrefix, context === null ? "" : `=${context}`].join(UNIT);
}

function readSaid(text: string): SaidKey {
  const [kind = "", key = "", bound = "", keyPrefix = "", context = ""] = text.split(UNIT);
  const [prefix = "", suffix = ""] = key.split(ITEM);
  return {
    used: kind.startsWith("s") ? { kind: "static", key } : { kind: "pattern", prefix, suffix },
    namespaces: bound === "" ? null : bound === "?" ? "unknown" : bound.slice(1).split(ITEM),
    keyPrefix,
    context: context === "" ? null : context.slice(1),
    ...(kind.endsWith("*") ? { dynamicContext: true as const } : {}),
  };
}
