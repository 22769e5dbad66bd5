/**
 * The Markdown of a key's hover: the preview languages with texts and states, the key's details, and links. Uses only
 * cached data; every text of the service is escaped.
 */
import type { QaIssue } from "../../api/response-schemas.ts";
import type { KeyName } from "../../model/key-hash.ts";
import { previewLocales } from "../../workspace/project-file/preview-locales.ts";
import { keyIssues } from "../../sync/qa-issues.ts";
import { isOffline } from "../../database/project-state.ts";
import type { ProjectRow, ProjectKey } from "../../database/records.ts";
import { textLength, areTextsEqual, type Text } from "../../model/text.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import { canWrite } from "../../vscode/commands/command-requirements.ts";
import { isError, issueMessage } from "../../vscode/ui/text/issue-messages.ts";
import { LINE_BREAK, keyHeading, textMarkdown } from "../../vscode/ui/text/key-markdown.ts";
import { localOnlyText } from "../../vscode/files/local-text-cache.ts";
import { codeMarkdown, commandUri, escapeMarkdown } from "../../vscode/ui/text/escape-text.ts";
import { l10n } from "../../vscode/l10n.ts";
import { formatDateTime } from "../../vscode/ui/text/counts-and-times.ts";

/** The commands that are enabled in links of a hover. */
export const LINKED_COMMANDS = [
  "projectTranslations.editTranslation",
  "projectTranslations.setLocal",
  "projectTranslations.goToEntry",
  "projectTranslations.openEditor",
] as const;

/** Returns the hover of a key of the service. `local`: its source text in the local files. */
export function keyCard(open: OpenProject, key: ProjectKey, local: Text | undefined): string {
  const { project } = open;
  const source = project.sourceLocale;
  const locales = shownLocales(open);
  const lines = locales.map((locale) =>
    locale === source ? sourceLine(key, locale) : languageLine(open, key, locale),
  );
  // Issues of languages that are not previewed are included.
  const rows = project.translationsOf(key.hash);
  const troubled = new Set(keyIssues(key, rows).map(({ locale }) => locale));
  for (const locale of troubled) if (!locales.includes(locale)) lines.push(languageLine(open, key, locale));
  if (source === null || !locales.includes(source)) lines.unshift(sourceLine(key, source));
  const parts = [keyHeading(key), lines.join(LINE_BREAK)];
  const before = locales.some((locale) => rows.get(locale)?.isOutdated === true)
    ? project.keys.previousText(key.hash)
    : null;
  if (before !== null)
    parts.push(`$(history) ${escapeMarkdown(l10n.t("Source text before:"))} ${textMarkdown(before, source)}`);
  const different = project.isLocal ? "" : localLine(key, local);
  if (different !== "") parts.push(different);
  const facts = factsOf(key);
  if (facts !== "") parts.push(facts);
  if (isOffline(project.freshness) && project.freshness.at !== null) {
    const at = formatDateTime(project.freshness.at);
    parts.push(`$(debug-disconnect) ${escapeMarkdown(l10n.t("Offline, as of {0}", at))}`);
  }
  return `${parts.join("\n\n")}\n\n---\n\n${links(open, key)}`;
}

/** Returns the hover of a key that does not exist at the service. `local`: its source text in the local files. */
export function unknownCard(open: OpenProject, name: KeyName, local: Text | undefined): string {
  if (local === undefined) return `${keyHeading(name)}\n\n${message("question", unknownKeysText(open))}`;
  const text = textMarkdown(local, open.local.loaded?.sourceLocale ?? null);
  const state =
    open.project.keysComplete && !open.project.isLocal
      ? `\n\n${message("cloud-upload", l10n.t("Not pushed yet"))}`
      : "";
  return `${keyHeading(name)}\n\n${text}${state}\n\n---\n\n${entryLink(open, name)}`;
}

/** Up to this number of languages all are previewed without a service, since local files are cheap to read. */
const MAX_PREVIEWED_LANGUAGES = 12;

