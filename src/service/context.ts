/** What every part of the running service shares. Built once by `start.ts`. */
import type { PlaceholderFamily } from "../model/placeholder-checks.ts";
import { FAMILIES_BY_TYPE, FAMILIES_DEFAULT } from "./specification-decisions.ts";
import type { Settings } from "./settings.ts";
import type { Store } from "./store/store.ts";

/** Durations that the tests shorten; milliseconds. */
export interface Timing {
  readonly translationsUpdated: number;
  readonly webhookAnswer: number;
  readonly retryDelays: readonly number[];
  readonly lockWait: number;
}

export interface Context {
  readonly store: Store;
  readonly settings: Settings;
  readonly timing: Timing;
  /** Lines for whoever runs the service, in English, never with a token or a text of the project. */
  log(text: string): void;
  /** Milliseconds since the epoch. */
  now(): number;
}

/** `<timestamp>` of the document. */
export function timestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** The placeholder families of the project's type. */
export function familiesOf(settings: Settings): readonly PlaceholderFamily[] {
  return FAMILIES_BY_TYPE[settings.type.toLowerCase()] ?? FAMILIES_DEFAULT;
}
