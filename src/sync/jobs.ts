/**
 * Follows jobs of the service until they end: polled every 2 seconds growing to 5, kept over a reload, and by one
 * window at a time. What a job does, and what its end means, is import.ts's and pull.ts's.
 */
import * as v from "valibot";
import type { Client } from "../api/client.ts";
import { ApiError, isApiError } from "../api/errors.ts";
import { JobSchema, type Job } from "../api/schemas.ts";
import { SharedRun } from "./shared-run.ts";
import type { Clock, Log } from "../model/platform.ts";
import type { FollowedJob, Project } from "../database/project-state.ts";

/**
 * How following ended. `vanished`: the service knows the job no more (`404`). `unwatched`: somebody stopped it.
 * `no_access`: the token was refused (`401`, `403`); the job goes on at the service, and `resume` follows it again.
 */
export type JobEnd =
  | { readonly kind: "no_access"; readonly job: Job; readonly error: ApiError }
  | { readonly kind: "ended"; readonly job: Job }
  | { readonly kind: "vanished"; readonly job: Job }
  | { readonly kind: "unwatched"; readonly job: Job };

/** What an export was asked for beside its profile. */
export interface ExportRequest {
  readonly locales: readonly string[];
  readonly missing?: "fallback" | "empty" | "omit" | undefined;
}

/** What a job is followed for. */
export interface JobPurpose {
  readonly kind: FollowedJob["kind"];
  /** What was sent, for people: file names or the profile's key. */
  readonly subject: readonly string[];
  /** Nobody is to be asked or told anything. */
  readonly quiet?: boolean;
  /** Of an export: what is to be fetched once it is built. */
  readonly request?: ExportRequest;
}

/** A job that ended while nobody waited for it: it was followed over a reload, or whoever began it has left. */
export interface UnattendedEnd {
  readonly kind: "ended" | "vanished";
  readonly job: Job;
  readonly purpose: JobPurpose;
}

export interface JobDependencies {
  readonly project: Project;
  readonly client: () => Client | null;
  readonly clock: Clock;
  readonly log: Log;
  /** Tells this window from others of the same folder. */
  readonly window: string;
  readonly onUnattendedEnd?: (end: UnattendedEnd) => void;
}

/** "Polling every 2 to 5 seconds is advised" (§ GET /jobs). Milliseconds. */
const FIRST_PAUSE_MS = 2000;
const LAST_PAUSE_MS = 5000;
const GROWTH = 1.25;
/** While the service cannot be asked the pauses go on growing up to this. */
const MAX_PAUSE_MS = 60_000;
/** A window that is this late for its next poll is gone, and another goes on. */
const LATE_MS = 5000;
const MAX_REMEMBERED = 20;

const ExportRequestSchema = v.object({
  locales: v.array(v.string()),
  missing: v.optional(v.picklist(["fallback", "empty", "omit"])),
});

const FollowedSchema = v.object({
  job: JobSchema,
  kind: v.picklist(["import", "export"]),
  subject: v.array(v.string()),
  startedAt: v.number(),
  watching: v.boolean(),
  quiet: v.optional(v.boolean(), false),
  request: v.optional(ExportRequestSchema),
  /** The window that polls, and until when the others leave it to it. */
  lease: v.nullable(v.object({ window: v.string(), until: v.number() })),
});
type StoredJob = v.InferOutput<typeof FollowedSchema>;
const FollowedListSchema = v.array(FollowedSchema);

/** Whether the job has ended (§ States, Job). */
export function hasEnded(job: Job): boolean {
  return job.status === "succeeded" || job.status === "failed";
}

export class Jobs {
  readonly #dependencies: JobDependencies;
  readonly #watching = new Map<number, SharedRun<JobEnd>>();
  /** How many callers of this window wait for a job. */
  readonly #waiting = new Map<number, number>();
  /** What ends the pause before a job's next poll. */
  readonly #hurry = new Map<number, () => void>();
  #shown = "";

