/** Reads source files and finds the usages in them, part by part, so that callers can yield in between. */
import {
  exclusionReason,
  MAX_SOURCE_FILE_BYTES,
  MAX_WHOLE_FILE_BYTES,
  NO_STAMP,
  type SourceFile,
  type SourceFiles,
} from "./list-source-files.ts";
import { runInSlices } from "../../util/event-loop.ts";
import type { FileStamp } from "../../model/platform.ts";
import type { Span } from "../../util/span.ts";
import type { FileUsage, LiteralCalls, SkipReason } from "../../database/key-usage-repository.ts";
import { usageLanguageFor } from "../../scanners/supported-source-languages.ts";
import type { FindOptions, Imports, KeyUsage, UsageLanguage } from "../../scanners/key-usage.ts";
import { type FileImports, ModuleReader, NO_IMPORTS } from "./imported-modules.ts";
import { serializeKeyReference } from "./stored-key-references.ts";
import { unexplainedCalls } from "./learned-functions.ts";

/** A file to scan. Plain data, for other threads. */
export interface FileToScan {
  readonly path: string;
  /** Unsaved text, which replaces the file on disk. */
  readonly text: string | undefined;
  /** Stamp of the stored content; `undefined`: scan in any case. */
  readonly known: FileStamp | undefined;
  /** An unchanged file is scanned again if it contains one of these names. */
  readonly names?: readonly string[];
}

/** The content of a source file to store. */
export type SourceFileContent =
  /** Unchanged. */
  | { readonly kind: "same" }
  /** Does not exist, is outside the project's folder, or is in no language of the project. */
  | { readonly kind: "missing" }
  | {
      readonly kind: "scanned";
      readonly stamp: FileStamp;
      readonly skipReason: SkipReason | null;
      readonly usages: readonly FileUsage[];
      readonly calls: readonly LiteralCalls[];
      readonly imports: FileImports;
    };

/** Reads and scans files, possibly in another thread. Resolves with their contents in the same order. */
export type ScanFiles = (
  filesToScan: readonly FileToScan[],
  find: FindOptions,
) => Promise<readonly SourceFileContent[]>;

/** The usages of a file; `skipReason` is the reason why it was not scanned. */
export interface ScannedFile {
  readonly usages: readonly KeyUsage[];
  readonly skipReason: SkipReason | null;
  /** The text; empty if it was not scanned. */
  readonly text: string;
}

/** Longer texts are scanned in parts of this length, to keep each part short. */
const PART_CHARACTERS = 256 * 1024;

/** Returns the language of a path; `undefined` if the project does not use it. */
export function languageToScan(path: string, find: FindOptions): UsageLanguage | undefined {
  const language = usageLanguageFor(path);
  return language?.appliesTo?.(find) === false ? undefined : language;
}

/** Reads and scans files of a folder in this thread. `pause` is awaited after each, and between the parts of one. */
export async function scanFiles(
  files: SourceFiles,
  filesToScan: readonly FileToScan[],
  find: FindOptions,
  pause: () => Promise<void>,
): Promise<readonly SourceFileContent[]> {
  const contents: SourceFileContent[] = [];
  const modules = new ModuleReader(files);
  for (const file of filesToScan) {
    contents.push(await readUsages(files, file, { find, modules }, pause));
    await pause();
  }
  return contents;
}

