/** What the row of a key shows and offers, in every view. Knows nothing of VS Code but its texts. */
import { goToEntryCommand, renameAtServiceCommand } from "../../../commands/declarations/key-commands.ts";
import type { KeyName } from "../../../model/key-hash.ts";
import type { PendingRename, ProjectKey } from "../../../database/records.ts";
import { isForms, type Text } from "../../../model/translation-text.ts";
import { hasSuggestion, type KeyIssue } from "../../../sync/qa-issues.ts";
import { l10n } from "../../../util/l10n.ts";
import { isError, issueMessage } from "../../../messages/issue-messages.ts";
import { formatCount } from "../../../messages/counts-and-times.ts";
import { textLine } from "../../../messages/labels.ts";
import type { RowContent } from "./row-content.ts";

/** The names of keys as code spells them. */
type NameOf = (name: KeyName) => string;

/** Returns the row of a key. `shown`: the text, or what is known of the key, that follows its name. */
export function keyRowContent(
  key: Pick<ProjectKey, "text" | "description" | "maxLength"> & KeyName,
  {
    nameOf,
    shown,
    source,
    translation,
  }: {
    readonly nameOf: NameOf;
    readonly shown: Text | string | null;
    /** The source language. */
    readonly source: string;
    /** The translation that the tooltip shows; `null` in the source language. */
    readonly translation: {
      readonly locale: string;
      readonly text: Text | null;
      readonly isLocalOnly: boolean;
    } | null;
  },
): RowContent {
  const label = nameOf(key);
  const description = typeof shown === "string" ? shown : textLine(shown);
  const tooltip = [label, `${source}: ${textLine(key.text)}`];
  if (translation !== null) {
    const note = translation.isLocalOnly ? ` (${l10n.t("local, not on the service")})` : "";
    tooltip.push(`${translation.locale}: ${textLine(translation.text) || "–"}${note}`);
  }
  if (key.description !== null) tooltip.push(key.description);
  if (key.maxLength !== null) tooltip.push(l10n.t("at most {0} characters", key.maxLength));
  return {
    label,
    description,
    icon: "symbol-key",
    kind: translation === null ? "key" : "translation",
    tooltip,
    click: goToEntryCommand,
  };
}

/**
 * Returns the row of an issue. It begins with the message, since long rows are truncated at the end; `shows` says whether
 * the description is the key or the text.
 */
export function issueRowContent(issue: KeyIssue, nameOf: NameOf, shows: "key" | "text"): RowContent {
  const message = issueMessage(issue);
  const name = nameOf(issue);
  const text = textLine(textOfForm(issue.row.text, issue.form));
  const isSuggested = hasSuggestion(issue);
  const status = isError(issue) ? "error" : "warning";
  const level = isError(issue) ? l10n.t("error") : l10n.t("warning");
  return {
    label: message,
    description: shows === "key" ? name : text,
    icon: { status },
    kind: isSuggested ? "issueWithSuggestion" : "issue",
    tooltip: [
      `${name} — ${issue.locale}`,
      `${message} (${issue.rule})`,
      text,
      ...(isSuggested ? [`${l10n.t("Suggestion:")} ${issue.suggestion ?? ""}`] : []),
    ],
    spokenLabel: `${level}: ${name}: ${message}`,
    click: goToEntryCommand,
  };
}

/** Returns the row of a key with several issues, which are below it. */
export function issuesOfKeyContent(name: KeyName, issues: readonly KeyIssue[], nameOf: NameOf): RowContent {
  const label = nameOf(name);
  return {
    label,
    description: formatCount.qaIssues(issues.length),
    icon: "symbol-key",
    kind: "translation",
    tooltip: [label, ...issues.map(issueMessage)],
    children: "collapsed",
  };
}

/** Returns the row of a key that was renamed in the files, and not yet at the service. */
export function renameRowContent({ from, to }: PendingRename, nameOf: NameOf): RowContent {
  const [before, after] = [nameOf(from), nameOf(to)];
  const label = l10n.t("Rename to {0}", after);
  return {
    label,
    description: before,
    icon: "symbol-key",
    kind: "rename",
    tooltip: [label, l10n.t("{0} is {1} in your files, and not yet on the service.", before, after)],
    click: renameAtServiceCommand,
  };
}

/** Returns the given plural form of a text, or the whole text if it has no such form. */
function textOfForm(text: Text | null, form: string | null | undefined): Text | null {
  if (text === null || !isForms(text) || form === undefined || form === null) return text;
  const value = text.forms[form];
  return value === undefined ? text : { value };
}

/** Returns the issues of each key, keys with an error first, else in the order of the service. */
export function issuesByKey(issues: readonly KeyIssue[]): readonly (readonly KeyIssue[])[] {
  const byKey = [...Map.groupBy(issues, ({ hash }) => hash).values()];
  return byKey.sort((a, b) => Number(b.some(isError)) - Number(a.some(isError)));
}
