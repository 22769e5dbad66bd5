/**
 * Changes of one file's text, checked: after an edit the file is read again, and unless every other entry is as
 * it was and every changed one as wanted, nothing is changed.
 */
import { isEmptyText, isForms, sameText, type Text } from "../text.ts";
import {
  type Change,
  type Entry,
  entryId,
  type EntryName,
  type ReadOptions,
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
  if (isAsWanted(format, text, edited, done, options)) return { text: edited, splices, refused };
  const conflicts = [...done.values()].map((change) => refusalOf(change, "conflict"));
  return { text, splices: [], refused: [...refused, ...conflicts] };
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

function isAsWanted(
  format: TextFormat,
  before: string,
  after: string,
  done: ReadonlyMap<string, Change>,
  options: ReadOptions,
): boolean {
  const old = byIdentity(format.read(before, options).entries);
  const kinds = new Map<string, boolean>();
  for (const [id, entry] of old) kinds.set(kindId(entry), isForms(done.get(id)?.text ?? entry.text));
  for (const change of done.values())
    if (change.text !== null) kinds.set(kindId(change), isForms(change.text));
  const isPlural = (key: string, context: string | null, namespace?: string | null): boolean | undefined =>
    kinds.get(kindId({ key, context, namespace: namespace ?? null })) ??
    options.isPlural?.(key, context, namespace);
  const read = format.read(after, { ...options, isPlural });
  const now = byIdentity(read.entries);
  if (read.problems.some((problem) => problem.code === "syntax")) return false;
  for (const [id, entry] of old) {
    if (done.has(id)) continue;
    const other = now.get(id);
    if (other === undefined || !sameText(entry.text, other.text)) return false;
  }
  for (const [id, { text }] of done) {
    const entry = now.get(id);
    const isGone = entry === undefined || isPlace(format, entry);
    if (text === null ? !isGone : entry === undefined || !says(entry.text, text)) return false;
  }
  return [...now].every(([id, entry]) => old.has(id) || done.has(id) || isPlace(format, entry));
}

function byIdentity(entries: readonly Entry[]): ReadonlyMap<string, Entry> {
  return new Map(entries.map((entry) => [entryId(entry), entry]));
}

/** A key is plural or not in all locales alike. */
function kindId({ key, context, namespace = null }: EntryName): string {
  return entryId({ key, context, namespace });
}

/** Where one file holds several languages, a key has an empty place for those that it has no text in. */
function isPlace(format: TextFormat, entry: Entry): boolean {
  return format.ownLocales === true && isEmptyText(entry.text);
}

/** Forms written as parts may come back under the locale's own categories; the words must all be there. */
function says(read: Text, wanted: Text): boolean {
  if (sameText(read, wanted)) return true;
  if (!isForms(read) || !isForms(wanted)) return false;
  const words = new Set(Object.values(read.forms));
  return Object.values(wanted.forms).every((form) => form === "" || words.has(form));
}
