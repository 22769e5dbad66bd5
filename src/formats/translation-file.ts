/**
 * Reads, changes and creates translation files of any kind of format as bytes. The entry point to the formats; opens no
 * files itself.
 */
import type { FormatName } from "../model/format-name.ts";
import { canEncode, decodeText, encodeText, isNotText, type Decoded, type NotText } from "./encoding.ts";
import { isForms } from "../model/text.ts";
import { applyEdit, checkedBinaryEdit, refusalOf } from "./edit.ts";
import { factsOf } from "./format-facts.ts";
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
import { otherFormat } from "./recognise.ts";
import { HEAD_LENGTH } from "./recognise-content.ts";

/** The bytes are no text in an encoding that could be written back; where the first of them is that is none. */
export type NotReadable = NotText;

/** A problem with its place for people: from 1, columns in UTF-16 units; `null` where the file has no lines. */
export interface PlacedProblem extends Problem {
  readonly line: number | null;
  readonly column: number | null;
}

/** What a file says. */
export interface FileRead extends ReadResult {
  readonly problems: readonly PlacedProblem[];
}

/** A file after some changes. `bytes` are the given ones themselves when nothing changed. */
export interface EditedFile {
  readonly bytes: Uint8Array;
  readonly refused: readonly Refusal[];
}

/** Larger files are not read. Bytes. */
export const MAX_FILE_BYTES = 50 * 1024 * 1024;

/** What the file says. */
export async function readTranslationFile(
  format: Format,
  bytes: Uint8Array,
  options: ReadOptions,
): Promise<FileRead | NotReadable> {
  await format.prepare?.();
  if (format.kind === "binary") {
    const result = format.read(bytes, options);
    return { ...result, problems: result.problems.map((each) => ({ ...each, line: null, column: null })) };
  }
  const decoded = decodeText(bytes, format.name);
  if (isNotText(decoded)) return decoded;
  const result = format.read(decoded.text, options);
  return { ...result, problems: placed(decoded.text, withMergeMark(decoded.text, result.problems)) };
}

/** Whether the bytes could not be read at all. */
export function isNotReadable<Other extends object>(result: Other | NotReadable): result is NotReadable {
  return "refused" in result && result.refused === "encoding";
}

/** The file as an example of how others are written; `null`: its bytes tell nothing of that. */
export function exampleOf(format: FormatName, bytes: Uint8Array, locale: string): ExampleFile | null {
  const decoded = factsOf(format)?.kind === "text" ? decodeText(bytes, format) : null;
  if (decoded === null || isNotText(decoded) || decoded.text.trim() === "") return null;
  return { text: decoded.text, bom: decoded.bom && decoded.encoding === undefined, locale };
}

/** The file with the changes made; without `bytes` a new file. What cannot be written is in `refused`, the rest is done. */
export async function editTranslationFile(
  format: Format,
  bytes: Uint8Array | undefined,
  changes: readonly Change[],
  options: ReadOptions,
): Promise<EditedFile | NotReadable> {
  await format.prepare?.();
  if (format.kind === "binary") return editBinary(format, bytes, changes, options);
  const decoded: Decoded | NotText =
    bytes === undefined
      ? { text: "", bom: options.examples?.[0]?.bom === true }
      : decodeText(bytes, format.name);
  if (isNotText(decoded)) return decoded;
  let { text, refused } = applyEdit(format, decoded.text, changes, options);
  if (!canEncode(decoded, text)) {
    // A format may have a way to write what the encoding has none for, so only what came out tells.
    const fits = changes.filter((change) => canEncode(decoded, textsOf(change)));
    const others = changes.filter((change) => !fits.includes(change));
    ({ text, refused } = applyEdit(format, decoded.text, fits, options));
    refused = [...refused, ...others.map((change) => refusalOf(change, "encoding"))];
    if (!canEncode(decoded, text)) {
      return {
        bytes: bytes ?? new Uint8Array(),
        refused: changes.map((each) => refusalOf(each, "encoding")),
      };
    }
  }
  if (text === decoded.text) return { bytes: bytes ?? new Uint8Array(), refused };
  return { bytes: encodeText({ ...decoded, text }), refused };
}

/** A whole new file. */
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
 * The format that a file of the path has instead of the given one, where its beginning leaves no doubt; `null`: it may
 * well be the given one, or nobody can tell.
 */
export function otherFormatOf(given: FormatName, path: string, bytes: Uint8Array): FormatName | null {
  return otherFormat(given, path, beginningOf(bytes));
}

/** As much of a file as tells its format, as text; of one that is no text something that tells that. */
export function beginningOf(bytes: Uint8Array): string {
  const head = bytes.subarray(0, HEAD_LENGTH);
  const decoded = decodeText(head);
  // Cut in the middle of a character, or in an encoding of its own: what tells formats apart is ASCII.
  return isNotText(decoded) ? new TextDecoder().decode(head) : decoded.text;
}

/** In a file with mistakes: the first mark of a merge that was not finished, in place of all that follows from it. */
function withMergeMark(text: string, problems: readonly Problem[]): readonly Problem[] {
  if (!problems.some(({ code }) => code === "syntax")) return problems;
  const start = text.search(/^<{7} /mu);
  if (start < 0) return problems;
  const message = "a merge that is not finished";
  return [
    { code: "syntax", message, span: { start, end: start + 7 } },
    ...problems.filter(({ code }) => code !== "syntax"),
  ];
}

/** One way through the text tells all their places. */
function placed(text: string, problems: readonly Problem[]): PlacedProblem[] {
  const places = new Map<number, { readonly line: number; readonly column: number }>();
  let line = 1;
  let start = 0;
  let at = 0;
  for (const offset of [...new Set(problems.map(({ span }) => span.start))].sort((a, b) => a - b)) {
    for (; at < offset && at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code !== 0x0a && (code !== 0x0d || text.charCodeAt(at + 1) === 0x0a)) continue;
      line++;
      start = at + 1;
    }
    places.set(offset, { line, column: at - start + 1 });
  }
  return problems.map((problem) => {
    const { line = null, column = null } = places.get(problem.span.start) ?? {};
    return { ...problem, line, column };
  });
}

/** Everything of a change that is to stand in the file, in parts that do not run together. */
function textsOf({ key, context, namespace, text, description, source }: Change): string {
  const texts = [text, source ?? null].flatMap((each) =>
    each === null ? [] : isForms(each) ? Object.values(each.forms) : [each.value],
  );
  return [key, context ?? "", namespace ?? "", description ?? "", ...texts].join("\n");
}

function editBinary(
  format: Extract<Format, { readonly kind: "binary" }>,
  bytes: Uint8Array | undefined,
  changes: readonly Change[],
  options: ReadOptions,
): EditedFile {
  if (bytes !== undefined && bytes.length > 0) return checkedBinaryEdit(format, bytes, changes, options);
  const entries = changes.flatMap((change) =>
    change.text === null ? [] : [{ ...change, text: change.text }],
  );
  const refused = changes
    .filter((change) => change.text === null)
    .map((change) => refusalOf(change, "not_found"));
  const made = entries.length === 0 ? (bytes ?? new Uint8Array()) : format.print(entries, options);
  return { bytes: made, refused };
}