function shownLocales({ file, project }: OpenProject): readonly string[] {
  const all = project.isLocal ? (project.stats?.languages ?? []) : [];
  return file.preview === undefined && all.length > 0
    ? all.slice(0, MAX_PREVIEWED_LANGUAGES).map(({ locale }) => locale)
    : previewLocales(file, project.stats);
}

function unknownKeysText({ project }: OpenProject): string {
  return project.isLocal
    ? l10n.t("No translation file has this key.")
    : l10n.t("The service does not know this key.");
}

function sourceLine(key: ProjectKey, locale: string | null): string {
  const name = locale === null ? "" : `${codeMarkdown(locale)} `;
  return `${name}${key.text === null ? message("dash", l10n.t("no source text")) : textMarkdown(key.text, locale)}`;
}

function languageLine(open: OpenProject, key: ProjectKey, locale: string): string {
  const { project } = open;
  const row = project.translation(locale, key.hash);
  const parts = [codeMarkdown(locale)];
  if (row?.text) parts.push(textMarkdown(row.text, locale));
  if (row === undefined && !project.isComplete(locale)) parts.push(message("sync", l10n.t("not read yet")));
  else {
    const local = project.isLocal ? undefined : localOnlyText(open, locale, key.hash);
    if (local !== undefined)
      parts.push(textMarkdown(local, locale), message("file", l10n.t("local, not on the service")));
    parts.push(...marksOf(key, row, local !== undefined));
  }
  const command = project.isLocal ? "projectTranslations.setLocal" : "projectTranslations.editTranslation";
  if (project.isLocal || canWrite(open)) {
    const uri = commandUri(command, { ...target(open, key), locale });
    parts.push(`[$(edit)](${uri} "${escapeMarkdown(l10n.t("Edit {0}", locale))}")`);
  }
  return parts.join(" ");
}

function marksOf(key: ProjectKey, row: ProjectRow | undefined, isLocal: boolean): string[] {
  const marks: string[] = [];
  if (!isLocal && !row?.isTranslated) marks.push(message("circle-slash", l10n.t("not translated")));
  if (row?.isOutdated) marks.push(message("history", l10n.t("outdated")));
  for (const issue of row?.issues ?? []) marks.push(issueMark(issue));
  const length = row?.text ? textLength(row.text) : 0;
  if (key.maxLength !== null && length > key.maxLength)
    marks.push(message("warning", l10n.t("{0} of at most {1} characters", length, key.maxLength)));
  return marks;
}

function issueMark(issue: QaIssue): string {
  return message(isError(issue) ? "error" : "warning", issueMessage(issue));
}

/** Returns the line for a local source text that differs from the service's. */
function localLine(key: ProjectKey, local: Text | undefined): string {
  if (local === undefined || (key.text !== null && areTextsEqual(key.text, local))) return "";
  return `$(diff) ${escapeMarkdown(l10n.t("Local file, not pushed:"))} ${textMarkdown(local, null)}`;
}

function factsOf(key: ProjectKey): string {
  const facts: string[] = [];
  if (key.tags.length > 0) facts.push(message("tag", key.tags.join(", ")));
  if (key.maxLength !== null)
    facts.push(message("symbol-ruler", l10n.t("at most {0} characters", key.maxLength)));
  const description = key.description === null ? "" : `${escapeMarkdown(key.description)}${LINE_BREAK}`;
  return description + facts.join(" · ");
}

function links(open: OpenProject, key: ProjectKey): string {
  const all = commandUri("projectTranslations.openEditor", target(open, key));
  return `${entryLink(open, key)} &nbsp; [$(globe) ${escapeMarkdown(l10n.t("All languages"))}](${all})`;
}

function entryLink(open: OpenProject, name: KeyName): string {
  const uri = commandUri("projectTranslations.goToEntry", target(open, name));
  return `[$(go-to-file) ${escapeMarkdown(l10n.t("Open the entry"))}](${uri})`;
}

function target(open: OpenProject, { namespace, key, context }: KeyName): object {
  return { namespace, key, ...(context === null ? {} : { context }), folder: open.root.fsPath };
}

function message(icon: string, text: string): string {
  return `$(${icon}) ${escapeMarkdown(text)}`;
}
