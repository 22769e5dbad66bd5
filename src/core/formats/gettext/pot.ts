/** `pot`: gettext's templates, which hold source texts only. The text is the key, so it can come and go, not change. */
import type { TextFormat } from "../format.ts";
import { editPo } from "./po-edit.ts";
import { readPo } from "./po-entries.ts";
import { printPo } from "./po-print.ts";

export const pot: TextFormat = {
  kind: "text",
  name: "pot",
  extensions: [".pot"],
  read: (text, options) => readPo(text, "pot", options),
  edit: (text, changes, options) => editPo(text, "pot", changes, options),
  print: (entries, options) => printPo(entries, "pot", options),
};
