/**
 * Remembers the ETag of what was pulled, per profile, languages and `missing` (§ GET /exports), with the files that
 * it filled. It holds nothing of the files' texts.
 */
import * as v from "valibot";
import type { PlaceOptions } from "../workspace/local-files/export-location.ts";
import type { SyncStateRepository } from "../database/sync-state-repository.ts";
import type { FileStamp, ProjectFiles } from "../model/platform.ts";

const PulledSchema = v.record(
  v.string(),
  v.object({
    etag: v.string(),
    paths: v.array(v.string()),
    /** Files that could not take everything, by how they were left. */
    incomplete: v.optional(v.record(v.string(), v.string())),
    /** It had files that are not here and that nobody wanted. */
    isPart: v.optional(v.boolean()),
  }),
);

/** Pulls of other profiles and languages that are remembered beside the last one. */
const MAX_REMEMBERED = 20;

export class PullState {
  readonly #syncState: SyncStateRepository;
  /** Files that lie elsewhere, or are written otherwise, were not pulled before. */
  readonly #layout: unknown;

  constructor(syncState: SyncStateRepository, { file, entries }: Pick<PlaceOptions, "file" | "entries">) {
    this.#syncState = syncState;
    this.#layout = [file.pull?.into ?? null, file.pull?.layout ?? null, file.locales ?? null, entries];
  }

  /**
   * The ETag to ask with; `null` when nothing was pulled so, a file of then is gone and is wanted back, or one that
   * could not take everything has changed since. `whole`: every file of the export is wanted.
   */
  async etagOf(
    request: PullRequest,
    files: Pick<ProjectFiles, "stat">,
    whole: boolean,
  ): Promise<string | null> {
    const pulled = (this.#syncState.get("pulls", PulledSchema) ?? {})[this.#nameOf(request)];
    if (pulled === undefined || (whole && pulled.isPart === true)) return null;
    for (const path of pulled.paths) if ((await files.stat(path)) === undefined) return null;
    for (const [path, stamp] of Object.entries(pulled.incomplete ?? {})) {
      if (versionOf(await files.stat(path)) !== stamp) return null;
    }
    return pulled.etag;
  }

  remember(
    request: PullRequest,
    etag: string,
    paths: readonly string[],
    incomplete: ReadonlyMap<string, FileStamp | undefined>,
    isPart: boolean,
  ): void {
    const name = this.#nameOf(request);
    const left = Object.fromEntries(Array.from(incomplete, ([path, stamp]) => [path, versionOf(stamp)]));
    const pulled = {
      etag,
      paths: [...paths],
      ...(incomplete.size > 0 ? { incomplete: left } : {}),
      ...(isPart ? { isPart } : {}),
    };
    this.#syncState.update("pulls", PulledSchema, (before) => {
      const others = Object.entries(before ?? {}).filter(([other]) => other !== name);
      return Object.fromEntries([...others, [name, pulled] as const].slice(-MAX_REMEMBERED));
    });
  }

  /** The next pull of it asks for everything. */
  forget(request: PullRequest): void {
    const name = this.#nameOf(request);
    this.#syncState.update("pulls", PulledSchema, (before) =>
      Object.fromEntries(Object.entries(before ?? {}).filter(([other]) => other !== name)),
    );
  }

  #nameOf({ profile, locales, missing }: PullRequest): string {
    return JSON.stringify([profile, [...locales].sort(), missing ?? null, this.#layout]);
  }
}

function versionOf(stamp: FileStamp | undefined): string {
  return stamp === undefined ? "" : `${stamp.size} ${stamp.modified}`;
}

export interface PullRequest {
  readonly profile: string;
  readonly locales: readonly string[];
  readonly missing: "fallback" | "empty" | "omit" | undefined;
}
