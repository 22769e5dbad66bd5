/**
 * Changes of keys as changes of files: which file a key stands in or belongs into, and its bytes afterwards. A
 * new key goes where its neighbours are; a file that is missing is made. Nothing is written here.
 */
import { type Change, entryId, type ReadOptions, type Refusal } from "./formats/format.ts";
import { formatOf } from "./formats/registry.ts";
import { keyHash, type KeyName } from "./identity.ts";
import { pathFor, placingOf } from "./layout.ts";
import type { LocalSnapshot } from "./local-entries.ts";
import type { LocalEntry, LocalFile, LocalPlace } from "./local-files.ts";
import type { FileWrite, ProjectFiles, Sha1, YieldNow } from "./ports.ts";
import type { FilesEntry } from "./project-file.ts";
import type { Text } from "./text.ts";
import { editTranslationFile, isNotReadable } from "./formats/translation-file.ts";

/** One wanted change. `text: null` removes the entry. */
export interface LocalChange {
  readonly name: KeyName;
  /** The service's name. */
  readonly locale: string;
  readonly text: Text | null;
  readonly description?: string | null;
}

/** A change that cannot be made. `no_file`: the layout has no file for such a key. */
export interface LocalRefusal {
  readonly change: LocalChange;
  readonly path: string | null;
  readonly reason: Refusal["reason"] | "no_file" | "encoding";
}

/** What is to be written for some changes; each write's `before` is what the plan was made on. */
export interface LocalEditPlan {
  readonly writes: readonly FileWrite[];
  readonly refused: readonly LocalRefusal[];
}

/** What a plan is made of. */
export interface LocalEditContext {
  readonly files: ProjectFiles;
  readonly sha1: Sha1;
  readonly yieldNow: YieldNow;
  readonly snapshot: LocalSnapshot;
  readonly layout: readonly FilesEntry[];
  toFile(serviceLocale: string): string;
  placeOf(path: string): LocalPlace | null;
  readOptions(place: LocalPlace): ReadOptions;
}

/** A key's place: the file, and what the file calls the key. */
interface Target {
  readonly path: string;
  readonly key: string;
}

interface FileChanges {
  readonly changes: Change[];
  readonly wanted: LocalChange[];
}

/** Plans the changes, file by file; of several for one key and locale the last holds. */
export async function planLocalEdit(
  changes: readonly LocalChange[],
  context: LocalEditContext,
): Promise<LocalEditPlan> {
  const refused: LocalRefusal[] = [];
  const byPath = new Map<string, FileChanges>();
  const finder = new TargetFinder(context);
  for (const change of changes) {
    const target = finder.find(change);
    if (target === null) {
      refused.push({ change, path: null, reason: change.text === null ? "not_found" : "no_file" });
      continue;
    }
    let list = byPath.get(target.path);
    if (list === undefined) byPath.set(target.path, (list = { changes: [], wanted: [] }));
    const { name, text, description = null } = change;
    list.changes.push({ key: target.key, context: name.context, text, description });
    list.wanted.push(change);
  }
  const writes: FileWrite[] = [];
  for (const [path, list] of byPath) {
    const outcome = await editFile(path, list, context);
    if (outcome.write !== null) writes.push(outcome.write);
    refused.push(...outcome.refused);
    await context.yieldNow();
  }
  return { writes, refused };
}

async function editFile(
  path: string,
  { changes, wanted }: FileChanges,
  context: LocalEditContext,
): Promise<{ readonly write: FileWrite | null; readonly refused: readonly LocalRefusal[] }> {
  const all = (reason: LocalRefusal["reason"]): { write: null; refused: LocalRefusal[] } => {
    return { write: null, refused: wanted.map((change) => ({ change, path, reason })) };
  };
  const place = context.placeOf(path);
  const format = place === null ? undefined : formatOf(place.entry.format);
  if (place === null || format === undefined) return all("unsupported");
  const before = (await context.files.read(path))?.bytes;
  const edited = await editTranslationFile(format, before, changes, context.readOptions(place));
  if (isNotReadable(edited)) return all("encoding");
  const refused = edited.refused.flatMap((refusal) => {
    const index = changes.findLastIndex((change) => entryId(change) === entryId(refusal));
    const change = wanted[index];
    return change === undefined ? [] : [{ change, path, reason: refusal.reason }];
  });
  const isSame = edited.bytes === before || (before === undefined && edited.bytes.length === 0);
  return { write: isSame ? null : { path, before, after: edited.bytes }, refused };
}

