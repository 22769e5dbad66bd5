/**
 * What the core needs of a platform, handed in by whoever builds the app: in VS Code the host, in tests plain
 * Node. Nothing here does anything.
 */

/** Milliseconds since the epoch, and waiting that an abort ends (rejecting with the signal's reason). */
export interface Clock {
  now(): number;
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/** The log channel. Texts are for engineers, in English; no token may ever reach it. */
export interface Log {
  debug(text: string): void;
  info(text: string): void;
  warn(text: string): void;
  error(text: string, cause?: unknown): void;
}

/** What is known of a file without reading it. */
export interface FileStamp {
  readonly size: number;
  /** Of content or metadata, where the disk tells both. Milliseconds since the epoch. */
  readonly modified: number;
}

/** One found file: bytes as they are on disk, or as the editor shows them when it is open and unsaved. */
export interface FileContent {
  readonly bytes: Uint8Array;
  readonly stamp: FileStamp;
  /** Unsaved text of an open editor stands in `bytes`. */
  readonly dirty: boolean;
  /** Written so shortly before it was read that a later write may leave the same stamp. */
  readonly recent?: boolean;
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
 * `write` puts each file whole or not at all: by an atomic replace, or through the editor where it shows unsaved text;
 * and none of them when one changed underneath.
 */
export interface ProjectFiles {
  /** Paths that match the glob (`**`, `*`, `{a,b}`), sorted. */
  find(glob: string, signal?: AbortSignal): Promise<readonly string[]>;
  stat(path: string): Promise<FileStamp | undefined>;
  /** `stamp`: what `stat` said just now, which then is not asked again. */
  read(path: string, stamp?: FileStamp): Promise<FileContent | undefined>;
  write(writes: readonly FileWrite[]): Promise<WriteOutcome>;
}

/** Ends a subscription. */
export interface Subscription {
  dispose(): void;
}
