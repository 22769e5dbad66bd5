/** The rows of recognised layouts in Configure Project. */
import type { LayoutProposal } from "../../workspace/file-layout/detect-layouts.ts";
import type { FilesEntry } from "../../workspace/project-file/project-file.ts";
import { formatCount } from "../../messages/counts-and-times.ts";
import { formatDisplayName } from "../../model/file-formats.ts";
import { l10n } from "../../util/l10n.ts";

/** A row, with the entries that it writes. */
export interface LayoutRow {
  readonly label: string;
  readonly description: string;
  readonly detail: string;
  readonly isChecked: boolean;
  readonly entries: readonly FilesEntry[];
}

/** Returns a row for each layout, and one for all modules that the same module composes. */
export function layoutRows(layouts: readonly LayoutProposal[]): readonly LayoutRow[] {
  const groups = Map.groupBy(layouts, ({ composedBy, entry }) => composedBy ?? entry);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const { composedBy, entry, locales, reason } = first;
    return {
      label: `$(file-code) ${composedBy ?? entry.path}`,
      description: composedBy === undefined ? descriptionOf(entry) : formatDisplayName(entry.format),
      detail:
        composedBy === undefined
          ? detailOf(first)
          : l10n.t("{0} that it composes, in {1}", formatCount.modules(group.length), locales.join(", ")),
      isChecked: reason !== "package-overrides",
      entries: group.map((each) => each.entry),
    };
  });
}

function descriptionOf({ format, namespace }: FilesEntry): string {
  const name = formatDisplayName(format);
  return namespace === undefined ? name : l10n.t("{0}, namespace {1}", name, namespace);
}

function detailOf({ reason, files, locales, sample }: LayoutProposal): string {
  if (reason !== "one-file")
    return l10n.t("{0} in {1}, for example {2}", formatCount.files(files), locales.join(", "), sample);
  return locales.length === 0
    ? l10n.t("The texts of the source language")
    : l10n.t("One file with {0}", locales.join(", "));
}
