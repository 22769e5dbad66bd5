/**
 * Turns changes of keys into file writes: finds the file of each key, or the file that a new key belongs in, and
 * computes its new bytes. A new key goes to the file of its neighbours; a missing file is created. Writes nothing.
 */
import { cachedByObject, getOrCreate } from "../../model/maps.ts";
import { type Change, entryId, type Refusal, type Entry, type EntryName } from "../../formats/format.ts";
import { writeOptions } from "./style-examples.ts";
import { formatInfoOf } from "../../formats/format-properties.ts";
import { isUnreadable, MAX_FILE_BYTES } from "../../formats/parse-and-edit-file.ts";
import { keyHash, type KeyName, NO_NAMESPACE } from "../../model/key-hash.ts";
import type { FileWrite, ProjectFiles } from "../../model/platform.ts";
import { yieldNow } from "../../model/event-loop.ts";
import type { KeyRepository } from "../../database/key-repository.ts";
import type { FilesEntry } from "../project-file/project-file.ts";
import {
  type LocalFileLocation,
  isGenerated,
  keyNameIn,
  namespaceInFile,
  namesItsLocales,
  type LocalFile,
  type LocalFiles,
} from "./local-file.ts";
import type { FileOptions, TranslationFiles } from "./parse-by-size.ts";
import type { Text } from "../../model/text.ts";
import { fillIn, locateKey } from "../file-layout/path-patterns.ts";
import type { LocalEntry } from "../../database/local-file-repository.ts";

/** The changes of one file, each with the requested one. */
type FileChanges = { readonly change: Change; readonly requested: LocalChange }[];

/** Plans the changes file by file; of several changes of one key and locale the last one wins. */
export async function planLocalEdit(
  changes: readonly LocalChange[],
  context: LocalEditContext,
): Promise<LocalEditPlan> {
  const plan = { writes: [], refused: [] } as { writes: FileWrite[]; refused: LocalRefusal[] };
  const byPath = new Map<string, FileChanges>();
  const finder = new TargetFinder(context);
  for (const requested of changes) {
    const target = finder.find(requested);
    if ("reason" in target) {
      plan.refused.push({ change: requested, ...target, ...NO_POSITION });
      continue;
    }
    const { path, isNew, ...name } = target;
    const details = isNew ? newEntryDetails(requested, context) : {};
    const change = { ...name, text: requested.text, ...details };
    getOrCreate(byPath, path, (): FileChanges => []).push({ change, requested });
  }
  for (const [path, list] of byPath) {
    await editFile(path, list, context, plan);
    await yieldNow();
  }
  return plan;
}

const NO_POSITION = { line: null, column: null };

/** Returns the metadata of a new entry: the key's description and, in files of other languages, the source text. */
function newEntryDetails(
  { name, locale, description, source: given }: LocalChange,
  { keys, local }: LocalEditContext,
): Pick<Change, "description" | "source"> {
  const hash = keyHash(name);
  const there = keys.get(hash);
  const here = local.entries(local.sourceLocale).get(hash);
  // The local source text may be newer than the one that was pushed.
  const source = locale === local.sourceLocale ? null : (given ?? here?.text ?? there?.text ?? null);
  return {
    description: description ?? here?.description ?? there?.description ?? null,
    ...(source === null ? {} : { source }),
  };
}

/** Adds the write of a file, and the changes that cannot be made, to the plan. */
async function editFile(
  path: string,
  list: FileChanges,
  context: LocalEditContext,
  plan: { readonly writes: FileWrite[]; readonly refused: LocalRefusal[] },
): Promise<void> {
  const refuse = (change: LocalChange, reason: LocalRefusal["reason"], at: Position = NO_POSITION): void =>
    void plan.refused.push({ change, path, reason, line: at.line, column: at.column });
  const refuseAll = (reason: LocalRefusal["reason"], at?: Position): void =>
    list.forEach(({ requested }) => refuse(requested, reason, at));
  const location = context.locate(path);
  if (location === null || formatInfoOf(location.entry.format) === undefined) return refuseAll("unsupported");
  const problems = context.local.files.find((file) => file.location.path === path)?.problems ?? [];
  if (problems.some(({ code }) => code === "too_large")) return refuseAll("too_large");
  const foreign = problems.find(({ code }) => code === "format");
  if (foreign !== undefined) return refuseAll("unreadable", foreign);
  const before = (await context.files.read(path))?.bytes;
  if (before !== undefined && before.length > MAX_FILE_BYTES) return refuseAll("too_large");
  const options = {
    ...context.readOptions(location),
    ...(await writeOptions(context.files, context.local, location, before === undefined)),
  };
  const changes = list.map(({ change }) => change);
  const edited = await context.formats.edit(location.entry.format, before, changes, options);
  if (isUnreadable(edited)) return refuseAll("unreadable", edited);
  const mistake = problems.find(({ code }) => code === "syntax");
  for (const refusal of edited.refused) {
    const item = list.findLast(({ change }) => entryId(change) === entryId(refusal));
    if (item !== undefined)
      refuse(item.requested, refusal.reason, refusal.reason === "syntax" ? mistake : undefined);
  }
  const isSame = edited.bytes === before || (before === undefined && edited.bytes.length === 0);
  if (!isSame) plan.writes.push({ path, before, after: edited.bytes });
}

