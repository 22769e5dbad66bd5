/** `po`: gettext's translations. The text of an entry is its msgstr; msgid, the key, is also the source text. */
import type { TextFormat } from "../format.ts";
import { editPo } from "./po-edit.ts";
import { readPo } from "./po-entries.ts";
import { printPo } from "./po-print.ts";

export const po: TextFormat = {
  kind: "text",
  name: "po",
  extensions: [".po"],
  read: (text, options) => readPo(text, "po", options),
  edit: (text, changes, options) => editPo(text, "po", changes, options),
  print: (entries, options) => printPo(entries, "po", options),
};
