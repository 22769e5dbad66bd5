/**
 * Says beforehand whether a push would reach the customer's key limit (N13). The limit is learned from the one answer
 * that names it (§ Errors, key-limit body), so before that nothing is forecast, and the number is an estimate.
 */
import type { SyncResult } from "../../api/schemas.ts";
import { overLimit, type PushPlan } from "../../core/push.ts";
import type { App, OpenProject } from "../../host/app.ts";
import { l10n } from "../../host/words.ts";

interface Learned {
  readonly limit: number;
  /** As told, and what was sent from here since. */
  readonly used: number;
}

export class KeyLimit {
  readonly #state: App["context"]["workspaceState"];
  readonly #name: string;

  constructor(app: App, open: OpenProject) {
    this.#state = app.context.workspaceState;
    this.#name = `keyLimit.${open.project.id}`;
  }

  /** A sentence when the plan does not seem to fit; `null` when it does, or nobody knows. */
  forecast({ counts }: PushPlan): string | null {
    const learned = this.#state.get<Learned>(this.#name);
    if (learned === undefined) return null;
    const wanted = counts.new + counts.restored - counts.archive;
    const free = learned.limit - learned.used;
    if (wanted <= free) return null;
    return l10n.t(
      "May not fit: {0} more keys, about {1} of {2} free",
      wanted,
      Math.max(0, free),
      learned.limit,
    );
  }

  /** Takes the numbers of a `key_limit_reached`; other errors say nothing. */
  learn(error: unknown): void {
    const told = overLimit(error);
    if (told !== null) void this.#state.update(this.#name, { limit: told.limit, used: told.used });
  }

  /** Counts on after a push. */
  sent({ created, restored, archived }: SyncResult): void {
    const learned = this.#state.get<Learned>(this.#name);
    if (learned === undefined) return;
    const used = learned.used + created + restored - archived;
    void this.#state.update(this.#name, { limit: learned.limit, used });
  }
}
