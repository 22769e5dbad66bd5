/** The plan of a push, a pull or an import as lines: what a preview of the editor shows. */
import type { PreviewSection } from "../messages/preview-rows.ts";
import { l10n } from "../util/l10n.ts";

/** More rows below a heading are only counted. */
const MAX_ROWS = 200;

/** @param title says what would be done; @param notes what is left */
export function planLines<Change>(
  title: string,
  sections: readonly PreviewSection<Change>[],
  notes: readonly string[],
): readonly string[] {
  const lines = sections.flatMap(({ heading, rows }) => {
    if (rows.length === 0) return [];
    const shown = rows.slice(0, MAX_ROWS).map(({ label, description, detail = "", isChecked }) => {
      const texts = [label, description, detail].filter((text) => text !== "");
      return `  ${isChecked ? "+" : "-"} ${texts.join(" · ")}`;
    });
    const more = rows.length - shown.length;
    return [heading, ...shown, ...(more > 0 ? [`  ${l10n.t("and {0} more", more)}`] : [])];
  });
  return [title, ...lines, ...notes];
}
