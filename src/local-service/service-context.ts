/** The state and dependencies of a running service, which `start-service.ts` creates once. */
import type { BuiltExport } from "./exports/build-export.ts";
import type { Settings } from "./service-settings.ts";
import type { Store } from "./store/store.ts";

/** Durations that tests shorten. */
export interface Timing {
  readonly translationsUpdatedMs: number;
  readonly webhookAnswerMs: number;
  /** Delays before the second and later attempts of a delivery. */
  readonly retryDelaysMs: readonly number[];
  /** How long a write waits for another one before it gets `409`. */
  readonly lockWaitMs: number;
}

export interface Progress {
  readonly done: number;
  readonly total: number;
}

export interface Service {
  readonly store: Store;
  readonly settings: Settings;
  readonly timing: Timing;
  readonly cursorSecret: string;
  /** Progress of running jobs by id. */
  readonly progress: Map<number, Progress>;
  /** Ids of AI jobs to end early. */
  readonly cancelledJobs: Set<number>;
  /** Exports that are no jobs, of the latest content, by request. */
  readonly recentExports: Map<string, BuiltExport>;
  /** Logs for the operator, in English, without tokens or project texts. */
  readonly log: (text: string) => void;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Milliseconds on a clock that never goes back. */
  readonly monotonic: () => number;
}

/** `<timestamp>` of the document. */
export function timestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
