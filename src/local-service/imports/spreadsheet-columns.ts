/**
 * Maps the columns of an uploaded spreadsheet: its header row must equal that of a saved preset (§ POST /imports
 * rules 4 and 5).
 */
import { isDeepStrictEqual } from "node:util";
import { decodeText, isUndecodable } from "../../formats/text/encoding.ts";
import { csvHeader } from "../../formats/spreadsheets/csv-format.ts";
import type { Column, Format } from "../../formats/format.ts";
import type { ColumnOptions } from "../../formats/spreadsheets/sheet-columns.ts";
import { headersOf } from "../../formats/spreadsheets/xlsx-format.ts";
import { JobFailure } from "../jobs.ts";
import type { SpreadsheetPreset } from "../service-settings.ts";

export interface ColumnMapping {
  readonly columns: readonly Column[];
  /** The preset has no language column (§ POST /imports rule 5). */
  readonly keysOnly: boolean;
}

type Header = readonly string[];

/**
 * Returns the mapping of a spreadsheet.
 * @param locales of the project
 * @throws {JobFailure} without a preset, or if the project does not have a language of it
 */
export function findMapping(
  { path, format, bytes }: { readonly path: string; readonly format: Format; readonly bytes: Uint8Array },
  presets: readonly SpreadsheetPreset[],
  locales: readonly string[],
): ColumnMapping {
  const headerFor = headerReader(format, bytes);
  for (const preset of presets) {
    const columns = columnsOf(preset);
    if (columns === null || !isSameHeader(headerFor(columns), preset.header)) continue;
    const texts = columns.filter((column) => column.holds === "text");
    const unknown = texts.find(({ locale }) => locale !== null && !locales.includes(locale));
    if (unknown !== undefined)
      throw new JobFailure("unknown_locale", { name: path, locale: unknown.locale ?? "?" });
    return { columns, keysOnly: texts.length === 0 };
  }
  throw new JobFailure("needs_mapping", { name: path });
}

/** Returns the first title of a sheet that has one; `null` if no header row can be read. */
export function firstTitle(format: Format, bytes: Uint8Array): string | null {
  const headers = format.kind === "binary" ? headersOf(bytes) : [csvTitles(csvText(bytes), {})];
  return headers.flat().find((title) => title.trim() !== "") ?? null;
}

/** Returns the columns of a preset that its header row contains; `null` without a key column. */
function columnsOf(preset: SpreadsheetPreset): Column[] | null {
  const columns: Column[] = [];
  for (const holds of ["key", "namespace", "context", "description"] as const) {
    const title = preset[holds];
    if (title !== undefined) columns.push({ title, holds });
  }
  for (const [title, locale] of Object.entries(preset.languages)) {
    columns.push({ title, holds: "text", locale, category: preset.categories[title] ?? null });
  }
  const found = columns.filter(({ title }) => hasTitle(preset.header, title));
  return found.some((column) => column.holds === "key") ? found : null;
}

/** Returns a function that finds the header row with given columns. */
function headerReader(format: Format, bytes: Uint8Array): (columns: readonly Column[]) => Header {
  if (format.kind === "text") {
    const text = csvText(bytes);
    return (columns) => csvTitles(text, { columns });
  }
  const headers = headersOf(bytes);
  return (columns) => headers.find((header) => columns.every(({ title }) => hasTitle(header, title))) ?? [];
}

function csvText(bytes: Uint8Array): string {
  const decoded = decodeText(bytes, "csv");
  return isUndecodable(decoded) ? "" : decoded.text;
}

function csvTitles(text: string, options: ColumnOptions): Header {
  return csvHeader(text, options)?.titles ?? [];
}

function hasTitle(header: Header, title: string): boolean {
  return header.some((other) => other.trim() === title.trim());
}

/** Compares header rows, ignoring whitespace around titles and trailing empty columns. */
function isSameHeader(header: Header, saved: Header): boolean {
  const normalise = (titles: Header): Header => {
    const trimmed = titles.map((title) => title.trim());
    return trimmed.slice(0, trimmed.findLastIndex((title) => title !== "") + 1);
  };
  return isDeepStrictEqual(normalise(header), normalise(saved));
}
