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
  exportLocationOf,
  type ExportLocationOptions,
} from "../../workspace/local-files/map-export-to-local-files.ts";
import type { Jobs } from "../poll-jobs.ts";
import type { ProjectFiles } from "../../model/platform.ts";
import { isForbiddenName, foldFileName } from "../../workspace/file-system/paths.ts";
import { isSafeRelativePath, isInToolFolder } from "../../workspace/project-file/project-file.ts";
import { mergeExport, type MergeDependencies, type MergeProblem, newFile } from "./merge-export-into-file.ts";
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
export interface PullFile {
  readonly path: string;
  readonly change: "created" | "updated" | "unchanged";
  readonly before: Uint8Array | undefined;
  readonly after: Uint8Array;
  /** The service's locale of its texts; `null` if there are several or it is unknown. */
  readonly locale: string | null;
  /** Number of changed texts. */
  readonly texts: number;
  /** Number of those that are new in the file. */
  readonly added: number;
  /** It replaces a file that could not be parsed, so it is unknown what is lost. */
  readonly isUnparsed?: true;
}

/** A part of the pull that is not possible; the rest is. */
export type PullProblem = { readonly kind: "unsaved"; readonly path: string } | MergeProblem;

/** The planned changes of all files. */
export interface PullPlan {
  readonly request: PullRequest;
  readonly files: readonly PullFile[];
  readonly problems: readonly PullProblem[];
  readonly etag: string | null;
  /** Whether files of the export that do not exist locally are excluded. */
  readonly isPart?: true;
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
    ...options
  }: PullOptions = {},
): Promise<PullOutcome> {
  const before = new AppliedExports(dependencies.project.personal, dependencies.locationOptions);
  const etag = ignoreEtag ? null : await before.findEtag(request, dependencies.files, quiet);
  const { profile, locales, missing } = request;
  const query = { locales, missing, etag: etag ?? undefined };
  const requestExport = (): Promise<ExportResult> =>
    dependencies.client.export(profile, query, { priority: "person", ...options });
  let answer = await requestExport();
  for (let jobs = 0; answer.kind === "job"; jobs++) {
    const exportRequest = isPartial ? undefined : { locales, missing };
    const purpose = { kind: "export", subject: [profile], quiet, request: exportRequest } as const;
    const end = await dependencies.jobs.follow(answer.job, purpose, options.signal);
    if (end.kind === "no_access") throw end.error;
    if (end.kind !== "ended") return { kind: "job", end: end.kind, job: end.job };
    if (end.job.status === "failed" || jobs >= MAX_JOBS) return { kind: "job", end: "failed", job: end.job };
    answer = await requestExport();
  }
  if (answer.kind === "not_modified") return { kind: "unchanged" };
  try {
    const plan = await planFiles(dependencies, exportedFiles(answer), options.signal);
    // A partial pull must not make the next request conditional.
    const storedEtag = dependencies.only === undefined ? answer.etag : null;
    return { kind: "planned", plan: { request, ...plan, etag: storedEtag } };
  } catch (error) {
    if (error instanceof ZipError) return { kind: "unsafe", message: error.message };
    throw error;
  }
}

/**
 * Limits a plan to some of its files. The next pull includes existing files that were excluded; missing ones only if
 * every file is requested.
 */
export function onlyFiles(plan: PullPlan, isSelected: (path: string) => boolean): PullPlan {
  const files = plan.files.filter(({ path, change }) => change === "unchanged" || isSelected(path));
  if (files.length === plan.files.length) return plan;
  const problems = plan.problems.filter(({ kind, path }) => kind !== "unsaved" || isSelected(path));
  const isOutdated = plan.files.some(({ path, change }) => change === "updated" && !isSelected(path));
  return { ...plan, files, problems, etag: isOutdated ? null : plan.etag, isPart: true };
}

async function planFiles(
  dependencies: PullDependencies,
  exported: readonly ExportedFile[],
  signal: AbortSignal | undefined,
): Promise<{ files: PullFile[]; problems: PullProblem[] }> {
  const files: PullFile[] = [];
  const problems: PullProblem[] = [];
  const paths = new Set<string>();
  const { toService, toFile } = dependencies.locationOptions.localeMap;
  const wantsBytes = dependencies.locationOptions.file.pull?.layout === "service";
  const mergeDependencies: MergeDependencies = { ...dependencies, wantsBytes, toService, toFile };
  for (const each of exported) {
    signal?.throwIfAborted();
    const location = exportLocationOf(each.name, dependencies.locationOptions);
    if (!isSafeRelativePath(location.path) || isInToolFolder(location.path))
      throw new ZipError("unsafe", `the archive contains the path "${each.name}"`);
    if (isForbiddenName(location.path, dependencies.system))
      throw new ZipError("unsafe", `Windows cannot have a file named "${location.path}"`);
    if (paths.has(foldFileName(location.path)))
      throw new ZipError("unsafe", `two files of the export belong at "${location.path}"`);
    paths.add(foldFileName(location.path));
    const local = await dependencies.files.read(location.path);
    const theirs = each.read();
    if (local.kind === "unreadable") {
      problems.push({ kind: "unreadable", path: location.path, why: local.reason, line: null, column: null });
    } else if (local.kind === "missing") {
      if (dependencies.only !== undefined) continue;
      const { bytes: after, texts } = await newFile(mergeDependencies, location, theirs);
      const { path, locale } = location;
      files.push({ path, locale, change: "created", before: undefined, after, texts, added: texts });
    } else {
      const merged = await mergeExport(mergeDependencies, location, local.bytes, theirs);
      await yieldNow();
      problems.push(...merged.problems);
      if (merged.bytes === null) continue;
      const same = sameBytes(local.bytes, merged.bytes);
      if (!same && local.dirty) problems.push({ kind: "unsaved", path: location.path });
      const change: PullFile["change"] = same ? "unchanged" : "updated";
      const { texts, added, isUnparsed } = merged;
      const { path, locale } = location;
      const read = { path, locale, change, before: local.bytes, after: merged.bytes, texts, added };
      files.push(isUnparsed === true ? { ...read, isUnparsed } : read);
    }
  }
  files.sort((a, b) => (a.path < b.path ? -1 : 1));
  return { files, problems };
}
