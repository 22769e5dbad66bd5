/**
 * Turns changes of keys into file writes: finds the file of each key, or the file that a new key belongs in, and
 * computes its new bytes. A new key goes to the file of its neighbours; a missing file is created. Writes nothing.
 */
import type { LocalEditContext, LocalEditPlan, LocalRefusal, LocalChange } from "./change-plan.ts";
import { type Change, entryId } from "../../formats/format.ts";
import { writeOptions } from "./example-files.ts";
import { formatInfoOf } from "../../formats/format-properties.ts";
import { isUnreadable, MAX_FILE_BYTES } from "../../formats/translation-file.ts";
import { keyHash } from "../../model/key-identity.ts";
import { TargetFinder } from "./target-file.ts";
import type { FileWrite } from "../../model/platform.ts";
import { yieldNow } from "../../model/time-slices.ts";

interface FileChanges {
  readonly changes: Change[];
  readonly requested: LocalChange[];
}

/** Plans the changes file by file; of several changes of one key and locale the last one wins. */
export async function planLocalEdit(
  changes: readonly LocalChange[],
  context: LocalEditContext,
): Promise<LocalEditPlan> {
  const refused: LocalRefusal[] = [];
  const byPath = new Map<string, FileChanges>();
  const finder = new TargetFinder(context);
  for (const change of changes) {
    const target = finder.find(change);
    if ("reason" in target) {
      refused.push({ change, ...target, line: null, column: null });
      continue;
    }
    let list = byPath.get(target.path);
    if (list === undefined) byPath.set(target.path, (list = { changes: [], requested: [] }));
    const { path: _, isNew, ...name } = target;
    list.changes.push({ ...name, text: change.text, ...(isNew ? newEntryDetails(change, context) : {}) });
    list.requested.push(change);
  }
  const writes: FileWrite[] = [];
  for (const [path, list] of byPath) {
    const outcome = await editFile(path, list, context);
    if (outcome.write !== null) writes.push(outcome.write);
    refused.push(...outcome.refused);
    await yieldNow();
  }
  return { writes, refused };
}

/** Returns the metadata of a new entry: the key's description and, in files of other languages, the source text. */
function newEntryDetails(
  { name, locale, description, source: given }: LocalChange,
  { keys, local }: LocalEditContext,
): Pick<Change, "description" | "source"> {
  const hash = keyHash(name);
  const there = keys.get(hash);
  const here = local.entries(local.sourceLocale).get(hash);
  // The local source text may be newer than the one that was pushed.
  const source = locale === local.sourceLocale ? null : (given ?? here?.text ?? there?.text ?? null);
  return {
    description: description ?? here?.description ?? there?.description ?? null,
    ...(source === null ? {} : { source }),
  };
}

async function editFile(
  path: string,
  { changes, requested }: FileChanges,
  context: LocalEditContext,
): Promise<{ readonly write: FileWrite | null; readonly refused: readonly LocalRefusal[] }> {
  const all = (
    reason: LocalRefusal["reason"],
    line: number | null = null,
    column: number | null = null,
  ): { write: null; refused: LocalRefusal[] } => {
    return { write: null, refused: requested.map((change) => ({ change, path, reason, line, column })) };
  };
  const location = context.locate(path);
  const format = location?.entry.format;
  if (location === null || format === undefined || formatInfoOf(format) === undefined)
    return all("unsupported");
  const problems = context.local.files.find((file) => file.location.path === path)?.problems ?? [];
  if (problems.some(({ code }) => code === "too_large")) return all("too_large");
  const foreign = problems.find(({ code }) => code === "format");
  if (foreign !== undefined) return all("unreadable", foreign.line, foreign.column);
  const before = (await context.files.read(path))?.bytes;
  if (before !== undefined && before.length > MAX_FILE_BYTES) return all("too_large");
  const options = {
    ...context.readOptions(location),
    ...(await writeOptions(context.files, context.local, location, before === undefined)),
  };
  const edited = await context.formats.edit(format, before, changes, options);
  if (isUnreadable(edited)) return all("unreadable", edited.line, edited.column);
  const mistake = problems.find(({ code }) => code === "syntax");
  const refused = edited.refused.flatMap((refusal) => {
    const index = changes.findLastIndex((change) => entryId(change) === entryId(refusal));
    const change = requested[index];
    if (change === undefined) return [];
    const { line = null, column = null } = refusal.reason === "syntax" ? (mistake ?? {}) : {};
    return [{ change, path, reason: refusal.reason, line, column }];
  });
  const isSame = edited.bytes === before || (before === undefined && edited.bytes.length === 0);
  return { write: isSame ? null : { path, before, after: edited.bytes }, refused };
}