/** Finds the file of a key: its own; else that of the same key in the source; else its neighbours'. */
class TargetFinder {
  readonly #context: LocalEditContext;
  readonly #files: ReadonlyMap<string, LocalFile>;
  readonly #byLocale: ReadonlyMap<string, readonly LocalFile[]>;
  readonly #prefixes = new Map<string, ReadonlySet<string>>();

  constructor(context: LocalEditContext) {
    this.#context = context;
    const { files } = context.snapshot;
    this.#files = new Map(files.map((file) => [file.place.path, file]));
    this.#byLocale = Map.groupBy(files, (file) => file.place.locale);
  }

  find({ name, locale, text }: LocalChange): Target | null {
    const { snapshot, sha1 } = this.#context;
    const hash = keyHash(sha1, name);
    const own = snapshot.entries(locale).get(hash);
    if (own !== undefined) return { path: own.path, key: own.entry.key };
    if (text === null) return null;
    const source = snapshot.entries(snapshot.sourceLocale).get(hash);
    const beside = source === undefined ? null : this.#besideSource(source, locale);
    return (
      beside ?? this.#neighbours([...this.#existing(name, locale), ...this.#fitting(name, locale)], name)
    );
  }

  /** The file of this locale that answers to the source key's file. */
  #besideSource(source: LocalEntry, locale: string): Target | null {
    const place = this.#files.get(source.path)?.place;
    if (place === undefined || !place.entry.path.includes("{locale}")) return null;
    const path = pathFor(place.entry.path, { ...place.placed, locale: this.#context.toFile(locale) });
    return path === null ? null : { path, key: source.entry.key };
  }

  /** Files that are there and hold keys of this namespace. */
  #existing(name: KeyName, locale: string): readonly Target[] {
    return (this.#byLocale.get(locale) ?? []).flatMap(({ place: { path, naming } }) => {
      const fits = naming.namespace === name.namespace && name.key.startsWith(naming.keyPrefix);
      const key = name.key.slice(naming.keyPrefix.length);
      return fits && key !== "" ? [{ path, key }] : [];
    });
  }

  /** A file for each entry of the layout that can hold the key, in the layout's order, there or not. */
  #fitting(name: KeyName, locale: string): readonly Target[] {
    const { layout, snapshot } = this.#context;
    return layout.flatMap((entry) => {
      const found = placingOf(entry, name);
      if (found === null) return [];
      if (!entry.path.includes("{locale}") && locale !== snapshot.sourceLocale) return [];
      const path = pathFor(entry.path, { ...found.placing, locale: this.#context.toFile(locale) });
      return path === null || !isInside(path) ? [] : [{ path, key: found.key }];
    });
  }

  /** The file with the entries whose keys have the most leading segments in common; files that are there first. */
  #neighbours(candidates: readonly Target[], name: KeyName): Target | null {
    let best: Target | null = null;
    let most = -2;
    for (const candidate of candidates) {
      const file = this.#files.get(candidate.path);
      const shared = file === undefined ? -1 : this.#shared(file, name.key);
      if (shared <= most) continue;
      best = candidate;
      most = shared;
    }
    return best;
  }

  #shared(file: LocalFile, key: string): number {
    let prefixes = this.#prefixes.get(file.place.path);
    if (prefixes === undefined) this.#prefixes.set(file.place.path, (prefixes = prefixesOf(file)));
    const segments = key.split(".");
    for (let count = segments.length - 1; count > 0; count--) {
      if (prefixes.has(segments.slice(0, count).join("."))) return count;
    }
    return 0;
  }
}

/** Every start of every key, in whole segments. */
function prefixesOf(file: LocalFile): ReadonlySet<string> {
  const prefixes = new Set<string>();
  for (const { name } of file.entries) {
    for (let dot = name.key.indexOf("."); dot > 0; dot = name.key.indexOf(".", dot + 1)) {
      prefixes.add(name.key.slice(0, dot));
    }
  }
  return prefixes;
}

/** A namespace from the service is data: it must not lead out of the project. */
function isInside(path: string): boolean {
  return (
    !path.startsWith("/") && path.split("/").every((part) => part !== "" && part !== "." && part !== "..")
  );
}
