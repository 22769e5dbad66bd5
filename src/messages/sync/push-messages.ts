/** What a push did and did not do, in words and as items of its result. */
import type { RefusedItem } from "../../api/errors.ts";
import type { SyncResult } from "../../api/response-schemas.ts";
import { isForms } from "../../model/translation-text.ts";
import type { LocalKey, PushItem } from "../../sync/push/push-plan.ts";
import { messagesOf } from "../file-problem-messages.ts";
import { l10n } from "../../util/l10n.ts";
import type { Project } from "../../database/project-state.ts";
import { formatCount } from "../counts-and-times.ts";
import { type KeySpelling, projectKeyLabel, projectDisplayName } from "../labels.ts";
import type { KeyName } from "../../model/key-hash.ts";
import { rejectionReason } from "../error-messages.ts";
import type { LeftKeys, PushChoice } from "../../sync/push/push-decisions.ts";

/** Returns a key that cannot be encoded as an item of the result. */
export function malformedItem({ name, path, description }: LocalKey): RefusedItem {
  const { namespace, key, context } = name;
  const field = description?.isWellFormed() === false ? "description" : "value";
  const message = l10n.t(
    "{0}: {1} contains half a character (an unpaired surrogate). Correct its text.",
    path,
    key.toWellFormed(),
  );
  return { namespace, key, context, file: path, field, messages: [message] };
}

/** Returns what was left out because it could not be read or encoded. */
export function unreadText(items: readonly RefusedItem[]): string {
  return l10n.t("Keys were left out: {0}.", messagesOf(items));
}

/** Returns a key that was left as it is at the service as an item of the result. */
export function leftItem(project: KeySpelling, { name, path, text, side }: PushItem): RefusedItem {
  const message =
    side === "both"
      ? l10n.t("{0} was changed here and on the service.", projectKeyLabel(project, name))
      : l10n.t("{0} was changed only on the service.", projectKeyLabel(project, name));
  return { ...name, file: path, field: isForms(text) ? "forms" : "value", messages: [message] };
}

/** Returns what was left as it is at the service; empty for nothing. */
export function leftKeysText({ archived, atService }: LeftKeys): string {
  const conflicts = atService.filter(({ side }) => side === "both").length;
  const parts = [
    [archived.length, l10n.t("archived on the service: {0}", formatCount.keys(archived.length))],
    [
      atService.length - conflicts,
      l10n.t("changed only on the service: {0}", formatCount.keys(atService.length - conflicts)),
    ],
    [conflicts, l10n.t("changed here and on the service: {0}", formatCount.keys(conflicts))],
  ] as const;
  const named = parts.flatMap(([count, text]) => (count > 0 ? text : []));
  return named.length === 0 ? "" : l10n.t("Not pushed: {0}.", named.join("; "));
}

/** Returns what the service did. */
export function pushedMessage(
  project: Pick<Project, "session" | "label">,
  { created, updated, restored, unchanged, archived, rejected }: SyncResult,
): string {
  const parts = [
    [created, l10n.t("{0} created", created)],
    [updated, l10n.t("{0} updated", updated)],
    [restored, l10n.t("{0} restored", restored)],
    [unchanged, l10n.t("{0} unchanged", unchanged)],
    [archived, l10n.t("{0} archived", archived)],
    [rejected.length, l10n.t("{0} refused", rejected.length)],
  ] as const;
  const changes = parts.flatMap(([count, text]) => (count > 0 ? text : [])).join(", ");
  return l10n.t("Pushed to {0}: {1}.", projectDisplayName(project), changes || l10n.t("nothing changed"));
}

/** Returns which of the sent keys the service refused, and why. */
export function refusedKeys(
  project: KeySpelling,
  { items, archive }: Pick<PushChoice, "items" | "archive">,
  { rejected }: SyncResult,
): readonly string[] {
  const names = new Map<string, KeyName>([
    ...items.map(({ hash, name }) => [hash, name] as const),
    ...archive.map((key) => [key.hash, key] as const),
  ]);
  return rejected.map(({ hash, reason }) => {
    const name = names.get(hash);
    return `${name === undefined ? hash : projectKeyLabel(project, name)}: ${rejectionReason(reason)}`;
  });
}
