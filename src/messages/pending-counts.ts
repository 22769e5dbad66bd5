/** What is to be pushed and pulled, in the same numbers and words wherever it is shown. */
import type { Activity } from "../database/project-state.ts";
import { formatTexts } from "./counts-and-times.ts";

/** Returns how many texts a push would send and a pull would write; `pulled`: in words. */
export function pendingCounts({
  pushCounts,
  pullCount,
  sourceAtService,
}: Pick<Activity, "pushCounts" | "pullCount" | "sourceAtService">): {
  readonly toPush: number;
  readonly toPull: number;
  readonly pulled: string;
} {
  const toPush = pushCounts === null ? 0 : pushCounts.new + pushCounts.changed;
  const translations = pullCount ?? 0;
  return {
    toPush,
    toPull: translations + sourceAtService,
    pulled: formatTexts(translations, sourceAtService),
  };
}
