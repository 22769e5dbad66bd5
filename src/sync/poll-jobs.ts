/**
 * Polls jobs of the service until they end: every 2 to 5 seconds, by one window at a time, continued after a reload.
 * Their results are processed in send-import.ts and pull-plan.ts.
 */
import * as v from "valibot";
import type { Client } from "../api/client.ts";
import { ApiError, isApiError, type ApiErrorKind } from "../api/errors.ts";
import { JobSchema, type Job } from "../api/response-schemas.ts";
import { SingleFlight } from "./single-flight.ts";
import type { Clock, Log } from "../model/platform.ts";
import type { FollowedJob, Project } from "../database/project-state.ts";

/**
 * How following a job ended. `vanished`: the service no longer knows the job (`404`). `unwatched`: the user stopped
 * following it. `no_access`: the token was refused (`401`, `403`); the job continues at the service, and `resume`
 * follows it again.
 */
export type JobEnd =
  | { readonly kind: "no_access"; readonly job: Job; readonly error: ApiError }
  | { readonly kind: "ended" | "vanished" | "unwatched"; readonly job: Job };

/** Why a job is followed. */
export interface JobPurpose {
  readonly kind: FollowedJob["kind"];
  /** What was requested, to show: file names or the profile's key. */
  readonly subject: readonly string[];
  /** Whether neither prompts nor messages may be shown. */
  readonly quiet?: boolean;
  /** The export to request once it is built. */
  readonly request?: ExportRequest | undefined;
}

/** The end of a job that no caller waited for: it was followed after a reload, or its caller gave up. */
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
  /** Unique id of this window. */
  readonly window: string;
  readonly onUnattendedEnd: (end: UnattendedEnd) => void;
}

/** "Polling every 2 to 5 seconds is advised" (§ GET /jobs). */
const MIN_POLL_DELAY_MS = 2000;
const MAX_POLL_DELAY_MS = 5000;
const BACKOFF_FACTOR = 1.25;
/** Limit of the backoff while the service cannot be reached. */
const MAX_BACKOFF_MS = 60_000;
/** A window that is this late for its next poll is assumed closed, and another one takes over. */
const LEASE_MARGIN_MS = 5000;
/** A lease that ends later was stored before the clock was set back, and is void. */
const MAX_LEASE_MS = MAX_BACKOFF_MS + LEASE_MARGIN_MS;
const MAX_STORED_JOBS = 20;

const TextListSchema = v.pipe(v.array(v.string()), v.readonly());

const ExportRequestSchema = v.object({
  locales: TextListSchema,
  missing: v.optional(v.picklist(["fallback", "empty", "omit"])),
  /** Whether a person chose the profile, so that it is remembered after the pull. */
  isChosen: v.optional(v.boolean()),
});
/** Options of an export, besides its profile. */
export type ExportRequest = v.InferOutput<typeof ExportRequestSchema>;

const FollowedSchema = v.object({
  job: JobSchema,
  kind: v.picklist(["import", "export"]),
  subject: TextListSchema,
  startedAt: v.number(),
  watching: v.boolean(),
  failure: v.optional(v.custom<ApiErrorKind>((kind) => typeof kind === "string")),
  quiet: v.optional(v.boolean(), false),
  request: v.optional(ExportRequestSchema),
  /** The window that polls, and until when others leave the job to it. */
  lease: v.nullable(v.object({ window: v.string(), until: v.number() })),
});
type StoredJob = v.InferOutput<typeof FollowedSchema>;
const FollowedListSchema = v.array(FollowedSchema);

/** Returns whether the job has ended (§ States, Job). */
export function hasEnded(job: Job): boolean {
  return job.status === "succeeded" || job.status === "failed";
}

/** The followed jobs of a project. */
export class Jobs {
  readonly #dependencies: JobDependencies;
  readonly #runs = new Map<number, SingleFlight<JobEnd>>();
  /** Functions that end the delay before a job's next poll. */
  readonly #wakeUps = new Map<number, () => void>();
  #shown = "";

