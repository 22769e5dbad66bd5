/**
 * Merges one file of an export into the local file: only values that changed at the service since both sides last agreed
 * are changed, under the local file's own names for keys and languages.
 */
import { sameBytes } from "../../formats/text/encoding.ts";
import { writeOptions } from "../../workspace/local-files/style-from-neighbour-files.ts";
import type { ExportLocation } from "../../workspace/local-files/map-export-to-local-files.ts";
import { type Change, type Entry, entryId, type ExampleFile, type Refusal } from "../../formats/format.ts";
import { isGenerated, formatInfoOf } from "../../model/file-formats.ts";
import { detectFromContent } from "../../formats/detect-format.ts";
import {
  decodeHead,
  exampleOf,
  type FileRead,
  isUnreadable,
  MAX_FILE_BYTES,
  type UnreadableFile,
  type LocatedProblem,
} from "../../formats/parse-and-edit-file.ts";
import type { LocalEntries } from "../../workspace/local-files/local-entries.ts";
import type { FileOptions } from "../../workspace/local-files/parse-large-files-in-indexer.ts";
import type { UnreadableReason } from "../../model/platform.ts";
import type { AgreedChange } from "../../database/personal/agreed-text-repository.ts";
import { isEmptyText } from "../../model/translation-text.ts";
import { forEachInSlices } from "../../util/event-loop.ts";
import {
  compareWithExport,
  DEFAULT_SELECTION,
  entryName,
  type LeftText,
  type MergeDependencies,
  NameMapper,
  type PullSelection,
} from "./compare-with-export.ts";

/** Why a file, or a part of it, cannot be merged; lines and columns from 1, `null` if unknown. */
export type MergeProblem =
  /**
   * `syntax`: the local file cannot be parsed completely (because of conflict markers, for example), so it is not
   * changed. `theirs`: the export's file cannot be parsed. The reasons of `UnreadableReason` are the local file's.
   */
  | {
      readonly kind: "unreadable";
      readonly path: string;
      readonly why: "encoding" | "format" | "syntax" | "too_large" | "theirs" | UnreadableReason;
      readonly line: number | null;
      readonly column: number | null;
    }
  | { readonly kind: "text"; readonly path: string; readonly refusal: Refusal }
  /** The sheet has no column for a language, and none can be added. */
  | { readonly kind: "language"; readonly path: string; readonly locale: string };

/** What a pull does with the texts of a file. */
export interface MergedTexts {
  /** Number of changed texts. */
  readonly texts: number;
  /** Number of those that are new in the file. */
  readonly added: number;
  /** Number of those that replace another text of which it is unknown when both sides were equal. */
  readonly differing: number;
  /** The local file could not be parsed, so it is unknown what is lost. */
  readonly isUnparsed?: true;
  /** Whether all of the file is replaced, since single texts in it cannot be changed. */
  readonly isWhole: boolean;
  /** Texts that stay as they are in the file. */
  readonly left: readonly LeftText[];
  /** What both sides agree on once the file is written. */
  readonly agreed: readonly AgreedChange[];
}

/** The merged file; the same `bytes` object when nothing changed. */
export interface MergeResult extends MergedTexts {
  readonly bytes: Uint8Array;
  readonly problems: readonly MergeProblem[];
}

/** A file that must not be changed. */
export interface UnmergedFile {
  readonly bytes: null;
  readonly problems: readonly MergeProblem[];
}

/**
 * Merges the texts of `theirs` into `ours`, and stores which of them are equal. `bytes` is `null` when the file must not
 * be changed.
 */
