/**
 * Which `files` entries fit a folder that has no project file yet, and which other mappings of the same files a
 * project's keys might follow (N2). Proposes only: nothing is written, and the user decides.
 */
import { formatOf } from "./formats/registry.ts";
import { recognisePath, type Recognised } from "./formats/recognise.ts";
import { hasPlaceholder } from "./layout.ts";
import { isLocaleName } from "./locale-names.ts";
import type { FilesEntry } from "./project-file.ts";
import { isNotReadable, readTranslationFile } from "./formats/translation-file.ts";

/** One proposed entry and why. */
export interface LayoutProposal {
  readonly entry: FilesEntry;
  /** A folder for each locale, a file for each locale, or overrides of a Laravel package's texts. */
  readonly reason: "folder-per-locale" | "file-per-locale" | "package-overrides";
  /** How many files fit. */
  readonly files: number;
  /** As in the file names, sorted. */
  readonly locales: readonly string[];
  /** One of the files, for people. */
  readonly sample: string;
}

const SKIPPED_FOLDERS: ReadonlySet<string> = new Set([
  ...[
    "node_modules",
    ".git",
    "dist",
    "build",
    "out",
    "coverage",
    "bower_components",
    "storage",
    ".next",
    ".nuxt",
  ],
]);

/** Folder names that say "translations here". Without one, two locales must be there. */
const HINT = /^(?:lang|langs|languages?|locales?|i18n|l10n|intl|translations?|messages|resources)$/i;

interface Group {
  readonly entry: FilesEntry;
  readonly reason: LayoutProposal["reason"];
  readonly paths: string[];
  readonly locales: Set<string>;
  hinted: boolean;
}

/**
 * Proposals for the paths of a project (relative, with `/`), the one with most files first. `readBytes` gives the
 * bytes of a file, or `undefined` when it cannot be read; it is asked for one file of each layout.
 */
export async function proposeLayouts(
  paths: readonly string[],
  readBytes: (path: string) => Promise<Uint8Array | undefined>,
): Promise<readonly LayoutProposal[]> {
  const groups = new Map<string, Group>();
  for (const path of paths) {
    const placed = isSkipped(path) ? null : patternOf(path);
    if (placed === null) continue;
    const group = groups.get(placed.entry.path) ?? {
      ...placed,
      paths: [],
      locales: new Set(),
      hinted: false,
    };
    groups.set(placed.entry.path, group);
    group.paths.push(path);
    group.locales.add(placed.locale);
    group.hinted ||= path
      .split("/")
      .slice(0, -1)
      .some((folder) => HINT.test(folder));
  }
  const proposals: LayoutProposal[] = [];
  for (const group of groups.values()) {
    if (!group.hinted && group.locales.size < 2) continue;
    const sample = sampleOf(group.paths);
    const bytes = await readBytes(sample);
    if (bytes === undefined || !(await holdsTexts(bytes, group.entry))) continue;
    const locales = [...group.locales].sort();
    proposals.push({ entry: group.entry, reason: group.reason, files: group.paths.length, locales, sample });
  }
  return proposals.sort((a, b) => b.files - a.files || (a.entry.path < b.entry.path ? -1 : 1));
}

interface PlacedPattern {
  readonly entry: FilesEntry;
  readonly reason: LayoutProposal["reason"];
  readonly locale: string;
}

/** The pattern that a path would be found by. */
function patternOf(path: string): PlacedPattern | null {
  const recognised = recognisePath(path);
  if (recognised === null || recognised.locale === null || formatOf(recognised.format) === undefined)
    return null;
  const { format, locale } = recognised;
  const folders = path.split("/");
  const file = folders.pop() ?? "";
  const at = folders.lastIndexOf(locale);
  if (at < 0) return fileForLocale(folders, file, recognised);
  const ending = file.slice(file.indexOf("."));
  const before = folders.slice(0, at);
  if (before[before.length - 2] === "vendor") {
    const pattern = [...before.slice(0, -1), "{package}", "{locale}", `{namespace}${ending}`].join("/");
    return { entry: { path: pattern, format }, reason: "package-overrides", locale };
  }
  const pattern = [...before, "{locale}", `{namespace}${ending}`].join("/");
  return { entry: { path: pattern, format }, reason: "folder-per-locale", locale };
}

