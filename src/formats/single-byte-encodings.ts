/**
 * The single-byte encodings of old files: which one a file declares, and its 256 bytes as characters, both ways. Knows
 * neither UTF-8 nor the multi-byte encodings, which cannot be written here.
 */
import type { FormatName } from "../model/format-name.ts";

/** One single-byte encoding. */
export interface SingleByteEncoding {
  /** `null` when some byte means nothing in it. */
  decode(bytes: Uint8Array): string | null;
  /** What it does not hold becomes `?`. */
  encode(text: string): Uint8Array;
  canEncode(text: string): boolean;
}

/** How far a declaration is looked for. Bytes. */
const XML_HEAD = 512;
const GETTEXT_HEAD = 65_536;

/**
 * The encoding that a file of the format declares, as it writes it; `null` when it declares none or files of the
 * format do not. The bytes must be ASCII as far as the declaration goes, which those of every such encoding are.
 */
export function declaredEncoding(bytes: Uint8Array, format: FormatName | undefined): string | null {
  switch (format) {
    case "xliff12":
    case "xliff20":
      return (
        /^\s*<\?xml\b[^>]*?\bencoding\s*=\s*["']([\w.:-]+)["']/u.exec(asciiHead(bytes, XML_HEAD))?.[1] ?? null
      );
    case "po":
    case "pot":
      return (
        /^"Content-Type:[^"\n]*?\bcharset=([\w.:-]+)/imu.exec(asciiHead(bytes, GETTEXT_HEAD))?.[1] ?? null
      );
    default:
      return null;
  }
}

function asciiHead(bytes: Uint8Array, length: number): string {
  return new TextDecoder("latin1").decode(bytes.subarray(0, length));
}

const encodings = new Map<string, SingleByteEncoding | undefined>();

/** The encoding of that name (any of the usual ones, upper and lower case alike); `undefined`: it is no such one. */
export function singleByteEncoding(name: string): SingleByteEncoding | undefined {
  const label = name.toLowerCase();
  if (!encodings.has(label)) encodings.set(label, createEncoding(label));
  return encodings.get(label);
}

/** Names of the Encoding Standard with one byte for each character. Its `iso-8859-1` is `windows-1252`. */
const SINGLE_BYTE =
  /^(?:windows-(?:125\d|874)|iso-8859-\d{1,2}(?:-[ei])?|koi8-[ru]|ibm866|macintosh|x-mac-cyrillic)$/u;
const ASCII = /^(?:us-)?ascii$/u;
const LATIN1 = /^(?:iso[-_]?8859[-_]1|latin-?1|l1)$/u;

function createEncoding(label: string): SingleByteEncoding | undefined {
  if (ASCII.test(label)) return encodingOfTable(Array.from({ length: 128 }, (_, byte) => byte));
  if (LATIN1.test(label)) return encodingOfTable(Array.from({ length: 256 }, (_, byte) => byte));
  const decoder = decoderOf(label);
  if (decoder === undefined || !SINGLE_BYTE.test(decoder.encoding)) return undefined;
  // The Encoding Standard gives some ISO names Windows' characters in the place of the control characters.
  const isIso = /^iso[-_]?8859|^latin/u.test(label);
  return encodingOfTable(
    Array.from({ length: 256 }, (_, byte) => {
      if (isIso && byte >= 0x80 && byte < 0xa0) return byte;
      const code = decoder.decode(Uint8Array.of(byte)).charCodeAt(0);
      return code === 0xfffd ? -1 : code;
    }),
  );
}

function decoderOf(label: string): InstanceType<typeof TextDecoder> | undefined {
  try {
    return new TextDecoder(label);
  } catch {
    // No encoding has such a name.
    return undefined;
  }
}

/** `table[byte]`: the character's code; `-1`, or missing: none. */
function encodingOfTable(table: readonly number[]): SingleByteEncoding {
  const bytesOf = new Map(table.flatMap((code, byte) => (code < 0 ? [] : [[code, byte] as const])));
  return {
    decode: (bytes) => {
      const codes = new Uint16Array(bytes.length);
      for (let index = 0; index < bytes.length; index++) {
        const code = table[bytes[index] ?? 0] ?? -1;
        if (code < 0) return null;
        codes[index] = code;
      }
      return new TextDecoder("utf-16le", { ignoreBOM: true }).decode(codes);
    },
    encode: (text) => {
      const bytes = new Uint8Array(text.length);
      for (let index = 0; index < text.length; index++) {
        bytes[index] = bytesOf.get(text.charCodeAt(index)) ?? 0x3f;
      }
      return bytes;
    },
    canEncode: (text) => {
      for (let index = 0; index < text.length; index++)
        if (!bytesOf.has(text.charCodeAt(index))) return false;
      return true;
    },
  };
}
