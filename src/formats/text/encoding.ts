/**
 * Decodes and encodes files: UTF-8, UTF-16 with a byte order mark, and single-byte encodings that the file itself
 * declares. Bytes that could not be written back unchanged are rejected. The byte order mark is not part of the
 * decoded text.
 */
import { type FormatInfo, formatInfo, type FormatName } from "../../model/file-formats.ts";
import { positionsOf } from "./lines-and-indentation.ts";

/** Decoded text and its encoding. */
export interface Decoded {
  readonly text: string;
  /** Whether the file has a byte order mark. */
  readonly bom: boolean;
  /** Absent: UTF-8. Otherwise a single-byte encoding, as named in the file. */
  readonly encoding?: string;
}

/** Bytes that cannot be decoded, and the position of the first invalid one (line and column from 1). */
export interface UndecodableBytes {
  readonly refused: "encoding";
  readonly line: number;
  readonly column: number;
}

const BOM = [0xef, 0xbb, 0xbf] as const;

/**
 * Decodes bytes. `format` determines whether the file may declare its encoding (gettext's charset, the XML
 * declaration); anything else that is neither valid UTF-8 nor UTF-16 with a byte order mark is rejected.
 */
export function decodeText(bytes: Uint8Array, format?: FormatName): Decoded | UndecodableBytes {
  const wide = wideEncoding(bytes);
  if (wide !== null) return decodeWide(bytes, wide);
  const bom = BOM.every((byte, index) => bytes[index] === byte);
  const body = bom ? bytes.subarray(BOM.length) : bytes;
  const text = decodeStrictly("utf-8", body);
  const declared =
    bom || (text !== null && text.length < body.length) ? null : declaredEncoding(body, format);
  if (declared !== null) {
    const singleByte = singleByteEncoding(declared);
    const own = singleByte?.decode(body) ?? null;
    if (own !== null) return { text: own, bom, encoding: declared };
    // Also if the text is ASCII: what is written into it would not be.
    if (text !== null && singleByte === undefined && !isUnicodeLabel(declared)) {
      const start = Math.max(0, text.indexOf(declared));
      return undecodableAt(text, start);
    }
  }
  if (text === null) {
    const before = validStart(body);
    return undecodableAt(before, before.length);
  }
  // ASCII encoded as UTF-16 without a byte order mark is valid UTF-8 in which every other character is NUL.
  return text.includes("\0") && looksWide(text) ? { refused: "encoding", line: 1, column: 2 } : { text, bom };
}

/** Whether the bytes could not be decoded. */
export function isUndecodable(decoded: Decoded | UndecodableBytes): decoded is UndecodableBytes {
  return "refused" in decoded;
}

/** Whether the file declares an encoding that is not supported, so that it is rejected whatever it contains. */
export function declaresUnsupportedEncoding(bytes: Uint8Array, format: FormatName | undefined): boolean {
  const declared = declaredEncoding(bytes, format);
  return declared !== null && singleByteEncoding(declared) === undefined && !isUnicodeLabel(declared);
}

/** Whether the encoding can represent every character of the text. */
export function canEncode({ encoding }: Pick<Decoded, "encoding">, text: string): boolean {
  const singleByte = encoding === undefined ? undefined : singleByteEncoding(encoding);
  return singleByte === undefined ? text.isWellFormed() : singleByte.canEncode(text);
}

/** Encodes a text. Characters that the encoding lacks (see `canEncode`) become U+FFFD or `?`. */
export function encodeText({ text, bom, encoding }: Decoded): Uint8Array {
  if (encoding !== undefined && isWide(encoding)) return encodeWide(text, bom, encoding);
  const singleByte = encoding === undefined ? undefined : singleByteEncoding(encoding);
  return singleByte?.encode(text) ?? new TextEncoder().encode(bom ? `\ufeff${text}` : text);
}

/** Whether both arrays have the same bytes. */
export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}

type Wide = "utf-16le" | "utf-16be";

function isWide(encoding: string): encoding is Wide {
  return encoding === "utf-16le" || encoding === "utf-16be";
}

function wideEncoding(bytes: Uint8Array): Wide | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  return bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : null;
}

function decodeWide(bytes: Uint8Array, encoding: Wide): Decoded | UndecodableBytes {
  const text = decodeStrictly(encoding, bytes.subarray(2));
  if (text !== null) return { text, bom: true, encoding };
  const lenient = new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes.subarray(2));
  return undecodableAt(lenient, Math.max(0, lenient.indexOf("\ufffd")));
}

