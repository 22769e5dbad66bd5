/** Hovers for keys in code: the text in each preview language, from cached data only. */
import { commandLinkUri } from "../../vscode/commands/command-links.ts";
import { goToEntryCommand } from "../../commands/declarations/key-commands.ts";
import { openEditorCommand } from "../../commands/declarations/window-commands.ts";
import { editTranslationCommand } from "../../commands/declarations/text-commands.ts";
import * as vscode from "vscode";
import { yieldNow } from "../../util/event-loop.ts";
import { keyHash, type KeyName } from "../../model/key-hash.ts";
import type { NamedKey } from "../../database/key-name-repository.ts";
import type { KeyResolution } from "../../workspace/usages/resolve-usage-to-key.ts";
import type { App } from "../../vscode/app.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import { CODE_DOCUMENTS, type DocumentUsage } from "../../vscode/usages/document-usages.ts";
import { localMessagesAt, type LocalMessagesAtPosition } from "../../vscode/usages/local-messages.ts";
import { formatCount, formatDateTime } from "../../messages/counts-and-times.ts";
import { keyHeading, textMarkdown, LINE_BREAK } from "../../vscode/ui/text/key-markdown.ts";
import { localText, loadLocalFiles } from "../../vscode/files/local-texts.ts";
import { escapeMarkdown, codeMarkdown } from "../../messages/escape-text.ts";
import { keyOptions, type KeyOptions } from "../../vscode/ui/input/pick-key.ts";
import { shownTranslation } from "../../vscode/ui/text/translation-states.ts";
import { l10n } from "../../util/l10n.ts";
import { documentRange } from "../../vscode/ui/documents/positions.ts";
import { previewLocales } from "../../workspace/project-file/preview-locales.ts";
import { keyIssues, rowIssues } from "../../sync/qa-issues.ts";
import type { ProjectKey } from "../../database/records.ts";
import { textLength, areTextsEqual, type Text } from "../../model/translation-text.ts";
import { isError, textProblems } from "../../messages/issue-messages.ts";
import { archivedKeyMessage } from "../../messages/labels.ts";

/** Maximum number of keys listed for a pattern or a group. */
const MAX_LISTED_KEYS = 8;
/** All forms of a key with a context and ordinal numbers. */
const MAX_LISTED_VARIANTS = 32;

/** Registers the hover provider. */
export function registerHover(app: App): void {
  app.addDisposable(
    vscode.languages.registerHoverProvider(CODE_DOCUMENTS, {
      provideHover: (document, position, token) => provideHover(app, document, position, token),
    }),
  );
}

/** Lets other tasks run between its steps: the first hover of a window compiles and reads all that each needs. */
async function provideHover(
  app: App,
  document: vscode.TextDocument,
  position: vscode.Position,
  token: vscode.CancellationToken,
): Promise<vscode.Hover | undefined> {
  if (!app.settings.of(document)["hover.enabled"]) return undefined;
  const { version } = document;
  const local = await localMessagesAt(app, document, position);
  if (token.isCancellationRequested) return undefined;
  if (local !== undefined && local.messages.length > 0) return localHover(document, local);
  const found = app.documentUsages.usageAt(document, position);
  if (found === undefined) return undefined;
  await yieldNow();
  const { open, resolution } = resolveAll(app, document, found);
  await yieldNow();
  if (token.isCancellationRequested || document.version !== version) return undefined;
  const text = contentsOf(app, open, resolution);
  if (text === undefined) return undefined;
  const contents = new vscode.MarkdownString(text, true);
  contents.isTrusted = { enabledCommands: LINKED_COMMANDS };
  return new vscode.Hover(contents, documentRange(document, found.use.keySpan));
}

/** Returns the hover of a message that the component defines itself. */
function localHover(
  document: vscode.TextDocument,
  { usage, key, messages }: LocalMessagesAtPosition,
): vscode.Hover {
  const isGroup = messages.some((message) => message.key !== messages[0]?.key);
  const rows = messages.slice(0, isGroup ? MAX_LISTED_KEYS : undefined).map(({ locale, text, ...own }) => {
    const parts = [
      ...(isGroup ? [`**${escapeMarkdown(own.key)}**`] : []),
      ...(locale === null ? [] : [codeMarkdown(locale)]),
      text === null ? message("dash", l10n.t("not a text")) : textMarkdown({ value: text }, locale),
    ];
    return parts.join(" ");
  });
  if (rows.length < messages.length) rows.push("…");
  const heading = `**${escapeMarkdown(key)}**`;
  const origin = message("symbol-field", l10n.t("Defined in this component"));
  const contents = new vscode.MarkdownString([heading, rows.join(LINE_BREAK), origin].join("\n\n"), true);
  return new vscode.Hover(contents, documentRange(document, usage.keySpan));
}

