/**
 * Plans the rename of a key in source code and in the translation files of all languages. Writes nothing. Usages that
 * cannot be rewritten, or that may refer to the key dynamically, are reported instead.
 */
import type { FormatName } from "../../model/format-name.ts";
import { positionsOf } from "../../formats/text/lines-and-indentation.ts";
import { decodeText, isUndecodable } from "../../formats/text/encoding.ts";
import { ChangedNames } from "./key-names-after-change.ts";
import { applySplices } from "../../formats/editing/apply-verified-edit.ts";
import type { Splice } from "../../formats/format.ts";
import { formatInfoOf } from "../../formats/format-capabilities.ts";
import { keyHash, type KeyName } from "../../model/key-hash.ts";
import { resolveKey, pluralSuffixOf, type KeyResolutionOptions } from "../usages/resolve-usage-to-key.ts";
import type { KeyNameQueries, NamedKey } from "../../database/key-name-repository.ts";
import { spellingOf } from "../usages/key-suggestions.ts";
import { NameWriter, areUsagesPreserved } from "./write-key-in-code.ts";
import type { LocalChange, LocalEntries, LocalEntry } from "../local-files/local-entries.ts";
import type { ProjectFiles } from "../../model/platform.ts";
import type { UsageRepository } from "../../database/key-usage-repository.ts";
import { usageLanguageFor } from "../../scanners/supported-source-languages.ts";
import { smallestReplacement } from "../../util/span.ts";
import type { FindOptions, KeyUsage } from "../../scanners/key-usage.ts";

export interface RenameDependencies {
  readonly files: Pick<ProjectFiles, "read">;
  readonly local: LocalEntries;
  /** Resolves when the usages are complete for the current keys. */
  readonly usages: () => Promise<RenameUsages>;
  /** Names of the keys at the service. */
  readonly names: KeyNameQueries;
  readonly find: FindOptions;
  readonly lookup: KeyResolutionOptions;
  /** Whether the editor can change or create a translation file as planned. */
  readonly canEdit: (file: RenamedFile) => Promise<boolean>;
  /** Whether the service's key of that name is the renamed key itself, so that it may get its name back. */
  readonly isFormerName: (name: KeyName) => Promise<boolean>;
}

export type RenameUsages = Pick<
  UsageRepository,
  "usagesOf" | "usagesOfName" | "patternsOf" | "usagesOfPattern"
>;

/** A text file before and after; `splices` are the edits. */
export interface RenamedFile {
  readonly path: string;
  readonly kind: "code" | "translations";
  /** Whether the file does not exist yet; it is UTF-8 then. */
  readonly isNew: boolean;
  /** Empty for a new file. */
  readonly before: string;
  /** Whether it is UTF-8, with or without a byte order mark. */
  readonly isUtf8: boolean;
  readonly splices: readonly Splice[];
}

/**
 * An occurrence of the old name that remains: a usage that cannot be replaced, a dynamic usage, which no longer matches
 * the key, or a translation file that cannot be edited or have the new entry.
 */
export interface RemainingOccurrence {
  readonly path: string;
  /** From 1; `null` if unknown. */
  readonly line: number | null;
}

/** The edits of a rename, and what they leave behind. */
interface RenameEdits {
  readonly files: readonly RenamedFile[];
  readonly remaining: readonly RemainingOccurrence[];
}

export type RenamePlan =
  | ({ readonly kind: "planned" } & RenameEdits)
  /** A key with the new name already exists. */
  | { readonly kind: "taken" }
  /** The project does not have the key. */
  | { readonly kind: "unknown" };

/** Plans the rename. Rejects only with the signal's reason. */
export async function planRename(
  dependencies: RenameDependencies,
  from: KeyName,
  to: KeyName,
  signal?: AbortSignal,
): Promise<RenamePlan> {
  const { names } = dependencies;
  const oldKey = { ...from, hash: keyHash(from) };
  const newKey = { ...to, hash: keyHash(to) };
  const whenUsagesComplete = dependencies.usages();
  // Avoids an unhandled rejection if the rename ends before awaiting this.
  whenUsagesComplete.catch(() => undefined);
  const local = await dependencies.local.reload(signal);
  const locales = new Map(local.files.map((file) => [file.location.path, file.locales]));
  // Source texts in files of other languages share the key of their entry.
  const entries = local.locales
    .flatMap((locale) => local.entries(locale).get(oldKey.hash) ?? [])
    .filter(({ path, locale }) => locales.get(path)?.has(locale) === true);
  const isTaken =
    local.locales.some((locale) => local.entries(locale).has(newKey.hash)) ||
    (hasName(names, to) && !(await dependencies.isFormerName(to)));
  if (isTaken) return { kind: "taken" };
  if (entries.length === 0 && !hasName(names, from)) return { kind: "unknown" };
  const inFiles = await renameEntries(dependencies, entries, to, signal);
  const usages = await whenUsagesComplete;
  const inCode = await renameUsages(dependencies, usages, oldKey, newKey, signal);
  const dynamic = usages.patternsOf(oldKey.hash).flatMap((pattern) => usages.usagesOfPattern(pattern));
  return {
    kind: "planned",
    files: [...inFiles.files, ...inCode.files],
    remaining: [
      ...inFiles.remaining,
      ...inCode.remaining,
      ...dynamic.map(({ path }) => ({ path, line: null })),
    ],
  };
}

