/**
 * Reads untrusted zip archives: checks the directory before unpacking anything, and never unpacks more than the sizes
 * declared there. Replaces single entries, preserving all other bytes.
 */
import { isUtf8 } from "node:buffer";
import { crc32, deflateRawSync, inflateRawSync } from "node:zlib";

/** Limits of an archive. `ratio`: maximum compression ratio of an entry that unpacks to over a megabyte. */
export interface ZipLimits {
  readonly entries: number;
  readonly unpackedBytes: number;
  readonly ratio: number;
}

export interface ZipEntry {
  /** As in the archive, with `/`. */
  readonly path: string;
  readonly size: number;
  read(): Uint8Array;
}

/** `unreadable`: not a zip, or broken or encrypted. `unsafe`: a zip bomb, a symbolic link or a nested zip. */
export class ZipError extends Error {
  readonly kind: "unreadable" | "unsafe";
  constructor(kind: ZipError["kind"], message: string) {
    super(message);
    this.kind = kind;
  }
}

const END = 0x06054b50;
const CENTRAL = 0x02014b50;
const LOCAL = 0x04034b50;
const UTF8_NAME = 0x0800;
const ENCRYPTED = 0x0001;
const SYMLINK = 0xa000;
const HAS_DATA_DESCRIPTOR = 0x0008;
const STORED = 0;
const DEFLATED = 8;
/** Maximum of the 16-bit counter in the end record. */
const MAX_ENTRIES = 0xffff;

/**
 * Returns the files of the archive (not the folders).
 * @throws {ZipError} also from `read` of an entry
 */
export function readZip(bytes: Uint8Array, limits: ZipLimits): ZipEntry[] {
  const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const entries: ZipEntry[] = [];
  let unpacked = 0;
  for (const header of readZipDirectory(bytes, limits.entries).headers) {
    if (header.path.endsWith("/")) continue;
    if ((header.flags & ENCRYPTED) !== 0) throw new ZipError("unreadable", "encrypted");
    if ((header.mode & 0xf000) === SYMLINK) throw new ZipError("unsafe", "symbolic link");
    if (/\.zip$/iu.test(header.path)) throw new ZipError("unsafe", "zip in a zip");
    unpacked += header.size;
    if (unpacked > limits.unpackedBytes) throw new ZipError("unsafe", "unpacks to too much");
    if (header.size > 1024 * 1024 && header.size > header.packed * limits.ratio) {
      throw new ZipError("unsafe", "packed too tightly");
    }
    entries.push({ path: header.path, size: header.size, read: () => unpack(data, header) });
  }
  return entries;
}

/** The directory of an archive as written, not validated. */
export interface ZipDirectory {
  readonly headers: readonly ZipHeader[];
  /** Offset of the directory, and of the end record after it. */
  readonly start: number;
  readonly end: number;
}

/**
 * Reads only the directory, including folders, in its own order.
 * @throws {ZipError}
 */
export function readZipDirectory(bytes: Uint8Array, maxEntries = MAX_ENTRIES): ZipDirectory {
  const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = endOf(data);
  const count = data.getUint16(end + 10, true);
  const size = data.getUint32(end + 12, true);
  const start = data.getUint32(end + 16, true);
  if (count === 0xffff || start === 0xffffffff || start + size > end)
    throw new ZipError("unreadable", "directory is broken");
  if (count > maxEntries) throw new ZipError("unsafe", "too many entries");
  const headers: ZipHeader[] = [];
  let at = start;
  for (let index = 0; index < count; index++) {
    if (at + 46 > end || data.getUint32(at, true) !== CENTRAL)
      throw new ZipError("unreadable", "directory is broken");
    const header = centralHeader(data, at);
    at = header.next;
    if (at > end) throw new ZipError("unreadable", "directory is broken");
    headers.push(header);
  }
  return { headers, start, end };
}

/** Whether unpacking this path could write outside of the target folder (§ POST /imports rule 8). */
export function isUnsafePath(path: string): boolean {
  const parts = path.split(/[\\/]/u);
  return path === "" || path.includes("\0") || /^(?:[\\/]|[A-Za-z]:)/u.test(path) || parts.includes("..");
}

/** A record of the directory. */
export interface ZipHeader {
  readonly path: string;
  readonly flags: number;
  readonly method: number;
  readonly crc: number;
  readonly packed: number;
  readonly size: number;
  readonly mode: number;
  /** Offset of the entry's local header, which precedes its data. */
  readonly local: number;
  /** Offsets of this record in the directory, and of the next one. */
  readonly at: number;
  readonly next: number;
}

