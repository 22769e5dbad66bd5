/** The shared context of the running service, created once by `start-service.ts`. */
import type { PlaceholderFamily } from "../model/placeholders.ts";
import { FAMILIES_BY_TYPE, FAMILIES_DEFAULT } from "./specification-decisions.ts";
import type { Settings } from "./service-settings.ts";
import type { Store } from "./store/store.ts";

/** Durations that tests shorten, in milliseconds. */
export interface Timing {
  readonly translationsUpdated: number;
  readonly webhookAnswer: number;
  readonly retryDelays: readonly number[];
  readonly lockWait: number;
}

export interface ServiceContext {
  readonly store: Store;
  readonly settings: Settings;
  readonly timing: Timing;
  /** AI jobs to end early. */
  readonly cancelledJobs: Set<number>;
  /** Logs for the operator, in English, without tokens or project texts. */
  log(text: string): void;
  /** Milliseconds since the epoch. */
  now(): number;
}

/** `<timestamp>` of the document. */
export function timestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** The placeholder families of the project's type. */
export function placeholderFamilies(settings: Settings): readonly PlaceholderFamily[] {
  return FAMILIES_BY_TYPE[settings.type.toLowerCase()] ?? FAMILIES_DEFAULT;
}