export async function mergeExport(
  dependencies: MergeDependencies,
  mappedLocation: ExportLocation,
  ours: Uint8Array,
  theirs: Uint8Array,
  { selection = DEFAULT_SELECTION, isUnsaved = false }: MergeOptions = {},
): Promise<MergeResult | UnmergedFile> {
  const location = withFormat(dependencies.local, mappedLocation, theirs);
  const { path, format } = location;
  const { formats } = dependencies.local;
  const isWhole = format !== null && isGenerated(format);
  const wantsBytes = dependencies.wantsBytes || isWhole;
  const unchanged = { ...NO_CHANGES, bytes: ours };
  const unreadable = (
    why: (MergeProblem & { kind: "unreadable" })["why"],
    at?: UnreadableFile | LocatedProblem,
    texts = 0,
  ): MergeResult | UnmergedFile => {
    const { isQuiet = false } = dependencies;
    if (wantsBytes && !isQuiet && why !== "theirs")
      return { ...NO_CHANGES, bytes: theirs, texts, isUnparsed: true };
    return notMerged(path, why, at);
  };
  const isSame = sameBytes(ours, theirs);
  if (format === null || formatInfoOf(format) === undefined) return isSame ? unchanged : unreadable("format");
  if (Math.max(ours.length, theirs.length) > MAX_FILE_BYTES)
    return isSame ? unchanged : unreadable("too_large");
  const options = readOptions(dependencies, location);
  const remote = await formats.read(format, theirs, options);
  const remoteError = exportError(remote);
  if (remoteError !== undefined) return isSame ? unchanged : unreadable("theirs", remoteError);
  if (isUnreadable(remote)) return unchanged;
  const local = isSame ? remote : await formats.read(format, ours, options);
  if (isUnreadable(local)) return unreadable("encoding", local);
  const localError = local.problems.find(isSyntaxProblem);
  if (localError !== undefined) return unreadable("syntax", localError, remote.entries.length);
  const found = await compareWithExport(dependencies, path, local, remote.entries, selection);
  if (!isUnsaved) await dependencies.project.agreedTexts.store(found.equal);
  const { changes, added, others, unsent, hasRenamed, differing, left } = found;
  // The service's bytes would restore the old name and lose the text under the new one, and texts that are left.
  const takesBytes =
    wantsBytes &&
    (isWhole || !hasRenamed) &&
    !(unsent > 0 && dependencies.isQuiet === true) &&
    left.length === 0 &&
    dependencies.only === undefined &&
    selection.byDefault;
  const agreed = changes.flatMap((change) => change.agreed ?? []);
  if (takesBytes && changes.length + others > 0)
    return {
      ...NO_CHANGES,
      bytes: theirs,
      texts: changes.length + others,
      differing: isWhole ? differing + unsent : differing,
      agreed,
      isWhole,
    };
  // Equal content: the file is not rewritten, whatever its layout.
  if (changes.length === 0) return { ...unchanged, left };
  const edited = await formats.edit(
    format,
    ours,
    changes.map(({ change }) => change),
    { ...options, ...(await examplesFor(dependencies, location, theirs)) },
  );
  if (isUnreadable(edited)) return unreadable("encoding", edited);
  const problems = refusalProblems(path, edited.refused);
  const refused = new Set(edited.refused.map(entryId));
  const written = changes.filter(({ change }) => !refused.has(entryId(change)));
  return {
    bytes: edited.bytes,
    texts: written.length,
    added: Math.min(added, written.length),
    differing: Math.min(differing, written.length),
    isWhole: false,
    left,
    agreed: written.flatMap((change) => change.agreed ?? []),
    problems,
  };
}

interface MergeOptions {
  /** Default: `DEFAULT_SELECTION`. */
  readonly selection?: PullSelection;
  /** Whether `ours` is the unsaved text of an editor, which says nothing about what the file has. */
  readonly isUnsaved?: boolean;
}

const NO_CHANGES = { texts: 0, added: 0, differing: 0, isWhole: false, left: [], agreed: [], problems: [] };

function notMerged(
  path: string,
  why: (MergeProblem & { kind: "unreadable" })["why"],
  { line = null, column = null }: Partial<UnreadableFile | LocatedProblem> = {},
): UnmergedFile {
  return { bytes: null, problems: [{ kind: "unreadable", path, why, line, column }] };
}

/** Returns why a file of an export is not one of its format; `undefined` if it is. */
function exportError(read: FileRead | UnreadableFile): UnreadableFile | LocatedProblem | undefined {
  if (isUnreadable(read)) return read;
  const { entries, problems } = read;
  // Another document, such as a page in HTML, may be well-formed XML without any entry.
  return problems.find(isSyntaxProblem) ?? (entries.length === 0 ? problems[0] : undefined);
}

/** A new file; `bytes` is `null` when it must not, or need not, be created. */
export type NewFile = Pick<MergeResult, "texts" | "left" | "agreed" | "problems"> & {
  readonly bytes: Uint8Array | null;
};

/**
 * Returns the content of a file that does not exist yet: the service's bytes without keys that are renamed locally, or
 * were deleted from the source files.
 */
