/**
 * Reads untrusted zip archives: checks the directory before unpacking anything, and never unpacks more than the sizes
 * declared there.
 */
import { isUtf8 } from "node:buffer";
import { crc32, inflateRawSync } from "node:zlib";

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
const STORED = 0;
const DEFLATED = 8;
/** Maximum of the 16-bit counter in the end record. */
const MAX_ENTRIES = 0xffff;

/**
 * Returns the files of the archive (not the folders).
 * @throws {ZipError} also from `read` of an entry
 */
export function readZip(bytes: Uint8Array, limits: ZipLimits): ZipEntry[] {
  const data = bufferOf(bytes);
  const entries: ZipEntry[] = [];
  let unpacked = 0;
  for (const header of readZipDirectory(bytes, limits.entries).headers) {
    if (header.path.endsWith("/")) continue;
    if ((header.flags & ENCRYPTED) !== 0) throw new ZipError("unreadable", "encrypted");
    if ((header.mode & 0xf000) === SYMLINK) throw new ZipError("unsafe", "symbolic link");
    if (/\.zip$/iu.test(header.path)) throw new ZipError("unsafe", "zip in a zip");
    unpacked += header.size;
    if (unpacked > limits.unpackedBytes) throw new ZipError("unsafe", "unpacks to too many bytes");
    if (header.size > 1024 * 1024 && header.size > header.packed * limits.ratio) {
      throw new ZipError("unsafe", "compression ratio is too high");
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
  const data = bufferOf(bytes);
  const end = endOf(data);
  const count = data.readUInt16LE(end + 10);
  const size = data.readUInt32LE(end + 12);
  const start = data.readUInt32LE(end + 16);
  if (count === 0xffff || start === 0xffffffff || start + size > end)
    throw new ZipError("unreadable", "directory is broken");
  if (count > maxEntries) throw new ZipError("unsafe", "too many entries");
  const headers: ZipHeader[] = [];
  let at = start;
  for (let index = 0; index < count; index++) {
    if (at + 46 > end || data.readUInt32LE(at) !== CENTRAL)
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

function centralHeader(data: Buffer, at: number): ZipHeader {
  const flags = data.readUInt16LE(at + 8);
  const nameLength = data.readUInt16LE(at + 28);
  const name = data.subarray(at + 46, at + 46 + nameLength);
  return {
    // Without the flag the code page is unknown, but most of today's programs write UTF-8 anyway.
    path: new TextDecoder((flags & UTF8_NAME) !== 0 || isUtf8(name) ? "utf-8" : "latin1").decode(name),
    flags,
    method: data.readUInt16LE(at + 10),
    crc: data.readUInt32LE(at + 16),
    packed: data.readUInt32LE(at + 20),
    size: data.readUInt32LE(at + 24),
    mode: data.readUInt8(at + 5) === 3 ? data.readUInt16LE(at + 40) : 0,
    local: data.readUInt32LE(at + 42),
    at,
    next: at + 46 + nameLength + data.readUInt16LE(at + 30) + data.readUInt16LE(at + 32),
  };
}

function unpack(data: Buffer, { local: at, method, packed, size, crc }: ZipHeader): Uint8Array {
  const fail = (message: string): never => {
    throw new ZipError("unreadable", message);
  };
  if (at + 30 > data.length || data.readUInt32LE(at) !== LOCAL) fail("entry is broken");
  const start = at + 30 + data.readUInt16LE(at + 26) + data.readUInt16LE(at + 28);
  if (start + packed > data.length) fail("entry is cut off");
  if (method !== STORED && method !== DEFLATED) fail("unknown compression");
  const content = data.subarray(start, start + packed);
  let bytes: Uint8Array = content;
  try {
    if (method === DEFLATED) bytes = inflateRawSync(content, { maxOutputLength: Math.max(size, 1) });
  } catch (error) {
    const isTooLarge = (error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE";
    fail(isTooLarge ? "entry is larger than declared" : "entry is broken");
  }
  if (bytes.length !== size || crc32(bytes) !== crc) fail("entry is broken");
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** Returns the offset of the end record, which only a comment may follow. */
function endOf(data: Buffer): number {
  for (let at = data.length - 22; at >= Math.max(0, data.length - 22 - 0xffff); at--) {
    if (data.readUInt32LE(at) === END && at + 22 + data.readUInt16LE(at + 20) === data.length) return at;
  }
  throw new ZipError("unreadable", "not a zip");
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
