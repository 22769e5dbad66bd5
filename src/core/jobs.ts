/**
 * Follows jobs of the service until they end: polled every 2 seconds growing to 5, kept over a reload, and by one
 * window at a time. What a job does, and what its end means, is import.ts's and pull.ts's.
 */
import * as v from "valibot";
import type { Client } from "../api/client.ts";
import { isApiError } from "../api/errors.ts";
import { JobSchema, type Job } from "../api/schemas.ts";
import { JointRun } from "./joint-run.ts";
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
/** While the service cannot be asked the pauses go on growing up to this. */
const LONGEST_PAUSE = 60_000;
/** A window that is this late for its next poll is gone, and another goes on. */
const LATE = 5000;
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

/** Ids of jobs that somebody stopped watching. */
const LeftSchema = v.array(v.number());

/** Whether the job has ended (§ States, Job). */
export function hasEnded(job: Job): boolean {
  return job.status === "succeeded" || job.status === "failed";
}

export class Jobs {
  readonly #needs: JobNeeds;
  readonly #watching = new Map<number, JointRun<JobEnd>>();
  /** What ends the pause before a job's next poll. */
  readonly #hurry = new Map<number, () => void>();
  #writing: Promise<unknown> = Promise.resolve();
  #shown = "";
  /** What was begun before the last `dispose` is no longer followed here. */
  #generation = 0;

  constructor(needs: JobNeeds) {
    this.#needs = needs;
  }

  /**
   * Shows what was followed before this window opened, or by another one, and follows on what has not ended. It may
   * be called again at any time.
   */
  async resume(): Promise<void> {
    const kept = await this.#list();
    this.#show(kept);
    for (const followed of kept) if (followed.watching && !hasEnded(followed.job)) this.#watch(followed);
  }

