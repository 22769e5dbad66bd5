/**
 * The zip around a workbook: unpacking in plain JavaScript with a bound on what comes out, and replacing one part
 * while all others keep their bytes. Knows nothing of what the parts say.
 */
import { deflateSync, Inflate as InflateStream } from "fflate";
import type { Inflate } from "../../ports.ts";
import { readZipDirectory, ZipError, type ZipHeader, type ZipLimits } from "../../zip.ts";

/** More than Excel itself ever packs, and little enough to hold in memory. */
export const WORKBOOK_LIMITS: ZipLimits = { entries: 10_000, unpackedBytes: 384 * 1024 * 1024, ratio: 200 };

/** Packed bytes that are inflated at a time; they can grow by a thousand times before the bound is looked at. */
const STEP = 32 * 1024;

const STREAMED = 0x0008;
const DEFLATED = 8;

/** The core's own inflate, for formats, which nothing is handed in to. */
export const INFLATE: Inflate = {
  inflateRaw(packed, most) {
    const out = new Uint8Array(most);
    let length = 0;
    const stream = new InflateStream((chunk) => {
      if (length + chunk.length > most) throw new ZipError("unsafe", "unpacks to more than it says");
      out.set(chunk, length);
      length += chunk.length;
    });
    for (let at = 0; at < packed.length; at += STEP) {
      stream.push(packed.subarray(at, at + STEP), at + STEP >= packed.length);
    }
    return out.subarray(0, length);
  },
  crc32,
};

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = (crc & 1) === 0 ? crc >>> 1 : (crc >>> 1) ^ 0xedb88320;
  return crc;
});

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (let at = 0; at < bytes.length; at++) {
    crc = (CRC_TABLE[(crc ^ (bytes[at] ?? 0)) & 0xff] ?? 0) ^ (crc >>> 8);
  }
  return (crc ^ 0xffffffff) >>> 0;
}

/**
 * The archive with one entry's content replaced: all other bytes, their order and dates stay. Throws `ZipError`
 * where entries do not simply stand one behind the other.
 */
export function replaceInZip(archive: Uint8Array, path: string, content: Uint8Array): Uint8Array {
  const { headers, start, end } = readZipDirectory(archive, WORKBOOK_LIMITS.entries);
  const pieces: Uint8Array[] = [];
  const moved = new Map<ZipHeader, { readonly local: number; readonly entry: Packed | null }>();
  const byPlace = [...headers].sort((a, b) => a.local - b.local);
  let length = 0;
  const push = (piece: Uint8Array): void => {
    pieces.push(piece);
    length += piece.length;
  };
  push(archive.subarray(0, byPlace[0]?.local ?? start));
  for (const [index, header] of byPlace.entries()) {
    const next = byPlace[index + 1]?.local ?? start;
    if (next < header.local + 30 || next > start) throw new ZipError("unreadable", "entries overlap");
    const entry = header.path === path ? packedEntry(archive, header, content) : null;
    moved.set(header, { local: length, entry });
    push(entry?.bytes ?? archive.subarray(header.local, next));
  }
  const directory = length;
  for (const header of headers) push(directoryRecord(archive, header, moved.get(header)));
  const record = copyOf(archive, end);
  const view = new DataView(record.buffer);
  view.setUint32(12, length - directory, true);
  view.setUint32(16, directory, true);
  push(record);
  const result = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    result.set(piece, at);
    at += piece.length;
  }
  return result;
}

/** An entry with its own header, and what the directory must know of it. */
interface Packed {
  readonly bytes: Uint8Array;
  readonly crc: number;
  readonly packed: number;
  readonly size: number;
}

function packedEntry(archive: Uint8Array, header: ZipHeader, content: Uint8Array): Packed {
  const packed = deflateSync(content, { level: 6 });
  const old = new DataView(archive.buffer, archive.byteOffset + header.local);
  const nameLength = old.getUint16(26, true);
  const bytes = new Uint8Array(30 + nameLength + packed.length);
  bytes.set(archive.subarray(header.local, header.local + 30 + nameLength));
  bytes.set(packed, 30 + nameLength);
  const crc = crc32(content);
  const view = new DataView(bytes.buffer);
  view.setUint16(6, header.flags & ~STREAMED, true);
  view.setUint16(8, DEFLATED, true);
  view.setUint32(14, crc, true);
  view.setUint32(18, packed.length, true);
  view.setUint32(22, content.length, true);
  // Extra fields may tell the old sizes.
  view.setUint16(28, 0, true);
  return { bytes, crc, packed: packed.length, size: content.length };
}

function directoryRecord(
  archive: Uint8Array,
  header: ZipHeader,
  moved: { readonly local: number; readonly entry: Packed | null } | undefined,
): Uint8Array {
  const record = copyOf(archive, header.at, header.next);
  const view = new DataView(record.buffer);
  view.setUint32(42, moved?.local ?? header.local, true);
  const entry = moved?.entry;
  if (entry == null) return record;
  view.setUint16(8, header.flags & ~STREAMED, true);
  view.setUint16(10, DEFLATED, true);
  view.setUint32(16, entry.crc, true);
  view.setUint32(20, entry.packed, true);
  view.setUint32(24, entry.size, true);
  return record;
}

/** Bytes of its own: `slice` of what Node and VS Code read with (`Buffer`) is none. */
function copyOf(bytes: Uint8Array, start: number, end?: number): Uint8Array {
  return new Uint8Array(bytes.subarray(start, end));
}
