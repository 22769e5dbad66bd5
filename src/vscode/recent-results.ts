/** What came of finished work, newest first, for the Activity view. Kept with the project until somebody signs out. */
import * as v from "valibot";
import { EventEmitter, type Disposable } from "vscode";
import type { OpenProject } from "./projects/project-handle.ts";

/** One piece of finished work, in a sentence for people. */
export interface Result {
  readonly open: OpenProject;
  readonly message: string;
  readonly kind: "done" | "partly" | "failed";
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** What the row in Activity is called in the manifest's menus, where something can be done with it. */
  readonly context?: string;
}

/** So many are kept of each project. */
const REMEMBERED = 20;

const StoredSchema = v.array(
  v.object({ message: v.string(), kind: v.picklist(["done", "partly", "failed"]), at: v.number() }),
);

export class RecentResults implements Disposable {
  readonly #changed = new EventEmitter<void>();
  /** What can still be done with a result of this window, by its time. */
  readonly #contexts = new WeakMap<OpenProject, ReadonlyMap<number, string>>();

  readonly onDidChange = this.#changed.event;

  of(open: OpenProject): readonly Result[] {
    const stored = open.project.syncState.get("results", StoredSchema) ?? [];
    const contexts = this.#contexts.get(open);
    return stored.map((result) => {
      const context = contexts?.get(result.at);
      return { open, ...result, ...(context === undefined ? {} : { context }) };
    });
  }

  add(open: OpenProject, message: string, kind: Result["kind"] = "done", context?: string): void {
    let at = Date.now();
    open.project.syncState.update("results", StoredSchema, (before) => {
      const all = before ?? [];
      // Each has a time of its own, by which it is known.
      at = Math.max(at, (all[0]?.at ?? 0) + 1);
      return [{ message, kind, at }, ...all].slice(0, REMEMBERED);
    });
    // Only with the last of a kind something can still be done.
    if (context !== undefined) {
      this.end(open, context);
      this.#contexts.set(open, new Map(this.#contexts.get(open)).set(at, context));
    }
    this.#changed.fire();
  }

  /** Nothing can be done any more with results of this kind. */
  end(open: OpenProject, context: string): void {
    const others = [...(this.#contexts.get(open) ?? [])].filter(([, other]) => other !== context);
    this.#contexts.set(open, new Map(others));
    this.#changed.fire();
  }

  dispose(): void {
    this.#changed.dispose();
  }
}