/** Renames the entries in place where possible; otherwise removes the old entry and adds a new one. */
async function renameEntries(
  dependencies: RenameDependencies,
  entries: readonly LocalEntry[],
  to: KeyName,
  signal: AbortSignal | undefined,
): Promise<RenameEdits> {
  const files: RenamedFile[] = [];
  const failed = new Set<string>();
  const toMove: LocalEntry[] = [];
  for (const [path, inFile] of Map.groupBy(entries, (entry) => entry.path)) {
    const file = await renameInPlace(dependencies, path, inFile, to);
    if (file === null) toMove.push(...inFile);
    else if (await dependencies.canEdit(file)) files.push(file);
    else failed.add(path);
  }
  // An entry is not removed unless the new one can be added: its text would be lost.
  const movable: LocalEntry[] = [];
  for (const entry of toMove) {
    const { failedPaths } = await planMoves(dependencies, [entry], to, signal);
    if (failedPaths.length === 0) movable.push(entry);
    for (const path of failedPaths) failed.add(path);
  }
  const moves = await planMoves(dependencies, movable, to, signal);
  if (moves.failedPaths.length === 0) files.push(...moves.files);
  for (const path of moves.failedPaths) failed.add(path);
  return { files, remaining: Array.from(failed, (path) => ({ path, line: null })) };
}

/**
 * Plans the replacement of entries by new ones. `failedPaths`: if not all can be replaced, the files of all, and those
 * that prevent it.
 */
async function planMoves(
  { local, canEdit }: RenameDependencies,
  entries: readonly LocalEntry[],
  to: KeyName,
  signal: AbortSignal | undefined,
): Promise<{ readonly files: readonly RenamedFile[]; readonly failedPaths: readonly string[] }> {
  const changes = entries.flatMap(({ name, hash, locale, text, description, entry }): LocalChange[] => {
    const source = entry.source ?? local.entries(local.sourceLocale).get(hash)?.text ?? null;
    return [
      { name, locale, text: null },
      { name: to, locale, text, description, source },
    ];
  });
  const { writes, refused } = await local.planEdit(changes, signal);
  const files: RenamedFile[] = [];
  const failed = new Set(refused.flatMap(({ path }) => path ?? []));
  for (const { path, before, after } of writes) {
    const isNew = before === undefined;
    const format = local.locate(path)?.entry.format;
    const [decodedBefore, decodedAfter] = [isNew ? NEW_FILE : decode(before, format), decode(after, format)];
    const canDecode = decodedBefore !== null && decodedAfter !== null && (!isNew || decodedAfter.isUtf8);
    const splices = canDecode ? [smallestReplacement(decodedBefore.text, decodedAfter.text)] : [];
    const file = canDecode ? renamedFile(path, "translations", decodedBefore, splices, isNew) : null;
    if (file !== null && (await canEdit(file))) files.push(file);
    else failed.add(path);
  }
  const isRefused = failed.size > 0 || refused.length > 0;
  for (const { path } of entries)
    if (isRefused || !files.some((file) => file.path === path)) failed.add(path);
  return { files, failedPaths: [...failed] };
}

/** Renames the entries of a file in place; `null` if that is not possible. */
async function renameInPlace(
  { local, files }: RenameDependencies,
  path: string,
  entries: readonly LocalEntry[],
  to: KeyName,
): Promise<RenamedFile | null> {
  const location = local.locate(path);
  if (location === null) return null;
  const { format } = location.entry;
  const { keyPrefix } = location.keyNaming;
  const changesNamespace = entries.some(({ name }) => name.namespace !== to.namespace);
  if (changesNamespace || !to.key.startsWith(keyPrefix)) return null;
  const read = await files.read(path);
  if (read.kind !== "read") return null;
  const { bytes } = read;
  const before = decode(bytes, format);
  if (before === null) return null;
  const splice = await local.formats.renameInPlace(
    format,
    bytes,
    entries.map(({ entry }) => entry),
    to.key.slice(keyPrefix.length),
    local.readOptions(location),
  );
  return splice === null ? null : renamedFile(path, "translations", before, [splice]);
}

function hasName(names: KeyNameQueries, { namespace, key, context }: KeyName): boolean {
  return names.get(namespace, key, context) !== undefined;
}

