/**
 * Plans a pull: sends a conditional request and plans the change of each local file. Files with equal content keep their
 * bytes; in others only values are changed, unless the project file requests the service's bytes.
 */
import type { Client, RequestOptions } from "../../api/client.ts";
import type { ExportResult } from "../../api/export-response.ts";
import type { Job } from "../../api/response-schemas.ts";
import { sameBytes } from "../../formats/text/encoding.ts";
import {
  exportedFiles,
  type ExportedFile,
  type ExportLocation,
  exportLocationOf,
  type ExportLocationOptions,
  type UnknownLocation,
} from "../../workspace/local-files/map-export-to-local-files.ts";
import { textFingerprint } from "../../model/agreed-text.ts";
import { keyHash } from "../../model/key-hash.ts";
import { isEmptyText } from "../../model/translation-text.ts";
import type { Jobs } from "../poll-jobs.ts";
import type { FileContent, ProjectFiles } from "../../model/platform.ts";
import { unparsedRanges } from "../../workspace/local-files/local-file.ts";
import { isForbiddenName, foldFileName } from "../../workspace/file-system/paths.ts";
import { isSafeRelativePath, isInToolFolder } from "../../workspace/project-file/project-file.ts";
import {
  DEFAULT_SELECTION,
  type LeftText,
  type MergeDependencies,
  type PullSelection,
} from "./compare-with-export.ts";
import { mergeExport, type MergedTexts, type MergeProblem, newFile } from "./merge-export-into-file.ts";
import { ZipError } from "../../formats/zip.ts";
import { yieldNow } from "../../util/event-loop.ts";
import { type PullRequest, AppliedExports } from "./applied-exports.ts";

export interface PullDependencies extends Pick<MergeDependencies, "project" | "local" | "renamed" | "only"> {
  readonly client: Client;
  readonly files: ProjectFiles;
  readonly jobs: Jobs;
  readonly locationOptions: ExportLocationOptions;
  /** The system whose rules for file names apply; default: this one. */
  readonly system?: NodeJS.Platform;
}

/** The planned change of one file. */
export interface PullFile extends MergedTexts {
  readonly path: string;
  readonly change: "created" | "updated" | "unchanged";
  readonly before: Uint8Array | undefined;
  readonly after: Uint8Array;
  /** The service's locale of its texts; `null` if there are several or it is unknown. */
  readonly locale: string | null;
  readonly problems: readonly PullProblem[];
  /** Plans the same file with other texts of the service. */
  readonly select: (selection: PullSelection) => Promise<PullFile>;
}

/** A part of the pull that is not possible; the rest is. */
export type PullProblem =
  | { readonly kind: "unsaved"; readonly path: string }
  /** A file of the export that has no place among the local files; `exists`: one is there that is none of a layout. */
  | { readonly kind: "unmapped"; readonly path: string; readonly why: UnknownLocation | "exists" }
  | MergeProblem;

/** The planned changes of all files. */
export interface PullPlan {
  readonly request: PullRequest;
  readonly files: readonly PullFile[];
  /** Problems of files that are not in `files`. */
  readonly otherProblems: readonly PullProblem[];
  readonly etag: string | null;
  /** Whether files of the export that do not exist locally are excluded. */
  readonly isPart?: true;
}

/** Returns what could not be planned. */
export function problemsOf({ files, otherProblems }: PullPlan): PullProblem[] {
  return [...otherProblems, ...files.flatMap(({ problems }) => problems)];
}

/** Returns the texts that stay as they are in the files. */
export function leftTextsOf({ files }: PullPlan): LeftText[] {
  return files.flatMap(({ left }) => left);
}

/** Result of planning a pull. */
export type PullOutcome =
  | { readonly kind: "unchanged" }
  | { readonly kind: "planned"; readonly plan: PullPlan }
  | { readonly kind: "job"; readonly end: "failed" | "vanished" | "unwatched"; readonly job: Job }
  /** The archive has unsafe paths, is too large or damaged; none of it is used. */
  | { readonly kind: "unsafe"; readonly message: string };

