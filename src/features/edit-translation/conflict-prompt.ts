/**
 * Conflict resolution for a translation that was changed by somebody else during an edit: shows the base text, the user's
 * and the other one, and lets the user decide. Does not write.
 */
import type { Text } from "../../model/text.ts";
import type { App } from "../../vscode/app.ts";
import { pickOne } from "../../vscode/ui/input/quick-pick.ts";
import { labelText } from "../../vscode/ui/text/escape-text.ts";
import { textDocument } from "../../vscode/ui/documents/virtual-documents.ts";
import { textLabel } from "../../vscode/ui/text/labels.ts";
import { l10n } from "../../vscode/l10n.ts";

export interface Conflict {
  /** For titles: the language and the key. */
  readonly title: string;
  /** The text when the edit began; `null` if there was none or it is not known. */
  readonly base: Text | null;
  readonly mine: Text;
  /** `null`: it was cleared. */
  readonly theirs: Text | null;
}

export type Decision = "mine" | "theirs" | "edit";

/** Returns the user's decision; `undefined` if dismissed. Both texts are shown in a diff editor. */
export async function resolveConflict(
  app: App,
  { title, base, mine, theirs }: Conflict,
): Promise<Decision | undefined> {
  const name = `${title}.txt`;
  await app.virtualDocuments.diffBelowList(
    { name, text: textDocument(theirs) },
    { name, text: textDocument(mine) },
    l10n.t("{0}: theirs ↔ mine", labelText(title)),
  );
  const decision = await pickOne<Decision>(
    l10n.t("{0} was changed by someone else", labelText(title)),
    l10n.t("Before: {0}", shownOf(base)),
    [
      { label: `$(arrow-left) ${l10n.t("Take Theirs")}`, detail: shownOf(theirs), value: "theirs" },
      { label: `$(arrow-right) ${l10n.t("Keep Mine")}`, detail: shownOf(mine), value: "mine" },
      { label: `$(edit) ${l10n.t("Edit Again…")}`, detail: l10n.t("Starts from my version."), value: "edit" },
    ],
  );
  await app.virtualDocuments.closeDifferences();
  return decision;
}

function shownOf(text: Text | null): string {
  return text === null ? l10n.t("not translated") : textLabel(text);
}
