/**
 * `xliff12` (1.2, also 1.0 and 1.1) and `xliff20` (2.0, also 2.1 and 2.2). A file that declares the other version is
 * read and edited as that one.
 */
import type { TextFormat } from "../format.ts";
import { editXliff } from "./xliff-edit.ts";
import { readXliff } from "./xliff-entries.ts";
import { scanXliff, type XliffVersion } from "./xliff-parser.ts";
import { printXliff } from "./xliff-serializer.ts";

export const xliff12 = xliffFormat("xliff12", "1.2");
export const xliff20 = xliffFormat("xliff20", "2.0");

function xliffFormat(name: "xliff12" | "xliff20", version: XliffVersion): TextFormat {
  return {
    kind: "text",
    name,
    read: (text, options) => readXliff(scanXliff(text, version), options),
    edit: (text, changes, options) => editXliff(scanXliff(text, version), changes, options),
    print: (entries, options) => printXliff(version, entries, options),
  };
}
