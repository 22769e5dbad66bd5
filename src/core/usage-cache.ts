/**
 * A usage table as bytes for the project's store, and back. Bytes of another version, of other options, or
 * damaged ones are simply not taken: the index is then built anew.
 */
import { grown } from "./grown.ts";
import { REASONS, UsageTable, type FoundFile, type TableSizes } from "./usage-table.ts";

/** To be raised whenever the engine finds other uses than before, or the layout changes. */
const VERSION = 4;

/** Lets others run when this piece of work was long enough. */
type Breathe = () => Promise<void>;

/** Files, and pieces of texts, after which others may run. */
const SLICE = 64;

interface Header extends TableSizes {
  readonly version: number;
  readonly fingerprint: string;
}

/**
 * The table as bytes: a header as JSON, what is said, the paths, and of each file its stamp, why it was left out, how
 * many uses it has, and these, each start counted from the one before. What comes into the table meanwhile is not in them.
 */
export async function encodeTable(
  table: UsageTable,
  fingerprint: string,
  breathe: Breathe,
): Promise<Uint8Array> {
  const { files, uses, texts } = table.plain();
  const bytes = new Writer();
  const header: Header = {
    version: VERSION,
    fingerprint,
    texts: texts.length,
    files: files.length,
    uses: uses.length / 3,
  };
  bytes.text(JSON.stringify(header));
  await bytes.texts(texts, breathe);
  await bytes.texts(
    files.map(({ path }) => path),
    breathe,
  );
  for (const [index, { stamp, leftOut, from, count }] of files.entries()) {
    if (index % SLICE === 0) await breathe();
    bytes.float(stamp.size);
    bytes.float(stamp.modified);
    bytes.number(REASONS.indexOf(leftOut));
    bytes.number(count);
    let last = 0;
    for (let at = 3 * from; at < 3 * (from + count); at += 3) {
      const start = uses[at + 1] ?? 0;
      bytes.number(uses[at] ?? 0);
      bytes.number(start - last);
      bytes.number(uses[at + 2] ?? 0);
      last = start;
    }
  }
  return bytes.all();
}

/** The table of the bytes, or `undefined` when they are not of this version and these options. */
export async function decodeTable(
  bytes: Uint8Array,
  fingerprint: string,
  breathe: Breathe,
): Promise<UsageTable | undefined> {
  try {
    const reader = new Reader(bytes);
    const header = JSON.parse(reader.text()) as Partial<Header>;
    if (header.version !== VERSION || header.fingerprint !== fingerprint) return undefined;
    return await readTable(header as Header, reader, breathe);
  } catch {
    return undefined;
  }
}

async function readTable(header: Header, bytes: Reader, breathe: Breathe): Promise<UsageTable> {
  for (const count of [header.texts, header.files, header.uses]) bytes.check(count);
  const table = new UsageTable(header);
  const texts = await bytes.texts(header.texts, breathe);
  const paths = await bytes.texts(header.files, breathe);
  const uses = new Uint32Array(3 * header.uses);
  for (const [index, path] of paths.entries()) {
    if (index % SLICE === 0) await breathe();
    const stamp = { size: bytes.float(), modified: bytes.float() };
    const leftOut = REASONS[bytes.number()] ?? null;
    const file: FoundFile = { path, stamp, leftOut, from: 0, count: bytes.number() };
    let last = 0;
    for (let at = 0; at < 3 * file.count; at += 3) {
      uses[at] = bytes.number();
      // 32 bits, in which a step back goes all the way round.
      last = (last + bytes.number()) >>> 0;
      uses[at + 1] = last;
      uses[at + 2] = bytes.number();
    }
    table.take(file, { uses, texts });
  }
  return table;
}

/** So many texts are one piece of UTF-8. */
const PIECE = 64;

/** Bytes that grow: numbers in variable length, texts in UTF-8. */
class Writer {
  readonly #encoder = new TextEncoder();
  #bytes = new Uint8Array(4_096);
  #view = new DataView(this.#bytes.buffer);
  #length = 0;

  /** An integer of 32 bits, seven of them a byte, the lowest first; one below 0 as what it is above 0. */
  number(value: number): void {
    this.#reserve(5);
    let rest = value >>> 0;
    while (rest >= 0x80) {
      this.#bytes[this.#length++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    this.#bytes[this.#length++] = rest;
  }

  float(value: number): void {
    this.#reserve(8);
    this.#view.setFloat64(this.#length, value);
    this.#length += 8;
  }

  text(text: string): void {
    const bytes = this.#encoder.encode(text);
    this.number(bytes.length);
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  async texts(texts: readonly string[], breathe: Breathe): Promise<void> {
    for (let from = 0; from < texts.length; from += PIECE) {
      if (from % (SLICE * PIECE) === 0) await breathe();
      const piece = texts.slice(from, from + PIECE);
      this.text(piece.join(""));
      for (const text of piece) this.number(text.length);
    }
  }

  all(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  #reserve(more: number): void {
    const bytes = grown(this.#bytes, this.#length + more);
    if (bytes === this.#bytes) return;
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer);
  }
}

/** Reads what `Writer` wrote; throws where the bytes cannot be that. */
class Reader {
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  number(): number {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) throw new RangeError("the kept index ends early");
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value >>> 0;
    }
    throw new RangeError("a number of the kept index is too long");
  }

  float(): number {
    this.#at += 8;
    return this.#view.getFloat64(this.#at - 8);
  }

  text(): string {
    const length = this.number();
    this.check(length);
    this.#at += length;
    return this.#decoder.decode(this.#bytes.subarray(this.#at - length, this.#at));
  }

  async texts(count: number, breathe: Breathe): Promise<readonly string[]> {
    const texts: string[] = [];
    while (texts.length < count) {
      if (texts.length % (SLICE * PIECE) === 0) await breathe();
      const piece = this.text();
      let end = 0;
      for (let more = Math.min(PIECE, count - texts.length); more > 0; more--) {
        const start = end;
        end += this.number();
        texts.push(piece.slice(start, end));
      }
      if (end !== piece.length) throw new RangeError("a text of the kept index is not whole");
    }
    return texts;
  }

  /** Throws where so many things cannot come, of which each takes a byte or more. */
  check(count: number): void {
    if (!(count <= this.#bytes.length - this.#at)) throw new RangeError("the kept index ends early");
  }
}
