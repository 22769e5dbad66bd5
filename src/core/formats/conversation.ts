/**
 * Reading and changing a translation file in another thread: what both sides say to each other, in pieces so small
 * that taking one holds nothing up. Which thread that is, and how messages get there, is the host's.
 */
import type { FormatName } from "../../api/schemas.ts";
import type { YieldNow } from "../ports.ts";
import { direct } from "./direct.ts";
import { type Change, entryId, type EntryName, type ReadOptions } from "./format.ts";
import { buffersOf, type EntryColumns, PackedEntries } from "./packed-entries.ts";
import { type PackedStrings, stringAt, StringPacker } from "./packed-strings.ts";
import type { EditedFile, FileRead, NotReadable, PlacedProblem } from "./translation-file.ts";
import { isNotReadable } from "./translation-file.ts";

/** One side's end of a line between two threads. Messages come in the order in which they were sent. */
export interface Line {
  /** `transfer`: what goes over whole, so that nothing of it stays here. */
  send(message: unknown, transfer?: readonly ArrayBuffer[]): void;
  /** The next message. Rejects when the other side is gone. */
  receive(): Promise<unknown>;
}

/** Problems or changes in one message, or kinds of names told between two chances for other work; about 3 ms to take. */
const PIECE = 1_000;

/** What can be sent of how a file is read; the kinds of keys are asked for. */
type PlainOptions = Omit<ReadOptions, "isPlural">;

interface ReadJob {
  readonly kind: "read";
  readonly format: FormatName;
  readonly bytes: Uint8Array;
  readonly options: PlainOptions;
}

interface EditJob {
  readonly kind: "edit";
  readonly format: FormatName;
  readonly bytes: Uint8Array | undefined;
  readonly options: PlainOptions;
  /** How many follow, in pieces. */
  readonly changes: number;
}

/** From the side that works. */
type Said =
  /** Answered with a byte for each: 0 nobody knows, 1 singular, 2 plural. */
  | { readonly kind: "names"; readonly names: NameColumns }
  /** Answered with anything, so that no more come than can be taken. */
  | { readonly kind: "problems"; readonly problems: readonly PlacedProblem[] }
  | { readonly kind: "read"; readonly locale: string | null; readonly entries: EntryColumns }
  | { readonly kind: "edited"; readonly bytes: Uint8Array | null; readonly refused: EditedFile["refused"] }
  | { readonly kind: "refused"; readonly refused: NotReadable }
  | { readonly kind: "failed"; readonly message: string };

/** Has the other side read a file. Throws when that failed. */
export async function readOver(
  line: Line,
  format: FormatName,
  bytes: Uint8Array,
  options: ReadOptions,
  yieldNow: YieldNow,
): Promise<FileRead | NotReadable> {
  const copy = new Uint8Array(bytes);
  const job: ReadJob = { kind: "read", format, bytes: copy, options: plain(options) };
  line.send(job, [copy.buffer]);
  const problems: PlacedProblem[] = [];
  for (;;) {
    const said = (await line.receive()) as Said;
    // A piece was taken out of its message just now.
    await yieldNow();
    switch (said.kind) {
      case "names":
        line.send(await kindsOf(said.names, options, yieldNow));
        break;
      case "problems":
        for (const problem of said.problems) problems.push(problem);
        line.send(null);
        break;
      case "read":
        return { entries: new PackedEntries(said.entries), problems, locale: said.locale };
      case "refused":
        return said.refused;
      case "edited":
      case "failed":
        throw new Error(said.kind === "failed" ? said.message : "another answer than was asked for");
    }
  }
}

/** Has the other side change a file. Throws when that failed. */
export async function editOver(
  line: Line,
  format: FormatName,
  bytes: Uint8Array | undefined,
  changes: readonly Change[],
  options: ReadOptions,
  yieldNow: YieldNow,
): Promise<EditedFile | NotReadable> {
  const count = changes.length;
  const copy = bytes && new Uint8Array(bytes);
  const job: EditJob = { kind: "edit", format, bytes: copy, options: plain(options), changes: count };
  line.send(job, copy === undefined ? [] : [copy.buffer]);
  for (let at = 0; at < count; at += PIECE) {
    line.send(changes.slice(at, at + PIECE).map(changeOf));
    await yieldNow();
  }
  for (;;) {
    const said = (await line.receive()) as Said;
    await yieldNow();
    switch (said.kind) {
      case "names":
        line.send(await kindsOf(said.names, options, yieldNow));
        break;
      case "edited":
        return { bytes: said.bytes ?? bytes ?? new Uint8Array(), refused: said.refused };
      case "refused":
        return said.refused;
      case "problems":
      case "read":
      case "failed":
        throw new Error(said.kind === "failed" ? said.message : "another answer than was asked for");
    }
  }
}

/** Does what the other side asks for, one job after another; rejects when that side is gone. */
export async function serve(line: Line): Promise<never> {
  const kinds: Kinds = new Map();
  for (;;) {
    const job = (await line.receive()) as ReadJob | EditJob;
    try {
      await (job.kind === "read" ? serveRead(line, job, kinds) : serveEdit(line, job, kinds));
    } catch (error) {
      say(line, { kind: "failed", message: String(error) });
    }
  }
}

