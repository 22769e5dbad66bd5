/**
 * Renaming a key: what changes in the code and in the translation files of all languages. Nothing is written here, and
 * nothing is guessed: a use that cannot be said under the new name, or that only may mean the key, is told instead.
 */
import type { FormatName } from "../../model/format-name.ts";
import { decodeText, isNotText } from "../../formats/encoding.ts";
import { ChangedNames } from "./changed-names.ts";
import { applySplices } from "../../formats/edit.ts";
import type { Splice } from "../../formats/format.ts";
import { factsOf } from "../../formats/format-facts.ts";
import { keyHash, type KeyName } from "../../model/key-identity.ts";
import { resolveKey, pluralSuffixOf, type KeyResolutionOptions } from "../usages/key-resolution.ts";
import type { KeyNameQueries, NamedKey } from "../../database/key-names.ts";
import { spellingOf } from "../usages/key-spelling.ts";
import { NameWriter } from "./key-writer.ts";
import type { LocalChange, LocalEntries, LocalEntry, LocalRefusal } from "../local-files/local-entries.ts";
import type { ProjectFiles } from "../../model/platform.ts";
import { blockSplice } from "./rename-block.ts";
import type { UsageLocation, UsageRepository } from "../../database/usage-repository.ts";
import { usageLanguageFor } from "../../scanners/registry.ts";
import type { FindOptions, KeyUsage } from "../../scanners/usage.ts";
import { areReadAgain } from "./verify-usages.ts";

export interface RenameDependencies {
  readonly files: Pick<ProjectFiles, "read">;
  readonly local: LocalEntries;
  /** Resolves once they are complete for the names that the project has. */
  readonly usages: () => Promise<RenameUsages>;
  /** Of the keys at the service. */
  readonly names: KeyNameQueries;
  readonly find: FindOptions;
  readonly lookup: KeyResolutionOptions;
}

export type RenameUsages = Pick<
  UsageRepository,
  "usagesOf" | "usagesOfName" | "patternsOf" | "usagesOfPattern"
>;

/** One text file before and after; `splices` lead from the one to the other. */
export interface RenamedFile {
  readonly path: string;
  readonly kind: "code" | "translations";
  readonly before: string;
  readonly splices: readonly Splice[];
}

/** Something that still says the old name, and why. */
export type RenameLeft =
  /** The code says the key in a way that cannot be replaced (parts put together, another namespace). */
  | {
      readonly kind: "use";
      readonly place: UsageLocation;
      /** 1 is the first; `null`: not known. */ readonly line: number | null;
    }
  /** The code says it in part; it means the key no longer. */
  | { readonly kind: "pattern"; readonly pattern: string; readonly places: readonly UsageLocation[] }
  /** A translation file that cannot be changed as text, or an entry that cannot be written. */
  | { readonly kind: "file"; readonly path: string };

export type RenamePlan =
  | { readonly kind: "planned"; readonly files: readonly RenamedFile[]; readonly left: readonly RenameLeft[] }
  /** The project or a file has a key of the new name already. */
  | { readonly kind: "taken" }
  /** Nothing of this project has the key. */
  | { readonly kind: "unknown" };

/** Plans the change of name. Throws only the signal's reason. */
export async function planRename(
  dependencies: RenameDependencies,
  from: KeyName,
  to: KeyName,
  signal?: AbortSignal,
): Promise<RenamePlan> {
  const { names } = dependencies;
  const [old, renamed] = [keyHash(from), keyHash(to)];
  const local = await dependencies.local.reload(signal);
  const locales = new Map(local.files.map((file) => [file.place.path, file.locales]));
  // What a file of another language says of the source has the name of its own entry.
  const entries = local.locales
    .flatMap((locale) => local.entries(locale).get(old) ?? [])
    .filter(({ path, locale }) => locales.get(path)?.has(locale) === true);
  const isTaken = hasName(names, to) || local.locales.some((locale) => local.entries(locale).has(renamed));
  if (isTaken) return { kind: "taken" };
  if (entries.length === 0 && !hasName(names, from)) return { kind: "unknown" };
  const [inFiles, usages] = await Promise.all([
    renameEntries(dependencies, entries, to, signal),
    dependencies.usages(),
  ]);
  const inCode = await renameUses(
    dependencies,
    usages,
    { ...from, hash: old },
    { ...to, hash: renamed },
    signal,
  );
  const patterns = usages.patternsOf(old).map((pattern): RenameLeft => {
    return { kind: "pattern", pattern: pattern.pattern, places: usages.usagesOfPattern(pattern) };
  });
  return {
    kind: "planned",
    files: [...inFiles.files, ...inCode.files],
    left: [...inFiles.left, ...inCode.left, ...patterns],
  };
}

