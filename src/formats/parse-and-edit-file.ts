/**
 * Parses, edits and creates translation files of any format as bytes. The entry point of the formats; does not access
 * the disk.
 */
import { type FormatName, formatInfoOf } from "../model/file-formats.ts";
import {
  canEncode,
  decodeText,
  encodeText,
  isUndecodable,
  type Decoded,
  type UndecodableBytes,
} from "./text/encoding.ts";
import { valuesOf } from "../model/translation-text.ts";
import { applyEdit, refuseAll } from "./editing/apply-verified-edit.ts";
import type {
  Change,
  ExampleFile,
  Format,
  NewEntry,
  Problem,
  ReadOptions,
  ReadResult,
  Refusal,
} from "./format.ts";
import { HEAD_LENGTH, otherFormat } from "./detect-format.ts";
import { positionsOf } from "./text/lines-and-indentation.ts";

/** Bytes that cannot be decoded in a supported encoding, with the position of the first invalid one. */
export type UnreadableFile = UndecodableBytes;

/** A problem with its 1-based line and column (in UTF-16 units); `null` if the file has no lines. */
export interface LocatedProblem extends Problem {
  readonly line: number | null;
  readonly column: number | null;
}

/** A parsed file. */
export interface FileRead extends ReadResult {
  readonly problems: readonly LocatedProblem[];
}

/** An edited file. `bytes` is the original array if nothing changed. */
export interface EditedFile {
  readonly bytes: Uint8Array;
  readonly refused: readonly Refusal[];
}

/** Largest file that is parsed. */
export const MAX_FILE_BYTES = 50 * 1024 * 1024;

/** Parses a file. */
export async function readTranslationFile(
  format: Format,
  bytes: Uint8Array,
  options: ReadOptions,
): Promise<FileRead | UnreadableFile> {
  await format.prepare?.();
  if (format.kind === "binary") {
    const result = format.read(bytes, options);
    return { ...result, problems: result.problems.map((each) => ({ ...each, line: null, column: null })) };
  }
  const decoded = decodeText(bytes, format.name);
  if (isUndecodable(decoded)) return decoded;
  const result = format.read(decoded.text, options);
  return { ...result, problems: locateProblems(decoded.text, withMergeMark(decoded.text, result.problems)) };
}

/** Whether the file could not be decoded. */
export function isUnreadable<Other extends object>(result: Other | UnreadableFile): result is UnreadableFile {
  return "refused" in result && result.refused === "encoding";
}

/** Returns the file as an example of style; `null` if it has no text. */
export function exampleOf(format: FormatName, bytes: Uint8Array, locale: string): ExampleFile | null {
  const decoded = formatInfoOf(format)?.kind !== "binary" ? decodeText(bytes, format) : null;
  if (decoded === null || isUndecodable(decoded) || decoded.text.trim() === "") return null;
  return { text: decoded.text, bom: decoded.bom && decoded.encoding === undefined, locale };
}

/** Applies the changes; without `bytes`, to a new file. Changes that cannot be written are returned in `refused`. */
export async function editTranslationFile(
  format: Format,
  bytes: Uint8Array | undefined,
  changes: readonly Change[],
  options: ReadOptions,
): Promise<EditedFile | UnreadableFile> {
  await format.prepare?.();
  if (format.kind !== "text")
    return { bytes: bytes ?? new Uint8Array(), refused: refuseAll(changes, "generated") };
  const decoded: Decoded | UndecodableBytes =
    bytes === undefined
      ? { text: "", bom: options.examples?.[0]?.bom === true }
      : decodeText(bytes, format.name);
  if (isUndecodable(decoded)) return decoded;
  let { text, refused } = applyEdit(format, decoded.text, changes, options);
  if (!canEncode(decoded, text)) {
    // A format may escape characters that the encoding lacks, so only the result shows whether they fit.
    const byFit = Map.groupBy(changes, (change) => canEncode(decoded, writtenTextsOf(change)));
    ({ text, refused } = applyEdit(format, decoded.text, byFit.get(true) ?? [], options));
    refused = [...refused, ...refuseAll(byFit.get(false) ?? [], "encoding")];
    if (!canEncode(decoded, text)) {
      return { bytes: bytes ?? new Uint8Array(), refused: refuseAll(changes, "encoding") };
    }
  }
  if (text === decoded.text) return { bytes: bytes ?? new Uint8Array(), refused };
  return { bytes: encodeText({ ...decoded, text }), refused };
}

/** Writes a new file. */
export async function printTranslationFile(
  format: Format,
  entries: readonly NewEntry[],
  options: ReadOptions,
): Promise<Uint8Array> {
  await format.prepare?.();
  if (format.kind === "binary") return format.print(entries, options);
  return encodeText({ text: format.print(entries, options), bom: false });
}

/**
 * Returns the format of a file that, by its first bytes, certainly is not the given one; `null` if it may be, or if
 * the format cannot be determined.
 */
export function otherFormatOf(given: FormatName, path: string, bytes: Uint8Array): FormatName | null {
  return otherFormat(given, path, decodeHead(bytes));
}

/** Decodes the start of a file that its format is recognised by. Invalid bytes become replacement characters. */
export function decodeHead(bytes: Uint8Array): string {
  const head = bytes.subarray(0, HEAD_LENGTH);
  const decoded = decodeText(head);
  // The last character may be cut off, or the encoding unknown: formats are recognised by ASCII alone.
  return isUndecodable(decoded) ? new TextDecoder().decode(head) : decoded.text;
}

/** In a file with syntax errors, the first conflict marker of an unfinished merge replaces all problems. */
function withMergeMark(text: string, problems: readonly Problem[]): readonly Problem[] {
  if (!problems.some(({ code }) => code === "syntax")) return problems;
  const start = text.search(/^<{7} /mu);
  if (start < 0) return problems;
  const message = "an unfinished merge";
  return [
    { code: "syntax", message, span: { start, end: start + 7 } },
    ...problems.filter(({ code }) => code !== "syntax"),
  ];
}

function locateProblems(text: string, problems: readonly Problem[]): LocatedProblem[] {
  const positions = positionsOf(
    text,
    problems.map(({ span }) => span.start),
  );
  return problems.map((problem) => {
    const { line = null, column = null } = positions.get(problem.span.start) ?? {};
    return { ...problem, line, column };
  });
}

/** Returns all texts of a change, each on a line. */
function writtenTextsOf({ key, context, namespace, text, description, source }: Change): string {
  const texts = [text, source ?? null].flatMap(valuesOf);
  return [key, context ?? "", namespace ?? "", description ?? "", ...texts].join("\n");
}
