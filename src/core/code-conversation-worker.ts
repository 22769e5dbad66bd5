/** The side of the search of code files that works: reads and searches them in its own thread, one job after the other. */
import type { CodeJob, FilesToSearch, FoundNames, SearchedFiles } from "./code-conversation.ts";
import type { Line } from "./formats/conversation.ts";
import { Mentions } from "./mentions.ts";
import type { FileStamp } from "./ports.ts";
import { searchAtOnce, searchedLanguage } from "./usage-search.ts";
import { UsageTable } from "./usage-table.ts";
import type { FindOptions } from "./usages/usage.ts";

/** A file as it was found. `same`: it is as it was known. `left`: nothing that can be read here. */
export type ReadFile =
  | { readonly kind: "same" }
  | { readonly kind: "left" }
  | { readonly kind: "too-large"; readonly stamp: FileStamp }
  | { readonly kind: "read"; readonly stamp: FileStamp; readonly bytes: Uint8Array };

/** Reads a file of a project, whose folder is `root`. Never throws. */
export type ReadCode = (root: string, path: string, known: FileStamp | null) => ReadFile;

/** Does what the other side asks for; rejects when that side is gone. */
export async function serveCode(line: Line, read: ReadCode): Promise<never> {
  for (;;) {
    const job = (await line.receive()) as CodeJob;
    if (job.kind === "uses") await pieces(line, (files) => usesIn(files, job.root, job.find, read));
    else {
      const mentions = new Mentions<number>();
      for (const [at, name] of job.names.entries()) mentions.add(name, at);
      await pieces(line, (files) => mentionsIn(files, job.root, mentions, read));
      const found = job.names.flatMap((_, at): FoundNames => {
        const path = mentions.pathOf(at);
        return path === undefined ? [] : [[at, path]];
      });
      line.send(found satisfies FoundNames);
    }
  }
}

async function pieces(line: Line, work: (files: FilesToSearch) => SearchedFiles): Promise<void> {
  for (;;) {
    const files = (await line.receive()) as FilesToSearch;
    if (files.length === 0) return;
    line.send(work(files));
  }
}

function usesIn(files: FilesToSearch, root: string, find: FindOptions, read: ReadCode): SearchedFiles {
  const table = new UsageTable();
  const left: string[] = [];
  for (const { path, known } of files) {
    const language = searchedLanguage(path, find);
    if (language === undefined) continue;
    const file = read(root, path, known);
    if (file.kind === "left") left.push(path);
    else if (file.kind === "too-large") table.set(path, file.stamp, [], "too-large");
    else if (file.kind === "read") {
      const { uses, leftOut } = searchAtOnce(file.bytes, language, find);
      table.set(path, file.stamp, uses, leftOut);
    }
  }
  return { found: table.plain(), left };
}

function mentionsIn(
  files: FilesToSearch,
  root: string,
  mentions: Mentions<number>,
  read: ReadCode,
): SearchedFiles {
  const left: string[] = [];
  for (const { path, known } of files) {
    const file = read(root, path, known);
    if (file.kind === "left") left.push(path);
    else if (file.kind === "read") mentions.search(path, new TextDecoder().decode(file.bytes));
  }
  return { found: new UsageTable().plain(), left };
}