function centralHeader(data: DataView, at: number): ZipHeader {
  const flags = data.getUint16(at + 8, true);
  const nameLength = data.getUint16(at + 28, true);
  const extraLength = data.getUint16(at + 30, true);
  const commentLength = data.getUint16(at + 32, true);
  const name = bytesOf(data, at + 46, nameLength);
  return {
    // Without the flag the code page is unknown, but most of today's programs write UTF-8 anyway.
    path: new TextDecoder((flags & UTF8_NAME) !== 0 || isUtf8(name) ? "utf-8" : "latin1").decode(name),
    flags,
    method: data.getUint16(at + 10, true),
    crc: data.getUint32(at + 16, true),
    packed: data.getUint32(at + 20, true),
    size: data.getUint32(at + 24, true),
    mode: data.getUint8(at + 5) === 3 ? data.getUint16(at + 40, true) : 0,
    local: data.getUint32(at + 42, true),
    at,
    next: at + 46 + nameLength + extraLength + commentLength,
  };
}

function unpack(data: DataView, header: ZipHeader): Uint8Array {
  const at = header.local;
  if (at + 30 > data.byteLength || data.getUint32(at, true) !== LOCAL)
    throw new ZipError("unreadable", "entry is broken");
  const start = at + 30 + data.getUint16(at + 26, true) + data.getUint16(at + 28, true);
  const packed = bytesOf(data, start, header.packed);
  if (packed.length !== header.packed) throw new ZipError("unreadable", "entry is cut off");
  if (header.method !== STORED && header.method !== DEFLATED)
    throw new ZipError("unreadable", "unknown compression");
  let bytes: Uint8Array;
  try {
    bytes =
      header.method === STORED
        ? packed
        : inflateRawSync(packed, { maxOutputLength: Math.max(header.size, 1) });
  } catch (error) {
    const isTooLarge = (error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE";
    throw new ZipError("unreadable", isTooLarge ? "entry unpacks to more than it says" : "entry is broken");
  }
  if (bytes.length !== header.size || crc32(bytes) !== header.crc)
    throw new ZipError("unreadable", "entry is broken");
  return bytes;
}

/** Returns the offset of the end record, which only a comment may follow. */
function endOf(data: DataView): number {
  for (let at = data.byteLength - 22; at >= Math.max(0, data.byteLength - 22 - 0xffff); at--) {
    if (data.getUint32(at, true) === END && at + 22 + data.getUint16(at + 20, true) === data.byteLength)
      return at;
  }
  throw new ZipError("unreadable", "no zip");
}

/** Returns at most `length` bytes from `at`. */
function bytesOf(data: DataView, at: number, length: number): Uint8Array {
  const start = Math.min(at, data.byteLength);
  return new Uint8Array(data.buffer, data.byteOffset + start, Math.min(length, data.byteLength - start));
}

/**
 * Replaces the content of one entry. All other bytes, their order and the dates stay the same.
 * @throws {ZipError} if the entries are not simply stored one after another
 */
export function replaceInZip(archive: Uint8Array, path: string, content: Uint8Array): Uint8Array {
  const { headers, start, end } = readZipDirectory(archive);
  const pieces: Uint8Array[] = [];
  const moved = new Map<ZipHeader, { readonly local: number; readonly entry: Packed | null }>();
  const byOffset = [...headers].sort((a, b) => a.local - b.local);
  let length = 0;
  const push = (piece: Uint8Array): void => {
    pieces.push(piece);
    length += piece.length;
  };
  push(archive.subarray(0, byOffset[0]?.local ?? start));
  for (const [index, header] of byOffset.entries()) {
    const next = byOffset[index + 1]?.local ?? start;
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
  return new Uint8Array(Buffer.concat(pieces));
}

/** An entry with its local header, and its new values for the directory. */
interface Packed {
  readonly bytes: Uint8Array;
  readonly crc: number;
  readonly packed: number;
  readonly size: number;
}

function packedEntry(archive: Uint8Array, header: ZipHeader, content: Uint8Array): Packed {
  const packed = deflateRawSync(content, { level: 6 });
  const old = new DataView(archive.buffer, archive.byteOffset + header.local);
  const nameLength = old.getUint16(26, true);
  const bytes = new Uint8Array(30 + nameLength + packed.length);
  bytes.set(archive.subarray(header.local, header.local + 30 + nameLength));
  bytes.set(packed, 30 + nameLength);
  const crc = crc32(content);
  const view = new DataView(bytes.buffer);
  view.setUint16(6, header.flags & ~HAS_DATA_DESCRIPTOR, true);
  view.setUint16(8, DEFLATED, true);
  view.setUint32(14, crc, true);
  view.setUint32(18, packed.length, true);
  view.setUint32(22, content.length, true);
  // Extra fields may contain the old sizes.
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
  view.setUint16(8, header.flags & ~HAS_DATA_DESCRIPTOR, true);
  view.setUint16(10, DEFLATED, true);
  view.setUint32(16, entry.crc, true);
  view.setUint32(20, entry.packed, true);
  view.setUint32(24, entry.size, true);
  return record;
}

/** Copies bytes: `slice` of a `Buffer`, which Node and VS Code return for a file, shares memory. */
function copyOf(bytes: Uint8Array, start: number, end?: number): Uint8Array {
  return new Uint8Array(bytes.subarray(start, end));
}
