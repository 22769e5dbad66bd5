/** Interfaces of the platform, implemented by the VS Code adapters and by tests. */

/** Time, and a sleep whose abort rejects with the signal's reason. */
export interface Clock {
  /** Milliseconds since the epoch, which jump when the user or a time server sets the clock. */
  now(): number;
  /** Milliseconds since an unknown moment, for durations: they never go back. May not count time in standby. */
  monotonic(): number;
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/** The log channel, for developers, in English. No token may ever reach it. */
export interface Log {
  debug(text: string): void;
  info(text: string): void;
  warn(text: string): void;
  error(text: string, cause?: unknown): void;
}

/** Metadata of a file. */
export interface FileStamp {
  readonly size: number;
  /** Time of the last change of content or metadata, where the file system has both. Milliseconds since the epoch. */
  readonly modified: number;
}

/** Content of a file: bytes on disk, or of the open editor with unsaved changes. */
export interface FileContent {
  readonly bytes: Uint8Array;
  readonly stamp: FileStamp;
  /** Whether `bytes` are unsaved text of an open editor. */
  readonly dirty: boolean;
  /** Modified so shortly before it was read that a later write may result in the same stamp. */
  readonly recent?: boolean;
}

/**
 * Why something at a path cannot be read. `outside`: a symbolic link leads out of the project. `broken_link`: a symbolic
 * link leads to nothing, or in a circle. `not_a_file`: a folder, pipe or device. `failed`: no permission, or a disk error.
 */
export type UnreadableReason = "outside" | "broken_link" | "not_a_file" | "failed";

/** Result of reading a file. `missing`: nothing exists at the path, as opposed to a file that cannot be read. */
export type ReadOutcome =
  | ({ readonly kind: "read" } & FileContent)
  | { readonly kind: "missing" }
  | { readonly kind: "unreadable"; readonly reason: UnreadableReason };

/** Something that may match a layout and cannot be read. */
export interface UnreadablePath {
  /** Of a file or of a folder. */
  readonly path: string;
  readonly reason: UnreadableReason;
}

/** A change of one file. `before` is the content as read (`undefined`: the file did not exist). */
export interface FileWrite {
  readonly path: string;
  readonly before: Uint8Array | undefined;
  readonly after: Uint8Array;
}

/** All files were written, or none because those in `paths` had changed since they were read. */
export type WriteOutcome =
  | { readonly kind: "written" }
  | { readonly kind: "changed"; readonly paths: readonly string[] };

/**
 * Files of one project. Paths are relative to its root, separated by `/`, without `..`. `write` is all or nothing,
 * and each write atomic: files are replaced, or changed through the editor where it has unsaved text.
 */
export interface ProjectFiles {
  /** Returns the sorted paths that match one of the globs (`**`, `*`, `{a,b}`). */
  find(globs: readonly string[], signal?: AbortSignal): Promise<readonly string[]>;
  /** Returns the stamp of a regular file; `undefined` if it is missing or cannot be read. */
  stat(path: string): Promise<FileStamp | undefined>;
  /**
   * Reads a file; never rejects for what is at the path.
   * @param stamp A current result of `stat`, to save another call.
   */
  read(path: string, stamp?: FileStamp): Promise<ReadOutcome>;
  write(writes: readonly FileWrite[]): Promise<WriteOutcome>;
}

/** A subscription that can be ended. */
export interface Subscription {
  dispose(): void;
}
