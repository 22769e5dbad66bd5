/** `xliff20`: XLIFF 2.0 (and 2.1, 2.2). A file that says another version is read and changed as what it says. */
import type { TextFormat } from "../format.ts";
import { scanXliff } from "./xliff-document.ts";
import { editXliff } from "./xliff-edit.ts";
import { printXliff } from "./xliff-print.ts";
import { readXliff } from "./xliff-read.ts";

export const xliff20: TextFormat = {
  kind: "text",
  name: "xliff20",
  extensions: [".xlf", ".xliff"],
  read: (text, options) => readXliff(text, scanXliff(text, "2.0"), options),
  edit: (text, changes, options) => editXliff(text, changes, options, "2.0"),
  print: (entries, options) => printXliff("2.0", entries, options),
};