  constructor(dependencies: JobDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Shows the jobs followed by earlier or other windows, and follows those that have not ended. May be called
   * repeatedly.
   */
  resume(): void {
    const jobs = this.#list();
    this.#show(jobs);
    for (const stored of jobs) if (stored.watching && !hasEnded(stored.job)) this.#watch(stored);
  }

  /**
   * Follows a job that just started, until it has ended or is no longer followed. An abort rejects with the signal's
   * reason: the job is still followed, but an export's file is not requested any more.
   */
  async follow(job: Job, purpose: JobPurpose, signal?: AbortSignal): Promise<JobEnd> {
    const startedAt = this.#dependencies.clock.now();
    const stored: StoredJob = { quiet: false, ...purpose, job, startedAt, watching: true, lease: null };
    this.#add(stored);
    const dropRequest = (): void => this.#change(job.id, { request: undefined });
    try {
      const end = await this.#watch(stored).join({ signal });
      if (end.kind === "no_access") dropRequest();
      return end;
    } catch (error) {
      dropRequest();
      throw error;
    }
  }

  /** Stops following a job, which continues at the service. */
  unwatch(id: number): void {
    this.#runs.get(id)?.abort();
    this.#change(id, { watching: false, lease: null });
  }

  /** Polls a job immediately if this window follows it; without an id all jobs. */
  pollNow(id?: number): void {
    if (id !== undefined) this.#wakeUps.get(id)?.();
    else for (const wakeUp of this.#wakeUps.values()) wakeUp();
  }

  /** Stops polling in this window; the next window, or `resume`, continues. */
  dispose(): void {
    for (const run of this.#runs.values()) run.abort();
    this.#runs.clear();
    this.#shown = "";
  }

  #watch(followed: StoredJob): SingleFlight<JobEnd> {
    const { id } = followed.job;
    const running = this.#runs.get(id);
    if (running !== undefined) return running;
    const run = new SingleFlight(({ signal }) => this.#poll(followed, signal));
    // This caller keeps the run alive when all others have left.
    run.join({}).catch((error: unknown) => this.#dependencies.log.error("Following a job failed", error));
    this.#runs.set(id, run);
    void run.ended.then(() => {
      if (this.#runs.get(id) === run) this.#runs.delete(id);
    });
    return run;
  }

  /** Reports the end of a job, unless a caller in this window waits for it. */
  #notifyEnded(kind: UnattendedEnd["kind"], followed: StoredJob): void {
    const { job, kind: of, subject, quiet } = followed;
    // `#watch` itself is one of the callers.
    if ((this.#runs.get(job.id)?.callerCount ?? 0) > 1) return;
    // Its caller may have given up during the request.
    const { request } = this.#list().find((each) => each.job.id === job.id) ?? followed;
    this.#dependencies.onUnattendedEnd({ kind, job, purpose: { kind: of, subject, quiet, request } });
  }

  async #poll(followed: StoredJob, signal: AbortSignal): Promise<JobEnd> {
    const { clock, log, window } = this.#dependencies;
    const { id } = followed.job;
    let current = followed;
    let pause = MIN_POLL_DELAY_MS;
    while (!hasEnded(current.job)) {
      const wasWokenUp = await this.#pause(id, pause, signal);
      if (signal.aborted) return { kind: "unwatched", job: current.job };
      const backoff = Math.min(pause * 2, MAX_BACKOFF_MS);
      pause = Math.min(pause * BACKOFF_FACTOR, MAX_POLL_DELAY_MS);
      const jobs = this.#list();
      current = jobs.find((each) => each.job.id === id) ?? current;
      const { lease } = current;
      const leasedMs = lease === null || lease.window === window ? 0 : lease.until - clock.now();
      const isLeasedByOther = !wasWokenUp && leasedMs > 0 && leasedMs <= MAX_LEASE_MS;
      if (hasEnded(current.job) || !current.watching || isLeasedByOther) this.#show(jobs);
      if (hasEnded(current.job)) break;
      if (!current.watching) return { kind: "unwatched", job: current.job };
      if (isLeasedByOther) continue;
      const client = this.#dependencies.client();
      if (client === null) {
        const error = new ApiError("unauthorized", `GET /jobs/${id}: not signed in any more`);
        return { kind: "no_access", job: current.job, error };
      }
      this.#change(id, { lease: { window, until: clock.now() + pause + LEASE_MARGIN_MS } });
      try {
        const job = await client.job(id, { signal, priority: "background" });
        if (signal.aborted) return { kind: "unwatched", job };
        current = { ...current, job };
        this.#change(id, {
          job,
          failure: undefined,
          ...(hasEnded(job) ? { watching: false, lease: null } : {}),
        });
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
        // The job continues at the service, and so does polling.
        log.debug(`Job ${id} could not be polled: ${String(error)}`);
        pause = backoff;
        const lease = { window, until: clock.now() + pause + LEASE_MARGIN_MS };
        this.#change(id, { lease, failure: isApiError(error) ? error.kind : undefined });
      }
    }
    return { kind: "ended", job: current.job };
  }

  /** Waits for the next poll, `pollNow` or an abort. Returns whether `pollNow` was called. */
  async #pause(id: number, milliseconds: number, signal: AbortSignal): Promise<boolean> {
    const wakeUp = new AbortController();
    this.#wakeUps.set(id, () => wakeUp.abort());
    try {
      await this.#dependencies.clock.sleep(milliseconds, AbortSignal.any([signal, wakeUp.signal]));
    } catch {
      // The two signals tell which of them ended the sleep.
    } finally {
      this.#wakeUps.delete(id);
    }
    return wakeUp.signal.aborted;
  }

  /** Returns the jobs that any window of the folder follows or followed. */
  #list(): readonly StoredJob[] {
    return this.#dependencies.project.personal.get("jobs", FollowedListSchema) ?? [];
  }

  /** Adds a new job to the stored list, whose order does not depend on the clock. */
  #add(job: StoredJob): void {
    this.#update((jobs) =>
      [job, ...jobs.filter((each) => each.job.id !== job.job.id)].slice(0, MAX_STORED_JOBS),
    );
  }

  /** Changes a stored job, if it still is in the list. */
  #change(id: number, changes: Partial<StoredJob>): void {
    this.#update((jobs) => jobs.map((each) => (each.job.id === id ? { ...each, ...changes } : each)));
  }

  /** Updates the stored list in one transaction, since other windows write it too. */
  #update(change: (jobs: readonly StoredJob[]) => StoredJob[]): void {
    const { personal } = this.#dependencies.project;
    this.#show(personal.update("jobs", FollowedListSchema, (jobs) => change(jobs ?? [])));
  }

  #show(jobs: readonly StoredJob[]): void {
    // Called for each poll of each window, so listeners are only notified of changes besides the lease.
    const shown = JSON.stringify(jobs.map((stored) => ({ ...stored, lease: null })));
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.#dependencies.project.setJobs(jobs);
  }
}
