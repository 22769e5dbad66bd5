/**
 * Applies changes to a file and verifies the result by parsing it again: a changed entry that is not as requested is
 * refused, and if any other entry changed, the file is left unchanged.
 */
import { formatInfoOf } from "../../model/file-formats.ts";
import { isEmptyText, isForms, areTextsEqual, type Text } from "../../model/translation-text.ts";
import {
  type Change,
  type Entry,
  entryId,
  type EntryName,
  type NewEntry,
  type ReadOptions,
  type ReadResult,
  type Refusal,
  type RefusalReason,
  type Splice,
  type TextFormat,
} from "../format.ts";

/** Edited text; equal to the original if nothing changed. */
export interface TextEdit {
  readonly text: string;
  readonly splices: readonly Splice[];
  readonly refused: readonly Refusal[];
}

/** Applies the changes, except those in `refused`. A blank text becomes a new file. */
export function applyEdit(
  format: TextFormat,
  text: string,
  changes: readonly Change[],
  options: ReadOptions,
): TextEdit {
  if (text.trim() === "") {
    const { content, refused } = printNewFile(format, changes, options);
    if (content === null) return { text, splices: [], refused };
    return { text: content, splices: [{ start: 0, end: text.length, text: content }], refused };
  }
  const first = editAndVerify(format, text, changes, options);
  if (first.unexpected.size === 0) return first.edit;
  const done = acceptedChanges(changes, first.edit.refused);
  const odd = new Map([...done].filter(([id]) => first.unexpected.has(id)));
  // An odd change need not keep others from the file, unless something else would change without it, too.
  if (odd.size > 0 && odd.size < done.size) {
    const others = changes.filter((change) => !odd.has(entryId(change)));
    const { edit, unexpected } = editAndVerify(format, text, others, options);
    if (unexpected.size === 0)
      return { ...edit, refused: [...edit.refused, ...refuseAll(odd.values(), "conflict")] };
  }
  return { text, splices: [], refused: [...first.edit.refused, ...refuseAll(done.values(), "conflict")] };
}

/** Applies the changes, also where the result is not as requested: `unexpected` has the ids of such entries. */
function editAndVerify(
  format: TextFormat,
  text: string,
  changes: readonly Change[],
  options: ReadOptions,
): { readonly edit: TextEdit; readonly unexpected: ReadonlySet<string> } {
  const { splices, refused } = format.edit(text, changes, options);
  const edited = applySplices(text, splices);
  if (edited === text) return { edit: { text, splices: [], refused }, unexpected: new Set() };
  const done = acceptedChanges(changes, refused);
  const reread = (again: ReadOptions): ReadResult => format.read(edited, again);
  const unexpected = unexpectedEntries(format, format.read(text, options), reread, done, options);
  return { edit: { text: edited, splices, refused }, unexpected: new Set(unexpected) };
}

/** Sorts splices: at the same offset an insertion comes before a replacement. */
export function sortSplices(splices: readonly Splice[]): Splice[] {
  return splices.toSorted((a, b) => a.start - b.start || a.end - b.end);
}

/** Applies the splices, which must be sorted. */
export function applySplices(text: string, splices: readonly Splice[]): string {
  let result = "";
  let at = 0;
  for (const splice of splices) {
    result += text.slice(at, splice.start) + splice.text;
    at = splice.end;
  }
  return result + text.slice(at);
}

/** Prints a new file without the entries that it cannot contain; `null` if there are no others. */
function printNewFile(
  format: TextFormat,
  changes: readonly Change[],
  options: ReadOptions,
): { readonly content: string | null; readonly refused: readonly Refusal[] } {
  const lastChanges = [...acceptedChanges(changes, []).values()];
  const removals = lastChanges.filter((change) => change.text === null);
  const entries = lastChanges.filter(hasText);
  const done = acceptedChanges(entries, []);
  const content = format.print(entries, options);
  const reread = (again: ReadOptions): ReadResult => format.read(content, again);
  const unexpected = new Set(unexpectedEntries(format, EMPTY_FILE, reread, done, options));
  const written = entries.filter((entry) => !unexpected.has(entryId(entry)));
  const unwritable = entries.filter((entry) => unexpected.has(entryId(entry)));
  const refused = [...refuseAll(removals, "not_found"), ...refuseAll(unwritable, "unsupported")];
  if (written.length === 0) return { content: null, refused };
  return { content: unwritable.length === 0 ? content : format.print(written, options), refused };
}

const EMPTY_FILE: ReadResult = { entries: [], problems: [] };

export function refusalOf(
  { key, context, namespace = null, locale = null }: EntryName,
  reason: RefusalReason,
): Refusal {
  return { key, context, namespace, locale, reason };
}