async function serveRead(line: Line, { format, bytes, options }: ReadJob, kinds: Kinds): Promise<void> {
  const result = await withKinds(line, options, kinds, (whole) => direct.read(format, bytes, whole));
  if (isNotReadable(result)) {
    say(line, { kind: "refused", refused: result });
    return;
  }
  const { entries, problems, locale = null } = result;
  for (let at = 0; at < problems.length; at += PIECE) {
    await ask(line, { kind: "problems", problems: problems.slice(at, at + PIECE) });
  }
  const { columns } = PackedEntries.of(entries);
  line.send({ kind: "read", locale, entries: columns } satisfies Said, buffersOf(columns));
}

async function serveEdit(line: Line, job: EditJob, kinds: Kinds): Promise<void> {
  const { format, bytes, options, changes: count } = job;
  const changes: Change[] = [];
  while (changes.length < count) changes.push(...((await line.receive()) as Change[]));
  const edited = await withKinds(line, options, kinds, (whole) => direct.edit(format, bytes, changes, whole));
  if (isNotReadable(edited)) {
    say(line, { kind: "refused", refused: edited });
    return;
  }
  const { refused } = edited;
  if (edited.bytes === bytes) {
    say(line, { kind: "edited", bytes: null, refused });
    return;
  }
  const own = new Uint8Array(edited.bytes);
  line.send({ kind: "edited", bytes: own, refused } satisfies Said, [own.buffer]);
}

/** Names of keys as columns. */
interface NameColumns {
  readonly length: number;
  readonly keys: PackedStrings;
  readonly contexts: PackedStrings;
  readonly namespaces: PackedStrings;
}

/** What the other side last said of each name: the files of one project are about the same keys. */
type Kinds = Map<string, number>;

/** Reading anew asks for no more than names that the answers brought up. */
const MOST_ROUNDS = 3;

/** Does the work by what is thought of the keys' kinds, and again where the other side knows them otherwise. */
async function withKinds<Result>(
  line: Line,
  options: PlainOptions,
  kinds: Kinds,
  work: (options: ReadOptions) => Promise<Result>,
): Promise<Result> {
  const told = new Set<string>();
  for (let round = 1; ; round++) {
    const asked = new Map<string, EntryName>();
    const result = await work({
      ...options,
      isPlural: (key, context, namespace = null) => {
        const id = context === null && namespace === null ? key : entryId({ key, context, namespace });
        if (!told.has(id) && !asked.has(id)) asked.set(id, { key, context, namespace });
        return KINDS[kinds.get(id) ?? 0];
      },
    });
    if (asked.size === 0 || round === MOST_ROUNDS) return result;
    const names = columnsOf([...asked.values()]);
    const answers = (await ask(line, { kind: "names", names })) as Uint8Array;
    let isOther = false;
    let index = 0;
    for (const id of asked.keys()) {
      const kind = answers[index++] ?? 0;
      isOther ||= kind !== (kinds.get(id) ?? 0);
      kinds.set(id, kind);
      told.add(id);
    }
    if (!isOther) return result;
  }
}

/** Kinds by their numbers. */
const KINDS = [undefined, false, true] as const;

function columnsOf(names: readonly EntryName[]): NameColumns {
  const { length } = names;
  const keys = new StringPacker(length);
  const contexts = new StringPacker(length);
  const namespaces = new StringPacker(length);
  for (const { key, context, namespace = null } of names) {
    keys.add(key);
    contexts.add(context);
    namespaces.add(namespace);
  }
  return { length, keys: keys.packed(), contexts: contexts.packed(), namespaces: namespaces.packed() };
}

async function kindsOf(
  { length, keys, contexts, namespaces }: NameColumns,
  { isPlural }: ReadOptions,
  yieldNow: YieldNow,
): Promise<Uint8Array> {
  const kinds = new Uint8Array(length);
  for (let at = 0; at < length; at++) {
    if (at % PIECE === PIECE - 1) await yieldNow();
    const kind = isPlural?.(stringAt(keys, at) ?? "", stringAt(contexts, at), stringAt(namespaces, at));
    kinds[at] = KINDS.indexOf(kind);
  }
  return kinds;
}

function ask(line: Line, said: Said): Promise<unknown> {
  say(line, said);
  return line.receive();
}

function say(line: Line, said: Said): void {
  line.send(said);
}

function plain({ locale, sourceLocale, columns, locales }: ReadOptions): PlainOptions {
  return {
    locale,
    sourceLocale,
    ...(columns === undefined ? {} : { columns }),
    ...(locales === undefined ? {} : { locales }),
  };
}

/** Only what a change is: it may be a whole entry. */
function changeOf({
  key,
  context,
  namespace = null,
  locale = null,
  text,
  description,
  source,
}: Change): Change {
  return {
    ...{ key, context, namespace, locale, text },
    ...(description === undefined ? {} : { description }),
    ...(source === undefined ? {} : { source }),
  };
}
