/**
 * `po`: gettext's translations. The text of an entry is its msgstr; the msgid is both the key and the source text.
 * `pot`: gettext's templates, with source texts only. The text is the key, so it can be added and removed but not
 * changed.
 */
import type { TextFormat } from "../format.ts";
import { editPo } from "./po-edit.ts";
import { readPo } from "./po-entries.ts";
import { printPo } from "./po-print.ts";

export const po: TextFormat = {
  kind: "text",
  name: "po",
  read: (text, options) => readPo(text, "po", options),
  edit: (text, changes, options) => editPo(text, "po", changes, options),
  print: (entries, options) => printPo(entries, "po", options),
};

export const pot: TextFormat = {
  kind: "text",
  name: "pot",
  read: (text, options) => readPo(text, "pot", options),
  edit: (text, changes, options) => editPo(text, "pot", changes, options),
  print: (entries, options) => printPo(entries, "pot", options),
};
