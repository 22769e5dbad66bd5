/** What a push does with its plan, and the errors of one that cannot be sent, or not completely. */
import type { RefusedItem } from "../api/errors.ts";
import type { SyncResult } from "../api/response-schemas.ts";
import { emptySyncResult } from "../api/batches.ts";
import { PartialResultError } from "../commands/command-types.ts";
import { partialResultError } from "../messages/error-messages.ts";
import { unreadItems } from "../messages/file-problem-messages.ts";
import type { KeySpelling } from "../messages/labels.ts";
import { leftItem, malformedItem, pushedMessage, unreadText } from "../messages/sync/push-messages.ts";
import { unparsedText } from "../messages/sync/push-notes.ts";
import { isSourceLanguageChange, retrySourceLanguageChange } from "../sync/handle-source-language-change.ts";
import {
  decidePush,
  leftKeys,
  type LeftKeys,
  type PushDecision,
  type PushRequest,
} from "../sync/push/push-decisions.ts";
import type { PushPlan, PushPlanCounts } from "../sync/push/push-plan.ts";
import type { SyncOutcome } from "../sync/push/send-push.ts";
import { l10n } from "../util/l10n.ts";
import type { LocalFiles } from "../workspace/local-files/local-entries.ts";
import { unreadSourceError } from "./push-requirements.ts";

/** The fields of the result of every push. */
export interface PushFields {
  readonly plan: PushPlanCounts;
  readonly items?: readonly RefusedItem[];
}

interface DecidedPush {
  readonly decision: Exclude<PushDecision, { readonly kind: "incomplete" | "unread" }>;
  readonly left: LeftKeys;
  /** What could not be read. */
  readonly unread: readonly RefusedItem[];
  readonly fields: PushFields;
}

/**
 * Decides what a push does with its plan, which is that of `pushPlanFor`.
 * @throws {CommandError} `invalid` if it fails because of what could not be read
 */
export function decideReadPush(
  project: KeySpelling,
  local: Pick<LocalFiles, "incomplete">,
  planned: PushPlan,
  request: PushRequest,
): DecidedPush {
  const decision = decidePush(planned, request);
  const left = leftKeys(planned, request.isAsked);
  const unread = [...unreadItems(local, planned.unparsedRanges), ...planned.malformed.map(malformedItem)];
  const items = [...unread, ...left.atService.map((item) => leftItem(project, item))];
  switch (decision.kind) {
    case "incomplete":
      throw unreadSourceError(unparsedText(planned.unparsedRanges), items);
    case "unread":
      throw unreadSourceError(`${l10n.t("Nothing was pushed.")} ${unreadText(unread)}`, items);
    default: {
      const fields = { plan: planned.counts, ...(items.length > 0 ? { items } : {}) };
      return { decision, left, unread, fields };
    }
  }
}

/**
 * Requires that all was sent.
 * @param message says what was sent
 * @param total the number of keys that were to be sent
 * @throws {PartialResultError} if there was a failure; the failure itself if the source language has changed
 */
export function requireAllSent(
  { failure }: SyncOutcome,
  message: string,
  total: number,
  fields: PushFields & { readonly result: SyncResult },
): void {
  if (failure === null) return;
  const { error, sent } = failure;
  if (isSourceLanguageChange(error)) throw error;
  throw partialResultError(message, total - sent, fields, error);
}

/**
 * Repeats a push from the start while a change of the source language stops it.
 * @param work is given what was stored before, and adds to it
 * @throws {PartialResultError} if the push fails or is cancelled after a part was stored
 */
export async function pushUntilSent<Result>(
  project: Parameters<typeof pushedMessage>[0],
  work: (stored: SyncResult) => Promise<Result>,
  options: Parameters<typeof retrySourceLanguageChange>[1],
): Promise<Result> {
  const stored = emptySyncResult();
  try {
    return await retrySourceLanguageChange(() => work(stored), options);
  } catch (error) {
    const { created, updated, restored, unchanged, archived } = stored;
    const isStored = created + updated + restored + unchanged + archived > 0;
    if (!isStored || error instanceof PartialResultError) throw error;
    const left = l10n.t("The other keys were not sent, or the service has not confirmed them.");
    throw new PartialResultError(`${pushedMessage(project, stored)} ${left}`, { result: stored }, error);
  }
}
