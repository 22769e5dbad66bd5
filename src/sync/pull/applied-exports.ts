/**
 * Remembers which exports were applied, with their ETags, so that an unchanged one is not downloaded again (§ GET
 * /exports/{profileKey}).
 */
import type { ExportRequest } from "../poll-jobs.ts";
import * as v from "valibot";
import type { PersonalData } from "../../database/personal/personal-data.ts";
import type { ExportLocationOptions } from "../../workspace/local-files/map-export-to-local-files.ts";
import type { ProjectFiles, FileStamp } from "../../model/platform.ts";

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
export class AppliedExports {
  readonly #personal: PersonalData;
  /** Part of the storage key: another layout of files is another pull. */
  readonly #layout: unknown;

  constructor(personal: PersonalData, { file, entries }: Pick<ExportLocationOptions, "file" | "entries">) {
    this.#personal = personal;
    this.#layout = [file.pull?.into ?? null, file.pull?.layout ?? null, file.locales ?? null, entries];
  }

  /**
   * Returns the ETag for a conditional request; `null` without an equal pull, when one of its files is missing, or
   * when an incomplete file has changed since.
   * @param isComplete Whether every file of the export is requested.
   */
  async findEtag(
    request: PullRequest,
    files: Pick<ProjectFiles, "stat">,
    isComplete: boolean,
  ): Promise<string | null> {
    const pulled = (this.#personal.get("pulls", PulledSchema) ?? {})[this.#storageKey(request)];
    if (pulled === undefined || (isComplete && pulled.isPart === true)) return null;
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
    const stamps = Object.fromEntries(Array.from(incomplete, ([path, stamp]) => [path, stampText(stamp)]));
    const pulled = {
      etag,
      paths: [...paths],
      ...(incomplete.size > 0 ? { incomplete: stamps } : {}),
      ...(isPart ? { isPart } : {}),
    };
    this.#personal.update("pulls", PulledSchema, (before) => {
      const others = Object.entries(before ?? {}).filter(([other]) => other !== name);
      return Object.fromEntries([...others, [name, pulled] as const].slice(-MAX_STORED_PULLS));
    });
  }

  /** Removes the pulls of these files, whose content no longer is that of their exports. */
  forgetFiles(paths: ReadonlySet<string>): void {
    this.#personal.update("pulls", PulledSchema, (before) =>
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
export interface PullRequest extends ExportRequest {
  readonly profile: string;
}
