/**
 * The formats of translation files: one record with all that is known of each, except how it is read and written
 * (`src/formats/supported-formats.ts`). Globs, menus, selectors of documents, the schema of the project file and a table of
 * docs/formats.md are made from these records; no other code has the names of formats, or their endings.
 */
import type { PlaceholderFamily } from "./placeholders.ts";

export interface FormatInfo {
  /** The name that people know. */
  readonly displayName: string;
  /** The name of all formats of its kind, where several are listed. */
  readonly groupName: string;
  /** Endings of file names, the preferred one first. */
  readonly extensions: readonly string[];
  /** Whether a path with such an ending is of this format, unless its name or content shows another one. */
  readonly isDefault: boolean;
  /** VS Code's ids of the languages of such files; empty: it has none. */
  readonly languageIds: readonly string[];
  readonly mediaType: string;
  /** Formats of one family have the same kind of texts. `tree`: nested names. */
  readonly family: "tree" | "gettext" | "spreadsheet" | "xliff";
  /**
   * `text`: files are changed in place. `generated`, `binary`: other programs make the files from others; they are read, and only
   * written as a whole, as text or bytes.
   */
  readonly kind: "text" | "generated" | "binary";
  /** What identifies a text in a file. */
  readonly keys: "names" | "source texts" | "identifiers" | "a column";
  /** What a file describes its keys by; `null`: nothing. */
  readonly descriptions: "comments" | "comments and records" | "notes" | "a column" | null;
  /** How a file limits the number of characters of a text; `null`: it does not. */
  readonly maxLengths: string | null;
  /** Whether entries specify their namespaces, so that a file may contain keys of several. */
  readonly ownNamespaces: boolean;
  /** Whether a file may contain several locales. */
  readonly ownLocales: boolean;
  /** Whether files only list keys with their source texts, for translations in another format. */
  readonly isTemplate: boolean;
  /** Whether files are code, which may also do something else. */
  readonly isCode: boolean;
  /** Whether files with such an ending are never anything but translations. */
  readonly isOnlyTranslations: boolean;
  /**
   * Where such files may be translations: `anywhere`, in folders whose names suggest that (`folders`), or there and with
   * such a name (`names`).
   */
  readonly foundIn: "anywhere" | "folders" | "names";
  /** Whether the namespace may be in the path; otherwise there is none. */
  readonly hasNamespaces: boolean;
  /** The namespace that a common framework uses where the path has none; `null`: none. */
  readonly defaultNamespace: string | null;
  /** Whether a file may lack a locale in its path: templates, sources and spreadsheets. */
  readonly mayLackLocale: boolean;
  /** Whether the locale may be in the name of the file, not only of its folder. */
  readonly mayNameLocale: boolean;
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
  /** What an empty text in a file means: that there is none yet, or that users are to see an empty text. */
  readonly emptyText: "untranslated" | "text";
  /** How texts contain values, whatever the framework; `null`: as in the framework. */
  readonly placeholders: PlaceholderFamily | null;
  /** The outline that VS Code lacks; `nested`: by the parts of keys; `null`: VS Code has one. */
  readonly outline: "flat" | "nested" | null;
}

const TREE = {
  isDefault: true,
  family: "tree",
  kind: "text",
  keys: "names",
  descriptions: "comments",
  maxLengths: null,
  ownNamespaces: false,
  ownLocales: false,
  isTemplate: false,
  isCode: false,
  isOnlyTranslations: false,
  foundIn: "folders",
  hasNamespaces: true,
  defaultNamespace: null,
  mayLackLocale: false,
  mayNameLocale: true,
  naming: "tree",
  content: null,
  encodingDeclaration: null,
  showsLocale: false,
  hasOneValue: false,
  emptyText: "untranslated",
  placeholders: null,
  outline: null,
} as const satisfies Partial<FormatInfo>;

const PHP = { groupName: "PHP", languageIds: ["php"], mediaType: "text/x-php", content: "php" } as const;
const JSON_FILE = {
  groupName: "JSON",
  extensions: [".json"],
  languageIds: ["json", "jsonc"],
  mediaType: "application/json",
  foundIn: "anywhere",
  content: "json",
} as const;
const LARAVEL = { hasOneValue: true, placeholders: "colon" } as const;

