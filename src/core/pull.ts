/**
 * Pulls an export into the local files: asks with the ETag of the last time, plans file by file what would change,
 * and writes all of it or nothing. A file that says the same keeps its bytes; one that differs gets only the
 * changed values, unless the project file wants the service's own bytes.
 */
import type { Client, RequestOptions } from "../api/client.ts";
import type { ExportAnswer } from "../api/exports.ts";
import type { Job } from "../api/schemas.ts";
import { decodeText, encodeText, isNotText, sameBytes } from "./bytes.ts";
import { placeOf, type ExportPlace, type PlaceOptions } from "./export-place.ts";
import { applyEdit } from "./formats/edit.ts";
import type { Change, ReadOptions, Refusal } from "./formats/format.ts";
import { formatOf } from "./formats/registry.ts";
import type { Jobs } from "./jobs.ts";
import type { LocalEntries } from "./local-entries.ts";
import type { Inflate, ProjectFiles, Store, WriteOutcome, YieldNow } from "./ports.ts";
import { isSafeRelativePath } from "./project-file.ts";
import type { Project } from "./project.ts";
import { PulledBefore } from "./pulled-before.ts";
import { sameText } from "./text.ts";
import { isUnsafePath, readZip, ZipError, type ZipLimits } from "./zip.ts";

export interface PullRequest {
  readonly profile: string;
  readonly locales: readonly string[];
  readonly missing: "fallback" | "empty" | "omit" | undefined;
}

export interface PullNeeds {
  readonly client: Client;
  readonly project: Project;
  readonly files: ProjectFiles;
  readonly store: Store;
  readonly jobs: Jobs;
  readonly place: PlaceOptions;
  readonly local: LocalEntries;
  readonly inflate: Inflate;
  readonly yieldNow: YieldNow;
}

/** One file of the export against the local one. */
export interface PullFile {
  readonly path: string;
  readonly change: "created" | "updated" | "unchanged";
  readonly before: Uint8Array | undefined;
  readonly after: Uint8Array;
  /** How many texts are put in. */
  readonly texts: number;
}

/** What cannot be done; the rest can. */
export type PullProblem =
  | { readonly kind: "unsaved"; readonly path: string }
  /** Another encoding than UTF-8, or a format that cannot be edited here. */
  | { readonly kind: "unreadable"; readonly path: string }
  | { readonly kind: "text"; readonly path: string; readonly refusal: Refusal };

export interface PullPlan {
  readonly request: PullRequest;
  readonly files: readonly PullFile[];
  readonly problems: readonly PullProblem[];
  readonly etag: string | null;
}

export type PullOutcome =
  | { readonly kind: "unchanged" }
  | { readonly kind: "planned"; readonly plan: PullPlan }
  | { readonly kind: "job"; readonly end: "failed" | "vanished" | "unwatched"; readonly job: Job }
  /** The archive could leave its folder, is too large or broken; nothing of it is used. */
  | { readonly kind: "unsafe"; readonly message: string };

/** What an export's archive may hold. */
const EXPORT_LIMITS: ZipLimits = { entries: 20_000, unpackedBytes: 512 * 1024 * 1024, ratio: 1000 };
/** A job that ended well is followed by the file; a service that goes on answering jobs is asked no more. */
const MOST_JOBS = 3;

/** Asks for the export and plans what would change; writes nothing. Throws ApiError. */
export async function planPull(
  needs: PullNeeds,
  request: PullRequest,
  options: RequestOptions = {},
): Promise<PullOutcome> {
  const before = new PulledBefore(needs.store);
  const etag = await before.etagOf(request, needs.files);
  let answer = await ask(needs, request, etag, options);
  for (let jobs = 0; answer.kind === "job"; jobs++) {
    const end = await needs.jobs.follow(answer.job, "export", [request.profile]);
    if (end.kind !== "ended") return { kind: "job", end: end.kind, job: end.job };
    if (end.job.status === "failed" || jobs >= MOST_JOBS) return { kind: "job", end: "failed", job: end.job };
    options.signal?.throwIfAborted();
    answer = await ask(needs, request, etag, options);
  }
  if (answer.kind === "not_modified") return { kind: "unchanged" };
  try {
    const plan = await planFiles(needs, filesOf(answer, needs.inflate));
    return { kind: "planned", plan: { request, ...plan, etag: answer.etag } };
  } catch (error) {
    if (error instanceof ZipError) return { kind: "unsafe", message: error.message };
    throw error;
  }
}

/**
 * Writes the plan's changes, all or none. `changed`: files that are no longer as they were read, so nothing was
 * written. The ETag is kept only when the whole export is in the files.
 */
export async function writePull(
  needs: Pick<PullNeeds, "files" | "store">,
  plan: PullPlan,
): Promise<WriteOutcome> {
  const unsaved = plan.problems.flatMap((problem) => (problem.kind === "unsaved" ? [problem.path] : []));
  if (unsaved.length > 0) return { kind: "changed", paths: unsaved };
  const writes = plan.files.filter((file) => file.change !== "unchanged");
  const outcome: WriteOutcome = writes.length === 0 ? { kind: "written" } : await needs.files.write(writes);
  if (outcome.kind === "written" && plan.problems.length === 0 && plan.etag !== null) {
    await new PulledBefore(needs.store).remember(
      plan.request,
      plan.etag,
      plan.files.map((file) => file.path),
    );
  }
  return outcome;
}