export async function newFile(
  dependencies: MergeDependencies,
  mappedLocation: ExportLocation,
  theirs: Uint8Array,
  selection = DEFAULT_SELECTION,
): Promise<NewFile> {
  const location = withFormat(dependencies.local, mappedLocation, theirs);
  const { path, format } = location;
  if (format === null || formatInfoOf(format) === undefined) return { ...NO_CHANGES, bytes: theirs };
  const none = { texts: 0, left: [], agreed: [] };
  if (theirs.length > MAX_FILE_BYTES) return { ...none, ...notMerged(path, "too_large") };
  const { formats } = dependencies.local;
  const options = readOptions(dependencies, location);
  const read = await formats.read(format, theirs, options);
  const error = exportError(read);
  if (isUnreadable(read) || error !== undefined || theirs.length === 0)
    return { ...none, ...notMerged(path, "theirs", error) };
  const names = new NameMapper(dependencies, path, [], []);
  const isEditable = !isGenerated(format);
  const removed: Entry[] = [];
  const left: LeftText[] = [];
  const agreed: AgreedChange[] = [];
  const check = (entry: Entry): void => {
    const isRenamed = isEditable && names.isRenamed(entry);
    const text =
      isEditable && !isRenamed && names.isDeletedKey(entry) ? names.leftText(entry, null, "deleted") : null;
    const isLeft = text !== null && !selection.left.has(text.id);
    if (isLeft) left.push(text);
    if (isRenamed || isLeft) removed.push(entry);
    else {
      const change = isEmptyText(entry.text) ? null : names.agreedChange(entry);
      if (change !== null) agreed.push(change);
    }
  };
  await forEachInSlices(read.entries, check);
  const texts = read.entries.length - removed.length;
  if (removed.length === 0) return { ...NO_CHANGES, bytes: theirs, texts, agreed };
  if (texts === 0) return { ...none, left, bytes: null, problems: [] };
  const changes = removed.map((entry): Change => ({ ...entryName(entry), text: null }));
  const edited = await formats.edit(format, theirs, changes, options);
  if (isUnreadable(edited)) return { ...none, ...notMerged(path, "theirs", edited) };
  return { bytes: edited.bytes, texts, left, agreed, problems: [] };
}

/** Reports a language without a column once, not for each of its texts. */
function refusalProblems(path: string, refused: readonly Refusal[]): MergeProblem[] {
  const locales = new Set<string>();
  const problems: MergeProblem[] = [];
  for (const refusal of refused) {
    const { reason, locale = null } = refusal;
    if (reason !== "not_found" || locale === null) problems.push({ kind: "text", path, refusal });
    else locales.add(locale);
  }
  return [
    ...problems,
    ...Array.from(locales, (locale): MergeProblem => ({ kind: "language", path, locale })),
  ];
}

/** Returns example files for conventions that the local file does not show: the source language's, then the export's. */
async function examplesFor(
  { local, files }: MergeDependencies,
  { path, format, locale }: ExportLocation,
  theirs: Uint8Array,
): Promise<Pick<FileOptions, "examples">> {
  const known = local.locate(path);
  const beside =
    known === null || local.loaded === null ? {} : await writeOptions(files, local, known, false);
  const exported = format === null ? null : exampleOf(format, theirs, known?.locale ?? locale ?? "en");
  const isSource = ({ locale: other }: ExampleFile): boolean => other === local.sourceLocale;
  const { examples = [] } = beside;
  return {
    examples: [
      ...examples.filter(isSource),
      ...(exported === null ? [] : [exported]),
      ...examples.filter((example) => !isSource(example)),
    ],
  };
}

/** Sets the format by the export's content, unless an entry of the project file specifies it. */
function withFormat(local: LocalEntries, location: ExportLocation, theirs: Uint8Array): ExportLocation {
  const { path, format } = location;
  if (local.locate(path) !== null) return location;
  return { ...location, format: detectFromContent(path, decodeHead(theirs))?.format ?? format };
}

/** Returns the options that the local file is read with, so that both sides agree on what is plural. */
function readOptions({ local, project }: MergeDependencies, { path, locale }: ExportLocation): FileOptions {
  const known = local.locate(path);
  if (known !== null) return local.readOptions(known);
  const sourceLocale = project.sourceLocale ?? "en";
  return { locale: locale ?? sourceLocale, sourceLocale };
}

function isSyntaxProblem({ code }: LocatedProblem): boolean {
  return code === "syntax";
}
