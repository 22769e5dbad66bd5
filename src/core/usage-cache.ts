/**
 * A usage table as bytes for the project's store, and back. Bytes of another version, of other options, or
 * damaged ones are simply not taken: the index is then built anew.
 */
import { UsageTable, type FileRecord, type LeftOutReason } from "./usage-table.ts";

/** To be raised whenever the engine finds other uses than before, or the layout changes. */
const VERSION = 3;

/** Path, size, time, number of uses, and why it was left out (0: it was not). */
type FileRow = [path: string, size: number, modified: number, uses: number, leftOut: LeftOutReason | 0];

interface Header {
  readonly version: number;
  readonly fingerprint: string;
  readonly texts: readonly string[];
  readonly files: readonly FileRow[];
}

/** The table as bytes: a length, a JSON header of that length, and the uses as variable-length numbers. */
export function encodeTable(table: UsageTable, fingerprint: string): Uint8Array {
  const positions = new Map<number, number>();
  const texts: string[] = [];
  for (const id of table.ids()) {
    positions.set(id, texts.length);
    texts.push(table.text(id));
  }
  const files: FileRow[] = [];
  const numbers = new NumberWriter();
  for (const [path, { stamp, uses, leftOut }] of table.files) {
    files.push([path, stamp.size, stamp.modified, uses.length / 3, leftOut ?? 0]);
    let last = 0;
    for (let index = 0; index < uses.length; index += 3) {
      const start = uses[index + 1] ?? 0;
      numbers.write(positions.get(uses[index] ?? 0) ?? 0);
      numbers.write(start - last);
      numbers.write(uses[index + 2] ?? 0);
      last = start;
    }
  }
  const header = new TextEncoder().encode(
    JSON.stringify({ version: VERSION, fingerprint, texts, files } satisfies Header),
  );
  const body = numbers.bytes();
  const bytes = new Uint8Array(4 + header.length + body.length);
  new DataView(bytes.buffer).setUint32(0, header.length);
  bytes.set(header, 4);
  bytes.set(body, 4 + header.length);
  return bytes;
}

/** The table of the bytes, or `undefined` when they are not of this version and these options. */
export function decodeTable(bytes: Uint8Array, fingerprint: string): UsageTable | undefined {
  try {
    const length = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(0);
    const header = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length))) as Partial<Header>;
    if (header.version !== VERSION || header.fingerprint !== fingerprint) return undefined;
    return readTable(header as Header, new NumberReader(bytes, 4 + length));
  } catch {
    return undefined;
  }
}

function readTable({ texts, files }: Header, numbers: NumberReader): UsageTable {
  const table = new UsageTable();
  for (const [path, size, modified, count, leftOut] of files) {
    const uses = new Int32Array(count * 3);
    let last = 0;
    for (let index = 0; index < uses.length; index += 3) {
      uses[index] = numbers.read();
      last += numbers.read();
      uses[index + 1] = last;
      uses[index + 2] = numbers.read();
    }
    const record: FileRecord = { stamp: { size, modified }, uses, leftOut: leftOut === 0 ? null : leftOut };
    table.restore(path, record, texts);
  }
  return table;
}

/** Non-negative integers, seven bits a byte, the lowest first. */
class NumberWriter {
  #bytes = new Uint8Array(4_096);
  #length = 0;

  write(value: number): void {
    if (this.#length + 5 > this.#bytes.length) {
      const larger = new Uint8Array(this.#bytes.length * 2);
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    let rest = value;
    while (rest >= 0x80) {
      this.#bytes[this.#length++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    this.#bytes[this.#length++] = rest;
  }

  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }
}

class NumberReader {
  readonly #bytes: Uint8Array;
  #at: number;

  constructor(bytes: Uint8Array, at: number) {
    this.#bytes = bytes;
    this.#at = at;
  }

  read(): number {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) throw new RangeError("the kept index ends early");
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    throw new RangeError("a number of the kept index is too long");
  }
}
