/**
 * File bytes to text and back. Only UTF-8 is taken, since a file in another encoding could not be written back
 * byte for byte; its byte-order mark is kept aside, so that no format ever sees one.
 */

/** Text of a file, and whether a UTF-8 byte-order mark stood before it. */
export interface Decoded {
  readonly text: string;
  readonly bom: boolean;
}

/** Why a file's bytes are not taken. */
export interface NotText {
  readonly refused: "encoding";
}

const BOM = [0xef, 0xbb, 0xbf] as const;

/** UTF-8 to text; anything that is not wholly valid UTF-8 (UTF-16 and binary files too) is refused. */
export function decodeText(bytes: Uint8Array): Decoded | NotText {
  const bom = BOM.every((byte, index) => bytes[index] === byte);
  try {
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    const text = decoder.decode(bom ? bytes.subarray(BOM.length) : bytes);
    return text.includes("\0") && looksLikeUtf16(text) ? { refused: "encoding" } : { text, bom };
  } catch {
    return { refused: "encoding" };
  }
}

/** Whether decoding was refused. */
export function isNotText(decoded: Decoded | NotText): decoded is NotText {
  return "refused" in decoded;
}

/** The bytes that `decodeText` reads as this; lone surrogates, which UTF-8 cannot hold, become U+FFFD. */
export function encodeText({ text, bom }: Decoded): Uint8Array {
  const body = new TextEncoder().encode(text);
  if (!bom) return body;
  const bytes = new Uint8Array(BOM.length + body.length);
  bytes.set(BOM);
  bytes.set(body, BOM.length);
  return bytes;
}

/** ASCII in UTF-16 without a mark is valid UTF-8: every other character is NUL. */
function looksLikeUtf16(text: string): boolean {
  const head = text.slice(0, 64);
  const nuls = head.split("\0").length - 1;
  return nuls * 2 >= head.length - 1;
}

/** Same bytes. */
export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}
