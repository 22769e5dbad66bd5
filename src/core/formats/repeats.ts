/**
 * Packs short texts as bytes: what stands there for a second time is said by how far back it stood, in LZ4's block
 * format. Deflate makes a third less of them, but takes five times as long to unpack them and leaves much behind.
 */

/** A shorter repeat takes no more as it is. */
const SHORTEST = 4;
/** How far back a repeat may be, in bytes. */
const FARTHEST = 0xffff;
/** The most that fits into half of a byte; what is more of a length follows in bytes of their own. */
const MOST_IN_HALF = 15;
const MOST_IN_BYTE = 255;

/** Where four bytes last stood, and one, by their hash; 0: nowhere yet. */
const HASH_BITS = 13;
const places = new Int32Array(1 << HASH_BITS);

/** How many bytes so many may take packed. */
export function mostPacked(length: number): number {
  return length + Math.ceil(length / MOST_IN_BYTE) + 16;
}

/** Packs the first `length` bytes to `out`, which must have room for `mostPacked`; how many they are then. */
export function packBytes(bytes: Uint8Array, length: number, out: Uint8Array): number {
  places.fill(0);
  let end = 0;
  /** Where begins what is not packed yet. */
  let start = 0;
  for (let at = 0; at + SHORTEST <= length;) {
    const hash = Math.imul(fourAt(bytes, at), 0x9e3779b1) >>> (32 - HASH_BITS);
    const before = (places[hash] ?? 0) - 1;
    places[hash] = at + 1;
    if (before === -1 || at - before > FARTHEST || fourAt(bytes, before) !== fourAt(bytes, at)) {
      at++;
      continue;
    }
    let next = at + SHORTEST;
    while (next < length && bytes[next] === bytes[before + next - at]) next++;
    end = put(bytes.subarray(start, at), next - at - SHORTEST, out, end);
    out[end++] = (at - before) & 0xff;
    out[end++] = (at - before) >> 8;
    end = putRest(next - at - SHORTEST, out, end);
    at = start = next;
  }
  return put(bytes.subarray(start, length), 0, out, end);
}

/** Unpacks what `packBytes` packed to `out`, which must have room for it; how many bytes it is. */
export function unpackBytes(packed: Uint8Array, out: Uint8Array): number {
  let at = 0;
  let end = 0;
  const lengthOf = (half: number): number => {
    let length = half;
    if (half < MOST_IN_HALF) return length;
    let more: number;
    do {
      more = packed[at++] ?? 0;
      length += more;
    } while (more === MOST_IN_BYTE);
    return length;
  };
  while (at < packed.length) {
    const lengths = packed[at++] ?? 0;
    for (let count = lengthOf(lengths >> 4); count > 0; count--) out[end++] = packed[at++] ?? 0;
    if (at >= packed.length) break;
    const back = (packed[at] ?? 0) | ((packed[at + 1] ?? 0) << 8);
    at += 2;
    // A repeat may reach into itself, so it is copied byte by byte.
    for (let count = SHORTEST + lengthOf(lengths & 15); count > 0; count--, end++)
      out[end] = out[end - back] ?? 0;
  }
  return end;
}

function fourAt(bytes: Uint8Array, at: number): number {
  return (
    (bytes[at] ?? 0) |
    ((bytes[at + 1] ?? 0) << 8) |
    ((bytes[at + 2] ?? 0) << 16) |
    ((bytes[at + 3] ?? 0) << 24)
  );
}

/** Both lengths, and the bytes that are as they are. */
function put(plain: Uint8Array, repeat: number, out: Uint8Array, at: number): number {
  out[at++] = (Math.min(plain.length, MOST_IN_HALF) << 4) | Math.min(repeat, MOST_IN_HALF);
  const end = putRest(plain.length, out, at);
  out.set(plain, end);
  return end + plain.length;
}

function putRest(length: number, out: Uint8Array, at: number): number {
  if (length < MOST_IN_HALF) return at;
  let rest = length - MOST_IN_HALF;
  for (; rest >= MOST_IN_BYTE; rest -= MOST_IN_BYTE) out[at++] = MOST_IN_BYTE;
  out[at++] = rest;
  return at;
}
