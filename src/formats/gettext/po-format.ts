/**
 * `po`: gettext's translations. The text of an entry is its msgstr; the msgid is both the key and the source text.
 * `pot`: gettext's templates, with source texts only. The text is the key, so it can be added and removed but not
 * changed.
 */
import type { TextFormat } from "../format.ts";
import { editPo } from "./po-edit.ts";
import { readPo } from "./po-entries.ts";
import { printPo } from "./po-serializer.ts";

export const po = poFormat("po");
export const pot = poFormat("pot");

function poFormat(name: "po" | "pot"): TextFormat {
  return {
    kind: "text",
    name,
    read: (text, options) => readPo(text, name, options),
    edit: (text, changes, options) => editPo(text, name, changes, options),
    print: (entries, options) => printPo(entries, name, options),
  };
}
