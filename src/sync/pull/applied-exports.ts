/**
 * Remembers which exports were applied, with their ETags, so that an unchanged one is not downloaded again (§ GET
 * /exports/{profileKey}).
 */
import type { ExportRequest } from "../poll-jobs.ts";
import * as v from "valibot";
import type { PersonalData } from "../../database/personal/personal-data.ts";
import type { ExportLocationOptions } from "../../workspace/local-files/map-export-to-local-files.ts";
import type { ProjectFiles } from "../../model/platform.ts";

const PulledSchema = v.record(
  v.string(),
  v.object({
    etag: v.string(),
    paths: v.array(v.string()),
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
   * Returns the ETag for a conditional request; `null` without an equal pull, or when one of its files is missing.
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
    return pulled.etag;
  }

  /** Stores a pull that was applied completely. `isPart`: except new files that the user did not want. */
  remember(request: PullRequest, etag: string, paths: readonly string[], isPart: boolean): void {
    const name = this.#storageKey(request);
    const pulled = { etag, paths: [...paths], ...(isPart ? { isPart } : {}) };
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

/** The export to pull. */
export interface PullRequest extends ExportRequest {
  readonly profile: string;
}
