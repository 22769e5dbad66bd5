/** Tree rows for keys and QA issues, shared by all views. */
import type { KeyIssue } from "../../../sync/qa-issues.ts";
import { keyHash, type KeyName } from "../../../model/key-hash.ts";
import type { ProjectKey } from "../../../database/records.ts";
import type { RowFilter } from "../../../model/translation-editor-filters.ts";
import type { Text } from "../../../model/translation-text.ts";
import { shownTranslation } from "../text/translation-states.ts";
import type { OpenProject } from "../../projects/open-project.ts";
import { keyOptions } from "../input/pick-key.ts";
import type { TreeNode } from "./tree-node.ts";
import { projectKeyLabel } from "../../../messages/labels.ts";
import { issueRowContent, issuesOfKeyContent, keyRowContent } from "./key-row-content.ts";

/**
 * Like `ensureTranslations` of src/sync/refresh, for rows: a complete cache is shown at once and updated in the background, since VS Code
 * does not know the clicked row while the rows of its parent are loading.
 *
 * @throws {ApiError}
 */
export async function showTranslations(open: OpenProject, locale: string): Promise<void> {
  // A failure redraws the rows; asking again here would loop.
  if (open.isComplete(locale) && open.freshness.kind === "offline") return;
  const loading = (await open.refresher).ensureLocale(locale, { priority: "person" });
  if (!open.isComplete(locale)) return loading;
  // The refresher reports it.
  loading.catch(() => undefined);
}

/** Returns the options of the commands in the menu of a row of a key in a language. */
function rowOptions(open: OpenProject, name: KeyName, locale: string): object {
  return { ...keyOptions(open, name, locale), only: [keyHash(name)] };
}

function namesOf(open: OpenProject): (name: KeyName) => string {
  return (name) => projectKeyLabel(open, name);
}

/**
 * Creates the row of a key; clicking it opens the key's entry in the language.
 *
 * @param shown the text, or what is known of the key, that is shown as description
 * @param filter of the translation editor when it is opened from the row
 */
export function keyRow(
  open: OpenProject,
  key: ProjectKey,
  locale: string,
  shown: Text | string | null,
  id: string,
  filter?: RowFilter,
): TreeNode {
  return {
    id,
    commandOptions: { ...rowOptions(open, key, locale), filter },
    content: () => {
      const source = open.sourceLocale ?? "";
      const translation = locale === source ? null : { locale, ...shownTranslation(open, key.hash, locale) };
      return keyRowContent(key, { nameOf: namesOf(open), shown, source, translation });
    },
  };
}

/** Creates the row of an issue; clicking it opens the key's entry in the language. `shows`: its description. */
export function issueRow(open: OpenProject, issue: KeyIssue, id: string, shows: "key" | "text"): TreeNode {
  return {
    id,
    commandOptions: { ...rowOptions(open, issue, issue.locale), issue, filter: "issues" },
    content: () => issueRowContent(issue, namesOf(open), shows),
  };
}

/** Creates the row of a key with its issues in a language; of a single issue that of the issue. */
export function keyIssuesRow(open: OpenProject, issues: readonly KeyIssue[], id: string): TreeNode {
  const [first, ...others] = issues;
  if (first === undefined) throw new Error("a group has a member");
  if (others.length === 0) return issueRow(open, first, id, "key");
  return {
    id,
    commandOptions: { ...rowOptions(open, first, first.locale), filter: "issues" },
    content: () => issuesOfKeyContent(first, issues, namesOf(open)),
    children: () => issues.map((issue, index) => issueRow(open, issue, `${id}/${index}`, "text")),
  };
}
