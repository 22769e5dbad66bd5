/**
 * Has a translation file read and changed in another thread: what both sides say to each other, in pieces so small
 * that taking one holds nothing up. The other side is `conversation-worker.ts`; how messages get there is the host's.
 */
import type { FormatName } from "../../api/schemas.ts";
import type { YieldNow } from "../ports.ts";
import type { Change, ReadOptions } from "./format.ts";
import { type EntryColumns, PackedEntries } from "./packed-entries.ts";
import { type PackedStrings, stringAt } from "./packed-strings.ts";
import type { EditedFile, FileRead, NotReadable, PlacedProblem } from "./translation-file.ts";

/** One side's end of a line between two threads. Messages come in the order in which they were sent. */
export interface Line {
  /** `transfer`: what goes over whole, so that nothing of it stays here. */
  send(message: unknown, transfer?: readonly ArrayBuffer[]): void;
  /** The next message. Rejects when the other side is gone. */
  receive(): Promise<unknown>;
}

/** Problems or changes in one message, or kinds of names told between two chances for other work; about 3 ms to take. */
export const PIECE = 1_000;

/** Kinds by their numbers. */
export const KINDS = [undefined, false, true] as const;

/** What can be sent of how a file is read; the kinds of keys are asked for. */
export type PlainOptions = Omit<ReadOptions, "isPlural">;

/** Names of keys as columns. */
export interface NameColumns {
  readonly length: number;
  readonly keys: PackedStrings;
  readonly contexts: PackedStrings;
  readonly namespaces: PackedStrings;
}

export interface ReadJob {
  readonly kind: "read";
  readonly format: FormatName;
  readonly bytes: Uint8Array;
  readonly options: PlainOptions;
}

export interface EditJob {
  readonly kind: "edit";
  readonly format: FormatName;
  readonly bytes: Uint8Array | undefined;
  readonly options: PlainOptions;
  /** How many follow, in pieces. */
  readonly changes: number;
}

/** From the side that works. */
export type Said =
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
  return answerOver(line, options, yieldNow, (said) => {
    if (said.kind === "read") {
      return { entries: new PackedEntries(said.entries), problems, locale: said.locale };
    }
    if (said.kind !== "problems") return undefined;
    for (const problem of said.problems) problems.push(problem);
    line.send(null);
    return null;
  });
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
  return answerOver(line, options, yieldNow, (said) =>
    said.kind === "edited"
      ? { bytes: said.bytes ?? bytes ?? new Uint8Array(), refused: said.refused }
      : undefined,
  );
}

/**
 * Answers the other side's questions until it has come to its end. `take`: the answer, `null` for a part of it, `undefined`
 * for what was not asked for.
 */
async function answerOver<Answer extends object>(
  line: Line,
  options: ReadOptions,
  yieldNow: YieldNow,
  take: (said: Said) => Answer | null | undefined,
): Promise<Answer | NotReadable> {
  for (;;) {
    const said = (await line.receive()) as Said;
    // A piece was taken out of its message just now.
    await yieldNow();
    if (said.kind === "failed") throw new Error(said.message);
    if (said.kind === "refused") return said.refused;
    if (said.kind === "names") {
      line.send(await kindsOf(said.names, options, yieldNow));
      continue;
    }
    const answer = take(said);
    if (answer === undefined) throw new Error("another answer than was asked for");
    if (answer !== null) return answer;
  }
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

function plain({ locale, sourceLocale, kinds, columns, locales }: ReadOptions): PlainOptions {
  return {
    locale,
    sourceLocale,
    ...(kinds === undefined ? {} : { kinds }),
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
