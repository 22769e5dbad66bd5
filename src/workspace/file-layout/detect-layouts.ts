/**
 * Proposes `files` entries for a folder without a project file, and finds the apps in it: folders with a manifest and
 * translation files. Writes nothing: the user decides.
 */
import { basename, dirname } from "node:path/posix";
import {
  extensionGlob,
  formatInfo,
  formatInfoOf,
  type FormatName,
  isGenerated,
} from "../../model/file-formats.ts";
import { detectFromContent } from "../../formats/detect-format.ts";
import {
  decodeHead,
  type FileRead,
  isUnreadable,
  MAX_FILE_BYTES,
} from "../../formats/parse-and-edit-file.ts";
import { NO_NAMESPACE } from "../../model/key-hash.ts";
import type { TranslationFiles } from "../local-files/parse-large-files-in-indexer.ts";
import type { FilesEntry } from "../project-file/project-file.ts";
import { mapInSlices } from "../../util/event-loop.ts";
import { composedParts } from "./composed-modules.ts";
import { isLanguageData } from "./data-files.ts";
import { exampleApps, isExample } from "./example-apps.ts";
import {
  hasTranslationName,
  isExcluded,
  patternOf,
  englishFirst,
  type PatternOfPath,
  TRANSLATION_NAMES,
} from "./infer-path-pattern.ts";

/** Files that mark the root of an app. */
const MANIFESTS = "package.json,composer.json,manage.py,pyproject.toml,setup.py,angular.json,style.css";
const MANIFEST_NAMES: ReadonlySet<string> = new Set(MANIFESTS.split(","));
const NAMES = `{${TRANSLATION_NAMES.join(",")}}`;

/** Globs of the paths to pass to `detectApps`. */
export const APP_GLOBS: readonly string[] = [
  `**/{${MANIFESTS}}`,
  `**/*.${extensionGlob(({ foundIn }) => foundIn === "anywhere")}`,
  `**/${NAMES}/**/*.${extensionGlob(({ foundIn }) => foundIn !== "anywhere")}`,
  `**/${NAMES}.${extensionGlob(({ foundIn }) => foundIn === "names")}`,
];

/** Whether a new file may be the first one of a layout. */
export function mayBeTranslation(path: string): boolean {
  return locatePattern(path) !== null;
}

/** Whether a change of the file may change a layout that exists: it may be a module that composes others, or one of those. */
export function mayCompose(path: string): boolean {
  const found = locatePattern(path);
  return found !== null && formatInfo(found.format).isCode;
}

function locatePattern(path: string, examples: readonly string[] = []): LocatedPattern | null {
  return isExample(path, examples) ? null : locatePatternAnywhere(path);
}

/** The same in folders of tests and examples, too. */
function locatePatternAnywhere(path: string): LocatedPattern | null {
  const found = isExcluded(path) ? null : patternOf(path);
  return found && { ...found, path };
}

/** Layouts by app folder (empty for the root), with paths relative to it. */
export type AppLayouts = ReadonlyMap<string, readonly FilesEntry[]>;

/**
 * Groups the proposed layouts by app.
 * @param paths paths that match `APP_GLOBS`
 */
export async function detectApps(
  paths: readonly string[],
  readBytes: (path: string) => Promise<Uint8Array | undefined>,
  formats: Pick<TranslationFiles, "read">,
): Promise<AppLayouts> {
  const isTranslation = (path: string): boolean => locatePatternAnywhere(path) !== null;
  const examples = await exampleApps(paths, isTranslation, async (path) => {
    const bytes = await readBytes(path);
    return bytes && new TextDecoder().decode(bytes);
  });
  const candidates = await mapInSlices(paths, (path) => locatePattern(path, examples));
  const layouts = (await proposeFrom(candidates, readBytes, formats)).filter(
    ({ reason }) => reason !== "package-overrides",
  );
  const manifests = new Set(
    paths.filter((path) => MANIFEST_NAMES.has(basename(path))).map((path) => dirname(path)),
  );
  const apps = Map.groupBy(layouts, ({ entry }) => appFolderOf(entry.path, manifests));
  // The texts of a single app may belong to the whole folder, with code in several packages.
  if (apps.size <= 1) return new Map(layouts.length === 0 ? [] : [["", layouts.map(({ entry }) => entry)]]);
  return new Map(
    [...apps].map(([folder, proposals]) => [
      folder,
      proposals.map(({ entry }) => ({
        ...entry,
        path: folder === "" ? entry.path : entry.path.slice(folder.length + 1),
      })),
    ]),
  );
}

/**
 * Returns the layouts of the app in a folder; for the root, if it is no app itself, those of all apps. `undefined` if
 * there are none.
 */
export function layoutsAt(apps: AppLayouts, folder: string): readonly FilesEntry[] | undefined {
  const layouts = apps.get(folder);
  if (layouts !== undefined || folder !== "") return layouts;
  return [...apps].flatMap(([path, entries]) =>
    entries.map((entry) => ({ ...entry, path: `${path}/${entry.path}` })),
  );
}

