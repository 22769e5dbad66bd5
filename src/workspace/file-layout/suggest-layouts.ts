/** Proposes `files` entries for a folder without a project file. Writes nothing: the user decides. */
import { getOrCreate } from "../../model/maps.ts";
import type { FormatName } from "../../model/format-name.ts";
import { detectFromContent } from "../../formats/detect-format.ts";
import { formatInfoOf } from "../../formats/format-properties.ts";
import { decodeHead, type FileRead, isUnreadable, MAX_FILE_BYTES } from "../../formats/translation-file.ts";
import {
  hasTranslationName,
  isExcluded,
  patternOf,
  englishFirst,
  type PatternOfPath,
} from "./infer-path-pattern.ts";
import { isGenerated } from "../local-files/local-file.ts";
import type { TranslationFiles } from "../local-files/translation-files.ts";
import type { FilesEntry } from "../project-file/project-file.ts";

/** A proposed entry and the reason for it. */
export interface LayoutProposal {
  readonly entry: FilesEntry;
  /**
   * Whether there is a folder per locale, a file per locale, overrides of a Laravel package's texts, or a single
   * file: a template, a source file or a spreadsheet.
   */
  readonly reason: PatternOfPath["reason"];
  /** Number of files that match the entry. */
  readonly files: number;
  /** Locales in the file names or, for spreadsheets, inside the files; sorted. */
  readonly locales: readonly string[];
  /** Path of one of the files, to display. */
  readonly sample: string;
}

/** Files with the same pattern. */
interface PatternGroup {
  readonly pattern: string;
  readonly format: FormatName;
  readonly reason: PatternOfPath["reason"];
  readonly paths: string[];
  readonly locales: Set<string>;
  readonly names: Set<string>;
  /** Namespace of the entry; absent: the format's own rule. */
  readonly namespace?: string;
  isNamedForTranslations: boolean;
}

/**
 * Proposes entries for the paths of a project (relative, with `/`), the one with most files first.
 * @param readBytes reads a file, `undefined` if it cannot be read; called for files of each pattern until one has
 * texts
 */
export async function proposeLayouts(
  paths: readonly string[],
  readBytes: (path: string) => Promise<Uint8Array | undefined>,
  formats: Pick<TranslationFiles, "read">,
): Promise<readonly LayoutProposal[]> {
  const groups = groupsOf(paths).flatMap(resolveNamespace);
  const proposals: LayoutProposal[] = [];
  for (const group of groups) {
    if (!isLikely(group, groups)) continue;
    const found = await findSample(group, readBytes, formats);
    if (found === null) continue;
    const { sample } = found;
    const inside = Array.from(found.entries, ({ locale }) => locale ?? []).flat();
    const namespace = group.format === "pot" ? templateNamespace(group, groups) : group.namespace;
    proposals.push({
      entry: {
        path: group.pattern,
        format: found.format,
        ...(namespace === undefined ? {} : { namespace }),
      },
      reason: group.reason,
      files: group.paths.length,
      locales: [...new Set([...group.locales, ...inside])].sort(),
      sample,
    });
  }
  return proposals.sort((a, b) => b.files - a.files || (a.entry.path < b.entry.path ? -1 : 1));
}

function groupsOf(paths: readonly string[]): readonly PatternGroup[] {
  const groups = new Map<string, PatternGroup>();
  for (const path of paths) {
    const found = isExcluded(path) ? null : patternOf(path);
    if (found === null) continue;
    const { pattern, format, reason, locale, name } = found;
    const group = getOrCreate(groups, pattern, () => {
      const none = { paths: [], locales: new Set<string>(), names: new Set<string>() };
      return { pattern, format, reason, ...none, isNamedForTranslations: false };
    });
    group.paths.push(path);
    if (locale !== null) group.locales.add(locale);
    if (name !== null) group.names.add(name);
    group.isNamedForTranslations ||= hasTranslationName(path);
  }
  return [...groups.values()];
}

/** More domains than this are expressed by `{namespace}`. */
const MAX_LITERAL_DOMAINS = 3;

