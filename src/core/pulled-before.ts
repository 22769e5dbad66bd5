/**
 * Remembers the ETag of what was pulled, per profile, languages and `missing` (§ GET /exports), with the files that
 * it filled. It holds nothing of the files' texts.
 */
import * as v from "valibot";
import type { ProjectFiles, Store } from "./ports.ts";
import type { PullRequest } from "./pull.ts";

const PulledSchema = v.record(v.string(), v.object({ etag: v.string(), paths: v.array(v.string()) }));
type Pulled = v.InferOutput<typeof PulledSchema>;

export class PulledBefore {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** The ETag to ask with; `null` when nothing was pulled so, or a file of then is gone and is wanted back. */
  async etagOf(request: PullRequest, files: Pick<ProjectFiles, "stat">): Promise<string | null> {
    const pulled = (await this.#read())[nameOf(request)];
    if (pulled === undefined) return null;
    for (const path of pulled.paths) if ((await files.stat(path)) === undefined) return null;
    return pulled.etag;
  }

  async remember(request: PullRequest, etag: string, paths: readonly string[]): Promise<void> {
    const all = { ...(await this.#read()), [nameOf(request)]: { etag, paths: [...paths] } };
    await this.#store.write("pulled", new TextEncoder().encode(JSON.stringify(all)));
  }

  async #read(): Promise<Pulled> {
    const bytes = await this.#store.read("pulled");
    if (bytes === undefined) return {};
    try {
      return v.parse(PulledSchema, JSON.parse(new TextDecoder().decode(bytes)));
    } catch {
      // Only costs one whole download.
      return {};
    }
  }
}

function nameOf(request: PullRequest): string {
  return JSON.stringify([request.profile, [...request.locales].sort(), request.missing ?? null]);
}
