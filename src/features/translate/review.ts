/** What language models proposed, to be looked at before it is written: each can be left out. */
import type { TranslationDraft } from "../../database/translation-drafts.ts";
import { l10n } from "../../vscode/l10n.ts";
import { labelText } from "../../vscode/markdown.ts";
import type { OpenProject } from "../../vscode/projects/project-handle.ts";
import { counted } from "../../vscode/ui/counts.ts";
import { pickMany } from "../../vscode/ui/quick-pick.ts";
import { keyLabel } from "../../vscode/ui/text-label.ts";
import { textLine } from "../../vscode/ui/tree-rows.ts";

/** Those that a person ticked; none where the list was closed. */
export async function reviewed(
  open: OpenProject,
  drafts: readonly TranslationDraft[],
  refused: number,
): Promise<readonly TranslationDraft[]> {
  if (drafts.length === 0) return [];
  const byName = drafts
    .map((draft) => {
      const key = open.project.keys.get(draft.hash);
      return { draft, key, name: key === undefined ? draft.hash : keyLabel(key) };
    })
    .sort((a, b) => (a.draft.locale + a.name < b.draft.locale + b.name ? -1 : 1));
  const ticked = await pickMany(
    l10n.t("Save {0}?", counted.translations(drafts.length)),
    refused === 0
      ? l10n.t("Selected texts are written to the service.")
      : l10n.t("What is ticked is written to the service. {0} refused.", counted.translations(refused)),
    byName.map(({ draft, key, name }) => ({
      label: `$(sparkle) ${labelText(name)}`,
      description: labelText(draft.locale),
      detail: labelText(`${textLine(key?.text ?? null)} → ${textLine(draft.text)}`),
      picked: true,
      value: draft,
    })),
  );
  return ticked ?? [];
}