/** Resolves all usages at the position to one key or several, of one project. */
function resolveAll(
  app: App,
  document: vscode.TextDocument,
  { open, use }: DocumentUsage,
): { readonly open: OpenProject; readonly resolution: KeyResolution } {
  const lookups = app.documentUsages
    .usagesWith(document, use)
    .map((each) => app.documentUsages.resolveInWindow(open, each));
  const known = lookups.find(({ resolution }) => resolution.kind === "known");
  const matches = lookups.flatMap(({ open: owner, resolution }) =>
    resolution.kind === "known" && owner === known?.open ? [resolution.key] : [],
  );
  if (known !== undefined && matches.length > 1)
    return { open: known.open, resolution: { kind: "pattern", prefix: "", suffix: "", matches } };
  return known ?? app.documentUsages.resolveInWindow(open, use);
}

function contentsOf(app: App, open: OpenProject, lookup: KeyResolution): string | undefined {
  if (open.local.loaded === null) void loadLocalFiles(app, open);
  switch (lookup.kind) {
    case "known": {
      const key = open.keys.get(lookup.key.hash);
      const card = key && keyCard(open, key, localText(open, key.hash));
      return card === undefined || lookup.variants.length === 0
        ? card
        : `${card}\n\n---\n\n${variantsOf(open, lookup.variants)}`;
    }
    case "unknown":
      return unknownKeyCard(open, lookup.candidates);
    case "intermediate":
    case "pattern":
      return listOf(open, lookup);
    case "undeterminable":
      return undefined;
  }
}

/** Returns the hover of a key that is only in local files or unknown; the latter requires a complete cache. */
function unknownKeyCard(open: OpenProject, candidates: readonly KeyName[]): string | undefined {
  for (const name of candidates) {
    const local = localText(open, keyHash(name));
    if (local !== undefined) return unknownCard(open, name, local);
  }
  const [name] = candidates;
  return name !== undefined && open.keysComplete ? unknownCard(open, name, undefined) : undefined;
}

function listOf(
  open: OpenProject,
  lookup: KeyResolution & { kind: "intermediate" | "pattern" },
): string | undefined {
  const keys =
    lookup.kind === "pattern"
      ? lookup.matches
      : open.keyNames.matching(lookup.namespace, lookup.prefix, "", 1_000);
  if (keys.length === 0) return undefined;
  const heading =
    lookup.kind === "pattern"
      ? l10n.t("May refer to {0}", formatCount.keys(keys.length))
      : l10n.t("A group of {0}", formatCount.keys(keys.length));
  return `${message("list-tree", heading)}\n\n${keyList(open, keys, MAX_LISTED_KEYS)}`;
}

/** Returns the keys with their source texts as a list. */
function keyList(open: OpenProject, keys: readonly NamedKey[], limit: number): string {
  const rows = keys.slice(0, limit).map((key) => {
    const text = open.keys.get(key.hash)?.text;
    return `- ${keyHeading(open, key)}${text ? ` ${textMarkdown(text, open.sourceLocale)}` : ""}`;
  });
  return `${rows.join("\n")}${keys.length > limit ? `\n- …` : ""}`;
}

/** Returns the plural forms and contexts of a key, which are keys of their own. */
function variantsOf(open: OpenProject, variants: readonly NamedKey[]): string {
  const heading = message("list-tree", l10n.t("Also shown, by count and context:"));
  return `${heading}\n\n${keyList(open, variants, MAX_LISTED_VARIANTS)}`;
}

/** The commands that are enabled in links of a hover. */
const LINKED_COMMANDS = [editTranslationCommand, goToEntryCommand, openEditorCommand].map(({ id }) => id);

/** Returns the hover of a key of the service. `local`: its source text in the local files. */
function keyCard(open: OpenProject, key: ProjectKey, local: Text | undefined): string {
  const source = open.sourceLocale;
  const locales = shownLocales(open);
  const lines = locales.map((locale) =>
    locale === source ? sourceLine(key, locale) : languageLine(open, key, locale),
  );
  // Issues of languages that are not previewed are included.
  const rows = open.translationsOf(key.hash);
  const localesWithIssues = new Set(keyIssues(key, rows).map(({ locale }) => locale));
  for (const locale of localesWithIssues)
    if (!locales.includes(locale)) lines.push(languageLine(open, key, locale));
  if (source === null || !locales.includes(source)) lines.unshift(sourceLine(key, source));
  const parts = [keyHeading(open, key), lines.join(LINE_BREAK)];
  const isOutdated = locales.some((locale) => rows.get(locale)?.isOutdated === true);
  const previous = isOutdated ? open.keys.previousText(key.hash) : null;
  if (previous !== null)
    parts.push(`${message("history", l10n.t("Source text before:"))} ${textMarkdown(previous, source)}`);
  if (open.source.hasService) parts.push(localLine(key, local));
  parts.push(detailsOf(key));
  if (open.freshness.kind === "offline" && open.freshness.at !== null)
    parts.push(message("history", l10n.t("Not up to date: as of {0}", formatDateTime(open.freshness.at))));
  return `${parts.filter((part) => part !== "").join("\n\n")}\n\n---\n\n${links(open, key)}`;
}

