/** Renames keys, and the links to them in texts, in the translation files of all languages. */
import { applySplices, sortSplices } from "../../formats/editing/apply-verified-edit.ts";
import type { Splice } from "../../formats/format.ts";
import type { KeyNameQueries } from "../../database/key-name-repository.ts";
import { isForms, type Text } from "../../model/translation-text.ts";
import { yieldNow } from "../../util/event-loop.ts";
import { smallestReplacement } from "../../util/span.ts";
import type { LocalChange, LocalEntry } from "../local-files/local-entries.ts";
import { keyHash, type KeyName } from "../../model/key-hash.ts";
import type { KeyRename } from "../../formats/editing/rename-in-place.ts";
import type { KeyResolutionOptions, KnownKey } from "../usages/resolve-usage-to-key.ts";
import { linkMarkers, linksIn, resolveLink } from "../usages/text-links.ts";
import {
  decodeFile,
  type NameChange,
  NEW_FILE,
  renamedFile,
  type ServiceText,
  type RenameDependencies,
  type RenameEdits,
  type RenamedFile,
} from "./rename-edits.ts";
import { changeOf, newSpelling } from "./rename-in-code.ts";

/** An entry with its new name. */
interface RenamedEntry {
  readonly entry: LocalEntry;
  readonly change: NameChange;
}

/** An entry whose text has links to renamed keys, and the text with their new names. */
interface RelinkedEntry {
  readonly entry: LocalEntry;
  /** `null` if a link cannot be written. */
  readonly text: Text | null;
  /** The new spelling of each link, by the written one. */
  readonly spellings: ReadonlyMap<string, string>;
}

/** Renames the entries and the links to them. Entries stay where they are in their file if possible. */
export async function renameInFiles(
  dependencies: RenameDependencies,
  entries: readonly RenamedEntry[],
  links: readonly RelinkedEntry[],
  signal: AbortSignal | undefined,
): Promise<RenameEdits> {
  const failed = new Set(links.flatMap(({ entry, text }) => (text === null ? [entry.path] : [])));
  const relinked = Map.groupBy(
    links.filter(({ text }) => text !== null),
    ({ entry }) => entry.path,
  );
  const renamed = Map.groupBy(entries, ({ entry }) => entry.path);
  const inPlace = new Map<string, RenamedFile>();
  const toMove = new Set<string>();
  for (const path of new Set([...renamed.keys(), ...relinked.keys()])) {
    signal?.throwIfAborted();
    const file = await editInPlace(dependencies, path, renamed.get(path) ?? [], relinked.get(path) ?? []);
    if (file === null) toMove.add(path);
    else if (await dependencies.canEdit(file)) inPlace.set(path, file);
    else failed.add(path);
  }
  const changesOf = (paths: ReadonlySet<string>): FileChanges => ({
    entries: entries.filter(({ entry }) => paths.has(entry.path)),
    links: links.filter(({ entry, text }) => paths.has(entry.path) && text !== null),
  });
  let moves = await planMovable(dependencies, changesOf(toMove), signal);
  // A moved entry may belong in a file that is edited in place otherwise.
  for (;;) {
    const shared = moves.files.filter(({ path }) => inPlace.has(path));
    if (shared.length === 0) break;
    for (const { path } of shared) {
      inPlace.delete(path);
      toMove.add(path);
    }
    moves = await planMovable(dependencies, changesOf(toMove), signal);
  }
  for (const path of moves.failedPaths) failed.add(path);
  return {
    files: [...inPlace.values(), ...moves.files],
    remaining: Array.from(failed, (path) => ({ path, line: null })),
  };
}

interface FileChanges {
  readonly entries: readonly RenamedEntry[];
  readonly links: readonly RelinkedEntry[];
}

interface Moves {
  readonly files: readonly RenamedFile[];
  readonly failedPaths: readonly string[];
}

/** Plans those moves that are possible: an entry is not removed unless the new one can be added. */
async function planMovable(
  dependencies: RenameDependencies,
  { entries, links }: FileChanges,
  signal: AbortSignal | undefined,
): Promise<Moves> {
  if (entries.length === 0 && links.length === 0) return { files: [], failedPaths: [] };
  const failed = new Set<string>();
  const movable: RenamedEntry[] = [];
  for (const entry of entries) {
    const { failedPaths } = await planMoves(dependencies, { entries: [entry], links: [] }, signal);
    if (failedPaths.length === 0) movable.push(entry);
    for (const path of failedPaths) failed.add(path);
  }
  const moves = await planMoves(dependencies, { entries: movable, links }, signal);
  for (const path of moves.failedPaths) failed.add(path);
  return { files: moves.failedPaths.length === 0 ? moves.files : [], failedPaths: [...failed] };
}

