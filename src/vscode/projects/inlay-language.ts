/** The language of inlay hints that the user chose for a project in this workspace. */
import { EventEmitter, type Disposable, type Memento } from "vscode";
import type { OpenProject } from "./open-project.ts";

export class InlayLanguage implements Disposable {
  readonly #state: Memento;
  readonly #changed = new EventEmitter<void>();

  readonly onDidChange = this.#changed.event;

  constructor(state: Memento) {
    this.#state = state;
  }

  /** Returns the chosen locale; `undefined` if the project file decides. */
  of({ root }: OpenProject): string | undefined {
    return this.#state.get<string>(keyOf(root));
  }

  async set({ root }: OpenProject, locale: string | undefined): Promise<void> {
    await this.#state.update(keyOf(root), locale);
    this.#changed.fire();
  }

  dispose(): void {
    this.#changed.dispose();
  }
}

function keyOf(root: OpenProject["root"]): string {
  return `inlayLanguage ${root.toString()}`;
}
