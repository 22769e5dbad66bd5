/**
 * Changes of one file, checked: after an edit the file is read again, and unless every other entry is as it was and
 * every changed one as wanted, nothing is changed.
 */
import { factsOf } from "./format-facts.ts";
import { isEmptyText, isForms, sameText, type Text } from "../model/text.ts";
import {
  type BinaryFormat,
  type Change,
  type Entry,
  entryId,
  type EntryName,
  type Format,
  type ReadOptions,
  type ReadResult,
  type Refusal,
  type Splice,
  type TextFormat,
} from "./format.ts";

/** The text after the changes; equal to the given one when nothing changed. */
export interface Applied {
  readonly text: string;
  readonly splices: readonly Splice[];
  readonly refused: readonly Refusal[];
}

/**
 * Makes the changes in the text. What the format cannot write is in `refused`, the rest is done. A text without
 * anything in it becomes a new file.
 */
export function applyEdit(
  format: TextFormat,
  text: string,
  changes: readonly Change[],
  options: ReadOptions,
): Applied {
  if (text.trim() === "") return fresh(format, text, changes, options);
  const { splices, refused } = format.edit(text, changes, options);
  const edited = applySplices(text, splices);
  if (edited === text) return { text, splices: [], refused };
  const done = accepted(changes, refused);
  const before = format.read(text, options);
  if (isAsWanted(format, before, (again) => format.read(edited, again), done, options)) {
    return { text: edited, splices, refused };
  }
  return { text, splices: [], refused: [...refused, ...conflicts(done)] };
}

/** As `applyEdit`, for a format that is no text. `bytes` are the given ones themselves when nothing changed. */
export function checkedBinaryEdit(
  format: BinaryFormat,
  bytes: Uint8Array,
  changes: readonly Change[],
  options: ReadOptions,
): { readonly bytes: Uint8Array; readonly refused: readonly Refusal[] } {
  const edited = format.edit(bytes, changes, options);
  if (edited.bytes === bytes) return edited;
  const done = accepted(changes, edited.refused);
  const before = format.read(bytes, options);
  if (isAsWanted(format, before, (again) => format.read(edited.bytes, again), done, options)) return edited;
  return { bytes, refused: [...edited.refused, ...conflicts(done)] };
}

function conflicts(done: ReadonlyMap<string, Change>): Refusal[] {
  return [...done.values()].map((change) => refusalOf(change, "conflict"));
}

/** The text with the splices made. */
export function applySplices(text: string, splices: readonly Splice[]): string {
  let result = "";
  let at = 0;
  for (const splice of splices) {
    result += text.slice(at, splice.start) + splice.text;
    at = splice.end;
  }
  return result + text.slice(at);
}

function fresh(format: TextFormat, text: string, changes: readonly Change[], options: ReadOptions): Applied {
  const entries = changes.flatMap((change) =>
    change.text === null ? [] : [{ ...change, text: change.text }],
  );
  const refused = changes
    .filter((change) => change.text === null)
    .map((change) => refusalOf(change, "not_found"));
  if (entries.length === 0) return { text, splices: [], refused };
  const printed = format.print(entries, options);
  return { text: printed, splices: [{ start: 0, end: text.length, text: printed }], refused };
}

/** The change was not made. */
export function refusalOf(
  { key, context, namespace = null, locale = null }: EntryName,
  reason: Refusal["reason"],
): Refusal {
  return { key, context, namespace, locale, reason };
}

function accepted(changes: readonly Change[], refused: readonly Refusal[]): ReadonlyMap<string, Change> {
  const done = new Map(changes.map((change) => [entryId(change), change]));
  for (const refusal of refused) done.delete(entryId(refusal));
  return done;
}

/** `reread` reads the edited file. */
function isAsWanted(
  format: Format,
  before: ReadResult,
  reread: (options: ReadOptions) => ReadResult,
  done: ReadonlyMap<string, Change>,
  options: ReadOptions,
): boolean {
  const old = byIdentity(before.entries);
  const kinds = new Map<string, boolean>();
  for (const [id, entry] of old) kinds.set(kindId(entry), isForms(done.get(id)?.text ?? entry.text));
  const touched = new Set<string>();
  for (const change of done.values()) {
    touched.add(kindId(change));
    if (change.text !== null) kinds.set(kindId(change), isForms(change.text));
  }
  const isPlural = (key: string, context: string | null, namespace?: string | null): boolean | undefined =>
    kinds.get(kindId({ key, context, namespace: namespace ?? null })) ??
    options.isPlural?.(key, context, namespace);
  const after = reread({ ...options, isPlural });
  const now = byIdentity(after.entries);
  // What was broken elsewhere before may stay so: a format that edits such a file knows that it can.
  if (flawsOf(after) > flawsOf(before)) return false;
  // Where one file holds several languages, a key has an empty place for those that it has no text in.
  const isPlace = (entry: Entry): boolean =>
    factsOf(format.name)?.ownLocales === true && isEmptyText(entry.text);
  const isBlank = (entry: Entry): boolean => isPlace(entry) && touched.has(kindId(entry));
  for (const [id, entry] of old) {
    if (done.has(id)) continue;
    const other = now.get(id);
    if (
      other === undefined
        ? !isBlank(entry)
        : !sameText(entry.text, other.text) && !(isPlace(entry) && isPlace(other))
    )
      return false;
  }
  for (const [id, { text }] of done) {
    const entry = now.get(id);
    if (
      text === null
        ? entry !== undefined && !isBlank(entry)
        : entry === undefined || !(isRead(entry.text, text) || (isEmptyText(text) && isPlace(entry)))
    )
      return false;
  }
  // A language that the file had no place for has an empty one for each key afterwards.
  const locales = new Set(before.entries.map(({ locale }) => locale));
  const isNewPlace = (entry: Entry): boolean => isPlace(entry) && !locales.has(entry.locale);
  return [...now].every(([id, entry]) => old.has(id) || done.has(id) || isBlank(entry) || isNewPlace(entry));
}

function flawsOf({ problems }: ReadResult): number {
  return problems.filter((problem) => problem.code === "syntax").length;
}

function byIdentity(entries: readonly Entry[]): ReadonlyMap<string, Entry> {
  return new Map(entries.map((entry) => [entryId(entry), entry]));
}

/** A key is plural or not in all locales alike. */
function kindId({ key, context, namespace = null }: EntryName): string {
  return entryId({ key, context, namespace });
}

/** Forms written as parts may come back under the locale's own categories; the words must all be there. */
function isRead(read: Text, wanted: Text): boolean {
  if (sameText(read, wanted)) return true;
  if (!isForms(read) || !isForms(wanted)) return false;
  const words = new Set(Object.values(read.forms));
  return Object.values(wanted.forms).every((form) => form === "" || words.has(form));
}
