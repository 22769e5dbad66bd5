/**
 * Properties of file formats that are needed without loading their readers and writers (`supported-formats.ts`). Add a
 * record here for each new format; no other code compares the names of formats.
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
  /** Whether other programs make the files from others: they are read, and only written as a whole. */
  readonly isGenerated: boolean;
  /** Whether files only list keys with their source texts, for translations in another format. */
  readonly isTemplate: boolean;
  /** Whether files are code, which may also do something else. */
  readonly isCode: boolean;
  /** Whether the namespace may be in the path; otherwise there is none. */
  readonly hasNamespaces: boolean;
  /** The namespace that a common framework uses where the path has none; `null`: none. */
  readonly defaultNamespace: string | null;
  /** Whether a file may lack a locale in its path: templates, sources and spreadsheets. */
  readonly mayLackLocale: boolean;
  /** Whether the locale may be in the name of the file, not only of its folder. */
  readonly mayNameLocale: boolean;
  /** The extension of files whose names join a domain and a locale (`shop-nl.po`); `null` for others. */
  readonly domainExtension: string | null;
}

const TREE: FormatInfo = {
  family: "tree",
  kind: "text",
  ownNamespaces: false,
  ownLocales: false,
  isGenerated: false,
  isTemplate: false,
  isCode: false,
  hasNamespaces: true,
  defaultNamespace: null,
  mayLackLocale: false,
  mayNameLocale: true,
  domainExtension: null,
};
const GETTEXT: FormatInfo = { ...TREE, family: "gettext" };
const COMPILED: FormatInfo = { ...GETTEXT, isGenerated: true };
const SHEET: FormatInfo = {
  ...TREE,
  family: "spreadsheet",
  ownNamespaces: true,
  ownLocales: true,
  mayLackLocale: true,
};
const XLIFF: FormatInfo = { ...TREE, family: "xliff", ownNamespaces: true, mayLackLocale: true };

const FORMATS = {
  laravel_php: { ...TREE, mayNameLocale: false },
  laravel_json: { ...TREE, hasNamespaces: false },
  json_js: { ...TREE, defaultNamespace: "translation" },
  js_module: { ...TREE, isCode: true },
  po: { ...GETTEXT, domainExtension: ".po" },
  pot: { ...GETTEXT, isTemplate: true, mayLackLocale: true },
  mo: { ...COMPILED, kind: "binary", domainExtension: ".mo" },
  wordpress_php: { ...COMPILED, domainExtension: ".l10n.php" },
  wordpress_jed: { ...COMPILED, mayNameLocale: false },
  csv: SHEET,
  xlsx: { ...SHEET, kind: "binary", isGenerated: true },
  xliff12: XLIFF,
  xliff20: XLIFF,
} as const satisfies Record<FormatName, FormatInfo>;

const byName: ReadonlyMap<string, FormatInfo> = new Map(Object.entries(FORMATS));

/** Returns the properties of a format; `undefined` for a format of the service that is not supported (yet). */
export function formatInfoOf(name: string): FormatInfo | undefined {
  return byName.get(name);
}
