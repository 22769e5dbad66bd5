/** Work that must not run at the same time. */
import { type Priority, RequestPriority } from "./priority.ts";

export interface QueueOptions {
  /** Default: `background`. */
  readonly priority?: Priority | RequestPriority;
  /** Work that replaces work of the same name: if that has not begun, it is joined instead of queued again. */
  readonly name?: string;
}

interface QueuedWork {
  readonly name: string | undefined;
  readonly priority: RequestPriority;
  readonly ended: Promise<unknown>;
  hasBegun: boolean;
}

/** Runs work one by one, in the order of the calls. When a person waits, everything queued before is a person's, too. */
export class WorkQueue {
  readonly #queued = new Set<QueuedWork>();
  #last: Promise<unknown> = Promise.resolve();

  /** Runs the work after that before it has ended, successfully or not. @param work gets its priority, which may be raised */
  run<Result>(
    work: (priority: RequestPriority) => Promise<Result> | Result,
    { priority = "background", name }: QueueOptions = {},
  ): Promise<Result> {
    const joined = [...this.#queued].find((queued) => queued.name === name && !queued.hasBegun);
    if (name !== undefined && joined !== undefined) {
      joined.priority.raiseWith(priority);
      return joined.ended as Promise<Result>;
    }
    const own = new RequestPriority();
    const begin = (): Promise<Result> | Result => {
      queued.hasBegun = true;
      return work(own);
    };
    const ended = this.#last.then(begin).finally(() => this.#queued.delete(queued));
    const queued: QueuedWork = { name, priority: own, ended, hasBegun: false };
    this.#queued.add(queued);
    this.#last = ended.catch(() => undefined);
    own.onDidRaise(() => this.#raiseBefore(queued));
    own.raiseWith(priority);
    return ended;
  }

  /** Makes everything queued a person's. */
  raise(): void {
    for (const { priority } of this.#queued) priority.raise();
  }

  #raiseBefore(last: QueuedWork): void {
    for (const queued of this.#queued) {
      if (queued === last) return;
      queued.priority.raise();
    }
  }
}