async function readUsages(
  files: SourceFiles,
  { path, text, known, names }: FileToScan,
  { find, modules }: { readonly find: FindOptions; readonly modules: ModuleReader },
  pause: () => Promise<void>,
): Promise<SourceFileContent> {
  const language = languageToScan(path, find);
  if (language === undefined) return { kind: "missing" };
  const file: SourceFile =
    text === undefined
      ? files.read(path, names === undefined ? known : undefined)
      : { kind: "read", stamp: NO_STAMP, bytes: new TextEncoder().encode(text) };
  if (names !== undefined && file.kind === "read" && isSameStamp(file.stamp, known)) {
    const bytes = Buffer.from(file.bytes.buffer, file.bytes.byteOffset, file.bytes.length);
    if (!names.some((name) => bytes.includes(name))) return { kind: "same" };
  }
  switch (file.kind) {
    case "same":
    case "missing":
      return file;
    case "skipped":
      return {
        kind: "scanned",
        stamp: file.stamp,
        skipReason: file.reason,
        usages: [],
        calls: [],
        imports: NO_IMPORTS,
      };
    case "read": {
      const { imports, found } = modules.importsFrom(path);
      const scanned = await runInSlices(scanFile(file.bytes, language, find, imports), pause);
      return {
        kind: "scanned",
        stamp: file.stamp,
        skipReason: scanned.skipReason,
        usages: scanned.usages.filter(hasKey).map(fileUsage),
        calls: unexplainedCalls(path, scanned, find),
        imports: found(),
      };
    }
  }
}

/** Scans a file; yields after each part. */
export function* scanFile(
  bytes: Uint8Array,
  language: UsageLanguage,
  find: FindOptions,
  imports?: Imports,
): Generator<void, ScannedFile> {
  if (bytes.length > (language.canSplit === true ? MAX_SOURCE_FILE_BYTES : MAX_WHOLE_FILE_BYTES)) {
    return { usages: [], skipReason: "too-large", text: "" };
  }
  const text = new TextDecoder().decode(bytes);
  const skipReason = exclusionReason(text);
  if (skipReason !== null) return { usages: [], skipReason, text: "" };
  const usages: KeyUsage[] = [];
  for (let start = 0; start < text.length;) {
    const end = language.canSplit === true ? partEnd(text, start) : text.length;
    if (start > 0) yield;
    let found: readonly KeyUsage[];
    try {
      found = language.find(text.slice(start, end), find, imports);
    } catch {
      // The other files are searched all the same.
      return { usages: [], skipReason: "failed", text: "" };
    }
    for (const usage of found) usages.push(shiftUsage(usage, start));
    start = end;
  }
  return { usages, skipReason, text };
}

/** Whether a file is unchanged; unknown for a file that was written just before. */
function isSameStamp({ size, modified }: FileStamp, known: FileStamp | undefined): boolean {
  return size !== NO_STAMP.size && size === known?.size && modified === known.modified;
}

/** Returns the end of the part at `start`: a long text is split before a top-level line. */
function partEnd(text: string, start: number): number {
  const limit = start + PART_CHARACTERS;
  if (text.length - start <= PART_CHARACTERS * 1.5) return text.length;
  const cut = /\n\n(?=\S)/g;
  cut.lastIndex = limit;
  const found = cut.exec(text.slice(0, limit + PART_CHARACTERS / 2));
  if (found !== null) return found.index + 2;
  const line = text.indexOf("\n", limit);
  return line === -1 ? text.length : line + 1;
}

/** Shifts a usage to its offset in the whole file; bindings of earlier parts are unknown. */
function shiftUsage(usage: KeyUsage, by: number): KeyUsage {
  if (by === 0) return usage;
  const namespaces = usage.namespaces ?? "unknown";
  const shift = ({ start, end }: Span): Span => ({ start: start + by, end: end + by });
  const { keySpan, callSpan, literalSpan } = usage;
  return {
    ...usage,
    namespaces,
    keySpan: shift(keySpan),
    callSpan: shift(callSpan),
    ...(literalSpan === undefined ? {} : { literalSpan: shift(literalSpan) }),
  };
}

/** Whether the usage has a key. */
function hasKey({ expression }: KeyUsage): boolean {
  return expression.kind !== "static" || expression.key !== "";
}

function fileUsage(usage: KeyUsage): FileUsage {
  const isDynamic = usage.expression.kind === "pattern" || usage.namespaces === "unknown";
  return { reference: serializeKeyReference(usage), isDynamic, span: usage.keySpan };
}
