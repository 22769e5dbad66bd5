/** The text of a key in a language as the window shows it: the service's, else the local file's, and what is to know about it. */
import type { ProjectRow } from "../../../database/records.ts";
import type { Text } from "../../../model/translation-text.ts";
import { localOnlyText } from "../../files/local-texts.ts";
import { l10n } from "../../../util/l10n.ts";
import type { OpenProject } from "../../projects/open-project.ts";

interface ShownTranslation {
  readonly text: Text | null;
  /** The row of the service, if it has been read. */
  readonly row: ProjectRow | undefined;
  /** Whether the text is only in a local file. */
  readonly isLocalOnly: boolean;
  /** Such as "outdated", each with a theme icon. */
  readonly states: readonly { readonly icon: string; readonly label: string }[];
}

/** Returns the translation of a key in a language other than the source language. */
export function shownTranslation(open: OpenProject, hash: string, locale: string): ShownTranslation {
  const row = open.connection.translation(locale, hash);
  const local = row?.text || !open.source.hasService ? undefined : localOnlyText(open, locale, hash);
  const isLocalOnly = local !== undefined;
  const states = [];
  if (isLocalOnly) states.push({ icon: "file", label: l10n.t("local, not on the service") });
  else if (row === undefined && !open.isComplete(locale))
    states.push({ icon: "sync", label: l10n.t("not read yet") });
  else if (!row?.isTranslated) states.push({ icon: "circle-slash", label: l10n.t("untranslated") });
  if (row?.isOutdated) states.push({ icon: "history", label: l10n.t("outdated") });
  return { text: row?.text ?? local ?? null, row, isLocalOnly, states };
}
