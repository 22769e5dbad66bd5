/**
 * A long text of many strings in compressed pieces, half of its memory or less; a piece is unpacked when a string of it
 * is asked for. Where each string stands, its owner knows (packed-strings.ts).
 */
import { grown } from "../grown.ts";
import { mostPacked, packBytes, unpackBytes } from "./repeats.ts";

/** A text as it is, or in pieces. Plain data. */
export type PackedText = string | TextPieces;

/** No string goes over the end of a piece. */
export interface TextPieces {
  /** One compressed piece after the other. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Where each piece ends in `bytes`. */
  readonly byteEnds: Uint32Array<ArrayBuffer>;
  /** Where each piece ends in the text, in UTF-16 units. */
  readonly ends: Uint32Array<ArrayBuffer>;
}

/** Characters of a piece, before its last string: some 50 µs to compress, and as long to unpack. */
const PIECE = 8 * 1024;
/** A shorter text stays as it is: what goes with pieces takes some hundred bytes. */
const SHORT = 8 * 1024;

/** Gathers a text, and compresses it as it comes. */
export class TextPacker {
  readonly #isPlain: boolean;
  #length = 0;
  #piece = "";
  /** Not compressed yet. */
  #pieces: string[] = [];
  readonly #ends: number[] = [];
  readonly #byteEnds: number[] = [];
  #bytes = new Uint8Array();

  /** `isPlain`: it stays as it is, however long. */
  constructor(isPlain: boolean) {
    this.#isPlain = isPlain;
  }

  get length(): number {
    return this.#length;
  }

  /** Adds a string that is not to be torn. */
  add(text: string): void {
    this.#piece += text;
    this.#length += text.length;
    if (this.#piece.length >= PIECE) this.#endPiece();
  }

  packed(): PackedText {
    this.#endPiece();
    if (this.#byteEnds.length === 0) return this.#pieces.join("");
    const packed = {
      bytes: this.#bytes.slice(0, this.#byteEnds.at(-1)),
      byteEnds: Uint32Array.from(this.#byteEnds),
      ends: Uint32Array.from(this.#ends),
    };
    return packed.bytes.length < this.#length ? packed : whole(packed);
  }

  #endPiece(): void {
    if (this.#piece !== "") {
      this.#ends.push(this.#length);
      this.#pieces.push(this.#piece);
      this.#piece = "";
    }
    if (this.#isPlain || this.#length < SHORT) return;
    for (const piece of this.#pieces) this.#append(compressed(piece));
    this.#pieces = [];
  }

  #append(bytes: Uint8Array): void {
    const start = this.#byteEnds.at(-1) ?? 0;
    const end = start + bytes.length;
    this.#bytes = grown(this.#bytes, end);
    this.#bytes.set(bytes, start);
    this.#byteEnds.push(end);
  }
}

/** The part of the text; of one in pieces a part of one that was added at once. */
export function sliceOf(text: PackedText, start: number, end: number): string {
  if (typeof text === "string") return text.slice(start, end);
  if (start === end) return "";
  const index = pieceAt(text.ends, start);
  const before = index === 0 ? 0 : (text.ends[index - 1] ?? 0);
  return unpacked(text, index).slice(start - before, end - before);
}

/** Whether two texts whose strings end at the same places are the same. */
export function isSameText(a: PackedText, b: PackedText): boolean {
  if (typeof a === "string" || typeof b === "string") return whole(a) === whole(b);
  return a.bytes.length === b.bytes.length && a.bytes.every((byte, at) => byte === b.bytes[at]);
}

/** The memory of a text that goes to another thread whole. */
export function textBuffers(text: PackedText): ArrayBuffer[] {
  return typeof text === "string" ? [] : [text.bytes.buffer, text.byteEnds.buffer, text.ends.buffer];
}

/** The piece that was asked for last, of whatever text. */
let last: { readonly text: TextPieces; readonly index: number; readonly piece: string } | null = null;

/** Of each text its pieces by their numbers, until memory is collected: those asked for twice; `null`: once. */
const asked = new WeakMap<TextPieces, WeakRef<Map<number, string | null>>>();

/**
 * Nothing stays of a way through all strings in their order, which unpacks each piece once. Of a way in any other order,
 * or of a second one, pieces stay, so that none is unpacked more than twice.
 */
function unpacked(text: TextPieces, index: number): string {
  if (last?.text === text && last.index === index) return last.piece;
  let pieces = asked.get(text)?.deref();
  if (pieces === undefined) asked.set(text, new WeakRef((pieces = new Map())));
  let piece = pieces.get(index) ?? null;
  if (piece === null) {
    const isSecond = pieces.has(index);
    piece = uncompressed(text, index);
    pieces.set(index, isSecond ? piece : null);
  }
  last = { text, index, piece };
  return piece;
}

function whole(text: PackedText): string {
  if (typeof text === "string") return text;
  return Array.from(text.ends, (_, index) => uncompressed(text, index)).join("");
}

/** The first piece that ends after the offset. */
function pieceAt(ends: Uint32Array, offset: number): number {
  let [low, high] = [0, ends.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ends[middle] ?? 0) > offset) high = middle;
    else low = middle + 1;
  }
  return low;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
/** What a piece begins with that is written as JSON. */
const QUOTE = '"';

/** A UTF-16 unit takes at most so many bytes, as `\uD800` does; the quotes are two more. */
const MOST_BYTES = 6;
/** Room for all but pieces with very long strings: of a text, and of the same packed. */
const ROOM = MOST_BYTES * 10 * 1024;
const textRoom = new Uint8Array(ROOM);
const packedRoom = new Uint8Array(mostPacked(ROOM));

/** The room itself where it is large enough. */
function atLeast(room: Uint8Array<ArrayBuffer>, length: number): Uint8Array<ArrayBuffer> {
  return length <= room.length ? room : new Uint8Array(length);
}

/** As UTF-8, which has no way to write half a character; JSON has. Good until the next is compressed. */
function compressed(piece: string): Uint8Array {
  const isPlain = piece.isWellFormed() && !piece.startsWith(QUOTE);
  const text = isPlain ? piece : JSON.stringify(piece);
  const bytes = atLeast(textRoom, MOST_BYTES * text.length);
  const { written } = encoder.encodeInto(text, bytes);
  const packed = atLeast(packedRoom, mostPacked(written));
  return packed.subarray(0, packBytes(bytes, written, packed));
}

function uncompressed({ bytes, byteEnds, ends }: TextPieces, index: number): string {
  const length = (ends[index] ?? 0) - (index === 0 ? 0 : (ends[index - 1] ?? 0));
  const text = atLeast(textRoom, MOST_BYTES * length + 2);
  const packed = bytes.subarray(index === 0 ? 0 : byteEnds[index - 1], byteEnds[index]);
  const piece = decoder.decode(text.subarray(0, unpackBytes(packed, text)));
  return piece.startsWith(QUOTE) ? (JSON.parse(piece) as string) : piece;
}
