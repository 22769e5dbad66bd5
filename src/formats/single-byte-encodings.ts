/**
 * Single-byte encodings of old files: detects which one a file declares, and decodes and encodes its bytes. UTF-8 is
 * handled elsewhere; multi-byte encodings are not supported.
 */
import type { FormatName } from "../model/format-name.ts";

/** A single-byte encoding. */
export interface SingleByteEncoding {
  /** Returns `null` if a byte is undefined in the encoding. */
  decode(bytes: Uint8Array): string | null;
  /** Replaces characters that the encoding lacks by `?`. */
  encode(text: string): Uint8Array;
  canEncode(text: string): boolean;
}

/** Number of bytes in which the XML declaration is looked for. */
const XML_HEAD = 512;
const GETTEXT_HEAD = 65_536;

/**
 * Returns the encoding that a file of the format declares, as written in the file; `null` if there is no declaration.
 * The bytes up to the declaration must be ASCII, which all these encodings include.
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

/**
 * Returns the encoding with that name (any usual alias, case-insensitive); `undefined` if it is not a single-byte
 * encoding.
 */
export function singleByteEncoding(name: string): SingleByteEncoding | undefined {
  const label = name.toLowerCase();
  if (!encodings.has(label)) encodings.set(label, createEncoding(label));
  return encodings.get(label);
}

/** Labels of single-byte encodings in the Encoding Standard, in which `iso-8859-1` means `windows-1252`. */
const SINGLE_BYTE =
  /^(?:windows-(?:125\d|874)|iso-8859-\d{1,2}(?:-[ei])?|koi8-[ru]|ibm866|macintosh|x-mac-cyrillic)$/u;
const ASCII = /^(?:us-)?ascii$/u;
const LATIN1 = /^(?:iso[-_]?8859[-_]1|latin-?1|l1)$/u;

function createEncoding(label: string): SingleByteEncoding | undefined {
  if (ASCII.test(label)) return encodingOfTable(Array.from({ length: 128 }, (_, byte) => byte));
  if (LATIN1.test(label)) return encodingOfTable(Array.from({ length: 256 }, (_, byte) => byte));
  const decoder = decoderOf(label);
  if (decoder === undefined || !SINGLE_BYTE.test(decoder.encoding)) return undefined;
  // For some ISO labels the Encoding Standard has the characters of Windows instead of the C1 control characters.
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
    // Not a valid label.
    return undefined;
  }
}

/** @param table the code point of each byte; `-1` or missing: undefined */
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
