/** The choice between two versions of a translation that was changed by two people at the same time. */
import type { Text } from "../../model/translation-text.ts";
import type { App } from "../../vscode/app.ts";
import { l10n } from "../../util/l10n.ts";
import { textDocument } from "../../vscode/ui/documents/virtual-documents.ts";
import { pickOneOrNone } from "../../vscode/ui/input/quick-pick.ts";
import { labelText } from "../../messages/escape-text.ts";
import { textLabel } from "../../messages/labels.ts";

/**
 * Lets the user decide about a translation that somebody else changed during the edit; `undefined` if dismissed. Both texts
 * are shown in a diff editor. `base`: when the edit began, if known. Does not write.
 */
export async function promptForConflict(
  app: App,
  title: string,
  { base, mine, theirs }: { readonly base: Text | null; readonly mine: Text; readonly theirs: Text | null },
): Promise<"mine" | "theirs" | "edit" | undefined> {
  const name = `${title}.txt`;
  await app.virtualDocuments.diffBelowList(
    { name, text: textDocument(theirs) },
    { name, text: textDocument(mine) },
    l10n.t("{0}: theirs ↔ mine", labelText(title)),
  );
  const decision = await pickOneOrNone(
    l10n.t("{0} was changed by someone else", labelText(title)),
    l10n.t("Before: {0}", textOrNone(base)),
    [
      { label: `$(arrow-left) ${l10n.t("Take Theirs")}`, detail: textOrNone(theirs), value: "theirs" },
      { label: `$(arrow-right) ${l10n.t("Keep Mine")}`, detail: textOrNone(mine), value: "mine" },
      { label: `$(edit) ${l10n.t("Edit Again…")}`, detail: l10n.t("Starts from my version."), value: "edit" },
    ] as const,
  );
  await app.virtualDocuments.closeDifferences();
  return decision;
}

function textOrNone(text: Text | null): string {
  return text === null ? l10n.t("untranslated") : textLabel(text);
}