/**
 * Plans the replacement of entries by new ones, and of texts. `failedPaths`: if not all can be replaced, the files of
 * all, and those that prevent it.
 */
async function planMoves(
  { local, canEdit }: RenameDependencies,
  { entries, links }: FileChanges,
  signal: AbortSignal | undefined,
): Promise<Moves> {
  const relinked = new Map(links.map(({ entry, text }) => [idOf(entry), text]));
  const moved = new Set(entries.map(({ entry }) => idOf(entry)));
  const changes = [
    ...entries.flatMap(({ entry: old, change }): LocalChange[] => {
      const { name, hash, locale, description, entry } = old;
      const source = entry.source ?? local.entries(local.sourceLocale).get(hash)?.text ?? null;
      const text = relinked.get(idOf(old)) ?? old.text;
      return [
        { name, locale, text: null },
        { name: change.to, locale, text, description, source },
      ];
    }),
    ...links.flatMap(({ entry: { name, locale }, entry, text }): LocalChange[] =>
      moved.has(idOf(entry)) || text === null ? [] : [{ name, locale, text }],
    ),
  ];
  const { writes, refused } = await local.planEdit(changes, signal);
  const files: RenamedFile[] = [];
  const failed = new Set(refused.flatMap(({ path }) => path ?? []));
  for (const { path, before, after } of writes) {
    const isNew = before === undefined;
    const format = local.locate(path)?.entry.format;
    const decodedBefore = isNew ? NEW_FILE : decodeFile(before, format);
    const decodedAfter = decodeFile(after, format);
    const canDecode = decodedBefore !== null && decodedAfter !== null;
    const splices = canDecode ? [smallestReplacement(decodedBefore.text, decodedAfter.text)] : [];
    const file = canDecode ? renamedFile(path, "translations", decodedBefore, splices, isNew) : null;
    if (file !== null && (await canEdit(file))) files.push(file);
    else failed.add(path);
  }
  const paths = [...entries, ...links].map(({ entry }) => entry.path);
  // An entry that is in two files is only written to one.
  const isComplete = paths.every((path) => files.some((file) => file.path === path));
  if (failed.size > 0 || refused.length > 0 || !isComplete) for (const path of paths) failed.add(path);
  return { files, failedPaths: [...failed] };
}

/** Identifies an entry, which may have been read twice. */
function idOf({ path, locale, hash }: LocalEntry): string {
  return JSON.stringify([path, locale, hash]);
}

/** Renames the entries of a file and its links in place; `null` if that is not possible. */
async function editInPlace(
  { local, files, lookup }: RenameDependencies,
  path: string,
  entries: readonly RenamedEntry[],
  links: readonly RelinkedEntry[],
): Promise<RenamedFile | null> {
  const location = local.locate(path);
  if (location === null) return null;
  const { format } = location.entry;
  const { keyPrefix } = location.keyNaming;
  const read = await files.read(path);
  if (read.kind !== "read") return null;
  const { bytes } = read;
  const before = decodeFile(bytes, format);
  if (before === null) return null;
  const renames: KeyRename[] = [];
  for (const [to, inFile] of Map.groupBy(entries, ({ change }) => change.to)) {
    const changesNamespace = inFile.some(({ entry }) => entry.name.namespace !== to.namespace);
    if (changesNamespace || !to.key.startsWith(keyPrefix)) return null;
    const newKey = to.key.slice(keyPrefix.length);
    renames.push({ entries: inFile.map(({ entry }) => entry.entry), newKey });
  }
  const options = local.readOptions(location);
  const renamed =
    renames.length === 0 ? [] : await local.formats.renameInPlace(format, bytes, renames, options);
  if (renamed === null) return null;
  const splices: Splice[] = [...renamed];
  for (const { entry, spellings } of links) {
    const edits = linkSplices(before.text, entry, spellings, lookup);
    if (edits === null) return null;
    splices.push(...edits);
  }
  const sorted = sortSplices(splices);
  const overlaps = sorted.some((splice, index) => index > 0 && splice.start < (sorted[index - 1]?.end ?? 0));
  return overlaps ? null : renamedFile(path, "translations", before, sorted);
}

/** Characters that no format escapes. */
const PLAIN = /^[\p{L}\p{N}_.:/ -]*$/u;