/** Returns the nearest folder above the layout that has a manifest. */
function appFolderOf(pattern: string, manifests: ReadonlySet<string>): string {
  const folders = pattern.split("/");
  for (folders.pop(); folders.length > 0; folders.pop()) {
    const folder = folders.join("/");
    if (manifests.has(folder)) return folder;
  }
  return "";
}

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
  /** The pattern of the module that composes the object whose part these files are; absent: none does. */
  readonly composedBy?: string;
}

/** Files with the same pattern. */
interface PatternGroup {
  readonly pattern: string;
  readonly format: FormatName;
  readonly reason: PatternOfPath["reason"];
  readonly files: readonly LocatedPattern[];
  readonly locales: ReadonlySet<string>;
  readonly names: ReadonlySet<string>;
  /** Namespace of the entry; absent: the format's own rule. */
  readonly namespace?: string;
  readonly isNamedForTranslations: boolean;
}

type LocatedPattern = PatternOfPath & { readonly path: string };

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
  return proposeFrom(await mapInSlices(paths, locatePatternAnywhere), readBytes, formats);
}

async function proposeFrom(
  files: readonly LocatedPattern[],
  readBytes: (path: string) => Promise<Uint8Array | undefined>,
  formats: Pick<TranslationFiles, "read">,
): Promise<readonly LayoutProposal[]> {
  const groups = groupsOf(files).flatMap(resolveNamespace);
  const proposals: (readonly LayoutProposal[])[] = [];
  for (const group of groups) {
    if (!isLikely(group, groups)) continue;
    const found = await findSample(group, readBytes, formats);
    if (found === null) continue;
    const namespace = isOnlyTemplate(group) ? templateNamespace(group, groups) : group.namespace;
    const inside = found.entries.flatMap(({ locale }) => locale ?? []);
    const proposal = {
      entry: {
        path: group.pattern,
        format: found.format,
        ...(namespace === undefined ? {} : { namespace }),
      },
      reason: group.reason,
      files: group.files.length,
      locales: [...new Set([...group.locales, ...inside])].sort(),
      sample: found.sample,
    };
    const composed = await composedProposals(group, proposal, readBytes);
    proposals.push(composed ?? [proposal]);
  }
  const sizeOf = (each: readonly LayoutProposal[]): number =>
    each.reduce((sum, { files: count }) => sum + count, 0);
  const pathOf = ([first]: readonly LayoutProposal[]): string => first?.entry.path ?? "";
  // The entries of a group stay in their order: the first that matches a file counts.
  return proposals.sort((a, b) => sizeOf(b) - sizeOf(a) || (pathOf(a) < pathOf(b) ? -1 : 1)).flat();
}

function groupsOf(files: readonly LocatedPattern[]): readonly PatternGroup[] {
  const byPattern = Map.groupBy(files, ({ pattern }) => pattern);
  return [...byPattern].flatMap(([pattern, matching]) => groupOf(pattern, matching));
}

function groupOf(pattern: string, files: readonly LocatedPattern[], namespace?: string): PatternGroup[] {
  const [first] = files;
  if (first === undefined) return [];
  const group = {
    pattern,
    format: first.format,
    reason: first.reason,
    files,
    locales: new Set(files.flatMap(({ locale }) => locale ?? [])),
    names: new Set(files.flatMap(({ name }) => name ?? [])),
    isNamedForTranslations: files.some(({ path }) => hasTranslationName(path)),
  };
  return [namespace === undefined ? group : { ...group, namespace }];
}

/** More domains than this are expressed by `{namespace}`. */
const MAX_LITERAL_DOMAINS = 3;

/** Replaces `{namespace}` with a literal name where the entry is more exact that way; may split the group by name. */
function resolveNamespace(group: PatternGroup): readonly PatternGroup[] {
  const { pattern, format, names, files } = group;
  const [only] = names;
  const literal = (literalName: string, namespace?: string): PatternGroup[] => {
    const named = files.filter(({ name }) => name === literalName);
    return groupOf(pattern.replace("{namespace}", literalName), named, namespace);
  };
  if (!pattern.includes("{namespace}") || only === undefined) return [group];
  const { naming, isCode } = formatInfo(format);
  switch (naming) {
    case "own":
      // Files named by domain may name themselves differently in each language.
      return names.size === 1 ? literal(only) : [{ ...group, namespace: "{namespace}" }];
    case "domain":
      // A domain and a locale that both contain dashes could be split in several places.
      if (group.reason !== "file-per-locale" || names.size > MAX_LITERAL_DOMAINS) return [group];
      return [...names].flatMap((name) => literal(name, name));
    default:
      return isCode && names.size === 1 && only === "index" ? literal(only) : [group];
  }
}