/** Refuses all changes for the same reason. */
export function refuseAll(changes: Iterable<EntryName>, reason: RefusalReason): Refusal[] {
  return Array.from(changes, (change) => refusalOf(change, reason));
}

/** Makes each change, of several to one entry only the last; returns those for which `make` gives a reason. */
export function makeEach(
  changes: readonly Change[],
  make: (change: Change) => RefusalReason | null,
): Refusal[] {
  const lastChanges = new Map(changes.map((change) => [entryId(change), change]));
  return [...lastChanges.values()].flatMap((change) => {
    const reason = make(change);
    return reason === null ? [] : refusalOf(change, reason);
  });
}

function acceptedChanges(
  changes: readonly Change[],
  refused: readonly Refusal[],
): ReadonlyMap<string, Change> {
  const done = new Map(changes.map((change) => [entryId(change), change]));
  for (const refusal of refused) done.delete(entryId(refusal));
  return done;
}

/**
 * Returns the ids of the entries that are not as requested.
 * @param reread parses the edited file
 */
function unexpectedEntries(
  format: TextFormat,
  before: ReadResult,
  reread: (options: ReadOptions) => ReadResult,
  done: ReadonlyMap<string, Change>,
  options: ReadOptions,
): string[] {
  const old = entriesById(before.entries);
  // A key whose text is removed has forms or none as before.
  const written = [...done.values()].filter(hasText).map((change) => [entryId(change), change] as const);
  const kinds = kindsOf(new Map<string, Entry | NewEntry>([...old, ...written]).values());
  const touched = new Set([...done.values()].map(kindId));
  const isPlural = (key: string, context: string | null, namespace?: string | null): boolean | undefined =>
    kinds.get(kindId({ key, context, namespace: namespace ?? null })) ??
    options.isPlural?.(key, context, namespace);
  const after = reread({ ...options, isPlural });
  const now = entriesById(after.entries);
  // Syntax errors that were there before are acceptable if the format can edit such a file.
  if (countSyntaxProblems(after) > countSyntaxProblems(before)) return [...done.keys()];
  // In a file with several locales, a key has an empty text in each locale that it is not translated into.
  const isUntranslated = (entry: Entry): boolean =>
    formatInfoOf(format.name)?.ownLocales === true && isEmptyText(entry.text);
  const isBlank = (entry: Entry): boolean => isUntranslated(entry) && touched.has(kindId(entry));
  // A new locale has an empty text for every key.
  const locales = new Set(before.entries.map(({ locale }) => locale));
  const isInNewLocale = (entry: Entry): boolean => isUntranslated(entry) && !locales.has(entry.locale);
  const isAsRequested = (id: string): boolean => {
    const [change, was, is] = [done.get(id), old.get(id), now.get(id)];
    if (change?.text === null) return is === undefined || isBlank(is);
    if (is === undefined) return change === undefined && was !== undefined && isBlank(was);
    if (change !== undefined) {
      return (
        matchesRequest(is.text, format.asWritten?.(change.text, options) ?? change.text) ||
        (isEmptyText(change.text) && isUntranslated(is))
      );
    }
    if (was === undefined) return isBlank(is) || isInNewLocale(is);
    return areTextsEqual(was.text, is.text) || (isUntranslated(was) && isUntranslated(is));
  };
  return [...done.keys(), ...old.keys(), ...now.keys()].filter((id) => !isAsRequested(id));
}

/** Returns which keys are plural; those of which only some locales are, are not known. */
function kindsOf(texts: Iterable<Entry | NewEntry>): ReadonlyMap<string, boolean | undefined> {
  const kinds = new Map<string, boolean | undefined>();
  for (const each of texts) {
    const id = kindId(each);
    const kind = isForms(each.text);
    kinds.set(id, kinds.has(id) && kinds.get(id) !== kind ? undefined : kind);
  }
  return kinds;
}

function hasText(change: Change): change is NewEntry {
  return change.text !== null;
}

function countSyntaxProblems({ problems }: ReadResult): number {
  return problems.filter((problem) => problem.code === "syntax").length;
}

function entriesById(entries: readonly Entry[]): ReadonlyMap<string, Entry> {
  return new Map(entries.map((entry) => [entryId(entry), entry]));
}

/** Identifies a key across locales, since it is usually plural in all of them or in none. */
function kindId({ key, context, namespace = null }: EntryName): string {
  return entryId({ key, context, namespace });
}

/** Forms may be read back under the locale's own categories, but none of their texts may be missing. */
function matchesRequest(read: Text, wanted: Text): boolean {
  if (areTextsEqual(read, wanted)) return true;
  if (!isForms(read) || !isForms(wanted)) return false;
  const words = new Set(Object.values(read.forms));
  return Object.values(wanted.forms).every((form) => form === "" || words.has(form));
}
