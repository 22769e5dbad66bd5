/**
 * Remembers the ETag of what was pulled, per profile, languages and `missing` (§ GET /exports), with the files that
 * it filled. It holds nothing of the files' texts.
 */
import * as v from "valibot";
import type { PlaceOptions } from "./export-place.ts";
import type { ProjectFiles, Store } from "./ports.ts";
import type { PullRequest } from "./pull.ts";

const PulledSchema = v.record(v.string(), v.object({ etag: v.string(), paths: v.array(v.string()) }));
type Pulled = v.InferOutput<typeof PulledSchema>;

/** Pulls of other profiles and languages that are remembered beside the last one. */
const REMEMBERED = 20;

export class PulledBefore {
  readonly #store: Store;
  /** Files that lie elsewhere, or are written otherwise, were not pulled before. */
  readonly #layout: unknown;

  constructor(store: Store, { file, entries }: Pick<PlaceOptions, "file" | "entries">) {
    this.#store = store;
    this.#layout = [file.pull?.into ?? null, file.pull?.layout ?? null, file.locales ?? null, entries];
  }

  /** The ETag to ask with; `null` when nothing was pulled so, or a file of then is gone and is wanted back. */
  async etagOf(request: PullRequest, files: Pick<ProjectFiles, "stat">): Promise<string | null> {
    const pulled = (await this.#read())[this.#nameOf(request)];
    if (pulled === undefined) return null;
    for (const path of pulled.paths) if ((await files.stat(path)) === undefined) return null;
    return pulled.etag;
  }

  /** A disk that refuses costs one whole download the next time; the files of this pull are written. */
  async remember(request: PullRequest, etag: string, paths: readonly string[]): Promise<void> {
    const name = this.#nameOf(request);
    const others = Object.entries(await this.#read()).filter(([other]) => other !== name);
    const all = [...others, [name, { etag, paths: [...paths] }]].slice(-REMEMBERED);
    const bytes = new TextEncoder().encode(JSON.stringify(Object.fromEntries(all)));
    await this.#store.write("pulled", bytes).catch(() => undefined);
  }

  #nameOf({ profile, locales, missing }: PullRequest): string {
    return JSON.stringify([profile, [...locales].sort(), missing ?? null, this.#layout]);
  }

  async #read(): Promise<Pulled> {
    try {
      const bytes = await this.#store.read("pulled");
      if (bytes === undefined) return {};
      return v.parse(PulledSchema, JSON.parse(new TextDecoder().decode(bytes)));
    } catch {
      // Only costs one whole download.
      return {};
    }
  }
}
