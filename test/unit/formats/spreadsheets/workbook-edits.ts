/** Helpers that read and edit workbooks. */
import type { ReadOptions } from "../../../../src/formats/format.ts";
import { xlsx } from "../../../../src/formats/spreadsheets/xlsx-format.ts";
import {
  editTranslationFile,
  type EditedFile,
  isUnreadable,
} from "../../../../src/formats/parse-and-edit-file.ts";
import { changesOf, ENGLISH, type TextInput, type Wanted } from "../editing.ts";
import { partOf } from "./workbooks.ts";

/** Key to text, in the file's order. */
export function read(bytes: Uint8Array, options: ReadOptions = ENGLISH): [string, TextInput][] {
  return xlsx
    .read(bytes, options)
    .entries.map(({ key, text }) => [key, "forms" in text ? { ...text.forms } : text.value]);
}

export async function edit(bytes: Uint8Array, ...wanted: Wanted): Promise<EditedFile> {
  const result = await editTranslationFile(xlsx, bytes, changesOf(wanted), ENGLISH);
  if (isUnreadable(result)) throw new Error("not readable");
  return result;
}

/** The workbook after an edit that nothing of is refused. */
export async function edited(bytes: Uint8Array, ...wanted: Wanted): Promise<Uint8Array> {
  const result = await edit(bytes, ...wanted);
  if (result.refused.length > 0) throw new Error(JSON.stringify(result.refused));
  return result.bytes;
}

/** The rows of a sheet, as XML. */
export function rowsIn(bytes: Uint8Array, path = "xl/worksheets/sheet1.xml"): string {
  return /<sheetData>(.*)<\/sheetData>/s.exec(partOf(bytes, path))?.[1] ?? "";
}