function ask(
  needs: PullNeeds,
  request: PullRequest,
  etag: string | null,
  options: RequestOptions,
): Promise<ExportAnswer> {
  return needs.client.export(
    request.profile,
    {
      locales: request.locales,
      ...(request.missing === undefined ? {} : { missing: request.missing }),
      ...(etag === null ? {} : { etag }),
    },
    { priority: "person", ...options },
  );
}

interface Exported {
  readonly name: string;
  read(): Uint8Array;
}

/** The files of the answer. Throws ZipError for a name that could leave the folder, or two that are one. */
function filesOf(answer: Extract<ExportAnswer, { kind: "file" }>, inflate: Inflate): Exported[] {
  const { bytes, fileName, mediaType } = answer;
  const isZip =
    mediaType === "application/zip" || (bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 0x03);
  if (!isZip) {
    if (fileName === null || isUnsafePath(fileName))
      throw new ZipError("unsafe", "the export has no usable file name");
    return [{ name: fileName, read: () => bytes }];
  }
  const seen = new Set<string>();
  return readZip(bytes, EXPORT_LIMITS, inflate).map((entry) => {
    // Two names that differ in case, or in how an accent is composed, are one file on many disks.
    const same = entry.path.normalize("NFC").toLowerCase();
    if (isUnsafePath(entry.path) || !isSafeRelativePath(entry.path)) {
      throw new ZipError("unsafe", `the archive holds the path "${entry.path}"`);
    }
    if (seen.has(same)) throw new ZipError("unsafe", `the archive holds "${entry.path}" twice`);
    seen.add(same);
    return { name: entry.path, read: () => entry.read() };
  });
}

async function planFiles(
  needs: PullNeeds,
  exported: readonly Exported[],
): Promise<{ files: PullFile[]; problems: PullProblem[] }> {
  const files: PullFile[] = [];
  const problems: PullProblem[] = [];
  const paths = new Set<string>();
  for (const each of exported) {
    const place = placeOf(each.name, needs.place);
    if (!isSafeRelativePath(place.path))
      throw new ZipError("unsafe", `the archive holds the path "${each.name}"`);
    if (paths.has(place.path))
      throw new ZipError("unsafe", `two files of the export belong at "${place.path}"`);
    paths.add(place.path);
    const local = await needs.files.read(place.path);
    const theirs = each.read();
    const merged = local === undefined ? null : merge(needs, place, local.bytes, theirs, problems);
    await needs.yieldNow();
    if (local === undefined) {
      files.push({
        path: place.path,
        change: "created",
        before: undefined,
        after: theirs,
        texts: countTexts(place, theirs),
      });
    } else if (merged !== null) {
      const same = sameBytes(local.bytes, merged.bytes);
      if (!same && local.dirty) problems.push({ kind: "unsaved", path: place.path });
      const change = same ? "unchanged" : "updated";
      files.push({ path: place.path, change, before: local.bytes, after: merged.bytes, texts: merged.texts });
    }
  }
  files.sort((a, b) => (a.path < b.path ? -1 : 1));
  return { files, problems };
}

/** The local file with the service's texts in it; `null` when it cannot be read (told in `problems`). */
function merge(
  needs: PullNeeds,
  place: ExportPlace,
  ours: Uint8Array,
  theirs: Uint8Array,
  problems: PullProblem[],
): { bytes: Uint8Array; texts: number } | null {
  if (sameBytes(ours, theirs)) return { bytes: ours, texts: 0 };
  const format = place.format === null ? undefined : formatOf(place.format);
  const wantsBytes = needs.place.file.pull?.layout === "service";
  const [local, remote] = [decodeText(ours), decodeText(theirs)];
  if (format === undefined || isNotText(local) || isNotText(remote)) {
    if (wantsBytes) return { bytes: theirs, texts: 0 };
    problems.push({ kind: "unreadable", path: place.path });
    return null;
  }
  const options = readOptions(needs, place);
  const here = new Map(format.read(local.text, options).entries.map((entry) => [idOf(entry), entry]));
  const changes: Change[] = [];
  for (const entry of format.read(remote.text, options).entries) {
    const known = here.get(idOf(entry));
    if (known !== undefined && sameText(known.text, entry.text)) continue;
    changes.push({ key: entry.key, context: entry.context, text: entry.text });
  }
  // Equal in content: the file keeps its bytes and its time, whatever the layout.
  if (changes.length === 0) return { bytes: ours, texts: 0 };
  if (wantsBytes) return { bytes: theirs, texts: changes.length };
  const edited = applyEdit(format, local.text, changes, options);
  for (const refusal of edited.refused) problems.push({ kind: "text", path: place.path, refusal });
  const bytes = edited.text === local.text ? ours : encodeText({ text: edited.text, bom: local.bom });
  return { bytes, texts: changes.length - edited.refused.length };
}

/** As the local files are read, so that both sides agree on what is plural. */
function readOptions(needs: PullNeeds, place: ExportPlace): ReadOptions {
  const known = needs.local.placeOf(place.path);
  if (known !== null) return needs.local.readOptions(known);
  const sourceLocale = needs.project.sourceLocale ?? "en";
  return { locale: place.locale ?? sourceLocale, sourceLocale };
}

function countTexts(place: ExportPlace, bytes: Uint8Array): number {
  const format = place.format === null ? undefined : formatOf(place.format);
  const text = decodeText(bytes);
  if (format === undefined || isNotText(text)) return 0;
  const locale = place.locale ?? "en";
  return format.read(text.text, { locale, sourceLocale: locale }).entries.length;
}

function idOf(entry: { readonly key: string; readonly context: string | null }): string {
  return `${entry.key}\u0004${entry.context ?? ""}`;
}