/** Returns the edits of the links as they are written in the file; `null` if they are not found there. */
function linkSplices(
  text: string,
  { entry: { valueSpan }, text: value }: LocalEntry,
  spellings: ReadonlyMap<string, string>,
  lookup: KeyResolutionOptions,
): readonly Splice[] | null {
  const raw = text.slice(valueSpan.start, valueSpan.end);
  const splices = linksIn(raw, lookup).flatMap(({ key, span }): Splice[] => {
    const spelling = spellings.get(key);
    if (spelling === undefined) return [];
    return [{ start: valueSpan.start + span.start, end: valueSpan.start + span.end, text: spelling }];
  });
  const count = formsOf(value).reduce(
    (sum, form) => sum + linksIn(form, lookup).filter(({ key }) => spellings.has(key)).length,
    0,
  );
  return splices.length === count && splices.every((splice) => PLAIN.test(splice.text)) ? splices : null;
}

function formsOf(text: Text): readonly string[] {
  return isForms(text) ? Object.values(text.forms) : [text.value];
}

/** An entry whose text has links to some of the project's keys. */
export interface LinkingEntry {
  readonly entry: LocalEntry;
  /** The keys of its links. */
  readonly keys: readonly KnownKey[];
}

/** Returns the entries of all languages whose texts link to a key with one of the names. */
export async function linkingEntries(
  { local, lookup }: Pick<RenameDependencies, "local" | "lookup">,
  names: KeyNameQueries,
  isWanted: (name: KeyName) => boolean,
  signal: AbortSignal | undefined,
): Promise<readonly LinkingEntry[]> {
  const found: LinkingEntry[] = [];
  for (const batch of local.entriesContaining(linkMarkers(lookup))) {
    await yieldNow();
    signal?.throwIfAborted();
    for (const entry of batch) {
      const keys = formsOf(entry.text)
        .flatMap((form) => linksIn(form, lookup))
        .flatMap((link) => resolveLink(link, entry.name, names, lookup) ?? [])
        .filter(({ name }) => isWanted(name));
      if (keys.length > 0) found.push({ entry, keys });
    }
  }
  return found;
}

/** Returns the texts that only the service has and that link to these names; they cannot be changed here. */
export async function linkingServiceTexts(
  { local, lookup, serviceTexts }: Pick<RenameDependencies, "local" | "lookup" | "serviceTexts">,
  names: KeyNameQueries,
  isWanted: (name: KeyName) => boolean,
  signal: AbortSignal | undefined,
): Promise<readonly ServiceText[]> {
  const found: ServiceText[] = [];
  for (const batch of serviceTexts?.(linkMarkers(lookup)) ?? []) {
    await yieldNow();
    signal?.throwIfAborted();
    for (const each of batch) {
      if (local.locales.includes(each.locale) && local.entries(each.locale).has(keyHash(each.name))) continue;
      const links = formsOf(each.text).flatMap((form) => linksIn(form, lookup));
      const isLinking = links.some((link) => {
        const resolved = resolveLink(link, each.name, names, lookup);
        return resolved !== undefined && isWanted(resolved.name);
      });
      if (isLinking) found.push(each);
    }
  }
  return found;
}

/** Returns the entries with the new names in their links. */
export function relink(
  { lookup }: Pick<RenameDependencies, "lookup">,
  entries: readonly LinkingEntry[],
  changes: readonly NameChange[],
  before: KeyNameQueries,
  after: KeyNameQueries,
): readonly RelinkedEntry[] {
  return entries.flatMap(({ entry }): RelinkedEntry[] => {
    const spellings = new Map<string, string>();
    let canWrite = true;
    const text = mapText(entry.text, (form) => {
      const splices: Splice[] = [];
      for (const link of linksIn(form, lookup)) {
        const resolved = resolveLink(link, entry.name, before, lookup);
        const change = resolved && changeOf(resolved, changes);
        if (resolved === undefined || change === undefined) continue;
        const spelling = newSpelling(resolved.usage, resolved, change.to, after, lookup);
        if (spelling === null || !link.syntax.canWrite(spelling, link, form)) canWrite = false;
        else {
          spellings.set(link.key, spelling);
          splices.push({ ...link.span, text: spelling });
        }
      }
      return applySplices(form, sortSplices(splices));
    });
    if (!canWrite) return [{ entry, text: null, spellings }];
    return spellings.size === 0 ? [] : [{ entry, text, spellings }];
  });
}

function mapText(text: Text, map: (form: string) => string): Text {
  if (!isForms(text)) return { value: map(text.value) };
  return { forms: Object.fromEntries(Object.entries(text.forms).map(([form, value]) => [form, map(value)])) };
}
