/**
 * Reads zip archives from strangers: judges the directory before anything is unpacked, and unpacks no more than
 * the directory said. Writing zips is not done here.
 */
import type { Inflate } from "./ports.ts";

/** What an archive may hold. `ratio`: unpacked to packed size of one entry over a megabyte. */
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

/** `unreadable`: no zip, or a broken or encrypted one. `unsafe`: a bomb, a symbolic link, a zip in the zip. */
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

/** The files of the archive (no folders). Throws `ZipError`; `read` does too. */
export function readZip(bytes: Uint8Array, limits: ZipLimits, inflate: Inflate): ZipEntry[] {
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
    entries.push({ path: header.path, size: header.size, read: () => unpack(data, header, inflate) });
  }
  return entries;
}

/** The directory of an archive, as it stands there; nothing in it is judged yet. */
export interface ZipDirectory {
  readonly headers: readonly ZipHeader[];
  /** Offset of the directory, and of the record behind it that ends the archive. */
  readonly start: number;
  readonly end: number;
}

/** Reads the directory alone: folders too, in its own order. Throws `ZipError`. */
export function readZipDirectory(bytes: Uint8Array, mostEntries: number): ZipDirectory {
  const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = endOf(data);
  const count = data.getUint16(end + 10, true);
  const size = data.getUint32(end + 12, true);
  const start = data.getUint32(end + 16, true);
  if (count === 0xffff || start === 0xffffffff || start + size > end)
    throw new ZipError("unreadable", "directory is broken");
  if (count > mostEntries) throw new ZipError("unsafe", "too many entries");
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

/** Whether unpacking this path could leave its folder (§ POST /imports rule 8). */
export function isUnsafePath(path: string): boolean {
  const parts = path.split(/[\\/]/u);
  return path === "" || path.includes("\0") || /^(?:[\\/]|[A-Za-z]:)/u.test(path) || parts.includes("..");
}

/** What the directory says of one entry. */
export interface ZipHeader {
  readonly path: string;
  readonly flags: number;
  readonly method: number;
  readonly crc: number;
  readonly packed: number;
  readonly size: number;
  readonly mode: number;
  /** Offset of the entry's own header, which its bytes stand behind. */
  readonly local: number;
  /** Offsets of its record in the directory, and of the one behind it. */
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
    // Without the flag the code page is anyone's guess; UTF-8 is what today's programs write all the same.
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

function unpack(data: DataView, header: ZipHeader, inflate: Inflate): Uint8Array {
  const at = header.local;
  if (at + 30 > data.byteLength || data.getUint32(at, true) !== LOCAL)
    throw new ZipError("unreadable", "entry is broken");
  const start = at + 30 + data.getUint16(at + 26, true) + data.getUint16(at + 28, true);
  const packed = bytesOf(data, start, header.packed);
  if (packed.length !== header.packed) throw new ZipError("unreadable", "entry is cut off");
  let bytes: Uint8Array;
  try {
    if (header.method === 0) bytes = packed;
    else if (header.method === 8) bytes = inflate.inflateRaw(packed, Math.max(header.size, 1));
    else throw new ZipError("unreadable", "unknown compression");
  } catch (error) {
    if (error instanceof ZipError) throw error;
    throw new ZipError("unreadable", "entry is broken");
  }
  if (bytes.length !== header.size || inflate.crc32(bytes) !== header.crc)
    throw new ZipError("unreadable", "entry is broken");
  return bytes;
}

/** Offset of the end record, which stands last but for a comment. */
function endOf(data: DataView): number {
  for (let at = data.byteLength - 22; at >= Math.max(0, data.byteLength - 22 - 0xffff); at--) {
    if (data.getUint32(at, true) === END && at + 22 + data.getUint16(at + 20, true) === data.byteLength)
      return at;
  }
  throw new ZipError("unreadable", "no zip");
}

/** At most `length` bytes from there. */
function bytesOf(data: DataView, at: number, length: number): Uint8Array {
  const start = Math.min(at, data.byteLength);
  return new Uint8Array(data.buffer, data.byteOffset + start, Math.min(length, data.byteLength - start));
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