type Position = Pick<LocalRefusal, "line" | "column">;

/** One requested change. `text: null` removes the entry. */
export interface LocalChange {
  readonly name: KeyName;
  /** The service's name of the locale. */
  readonly locale: string;
  readonly text: Text | null;
  /** Description of a new entry; absent: the service's description of the key. */
  readonly description?: string | null;
  /** Source text of a new entry in a bilingual file; absent: the text of the source file or of the service. */
  readonly source?: Text | null;
}

/**
 * A change that cannot be made. `no_file`: no file of the layout can contain the key. `encoding` with a line: the
 * file cannot be decoded.
 */
export interface LocalRefusal {
  readonly change: LocalChange;
  readonly path: string | null;
  readonly reason: Refusal["reason"] | "no_file" | "too_large" | "unreadable";
  /** Line of the syntax error that prevents writing, from 1; `null` if unknown. */
  readonly line: number | null;
  readonly column: number | null;
}

/** The file writes for a list of changes; each write's `before` is the content that the plan is based on. */
export interface LocalEditPlan {
  readonly writes: readonly FileWrite[];
  readonly refused: readonly LocalRefusal[];
}

/** What planning reads. */
interface LocalEditContext {
  readonly files: ProjectFiles;
  readonly formats: TranslationFiles;
  /** The service's keys, by hash. */
  readonly keys: Pick<KeyRepository, "get">;
  readonly local: LocalFiles;
  readonly layout: readonly FilesEntry[];
  toFile(serviceLocale: string): string;
  locate(path: string): LocalFileLocation | null;
  readOptions(location: LocalFileLocation): FileOptions;
}

/** The file of a key, and the name of the entry in it. */
interface TargetEntry extends EntryName {
  readonly path: string;
  /** Whether the file does not contain the entry yet. */
  readonly isNew: boolean;
}

/** No file contains the entry, or none that may be written. */
interface MissingTarget {
  readonly path: string | null;
  readonly reason: "not_found" | "no_file" | "source";
}

/** Finds the file of a key: its own, else the counterpart of its source file, else the file of its neighbours. */
class TargetFinder {
  readonly #context: LocalEditContext;
  readonly #files: ReadonlyMap<string, LocalFile>;
  /** Whether a file has keys with a prefix, by path and prefix. */
  readonly #hasPrefixCache = new Map<string, boolean>();

  constructor(context: LocalEditContext) {
    this.#context = context;
    this.#files = new Map(context.local.files.map((file) => [file.location.path, file]));
  }

  find({ name, locale, text }: LocalChange): TargetEntry | MissingTarget {
    const { local } = this.#context;
    const hash = keyHash(name);
    const own = local.entries(locale).get(hash);
    if (own !== undefined) {
      // The entry only exists as the source text in a file of another language.
      const isStated = this.#files.get(own.path)?.locales.has(locale) !== true;
      const { key, context, namespace, locale: called } = own.entry;
      if (!isStated) return { path: own.path, isNew: false, key, context, namespace, locale: called };
      if (text === null) return { path: own.path, reason: "source" };
    }
    if (text === null) return { path: null, reason: "not_found" };
    const source = local.entries(local.sourceLocale).get(hash);
    const beside = source === undefined ? null : this.#besideSource(source, locale);
    const isCalled = (target: TargetEntry): boolean => this.#hasKeyName(target, hash);
    const found =
      beside !== null && isCalled(beside)
        ? beside
        : this.#closestNeighbour(this.#candidates(name, locale).filter(isCalled), name);
    if (found !== null) return this.#inOwnNamespace(found);
    return own === undefined ? { path: null, reason: "no_file" } : { path: own.path, reason: "source" };
  }

