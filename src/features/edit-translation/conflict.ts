/**
 * Somebody else changed a translation while a person edited it: shows what was there before, mine and theirs, and lets
 * the person decide. Nothing is written here.
 */
import type { Text } from "../../model/text.ts";
import type { App } from "../../vscode/app.ts";
import { ask } from "../../vscode/ui/quick-pick.ts";
import { labelText } from "../../vscode/markdown.ts";
import { textDocument } from "../../vscode/ui/virtual-documents.ts";
import { textLabel } from "../../vscode/ui/text-label.ts";
import { l10n } from "../../vscode/l10n.ts";

export interface Conflict {
  /** For titles: the language and the key. */
  readonly title: string;
  /** As it was when the edit began; `null`: there was none, or nobody knows. */
  readonly base: Text | null;
  readonly mine: Text;
  /** `null`: it was cleared. */
  readonly theirs: Text | null;
}

export type Decision = "mine" | "theirs" | "edit";

/** The decision; `undefined`: closed, so nothing is written. Both texts stand in a diff editor meanwhile. */
export async function decide(
  app: App,
  { title, base, mine, theirs }: Conflict,
): Promise<Decision | undefined> {
  const name = `${title}.txt`;
  await app.texts.diffBelowList(
    { name, text: textDocument(theirs) },
    { name, text: textDocument(mine) },
    l10n.t("{0}: theirs ↔ mine", labelText(title)),
  );
  const decision = await ask<Decision>(
    l10n.t("{0} was changed by someone else", labelText(title)),
    l10n.t("Before: {0}", shownOf(base)),
    [
      { label: `$(arrow-left) ${l10n.t("Take Theirs")}`, detail: shownOf(theirs), value: "theirs" },
      { label: `$(arrow-right) ${l10n.t("Keep Mine")}`, detail: shownOf(mine), value: "mine" },
      { label: `$(edit) ${l10n.t("Edit Again…")}`, detail: l10n.t("Starts from my version."), value: "edit" },
    ],
  );
  await app.texts.closeDifferences();
  return decision;
}

function shownOf(text: Text | null): string {
  return text === null ? l10n.t("not translated") : textLabel(text);
}