  constructor(dependencies: JobDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Shows what was followed before this window opened, or by another one, and follows on what has not ended. It may
   * be called again at any time.
   */
  resume(): void {
    const jobs = this.#list();
    this.#show(jobs);
    for (const stored of jobs) if (stored.watching && !hasEnded(stored.job)) this.#watch(stored);
  }

  /**
   * Follows a job that just began; resolves when it has ended or nobody watches it any more. Rejects only with the
   * signal's reason: then this caller waits no longer, and the job is still followed, but what it was to be followed by
   * is not done.
   */
  async follow(job: Job, purpose: JobPurpose, signal?: AbortSignal): Promise<JobEnd> {
    const { clock } = this.#dependencies;
    const { kind, subject, quiet = false, request } = purpose;
    const stored: StoredJob = {
      job,
      kind,
      subject: [...subject],
      startedAt: clock.now(),
      watching: true,
      quiet,
      ...(request === undefined ? {} : { request: { ...request, locales: [...request.locales] } }),
      lease: null,
    };
    this.#add(stored);
    this.#countWaiting(job.id, 1);
    const giveUp = (): void => this.#change(job.id, { request: undefined });
    try {
      const end = await this.#watch(stored).join(signal === undefined ? {} : { signal });
      if (end.kind === "no_access") giveUp();
      return end;
    } catch (error) {
      giveUp();
      throw error;
    } finally {
      this.#countWaiting(job.id, -1);
    }
  }

  /** Nobody watches the job any more; the service goes on with it. */
  unwatch(id: number): void {
    this.#watching.get(id)?.abort();
    this.#change(id, { watching: false, lease: null });
  }

  /** The job is said to have ended: it is asked at once if it is followed here. */
  hurry(id: number): void {
    this.#hurry.get(id)?.();
  }

  /** Ends all polling of this window; what runs is followed on by the next one, or by this one's `resume`. */
  dispose(): void {
    for (const run of this.#watching.values()) run.abort();
    this.#watching.clear();
    this.#shown = "";
  }

  #watch(followed: StoredJob): SharedRun<JobEnd> {
    const { id } = followed.job;
    const running = this.#watching.get(id);
    if (running !== undefined) return running;
    const run = new SharedRun(({ signal }) => this.#poll(followed, signal));
    // It goes on though everybody else has left.
    run.join({}).catch((error: unknown) => this.#dependencies.log.error("Following a job failed", error));
    this.#watching.set(id, run);
    void run.ended.then(() => {
      if (this.#watching.get(id) === run) this.#watching.delete(id);
    });
    return run;
  }

  #countWaiting(id: number, change: number): void {
    const count = (this.#waiting.get(id) ?? 0) + change;
    if (count > 0) this.#waiting.set(id, count);
    else this.#waiting.delete(id);
  }

  /** Tells of the end that this window saw, unless a caller of it waits for it. */
  #notifyEnded(kind: UnattendedEnd["kind"], followed: StoredJob): void {
    const { job, kind: of, subject, quiet } = followed;
    if (this.#waiting.has(job.id)) return;
    // Whoever waited may have given up while the service was asked.
    const { request } = this.#list().find((each) => each.job.id === job.id) ?? followed;
    const purpose = { kind: of, subject, quiet, ...(request === undefined ? {} : { request }) };
    this.#dependencies.onUnattendedEnd?.({ kind, job, purpose });
  }

  async #poll(followed: StoredJob, signal: AbortSignal): Promise<JobEnd> {
    const { clock, log, window } = this.#dependencies;
    const { id } = followed.job;
    let current = followed;
    let pause = FIRST_PAUSE_MS;
    while (!hasEnded(current.job)) {
      const wasHurried = await this.#pause(id, pause, signal);
      if (signal.aborted) return { kind: "unwatched", job: current.job };
      pause = Math.min(pause * GROWTH, LAST_PAUSE_MS);
      const jobs = this.#list();
      current = jobs.find((each) => each.job.id === id) ?? current;
      const { lease } = current;
      const isOthers = !wasHurried && lease !== null && lease.window !== window && lease.until > clock.now();
      if (hasEnded(current.job) || !current.watching || isOthers) this.#show(jobs);
      if (hasEnded(current.job)) break;
      if (!current.watching) return { kind: "unwatched", job: current.job };
      if (isOthers) continue;
      const client = this.#dependencies.client();
      if (client === null) {
        const error = new ApiError("unauthorized", `GET /jobs/${id}: nobody is signed in any more`);
        return { kind: "no_access", job: current.job, error };
      }
      this.#change(id, { lease: { window, until: clock.now() + pause + LATE_MS } });
      try {
        const job = await client.job(id, { signal, priority: "background" });
        if (signal.aborted) return { kind: "unwatched", job };
        current = { ...current, job };
        this.#change(id, { job, ...(hasEnded(job) ? { watching: false, lease: null } : {}) });
        if (hasEnded(job)) this.#notifyEnded("ended", current);
      } catch (error) {
        if (signal.aborted) return { kind: "unwatched", job: current.job };
        if (isApiError(error, "not_found")) {
          this.#change(id, { watching: false, lease: null });
          this.#notifyEnded("vanished", current);
          return { kind: "vanished", job: current.job };
        }
        if (isApiError(error, "unauthorized") || isApiError(error, "forbidden")) {
          this.#change(id, { lease: null });
          return { kind: "no_access", job: current.job, error };
        }
        // Offline, busy or rate limited: the job goes on over there, and so does the following.
        log.debug(`Job ${id} could not be asked: ${String(error)}`);
        pause = Math.min(pause * 2, MAX_PAUSE_MS);
        this.#change(id, { lease: { window, until: clock.now() + pause + LATE_MS } });
      }
    }
    return { kind: "ended", job: current.job };
  }

  /** Waits until it is time for the next poll. Out: whether somebody hurried it. Ends with the signal too. */
  async #pause(id: number, milliseconds: number, signal: AbortSignal): Promise<boolean> {
    const hurried = new AbortController();
    this.#hurry.set(id, () => hurried.abort());
    try {
      await this.#dependencies.clock.sleep(milliseconds, AbortSignal.any([signal, hurried.signal]));
    } catch {
      // Which of the two it was is told by them.
    } finally {
      this.#hurry.delete(id);
    }
    return hurried.signal.aborted;
  }

  /** The jobs that any window of the folder follows or followed. */
  #list(): readonly StoredJob[] {
    return this.#dependencies.project.syncState.get("jobs", FollowedListSchema) ?? [];
  }

  /** Puts a job that just began into the list. */
  #add(job: StoredJob): void {
    this.#update((jobs) =>
      [job, ...jobs.filter((each) => each.job.id !== job.job.id)]
        .sort((a, b) => b.startedAt - a.startedAt)
        .slice(0, MAX_REMEMBERED),
    );
  }

  /** Changes one job of the list, unless it is forgotten. */
  #change(id: number, changes: Partial<StoredJob>): void {
    this.#update((jobs) => jobs.map((each) => (each.job.id === id ? { ...each, ...changes } : each)));
  }

  /** What other windows write of other jobs stays. */
  #update(change: (jobs: readonly StoredJob[]) => StoredJob[]): void {
    const { syncState } = this.#dependencies.project;
    this.#show(syncState.update("jobs", FollowedListSchema, (jobs) => change(jobs ?? [])));
  }

  #show(jobs: readonly StoredJob[]): void {
    const shown = jobs.map(({ job, kind, subject, startedAt, watching }) => ({
      job,
      kind,
      subject,
      startedAt,
      watching,
    }));
    // Every poll of every window comes by here; who looks is told of changes only.
    const serialized = JSON.stringify(shown);
    if (serialized === this.#shown) return;
    this.#shown = serialized;
    this.#dependencies.project.setJobs(shown);
  }
}
