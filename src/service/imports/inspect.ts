/**
 * Which uploaded files are refused at once (§ POST /imports rule 2): unsafe archive, contents wrong for the
 * extension, unreadable. Everything else is for the job to find out.
 */
import { decodeText, isNotText } from "../../core/bytes.ts";
import { formatOf } from "../../core/formats/registry.ts";
import { recognisePath } from "../../core/formats/recognise.ts";
import type { FormatName } from "../../api/schemas.ts";
import type { MessageCode } from "../messages.ts";
import { isLitter, isZipName } from "./read.ts";
import type { UploadedFile } from "./upload.ts";
import { isNotReadable, readTranslationFile } from "../../core/formats/translation-file.ts";
import { isUnsafePath, ZipError } from "../../core/zip.ts";
import { readZip } from "./zip.ts";

export interface RefusedFile {
  readonly index: number;
  readonly name: string;
  readonly code: MessageCode;
}

/** `format`: forced by the request, so that the file's name need not say it. */
export async function refusedFiles(
  files: readonly UploadedFile[],
  format: FormatName | undefined,
): Promise<RefusedFile[]> {
  const refused: RefusedFile[] = [];
  for (const [index, { name, bytes }] of files.entries()) {
    const code = isZipName(name) ? await faultOfZip(bytes) : await faultOfFile(name, bytes, format);
    if (code !== undefined) refused.push({ index, name, code });
  }
  return refused;
}

async function faultOfZip(bytes: Uint8Array): Promise<MessageCode | undefined> {
  if (bytes.length === 0) return "file_empty";
  try {
    const entries = readZip(bytes);
    // § rule 8: that one is the job's to fail with.
    if (entries.some((entry) => isUnsafePath(entry.path))) return undefined;
    for (const entry of entries) {
      if (isLitter(entry.path) || recognisePath(entry.path) === null) continue;
      const fault = entry.size === 0 ? undefined : await faultOfFile(entry.path, entry.read(), undefined);
      if (fault !== undefined) return fault;
    }
    return undefined;
  } catch (error) {
    if (error instanceof ZipError) return error.kind === "unsafe" ? "file_archive" : "file_unreadable";
    throw error;
  }
}

async function faultOfFile(
  path: string,
  bytes: Uint8Array,
  forced: FormatName | undefined,
): Promise<MessageCode | undefined> {
  if (bytes.length === 0) return "file_empty";
  const format = forced ?? recognisePath(path)?.format;
  if (format === undefined) return "file_type";
  if (format === "xlsx") return startsWith(bytes, [0x50, 0x4b, 0x03, 0x04]) ? undefined : "file_contents";
  if (format === "mo") {
    return startsWith(bytes, [0xde, 0x12, 0x04, 0x95]) || startsWith(bytes, [0x95, 0x04, 0x12, 0xde])
      ? undefined
      : "file_contents";
  }
  const decoded = decodeText(bytes);
  if (isNotText(decoded) || decoded.text.includes("\0")) return "file_contents";
  if (!looksLike(format, decoded.text)) return "file_contents";
  const reader = formatOf(format);
  if (reader === undefined) return undefined;
  const read = await readTranslationFile(reader, bytes, { locale: "en", sourceLocale: "en" });
  if (isNotReadable(read)) return "file_contents";
  return read.problems.some((problem) => problem.code === "syntax") ? "file_unreadable" : undefined;
}

function looksLike(format: FormatName, text: string): boolean {
  switch (format) {
    case "laravel_php":
    case "wordpress_php":
      return text.includes("<?php") || text.includes("<?=");
    case "laravel_json":
    case "json_js":
    case "wordpress_jed":
      return /^\s*[{[]/u.test(text);
    case "po":
    case "pot":
      return /^msgid\s/mu.test(text);
    case "xliff12":
    case "xliff20":
      return /^\s*</u.test(text);
    default:
      return true;
  }
}

function startsWith(bytes: Uint8Array, head: readonly number[]): boolean {
  return head.every((byte, index) => bytes[index] === byte);
}
