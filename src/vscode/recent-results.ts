/** What came of the work of this window, newest first, for the Activity view. Gone with the window. */
import { EventEmitter, type Disposable } from "vscode";
import type { OpenProject } from "./projects/project-handle.ts";

/** One piece of finished work, in a sentence for people. */
export interface Result {
  readonly open: OpenProject;
  readonly words: string;
  readonly kind: "done" | "partly" | "failed";
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** What the row in Activity is called in the manifest's menus, where something can be done with it. */
  readonly context?: string;
}

/** So many are kept. */
const REMEMBERED = 20;

export class RecentResults implements Disposable {
  readonly #changed = new EventEmitter<void>();
  #all: readonly Result[] = [];

  readonly onDidChange = this.#changed.event;

  get all(): readonly Result[] {
    return this.#all;
  }

  add(open: OpenProject, words: string, kind: Result["kind"] = "done", context?: string): void {
    // Only with the last of a kind something can still be done.
    if (context !== undefined) this.end(open, context);
    const result = { open, words, kind, at: Date.now(), ...(context === undefined ? {} : { context }) };
    this.#all = [result, ...this.#all].slice(0, REMEMBERED);
    this.#changed.fire();
  }

  /** Nothing can be done any more with results of this kind. */
  end(open: OpenProject, context: string): void {
    this.#all = this.#all.map((result) => {
      if (result.open !== open || result.context !== context) return result;
      const { words, kind, at } = result;
      return { open, words, kind, at };
    });
    this.#changed.fire();
  }

  dispose(): void {
    this.#changed.dispose();
  }
}
