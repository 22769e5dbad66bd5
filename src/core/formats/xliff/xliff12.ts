/** `xliff12`: XLIFF 1.2 (and 1.0, 1.1). A file that says another version is read and changed as what it says. */
import type { TextFormat } from "../format.ts";
import { scanXliff } from "./xliff-document.ts";
import { editXliff } from "./xliff-edit.ts";
import { printXliff } from "./xliff-print.ts";
import { readXliff } from "./xliff-read.ts";

export const xliff12: TextFormat = {
  kind: "text",
  name: "xliff12",
  extensions: [".xlf", ".xliff"],
  read: (text, options) => readXliff(text, scanXliff(text, "1.2"), options),
  edit: (text, changes, options) => editXliff(text, changes, options, "1.2"),
  print: (entries, options) => printXliff("1.2", entries, options),
};
