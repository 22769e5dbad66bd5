/** The rows of Import Local Translations. Knows nothing of VS Code but its texts. */
import type { LocalEntry } from "../../database/local-file-repository.ts";
import type { ChangedEntry } from "../../sync/count-pending-changes.ts";
import { l10n } from "../../util/l10n.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import { replacedText, textRow, type PreviewSection } from "../../messages/preview-rows.ts";
import { formatCount, formatNumber } from "../../messages/counts-and-times.ts";
import { localeLabel } from "../../messages/labels.ts";
import { labelText } from "../../messages/escape-text.ts";
import { firstPathsText } from "../../messages/sync/file-names.ts";

/** Translations of a language that the service does not have. */
export interface NewTranslations {
  readonly kind: "new";
  readonly locale: string;
  readonly entries: readonly LocalEntry[];
}

/** A translation that changed only in the files. */
export interface ChangedTranslation extends ChangedEntry {
  readonly kind: "changed";
}

/** What one check box stands for. */
export type LocalTranslations = NewTranslations | ChangedTranslation;

/** Identifies them in the list. */
export function localTranslationsId(each: LocalTranslations): string {
  return each.kind === "new" ? `new ${each.locale}` : `changed ${each.entry.locale} ${each.entry.hash}`;
}

/** Returns a row for the new translations of each language, and one for each changed translation; all are checked. */
export function importSections(
  open: OpenProject,
  found: readonly LocalTranslations[],
): PreviewSection<LocalTranslations>[] {
  const added = found.filter((each) => each.kind === "new");
  const changed = found.filter((each) => each.kind === "changed");
  return [
    {
      heading: l10n.t("Not on the service: {0}", formatNumber(countNew(added))),
      rows: added.map((each) => ({
        icon: "globe",
        label: labelText(localeLabel(open, each.locale)),
        description: formatCount.translations(each.entries.length),
        detail: labelText(firstPathsText([...new Set(each.entries.map(({ path }) => path))].sort())),
        changes: [each],
        isChecked: true,
      })),
    },
    {
      heading: l10n.t("Changed only in your files: {0}", changed.length),
      rows: changed.map((each) =>
        textRow(open, each, {
          icon: "edit",
          name: each.entry.name,
          notes: [each.entry.locale, each.entry.path],
          detail: replacedText(each.row.text, each.entry.text),
          isChecked: true,
        }),
      ),
    },
  ];
}

/** Returns the title of the preview: what is checked. */
export function importTitle(checked: readonly LocalTranslations[]): string {
  const added = countNew(checked);
  const changed = checked.filter(({ kind }) => kind === "changed").length;
  const parts = [
    ...(added > 0 ? [formatCount.localTranslations(added)] : []),
    ...(changed > 0 ? [formatCount.changedTranslations(changed)] : []),
  ];
  return parts.length === 0 ? l10n.t("Import local translations: nothing selected") : parts.join(", ");
}

function countNew(translations: readonly LocalTranslations[]): number {
  return translations.reduce((sum, each) => sum + (each.kind === "new" ? each.entries.length : 0), 0);
}
