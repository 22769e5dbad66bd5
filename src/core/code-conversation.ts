/**
 * Has the files of a project read and searched in another thread: what is asked, some files at a time, and how the
 * answers are taken. The other side is `code-conversation-worker.ts`; how messages get there is the host's.
 */
import type { Line } from "./formats/conversation.ts";
import type { CodeSearch, FileStamp } from "./ports.ts";
import type { FoundUses } from "./usage-table.ts";
import type { FindOptions } from "./usages/usage.ts";

/** What begins a piece of work. `root`: the folder in whose own place all files must lie. */
export type CodeJob =
  | { readonly kind: "uses"; readonly root: string; readonly find: FindOptions }
  | { readonly kind: "mentions"; readonly root: string; readonly names: readonly string[] };

/** Some of the files; none of them: the work is at its end. */
export type FilesToSearch = readonly { readonly path: string; readonly known: FileStamp | null }[];

/** The answer to some files. `left`: what could not be read there. */
export interface SearchedFiles {
  readonly found: FoundUses;
  readonly left: readonly string[];
}

/** The answer to the end of a search for names: positions of names, each with a path. */
export type FoundNames = readonly (readonly [name: number, path: string])[];

/** Files in one message; some 30 ms of work for the other side. */
const PIECE = 200;

/** As `CodeSearch.search`, of files below `root`. Throws what the other side threw. */
export async function searchOver(
  line: Line,
  root: string,
  ...[files, find, take, signal]: Parameters<CodeSearch["search"]>
): Promise<readonly string[]> {
  line.send({ kind: "uses", root, find } satisfies CodeJob);
  const left: string[] = [];
  await inPieces(line, files, signal, async (answer: SearchedFiles) => {
    left.push(...answer.left);
    await take(answer.found);
  });
  return left;
}

/** As `CodeSearch.mentions`, of files below `root`. Throws what the other side threw. */
export async function mentionsOver(
  line: Line,
  root: string,
  ...[names, paths, signal]: Parameters<CodeSearch["mentions"]>
): ReturnType<CodeSearch["mentions"]> {
  line.send({ kind: "mentions", root, names } satisfies CodeJob);
  const left: string[] = [];
  const files = paths.map((path) => ({ path, known: null }));
  await inPieces(line, files, signal, (answer: SearchedFiles) => {
    left.push(...answer.left);
    return Promise.resolve();
  });
  return { found: new Map((await line.receive()) as FoundNames), left };
}

/** The other side has the next files while an answer is taken. */
async function inPieces(
  line: Line,
  files: FilesToSearch,
  signal: AbortSignal | undefined,
  take: (answer: SearchedFiles) => Promise<void>,
): Promise<void> {
  const send = (from: number): void => line.send(files.slice(from, from + PIECE) satisfies FilesToSearch);
  send(0);
  for (let at = 0; at < files.length; at += PIECE) {
    const answer = (await line.receive()) as SearchedFiles;
    signal?.throwIfAborted();
    // After the last ones come none, which is the end.
    send(at + PIECE);
    await take(answer);
  }
}
