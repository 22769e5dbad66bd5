/**
 * A translation file's bytes and what they say: read, changed and made anew, whichever kind of format it has. The
 * one door to the formats for everything that has bytes; it opens no file itself.
 */
import { decodeText, encodeText, isNotText } from "../bytes.ts";
import { applyEdit, refusalOf } from "./edit.ts";
import type { Change, Format, NewEntry, ReadOptions, ReadResult, Refusal } from "./format.ts";

/** The bytes are no text in an encoding that could be written back. */
export interface NotReadable {
  readonly refused: "encoding";
}

/** A file after some changes. `bytes` are the given ones themselves when nothing changed. */
export interface EditedFile {
  readonly bytes: Uint8Array;
  readonly refused: readonly Refusal[];
}

/** What the file says. */
export async function readTranslationFile(
  format: Format,
  bytes: Uint8Array,
  options: ReadOptions,
): Promise<ReadResult | NotReadable> {
  await format.prepare?.();
  if (format.kind === "binary") return format.read(bytes, options);
  const decoded = decodeText(bytes);
  return isNotText(decoded) ? decoded : format.read(decoded.text, options);
}

/** Whether the bytes could not be read at all. */
export function isNotReadable<Other extends object>(result: Other | NotReadable): result is NotReadable {
  return "refused" in result && result.refused === "encoding";
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
  const decoded = bytes === undefined ? { text: "", bom: false } : decodeText(bytes);
  if (isNotText(decoded)) return decoded;
  const { text, refused } = applyEdit(format, decoded.text, changes, options);
  if (bytes !== undefined && text === decoded.text) return { bytes, refused };
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

function editBinary(
  format: Extract<Format, { readonly kind: "binary" }>,
  bytes: Uint8Array | undefined,
  changes: readonly Change[],
  options: ReadOptions,
): EditedFile {
  if (bytes !== undefined && bytes.length > 0) return format.edit(bytes, changes, options);
  const entries = changes.flatMap((change) =>
    change.text === null ? [] : [{ ...change, text: change.text }],
  );
  const refused = changes
    .filter((change) => change.text === null)
    .map((change) => refusalOf(change, "not_found"));
  const made = entries.length === 0 ? (bytes ?? new Uint8Array()) : format.print(entries, options);
  return { bytes: made, refused };
}