function fileForLocale(
  folders: readonly string[],
  file: string,
  recognised: Recognised,
): PlacedPattern | null {
  const { format, namespace } = recognised;
  const locale = recognised.locale ?? "";
  // PHP files outside a folder of a locale are code.
  if (format === "laravel_php") return null;
  const ending = file.slice(file.lastIndexOf("."));
  const parts = file.slice(0, -ending.length).split(".");
  const names = parts.map((part) => (part === locale ? "{locale}" : part));
  if (namespace !== null) {
    if (parts.length !== 2) return null;
    names.splice(0, 2, ...names.map((name) => (name === "{locale}" ? name : "{namespace}")));
  }
  const pattern = [...folders, names.join(".") + ending].join("/");
  return { entry: { path: pattern, format }, reason: "file-per-locale", locale };
}

function isSkipped(path: string): boolean {
  const folders = path.split("/").slice(0, -1);
  if (folders.some((folder) => SKIPPED_FOLDERS.has(folder))) return true;
  // Composer's `vendor` is not ours; `lang/vendor` holds our own overrides.
  const vendor = folders.indexOf("vendor");
  return vendor >= 0 && folders[vendor - 1] !== "lang";
}

/** English first: a target's files may be empty. */
function sampleOf(paths: readonly string[]): string {
  const english = paths.find((path) =>
    path.split(/[/.]/).some((part) => isLocaleName(part) && /^en\b/i.test(part)),
  );
  return english ?? paths[0] ?? "";
}

async function holdsTexts(bytes: Uint8Array, entry: FilesEntry): Promise<boolean> {
  const format = formatOf(entry.format);
  if (format === undefined) return false;
  const read = await readTranslationFile(format, bytes, { locale: "en", sourceLocale: "en" });
  if (isNotReadable(read)) return false;
  const { entries, problems } = read;
  return (
    entries.length > 0 && problems.filter((problem) => problem.code === "type").length <= entries.length / 4
  );
}

/** The same files under another mapping of keys. */
export interface AlternativeMapping {
  readonly code: "as-proposed" | "no-namespace" | "namespace-in-key" | "default-namespace";
  readonly files: readonly FilesEntry[];
}

/**
 * Other mappings to try against the service's keys when few match: every key in `*` (`auth.failed` or `failed`),
 * the path's own namespace, or i18next's default `translation`. The given mapping itself is not among them.
 */
export function alternativeMappings(files: readonly FilesEntry[]): readonly AlternativeMapping[] {
  const bare = files.map(({ path, format }): FilesEntry => ({ path, format }));
  const spaced = (entry: FilesEntry): boolean =>
    hasPlaceholder(entry.path, "namespace") && entry.format !== "laravel_json";
  const candidates: AlternativeMapping[] = [
    { code: "as-proposed", files: bare },
    {
      code: "namespace-in-key",
      files: bare.map((entry) =>
        spaced(entry)
          ? { ...entry, namespace: "*", keyPrefix: `${packagePrefix(entry)}{namespace}.` }
          : entry,
      ),
    },
    {
      code: "no-namespace",
      files: bare.map((entry) => (spaced(entry) ? { ...entry, namespace: "*" } : entry)),
    },
    {
      code: "default-namespace",
      files: bare.map((entry) =>
        !spaced(entry) && entry.format === "json_js" ? { ...entry, namespace: "translation" } : entry,
      ),
    },
  ];
  const seen = new Set([identityOf(files)]);
  return candidates.filter((candidate) => {
    const identity = identityOf(candidate.files);
    return !seen.has(identity) && seen.add(identity);
  });
}

function packagePrefix(entry: FilesEntry): string {
  return hasPlaceholder(entry.path, "package") ? "{package}::" : "";
}

function identityOf(files: readonly FilesEntry[]): string {
  return JSON.stringify(
    files.map((entry) => [entry.path, entry.format, entry.namespace ?? "", entry.keyPrefix ?? ""]),
  );
}
