/**
 * Which file a key's text in a locale stands in or belongs into, and what that file calls key, namespace and locale. A
 * new key goes where its neighbours are. Reads and writes nothing.
 */
import type { Entry, EntryName } from "../../formats/format.ts";
import { factsOf } from "../../formats/format-facts.ts";
import { keyHash, NO_NAMESPACE, type KeyName } from "../../model/key-identity.ts";
import { pathFor, placingOf } from "../layout/layout.ts";
import type { LocalEditContext, LocalChange } from "./local-change.ts";
import type { LocalEntry } from "../../database/local-file-repository.ts";
import {
  isGenerated,
  keyNameIn,
  namespaceInFile,
  ownLocales,
  type LocalFile,
  type LocalPlace,
} from "./local-file.ts";
import type { FilesEntry } from "../project-file/project-file.ts";

/** A key's place: the file, and what the file calls the entry. */
export interface Target extends EntryName {
  readonly path: string;
  /** The file does not have it yet. */
  readonly isNew: boolean;
}

/** There is no place for it, or none that may be written. */
export interface NoTarget {
  readonly path: string | null;
  readonly reason: "not_found" | "no_file" | "source";
}

/** Finds the file of a key: its own; else that of the same key in the source; else its neighbours'. */
export class TargetFinder {
  readonly #context: LocalEditContext;
  readonly #files: ReadonlyMap<string, LocalFile>;
  readonly #namespaces = new Map<string, ReadonlySet<string>>();
  /** Whether a file has keys that begin so. */
  readonly #starts = new Map<string, boolean>();

  constructor(context: LocalEditContext) {
    this.#context = context;
    this.#files = new Map(context.local.files.map((file) => [file.place.path, file]));
  }

  find({ name, locale, text }: LocalChange): Target | NoTarget {
    const { local } = this.#context;
    const hash = keyHash(name);
    const own = local.entries(locale).get(hash);
    if (own !== undefined) {
      // Made of what a file of another language says beside its own text.
      const isStated = this.#files.get(own.path)?.locales.has(locale) !== true;
      if (!isStated) return { path: own.path, isNew: false, ...calledIn(own) };
      if (text === null) return { path: own.path, reason: "source" };
    }
    if (text === null) return { path: null, reason: "not_found" };
    const source = local.entries(local.sourceLocale).get(hash);
    const beside = source === undefined ? null : this.#besideSource(source, locale);
    const found = beside ?? this.#neighbours(this.#candidates(name, locale), name);
    if (found !== null) return this.#inOwnNamespace(found);
    return own === undefined ? { path: null, reason: "no_file" } : { path: own.path, reason: "source" };
  }