/** Returns the hover of a key that does not exist at the service. `local`: its source text in the local files. */
function unknownCard(open: OpenProject, name: KeyName, local: Text | undefined): string {
  if (local === undefined) {
    const reason = open.source.hasService
      ? l10n.t("The service does not know this key.")
      : l10n.t("No translation file has this key.");
    return `${keyHeading(open, name)}\n\n${message("question", reason)}`;
  }
  const text = textMarkdown(local, open.local.loaded?.sourceLocale ?? null);
  const parts = [keyHeading(open, name), text];
  if (open.keysComplete && open.source.hasService)
    parts.push(
      open.keys.isArchived(keyHash(name))
        ? message("archive", archivedKeyMessage())
        : message("cloud-upload", l10n.t("Not pushed yet")),
    );
  return [...parts, "---", entryLink(open, name)].join("\n\n");
}

/** Up to this number of languages all are previewed without a service, since local files are cheap to read. */
const MAX_PREVIEWED_LANGUAGES = 12;

function shownLocales(open: OpenProject): readonly string[] {
  const all = open.source.hasService ? [] : (open.stats?.languages ?? []);
  return open.file.preview === undefined && all.length > 0
    ? all.slice(0, MAX_PREVIEWED_LANGUAGES).map(({ locale }) => locale)
    : previewLocales(open.file, open.stats);
}

function sourceLine(key: ProjectKey, locale: string | null): string {
  const name = locale === null ? "" : `${codeMarkdown(locale)} `;
  return `${name}${key.text === null ? message("dash", l10n.t("no source text")) : textMarkdown(key.text, locale)}`;
}

function languageLine(open: OpenProject, key: ProjectKey, locale: string): string {
  const { text, row, states } = shownTranslation(open, key.hash, locale);
  const parts = [codeMarkdown(locale)];
  if (text !== null) parts.push(textMarkdown(text, locale));
  parts.push(...states.map(({ icon, label }) => message(icon, label)));
  const issues = row === undefined ? [] : rowIssues(row, key.text);
  if (issues.length > 0)
    parts.push(
      message(issues.some(isError) ? "error" : "warning", textProblems(row?.text ?? null, issues).join(", ")),
    );
  const length = row?.text ? textLength(row.text) : 0;
  if (key.maxLength !== null && length > key.maxLength)
    parts.push(message("warning", l10n.t("{0} of at most {1} characters", length, key.maxLength)));
  if (open.source.canWrite(locale)) {
    const uri = commandLinkUri(editTranslationCommand, linkOptions(open, key, locale));
    parts.push(`[$(edit)](${uri} "${escapeMarkdown(l10n.t("Edit {0}", locale))}")`);
  }
  return parts.join(" ");
}

/** Returns the line for a local source text that differs from the service's; empty if none does. */
function localLine(key: ProjectKey, local: Text | undefined): string {
  if (local === undefined || (key.text !== null && areTextsEqual(key.text, local))) return "";
  return `${message("diff", l10n.t("Local file, not pushed:"))} ${textMarkdown(local, null)}`;
}

/** Returns the key's description, tags and maximum length; empty if it has none of them. */
function detailsOf({ description, tags, maxLength }: ProjectKey): string {
  const details: string[] = [];
  if (tags.length > 0) details.push(message("tag", tags.join(", ")));
  if (maxLength !== null) details.push(message("symbol-ruler", l10n.t("at most {0} characters", maxLength)));
  return (description === null ? "" : `${escapeMarkdown(description)}${LINE_BREAK}`) + details.join(" · ");
}

function links(open: OpenProject, key: ProjectKey): string {
  const uri = commandLinkUri(openEditorCommand, linkOptions(open, key));
  return `${entryLink(open, key)} &nbsp; [${message("globe", l10n.t("All languages"))}](${uri})`;
}

function entryLink(open: OpenProject, name: KeyName): string {
  const uri = commandLinkUri(goToEntryCommand, linkOptions(open, name));
  return `[${message("go-to-file", l10n.t("Go to Entry"))}](${uri})`;
}

/** Returns the options of a command in a link, which are JSON. */
function linkOptions(open: OpenProject, name: KeyName, locale?: string): KeyOptions {
  return { ...keyOptions(open, name, locale), folder: open.root.fsPath };
}

/** Returns the text with an icon. */
function message(icon: string, text: string): string {
  return `$(${icon}) ${escapeMarkdown(text)}`;
}
