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

  add(open: OpenProject, words: string, kind: Result["kind"] = "done"): void {
    this.#all = [{ open, words, kind, at: Date.now() }, ...this.#all].slice(0, REMEMBERED);
    this.#changed.fire();
  }

  dispose(): void {
    this.#changed.dispose();
  }
}