export interface PullOptions extends RequestOptions {
  /** Whether to compare the files even if the export is unchanged, since they may have been changed locally. */
  readonly ignoreEtag?: boolean;
  /** Whether neither prompts nor messages may be shown, also when the export is requested later. */
  readonly quiet?: boolean;
  /** Whether the caller applies only a part of the plan, which a window that continues after a reload cannot know. */
  readonly isPartial?: boolean;
  /** As in `ExportRequest`. */
  readonly isChosen?: boolean;
}

/** Limit for a service that keeps responding with new jobs instead of the file. */
const MAX_JOBS = 3;

/**
 * Requests the export and plans the changes, without writing.
 * @throws {ApiError}
 */
export async function planPull(
  dependencies: PullDependencies,
  request: PullRequest,
  {
    ignoreEtag = false,
    quiet = false,
    isPartial = dependencies.only !== undefined,
    isChosen = false,
    ...options
  }: PullOptions = {},
): Promise<PullOutcome> {
  const before = new AppliedExports(dependencies.project.personal, dependencies.locationOptions);
  const etag = ignoreEtag ? null : await before.findEtag(request, dependencies.files, quiet);
  const { profile, locales, missing } = request;
  const query = { locales, missing, etag: etag ?? undefined };
  const requestOptions: RequestOptions = { priority: "person", ...options };
  const requestExport = (): Promise<ExportResult> =>
    dependencies.client.export(profile, query, requestOptions);
  let answer = await requestExport();
  for (let jobs = 0; answer.kind === "job"; jobs++) {
    const exportRequest = isPartial ? undefined : { locales, missing, ...(isChosen ? { isChosen } : {}) };
    const purpose = { kind: "export", subject: [profile], quiet, request: exportRequest } as const;
    const end = await dependencies.jobs.follow(answer.job, purpose, options.signal);
    if (end.kind === "no_access") throw end.error;
    if (end.kind !== "ended") return { kind: "job", end: end.kind, job: end.job };
    if (end.job.status === "failed" || jobs >= MAX_JOBS) return { kind: "job", end: "failed", job: end.job };
    answer = await requestExport();
  }
  if (answer.kind === "not_modified") return { kind: "unchanged" };
  try {
    const exported = exportedFiles(answer);
    const exportedLocales = await findExportedLocales(
      dependencies,
      request,
      answer,
      exported,
      requestOptions,
    );
    const hasFallbacks = missing !== "omit" && missing !== "empty";
    const merging = { ...dependencies, isQuiet: quiet, hasFallbacks };
    const plan = await planFiles(merging, exported, exportedLocales, options.signal);
    // A partial pull must not make the next request conditional.
    const storedEtag = dependencies.only === undefined ? answer.etag : null;
    return { kind: "planned", plan: { request, ...plan, etag: storedEtag } };
  } catch (error) {
    if (error instanceof ZipError) return { kind: "unsafe", message: error.message };
    throw error;
  }
}

/**
 * Returns the languages of an export: those requested, else those of the profile, else all of the project (§ GET
 * /exports). A single file whose name does not tell its language is the export of the language that alone has the same
 * ETag, which "depends only on the bytes".
 * @throws {ApiError}
 */
async function findExportedLocales(
  { client, locationOptions }: PullDependencies,
  { profile, locales, missing }: PullRequest,
  answer: Extract<ExportResult, { kind: "file" }>,
  exported: readonly ExportedFile[],
  options: RequestOptions,
): Promise<readonly string[]> {
  if (!exported.some(({ name }) => exportLocationOf(name, locationOptions, []) === "language"))
    return locales;
  const ofProfile = async (): Promise<readonly string[] | undefined> => {
    const { exportProfiles } = await client.project(options);
    return exportProfiles.find(({ key }) => key === profile)?.locales ?? undefined;
  };
  const candidates = locales.length > 0 ? locales : ((await ofProfile()) ?? [...locationOptions.locales]);
  if (candidates.length <= 1 || exported.length > 1) return candidates;
  for (const locale of candidates) {
    const query = { locales: [locale], missing, etag: answer.etag ?? undefined };
    const alone = await client.export(profile, query, options);
    if (alone.kind === "not_modified" || (alone.kind === "file" && sameBytes(alone.bytes, answer.bytes)))
      return [locale];
  }
  return candidates;
}

