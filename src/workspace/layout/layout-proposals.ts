/**
 * Which `files` entries fit a folder that has no project file yet. Proposes only: nothing is written, and the user
 * decides.
 */
import type { FormatName } from "../../model/format-name.ts";
import { recogniseContent } from "../../formats/recognise.ts";
import { factsOf } from "../../formats/format-facts.ts";
import { beginningOf, type FileRead, isNotReadable, MAX_FILE_BYTES } from "../../formats/translation-file.ts";
import { isHinted, isSkipped, patternOf, samplesOf, type PatternOfPath } from "./layout-patterns.ts";
import { isGenerated } from "../local-files/local-file.ts";
import type { TranslationFiles } from "../local-files/translation-files.ts";
import type { FilesEntry } from "../project-file/project-file.ts";

/** One proposed entry and why. */
export interface LayoutProposal {
  readonly entry: FilesEntry;
  /**
   * A folder for each locale, a file for each locale, overrides of a Laravel package's texts, or one file: a template,
   * a file of the source language, a spreadsheet.
   */
  readonly reason: PatternOfPath["reason"];
  /** How many files fit. */
  readonly files: number;
  /** As in the file names, or inside of a spreadsheet, sorted. */
  readonly locales: readonly string[];
  /** One of the files, for people. */
  readonly sample: string;
}

/** Files of one pattern. */
interface Group {
  readonly pattern: string;
  readonly format: FormatName;
  readonly reason: PatternOfPath["reason"];
  readonly paths: string[];
  readonly locales: Set<string>;
  readonly names: Set<string>;
  /** What the entry says of the namespace; absent: the format's own rule. */
  readonly namespace?: string;
  hinted: boolean;
}

/**
 * Proposals for the paths of a project (relative, with `/`), the one with most files first. `readBytes` gives the
 * bytes of a file, or `undefined` when it cannot be read; it is asked for files of each layout until one has texts.
 */
export async function proposeLayouts(
  paths: readonly string[],
  readBytes: (path: string) => Promise<Uint8Array | undefined>,
  formats: Pick<TranslationFiles, "read">,
): Promise<readonly LayoutProposal[]> {
  const groups = groupsOf(paths).flatMap(settled);
  const proposals: LayoutProposal[] = [];
  for (const group of groups) {
    if (!isLikely(group, groups)) continue;
    const found = await firstTexts(group, readBytes, formats);
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

function groupsOf(paths: readonly string[]): readonly Group[] {
  const groups = new Map<string, Group>();
  for (const path of paths) {
    const found = isSkipped(path) ? null : patternOf(path);
    if (found === null) continue;
    const { pattern, format, reason, locale, name } = found;
    let group = groups.get(pattern);
    if (group === undefined) {
      const none = { paths: [], locales: new Set<string>(), names: new Set<string>(), hinted: false };
      groups.set(pattern, (group = { pattern, format, reason, ...none }));
    }
    group.paths.push(path);
    if (locale !== null) group.locales.add(locale);
    if (name !== null) group.names.add(name);
    group.hinted ||= isHinted(path);
  }
  return [...groups.values()];
}

/** More domains in one folder than these are better said by `{namespace}`. */
const FEW_DOMAINS = 3;

/** The group as it is proposed: with a name in the place of `{namespace}` where that says more. */
function settled(group: Group): readonly Group[] {
  const { pattern, format, names } = group;
  const [only] = names;
  const literal = (name: string, namespace?: string): Group => {
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
      // What the files call themselves differs by language where they are named by domain.
      return names.size === 1 ? [literal(only)] : [{ ...group, namespace: "{namespace}" }];
    case "po":
    case "mo":
    case "wordpress_php":
      // A domain with dashes and a locale with dashes could be cut in several places.
      if (group.reason !== "file-per-locale" || names.size > FEW_DOMAINS) return [group];
      return [...names].map((name) => literal(name, name));
    case "js_module":
      return names.size === 1 && only === "index" ? [literal(only)] : [group];
    default:
      return [group];
  }
}

function isLikely(group: Group, all: readonly Group[]): boolean {
  const { pattern, format, reason, locales, hinted, names } = group;
  const folder = pattern.slice(0, pattern.lastIndexOf("/") + 1);
  const others = all.filter((other) => other !== group);
  if (isGenerated(format)) {
    return !others.some((other) => isTemplate(other) && shareFolder(other.pattern, pattern));
  }
  if (format === "pot") return hinted || others.some((other) => other.format === "po");
  if (reason === "one-file" && (format === "xliff12" || format === "xliff20")) {
    // A source file is told by the translations beside it.
    const [name = ""] = names;
    return others.some(
      (other) => other.locales.size > 0 && other.pattern.startsWith(`${folder}${name}.{locale}`),
    );
  }
  // A module beside the texts only puts them together.
  const isIndex = format === "js_module" && names.size === 1 && names.has("index");
  const isOwn = (other: Group): boolean => other.format !== format && other.pattern.startsWith(folder);
  if (isIndex && others.some((other) => isOwn(other) && other.locales.size > 0)) return false;
  if (format === "js_module" || reason === "one-file") return hinted;
  return hinted || locales.size > 1;
}

function isTemplate({ format }: Group): boolean {
  return format === "po" || format === "pot";
}

/** Whether both lie in the same folder, up to where placeholders begin. */
function shareFolder(a: string, b: string): boolean {
  const folderOf = (pattern: string): string =>
    pattern.slice(0, pattern.lastIndexOf("/") + 1).split("{")[0] ?? "";
  return folderOf(a) === folderOf(b);
}

/** A template has its translations' namespace: their own name of it, or none. */
function templateNamespace(template: Group, all: readonly Group[]): string | undefined {
  const [name] = template.names;
  const translations = all.filter(({ format }) => format === "po");
  const isNamed = translations.some(({ names }) => name !== undefined && names.has(name));
  return isNamed || translations.length === 0 ? name : undefined;
}

/** Files of one layout that are looked into, since some may be empty or only put others together. */
const MAX_LOOKED_INTO = 25;

/** The first file of the group with texts; `null`: none of those that were looked into has any. */
async function firstTexts(
  { paths, format }: Group,
  readBytes: (path: string) => Promise<Uint8Array | undefined>,
  formats: Pick<TranslationFiles, "read">,
): Promise<{
  readonly sample: string;
  readonly format: FormatName;
  readonly entries: FileRead["entries"];
} | null> {
  for (const sample of samplesOf(paths).slice(0, MAX_LOOKED_INTO)) {
    const bytes = await readBytes(sample);
    const found = bytes === undefined ? null : await textsIn(formats, bytes, sample, format);
    if (found !== null) return { sample, ...found };
  }
  return null;
}

/** What the file holds, if those are texts, and the format that it shows. */
async function textsIn(
  formats: Pick<TranslationFiles, "read">,
  bytes: Uint8Array,
  path: string,
  byPath: FormatName,
): Promise<{ readonly format: FormatName; readonly entries: FileRead["entries"] } | null> {
  const isBinary = factsOf(byPath)?.kind === "binary";
  const recognised = isBinary ? { format: byPath } : recogniseContent(path, beginningOf(bytes));
  if (recognised === null || bytes.length > MAX_FILE_BYTES) return null;
  const { format } = recognised;
  if (factsOf(format) === undefined) return null;
  const read = await formats.read(format, bytes, { locale: "en", sourceLocale: "en" });
  if (isNotReadable(read)) return null;
  const { entries, problems } = read;
  const strange = problems.filter((problem) => problem.code === "type").length;
  return entries.length > 0 && strange <= entries.length / 4 ? { format, entries } : null;
}
