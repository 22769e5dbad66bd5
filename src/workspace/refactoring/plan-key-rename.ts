/**
 * Plans the rename of a key in source code and in the translation files of all languages. Writes nothing. Usages that cannot
 * be rewritten, or that may refer to the key dynamically, are reported instead.
 */
import type { FormatName } from "../../model/format-name.ts";
import { decodeText, isUndecodable } from "../../formats/text/encoding.ts";
import { ChangedNames } from "./key-names-after-change.ts";
import { applySplices } from "../../formats/editing/apply-verified-edit.ts";
import type { Splice } from "../../formats/format.ts";
import { formatInfoOf } from "../../formats/format-capabilities.ts";
import { keyHash, type KeyName } from "../../model/key-hash.ts";
import { resolveKey, pluralSuffixOf, type KeyResolutionOptions } from "../usages/resolve-usage-to-key.ts";
import type { KeyNameQueries, NamedKey } from "../../database/key-name-repository.ts";
import { spellingOf } from "../usages/key-suggestions.ts";
import { NameWriter, areReadAgain } from "./write-key-in-code.ts";
import type { LocalChange, LocalEntries, LocalEntry } from "../local-files/local-entries.ts";
import type { ProjectFiles } from "../../model/platform.ts";
import type { UsageLocation, UsageRepository } from "../../database/key-usage-repository.ts";
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

/** A remaining occurrence of the old name, and why. */
export type RenameLeft =
  /** A usage that cannot be replaced (a composed key, another namespace). */
  | {
      readonly kind: "use";
      readonly place: UsageLocation;
      /** One-based; `null` if not known. */
      readonly line: number | null;
    }
  /** A dynamic usage, which no longer matches the key. */
  | { readonly kind: "pattern"; readonly pattern: string; readonly places: readonly UsageLocation[] }
  /** A translation file that cannot be edited as text, or an entry that cannot be written. */
  | { readonly kind: "file"; readonly path: string };

export type RenamePlan =
  | { readonly kind: "planned"; readonly files: readonly RenamedFile[]; readonly left: readonly RenameLeft[] }
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
  const [old, renamed] = [keyHash(from), keyHash(to)];
  const searching = dependencies.usages();
  // Avoids an unhandled rejection if the rename ends before awaiting this.
  searching.catch(() => undefined);
  const local = await dependencies.local.reload(signal);
  const locales = new Map(local.files.map((file) => [file.location.path, file.locales]));
  // Source texts in files of other languages share the key of their entry.
  const entries = local.locales
    .flatMap((locale) => local.entries(locale).get(old) ?? [])
    .filter(({ path, locale }) => locales.get(path)?.has(locale) === true);
  const isTaken = hasName(names, to) || local.locales.some((locale) => local.entries(locale).has(renamed));
  if (isTaken) return { kind: "taken" };
  if (entries.length === 0 && !hasName(names, from)) return { kind: "unknown" };
  const inFiles = await renameEntries(dependencies, entries, to, signal);
  const usages = await searching;
  const keys = { from: { ...from, hash: old }, to: { ...to, hash: renamed } };
  const inCode = await renameUses(dependencies, usages, keys, signal);
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

/** Renames the entries in place where possible; otherwise removes the old entry and adds a new one. */
async function renameEntries(
  dependencies: RenameDependencies,
  entries: readonly LocalEntry[],
  to: KeyName,
  signal: AbortSignal | undefined,
): Promise<Part> {
  const files: RenamedFile[] = [];
  const left = new Set<string>();
  const moved: LocalEntry[] = [];
  for (const [path, inFile] of Map.groupBy(entries, (entry) => entry.path)) {
    const file = await renameInPlace(dependencies, path, inFile, to);
    if (file === null) moved.push(...inFile);
    else if (await dependencies.canEdit(file)) files.push(file);
    else left.add(path);
  }
  // An entry is not removed unless the new one can be added: its text would be lost.
  const movable: LocalEntry[] = [];
  for (const entry of moved) {
    const failed = (await planMoves(dependencies, [entry], to, signal)).left;
    if (failed.length === 0) movable.push(entry);
    for (const path of failed) left.add(path);
  }
  const moves = await planMoves(dependencies, movable, to, signal);
  if (moves.left.length === 0) files.push(...moves.files);
  for (const path of moves.left) left.add(path);
  return { files, left: [...left].map((path): RenameLeft => ({ kind: "file", path })) };
}

