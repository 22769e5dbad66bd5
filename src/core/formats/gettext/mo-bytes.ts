/**
 * gettext's compiled files as bytes: two tables of strings, and a hash table over the first. What the strings mean is
 * mo.ts's.
 */

/** A msgid (with its context and msgid_plural) and its texts, as they stand in the file. */
export interface MoPair {
  readonly id: Uint8Array;
  readonly text: Uint8Array;
}

/** A whole file. */
export interface MoFile {
  readonly pairs: readonly MoPair[];
  readonly littleEndian: boolean;
  /** It has a hash table, which a program may look up texts by. */
  readonly hashed: boolean;
  /** The size of the file's own table and for how many strings; absent: as gettext makes it. */
  readonly hashSize?: { readonly size: number; readonly strings: number };
  /** Where there is no table the file says 0 for its place, as Python's programs do, not what stands there. */
  readonly placeless?: boolean;
}

/** Why a file could not be taken apart. `sound`: what was read may be relied upon. */
export interface MoFault {
  readonly message: string;
}

const MAGIC = 0x950412de;
const HEAD = 28;
/** Strings may share their bytes; so much of it would only be there to fill the memory. */
const MOST_SHARING = 4;

/** Takes the file apart; a fault as soon as anything points outside of it. */
export function parseMo(bytes: Uint8Array): MoFile | MoFault {
  const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < HEAD) return { message: `${bytes.length} bytes are too few for a header of ${HEAD}` };
  const littleEndian = data.getUint32(0, true) === MAGIC;
  if (!littleEndian && data.getUint32(0, false) !== MAGIC) return { message: "no compiled gettext file" };
  const [revision = 0, count = 0, ids = 0, texts = 0, size = 0, place = 0] = [4, 8, 12, 16, 20, 24].map(
    (offset) => data.getUint32(offset, littleEndian),
  );
  // A minor revision of 1 has strings that the loading program puts together for its system.
  if (revision !== 0) return { message: `revision ${revision >>> 16}.${revision & 0xffff} is not known` };
  if (ids + count * 8 > bytes.length || texts + count * 8 > bytes.length) {
    return { message: `the tables of ${count} strings end outside of the file` };
  }
  const stringAt = (table: number, index: number): Uint8Array | null => {
    const length = data.getUint32(table + index * 8, littleEndian);
    const offset = data.getUint32(table + index * 8 + 4, littleEndian);
    return offset + length > bytes.length ? null : bytes.subarray(offset, offset + length);
  };
  const pairs: MoPair[] = [];
  let total = 0;
  for (let index = 0; index < count; index++) {
    const id = stringAt(ids, index);
    const text = stringAt(texts, index);
    if (id === null || text === null)
      return { message: `string ${index} of ${count} ends outside of the file` };
    total += id.length + text.length;
    if (total > bytes.length * MOST_SHARING) return { message: "the strings lie upon each other" };
    pairs.push({ id, text });
  }
  const hashSize = { size, strings: count };
  return { pairs, littleEndian, hashed: size > 0, hashSize, placeless: size === 0 && place === 0 };
}

export function isMoFault(parsed: MoFile | MoFault): parsed is MoFault {
  return "message" in parsed;
}

/** The file's bytes as msgfmt writes them: sorted, all msgids before all texts. */
export function buildMo({ pairs, littleEndian, hashed, hashSize: own, placeless }: MoFile): Uint8Array {
  const sorted = pairs.toSorted((a, b) => compareBytes(a.id, b.id));
  const count = sorted.length;
  const isOwn = own?.strings === count && isTableSize(own.size, count);
  const hashSize = !hashed ? 0 : isOwn ? own.size : hashTableSize(count);
  const tables = HEAD + count * 16 + hashSize * 4;
  const strings = [...sorted.map(({ id }) => id), ...sorted.map(({ text }) => text)];
  const bytes = new Uint8Array(strings.reduce((sum, { length }) => sum + length + 1, tables));
  const data = new DataView(bytes.buffer);
  const head = [
    MAGIC,
    0,
    count,
    HEAD,
    HEAD + count * 8,
    hashSize,
    placeless === true ? 0 : HEAD + count * 16,
  ];
  for (const [index, value] of head.entries()) data.setUint32(index * 4, value, littleEndian);
  let offset = tables;
  for (const [index, string] of strings.entries()) {
    data.setUint32(HEAD + index * 8, string.length, littleEndian);
    data.setUint32(HEAD + index * 8 + 4, offset, littleEndian);
    bytes.set(string, offset);
    offset += string.length + 1;
  }
  if (hashed) fillHashTable(data, sorted, hashSize, littleEndian);
  return bytes;
}

/** As unsigned bytes; a shorter one before a longer one that begins like it. */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/** A prime, a third larger than the number of strings; the same one as gettext's, for which 3 is none. */
function hashTableSize(count: number): number {
  if (count < 2) return 3;
  let size = Math.max(5, Math.floor((count * 4) / 3) | 1);
  while (!isPrime(size)) size += 2;
  return size;
}

/** Whether every string finds its place in a table of that size. The versions of gettext differ for two strings. */
function isTableSize(size: number, count: number): boolean {
  return size >= 3 && size % 2 === 1 && size > count && size < count * 3 + 8 && isPrime(size);
}

function isPrime(odd: number): boolean {
  for (let divisor = 3; divisor * divisor <= odd; divisor += 2) if (odd % divisor === 0) return false;
  return true;
}

/** Double hashing over the msgid up to its NUL (a plural's msgid_plural does not count). */
function fillHashTable(data: DataView, sorted: readonly MoPair[], size: number, littleEndian: boolean): void {
  const start = HEAD + sorted.length * 16;
  for (const [index, { id }] of sorted.entries()) {
    const hash = hashOf(id);
    const step = 1 + (hash % (size - 2));
    let slot = hash % size;
    while (data.getUint32(start + slot * 4, littleEndian) !== 0) slot = (slot + step) % size;
    data.setUint32(start + slot * 4, index + 1, littleEndian);
  }
}

/** P. J. Weinberger's function, as gettext has it. */
function hashOf(id: Uint8Array): number {
  let hash = 0;
  for (const byte of id) {
    if (byte === 0) break;
    hash = ((hash << 4) + byte) >>> 0;
    const high = hash & 0xf0000000;
    if (high !== 0) hash = (hash ^ (high >>> 24) ^ high) >>> 0;
  }
  return hash;
}
