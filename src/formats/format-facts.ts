/**
 * What is asked of a file format by its name alone, without loading the program that reads and writes it
 * (`registry.ts`). A new format adds its line.
 */
import type { FormatName } from "../model/format-name.ts";

export interface FormatFacts {
  /** Whether its files are text that an editor shows. */
  readonly kind: "text" | "binary";
  /** Entries name their own namespaces, so that one file holds keys of any. */
  readonly ownNamespaces: boolean;
  /** One file can hold the texts of several locales. */
  readonly ownLocales: boolean;
}

const TEXT: FormatFacts = { kind: "text", ownNamespaces: false, ownLocales: false };
const SHEET: FormatFacts = { kind: "text", ownNamespaces: true, ownLocales: true };
const XLIFF: FormatFacts = { ...TEXT, ownNamespaces: true };

const FACTS: ReadonlyMap<string, FormatFacts> = new Map<FormatName, FormatFacts>([
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

/** The facts of the format of that name; `undefined` when the service knows it and this program does not (yet). */
export function factsOf(name: string): FormatFacts | undefined {
  return FACTS.get(name);
}
