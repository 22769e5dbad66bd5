/**
 * Plans the rename of a key in source code and in the translation files of all languages, with what its name stands
 * for: its plural forms and contexts that are keys of their own, and links to it in texts. Writes nothing. What cannot be
 * rewritten, or may refer to the key dynamically, is reported instead.
 */
import { ChangedNames } from "./key-names-after-change.ts";
import { keyHash, type KeyName } from "../../model/key-hash.ts";
import {
  shownKeys,
  basesOf,
  type KnownKey,
  pluralSuffixOf,
  type KeyResolutionOptions,
} from "../usages/resolve-usage-to-key.ts";
import type { KeyNameQueries, NamedKey } from "../../database/key-name-repository.ts";
import type { LocalEntries, LocalEntry } from "../local-files/local-entries.ts";
import { mayContainInNamespace, unparsedRangesOfAll } from "../local-files/local-file.ts";
import { yieldNow } from "../../util/event-loop.ts";
import type {
  NameChange,
  RenameDependencies,
  RenameEdits,
  RenameUsages,
  ServiceText,
} from "./rename-edits.ts";
import { renameUsages, resolveUsages } from "./rename-in-code.ts";
import type { RenamedNames } from "./rename-in-other-code.ts";
import { linkingEntries, linkingServiceTexts, relink, renameInFiles } from "./rename-in-files.ts";

export type RenamePlan =
  | ({
      readonly kind: "planned";
      /** The keys that are renamed: the key itself, if there is one of that name, and its variants. */
      readonly changes: readonly NameChange[];
      /** For the code of other projects. */
      readonly names: RenamedNames;
      /** Texts that only the service has, with links to the old name. */
      readonly linkingAtService: readonly ServiceText[];
    } & RenameEdits)
  /** A key with the new name already exists. */
  | { readonly kind: "taken"; readonly name: KeyName }
  /** The project does not have the key. */
  | { readonly kind: "unknown" };

/**
 * Plans the rename.
 * @param from the name; there may be only variants of it
 * @throws the signal's reason when aborted
 */
export async function planRename(
  dependencies: RenameDependencies,
  from: KeyName,
  to: KeyName,
  signal?: AbortSignal,
): Promise<RenamePlan> {
  const { names, lookup } = dependencies;
  const whenUsagesComplete = dependencies.usages();
  // Avoids an unhandled rejection if the rename ends before awaiting this.
  whenUsagesComplete.catch(() => undefined);
  const local = await dependencies.local.reload(signal);
  const related = await relatedNames({ names, lookup, local }, from, signal);
  const own = related.find(({ hash }) => hash === keyHash(from));
  if (related.length === 0) return { kind: "unknown" };
  const usages = await whenUsagesComplete;
  const before = new ChangedNames(names, [], related);
  const paths = new Set(related.flatMap((key) => locationsOf(usages, names, key).map(({ path }) => path)));
  const inCode = await resolveUsages(dependencies, paths, usages, before, signal);
  const isNamed = (name: KeyName): boolean =>
    isSameName(name, from) || related.some((key) => isSameName(name, key));
  const linking = await linkingEntries(dependencies, before, isNamed, signal);
  const linkingAtService = await linkingServiceTexts(dependencies, before, isNamed, signal);
  const known = [
    ...inCode.flatMap(({ usages: found }) => found.flatMap(([, key]) => key ?? [])),
    ...linking.flatMap(({ keys }) => keys),
  ];
  const changes = changesOf(related, from, to, known, lookup);
  if (changes.length === 0 && own === undefined) return { kind: "unknown" };
  const entries = changes.flatMap((change) =>
    entriesOf(local, change.from).map((entry) => ({ entry, change })),
  );
  for (const change of changes)
    if (isTaken(dependencies, local, change)) return { kind: "taken", name: change.to };
  const newNames = changes.map((change) => change.to);
  const renamedHashes = changes.map((change) => change.from.hash);
  const after = new ChangedNames(before, renamedHashes, newNames);
  // Usages name the key also if there are only variants of it.
  const named = [...changes, { from: namedKey(from), to: namedKey(to) }];
  const links = relink(dependencies, linking, named, before, after);
  const files = await renameInFiles(dependencies, entries, links, signal);
  const code = renameUsages(dependencies, inCode, named, after);
  const dynamic = renamedHashes.flatMap((hash) =>
    usages.patternsOf(hash).flatMap((pattern) => usages.usagesOfPattern(pattern)),
  );
  // Entries that could not be read are not renamed.
  const unread = unparsedRangesOfAll(local).filter((range) =>
    changes.some((change) => mayContainInNamespace([range], change.from)),
  );
  const unreadPaths = new Set(unread.map(({ path }) => path));
  return {
    kind: "planned",
    changes,
    names: { changes: named, before, after },
    linkingAtService,
    files: [...files.files, ...code.files],
    remaining: [
      ...unread.map(({ path, line }) => ({ path, line })),
      ...files.remaining.filter(({ path }) => !unreadPaths.has(path)),
      ...code.remaining,
      ...dynamic.map(({ path }) => ({ path, line: null })),
    ],
  };
}

