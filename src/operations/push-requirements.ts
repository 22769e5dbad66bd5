/**
 * What a push needs before anything is compared (source texts, and a mapping of files to keys that fits the project), what it
 * does with its plan, and the errors of one that cannot be sent, or not completely.
 */
import type { RefusedItem } from "../api/errors.ts";
import type { SyncResult } from "../api/response-schemas.ts";
import { emptySyncResult } from "../api/batches.ts";
import { CommandError, PartialResultError } from "../commands/command-types.ts";
import type { Project } from "../database/project-state.ts";
import { errorKindMessage, partialResultError, toFailure } from "../messages/error-messages.ts";
import { firstSourceProblem, unreadItems } from "../messages/file-problem-messages.ts";
import type { KeySpelling } from "../messages/labels.ts";
import { leftItem, malformedItem, pushedMessage, unreadText } from "../messages/sync/push-messages.ts";
import { unparsedText } from "../messages/sync/push-notes.ts";
import { isSourceLanguageChange, retrySourceLanguageChange } from "../sync/handle-source-language-change.ts";
import { checkMapping, isMappingAgreed, type MappingVerdict } from "../sync/push/key-mapping-check.ts";
import {
  decidePush,
  leftKeys,
  type LeftKeys,
  type PushDecision,
  type PushRequest,
} from "../sync/push/push-decisions.ts";
import type { LocalKey, PushPlan, PushPlanCounts } from "../sync/push/push-plan.ts";
import type { SyncOutcome } from "../sync/push/send-push.ts";
import type { Refresher } from "../sync/refresh/refresh.ts";
import { l10n } from "../util/l10n.ts";
import type { LocalEntries, LocalFiles } from "../workspace/local-files/local-entries.ts";
import type { FilesEntry } from "../workspace/project-file/project-file.ts";

/**
 * Requires source texts in the files that were read; a source file without any is enough.
 * @throws {CommandError} `invalid`
 */
export function requireSourceTexts(project: KeySpelling & { readonly local: LocalEntries }): void {
  const { local } = project;
  const size = local.sizes.find(({ locale }) => locale === local.sourceLocale);
  if (size !== undefined && size.texts > 0) return;
  const isEmpty = local.entries(local.sourceLocale).values().next().done === true;
  if (!isEmpty) return;
  const problem = firstSourceProblem(project);
  if (problem !== undefined) throw new CommandError("invalid", `${problem}.`, { reason: "unread_source" });
  if (local.locales.includes(local.sourceLocale)) return;
  throw new CommandError(
    "invalid",
    l10n.t(
      "No translation files of the source language ({0}) were found. Set “files” in project-translations.json.",
      local.sourceLocale,
    ),
    { reason: "no_source_files" },
  );
}

/** The error of a push that cannot be complete, or has nothing else to send, because of what could not be read. */
export function unreadSourceError(message: string, items: readonly RefusedItem[]): CommandError {
  return new CommandError("invalid", message, { reason: "unread_source", items });
}

interface MappedProject {
  readonly project: Project;
  readonly local: LocalEntries;
  readonly refresher: () => Promise<Refresher>;
  readonly files: readonly FilesEntry[];
}

/** A mapping with which a push would probably duplicate the project. */
export type SuspiciousMapping = Extract<MappingVerdict, { kind: "suspicious" }>;

/**
 * Returns why the mapping looks wrong; `null` if it fits, or was confirmed.
 * @throws {CommandError} if the keys of the service could not be read
 */
export async function suspiciousMapping(
  { project, local, refresher, files }: MappedProject,
  keys: readonly Pick<LocalKey, "hash">[],
  signal: AbortSignal,
): Promise<SuspiciousMapping | null> {
  if (isMappingAgreed(project, files)) return null;
  if (!project.keysComplete || project.freshness.kind !== "fresh")
    await (await refresher()).refresh({ priority: "person", signal });
  // A stale cache cannot tell whether the push would duplicate keys.
  if (project.freshness.kind !== "fresh") throw unreadKeysError(project);
  const verdict = await checkMapping({ project, local, files }, keys);
  if (verdict.kind === "unknown") throw unreadKeysError(project);
  return verdict.kind === "fits" ? null : verdict;
}

/** Returns what is said of such a mapping. */
export function suspiciousMappingMessage({ known, local }: SuspiciousMapping): string {
  return l10n.t("The key mapping looks wrong: the service knows {0} of {1} local keys.", known, local);
}

/** The error for such a mapping when nobody is asked. */
export function suspiciousMappingError(mapping: SuspiciousMapping): CommandError {
  return new CommandError(
    "invalid",
    `${suspiciousMappingMessage(mapping)} ${l10n.t("Correct “files” in project-translations.json, or push once manually.")}`,
    { reason: "mapping" },
  );
}

/** Returns the error if the keys of the service could not be read, so that the mapping cannot be checked. */
function unreadKeysError({ freshness }: Project): CommandError {
  const { code, message } =
    freshness.kind === "offline"
      ? toFailure(freshness.error)
      : { code: "bad_response" as const, message: errorKindMessage("bad_response") };
  return new CommandError(
    code,
    l10n.t(
      "Nothing was pushed: the keys of the service could not be read, so the key mapping cannot be checked. {0}",
      message,
    ),
  );
}

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
