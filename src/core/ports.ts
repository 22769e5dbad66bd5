/**
 * What the core needs of a platform, handed in by whoever builds the app: in VS Code the host, in tests plain
 * Node. Nothing here does anything.
 */

import type { FormatName } from "../api/schemas.ts";
import type { Change, ReadOptions } from "./formats/format.ts";
import type { FoundUses } from "./usage-table.ts";
import type { FindOptions } from "./usages/usage.ts";
import type { EditedFile, FileRead, NotReadable } from "./formats/translation-file.ts";

/** SHA-1 of the UTF-8 text as 40 lowercase hex characters. */
export type Sha1 = (text: string) => string;

/** What unpacking a zip needs of the platform (`node:zlib` has both). */
export interface Inflate {
  /** Inflates a raw deflate stream; throws when it is broken or gives more than `most` bytes. */
  inflateRaw(packed: Uint8Array, most: number): Uint8Array;
  crc32(bytes: Uint8Array): number;
}

/** Milliseconds since the epoch, and waiting that an abort ends (rejecting with the signal's reason). */
export interface Clock {
  now(): number;
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/** Lets other work of the same thread run; awaited between slices of long work. */
export type YieldNow = () => Promise<void>;

/** The log channel. Texts are for engineers, in English; no token may ever reach it. */
export interface Log {
  debug(text: string): void;
  info(text: string): void;
  warn(text: string): void;
  error(text: string, cause?: unknown): void;
}

/** What is known of a file without reading it. `version` differs whenever the content may differ. */
export interface FileStamp {
  readonly size: number;
  readonly modified: number;
}

/** One found file: bytes as they are on disk, or as the editor shows them when it is open and unsaved. */
export interface FileContent {
  readonly bytes: Uint8Array;
  readonly stamp: FileStamp;
  /** Unsaved text of an open editor stands in `bytes`. */
  readonly dirty: boolean;
}

/** One change of one file. `before` is what was read (`undefined`: the file was not there). */
export interface FileWrite {
  readonly path: string;
  readonly before: Uint8Array | undefined;
  readonly after: Uint8Array;
}

/** Written all, or none: `changed` names the files that were no longer as they had been read. */
export type WriteOutcome =
  | { readonly kind: "written" }
  | { readonly kind: "changed"; readonly paths: readonly string[] };

/**
 * Files of one project. Paths are relative to its root, with `/`, never absolute and never climbing.
 * `write` puts each file whole or not at all: through the editor (undoable) where it is open, else by an atomic
 * replace; and none of them when one changed underneath.
 */
export interface ProjectFiles {
  /** Paths that match the glob (`**`, `*`, `{a,b}`), sorted. */
  find(glob: string, signal?: AbortSignal): Promise<readonly string[]>;
  stat(path: string): Promise<FileStamp | undefined>;
  /** `stamp`: what `stat` said just now, which then is not asked again. */
  read(path: string, stamp?: FileStamp): Promise<FileContent | undefined>;
  write(writes: readonly FileWrite[]): Promise<WriteOutcome>;
}

/**
 * Reading and changing the content of translation files: in the caller's thread (formats/direct.ts), or in another one,
 * so that a large file holds nothing up. The format must be one that is known here.
 */
export interface TranslationFiles {
  /** Rejects with the signal's reason as soon as that is aborted. */
  read(
    format: FormatName,
    bytes: Uint8Array,
    options: ReadOptions,
    signal?: AbortSignal,
  ): Promise<FileRead | NotReadable>;
  /** Without `bytes` a new file. */
  edit(
    format: FormatName,
    bytes: Uint8Array | undefined,
    changes: readonly Change[],
    options: ReadOptions,
  ): Promise<EditedFile | NotReadable>;
}

/** Reading many files of a project elsewhere than in this thread. Paths are as those of `ProjectFiles`. */
export interface CodeSearch {
  /**
   * Finds the uses in the files that differ from what is known of them; `take` gets them some at a time. Resolves with
   * the paths that are to be searched here: open and unsaved, not on this machine's disk, or not to be read there.
   * Rejects with the signal's reason.
   */
  search(
    files: readonly { readonly path: string; readonly known: FileStamp | null }[],
    find: FindOptions,
    take: (found: FoundUses) => Promise<void>,
    signal?: AbortSignal,
  ): Promise<readonly string[]>;
  /**
   * Which names stand in which file, the first of each (`Mentions`): paths by the names' positions. `left`: the paths
   * that are to be searched here. Rejects with the signal's reason.
   */
  mentions(
    names: readonly string[],
    paths: readonly string[],
    signal?: AbortSignal,
  ): Promise<{ readonly found: ReadonlyMap<number, string>; readonly left: readonly string[] }>;
}

/** Small private store of one project on this machine (cache, followed jobs, ETags). Never holds a token. */
export interface Store {
  read(name: string): Promise<Uint8Array | undefined>;
  /** Replaced whole or not at all. */
  write(name: string, bytes: Uint8Array): Promise<void>;
  remove(name: string): Promise<void>;
  /** Everything of this project is gone afterwards. */
  clear(): Promise<void>;
}

/** Ends a subscription. */
export interface Subscription {
  dispose(): void;
}