const GETTEXT = {
  ...TREE,
  groupName: "gettext",
  languageIds: [],
  family: "gettext",
  keys: "source texts",
  maxLengths: "`#, max-length:80`",
  isOnlyTranslations: true,
  foundIn: "anywhere",
  naming: "domain",
  content: "gettext",
  encodingDeclaration: "gettext",
  showsLocale: true,
  outline: "flat",
} as const;
const COMPILED = {
  ...GETTEXT,
  kind: "generated",
  descriptions: null,
  maxLengths: null,
  encodingDeclaration: null,
  showsLocale: false,
  emptyText: "text",
  outline: null,
} as const;

const SHEET = {
  ...TREE,
  languageIds: [],
  family: "spreadsheet",
  keys: "a column",
  descriptions: "a column",
  ownNamespaces: true,
  ownLocales: true,
  foundIn: "names",
  mayLackLocale: true,
  naming: "none",
  showsLocale: true,
  outline: "flat",
} as const;

const XLIFF = {
  ...TREE,
  groupName: "XLIFF",
  extensions: [".xlf", ".xliff"],
  languageIds: [],
  mediaType: "application/xliff+xml",
  family: "xliff",
  keys: "identifiers",
  descriptions: "notes",
  ownNamespaces: true,
  isOnlyTranslations: true,
  foundIn: "anywhere",
  mayLackLocale: true,
  naming: "own",
  content: "xliff",
  encodingDeclaration: "xml",
  showsLocale: true,
  hasOneValue: true,
  outline: "flat",
} as const;

/** By the names of § POST /imports: each format is one of the service's. */
const FORMATS = {
  laravel_php: {
    ...TREE,
    ...PHP,
    ...LARAVEL,
    displayName: "Laravel PHP",
    extensions: [".php"],
    mayNameLocale: false,
    outline: "nested",
  },
  laravel_json: {
    ...TREE,
    ...JSON_FILE,
    ...LARAVEL,
    displayName: "Laravel JSON",
    isDefault: false,
    hasNamespaces: false,
    naming: "locale",
  },
  json_js: {
    ...TREE,
    ...JSON_FILE,
    displayName: "JSON",
    descriptions: "comments and records",
    defaultNamespace: "translation",
  },
  js_module: {
    ...TREE,
    displayName: "JavaScript/TypeScript",
    groupName: "JavaScript/TypeScript",
    extensions: [".ts", ".js", ".mts", ".mjs", ".cts", ".cjs"],
    languageIds: ["javascript", "typescript"],
    mediaType: "text/javascript",
    isCode: true,
    content: "module",
  },
  po: {
    ...GETTEXT,
    displayName: "gettext PO",
    extensions: [".po"],
    mediaType: "text/x-gettext-translation",
  },
  pot: {
    ...GETTEXT,
    displayName: "gettext POT",
    extensions: [".pot"],
    mediaType: "text/x-gettext-translation-template",
    isTemplate: true,
    mayLackLocale: true,
    naming: "template",
  },
  mo: {
    ...COMPILED,
    displayName: "gettext MO",
    extensions: [".mo"],
    mediaType: "application/x-gettext-translation",
    kind: "binary",
    content: null,
    showsLocale: true,
  },
  wordpress_php: {
    ...COMPILED,
    ...PHP,
    displayName: "WordPress PHP",
    extensions: [".l10n.php"],
    descriptions: "comments",
    foundIn: "folders",
    outline: "flat",
  },
  wordpress_jed: {
    ...COMPILED,
    ...JSON_FILE,
    displayName: "WordPress JSON",
    isDefault: false,
    isOnlyTranslations: false,
    mayNameLocale: false,
    naming: "script",
  },
  csv: {
    ...SHEET,
    displayName: "CSV",
    groupName: "CSV",
    extensions: [".csv"],
    mediaType: "text/csv",
  },
  xlsx: {
    ...SHEET,
    displayName: "Excel",
    groupName: "Excel",
    extensions: [".xlsx"],
    mediaType: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    kind: "binary",
    outline: null,
  },
  xliff12: { ...XLIFF, displayName: "XLIFF 1.2", maxLengths: '`maxwidth="80" size-unit="char"`' },
  xliff20: { ...XLIFF, displayName: "XLIFF 2.0", isDefault: false },
} as const satisfies Readonly<Record<string, FormatInfo>>;

