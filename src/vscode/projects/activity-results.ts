/** Results of finished commands and jobs for the Activity view, newest first. Stored until the user signs out. */
import * as v from "valibot";
import { EventEmitter, type Disposable } from "vscode";
import type { OpenProject } from "./open-project.ts";

/** The result of a command or job. `message` is localised. */
export interface Result {
  readonly open: OpenProject;
  readonly message: string;
  readonly kind: "done" | "partly" | "failed";
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The `viewItem` of its row in Activity, if the row has menu commands. */
  readonly context?: string;
}

const MAX_RESULTS_PER_PROJECT = 20;

const StoredSchema = v.array(
  v.object({ message: v.string(), kind: v.picklist(["done", "partly", "failed"]), at: v.number() }),
);

export class ActivityResults implements Disposable {
  readonly #changed = new EventEmitter<void>();
  /** The `context` of results of this window by their timestamps. */
  readonly #contexts = new WeakMap<OpenProject, ReadonlyMap<number, string>>();

  readonly onDidChange = this.#changed.event;

  of(open: OpenProject): readonly Result[] {
    const stored = open.project.syncMetadata.get("results", StoredSchema) ?? [];
    const contexts = this.#contexts.get(open);
    return stored.map((result) => {
      const context = contexts?.get(result.at);
      return { open, ...result, ...(context === undefined ? {} : { context }) };
    });
  }

  add(open: OpenProject, message: string, kind: Result["kind"] = "done", context?: string): void {
    let at = Date.now();
    open.project.syncMetadata.update("results", StoredSchema, (before) => {
      const all = before ?? [];
      // The timestamp identifies the result, so it must be unique.
      at = Math.max(at, (all[0]?.at ?? 0) + 1);
      return [{ message, kind, at }, ...all].slice(0, MAX_RESULTS_PER_PROJECT);
    });
    // Only the latest result of a kind has menu commands.
    if (context !== undefined) {
      this.end(open, context);
      this.#contexts.set(open, new Map(this.#contexts.get(open)).set(at, context));
    }
    this.#changed.fire();
  }

  /** Removes the menu commands of results with this context. */
  end(open: OpenProject, context: string): void {
    const others = [...(this.#contexts.get(open) ?? [])].filter(([, other]) => other !== context);
    this.#contexts.set(open, new Map(others));
    this.#changed.fire();
  }

  dispose(): void {
    this.#changed.dispose();
  }
}