function encodeWide(text: string, bom: boolean, encoding: Wide): Uint8Array {
  const bytes = Buffer.from(bom ? `\ufeff${text}` : text, "utf16le");
  return new Uint8Array(encoding === "utf-16le" ? bytes : bytes.swap16());
}

/** Decodes bytes without removing a byte order mark; `null` if they are not valid. */
export function decodeStrictly(encoding: string, bytes: Uint8Array, stream = false): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes, { stream });
  } catch {
    return null;
  }
}

function looksWide(text: string): boolean {
  const head = text.slice(0, 64);
  const nuls = head.split("\0").length - 1;
  return nuls * 2 >= head.length - 1;
}

/** Returns the refusal of bytes of which the text is valid up to the offset. */
function undecodableAt(text: string, offset: number): UndecodableBytes {
  const { line = 1, column = 1 } = positionsOf(text, [offset]).get(offset) ?? {};
  return { refused: "encoding", line, column };
}

/** Returns what bytes say in UTF-8 before the first that is not valid. */
function validStart(bytes: Uint8Array): string {
  let text = "";
  let [low, high] = [0, bytes.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    // A sequence that the end cuts is no error of a stream, and left out.
    const start = decodeStrictly("utf-8", bytes.subarray(0, middle), true);
    if (start === null) high = middle - 1;
    else [low, text] = [middle, start];
  }
  return text;
}

/** A single-byte encoding of old files. */
interface SingleByteEncoding {
  /** Returns `null` if a byte is undefined in the encoding. */
  decode(bytes: Uint8Array): string | null;
  /** Replaces characters that the encoding lacks by `?`. */
  encode(text: string): Uint8Array;
  canEncode(text: string): boolean;
}

/** How formats declare their encoding in their first bytes, which are ASCII in all supported encodings. */
const DECLARATIONS: Readonly<
  Record<
    NonNullable<FormatInfo["encodingDeclaration"]>,
    { readonly bytes: number; readonly read: (head: string) => string | undefined }
  >
> = {
  xml: { bytes: 512, read: xmlEncoding },
  gettext: { bytes: 65_536, read: gettextCharset },
};

function xmlEncoding(head: string): string | undefined {
  return /^\s*<\?xml\b[^>]*?\bencoding\s*=\s*["']([\w.:-]+)["']/u.exec(head)?.[1];
}

/** The text of the message with the empty msgid, in any number of pieces. */
const GETTEXT_HEADER = /^[ \t]*msgid(?:\s*"")+\s*msgstr((?:\s*"(?:[^"\\\n]|\\.)*")+)/mu;

function gettextCharset(head: string): string | undefined {
  const text = GETTEXT_HEADER.exec(head)?.[1]?.replaceAll(/"\s*"/gu, "");
  return text && /Content-Type:(?:(?!\\n).)*?\bcharset=([\w.:-]+)/iu.exec(text)?.[1];
}

/** Whether the label is one of UTF-8 or UTF-16, or gettext's placeholder for one in templates. */
function isUnicodeLabel(label: string): boolean {
  if (/^charset$/iu.test(label)) return true;
  try {
    return new TextDecoder(label).encoding.startsWith("utf-");
  } catch {
    return false;
  }
}

/** Returns the encoding that the file declares, as written; `null` if there is no declaration. */
export function declaredEncoding(bytes: Uint8Array, format: FormatName | undefined): string | null {
  const kind = format === undefined ? null : formatInfo(format).encodingDeclaration;
  if (kind === null) return null;
  const declaration = DECLARATIONS[kind];
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, declaration.bytes));
  return declaration.read(head) ?? null;
}

const encodings = new Map<string, SingleByteEncoding | undefined>();

/** Returns the single-byte encoding with that name (any usual alias, case-insensitive); `undefined` if it is none. */
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
  if (ASCII.test(label)) return encodingOfTable([...Array(128).keys()]);
  if (LATIN1.test(label)) return encodingOfTable([...Array(256).keys()]);
  let decoder: InstanceType<typeof TextDecoder>;
  try {
    decoder = new TextDecoder(label);
  } catch {
    // Not a valid label.
    return undefined;
  }
  if (!SINGLE_BYTE.test(decoder.encoding)) return undefined;
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
