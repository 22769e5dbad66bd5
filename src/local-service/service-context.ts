/** The running service as its parts see it, created once by `start-service.ts`. */
import type { BuiltExport } from "./exports/build-export.ts";
import type { Settings } from "./service-settings.ts";
import type { Store } from "./store/store.ts";

/** Durations that tests shorten, in milliseconds. */
export interface Timing {
  readonly translationsUpdated: number;
  readonly webhookAnswer: number;
  readonly retryDelays: readonly number[];
  readonly lockWait: number;
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
  /** AI jobs to end early. */
  readonly cancelledJobs: Set<number>;
  /** Small exports by request, of the latest content. */
  readonly recentExports: Map<string, BuiltExport>;
  /** Logs for the operator, in English, without tokens or project texts. */
  readonly log: (text: string) => void;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** `<timestamp>` of the document. */
export function timestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
