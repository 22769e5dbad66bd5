/**
 * Spreadsheets by a saved column mapping: only a file whose header row is a preset's is understood
 * (§ POST /imports rules 4 and 5). Reads CSV with commas, semicolons or tabs.
 */
import type { FormatName } from "../../api/schemas.ts";
import { decodeText, isNotText } from "../../core/bytes.ts";
import { keyHash, NO_NAMESPACE } from "../../core/identity.ts";
import { sha1 } from "../context.ts";
import { JobFailure } from "../jobs/jobs.ts";
import type { SpreadsheetPreset } from "../settings.ts";
import type { Line } from "./read.ts";

export interface Sheet {
  /** The preset has no language column, so the sheet only names keys. */
  readonly keysOnly: boolean;
  readonly lines: readonly Line[];
}

/** `locales`: the source language first. Throws `JobFailure`. */
export function readSpreadsheet(
  path: string,
  format: FormatName,
  bytes: Uint8Array,
  presets: readonly SpreadsheetPreset[],
  locales: readonly string[],
): Sheet {
  if (format !== "csv") throw new JobFailure("unsupported_format", { name: path, format });
  const decoded = decodeText(bytes);
  if (isNotText(decoded)) throw new JobFailure("unreadable_file", { name: path, detail: "UTF-8" });
  const [header = [], ...rows] = readCsv(decoded.text);
  const preset = presets.find(
    (one) =>
      one.header.length === header.length && one.header.every((title, index) => title === header[index]),
  );
  if (preset === undefined || !header.includes(preset.key))
    throw new JobFailure("needs_mapping", { name: path });
  const columns = Object.entries(preset.languages).filter(([title]) => header.includes(title));
  const stranger = columns.find(([, locale]) => !locales.includes(locale));
  if (stranger !== undefined) throw new JobFailure("unknown_locale", { name: path, locale: stranger[1] });
  const cell = (row: readonly string[], title: string | undefined): string =>
    title === undefined ? "" : (row[header.indexOf(title)] ?? "");
  const keysOnly = columns.length === 0;
  const targets: readonly (readonly [string | undefined, string])[] = keysOnly
    ? [[undefined, locales[0] ?? ""]]
    : columns;
  const lines = rows.flatMap((row) => {
    const key = cell(row, preset.key);
    if (key === "") return [];
    const namespace = cell(row, preset.namespace) || NO_NAMESPACE;
    const context = cell(row, preset.context) || null;
    const hash = keyHash(sha1, { namespace, key, context });
    const description = cell(row, preset.description) || null;
    return targets.map(([title, locale]): Line => {
      const value = cell(row, title);
      const text = value === "" ? null : { value };
      return { hash, namespace, key, context, locale, isPlural: false, text, description };
    });
  });
  // The source's lines first, so that a key has its source text before its translations are checked against it.
  const source = locales[0];
  return {
    keysOnly,
    lines: [
      ...lines.filter((line) => line.locale === source),
      ...lines.filter((line) => line.locale !== source),
    ],
  };
}

/** Rows of cells. The separator is the one of `,`, `;` and tab that the first line has most of. */
function readCsv(text: string): string[][] {
  const first = /^[^\r\n]*/u.exec(text)?.[0] ?? "";
  const separator = [",", ";", "\t"].reduce((best, one) =>
    first.split(one).length > first.split(best).length ? one : best,
  );
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  while (at < text.length) {
    const { value, end } = readCell(text, at, separator);
    row.push(value);
    at = end;
    if (text[at] === separator) {
      at++;
      if (at === text.length) row.push("");
      else continue;
    }
    if (text[at] === "\r") at++;
    if (text[at] === "\n") at++;
    if (row.some((one) => one !== "")) rows.push(row);
    row = [];
  }
  return rows;
}

function readCell(text: string, start: number, separator: string): { value: string; end: number } {
  if (text[start] !== '"') {
    let end = start;
    while (end < text.length && text[end] !== separator && text[end] !== "\n" && text[end] !== "\r") end++;
    return { value: text.slice(start, end), end };
  }
  let value = "";
  let at = start + 1;
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote < 0) return { value: value + text.slice(at), end: text.length };
    value += text.slice(at, quote);
    at = quote + 1;
    if (text[at] !== '"') break;
    value += '"';
    at++;
  }
  // What stands between the closing quote and the next separator belongs to the cell, as spreadsheets read it.
  let end = at;
  while (end < text.length && text[end] !== separator && text[end] !== "\n" && text[end] !== "\r") end++;
  return { value: value + text.slice(at, end), end };
}