/** Limits a plan to the files that were asked for. Without its ETag, the next pull of everything applies the others. */
export function limitToFiles(plan: PullPlan, paths: ReadonlySet<string>): PullPlan {
  const isWanted = ({ path }: { readonly path: string }): boolean => paths.has(path);
  const otherProblems = plan.otherProblems.filter(isWanted);
  return { ...plan, files: plan.files.filter(isWanted), otherProblems, etag: null };
}

/** What of a plan was chosen. */
export interface PullChoice {
  /** Files that get what the plan changes. */
  readonly files: readonly PullFile[];
  /** Texts that are taken from the service although the files changed. */
  readonly texts: readonly LeftText[];
  /** Conflicts that are settled in favour of the files. */
  readonly kept: readonly LeftText[];
}

/** Plans the same pull with what was chosen of it. Stores how conflicts were settled. */
export async function planChoice(
  dependencies: Pick<PullDependencies, "project">,
  plan: PullPlan,
  { files, texts, kept }: PullChoice,
): Promise<PullPlan> {
  const paths = new Set(Array.from(files, ({ path }) => path));
  const settledPlan = await keepLocalTexts(dependencies, plan, kept);
  return takeLeftTexts(settledPlan, new Set(Array.from(texts, ({ id }) => id)), (path) => paths.has(path));
}

/**
 * Plans the same pull with some of its files, and some of the texts that are left by default; `ids` are those of
 * `LeftText`. The next pull includes existing files that were excluded; new ones only if every file is requested.
 */
export async function takeLeftTexts(
  plan: PullPlan,
  ids: ReadonlySet<string>,
  isSelected: (path: string) => boolean,
): Promise<PullPlan> {
  const files: PullFile[] = [];
  let isOutdated = false;
  for (const file of plan.files) {
    const byDefault = file.change === "unchanged" || isSelected(file.path);
    isOutdated ||= !byDefault && file.change === "updated";
    if (!file.left.some(({ id }) => ids.has(id))) {
      if (byDefault) files.push(file);
    } else {
      files.push(await file.select({ byDefault, left: ids }));
    }
  }
  const isPart = plan.files.some(({ change, path }) => change === "created" && !isSelected(path));
  const etag = isOutdated ? null : plan.etag;
  return { ...plan, files, etag, ...(isPart ? { isPart } : {}) };
}

/**
 * Settles conflicts in favour of the files: what was agreed is now the service's text, so that the next push or import
 * sends the file's.
 */
export async function keepLocalTexts(
  { project }: Pick<PullDependencies, "project">,
  plan: PullPlan,
  texts: readonly LeftText[],
): Promise<PullPlan> {
  if (texts.length === 0) return plan;
  await project.agreedTexts.store(
    texts.map(({ locale, name, theirs }) => {
      return { locale, hash: keyHash(name), fingerprint: textFingerprint(theirs) };
    }),
  );
  const kept = new Set(Array.from(texts, ({ id }) => id));
  const settle = (text: LeftText): LeftText => (kept.has(text.id) ? settled(text) : text);
  return { ...plan, files: plan.files.map((file) => ({ ...file, left: file.left.map(settle) })) };
}

/** Returns a conflict after it was settled in favour of the file. */
export function settled(text: LeftText): LeftText {
  const isDeleted = text.ours === null || isEmptyText(text.ours);
  return { ...text, reason: isDeleted ? "deleted" : "file" };
}