function isLikely(group: PatternGroup, all: readonly PatternGroup[]): boolean {
  const { pattern, format, reason, locales, isNamedForTranslations, names } = group;
  const folder = pattern.slice(0, pattern.lastIndexOf("/") + 1);
  const { family, isCode = false } = formatInfoOf(format) ?? {};
  if (isGenerated(format) && family === "gettext") {
    return !all.some((other) => isTemplate(other) && shareFolder(other.pattern, pattern));
  }
  if (isOnlyTemplate(group)) return isNamedForTranslations || all.some(isTranslationOfTemplate);
  if (reason === "one-file" && family === "xliff") {
    // A source file is recognised by the translations beside it.
    const [name = ""] = names;
    return all.some((other) => other.pattern.startsWith(`${folder}${name}.{locale}`));
  }
  // An index module beside the texts only combines them.
  const isIndex = isCode && names.size === 1 && names.has("index");
  const hasTexts = (other: PatternGroup): boolean =>
    other.format !== format && other.pattern.startsWith(folder) && other.locales.size > 0;
  if (isIndex && all.some(hasTexts)) return false;
  if (isCode || reason === "one-file") return isNamedForTranslations;
  return isNamedForTranslations || locales.size > 1;
}

function isTemplate({ format }: PatternGroup): boolean {
  return formatInfoOf(format)?.family === "gettext" && !isGenerated(format);
}

/** Whether its files translate the keys of a template. */
function isTranslationOfTemplate(group: PatternGroup): boolean {
  return isTemplate(group) && !isOnlyTemplate(group);
}

function isOnlyTemplate({ format }: PatternGroup): boolean {
  return formatInfoOf(format)?.isTemplate === true;
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
  const translations = all.filter(isTranslationOfTemplate);
  const isNamed = translations.some(({ names }) => name !== undefined && names.has(name));
  return isNamed || translations.length === 0 ? name : undefined;
}

/** The name of the module that composes those beside it. */
const COMPOSING_MODULE = "index";

/**
 * Returns an entry for each module of texts that `index` composes, with the namespace and prefix of its keys: the first member
 * of the composed object is a namespace. The files that are not part of it have the entry of the group, which comes last.
 * `null` if there is no such module.
 */
async function composedProposals(
  { pattern, format, files, names }: PatternGroup,
  proposal: LayoutProposal,
  readBytes: (path: string) => Promise<Uint8Array | undefined>,
): Promise<readonly LayoutProposal[] | null> {
  if (!formatInfo(format).isCode || !pattern.includes("{namespace}") || !names.has(COMPOSING_MODULE))
    return null;
  const [index] = englishFirst(files.filter(({ name }) => name === COMPOSING_MODULE).map(({ path }) => path));
  if (index === undefined) return null;
  const byPath = new Map(files.map((file) => [file.path, file]));
  const parts = await composedParts(index, new Set(byPath.keys()), async (path) => {
    const bytes = await readBytes(path);
    return bytes === undefined || bytes.length > MAX_FILE_BYTES ? undefined : new TextDecoder().decode(bytes);
  });
  if (parts.length < 2) return null;
  const composed = new Set<string>();
  const composedBy = pattern.replace("{namespace}", COMPOSING_MODULE);
  const proposals = parts.flatMap(({ path, names: [namespace, ...prefix], hasOwnMembers }) => {
    const name = byPath.get(path)?.name ?? null;
    if (name === null) return [];
    composed.add(name);
    if (!hasOwnMembers) return [];
    const entry: FilesEntry = {
      path: pattern.replace("{namespace}", name),
      format: proposal.entry.format,
      namespace: namespace ?? NO_NAMESPACE,
      ...(prefix.length === 0 ? {} : { keyPrefix: `${prefix.join(".")}.` }),
    };
    const count = files.filter((file) => file.name === name).length;
    return [{ ...proposal, entry, files: count, sample: path, composedBy }];
  });
  const others = files.filter(({ name }) => name !== null && !composed.has(name));
  return others.length === 0 ? proposals : [...proposals, { ...proposal, files: others.length }];
}

/** Files of a pattern that are read: some may be empty or only combine others. */
const MAX_SAMPLES = 25;

/** Returns the first sampled file of the group whose entries look like texts, with its actual format. */
async function findSample(
  { files, format: byPath }: PatternGroup,
  readBytes: (path: string) => Promise<Uint8Array | undefined>,
  formats: Pick<TranslationFiles, "read">,
): Promise<{
  readonly sample: string;
  readonly format: FormatName;
  readonly entries: FileRead["entries"];
} | null> {
  const isBinary = formatInfoOf(byPath)?.kind === "binary";
  for (const sample of englishFirst(files.map(({ path }) => path)).slice(0, MAX_SAMPLES)) {
    const bytes = await readBytes(sample);
    if (bytes === undefined || bytes.length > MAX_FILE_BYTES) continue;
    const format = isBinary ? byPath : detectFromContent(sample, decodeHead(bytes))?.format;
    if (format === undefined || formatInfoOf(format) === undefined) continue;
    const read = await formats.read(format, bytes, { locale: "en", sourceLocale: "en" });
    if (isUnreadable(read)) continue;
    const { entries, problems } = read;
    const otherTypes = problems.filter(({ code }) => code === "type").length;
    if (entries.length === 0 || otherTypes > entries.length / 4) continue;
    // The app reads these itself; among texts they are a namespace.
    if (formatInfoOf(format)?.content === "json" && isLanguageData(entries)) continue;
    return { sample, format, entries };
  }
  return null;
}
