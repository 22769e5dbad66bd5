/**
 * Properties of file formats that are needed without loading their readers and writers (`supported-formats.ts`). Add a line
 * here for each new format.
 */
import type { FormatName } from "../model/format-name.ts";

export interface FormatInfo {
  /** Whether files are text that an editor can show. */
  readonly kind: "text" | "binary";
  /** Whether entries specify their namespaces, so that a file may contain keys of several. */
  readonly ownNamespaces: boolean;
  /** Whether a file may contain several locales. */
  readonly ownLocales: boolean;
}

const TEXT: FormatInfo = { kind: "text", ownNamespaces: false, ownLocales: false };
const SHEET: FormatInfo = { kind: "text", ownNamespaces: true, ownLocales: true };
const XLIFF: FormatInfo = { ...TEXT, ownNamespaces: true };

const FORMATS: ReadonlyMap<string, FormatInfo> = new Map<FormatName, FormatInfo>([
  ["laravel_php", TEXT],
  ["laravel_json", TEXT],
  ["json_js", TEXT],
  ["js_module", TEXT],
  ["po", TEXT],
  ["pot", TEXT],
  ["mo", { ...TEXT, kind: "binary" }],
  ["wordpress_php", TEXT],
  ["wordpress_jed", TEXT],
  ["csv", SHEET],
  ["xlsx", { ...SHEET, kind: "binary" }],
  ["xliff12", XLIFF],
  ["xliff20", XLIFF],
]);

/** Returns the properties of a format; `undefined` for a format of the service that is not supported (yet). */
export function formatInfoOf(name: string): FormatInfo | undefined {
  return FORMATS.get(name);
}