/** Plans the replacement of entries by new ones. `left`: if not all can be replaced, the files of all, and the reason. */
async function planMoves(
  { local, canEdit }: RenameDependencies,
  moved: readonly LocalEntry[],
  to: KeyName,
  signal: AbortSignal | undefined,
): Promise<{ readonly files: readonly RenamedFile[]; readonly left: readonly string[] }> {
  const changes = moved.flatMap(({ name, hash, locale, text, description, entry }): LocalChange[] => {
    const source = entry.source ?? local.entries(local.sourceLocale).get(hash)?.text ?? null;
    return [
      { name, locale, text: null },
      { name: to, locale, text, description, source },
    ];
  });
  const { writes, refused } = await local.planEdit(changes, signal);
  const files: RenamedFile[] = [];
  const left = new Set(refused.flatMap(({ path }) => path ?? []));
  for (const { path, before, after } of writes) {
    const format = local.locate(path)?.entry.format;
    const [was, is] = [before === undefined ? NEW_FILE : decoded(before, format), decoded(after, format)];
    const isNew = before === undefined;
    const file =
      was === null || is === null || (isNew && !is.isUtf8)
        ? null
        : renamedFile(path, "translations", was, [smallestReplacement(was.text, is.text)], isNew);
    if (file !== null && (await canEdit(file))) files.push(file);
    else left.add(path);
  }
  const isRefused = left.size > 0 || refused.length > 0;
  for (const { path } of moved) if (isRefused || !files.some((file) => file.path === path)) left.add(path);
  return { files, left: [...left] };
}

/** Renames an entry in place; `null` if that is not possible. */
async function renameInPlace(
  { local, files }: RenameDependencies,
  path: string,
  entries: readonly LocalEntry[],
  to: KeyName,
): Promise<RenamedFile | null> {
  const place = local.locate(path);
  if (place === null) return null;
  const {
    entry: { format },
    keyNaming: { keyPrefix },
  } = place;
  const isElsewhere = entries.some(({ name }) => name.namespace !== to.namespace);
  if (isElsewhere || !to.key.startsWith(keyPrefix)) return null;
  const bytes = (await files.read(path))?.bytes;
  const before = decoded(bytes, format);
  if (bytes === undefined || before === null) return null;
  const splice = await local.formats.renameInPlace(
    format,
    bytes,
    entries.map(({ entry }) => entry),
    to.key.slice(keyPrefix.length),
    local.readOptions(place),
  );
  return splice === null ? null : renamedFile(path, "translations", before, [splice]);
}

function hasName(names: KeyNameQueries, { namespace, key, context }: KeyName): boolean {
  return names.get(namespace, key, context) !== undefined;
}

