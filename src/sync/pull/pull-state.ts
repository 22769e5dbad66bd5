/**
 * Stores the ETag of each pull, by profile, languages and `missing` (§ GET /exports), with the paths of the pulled
 * files.
 */
import * as v from "valibot";
import type { ExportLocationOptions } from "../../workspace/local-files/export-location.ts";
import type { SyncStateRepository } from "../../database/sync-state-repository.ts";
import type { FileStamp, ProjectFiles } from "../../model/platform.ts";

const PulledSchema = v.record(
  v.string(),
  v.object({
    etag: v.string(),
    paths: v.array(v.string()),
    /** Stamps of files that could not be updated completely. */
    incomplete: v.optional(v.record(v.string(), v.string())),
    /** Whether files of the export that do not exist locally were skipped. */
    isPart: v.optional(v.boolean()),
  }),
);

/** Number of pulls that are stored. */
const MAX_STORED_PULLS = 20;

/** The stored pulls of a project. */
export class PullState {
  readonly #syncState: SyncStateRepository;
  /** Part of the storage key: another layout of files is another pull. */
  readonly #layout: unknown;

  constructor(
    syncState: SyncStateRepository,
    { file, entries }: Pick<ExportLocationOptions, "file" | "entries">,
  ) {
    this.#syncState = syncState;
    this.#layout = [file.pull?.into ?? null, file.pull?.layout ?? null, file.locales ?? null, entries];
  }

  /**
   * Returns the ETag for a conditional request; `null` without an equal pull, when one of its files is missing, or
   * when an incomplete file has changed since.
   * @param whole Whether every file of the export is requested.
   */
  async findEtag(
    request: PullRequest,
    files: Pick<ProjectFiles, "stat">,
    whole: boolean,
  ): Promise<string | null> {
    const pulled = (this.#syncState.get("pulls", PulledSchema) ?? {})[this.#storageKey(request)];
    if (pulled === undefined || (whole && pulled.isPart === true)) return null;
    for (const path of pulled.paths) if ((await files.stat(path)) === undefined) return null;
    for (const [path, stamp] of Object.entries(pulled.incomplete ?? {})) {
      if (stampText(await files.stat(path)) !== stamp) return null;
    }
    return pulled.etag;
  }

  /** Stores a pull. */
  remember(
    request: PullRequest,
    etag: string,
    paths: readonly string[],
    incomplete: ReadonlyMap<string, FileStamp | undefined>,
    isPart: boolean,
  ): void {
    const name = this.#storageKey(request);
    const left = Object.fromEntries(Array.from(incomplete, ([path, stamp]) => [path, stampText(stamp)]));
    const pulled = {
      etag,
      paths: [...paths],
      ...(incomplete.size > 0 ? { incomplete: left } : {}),
      ...(isPart ? { isPart } : {}),
    };
    this.#syncState.update("pulls", PulledSchema, (before) => {
      const others = Object.entries(before ?? {}).filter(([other]) => other !== name);
      return Object.fromEntries([...others, [name, pulled] as const].slice(-MAX_STORED_PULLS));
    });
  }

  /** Removes the pulls of these files, whose content no longer is that of their exports. */
  forgetFiles(paths: ReadonlySet<string>): void {
    this.#syncState.update("pulls", PulledSchema, (before) =>
      Object.fromEntries(
        Object.entries(before ?? {}).filter(([, pulled]) => !pulled.paths.some((path) => paths.has(path))),
      ),
    );
  }

  #storageKey({ profile, locales, missing }: PullRequest): string {
    return JSON.stringify([profile, [...locales].sort(), missing ?? null, this.#layout]);
  }
}

function stampText(stamp: FileStamp | undefined): string {
  return stamp === undefined ? "" : `${stamp.size} ${stamp.modified}`;
}

/** The export to pull. */
export interface PullRequest {
  readonly profile: string;
  readonly locales: readonly string[];
  readonly missing: "fallback" | "empty" | "omit" | undefined;
}