async function renameUsages(
  { names, find, lookup, files }: RenameDependencies,
  usages: RenameUsages,
  from: NamedKey,
  to: NamedKey,
  signal: AbortSignal | undefined,
): Promise<RenameEdits> {
  const locations = hasName(names, from) ? usages.usagesOf(from.hash) : usages.usagesOfName(from);
  const namesBefore = new ChangedNames(names, null, from);
  const namesAfter = new ChangedNames(names, from.hash, to);
  const renamed: RenamedFile[] = [];
  const remaining: RemainingOccurrence[] = [];
  for (const [path, inFile] of Map.groupBy(locations, (location) => location.path)) {
    signal?.throwIfAborted();
    const read = await files.read(path);
    const before = read.kind === "read" ? decode(read.bytes) : null;
    const language = usageLanguageFor(path);
    if (before === null || language === undefined) {
      remaining.push(...inFile.map(() => ({ path, line: null })));
      continue;
    }
    const { text } = before;
    const allUsages = language.find(text, find);
    const replacements: Replacements = new Map();
    for (const usage of allUsages) {
      const found = resolveKey(usage, namesBefore, lookup);
      if (found.kind !== "known" || found.key.hash !== from.hash) continue;
      const spelling = newSpelling(usage, found.key, to, namesAfter, lookup);
      const splice =
        spelling === null ? null : new NameWriter(text, usage, language, find).spliceFor(spelling);
      replacements.set(usage, splice && { splice, spelling });
    }
    dropConflicts(allUsages, replacements);
    const changes = [...replacements.values()].flatMap((replacement) => replacement?.splice ?? []);
    // Several usages may refer to one constant.
    const splices = [...new Map(changes.map((splice) => [splice.start, splice])).values()].toSorted(
      (a, b) => a.start - b.start,
    );
    const isVerified =
      splices.length === 0 ||
      areUsagesPreserved(
        allUsages,
        language.find(applySplices(text, splices), find),
        splices,
        (usage) => replacements.get(usage)?.spelling ?? null,
      );
    const failed = [...replacements].filter(([, replacement]) => !isVerified || replacement === null);
    const offsets = failed.map(([usage]) => usage.keySpan.start);
    const positions = positionsOf(text, offsets);
    remaining.push(...offsets.map((offset) => ({ path, line: positions.get(offset)?.line ?? null })));
    if (isVerified && splices.length > 0) renamed.push(renamedFile(path, "code", before, splices));
  }
  return { files: renamed, remaining };
}

/** The usages of the key with the edit of each and its new spelling; `null` if they cannot be changed. */
type Replacements = Map<KeyUsage, { readonly splice: Splice; readonly spelling: string | null } | null>;

/** Leaves a constant unchanged that is also used for another key, or that usages need in different spellings. */
function dropConflicts(usages: readonly KeyUsage[], replacements: Replacements): void {
  // Usages of other keys matter only if a constant may be shared.
  const sharing = usages.filter((usage) => replacements.has(usage) || usage.literalSpan !== undefined);
  for (const group of Map.groupBy(sharing, (usage) => (usage.literalSpan ?? usage.keySpan).start).values()) {
    if (new Set(group.map((usage) => replacements.get(usage)?.splice.text)).size === 1) continue;
    for (const usage of group) if (replacements.has(usage)) replacements.set(usage, null);
  }
}

/** Returns the new spelling of a usage, including a plural suffix (`items_one`); `null` if it does not refer to the key. */
function newSpelling(
  usage: KeyUsage,
  from: NamedKey,
  to: NamedKey,
  names: ChangedNames,
  options: KeyResolutionOptions,
): string | null {
  const spelling = spellingOf(usage, to, names, options);
  if (spelling === null || usage.expression.kind === "pattern") return null;
  const suffix = pluralSuffixOf(usage.expression.key, from.key, options);
  if (suffix === "") return spelling;
  const key = `${spelling}${suffix}`;
  const found = resolveKey({ ...usage, expression: { kind: "static", key } }, names, options);
  return found.kind === "known" && found.key.hash === to.hash ? key : null;
}

type DecodedFile = Pick<RenamedFile, "isUtf8"> & { readonly text: string };

/** A file that does not exist yet. */
const NEW_FILE: DecodedFile = { text: "", isUtf8: true };

/** Decodes a source file or, with `format`, a translation file; `null` if it is missing or not text. */
function decode(bytes: Uint8Array | undefined, format?: FormatName): DecodedFile | null {
  if (bytes === undefined || (format !== undefined && formatInfoOf(format)?.kind === "binary")) return null;
  const decoded = decodeText(bytes, format);
  return isUndecodable(decoded) ? null : { text: decoded.text, isUtf8: decoded.encoding === undefined };
}

function renamedFile(
  path: string,
  kind: RenamedFile["kind"],
  { text, isUtf8 }: DecodedFile,
  splices: readonly Splice[],
  isNew = false,
): RenamedFile {
  return { path, kind, isNew, before: text, isUtf8, splices };
}
