/** Finds the usages in a source file, part by part, so that callers can yield in between. */
import { exclusionReason, MAX_SOURCE_FILE_BYTES, MAX_WHOLE_FILE_BYTES } from "./source-file-filter.ts";
import type { Span } from "../../model/span.ts";
import type { SkipReason } from "../../database/usage-repository.ts";
import { usageLanguageFor } from "../../scanners/supported-languages.ts";
import type { FindOptions, KeyUsage, UsageLanguage } from "../../scanners/usage.ts";

/** The usages of a file; `leftOut` is the reason why it was not searched. */
export interface SearchedFile {
  readonly usages: readonly KeyUsage[];
  readonly leftOut: SkipReason | null;
}

/** Longer texts are searched in parts of this length, to keep each part short. */
const PART_CHARACTERS = 256 * 1024;

/** Returns the language of a path; `undefined` if the project does not use it. */
export function searchedLanguage(path: string, find: FindOptions): UsageLanguage | undefined {
  const language = usageLanguageFor(path);
  return language?.appliesTo?.(find) === false ? undefined : language;
}

/** Searches a file; yields after each part. */
export function* searchFile(
  bytes: Uint8Array,
  language: UsageLanguage,
  find: FindOptions,
): Generator<void, SearchedFile> {
  if (bytes.length > (language.canSplit === true ? MAX_SOURCE_FILE_BYTES : MAX_WHOLE_FILE_BYTES)) {
    return { usages: [], leftOut: "too-large" };
  }
  const text = new TextDecoder().decode(bytes);
  const leftOut = exclusionReason(text);
  if (leftOut !== null) return { usages: [], leftOut };
  const usages: KeyUsage[] = [];
  for (let start = 0; start < text.length;) {
    const end = language.canSplit === true ? partEnd(text, start) : text.length;
    if (start > 0) yield;
    for (const usage of language.find(text.slice(start, end), find)) usages.push(shiftUsage(usage, start));
    start = end;
  }
  return { usages, leftOut };
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