  /**
   * Follows a job that just began; resolves when it has ended or nobody watches it any more. Rejects only with the
   * signal's reason: then this caller waits no longer, and the job is still followed.
   */
  async follow(
    job: Job,
    kind: FollowedJob["kind"],
    subject: readonly string[],
    signal?: AbortSignal,
  ): Promise<JobEnd> {
    const { clock } = this.#needs;
    const followed: Kept = {
      job,
      kind,
      subject: [...subject],
      startedAt: clock.now(),
      watching: true,
      lease: null,
    };
    const generation = this.#generation;
    // An export that is asked for again may be built by a job that somebody stopped watching.
    await this.#leave((left) => left.filter((id) => id !== job.id));
    await this.#change(job.id, () => followed);
    if (generation !== this.#generation) return { kind: "unwatched", job };
    return this.#watch(followed).join(signal === undefined ? {} : { signal });
  }

  /** Nobody watches the job any more; the service goes on with it. */
  async unwatch(id: number): Promise<void> {
    this.#watching.get(id)?.abort();
    await this.#leave((left) => [id, ...left]);
    this.#show(await this.#list());
  }

  /** The job is said to have ended: it is asked at once if it is followed here. */
  hurry(id: number): void {
    this.#hurry.get(id)?.();
  }

  /** Ends all polling of this window; what runs is followed on by the next one, or by this one's `resume`. */
  dispose(): void {
    this.#generation++;
    for (const run of this.#watching.values()) run.abort();
    this.#watching.clear();
    this.#shown = "";
  }

  /** Waits until all that is known of jobs stands on disk. */
  async saved(): Promise<void> {
    await this.#writing;
  }

  #watch(followed: Kept): JointRun<JobEnd> {
    const { id } = followed.job;
    const running = this.#watching.get(id);
    if (running !== undefined) return running;
    const run = new JointRun(({ signal }) => this.#poll(followed, signal));
    // It goes on though everybody else has left.
    run.join({}).catch((error: unknown) => this.#needs.log.error("Following a job failed", error));
    this.#watching.set(id, run);
    void run.ended.then(() => {
      if (this.#watching.get(id) === run) this.#watching.delete(id);
    });
    return run;
  }

  async #poll(followed: Kept, signal: AbortSignal): Promise<JobEnd> {
    const { clock, log, window } = this.#needs;
    const { id } = followed.job;
    let current = followed;
    let pause = FIRST_PAUSE;
    while (!hasEnded(current.job)) {
      const wasHurried = await this.#pause(id, pause, signal);
      if (signal.aborted) return { kind: "unwatched", job: current.job };
      pause = Math.min(pause * GROWTH, LAST_PAUSE);
      const kept = await this.#list();
      if (signal.aborted) return { kind: "unwatched", job: current.job };
      current = kept.find((each) => each.job.id === id) ?? current;
      const { lease } = current;
      const isOthers = !wasHurried && lease !== null && lease.window !== window && lease.until > clock.now();
      if (hasEnded(current.job) || !current.watching || isOthers) this.#show(kept);
      if (hasEnded(current.job)) break;
      if (!current.watching) return { kind: "unwatched", job: current.job };
      if (isOthers) continue;
      const client = this.#needs.client();
      if (client === null) continue;
      const mine = { window, until: clock.now() + pause + LATE };
      await this.#change(id, (on) => ({ ...(on ?? current), lease: mine }));
      try {
        const job = await client.job(id, { signal, priority: "background" });
        current = { ...current, job };
        const ended = hasEnded(job) ? { watching: false, lease: null } : {};
        await this.#change(id, (on) => ({ ...(on ?? current), job, ...ended }));
      } catch (error) {
        if (signal.aborted) return { kind: "unwatched", job: current.job };
        if (isApiError(error, "not_found")) {
          await this.#change(id, (on) => ({ ...(on ?? current), watching: false, lease: null }));
          return { kind: "vanished", job: current.job };
        }
        // Offline, busy or refused for now: the job goes on over there, and so does the following.
        log.debug(`Job ${id} could not be asked: ${String(error)}`);
        pause = Math.min(pause * 2, LONGEST_PAUSE);
        const later = { window, until: clock.now() + pause + LATE };
        await this.#change(id, (on) => ({ ...(on ?? current), lease: later }));
      }
    }
    return { kind: "ended", job: current.job };
  }

  /** Waits until it is time for the next poll. Out: whether somebody hurried it. Ends with the signal too. */
  async #pause(id: number, milliseconds: number, signal: AbortSignal): Promise<boolean> {
    const hurried = new AbortController();
    this.#hurry.set(id, () => hurried.abort());
    try {
      await this.#needs.clock.sleep(milliseconds, AbortSignal.any([signal, hurried.signal]));
    } catch {
      // Which of the two it was is told by them.
    } finally {
      this.#hurry.delete(id);
    }
    return hurried.signal.aborted;
  }

  /** The jobs as they are on disk now, of all windows. */
  async #list(): Promise<Kept[]> {
    const left = new Set(await this.#read("left", LeftSchema));
    const kept = await this.#read("jobs", v.array(FollowedSchema));
    return kept.map((each) => (left.has(each.job.id) ? { ...each, watching: false, lease: null } : each));
  }

  async #read<Item>(name: string, schema: v.GenericSchema<unknown, Item[]>): Promise<Item[]> {
    try {
      const bytes = await this.#needs.store.read(name);
      if (bytes === undefined) return [];
      return v.parse(schema, JSON.parse(new TextDecoder().decode(bytes)));
    } catch {
      this.#needs.log.warn(`The list of followed jobs (${name}) cannot be read; it begins anew.`);
      return [];
    }
  }

  /** Changes one job in the list as it is on disk now, so that what other windows wrote stays. */
  #change(id: number, change: (kept: Kept | undefined) => Kept): Promise<void> {
    return this.#write(async () => {
      const kept = await this.#list();
      const changed = change(kept.find((each) => each.job.id === id));
      const all = [changed, ...kept.filter((each) => each.job.id !== id)]
        .sort((a, b) => b.startedAt - a.startedAt)
        .slice(0, REMEMBERED);
      this.#show(all);
      await this.#needs.store.write("jobs", new TextEncoder().encode(JSON.stringify(all)));
    });
  }

  /** In a file of its own: another window that polls just now would write over it in the list. */
  #leave(change: (left: number[]) => number[]): Promise<void> {
    return this.#write(async () => {
      const before = await this.#read("left", LeftSchema);
      const left = change(before).slice(0, REMEMBERED);
      if (left.length === before.length && left[0] === before[0]) return;
      await this.#needs.store.write("left", new TextEncoder().encode(JSON.stringify(left)));
    });
  }

  /** One after the other; a disk that refuses costs the list, never the work. */
  async #write(write: () => Promise<void>): Promise<void> {
    this.#writing = this.#writing.then(write).catch((error: unknown) => {
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
    // Every poll of every window comes by here; who looks is told of changes only.
    const words = JSON.stringify(shown);
    if (words === this.#shown) return;
    this.#shown = words;
    this.#needs.project.setJobs(shown);
  }
}