function isSameName(one: KeyName, other: KeyName): boolean {
  return one.key === other.key && one.namespace === other.namespace && one.context === other.context;
}

function namedKey(name: KeyName): NamedKey {
  const { namespace, key, context } = name;
  return { namespace, key, context, hash: keyHash(name) };
}

/** Names read between yields to the event loop. */
const NAMES_PER_SLICE = 1_000;

/** Returns the key of this name, if it exists, and those that may be variants of it, at the service or in files. */
async function relatedNames(
  { names, lookup, local }: Pick<RenameDependencies, "names" | "lookup" | "local">,
  from: KeyName,
  signal: AbortSignal | undefined,
): Promise<readonly NamedKey[]> {
  const found = new Map<string, NamedKey>();
  const isRelated = ({ namespace, key, context }: KeyName): boolean =>
    namespace === from.namespace &&
    context === from.context &&
    (key === from.key ||
      (context === null && key.startsWith(from.key) && basesOf(key, lookup).includes(from.key)));
  const atService =
    names.get(from.namespace, from.key, from.context) === undefined
      ? names.matching(from.namespace, from.key, "", Number.POSITIVE_INFINITY)
      : [namedKey(from), ...names.matching(from.namespace, from.key, "", Number.POSITIVE_INFINITY)];
  for (const key of atService) if (isRelated(key)) found.set(keyHash(key), namedKey(key));
  let seen = 0;
  for (const locale of local.locales) {
    for (const { name } of local.entries(locale).values()) {
      if (++seen % NAMES_PER_SLICE === 0) await yieldNow();
      signal?.throwIfAborted();
      if (isRelated(name)) found.set(keyHash(name), namedKey(name));
    }
  }
  return [...found.values()];
}

function locationsOf(
  usages: RenameUsages,
  names: KeyNameQueries,
  key: NamedKey,
): ReturnType<RenameUsages["usagesOf"]> {
  const isKnown = names.get(key.namespace, key.key, key.context) !== undefined;
  return isKnown ? usages.usagesOf(key.hash) : usages.usagesOfName(key);
}

/**
 * Returns the keys to rename: the key itself, the variants that usages of its name show, and, if no usage is found, all of
 * its plural forms but those that are named themselves.
 * @param known what usages and links resolve to
 */
function changesOf(
  related: readonly NamedKey[],
  from: KeyName,
  to: KeyName,
  known: readonly KnownKey[],
  lookup: KeyResolutionOptions,
): readonly NameChange[] {
  const shown = new Set<string>();
  const namedThemselves = new Set<string>();
  let isUsed = false;
  for (const found of known) {
    const isOfName = isSameName(found.name, from);
    isUsed ||= isOfName;
    for (const { hash } of shownKeys(found)) if (isOfName) shown.add(hash);
    if (!isOfName) namedThemselves.add(keyHash(found.name));
  }
  const isRenamed = ({ hash, key }: NamedKey): boolean => {
    if (key === from.key || shown.has(hash)) return true;
    const isPluralForm = pluralSuffixOf(key, from.key, lookup) === key.slice(from.key.length);
    return !isUsed && isPluralForm && !namedThemselves.has(hash);
  };
  return related.filter(isRenamed).map((key) => ({
    from: key,
    to: namedKey({ ...to, context: key.context, key: `${to.key}${key.key.slice(from.key.length)}` }),
  }));
}

/** Returns the entries of a key in all languages. */
function entriesOf(local: LocalEntries, { hash }: NamedKey): readonly LocalEntry[] {
  const locales = new Map(local.files.map((file) => [file.location.path, file.locales]));
  // Source texts in files of other languages share the key of their entry.
  return local.locales
    .flatMap((locale) => local.entries(locale).get(hash) ?? [])
    .filter(({ path, locale }) => locales.get(path)?.has(locale) === true);
}

function isTaken(
  { names, isFormerName }: RenameDependencies,
  local: LocalEntries,
  { from, to }: NameChange,
): boolean {
  if (local.locales.some((locale) => local.entries(locale).has(to.hash))) return true;
  return names.get(to.namespace, to.key, to.context) !== undefined && !isFormerName(from, to);
}