async function planFiles(
  dependencies: PullDependencies & Pick<MergeDependencies, "isQuiet" | "hasFallbacks">,
  exported: readonly ExportedFile[],
  exportedLocales: readonly string[],
  signal: AbortSignal | undefined,
): Promise<Pick<PullPlan, "files" | "otherProblems">> {
  const files: PullFile[] = [];
  const otherProblems: PullProblem[] = [];
  const paths = new Set<string>();
  const { toService, toFile } = dependencies.locationOptions.localeMap;
  const wantsBytes = dependencies.locationOptions.file.pull?.layout === "service";
  const mergeDependencies: MergeDependencies = {
    ...dependencies,
    wantsBytes,
    unparsedSources: unparsedRanges(dependencies.local),
    toService,
    toFile,
  };
  for (const each of exported) {
    signal?.throwIfAborted();
    const location = exportLocationOf(each.name, dependencies.locationOptions, exportedLocales);
    const path = typeof location === "string" ? each.name : location.path;
    if (!isSafeRelativePath(path) || isInToolFolder(path))
      throw new ZipError("unsafe", `the archive contains the path "${each.name}"`);
    if (typeof location === "string") {
      otherProblems.push({ kind: "unmapped", path, why: location });
      continue;
    }
    if (isForbiddenName(path, dependencies.system))
      throw new ZipError("unsafe", `Windows cannot have a file named "${path}"`);
    if (paths.has(foldFileName(path)))
      throw new ZipError("unsafe", `two files of the export belong at "${path}"`);
    paths.add(foldFileName(path));
    const local = await dependencies.files.read(path);
    if (local.kind === "unreadable") {
      otherProblems.push({ kind: "unreadable", path, why: local.reason, line: null, column: null });
      continue;
    }
    if (local.kind === "missing" && dependencies.only !== undefined) continue;
    const planned =
      local.kind === "missing"
        ? await planNewFile(mergeDependencies, location, each)
        : await planChange(mergeDependencies, location, local, each);
    await yieldNow();
    if ("kind" in planned) otherProblems.push(planned);
    else files.push(planned);
  }
  files.sort((a, b) => (a.path < b.path ? -1 : 1));
  return { files, otherProblems };
}

/** Plans a file that does not exist; a problem if what the service sent is not one of its format. */
async function planNewFile(
  dependencies: MergeDependencies,
  location: ExportLocation,
  exported: ExportedFile,
  selection?: PullSelection,
): Promise<PullFile | PullProblem> {
  const { path, locale } = location;
  const { bytes, texts, left, agreed, problems } = await newFile(
    dependencies,
    location,
    exported.read(),
    selection,
  );
  const [problem] = problems;
  if (problem !== undefined) return problem;
  const after = bytes ?? new Uint8Array();
  return {
    path,
    locale,
    change: bytes === null ? "unchanged" : "created",
    before: undefined,
    after,
    texts,
    added: texts,
    differing: 0,
    isWhole: false,
    left,
    agreed,
    problems,
    select: async (next) => {
      const again = await planNewFile(dependencies, location, exported, next);
      if ("kind" in again) throw new Error("the export has changed");
      return again;
    },
  };
}

/** Plans a file that exists. A file that must not be changed is planned as unchanged, with the problem. */
async function planChange(
  dependencies: MergeDependencies,
  location: ExportLocation,
  local: FileContent,
  exported: ExportedFile,
  selection: PullSelection = DEFAULT_SELECTION,
): Promise<PullFile | PullProblem> {
  const { path, locale } = location;
  const theirs = exported.read();
  if (!location.isInLayout && !sameBytes(local.bytes, theirs))
    return { kind: "unmapped", path, why: "exists" };
  const merged = await mergeExport(dependencies, location, local.bytes, theirs, {
    selection,
    isUnsaved: local.dirty,
  });
  if (merged.bytes === null) return merged.problems[0] ?? { kind: "unmapped", path, why: "exists" };
  const { bytes: after, problems, ...counts } = merged;
  const isSame = sameBytes(local.bytes, after);
  return {
    ...counts,
    path,
    locale,
    change: isSame ? "unchanged" : "updated",
    before: local.bytes,
    after,
    problems: !isSame && local.dirty ? [...problems, { kind: "unsaved", path }] : problems,
    select: async (next) => {
      const again = await planChange(dependencies, location, local, exported, next);
      if ("kind" in again) throw new Error("the file has changed");
      return again;
    },
  };
}