  /** Whether it would be read back as the same key: namespaces and prefixes may contain the locale. */
  #hasKeyName(target: TargetEntry, hash: string): boolean {
    const location = this.#context.locate(target.path);
    return location !== null && keyHash(keyNameIn(location, { namespace: null, ...target })) === hash;
  }

  /** Replaces the namespace with the one that the file uses where the layout sets the namespace. */
  #inOwnNamespace(target: TargetEntry): TargetEntry {
    const file = this.#files.get(target.path);
    if (file === undefined || file.location.entry.namespace === undefined) return target;
    const { key, namespace = null } = target;
    return { ...target, namespace: namespaceInFile(file.namespaces, parsedEntriesOf(file), key, namespace) };
  }

  /** Returns the counterpart of the source key's file in this locale. */
  #besideSource(source: LocalEntry, locale: string): TargetEntry | null {
    const file = this.#files.get(source.path);
    if (file === undefined || isGenerated(file.location.entry.format)) return null;
    const { entry, placeholders } = file.location;
    const { key, context, namespace } = source.entry;
    const path = fillIn(entry.path, { ...placeholders, locale: this.#context.toFile(locale) });
    if (path === null || (path === source.path && !namesItsLocales(entry))) return null;
    return { path, isNew: true, key, context, namespace, locale: this.#localeNameAt(path, entry, locale) };
  }

  /** Returns the files that may contain the key; compiled files only if there are no others. */
  #candidates(name: KeyName, locale: string): readonly TargetEntry[] {
    const all = [...this.#existingTargets(name, locale), ...this.#possibleTargets(name, locale)];
    const own = all.filter(({ path }) => {
      const location = this.#context.locate(path);
      return location !== null && !isGenerated(location.entry.format);
    });
    return own.length > 0 ? own : all;
  }

  /** Returns existing files with keys of this namespace. */
  #existingTargets(name: KeyName, locale: string): readonly TargetEntry[] {
    return [...this.#files.values()].flatMap(({ location, locales }) => {
      const { entry, keyNaming } = location;
      // A locale can be added where the file itself names its locales.
      if (!locales.has(locale) && !namesItsLocales(entry)) return [];
      const isFree = formatInfoOf(entry.format)?.ownNamespaces === true;
      const fits =
        (isFree || keyNaming.namespace === name.namespace) && name.key.startsWith(keyNaming.keyPrefix);
      const key = name.key.slice(keyNaming.keyPrefix.length);
      return fits && key !== "" ? [this.#newEntry(location, key, name, locale)] : [];
    });
  }

  /** Returns a file for each layout entry that can contain the key, in layout order, whether or not it exists. */
  #possibleTargets(name: KeyName, locale: string): readonly TargetEntry[] {
    const { layout, local } = this.#context;
    return layout.flatMap((entry) => {
      const found = locateKey(entry, name);
      if (found === null) return [];
      const holdsOthers = entry.path.includes("{locale}") || namesItsLocales(entry);
      if (!holdsOthers && locale !== local.sourceLocale) return [];
      const path = fillIn(entry.path, { ...found.placeholders, locale: this.#context.toFile(locale) });
      if (path === null || !isInsideProject(path)) return [];
      const location = this.#context.locate(path);
      return location === null ? [] : [this.#newEntry(location, found.key, name, locale)];
    });
  }

  #newEntry(location: LocalFileLocation, key: string, name: KeyName, locale: string): TargetEntry {
    const { path, entry } = location;
    const namespace = fileNamespace(location, name);
    const called = this.#localeNameAt(path, entry, locale);
    return { path, isNew: true, key, context: name.context, namespace, locale: called };
  }

  /** Returns the file's name of the locale of a new text; `null` if the file does not name locales. */
  #localeNameAt(path: string, entry: FilesEntry, locale: string): string | null {
    const known = this.#files.get(path)?.locales.get(locale);
    if (known !== undefined) return known;
    return namesItsLocales(entry) ? this.#context.toFile(locale) : null;
  }

  /** Prefers files with keys of the namespace, then that with keys that share the most leading segments. */
  #closestNeighbour(candidates: readonly TargetEntry[], name: KeyName): TargetEntry | null {
    const [only = null] = candidates;
    if (candidates.length < 2) return only;
    let best: TargetEntry | null = null;
    let most: readonly [number, number] = [-2, 0];
    for (const candidate of candidates) {
      const file = this.#files.get(candidate.path);
      const rank = file === undefined ? -1 : namespacesIn(file).has(name.namespace) ? 1 : 0;
      const shared = file === undefined ? 0 : this.#countSharedSegments(file, name.key);
      if (rank < most[0] || (rank === most[0] && shared <= most[1] && best !== null)) continue;
      best = candidate;
      most = [rank, shared];
    }
    return best;
  }

  #countSharedSegments({ location, entries }: LocalFile, key: string): number {
    const segments = key.split(".");
    for (let count = segments.length - 1; count > 0; count--) {
      const start = `${segments.slice(0, count).join(".")}.`;
      const id = JSON.stringify([location.path, start]);
      if (getOrCreate(this.#hasPrefixCache, id, () => entries.hasKeyPrefix(start))) return count;
    }
    return 0;
  }
}

const namespacesIn = cachedByObject(({ entries }: LocalFile) => new Set(entries.namespaces()));

function* parsedEntriesOf({ entries }: LocalFile): Generator<Entry> {
  for (const { entry } of entries) yield entry;
}

/** Returns a file's own name of a key's namespace; `null` if the layout sets it, or the key has none. */
function fileNamespace(location: LocalFileLocation, { namespace }: KeyName): string | null {
  const isStated = keyNameIn(location, { key: "", context: null, namespace: null }).namespace === namespace;
  return isStated || namespace === NO_NAMESPACE ? null : namespace;
}

/** Namespaces come from the service and must not lead out of the project. */
function isInsideProject(path: string): boolean {
  return (
    !path.startsWith("/") && path.split("/").every((part) => part !== "" && part !== "." && part !== "..")
  );
}