async function renameUses(
  { names, find, lookup, files }: RenameDependencies,
  usages: RenameUsages,
  { from, to }: { readonly from: NamedKey; readonly to: NamedKey },
  signal: AbortSignal | undefined,
): Promise<Part> {
  const places = hasName(names, from) ? usages.usagesOf(from.hash) : usages.usagesOfName(from);
  const namesBefore = new ChangedNames(names, null, from);
  const namesAfter = new ChangedNames(names, from.hash, to);
  const renamed: RenamedFile[] = [];
  const left: RenameLeft[] = [];
  for (const [path, inFile] of Map.groupBy(places, (place) => place.path)) {
    signal?.throwIfAborted();
    const before = decoded((await files.read(path))?.bytes);
    const language = usageLanguageFor(path);
    if (before === null || language === undefined) {
      left.push(...inFile.map((place): RenameLeft => ({ kind: "use", place, line: null })));
      continue;
    }
    const { text } = before;
    const uses = language.find(text, find);
    const respelled: RespelledUses = new Map();
    for (const use of uses) {
      const found = resolveKey(use, namesBefore, lookup);
      if (found.kind !== "known" || found.key.hash !== from.hash) continue;
      const spelling = newSpelling(use, found.key, to, namesAfter, lookup);
      const splice = spelling === null ? null : new NameWriter(text, use, language, find).spliceFor(spelling);
      respelled.set(use, splice && { splice, spelling });
    }
    dropConflicts(uses, respelled);
    const changes = [...respelled.values()].flatMap((respelling) => respelling?.splice ?? []);
    // Several usages may refer to one constant.
    const splices = [...new Map(changes.map((splice) => [splice.start, splice])).values()].toSorted(
      (a, b) => a.start - b.start,
    );
    const isRead =
      splices.length === 0 ||
      areReadAgain(
        uses,
        language.find(applySplices(text, splices), find),
        splices,
        (use) => respelled.get(use)?.spelling ?? null,
      );
    for (const [{ keySpan: span }, respelling] of respelled) {
      if (isRead && respelling !== null) continue;
      left.push({ kind: "use", place: { path, span }, line: lineOf(text, span.start) });
    }
    if (isRead && splices.length > 0) renamed.push(renamedFile(path, "code", before, splices));
  }
  return { files: renamed, left };
}

/** The usages of the key with their new spelling; `null` if they cannot be changed. */
type RespelledUses = Map<KeyUsage, { readonly splice: Splice; readonly spelling: string | null } | null>;

/** Leaves a constant unchanged that is also used for another key, or that usages need in different spellings. */
function dropConflicts(uses: readonly KeyUsage[], respelled: RespelledUses): void {
  // Usages of other keys matter only if a constant may be shared.
  const sharing = uses.filter((use) => respelled.has(use) || use.literalSpan !== undefined);
  for (const same of Map.groupBy(sharing, (use) => (use.literalSpan ?? use.keySpan).start).values()) {
    if (new Set(same.map((use) => respelled.get(use)?.splice.text)).size === 1) continue;
    for (const use of same) if (respelled.has(use)) respelled.set(use, null);
  }
}

/** Returns the new spelling of a usage, including a plural suffix (`items_one`); `null` if it does not refer to the key. */
function newSpelling(
  use: KeyUsage,
  from: NamedKey,
  to: NamedKey,
  names: ChangedNames,
  options: KeyResolutionOptions,
): string | null {
  const spelling = spellingOf(use, to, names, options);
  if (spelling === null || use.expression.kind === "pattern") return null;
  const suffix = pluralSuffixOf(use.expression.key, from.key);
  if (suffix === "") return spelling;
  const key = `${spelling}${suffix}`;
  const found = resolveKey({ ...use, expression: { kind: "static", key } }, names, options);
  return found.kind === "known" && found.key.hash === to.hash ? key : null;
}

function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}

/** A file that does not exist yet. */
const NEW_FILE: DecodedFile = { text: "", isUtf8: true };

/** Decodes a file. `format`: of a translation file. `null` if it is missing or not text. */
function decoded(bytes: Uint8Array | undefined, format?: FormatName): DecodedFile | null {
  if (bytes === undefined || (format !== undefined && formatInfoOf(format)?.kind === "binary")) return null;
  const read = decodeText(bytes, format);
  return isUndecodable(read) ? null : { text: read.text, isUtf8: read.encoding === undefined };
}

type DecodedFile = Pick<RenamedFile, "isUtf8"> & { readonly text: string };

function renamedFile(
  path: string,
  kind: RenamedFile["kind"],
  { text, isUtf8 }: DecodedFile,
  splices: readonly Splice[],
  isNew = false,
): RenamedFile {
  return { path, kind, isNew, before: text, isUtf8, splices };
}
