/**
 * `xliff12` (1.2, also 1.0 and 1.1) and `xliff20` (2.0, also 2.1 and 2.2). A file that declares the other version is
 * read and edited as that one.
 */
import type { TextFormat } from "../format.ts";
import { editXliff } from "./xliff-edit.ts";
import { readXliff } from "./xliff-entries.ts";
import { scanXliff } from "./xliff-parser.ts";
import { printXliff } from "./xliff-print.ts";

export const xliff12: TextFormat = {
  kind: "text",
  name: "xliff12",
  read: (text, options) => readXliff(text, scanXliff(text, "1.2"), options),
  edit: (text, changes, options) => editXliff(text, changes, options, "1.2"),
  print: (entries, options) => printXliff("1.2", entries, options),
};

export const xliff20: TextFormat = {
  kind: "text",
  name: "xliff20",
  read: (text, options) => readXliff(text, scanXliff(text, "2.0"), options),
  edit: (text, changes, options) => editXliff(text, changes, options, "2.0"),
  print: (entries, options) => printXliff("2.0", entries, options),
};
