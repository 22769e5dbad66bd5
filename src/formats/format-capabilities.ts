/**
 * Properties of file formats that are needed without loading their readers and writers (`supported-formats.ts`). Add a
 * record here for each new format; no other code compares the names of formats.
 */
import type { FormatName } from "../model/format-name.ts";
import type { PlaceholderFamily } from "../model/placeholders.ts";

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
  /**
   * How paths name the locale and namespace: `none` does not; `template`: the file name is the namespace; `locale`: it is
   * a locale; `domain`: it is a domain, a locale, or both; `script`: it also has a script's hash; `own`: files may name
   * themselves, so that a name is no namespace; `tree`: folders and file name are the namespace.
   */
  readonly naming: "none" | "template" | "locale" | "domain" | "script" | "own" | "tree";
  /** What files of related formats are told apart by; `null`: content cannot show that a file is none. */
  readonly content: "json" | "php" | "xliff" | "module" | "gettext" | null;
  /** Where the start of a file declares its encoding; `null`: nowhere. */
  readonly encodingDeclaration: "xml" | "gettext" | null;
  /** Whether the file itself shows its locale, or needs none. */
  readonly showsLocale: boolean;
  /** Whether a plural key has a single value with all of its forms. */
  readonly hasOneValue: boolean;
  /** How texts contain values, whatever the framework; `null`: as in the framework. */
  readonly placeholders: PlaceholderFamily | null;
  /** Whether the outline, which VS Code lacks, is nested by the parts of keys. */
  readonly hasNestedOutline: boolean;
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
  naming: "tree",
  content: "json",
  encodingDeclaration: null,
  showsLocale: false,
  hasOneValue: false,
  placeholders: null,
  hasNestedOutline: false,
};
const GETTEXT: FormatInfo = {
  ...TREE,
  family: "gettext",
  naming: "domain",
  content: "gettext",
  encodingDeclaration: "gettext",
  showsLocale: true,
};
const COMPILED: FormatInfo = {
  ...GETTEXT,
  isGenerated: true,
  encodingDeclaration: null,
  showsLocale: false,
};
const SHEET: FormatInfo = {
  ...TREE,
  family: "spreadsheet",
  ownNamespaces: true,
  ownLocales: true,
  mayLackLocale: true,
  naming: "none",
  content: null,
  showsLocale: true,
};
const XLIFF: FormatInfo = {
  ...TREE,
  family: "xliff",
  ownNamespaces: true,
  mayLackLocale: true,
  naming: "own",
  content: "xliff",
  encodingDeclaration: "xml",
  showsLocale: true,
  hasOneValue: true,
};
const LARAVEL: FormatInfo = { ...TREE, hasOneValue: true, placeholders: "colon" };

const FORMATS = {
  laravel_php: { ...LARAVEL, mayNameLocale: false, content: "php", hasNestedOutline: true },
  laravel_json: { ...LARAVEL, hasNamespaces: false, naming: "locale" },
  json_js: { ...TREE, defaultNamespace: "translation" },
  js_module: { ...TREE, isCode: true, content: "module" },
  po: { ...GETTEXT, domainExtension: ".po" },
  pot: { ...GETTEXT, isTemplate: true, mayLackLocale: true, naming: "template" },
  mo: { ...COMPILED, kind: "binary", domainExtension: ".mo", content: null, showsLocale: true },
  wordpress_php: { ...COMPILED, domainExtension: ".l10n.php", content: "php" },
  wordpress_jed: { ...COMPILED, mayNameLocale: false, naming: "script", content: "json" },
  csv: SHEET,
  xlsx: { ...SHEET, kind: "binary", isGenerated: true },
  xliff12: XLIFF,
  xliff20: XLIFF,
} as const satisfies Record<FormatName, FormatInfo>;

const byName: ReadonlyMap<string, FormatInfo> = new Map(Object.entries(FORMATS));

/** Returns the properties of a format. */
export function formatInfo(name: FormatName): FormatInfo {
  return FORMATS[name];
}

/** Returns the properties of a format; `undefined` for a format of the service that is not supported (yet). */
export function formatInfoOf(name: string): FormatInfo | undefined {
  return byName.get(name);
}
