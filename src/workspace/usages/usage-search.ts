/**
 * The uses in the bytes of one code file, found part by part, so that whoever searches can let others run in between.
 * Which files those are, and what becomes of the uses, is the usage index's.
 */
import { reasonToLeaveOut, MAX_SOURCE_FILE_BYTES, MAX_WHOLE_FILE_BYTES } from "./usage-files.ts";
import type { LeftOutReason } from "../../database/usage-repository.ts";
import { usageLanguageFor } from "../../scanners/registry.ts";
import type { FindOptions, KeyUsage, UsageLanguage } from "../../scanners/usage.ts";

/** What was found; `leftOut` says why nothing was looked for. */
export interface SearchedFile {
  readonly uses: readonly KeyUsage[];
  readonly leftOut: LeftOutReason | null;
}

/** A longer text is searched in parts of this many characters, so that no part takes long. */
const PART_LENGTH = 256 * 1024;

/** The language of a path, if the project has it at all. */
export function searchedLanguage(path: string, find: FindOptions): UsageLanguage | undefined {
  const language = usageLanguageFor(path);
  return language?.holds?.(find) === false ? undefined : language;
}

/** Yields after each part. */
export function* searchFile(
  bytes: Uint8Array,
  language: UsageLanguage,
  find: FindOptions,
): Generator<void, SearchedFile> {
  if (bytes.length > (language.inParts === true ? MAX_SOURCE_FILE_BYTES : MAX_WHOLE_FILE_BYTES)) {
    return { uses: [], leftOut: "too-large" };
  }
  const text = new TextDecoder().decode(bytes);
  const leftOut = reasonToLeaveOut(text);
  if (leftOut !== null) return { uses: [], leftOut };
  const uses: KeyUsage[] = [];
  for (let start = 0; start < text.length;) {
    const end = language.inParts === true ? partEnd(text, start) : text.length;
    if (start > 0) yield;
    for (const use of language.find(text.slice(start, end), find)) uses.push(moved(use, start));
    start = end;
  }
  return { uses, leftOut };
}

/** Where the part that begins at `start` ends: a long text is cut before a line that begins a top-level part. */
function partEnd(text: string, start: number): number {
  const limit = start + PART_LENGTH;
  if (text.length - start <= PART_LENGTH * 1.5) return text.length;
  const cut = /\n\n(?=\S)/g;
  cut.lastIndex = limit;
  const found = cut.exec(text.slice(0, limit + PART_LENGTH / 2));
  if (found !== null) return found.index + 2;
  const line = text.indexOf("\n", limit);
  return line === -1 ? text.length : line + 1;
}

/** A use of a part, at its place in the whole; what the parts before it bind is out of sight. */
function moved(use: KeyUsage, by: number): KeyUsage {
  if (by === 0) return use;
  const namespaces = use.namespaces ?? "unknown";
  const shift = (span: KeyUsage["keySpan"]): KeyUsage["keySpan"] => ({
    start: span.start + by,
    end: span.end + by,
  });
  const written = use.written === undefined ? {} : { written: shift(use.written) };
  return { ...use, ...written, namespaces, keySpan: shift(use.keySpan), callSpan: shift(use.callSpan) };
}
