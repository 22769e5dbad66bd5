/** Builds compiled gettext files (`mo`) string by string. */

const HEAD = 28;

/** A string as text, or as bytes that are none. */
type Piece = string | Uint8Array;

export interface Layout {
  /** Slots of the hash table, all of them empty; 0: no table. */
  readonly hashSize?: number;
  /** What the file says of the table's place. */
  readonly hashAt?: number;
  readonly littleEndian?: boolean;
}

/** The msgids and their texts, in the order given. */
export function compiled(
  pairs: readonly (readonly [id: Piece, text: Piece])[],
  { hashSize = 0, hashAt = 0, littleEndian = true }: Layout = {},
): Uint8Array {
  const strings = [...pairs.map(([id]) => id), ...pairs.map(([, text]) => text)].map((piece) =>
    typeof piece === "string" ? new TextEncoder().encode(piece) : piece,
  );
  let at = HEAD + pairs.length * 16 + hashSize * 4;
  const bytes = new Uint8Array(strings.reduce((sum, { length }) => sum + length + 1, at));
  const data = new DataView(bytes.buffer);
  const head = [0x950412de, 0, pairs.length, HEAD, HEAD + pairs.length * 8, hashSize, hashAt];
  for (const [index, value] of head.entries()) data.setUint32(index * 4, value, littleEndian);
  for (const [index, string] of strings.entries()) {
    data.setUint32(HEAD + index * 8, string.length, littleEndian);
    data.setUint32(HEAD + index * 8 + 4, at, littleEndian);
    bytes.set(string, at);
    at += string.length + 1;
  }
  return bytes;
}