/** A format, by its name in § POST /imports. */
export type FormatName = keyof typeof FORMATS;

/** `kind` of each format. */
export type FormatKinds = { readonly [Name in FormatName]: (typeof FORMATS)[Name]["kind"] };

/** The names of all formats. */
export const FORMAT_NAMES = Object.keys(FORMATS) as [FormatName, ...FormatName[]];

const BY_NAME: ReadonlyMap<string, FormatInfo> = new Map(Object.entries(FORMATS));

/** Returns the record of a format. */
export function formatInfo(name: FormatName): FormatInfo {
  return FORMATS[name];
}

/** Returns the record of a format; `undefined` for a format of the service that is not supported (yet). */
export function formatInfoOf(name: string): FormatInfo | undefined {
  return BY_NAME.get(name);
}

/** Returns the name of a format that people know; that of the service if the format is not supported (yet). */
export function formatDisplayName(name: string): string {
  return BY_NAME.get(name)?.displayName ?? name;
}

/** Formats that name keys in the same way and are generated from one another, of which some contain the source text too. */
export type BilingualFamily = "gettext" | "xliff";

/** Returns the family of a format; `null` if its files have texts of one language beside a key. */
export function bilingualFamily(name: string): BilingualFamily | null {
  const family = BY_NAME.get(name)?.family;
  return family === "gettext" || family === "xliff" ? family : null;
}

/** Whether other programs make files of the format: they are only written as a whole. */
export function isGenerated(name: string): boolean {
  const kind = BY_NAME.get(name)?.kind;
  return kind !== undefined && kind !== "text";
}

/** Endings of file names, longest first, with the format that each stands for by default. */
export const EXTENSIONS: readonly (readonly [extension: string, format: FormatName])[] = FORMAT_NAMES.flatMap(
  (name) => {
    const { isDefault, extensions } = formatInfo(name);
    return isDefault ? extensions.map((extension) => [extension, name] as const) : [];
  },
).sort(([a], [b]) => b.length - a.length);

/** Returns the endings of files of the formats that are chosen, with the dot. */
export function extensionsWhere(isChosen: (info: FormatInfo) => boolean): readonly string[] {
  return EXTENSIONS.flatMap(([extension, name]) => (isChosen(formatInfo(name)) ? extension : []));
}

/** Returns what follows the last dot of those endings, sorted. */
export function lastExtensionsWhere(isChosen: (info: FormatInfo) => boolean): readonly string[] {
  const names = extensionsWhere(isChosen).map((extension) => extension.slice(extension.lastIndexOf(".") + 1));
  return [...new Set(names)].toSorted();
}

/** Returns a glob of that: `{json,php}`. */
export function extensionGlob(isChosen: (info: FormatInfo) => boolean): string {
  const names = lastExtensionsWhere(isChosen);
  return names.length === 1 ? names.join() : `{${names.join(",")}}`;
}

/** Returns what selects documents in VS Code of the formats that are chosen: languages, and files that have none. */
export function documentsWhere(
  isChosen: (info: FormatInfo) => boolean,
): readonly (string | { readonly pattern: string })[] {
  const languages = new Set(
    FORMAT_NAMES.map(formatInfo)
      .filter((info) => info.kind !== "binary" && isChosen(info))
      .flatMap(({ languageIds }) => languageIds),
  );
  const pattern = `**/*.${extensionGlob((info) => isInNoLanguage(info) && isChosen(info))}`;
  return [...languages, { pattern }];
}

/** Whether an editor shows the files as plain text. */
export function isInNoLanguage({ kind, languageIds }: FormatInfo): boolean {
  return kind !== "binary" && languageIds.length === 0;
}

/** The kinds of formats, to say which are supported. */
export const GROUP_NAMES: readonly string[] = [
  ...new Set(FORMAT_NAMES.map((name) => formatInfo(name).groupName)),
];