/** Replaces `{namespace}` with a literal name where the entry is more exact that way; may split the group by name. */
function resolveNamespace(group: PatternGroup): readonly PatternGroup[] {
  const { pattern, format, names } = group;
  const [only] = names;
  const literal = (name: string, namespace?: string): PatternGroup => {
    const path = pattern.replace("{namespace}", name);
    const own = group.paths.filter((each) => patternOf(each)?.name === name);
    const locales = new Set(own.flatMap((each) => patternOf(each)?.locale ?? []));
    return {
      ...group,
      pattern: path,
      paths: own,
      locales,
      ...(namespace === undefined ? {} : { namespace }),
    };
  };
  if (!pattern.includes("{namespace}") || only === undefined) return [group];
  switch (format) {
    case "xliff12":
    case "xliff20":
      // Files named by domain may name themselves differently in each language.
      return names.size === 1 ? [literal(only)] : [{ ...group, namespace: "{namespace}" }];
    case "po":
    case "mo":
    case "wordpress_php":
      // A domain and a locale that both contain dashes could be split in several places.
      if (group.reason !== "file-per-locale" || names.size > MAX_LITERAL_DOMAINS) return [group];
      return [...names].map((name) => literal(name, name));
    case "js_module":
      return names.size === 1 && only === "index" ? [literal(only)] : [group];
    default:
      return [group];
  }
}

function isLikely(group: PatternGroup, all: readonly PatternGroup[]): boolean {
  const { pattern, format, reason, locales, isNamedForTranslations, names } = group;
  const folder = pattern.slice(0, pattern.lastIndexOf("/") + 1);
  const others = all.filter((other) => other !== group);
  if (isGenerated(format)) {
    return !others.some((other) => isTemplate(other) && shareFolder(other.pattern, pattern));
  }
  if (format === "pot") return isNamedForTranslations || others.some((other) => other.format === "po");
  if (reason === "one-file" && (format === "xliff12" || format === "xliff20")) {
    // A source file is recognised by the translations beside it.
    const [name = ""] = names;
    return others.some(
      (other) => other.locales.size > 0 && other.pattern.startsWith(`${folder}${name}.{locale}`),
    );
  }
  // An index module beside the texts only combines them.
  const isIndex = format === "js_module" && names.size === 1 && names.has("index");
  const isOwn = (other: PatternGroup): boolean => other.format !== format && other.pattern.startsWith(folder);
  if (isIndex && others.some((other) => isOwn(other) && other.locales.size > 0)) return false;
  if (format === "js_module" || reason === "one-file") return isNamedForTranslations;
  return isNamedForTranslations || locales.size > 1;
}

function isTemplate({ format }: PatternGroup): boolean {
  return format === "po" || format === "pot";
}

/** Whether both are in the same folder, up to the first placeholder. */
function shareFolder(a: string, b: string): boolean {
  const folderOf = (pattern: string): string =>
    pattern.slice(0, pattern.lastIndexOf("/") + 1).split("{")[0] ?? "";
  return folderOf(a) === folderOf(b);
}

/** Returns the namespace of a template: the one that its translations are named by, if any. */
function templateNamespace(template: PatternGroup, all: readonly PatternGroup[]): string | undefined {
  const [name] = template.names;
  const translations = all.filter(({ format }) => format === "po");
  const isNamed = translations.some(({ names }) => name !== undefined && names.has(name));
  return isNamed || translations.length === 0 ? name : undefined;
}

/** Files of a pattern that are read: some may be empty or only combine others. */
const MAX_SAMPLES = 25;

/** Returns the first file of the group with texts; `null` if no sampled file has any. */
async function findSample(
  { paths, format }: PatternGroup,
  readBytes: (path: string) => Promise<Uint8Array | undefined>,
  formats: Pick<TranslationFiles, "read">,
): Promise<{
  readonly sample: string;
  readonly format: FormatName;
  readonly entries: FileRead["entries"];
} | null> {
  for (const sample of englishFirst(paths).slice(0, MAX_SAMPLES)) {
    const bytes = await readBytes(sample);
    const found = bytes === undefined ? null : await readTexts(formats, bytes, sample, format);
    if (found !== null) return { sample, ...found };
  }
  return null;
}

/** Returns the entries and the actual format of a file; `null` if its entries do not look like texts. */
async function readTexts(
  formats: Pick<TranslationFiles, "read">,
  bytes: Uint8Array,
  path: string,
  byPath: FormatName,
): Promise<{ readonly format: FormatName; readonly entries: FileRead["entries"] } | null> {
  const isBinary = formatInfoOf(byPath)?.kind === "binary";
  const detected = isBinary ? { format: byPath } : detectFromContent(path, decodeHead(bytes));
  if (detected === null || bytes.length > MAX_FILE_BYTES) return null;
  const { format } = detected;
  if (formatInfoOf(format) === undefined) return null;
  const read = await formats.read(format, bytes, { locale: "en", sourceLocale: "en" });
  if (isUnreadable(read)) return null;
  const { entries, problems } = read;
  const strange = problems.filter((problem) => problem.code === "type").length;
  return entries.length > 0 && strange <= entries.length / 4 ? { format, entries } : null;
}
