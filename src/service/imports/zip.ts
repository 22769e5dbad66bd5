/**
 * Reads zip archives from strangers: judges the directory before anything is unpacked, and unpacks no more than
 * the directory said. Writing zips is the export's.
 */
import { crc32, inflateRawSync } from "node:zlib";
import { ARCHIVE_LIMITS } from "../choices.ts";

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
export function readZip(bytes: Uint8Array): ZipEntry[] {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = endOf(data);
  const count = data.readUInt16LE(end + 10);
  const size = data.readUInt32LE(end + 12);
  let at = data.readUInt32LE(end + 16);
  if (count === 0xffff || at === 0xffffffff || at + size > end)
    throw new ZipError("unreadable", "directory is broken");
  if (count > ARCHIVE_LIMITS.entries) throw new ZipError("unsafe", "too many entries");
  const entries: ZipEntry[] = [];
  let unpacked = 0;
  for (let index = 0; index < count; index++) {
    if (at + 46 > end || data.readUInt32LE(at) !== CENTRAL)
      throw new ZipError("unreadable", "directory is broken");
    const header = centralHeader(data, at);
    at = header.next;
    if (at > end) throw new ZipError("unreadable", "directory is broken");
    if (header.path.endsWith("/")) continue;
    if ((header.flags & ENCRYPTED) !== 0) throw new ZipError("unreadable", "encrypted");
    if ((header.mode & 0xf000) === SYMLINK) throw new ZipError("unsafe", "symbolic link");
    if (/\.zip$/iu.test(header.path)) throw new ZipError("unsafe", "zip in a zip");
    unpacked += header.size;
    if (unpacked > ARCHIVE_LIMITS.unpackedBytes) throw new ZipError("unsafe", "unpacks to too much");
    if (header.size > 1024 * 1024 && header.size > header.packed * ARCHIVE_LIMITS.ratio) {
      throw new ZipError("unsafe", "packed too tightly");
    }
    entries.push({ path: header.path, size: header.size, read: () => unpack(data, header) });
  }
  return entries;
}

/** Whether unpacking this path could leave its folder (§ POST /imports rule 8). */
export function isUnsafePath(path: string): boolean {
  const parts = path.split(/[\\/]/u);
  return path === "" || path.includes("\0") || /^(?:[\\/]|[A-Za-z]:)/u.test(path) || parts.includes("..");
}

interface Header {
  readonly path: string;
  readonly flags: number;
  readonly method: number;
  readonly crc: number;
  readonly packed: number;
  readonly size: number;
  readonly mode: number;
  readonly local: number;
  readonly next: number;
}

function centralHeader(data: Buffer, at: number): Header {
  const flags = data.readUInt16LE(at + 8);
  const nameLength = data.readUInt16LE(at + 28);
  const extraLength = data.readUInt16LE(at + 30);
  const commentLength = data.readUInt16LE(at + 32);
  const name = data.subarray(at + 46, at + 46 + nameLength);
  return {
    // Without the flag the code page is anyone's guess; UTF-8 is what today's programs write all the same.
    path: (flags & UTF8_NAME) !== 0 || isUtf8(name) ? name.toString("utf8") : name.toString("latin1"),
    flags,
    method: data.readUInt16LE(at + 10),
    crc: data.readUInt32LE(at + 16),
    packed: data.readUInt32LE(at + 20),
    size: data.readUInt32LE(at + 24),
    mode: data.readUInt8(at + 5) === 3 ? data.readUInt16LE(at + 40) : 0,
    local: data.readUInt32LE(at + 42),
    next: at + 46 + nameLength + extraLength + commentLength,
  };
}

function unpack(data: Buffer, header: Header): Uint8Array {
  const at = header.local;
  if (at + 30 > data.length || data.readUInt32LE(at) !== LOCAL)
    throw new ZipError("unreadable", "entry is broken");
  const start = at + 30 + data.readUInt16LE(at + 26) + data.readUInt16LE(at + 28);
  const packed = data.subarray(start, start + header.packed);
  if (packed.length !== header.packed) throw new ZipError("unreadable", "entry is cut off");
  let bytes: Uint8Array;
  try {
    if (header.method === 0) bytes = packed;
    else if (header.method === 8)
      bytes = inflateRawSync(packed, { maxOutputLength: Math.max(header.size, 1) });
    else throw new ZipError("unreadable", "unknown compression");
  } catch (error) {
    if (error instanceof ZipError) throw error;
    throw new ZipError("unreadable", "entry is broken");
  }
  if (bytes.length !== header.size || crc32(bytes) !== header.crc)
    throw new ZipError("unreadable", "entry is broken");
  return bytes;
}

/** Offset of the end record, which stands last but for a comment. */
function endOf(data: Buffer): number {
  for (let at = data.length - 22; at >= Math.max(0, data.length - 22 - 0xffff); at--) {
    if (data.readUInt32LE(at) === END && at + 22 + data.readUInt16LE(at + 20) === data.length) return at;
  }
  throw new ZipError("unreadable", "no zip");
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