  /** The target under the name that the file there has for a namespace which the layout says. */
  #inOwnNamespace(target: Target): Target {
    const file = this.#files.get(target.path);
    if (file === undefined || file.place.entry.namespace === undefined) return target;
    const { key, namespace = null } = target;
    return { ...target, namespace: namespaceInFile(file.namespaces, ownEntries(file), key, namespace) };
  }

  /** The file of this locale that answers to the source key's file. */
  #besideSource(source: LocalEntry, locale: string): Target | null {
    const file = this.#files.get(source.path);
    if (file === undefined || isGenerated(file.place.entry.format)) return null;
    const { entry, placed } = file.place;
    const { key, context, namespace } = source.entry;
    if (!entry.path.includes("{locale}")) {
      if (!ownLocales(entry.format)) return null;
      return { path: source.path, isNew: true, key, context, namespace, locale: this.#called(file, locale) };
    }
    const path = pathFor(entry.path, { ...placed, locale: this.#context.toFile(locale) });
    if (path === null || path === source.path) return null;
    const called = this.#calledAt(path, entry, locale);
    return { path, isNew: true, key, context, namespace, locale: called };
  }

  /** Of files that are made of others only when there is no other. */
  #candidates(name: KeyName, locale: string): readonly Target[] {
    const all = [...this.#existing(name, locale), ...this.#fitting(name, locale)];
    const own = all.filter(({ path }) => {
      const format = this.#context.placeOf(path)?.entry.format;
      return format === undefined || !isGenerated(format);
    });
    return own.length > 0 ? own : all;
  }

  /** Files that are there and hold keys of this namespace. */
  #existing(name: KeyName, locale: string): readonly Target[] {
    return [...this.#files.values()].flatMap((file) => {
      if (!this.#mayHold(file, locale)) return [];
      const { path, entry, naming } = file.place;
      const isFree = entry.namespace === undefined && factsOf(entry.format)?.ownNamespaces === true;
      const fits = (isFree || naming.namespace === name.namespace) && name.key.startsWith(naming.keyPrefix);
      const key = name.key.slice(naming.keyPrefix.length);
      if (!fits || key === "") return [];
      const called = { key, context: name.context, namespace: namespaceIn(file.place, name) };
      return [{ path, isNew: true, ...called, locale: this.#called(file, locale) }];
    });
  }

  #mayHold({ place, locales }: LocalFile, locale: string): boolean {
    if (locales.has(locale)) return true;
    // A column can be added where the file itself names its languages.
    return place.placed.locale === null && ownLocales(place.entry.format);
  }

  /** A file for each entry of the layout that can hold the key, in the layout's order, there or not. */
  #fitting(name: KeyName, locale: string): readonly Target[] {
    const { layout, local } = this.#context;
    return layout.flatMap((entry) => {
      const found = placingOf(entry, name);
      if (found === null) return [];
      const holdsOthers = entry.path.includes("{locale}") || ownLocales(entry.format);
      if (!holdsOthers && locale !== local.sourceLocale) return [];
      const path = pathFor(entry.path, { ...found.placing, locale: this.#context.toFile(locale) });
      if (path === null || !isInside(path)) return [];
      const place = this.#context.placeOf(path);
      const namespace = place === null ? null : namespaceIn(place, name);
      const called = { key: found.key, context: name.context, namespace };
      return [{ path, isNew: true, ...called, locale: this.#calledAt(path, entry, locale) }];
    });
  }

  /** What the file calls the locale of a new text; `null` where it does not say locales. */
  #called({ place, locales }: LocalFile, locale: string): string | null {
    const known = locales.get(locale);
    if (known !== undefined) return known;
    return place.placed.locale === null && ownLocales(place.entry.format)
      ? this.#context.toFile(locale)
      : null;
  }

  #calledAt(path: string, entry: FilesEntry, locale: string): string | null {
    const file = this.#files.get(path);
    if (file !== undefined) return this.#called(file, locale);
    const namesThem = !entry.path.includes("{locale}") && ownLocales(entry.format);
    return namesThem ? this.#context.toFile(locale) : null;
  }

  /**
   * Of files that are there those with keys of the namespace first; of these the one with the entries whose keys have
   * the most leading segments in common.
   */
  #neighbours(candidates: readonly Target[], name: KeyName): Target | null {
    const [only = null] = candidates;
    if (candidates.length < 2) return only;
    let best: Target | null = null;
    let most: readonly [number, number] = [-2, 0];
    for (const candidate of candidates) {
      const file = this.#files.get(candidate.path);
      const rank = file === undefined ? -1 : this.#namespacesIn(file).has(name.namespace) ? 1 : 0;
      const shared = file === undefined ? 0 : this.#shared(file, name.key);
      if (rank < most[0] || (rank === most[0] && shared <= most[1] && best !== null)) continue;
      best = candidate;
      most = [rank, shared];
    }
    return best;
  }

  /** The one that its place says, or those of its entries. */
  #namespacesIn(file: LocalFile): ReadonlySet<string> {
    let namespaces = this.#namespaces.get(file.place.path);
    if (namespaces === undefined) {
      const { path, entry, naming } = file.place;
      const isFree = entry.namespace === undefined && factsOf(entry.format)?.ownNamespaces === true;
      const found = isFree ? file.entries.namespaces() : [naming.namespace];
      this.#namespaces.set(path, (namespaces = new Set(found)));
    }
    return namespaces;
  }

  #shared({ place, entries }: LocalFile, key: string): number {
    const segments = key.split(".");
    for (let count = segments.length - 1; count > 0; count--) {
      const start = `${segments.slice(0, count).join(".")}.`;
      const id = JSON.stringify([place.path, start]);
      let has = this.#starts.get(id);
      if (has === undefined) this.#starts.set(id, (has = entries.hasKeyStart(start)));
      if (has) return count;
    }
    return 0;
  }
}

function* ownEntries({ entries }: LocalFile): Generator<Entry> {
  for (const { entry } of entries) yield entry;
}

function calledIn({ entry: { key, context, namespace, locale } }: LocalEntry): EntryName {
  return { key, context, namespace, locale };
}

/** What a file of the place calls the namespace of a key: nothing where its place says it, or there is none. */
function namespaceIn(place: Pick<LocalPlace, "entry" | "naming">, { namespace }: KeyName): string | null {
  const isStated = keyNameIn(place, { key: "", context: null, namespace: null }).namespace === namespace;
  return isStated || namespace === NO_NAMESPACE ? null : namespace;
}

/** A namespace from the service is data: it must not lead out of the project. */
function isInside(path: string): boolean {
  return (
    !path.startsWith("/") && path.split("/").every((part) => part !== "" && part !== "." && part !== "..")
  );
}
