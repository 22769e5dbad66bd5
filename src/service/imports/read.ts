/**
 * From uploaded files to lines: which format, language and namespace each file has, and what it says
 * (§ POST /imports rules 1 to 5 and 8). Writes nothing; runs in the service's own thread or in a worker.
 */
import { formatOf } from "../../core/formats/registry.ts";
import { recognisePath } from "../../core/formats/recognise.ts";
import { keyHash, NO_NAMESPACE } from "../../core/identity.ts";
import { isForms, type Text } from "../../core/text.ts";
import type { FormatName } from "../../api/schemas.ts";
import { sha1 } from "../context.ts";
import { JobFailure } from "../jobs/jobs.ts";
import type { SpreadsheetPreset } from "../settings.ts";
import { readSpreadsheet } from "./spreadsheet.ts";
import type { ImportFields, UploadedFile } from "./upload.ts";
import { isNotReadable, readTranslationFile } from "../../core/formats/translation-file.ts";
import { isUnsafePath, ZipError } from "../../core/zip.ts";
import { readZip } from "./zip.ts";

/** One key in one language, as a file says it. `text` is `null` where the file only names the key. */
export interface Line {
  readonly hash: string;
  readonly namespace: string;
  readonly key: string;
  readonly context: string | null;
  readonly locale: string;
  readonly isPlural: boolean;
  readonly text: Text | null;
  readonly description: string | null;
}

export interface ReadRequest {
  readonly files: readonly UploadedFile[];
  readonly fields: ImportFields;
  /** The source language first. */
  readonly locales: readonly string[];
  readonly presets: readonly SpreadsheetPreset[];
}

/** Whether the service knows a key of this hash as plural; `undefined`: it knows no such key. */
export type KnownPlural = (hash: string) => boolean | undefined;

/** A file with what its path and the forced fields say. */
interface PlacedFile {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly format: FormatName;
  readonly locale: string | null;
  readonly namespace: string;
}

/** All lines of the upload, those of the source language first. Throws `JobFailure`. */
export async function readLines(request: ReadRequest, knownPlural: KnownPlural): Promise<Line[]> {
  const source = request.locales[0] ?? "";
  const placed = unpackedFiles(request.files).flatMap((file) => placeFile(file, request) ?? []);
  const sheets = placed.filter((file) => file.format === "csv" || file.format === "xlsx");
  const others = placed.filter((file) => !sheets.includes(file));
  const kinds = new Map<string, boolean>();
  const lines: Line[] = [];
  for (const file of sheets) {
    const sheet = readSpreadsheet(file.path, file.format, file.bytes, request.presets, request.locales);
    if (sheet.keysOnly && others.length > 0) throw new JobFailure("keys_only_mixed", { name: file.path });
    lines.push(...sheet.lines);
  }
  // The source files first: they say which keys are plural before a translation has to be read so.
  const isSource = (file: PlacedFile): number => (file.locale === source ? 0 : 1);
  for (const file of others.sort((a, b) => isSource(a) - isSource(b))) {
    const { locale } = file;
    if (locale === null) throw new JobFailure("unknown_locale", { name: file.path, locale: "?" });
    const isPlural: KnownPlural = (hash) => knownPlural(hash) ?? kinds.get(hash);
    for (const line of await readFile(file, locale, source, isPlural)) {
      if (locale === source) kinds.set(line.hash, line.isPlural);
      lines.push(line);
    }
  }
  return lines;
}

/** The uploaded files, with those of a zip in its place; files of other kinds in a zip are passed over. */
function unpackedFiles(files: readonly UploadedFile[]): { path: string; bytes: Uint8Array }[] {
  return files.flatMap(({ name, bytes }) => {
    if (!isZipName(name)) return [{ path: name, bytes }];
    try {
      const entries = readZip(bytes);
      const unsafe = entries.find((entry) => isUnsafePath(entry.path));
      if (unsafe !== undefined) throw new JobFailure("zip_slip", { name, path: unsafe.path });
      return entries
        .filter((entry) => !isLitter(entry.path) && recognisePath(entry.path) !== null)
        .map((entry) => ({ path: entry.path, bytes: entry.read() }));
    } catch (error) {
      if (error instanceof ZipError) throw new JobFailure("unreadable_file", { name, detail: error.message });
      throw error;
    }
  });
}

export function isZipName(name: string): boolean {
  return /\.zip$/iu.test(name);
}

/** What operating systems put into folders by themselves. */
export function isLitter(path: string): boolean {
  return path.startsWith("__MACOSX/") || /(?:^|\/)\._/u.test(path);
}

function placeFile(file: { path: string; bytes: Uint8Array }, request: ReadRequest): PlacedFile {
  const { fields, locales } = request;
  const path = file.path.replaceAll("\\", "/").replace(/^(?:\.?\/)+/u, "");
  const said = recognisePath(path);
  const format = fields.format ?? said?.format;
  if (format === undefined) throw new JobFailure("unknown_format", { name: path });
  const isSheet = format === "csv" || format === "xlsx";
  const locale = fields.locale ?? (said?.locale == null ? null : projectLocale(said.locale, locales));
  if (locale === undefined)
    throw new JobFailure("unknown_locale", { name: path, locale: said?.locale ?? "?" });
  if (locale === null && !isSheet) throw new JobFailure("unknown_locale", { name: path, locale: "?" });
  const byPath = format === "laravel_json" ? null : said?.namespace;
  return { path, bytes: file.bytes, format, locale, namespace: fields.namespace ?? byPath ?? NO_NAMESPACE };
}

/** The project's own name of a locale in a path: `pt_BR` is `pt-BR`. */
function projectLocale(said: string, locales: readonly string[]): string | undefined {
  const plain = (locale: string): string => locale.replaceAll("_", "-").toLowerCase();
  return locales.find((locale) => locale === said) ?? locales.find((locale) => plain(locale) === plain(said));
}

async function readFile(
  file: PlacedFile,
  locale: string,
  sourceLocale: string,
  isPlural: KnownPlural,
): Promise<Line[]> {
  const format = formatOf(file.format);
  if (format === undefined) {
    throw new JobFailure("unsupported_format", { name: file.path, format: file.format });
  }
  const hashOf = (key: string, context: string | null, namespace: string | null): string =>
    keyHash(sha1, { namespace: namespace ?? file.namespace, key, context });
  const read = await readTranslationFile(format, file.bytes, {
    locale,
    sourceLocale,
    isPlural: (key, context, namespace = null) => isPlural(hashOf(key, context, namespace)),
  });
  if (isNotReadable(read)) throw new JobFailure("unreadable_file", { name: file.path, detail: "UTF-8" });
  const { entries, problems } = read;
  const fault = problems.find((problem) => problem.code === "syntax");
  if (fault !== undefined)
    throw new JobFailure("unreadable_file", { name: file.path, detail: fault.message });
  return entries
    .filter((entry) => entry.readOnly === null && entry.key !== "")
    .map((entry) => {
      const namespace = entry.namespace ?? file.namespace;
      return {
        hash: keyHash(sha1, { namespace, key: entry.key, context: entry.context }),
        namespace,
        key: entry.key,
        context: entry.context === "" ? null : entry.context,
        locale,
        isPlural: isForms(entry.text),
        text: entry.text,
        description: entry.description,
      };
    });
}
