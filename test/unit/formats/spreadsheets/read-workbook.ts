/** Reads workbooks in tests. */
import type { ReadOptions } from "../../../../src/formats/format.ts";
import { xlsx } from "../../../../src/formats/spreadsheets/xlsx-format.ts";
import { ENGLISH, type TextInput } from "../editing.ts";

/** Key to text, in the file's order. */
export function read(bytes: Uint8Array, options: ReadOptions = ENGLISH): [string, TextInput][] {
  return xlsx
    .read(bytes, options)
    .entries.map(({ key, text }) => [key, "forms" in text ? { ...text.forms } : text.value]);
}
