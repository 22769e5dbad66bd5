/**
 * Follows jobs of the service until they end: polled every 2 seconds growing to 5, kept over a reload, and by one
 * window at a time. What a job does, and what its end means, is import.ts's and pull.ts's.
 */
import * as v from "valibot";
import type { Client } from "../api/client.ts";
import { isApiError } from "../api/errors.ts";
import { JobSchema, type Job } from "../api/schemas.ts";
import type { Clock, Log, Store } from "./ports.ts";
import type { FollowedJob, Project } from "./project.ts";

/** How following ended. `vanished`: the service knows the job no more (`404`). `unwatched`: somebody stopped it. */
export type JobEnd =
  | { readonly kind: "ended"; readonly job: Job }
  | { readonly kind: "vanished"; readonly job: Job }
  | { readonly kind: "unwatched"; readonly job: Job };

export interface JobNeeds {
  readonly project: Project;
  readonly store: Store;
  readonly client: () => Client | null;
  readonly clock: Clock;
  readonly log: Log;
  /** Tells this window from others of the same folder. */
  readonly window: string;
}

/** "Polling every 2 to 5 seconds is advised" (§ GET /jobs). Milliseconds. */
const FIRST_PAUSE = 2000;
const LAST_PAUSE = 5000;
const GROWTH = 1.25;
/** A window that did not renew its lease for so long is gone. */
const LEASE = 20_000;
const REMEMBERED = 20;

const FollowedSchema = v.object({
  job: JobSchema,
  kind: v.picklist(["import", "export"]),
  subject: v.array(v.string()),
  startedAt: v.number(),
  watching: v.boolean(),
  /** The window that polls, and until when the others leave it to it. */
  lease: v.nullable(v.object({ window: v.string(), until: v.number() })),
});
type Kept = v.InferOutput<typeof FollowedSchema>;

/** Whether the job has ended (§ States, Job). */
export function hasEnded(job: Job): boolean {
  return job.status === "succeeded" || job.status === "failed";
}

export class Jobs {
  readonly #needs: JobNeeds;
  readonly #watching = new Map<number, { end: Promise<JobEnd>; stop: AbortController }>();
  #writing: Promise<unknown> = Promise.resolve();
  /** What was begun before the last `dispose` is no longer followed. */
  #generation = 0;

  constructor(needs: JobNeeds) {
    this.#needs = needs;
  }

  /** Shows what was followed before this window opened and follows on what has not ended. */
  async resume(): Promise<void> {
    const kept = await this.#read();
    this.#show(kept);
    for (const followed of kept) if (followed.watching && !hasEnded(followed.job)) void this.#watch(followed);
  }

  /** Follows a job that just began; resolves when it has ended or nobody watches it any more. Never rejects. */
  async follow(job: Job, kind: FollowedJob["kind"], subject: readonly string[]): Promise<JobEnd> {
    const followed: Kept = {
      job,
      kind,
      subject: [...subject],
      startedAt: this.#needs.clock.now(),
      watching: true,
      lease: null,
    };
    const generation = this.#generation;
    await this.#put(followed);
    return generation === this.#generation ? this.#watch(followed) : { kind: "unwatched", job };
  }

  /** Nobody watches the job any more; the service goes on with it. */
  async unwatch(id: number): Promise<void> {
    this.#watching.get(id)?.stop.abort();
    const kept = (await this.#read()).find((each) => each.job.id === id);
    if (kept !== undefined) await this.#put({ ...kept, watching: false, lease: null });
  }

  /** Ends all polling of this window; what runs is followed on by the next one, or by this one's `resume`. */
  dispose(): void {
    this.#generation++;
    for (const { stop } of this.#watching.values()) stop.abort();
    this.#watching.clear();
  }

  #watch(followed: Kept): Promise<JobEnd> {
    const running = this.#watching.get(followed.job.id);
    if (running !== undefined) return running.end;
    const stop = new AbortController();
    const end = this.#poll(followed, stop.signal).finally(() => this.#watching.delete(followed.job.id));
    this.#watching.set(followed.job.id, { end, stop });
    return end;
  }

  async #poll(followed: Kept, signal: AbortSignal): Promise<JobEnd> {
    const { clock, log, window } = this.#needs;
    let current = followed;
    let pause = FIRST_PAUSE;
    while (!hasEnded(current.job)) {
      try {
        await clock.sleep(pause, signal);
      } catch {
        return { kind: "unwatched", job: current.job };
      }
      pause = Math.min(pause * GROWTH, LAST_PAUSE);
      current = (await this.#read()).find((each) => each.job.id === current.job.id) ?? current;
      if (!current.watching) return { kind: "unwatched", job: current.job };
      if (hasEnded(current.job)) break;
      const { lease } = current;
      if (lease !== null && lease.window !== window && lease.until > clock.now()) {
        this.#show(await this.#read());
        continue;
      }
      const client = this.#needs.client();
      if (client === null) continue;
      current = { ...current, lease: { window, until: clock.now() + LEASE } };
      await this.#put(current);
      try {
        const job = await client.job(current.job.id, { signal, priority: "background" });
        current = { ...current, job };
        await this.#put(current);
      } catch (error) {
        if (signal.aborted) return { kind: "unwatched", job: current.job };
        if (isApiError(error, "not_found")) {
          await this.#put({ ...current, watching: false, lease: null });
          return { kind: "vanished", job: current.job };
        }
        // Offline, busy or refused for now: the job goes on over there, and so does the following.
        log.debug(`Job ${current.job.id} could not be asked: ${String(error)}`);
      }
    }
    await this.#put({ ...current, watching: false, lease: null });
    return { kind: "ended", job: current.job };
  }

  async #read(): Promise<Kept[]> {
    const bytes = await this.#needs.store.read("jobs");
    if (bytes === undefined) return [];
    try {
      return v.parse(v.array(FollowedSchema), JSON.parse(new TextDecoder().decode(bytes)));
    } catch {
      this.#needs.log.warn("The list of followed jobs cannot be read; it begins anew.");
      return [];
    }
  }

  /** Puts one job into the list as it is on disk now, so that another window's jobs stay. */
  async #put(followed: Kept): Promise<void> {
    const write = this.#writing.then(async () => {
      const others = (await this.#read()).filter((each) => each.job.id !== followed.job.id);
      const all = [followed, ...others].sort((a, b) => b.startedAt - a.startedAt).slice(0, REMEMBERED);
      await this.#needs.store.write("jobs", new TextEncoder().encode(JSON.stringify(all)));
      this.#show(all);
    });
    this.#writing = write.catch((error: unknown) => {
      this.#needs.log.warn(`The list of followed jobs cannot be written: ${String(error)}`);
    });
    await this.#writing;
  }

  #show(kept: readonly Kept[]): void {
    const shown = kept.map(({ job, kind, subject, startedAt, watching }) => ({
      job,
      kind,
      subject,
      startedAt,
      watching,
    }));
    this.#needs.project.setJobs(shown);
  }
}
