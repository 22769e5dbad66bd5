/**
 * What the columns of an uploaded spreadsheet mean: only a file whose header row is that of a saved preset is
 * understood (§ POST /imports rules 4 and 5). The cells are read by the shared formats.
 */
import { decodeText, isNotText } from "../../formats/encoding.ts";
import { csvHeader } from "../../formats/sheets/csv.ts";
import type { Column, Format } from "../../formats/format.ts";
import type { ColumnOptions } from "../../formats/sheets/sheet-columns.ts";
import { headersOf } from "../../formats/sheets/xlsx.ts";
import { JobFailure } from "../jobs/jobs.ts";
import type { SpreadsheetPreset } from "../settings.ts";

/** A spreadsheet's columns. */
export interface Mapping {
  readonly columns: readonly Column[];
  /** The preset has no language column, so that the sheet only names keys. */
  readonly keysOnly: boolean;
}

type Header = readonly string[];

/** `locales`: those of the project. Throws `JobFailure`: no preset, or one for a language that is none. */
export function mappingOf(
  { path, format, bytes }: { readonly path: string; readonly format: Format; readonly bytes: Uint8Array },
  presets: readonly SpreadsheetPreset[],
  locales: readonly string[],
): Mapping {
  const headerFor = headerReader(format, bytes);
  for (const preset of presets) {
    const columns = columnsOf(preset);
    if (columns === null || !isSameHeader(headerFor(columns), preset.header)) continue;
    const texts = columns.filter((column) => column.holds === "text");
    const stranger = texts.find(({ locale }) => locale !== null && !locales.includes(locale));
    if (stranger !== undefined)
      throw new JobFailure("unknown_locale", { name: path, locale: stranger.locale ?? "?" });
    return { columns, keysOnly: texts.length === 0 };
  }
  throw new JobFailure("needs_mapping", { name: path });
}

/** The first title of a sheet that has one; `null`: no header row can be read. */
export function firstTitle(format: Format, bytes: Uint8Array): string | null {
  const headers = format.kind === "binary" ? headersOf(bytes) : [csvTitles(csvText(bytes), {})];
  return headers.flat().find((title) => title.trim() !== "") ?? null;
}

/** Those of the preset that its header row has; `null`: the key's is not among them. */
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

/** The header row of the sheet that the format takes when it is asked to read those columns. */
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
  return isNotText(decoded) ? "" : decoded.text;
}

function csvTitles(text: string, options: ColumnOptions): Header {
  return csvHeader(text, options)?.titles ?? [];
}

function hasTitle(header: Header, title: string): boolean {
  return header.some((other) => other.trim() === title.trim());
}

/** Blanks around titles do not count, nor empty columns behind the last one. */
function isSameHeader(header: Header, saved: Header): boolean {
  const [a, b] = [header, saved].map((titles) => {
    const plain = titles.map((title) => title.trim());
    return plain.slice(0, plain.findLastIndex((title) => title !== "") + 1);
  });
  return a?.length === b?.length && a?.every((title, index) => title === b?.[index]) === true;
}
