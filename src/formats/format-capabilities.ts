/**
 * Properties of file formats that are needed without loading their readers and writers (`supported-formats.ts`). Add a line
 * here for each new format.
 */
import type { FormatName } from "../model/format-name.ts";

export interface FormatInfo {
  /** Formats of one family have the same kind of texts. `tree`: nested names. */
  readonly family: "tree" | "gettext" | "spreadsheet" | "xliff";
  /** Whether files are text that an editor can show. */
  readonly kind: "text" | "binary";
  /** Whether entries specify their namespaces, so that a file may contain keys of several. */
  readonly ownNamespaces: boolean;
  /** Whether a file may contain several locales. */
  readonly ownLocales: boolean;
}

const TREE: FormatInfo = { family: "tree", kind: "text", ownNamespaces: false, ownLocales: false };
const GETTEXT: FormatInfo = { ...TREE, family: "gettext" };
const SHEET: FormatInfo = { family: "spreadsheet", kind: "text", ownNamespaces: true, ownLocales: true };
const XLIFF: FormatInfo = { family: "xliff", kind: "text", ownNamespaces: true, ownLocales: false };

const FORMATS: ReadonlyMap<string, FormatInfo> = new Map<FormatName, FormatInfo>([
  ["laravel_php", TREE],
  ["laravel_json", TREE],
  ["json_js", TREE],
  ["js_module", TREE],
  ["po", GETTEXT],
  ["pot", GETTEXT],
  ["mo", { ...GETTEXT, kind: "binary" }],
  ["wordpress_php", GETTEXT],
  ["wordpress_jed", GETTEXT],
  ["csv", SHEET],
  ["xlsx", { ...SHEET, kind: "binary" }],
  ["xliff12", XLIFF],
  ["xliff20", XLIFF],
]);

/** Returns the properties of a format; `undefined` for a format of the service that is not supported (yet). */
export function formatInfoOf(name: string): FormatInfo | undefined {
  return FORMATS.get(name);
}
