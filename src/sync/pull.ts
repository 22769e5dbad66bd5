/**
 * Pulls an export into the local files: asks with the ETag of the last time, plans file by file what would change,
 * and writes all of it or nothing. A file that says the same keeps its bytes; one that differs gets only the
 * changed values, unless the project file wants the service's own bytes.
 */
import { type PullRequest, PullState } from "./pull-state.ts";
import type { Client, RequestOptions } from "../api/client.ts";
import type { ExportAnswer } from "../api/exports.ts";
import type { Job } from "../api/schemas.ts";
import { sameBytes } from "../formats/encoding.ts";
import { exportedFiles, type Exported } from "../workspace/local-files/export-files.ts";
import { placeOf, type PlaceOptions } from "../workspace/local-files/export-location.ts";
import type { Jobs } from "./jobs.ts";
import type { LocalEntries } from "../workspace/local-files/local-entries.ts";
import type { ProjectFiles, WriteOutcome } from "../model/platform.ts";
import { isForbiddenName, nameOnAnyDisk } from "../workspace/files/paths.ts";
import { isSafeRelativePath, isToolsPath } from "../workspace/project-file/project-file.ts";
import type { Project } from "../database/project-state.ts";
import { mergeExport, type MergeDependencies, type MergeProblem, newFile } from "./pull-merge.ts";
import { ZipError } from "../formats/zip.ts";
import { yieldNow } from "../model/time-slices.ts";

export interface PullDependencies {
  readonly client: Client;
  readonly project: Project;
  readonly files: ProjectFiles;
  readonly jobs: Jobs;
  readonly place: PlaceOptions;
  /** Keys that the files call otherwise by now, by the hashes of their old names, which are not brought back. */
  readonly renamed?: ReadonlySet<string>;
  /** The keys that are pulled alone, by their hashes: files that are not here are left out. Default: all. */
  readonly only?: ReadonlySet<string>;
  readonly local: LocalEntries;
  /** Whose names of files hold; default: this machine's. */
  readonly system?: NodeJS.Platform;
}

/** One file of the export against the local one. */
export interface PullFile {
  readonly path: string;
  readonly change: "created" | "updated" | "unchanged";
  readonly before: Uint8Array | undefined;
  readonly after: Uint8Array;
  /** The service's locale of its texts; `null`: it has several, or nobody knows. */
  readonly locale: string | null;
  /** How many texts are put in. */
  readonly texts: number;
  /** How many of them the file did not have. */
  readonly added: number;
  /** It takes the place of a file that could not be read: nobody knows what of it is lost. */
  readonly unread?: true;
}

/** What cannot be done; the rest can. */
export type PullProblem = { readonly kind: "unsaved"; readonly path: string } | MergeProblem;

export interface PullPlan {
  readonly request: PullRequest;
  readonly files: readonly PullFile[];
  readonly problems: readonly PullProblem[];
  readonly etag: string | null;
  /** It is without files of the export that are not here. */
  readonly isPart?: true;
}

export type PullOutcome =
  | { readonly kind: "unchanged" }
  | { readonly kind: "planned"; readonly plan: PullPlan }
  | { readonly kind: "job"; readonly end: "failed" | "vanished" | "unwatched"; readonly job: Job }
  /** The archive could leave its folder, is too large or broken; nothing of it is used. */
  | { readonly kind: "unsafe"; readonly message: string };

export interface PullOptions extends RequestOptions {
  /** Compares the files though nothing changed on the service: somebody changed or reverted them here. */
  readonly anew?: boolean;
  /** Nobody is to be asked or told anything, also when the export is fetched later. */
  readonly quiet?: boolean;
}

/** A job that ended well is followed by the file; a service that goes on answering jobs is asked no more. */
const MAX_JOBS = 3;

/** Asks for the export and plans what would change; writes nothing. Throws ApiError. */
export async function planPull(
  dependencies: PullDependencies,
  request: PullRequest,
  { anew, quiet = false, ...options }: PullOptions = {},
): Promise<PullOutcome> {
  const before = new PullState(dependencies.project.syncState, dependencies.place);
  const etag = anew === true ? null : await before.etagOf(request, dependencies.files, quiet);
  let answer = await ask(dependencies, request, etag, options);
  for (let jobs = 0; answer.kind === "job"; jobs++) {
    const { profile, locales, missing } = request;
    const end = await dependencies.jobs.follow(
      answer.job,
      {
        kind: "export",
        subject: [profile],
        quiet,
        request: { locales, missing },
      },
      options.signal,
    );
    if (end.kind === "no_access") throw end.error;
    if (end.kind !== "ended") return { kind: "job", end: end.kind, job: end.job };
    if (end.job.status === "failed" || jobs >= MAX_JOBS) return { kind: "job", end: "failed", job: end.job };
    answer = await ask(dependencies, request, etag, options);
  }
  if (answer.kind === "not_modified") return { kind: "unchanged" };
  try {
    const plan = await planFiles(dependencies, exportedFiles(answer), options.signal);
    // Of a part of the export the rest is asked for again the next time.
    const own = dependencies.only === undefined ? answer.etag : null;
    return { kind: "planned", plan: { request, ...plan, etag: own } };
  } catch (error) {
    if (error instanceof ZipError) return { kind: "unsafe", message: error.message };
    throw error;
  }
}

/**
 * Writes the plan's changes, all or none. `changed`: files that are no longer as they were read, so nothing was
 * written. The ETag is kept when all of the export is in the files that they have a place for.
 */
