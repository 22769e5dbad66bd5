/**
 * The side of the conversation that works: reads and changes translation files in its own thread, one after the other.
 */
import { direct } from "./direct.ts";
import {
  type EditJob,
  KINDS,
  type Line,
  type NameColumns,
  PIECE,
  type PlainOptions,
  type ReadJob,
  type Said,
} from "./conversation.ts";
import { type Change, entryId, type EntryName, type ReadOptions } from "./format.ts";
import { buffersOf, PackedEntries } from "./packed-entries.ts";
import { StringPacker } from "./packed-strings.ts";
import { isNotReadable } from "./translation-file.ts";

/** What the other side said of names: the files of one project are about the same keys. */
interface Kinds {
  /** The last answer about each. */
  readonly last: Map<string, number>;
  /** The answers that hold as long as the other side says that they do (`ReadOptions.kinds`); a few sets of them. */
  readonly holding: Map<string, Map<string, number>>;
}

/** The source file has one set, and the files of the other languages another. */
const MOST_HOLDING = 2;

/** Does what the other side asks for, one job after another; rejects when that side is gone. */
export async function serve(line: Line): Promise<never> {
  const kinds: Kinds = { last: new Map(), holding: new Map() };
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

/** Reading anew asks for no more than names that the answers brought up. */
const MOST_ROUNDS = 3;

/** Does the work by what is thought of the keys' kinds, and again where the other side knows them otherwise. */
async function withKinds<Result>(
  line: Line,
  options: PlainOptions,
  kinds: Kinds,
  work: (options: ReadOptions) => Promise<Result>,
): Promise<Result> {
  const told = toldBefore(options, kinds);
  for (let round = 1; ; round++) {
    const asked = new Map<string, EntryName>();
    const result = await work({
      ...options,
      isPlural: (key, context, namespace = null) => {
        const id = context === null && namespace === null ? key : entryId({ key, context, namespace });
        const known = told.get(id);
        if (known !== undefined) return KINDS[known];
        if (!asked.has(id)) asked.set(id, { key, context, namespace });
        return KINDS[kinds.last.get(id) ?? 0];
      },
    });
    if (asked.size === 0 || round === MOST_ROUNDS) return result;
    const names = columnsOf([...asked.values()]);
    const answers = (await ask(line, { kind: "names", names })) as Uint8Array;
    let isOther = false;
    let index = 0;
    for (const id of asked.keys()) {
      const kind = answers[index++] ?? 0;
      isOther ||= kind !== (kinds.last.get(id) ?? 0);
      kinds.last.set(id, kind);
      told.set(id, kind);
    }
    if (!isOther) return result;
  }
}

/** The answers that hold; none yet where the other side says nothing of how long they do. */
function toldBefore({ kinds: state }: PlainOptions, { holding }: Kinds): Map<string, number> {
  const told = (state === undefined ? undefined : holding.get(state)) ?? new Map<string, number>();
  if (state === undefined) return told;
  // The newest stands last.
  holding.delete(state);
  holding.set(state, told);
  const [oldest] = holding.keys();
  if (holding.size > MOST_HOLDING && oldest !== undefined) holding.delete(oldest);
  return told;
}

function columnsOf(names: readonly EntryName[]): NameColumns {
  const { length } = names;
  const keys = new StringPacker(length, true);
  const contexts = new StringPacker(length, true);
  const namespaces = new StringPacker(length, true);
  for (const { key, context, namespace = null } of names) {
    keys.add(key);
    contexts.add(context);
    namespaces.add(namespace);
  }
  return { length, keys: keys.packed(), contexts: contexts.packed(), namespaces: namespaces.packed() };
}

function ask(line: Line, said: Said): Promise<unknown> {
  say(line, said);
  return line.receive();
}

function say(line: Line, said: Said): void {
  line.send(said);
}
