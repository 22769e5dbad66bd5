/**
 * Turns changes of keys into file writes: computes the new bytes of each file; a missing file is created. Writes nothing.
 * choose-target-file.ts decides which file a key is in or goes to.
 */
import { getOrCreate } from "../../util/maps.ts";
import { type Change, entryId, type Refusal } from "../../formats/format.ts";
import { writeOptions } from "./style-from-neighbour-files.ts";
import { formatInfoOf } from "../../model/file-formats.ts";
import { isUnreadable, MAX_FILE_BYTES } from "../../formats/parse-and-edit-file.ts";
import { keyHash, type KeyName } from "../../model/key-hash.ts";
import type { FileWrite, ProjectFiles } from "../../model/platform.ts";
import { yieldNow } from "../../util/event-loop.ts";
import type { KeyRepository } from "../../database/key-repository.ts";
import type { LocalFileLocation, LocalFiles } from "./local-file.ts";
import type { FileOptions, TranslationFiles } from "./parse-large-files-in-indexer.ts";
import type { Text } from "../../model/translation-text.ts";
import { TargetFinder, type TargetFileContext } from "./choose-target-file.ts";

/** The changes of one file, each with the requested one. */
type FileChanges = { readonly change: Change; readonly requested: LocalChange }[];

/** Changes whose files are looked for between yields to the event loop; about 20 ms. */
const FIND_SIZE = 100;

/** Plans the changes file by file; of several changes of one key and locale the last one wins. */
export async function planLocalEdit(
  changes: readonly LocalChange[],
  context: LocalEditContext,
): Promise<LocalEditPlan> {
  const plan = { writes: [], refused: [] } as { writes: FileWrite[]; refused: LocalRefusal[] };
  const byPath = new Map<string, FileChanges>();
  const finder = new TargetFinder(context);
  for (const [index, requested] of changes.entries()) {
    if (index % FIND_SIZE === FIND_SIZE - 1) await yieldNow();
    const target = finder.find(requested);
    if ("reason" in target) {
      plan.refused.push({ change: requested, ...target, ...NO_POSITION });
      continue;
    }
    const { path, isNew, ...name } = target;
    const details = isNew ? newEntryDetails(requested, context) : {};
    const change = { ...name, text: requested.text, ...details };
    getOrCreate(byPath, path, (): FileChanges => []).push({ change, requested });
  }
  for (const [path, list] of byPath) {
    await editFile(path, list, context, plan);
    await yieldNow();
  }
  return plan;
}

const NO_POSITION = { line: null, column: null };

/** Returns the metadata of a new entry: the key's description and, in files of other languages, the source text. */
function newEntryDetails(
  { name, locale, description, source: given }: LocalChange,
  { keys, local }: LocalEditContext,
): Pick<Change, "description" | "source"> {
  const hash = keyHash(name);
  const atService = keys.get(hash);
  const inFiles = local.entries(local.sourceLocale).get(hash);
  // The local source text may be newer than the one that was pushed.
  const source = locale === local.sourceLocale ? null : (given ?? inFiles?.text ?? atService?.text ?? null);
  return {
    description: description ?? inFiles?.description ?? atService?.description ?? null,
    ...(source === null ? {} : { source }),
  };
}

/** Adds the write of a file, and the changes that cannot be made, to the plan. */
async function editFile(
  path: string,
  list: FileChanges,
  context: LocalEditContext,
  plan: { readonly writes: FileWrite[]; readonly refused: LocalRefusal[] },
): Promise<void> {
  const refuse = (
    change: LocalChange,
    reason: LocalRefusal["reason"],
    { line, column }: Position = NO_POSITION,
  ): void => void plan.refused.push({ change, path, reason, line, column });
  const refuseAll = (reason: LocalRefusal["reason"], position?: Position): void =>
    list.forEach(({ requested }) => refuse(requested, reason, position));
  const location = context.locate(path);
  if (location === null || formatInfoOf(location.entry.format) === undefined) return refuseAll("unsupported");
  const problems = context.local.files.find((file) => file.location.path === path)?.problems ?? [];
  if (problems.some(({ code }) => code === "too_large")) return refuseAll("too_large");
  if (problems.some(({ code }) => code === "format")) return refuseAll("unreadable");
  const read = await context.files.read(path);
  if (read.kind === "unreadable") return refuseAll("unreadable");
  const before = read.kind === "read" ? read.bytes : undefined;
  if (before !== undefined && before.length > MAX_FILE_BYTES) return refuseAll("too_large");
  const options = {
    ...context.readOptions(location),
    ...(await writeOptions(context.files, context.local, location, before === undefined)),
  };
  const changes = list.map(({ change }) => change);
  const edited = await context.formats.edit(location.entry.format, before, changes, options);
  if (isUnreadable(edited)) return refuseAll("unreadable", edited);
  const syntaxError = problems.find(({ code }) => code === "syntax");
  const requestedById = new Map(list.map(({ change, requested }) => [entryId(change), requested]));
  for (const refusal of edited.refused) {
    const requested = requestedById.get(entryId(refusal));
    if (requested === undefined) continue;
    refuse(requested, refusal.reason, refusal.reason === "syntax" ? syntaxError : undefined);
  }
  const isChanged = before === undefined ? edited.bytes.length > 0 : edited.bytes !== before;
  if (isChanged) plan.writes.push({ path, before, after: edited.bytes });
}

type Position = Pick<LocalRefusal, "line" | "column">;

/** One requested change. `text: null` removes the entry. */
export interface LocalChange {
  readonly name: KeyName;
  /** The service's name of the locale. */
  readonly locale: string;
  readonly text: Text | null;
  /** Description of a new entry; absent: the service's description of the key. */
  readonly description?: string | null;
  /** Source text of a new entry in a bilingual file; absent: the text of the source file or of the service. */
  readonly source?: Text | null;
}

/**
 * A change that cannot be made. `no_file`: no file of the layout can contain the key. `encoding` with a line: the
 * file cannot be decoded.
 */
export interface LocalRefusal {
  readonly change: LocalChange;
  readonly path: string | null;
  readonly reason: Refusal["reason"] | "no_file" | "too_large" | "unreadable";
  /** Line of the syntax error that prevents writing, from 1; `null` if unknown. */
  readonly line: number | null;
  readonly column: number | null;
}

/** The file writes for a list of changes; each write's `before` is the content that the plan is based on. */
export interface LocalEditPlan {
  readonly writes: readonly FileWrite[];
  readonly refused: readonly LocalRefusal[];
}

/** What planning reads. */
interface LocalEditContext extends TargetFileContext {
  readonly files: Pick<ProjectFiles, "read">;
  readonly formats: TranslationFiles;
  /** The service's keys, by hash. */
  readonly keys: Pick<KeyRepository, "get">;
  readonly local: LocalFiles;
  readOptions(location: LocalFileLocation): FileOptions;
}