interface Part {
  readonly files: readonly RenamedFile[];
  readonly left: readonly RenameLeft[];
}

/** In each language's file the name alone where it can be; else the old entry goes and the new one comes. */
async function renameEntries(
  dependencies: RenameDependencies,
  entries: readonly LocalEntry[],
  to: KeyName,
  signal: AbortSignal | undefined,
): Promise<Part> {
  const { local } = dependencies;
  const renamed: RenamedFile[] = [];
  const moved: LocalEntry[] = [];
  for (const [path, inFile] of Map.groupBy(entries, (entry) => entry.path)) {
    const file = await renameInPlace(dependencies, path, inFile, to);
    if (file === null) moved.push(...inFile);
    else renamed.push(file);
  }
  const changes = moved.flatMap(({ name, hash, locale, text, description, entry }): LocalChange[] => {
    const source = entry.source ?? local.entries(local.sourceLocale).get(hash)?.text ?? null;
    return [
      { name, locale, text: null },
      { name: to, locale, text, description, source },
    ];
  });
  const { writes, refused } = await dependencies.local.planEdit(changes, signal);
  const left = new Set(refused.flatMap((refusal) => pathsOf(refusal, moved)));
  for (const { path, before, after } of writes) {
    const format = dependencies.local.placeOf(path)?.entry.format;
    const [was, is] = [before === undefined ? "" : textOf(before, format), textOf(after, format)];
    // Half a change would lose the text: the file stays as it is.
    if (was === null || is === null || left.has(path)) left.add(path);
    else renamed.push({ path, kind: "translations", before: was, splices: [differenceOf(was, is)] });
  }
  for (const { path } of moved) if (!renamed.some((file) => file.path === path)) left.add(path);
  return { files: renamed, left: [...left].map((path): RenameLeft => ({ kind: "file", path })) };
}

/** The files that a refusal is about: where no file takes the new entry, those that the old one would go from. */
function pathsOf({ path, change }: LocalRefusal, moved: readonly LocalEntry[]): readonly string[] {
  if (path !== null) return [path];
  return moved.filter(({ locale }) => locale === change.locale).map((entry) => entry.path);
}

/** The file with another name at the same place; `null`: not so simple. */
async function renameInPlace(
  { local, files }: RenameDependencies,
  path: string,
  entries: readonly LocalEntry[],
  to: KeyName,
): Promise<RenamedFile | null> {
  const place = local.placeOf(path);
  if (place === null) return null;
  const {
    entry: { format },
    naming: { keyPrefix },
  } = place;
  const isElsewhere = entries.some(({ name }) => name.namespace !== to.namespace);
  if (isElsewhere || !to.key.startsWith(keyPrefix)) return null;
  const bytes = (await files.read(path))?.bytes;
  const before = textOf(bytes, format);
  if (bytes === undefined || before === null) return null;
  const splice = await local.formats.renameInPlace(
    format,
    bytes,
    entries.map(({ entry }) => entry),
    to.key.slice(keyPrefix.length),
    local.readOptions(place),
  );
  return splice === null ? null : { path, kind: "translations", before, splices: [splice] };
}

function hasName(names: KeyNameQueries, { namespace, key, context }: KeyName): boolean {
  return names.get(namespace, key, context) !== undefined;
}

