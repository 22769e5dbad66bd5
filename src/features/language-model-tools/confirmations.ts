/** What a person is asked before a tool proposes or pushes: the counts and the first texts, as Markdown. */
import type { ToolInput } from "../../machine-translation/tool-inputs.ts";
import { NO_NAMESPACE, type KeyName } from "../../model/key-identity.ts";
import { isEmptyText, sameText, type Text } from "../../model/text.ts";
import type { PushItem, PushPlanCounts } from "../../sync/push-plan.ts";
import { l10n } from "../../vscode/l10n.ts";
import { escapeMarkdown } from "../../vscode/markdown.ts";
import { counted } from "../../vscode/ui/counts.ts";
import { number } from "../../vscode/ui/error-messages.ts";
import { keyLabel, textLabel } from "../../vscode/ui/text-label.ts";

export interface Confirmation {
  readonly title: string;
  readonly message: string;
}

/** So many texts are shown. */
const MAX_SHOWN = 10;

/** `textNow`: the translation as it is; `null`: there is none. */
export function stageConfirmation(
  { locale, translations }: Pick<ToolInput<"stage_translations">, "locale" | "translations">,
  textNow: (name: KeyName) => Text | null,
): Confirmation {
  const lines = translations.map((item) => {
    const { namespace = NO_NAMESPACE, key, context, text = "", forms } = item;
    const name = { namespace, key, context: context === "" ? null : (context ?? null) };
    return line(name, textNow(name), forms === undefined ? { value: text } : { forms });
  });
  return {
    title: l10n.t("Propose {0} ({1})?", counted.translations(translations.length), locale),
    message: listed(
      l10n.t(
        "They are checked and kept for your review. Nothing is written to the service until you save it.",
      ),
      lines,
    ),
  };
}

/** `name`: of the service's project. */
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
    l10n.t("{0} new", number(counts.new)),
    l10n.t("{0} changed", number(counts.changed)),
    l10n.t("{0} restored", number(counts.restored)),
  ];
  return { title: l10n.t("Push to {0}?", name), message: listed(message.join(", "), lines) };
}

/** The key with the text that it has and the one that it gets. */
function line(name: KeyName, before: Text | null, text: Text, mark?: string): string {
  const label = mark === undefined ? keyLabel(name) : `${keyLabel(name)} (${mark})`;
  const changes = before !== null && !isEmptyText(before) && !sameText(before, text);
  const texts = changes ? `${textLabel(before)} → ${textLabel(text)}` : textLabel(text);
  return `- ${escapeMarkdown(label)}: ${escapeMarkdown(texts)}`;
}

function listed(message: string, lines: readonly string[]): string {
  const more = lines.length - MAX_SHOWN;
  const rest = more > 0 ? [`- ${escapeMarkdown(l10n.t("and {0} more", number(more)))}`] : [];
  return [escapeMarkdown(message), "", ...lines.slice(0, MAX_SHOWN), ...rest].join("\n");
}
