/**
 * Changes of keys as changes of files: which file a key stands in or belongs into, and its bytes afterwards. A
 * new key goes where its neighbours are; a file that is missing is made. Nothing is written here.
 */
import type { LocalEditContext, LocalEditPlan, LocalRefusal, LocalChange } from "./local-change.ts";
import { type Change, entryId } from "../../formats/format.ts";
import { writeOptions } from "./example-files.ts";
import { factsOf } from "../../formats/format-facts.ts";
import { isNotReadable, MAX_FILE_BYTES } from "../../formats/translation-file.ts";
import { keyHash } from "../../model/key-identity.ts";
import { TargetFinder } from "./target-file.ts";
import type { FileWrite } from "../../model/platform.ts";
import { yieldNow } from "../../model/time-slices.ts";

interface FileChanges {
  readonly changes: Change[];
  readonly wanted: LocalChange[];
}

/** Plans the changes, file by file; of several for one key and locale the last holds. */
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
    if (list === undefined) byPath.set(target.path, (list = { changes: [], wanted: [] }));
    const { path: _, isNew, ...name } = target;
    list.changes.push({ ...name, text: change.text, ...(isNew ? detailsOf(change, context) : {}) });
    list.wanted.push(change);
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

/** What a new entry says beside its text: the key's description, and the source text in files of other languages. */
function detailsOf(
  { name, locale, description, source: given }: LocalChange,
  { keys, local }: LocalEditContext,
): Pick<Change, "description" | "source"> {
  const hash = keyHash(name);
  const there = keys.get(hash);
  const here = local.entries(local.sourceLocale).get(hash);
  // What code and the files agree on goes before what was pushed of it.
  const source = locale === local.sourceLocale ? null : (given ?? here?.text ?? there?.text ?? null);
  return {
    description: description ?? here?.description ?? there?.description ?? null,
    ...(source === null ? {} : { source }),
  };
}

async function editFile(
  path: string,
  { changes, wanted }: FileChanges,
  context: LocalEditContext,
): Promise<{ readonly write: FileWrite | null; readonly refused: readonly LocalRefusal[] }> {
  const all = (
    reason: LocalRefusal["reason"],
    line: number | null = null,
    column: number | null = null,
  ): { write: null; refused: LocalRefusal[] } => {
    return { write: null, refused: wanted.map((change) => ({ change, path, reason, line, column })) };
  };
  const place = context.placeOf(path);
  const format = place?.entry.format;
  if (place === null || format === undefined || factsOf(format) === undefined) return all("unsupported");
  const problems = context.local.files.find((file) => file.place.path === path)?.problems ?? [];
  if (problems.some(({ code }) => code === "too_large")) return all("too_large");
  const foreign = problems.find(({ code }) => code === "format");
  if (foreign !== undefined) return all("unreadable", foreign.line, foreign.column);
  const before = (await context.files.read(path))?.bytes;
  if (before !== undefined && before.length > MAX_FILE_BYTES) return all("too_large");
  const options = {
    ...context.readOptions(place),
    ...(await writeOptions(context.files, context.local, place, before === undefined)),
  };
  const edited = await context.formats.edit(format, before, changes, options);
  if (isNotReadable(edited)) return all("unreadable", edited.line, edited.column);
  const mistake = problems.find(({ code }) => code === "syntax");
  const refused = edited.refused.flatMap((refusal) => {
    const index = changes.findLastIndex((change) => entryId(change) === entryId(refusal));
    const change = wanted[index];
    if (change === undefined) return [];
    const { line = null, column = null } = refusal.reason === "syntax" ? (mistake ?? {}) : {};
    return [{ change, path, reason: refusal.reason, line, column }];
  });
  const isSame = edited.bytes === before || (before === undefined && edited.bytes.length === 0);
  return { write: isSame ? null : { path, before, after: edited.bytes }, refused };
}
