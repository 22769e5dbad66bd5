/**
 * File bytes to text and back: UTF-8, UTF-16 with a byte-order mark, and the single-byte encodings that a file itself
 * declares. Bytes that could not be written back identically are refused. The mark is kept aside, so that no format
 * sees one.
 */
import type { FormatName } from "../model/format-name.ts";
import { singleByteEncoding, declaredEncoding } from "./single-byte-encodings.ts";

/** Text of a file, and how its bytes say it. */
export interface Decoded {
  readonly text: string;
  /** A byte-order mark stood before it. */
  readonly bom: boolean;
  /** Absent: UTF-8. A single-byte encoding by the name that the file gives it. */
  readonly encoding?: string;
}

/** Why a file's bytes are not taken, and where the first that is wrong stands (both from 1, as editors count). */
export interface NotText {
  readonly refused: "encoding";
  readonly line: number;
  readonly column: number;
}

const BOM = [0xef, 0xbb, 0xbf] as const;

/**
 * Bytes to text. `format` says whether the file may declare its encoding itself (gettext's charset, XML's
 * declaration); anything that is neither that nor wholly valid UTF-8, nor UTF-16 with its mark, is refused.
 */
export function decodeText(bytes: Uint8Array, format?: FormatName): Decoded | NotText {
  const wide = wideEncoding(bytes);
  if (wide !== null) return decodeWide(bytes, wide);
  const bom = BOM.every((byte, index) => bytes[index] === byte);
  const body = bom ? bytes.subarray(BOM.length) : bytes;
  const text = strictly("utf-8", body);
  const declared =
    bom || (text !== null && text.length < body.length) ? null : declaredEncoding(body, format);
  if (declared !== null) {
    const singleByte = singleByteEncoding(declared);
    const own = singleByte?.decode(body) ?? null;
    if (own !== null) return { text: own, bom, encoding: declared };
  }
  if (text === null) return refused(bytes, firstBadByte(bytes));
  // ASCII in UTF-16 without a mark is valid UTF-8: every other character is NUL.
  return text.includes("\0") && looksWide(text) ? refused(bytes, 1) : { text, bom };
}

/** Whether decoding was refused. */
export function isNotText(decoded: Decoded | NotText): decoded is NotText {
  return "refused" in decoded;
}

/** Whether the encoding has a way to write every character of the text. */
export function canEncode({ encoding }: Pick<Decoded, "encoding">, text: string): boolean {
  const singleByte = encoding === undefined || isWide(encoding) ? undefined : singleByteEncoding(encoding);
  return singleByte === undefined ? text.isWellFormed() : singleByte.canEncode(text);
}

/** The bytes that `decodeText` reads as this; what the encoding cannot hold (ask `canEncode`) becomes U+FFFD or `?`. */
export function encodeText({ text, bom, encoding }: Decoded): Uint8Array {
  if (encoding !== undefined && isWide(encoding)) return encodeWide(text, bom, encoding);
  const singleByte = encoding === undefined ? undefined : singleByteEncoding(encoding);
  const body = singleByte === undefined ? new TextEncoder().encode(text) : singleByte.encode(text);
  if (!bom) return body;
  const bytes = new Uint8Array(BOM.length + body.length);
  bytes.set(BOM);
  bytes.set(body, BOM.length);
  return bytes;
}

/** Same bytes. */
export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index++) if (a[index] !== b[index]) return false;
  return true;
}

type Wide = "utf-16le" | "utf-16be";

function isWide(encoding: string): encoding is Wide {
  return encoding === "utf-16le" || encoding === "utf-16be";
}

function wideEncoding(bytes: Uint8Array): Wide | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  return bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : null;
}

function decodeWide(bytes: Uint8Array, encoding: Wide): Decoded | NotText {
  const text = strictly(encoding, bytes.subarray(2));
  if (text !== null) return { text, bom: true, encoding };
  const lenient = new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes.subarray(2));
  return { refused: "encoding", ...placeAt(lenient, Math.max(0, lenient.indexOf("\ufffd"))) };
}

function encodeWide(text: string, bom: boolean, encoding: Wide): Uint8Array {
  const start = bom ? 1 : 0;
  const bytes = new Uint8Array((start + text.length) * 2);
  const data = new DataView(bytes.buffer);
  const little = encoding === "utf-16le";
  if (bom) data.setUint16(0, 0xfeff, little);
  for (let index = 0; index < text.length; index++) {
    data.setUint16((start + index) * 2, text.charCodeAt(index), little);
  }
  return bytes;
}

function strictly(encoding: string, bytes: Uint8Array): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

function looksWide(text: string): boolean {
  const head = text.slice(0, 64);
  const nuls = head.split("\0").length - 1;
  return nuls * 2 >= head.length - 1;
}

/** Line and column of an offset in a text, both from 1; columns in UTF-16 units. */
function placeAt(text: string, offset: number): { readonly line: number; readonly column: number } {
  let line = 1;
  let start = 0;
  for (let at = 0; at < offset; at++) {
    const code = text.charCodeAt(at);
    if (code !== 0x0a && (code !== 0x0d || text.charCodeAt(at + 1) === 0x0a)) continue;
    line++;
    start = at + 1;
  }
  return { line, column: offset - start + 1 };
}

function refused(bytes: Uint8Array, at: number): NotText {
  const before = new TextDecoder("utf-8", { ignoreBOM: false }).decode(bytes.subarray(0, at));
  return { refused: "encoding", ...placeAt(before, before.length) };
}

/** Offset of the first byte that is no UTF-8. */
function firstBadByte(bytes: Uint8Array): number {
  let at = 0;
  while (at < bytes.length) {
    const lead = bytes[at] ?? 0;
    const length =
      lead < 0x80 ? 1 : lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
    if (length === 0) return at;
    // The second byte's range keeps overlong sequences, surrogates and what lies beyond Unicode out.
    const low = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
    const high = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
    for (let index = 1; index < length; index++) {
      const byte = bytes[at + index] ?? 0;
      if (byte < (index === 1 ? low : 0x80) || byte > (index === 1 ? high : 0xbf)) return at;
    }
    at += length;
  }
  return at;
}