export async function writePull(
  dependencies: Pick<PullDependencies, "files" | "project" | "place">,
  plan: PullPlan,
): Promise<WriteOutcome> {
  const unsaved = plan.problems.flatMap((problem) => (problem.kind === "unsaved" ? [problem.path] : []));
  if (unsaved.length > 0) return { kind: "changed", paths: unsaved };
  const writes = plan.files.filter((file) => file.change !== "unchanged");
  const outcome: WriteOutcome =
    writes.length === 0 ? { kind: "written" } : await dependencies.files.write(writes);
  const missing = plan.problems.flatMap((problem) => (problem.kind === "language" ? [problem.path] : []));
  if (outcome.kind === "written" && plan.problems.length === missing.length && plan.etag !== null) {
    const paths = plan.files.map((file) => file.path);
    const incomplete = new Map(
      await Promise.all(missing.map(async (path) => [path, await dependencies.files.stat(path)] as const)),
    );
    new PullState(dependencies.project.syncState, dependencies.place).remember(
      plan.request,
      plan.etag,
      paths,
      incomplete,
      plan.isPart === true,
    );
  }
  return outcome;
}

/**
 * The plan with these of its files alone. A file that is here and left out is asked for again the next time; one that is
 * not here only when every file is wanted.
 */
export function onlyFiles(plan: PullPlan, wanted: (path: string) => boolean): PullPlan {
  const files = plan.files.filter(({ path, change }) => change === "unchanged" || wanted(path));
  if (files.length === plan.files.length) return plan;
  const problems = plan.problems.filter(({ kind, path }) => kind !== "unsaved" || wanted(path));
  const isOutdated = plan.files.some(({ path, change }) => change === "updated" && !wanted(path));
  return { ...plan, files, problems, etag: isOutdated ? null : plan.etag, isPart: true };
}

/**
 * Takes back what `writePull` wrote of the plan: the files as they were, and those away that it made. `changed`: files
 * that are no longer as they were written, so nothing was taken back.
 */
export async function undoPull(
  { files, project, place }: Pick<PullDependencies, "files" | "project" | "place">,
  plan: PullPlan,
  remove: (path: string) => Promise<void>,
): Promise<WriteOutcome> {
  const created = plan.files.filter(({ change }) => change === "created");
  const changed: string[] = [];
  for (const { path, after } of created) {
    const now = await files.read(path);
    if (now !== undefined && (now.dirty || !sameBytes(now.bytes, after))) changed.push(path);
  }
  if (changed.length > 0) return { kind: "changed", paths: changed };
  const writes = plan.files.flatMap(({ path, change, before, after }) =>
    change === "updated" && before !== undefined ? [{ path, before: after, after: before }] : [],
  );
  const outcome: WriteOutcome = writes.length === 0 ? { kind: "written" } : await files.write(writes);
  if (outcome.kind === "changed") return outcome;
  for (const { path } of created) await remove(path);
  new PullState(project.syncState, place).forget(plan.request);
  return outcome;
}

function ask(
  dependencies: PullDependencies,
  request: PullRequest,
  etag: string | null,
  options: RequestOptions,
): Promise<ExportAnswer> {
  return dependencies.client.export(
    request.profile,
    {
      locales: request.locales,
      ...(request.missing === undefined ? {} : { missing: request.missing }),
      ...(etag === null ? {} : { etag }),
    },
    { priority: "person", ...options },
  );
}

async function planFiles(
  dependencies: PullDependencies,
  exported: readonly Exported[],
  signal: AbortSignal | undefined,
): Promise<{ files: PullFile[]; problems: PullProblem[] }> {
  const files: PullFile[] = [];
  const problems: PullProblem[] = [];
  const paths = new Set<string>();
  const { toService, toFile } = dependencies.place.localeMap;
  const wantsBytes = dependencies.place.file.pull?.layout === "service";
  const mergeDependencies: MergeDependencies = { ...dependencies, wantsBytes, toService, toFile };
  for (const each of exported) {
    signal?.throwIfAborted();
    const place = placeOf(each.name, dependencies.place);
    if (!isSafeRelativePath(place.path) || isToolsPath(place.path))
      throw new ZipError("unsafe", `the archive holds the path "${each.name}"`);
    if (isForbiddenName(place.path, dependencies.system))
      throw new ZipError("unsafe", `Windows cannot have a file named "${place.path}"`);
    if (paths.has(nameOnAnyDisk(place.path)))
      throw new ZipError("unsafe", `two files of the export belong at "${place.path}"`);
    paths.add(nameOnAnyDisk(place.path));
    const local = await dependencies.files.read(place.path);
    const theirs = each.read();
    if (local === undefined) {
      if (dependencies.only !== undefined) continue;
      const { bytes: after, texts } = await newFile(mergeDependencies, place, theirs);
      const { path, locale } = place;
      files.push({ path, locale, change: "created", before: undefined, after, texts, added: texts });
    } else {
      const merged = await mergeExport(mergeDependencies, place, local.bytes, theirs);
      await yieldNow();
      problems.push(...merged.problems);
      if (merged.bytes === null) continue;
      const same = sameBytes(local.bytes, merged.bytes);
      if (!same && local.dirty) problems.push({ kind: "unsaved", path: place.path });
      const change: PullFile["change"] = same ? "unchanged" : "updated";
      const { texts, added, unread } = merged;
      const { path, locale } = place;
      const read = { path, locale, change, before: local.bytes, after: merged.bytes, texts, added };
      files.push(unread === true ? { ...read, unread } : read);
    }
  }
  files.sort((a, b) => (a.path < b.path ? -1 : 1));
  return { files, problems };
}