async function renameUses(
  dependencies: RenameDependencies,
  usages: RenameUsages,
  from: NamedKey,
  to: NamedKey,
  signal: AbortSignal | undefined,
): Promise<Part> {
  const { names, find, lookup, files } = dependencies;
  const places = hasName(names, from) ? usages.usagesOf(from.hash) : usages.usagesOfName(from);
  const before = new ChangedNames(names, null, from);
  const after = new ChangedNames(names, from.hash, to);
  const renamed: RenamedFile[] = [];
  const left: RenameLeft[] = [];
  for (const [path, inFile] of Map.groupBy(places, (place) => place.path)) {
    signal?.throwIfAborted();
    const text = textOf((await files.read(path))?.bytes);
    const language = usageLanguageFor(path);
    const uses = text === null ? [] : (language?.find(text, find) ?? []);
    if (text === null || language === undefined) {
      left.push(...inFile.map((place): RenameLeft => ({ kind: "use", place, line: null })));
      continue;
    }
    const meant = uses.map((use): MeantUse => {
      const found = resolveKey(use, before, lookup);
      const isMeant = found.kind === "known" && found.key.hash === from.hash;
      if (!isMeant) return { use, splice: undefined };
      const spelling = newSpelling(use, found.key, to, after, lookup);
      if (spelling === null) return { use, splice: null };
      const block = blockSplice(text, use, spelling, language, find);
      if (block !== null) return { use, splice: block, spelling };
      const writer = new NameWriter(text, use, language, find);
      const written = writer.write(spelling);
      return { use, splice: written === null ? null : { ...writer.span, text: written }, spelling };
    });
    const settled = settle(meant);
    const splices = inOrder(settled.splices);
    const said = new Map(meant.map(({ use, spelling }) => [use, spelling ?? null]));
    for (const use of settled.others) said.set(use, null);
    const isRead =
      splices.length === 0 ||
      areReadAgain(
        uses,
        language.find(applySplices(text, splices), find),
        splices,
        (use) => said.get(use) ?? null,
      );
    const others = isRead
      ? settled.others
      : meant.flatMap(({ use, splice }) => (splice === undefined ? [] : [use]));
    left.push(
      ...others.map((use): RenameLeft => ({
        kind: "use",
        place: { path, span: use.keySpan },
        line: lineOf(text, use.keySpan.start),
      })),
    );
    if (isRead && splices.length > 0) renamed.push({ path, kind: "code", before: text, splices });
  }
  return { files: renamed, left };
}

/** How the use says the renamed key; of a plural's form (`items_one`) with the form; `null`: nothing there means it. */
function newSpelling(
  use: KeyUsage,
  from: NamedKey,
  to: NamedKey,
  names: ChangedNames,
  options: KeyResolutionOptions,
): string | null {
  const spelling = spellingOf(use, to, names, options);
  if (spelling === null || use.used.kind === "pattern") return null;
  const suffix = pluralSuffixOf(use.used.key, from.key);
  if (suffix === "") return spelling;
  const key = `${spelling}${suffix}`;
  const found = resolveKey({ ...use, used: { kind: "static", key } }, names, options);
  return found.kind === "known" && found.key.hash === to.hash ? key : null;
}

function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}

/** A use, and what changes at it: `null` when it cannot be changed there, `undefined` when it means another key. */
interface MeantUse {
  readonly use: KeyUsage;
  readonly splice: Splice | null | undefined;
  /** What the use says afterwards. */
  readonly spelling?: string;
}

/**
 * The changes, each once although several uses may name one constant, and the uses that stay as they are. A constant
 * that something else is meant by too stays.
 */
function settle(meant: readonly MeantUse[]): { splices: readonly Splice[]; others: readonly KeyUsage[] } {
  const wanted = new Map<number, Splice | null>();
  for (const { use, splice } of meant) {
    // What means another key is only asked where a constant may be shared.
    if (splice === undefined && use.written === undefined) continue;
    const { start } = use.written ?? use.keySpan;
    const before = wanted.get(start);
    const agrees = before === undefined || before?.text === splice?.text;
    wanted.set(start, agrees ? (splice ?? null) : null);
  }
  const splices = [...wanted.values()].filter((splice) => splice !== null);
  const others = meant.filter(
    ({ use, splice }) => splice !== undefined && wanted.get((use.written ?? use.keySpan).start) === null,
  );
  return { splices, others: others.map(({ use }) => use) };
}

function inOrder(splices: readonly Splice[]): Splice[] {
  return splices.toSorted((a, b) => a.start - b.start);
}

/** One splice from the first difference to the last. */
function differenceOf(before: string, after: string): Splice {
  let start = 0;
  const shortest = Math.min(before.length, after.length);
  while (start < shortest && before[start] === after[start]) start++;
  let tail = 0;
  while (tail < shortest - start && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  return { start, end: before.length - tail, text: after.slice(start, after.length - tail) };
}

/** `format`: of a translation file. `null`: gone, or no text. */
function textOf(bytes: Uint8Array | undefined, format?: FormatName): string | null {
  if (bytes === undefined || (format !== undefined && factsOf(format)?.kind === "binary")) return null;
  const decoded = decodeText(bytes, format);
  return isNotText(decoded) ? null : decoded.text;
}
