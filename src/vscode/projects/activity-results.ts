/** Results of finished commands and jobs for the Activity view, newest first. Stored until the user signs out. */
import * as v from "valibot";
import { EventEmitter, type Disposable } from "vscode";
import { getOrCreate } from "../../util/maps.ts";
import type { OpenProject } from "./open-project.ts";

/** The result of a command or job. `message` is localised. */
export interface Result {
  readonly open: OpenProject;
  readonly message: string;
  readonly kind: "done" | "partly" | "failed";
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The `viewItem` of its row in Activity, if the row has menu commands. */
  readonly context?: string | undefined;
}

const MAX_RESULTS_PER_PROJECT = 20;

const StoredSchema = v.array(
  v.object({ message: v.string(), kind: v.picklist(["done", "partly", "failed"]), at: v.number() }),
);

export class ActivityResults implements Disposable {
  readonly #changed = new EventEmitter<void>();
  /** Timestamps of the latest results of this window by `context`: only they have menu commands. */
  readonly #latest = new WeakMap<OpenProject, Map<string, number>>();

  readonly onDidChange = this.#changed.event;

  of(open: OpenProject): readonly Result[] {
    const stored = open.project.syncMetadata.get("results", StoredSchema) ?? [];
    const contexts = new Map(Array.from(this.#latest.get(open) ?? [], ([context, at]) => [at, context]));
    return stored.map((result) => ({ open, ...result, context: contexts.get(result.at) }));
  }

  add(open: OpenProject, message: string, kind: Result["kind"] = "done", context?: string): void {
    // The cache may belong to another project, also of another window.
    const { owner } = open.project.syncMetadata;
    if (open.hasEnded || (open.projectId !== null && owner !== null && owner !== open.projectId)) return;
    let at = Date.now();
    open.project.syncMetadata.update("results", StoredSchema, (before) => {
      const all = before ?? [];
      // The timestamp identifies the result, so it must be unique.
      at = Math.max(at, (all[0]?.at ?? 0) + 1);
      return [{ message, kind, at }, ...all].slice(0, MAX_RESULTS_PER_PROJECT);
    });
    if (context !== undefined) getOrCreate(this.#latest, open, () => new Map()).set(context, at);
    this.#changed.fire();
  }

  /** Removes the menu commands of results with this context. */
  end(open: OpenProject, context: string): void {
    this.#latest.get(open)?.delete(context);
    this.#changed.fire();
  }

  dispose(): void {
    this.#changed.dispose();
  }
}
