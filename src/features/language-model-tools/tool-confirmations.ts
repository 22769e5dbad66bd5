/** Confirmation messages of the writing tools: counts and the first texts, as Markdown. */
import { givenName, type ToolInput } from "./tool-inputs.ts";
import type { KeyName } from "../../model/key-hash.ts";
import { isEmptyText, areTextsEqual, type Text } from "../../model/text.ts";
import type { PushItem, PushPlanCounts } from "../../sync/push/push-plan.ts";
import { l10n } from "../../vscode/l10n.ts";
import { escapeMarkdown } from "../../vscode/ui/text/escape-text.ts";
import { formatCount, formatNumber } from "../../vscode/ui/text/counts-and-times.ts";
import { keyLabel, textLabel } from "../../vscode/ui/text/labels.ts";

export interface Confirmation {
  readonly title: string;
  readonly message: string;
}

/** Maximum number of texts in a confirmation. */
const MAX_SHOWN = 10;

/** Returns the confirmation for proposed translations. `textNow`: returns the current translation, if any. */
export function stageConfirmation(
  { locale, translations }: Pick<ToolInput<"stage_translations">, "locale" | "translations">,
  textNow: (name: KeyName) => Text | null,
): Confirmation {
  const lines = translations.map((item) => {
    const { text = "", forms } = item;
    const name = givenName(item);
    return line(name, textNow(name), forms === undefined ? { value: text } : { forms });
  });
  return {
    title: l10n.t("Propose {0} ({1})?", formatCount.translations(translations.length), locale),
    message: listed(
      l10n.t(
        "They are checked and kept for your review. Nothing is written to the service until you save it.",
      ),
      lines,
    ),
  };
}

/** Returns the confirmation for a push. `name`: of the project. */
export function pushConfirmation(
  name: string,
  items: readonly Pick<PushItem, "name" | "text" | "change" | "service">[],
  counts: Pick<PushPlanCounts, "new" | "changed" | "restored">,
): Confirmation {
  const lines = items.map((item) => {
    const change =
      item.change === "new"
        ? l10n.t("new")
        : item.change === "restored"
          ? l10n.t("restored")
          : l10n.t("changed");
    return line(item.name, item.service?.text ?? null, item.text, change);
  });
  const message = [
    l10n.t("{0} new", formatNumber(counts.new)),
    l10n.t("{0} changed", formatNumber(counts.changed)),
    l10n.t("{0} restored", formatNumber(counts.restored)),
  ];
  return { title: l10n.t("Push to {0}?", name), message: listed(message.join(", "), lines) };
}

/** Returns the key with its current and its new text. */
function line(name: KeyName, before: Text | null, text: Text, mark?: string): string {
  const label = mark === undefined ? keyLabel(name) : `${keyLabel(name)} (${mark})`;
  const changes = before !== null && !isEmptyText(before) && !areTextsEqual(before, text);
  const texts = changes ? `${textLabel(before)} → ${textLabel(text)}` : textLabel(text);
  return `- ${escapeMarkdown(label)}: ${escapeMarkdown(texts)}`;
}

function listed(message: string, lines: readonly string[]): string {
  const more = lines.length - MAX_SHOWN;
  const rest = more > 0 ? [`- ${escapeMarkdown(l10n.t("and {0} more", formatNumber(more)))}`] : [];
  return [escapeMarkdown(message), "", ...lines.slice(0, MAX_SHOWN), ...rest].join("\n");
}
