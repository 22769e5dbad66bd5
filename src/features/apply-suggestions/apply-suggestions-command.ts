/**
 * Applies one suggestion or all of them, of a language or of given keys, after a preview in which each can be excluded. Each
 * is written with the version that was read, so that no concurrent change is overwritten.
 */
import { commands, window } from "vscode";
import { setTranslations, type TranslationEdit } from "../../sync/edit/send-translations.ts";
import {
  hasSuggestion,
  textWithSuggestion,
  projectIssues,
  localesWithIssues,
  type KeyIssue,
} from "../../sync/qa-issues.ts";
import { isForms, type Text } from "../../model/translation-text.ts";
import type { App, Command } from "../../vscode/app.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import { formatCount } from "../../vscode/ui/text/counts-and-times.ts";
import { pickMany } from "../../vscode/ui/input/quick-pick.ts";
import { labelText, oneLine } from "../../vscode/ui/text/escape-text.ts";
import { chooseSignedIn } from "../../vscode/commands/command-requirements.ts";
import { showInformation } from "../../vscode/notifications.ts";
import { partialResultError, skipReason } from "../../vscode/ui/messages/error-messages.ts";
import { CommandError, type CommandResult, type CommonOptions } from "../../vscode/commands/command-types.ts";
import { keyLabel, textLine } from "../../vscode/ui/text/labels.ts";
import { ensureTranslations } from "../../vscode/ui/tree-view/key-and-issue-rows.ts";
import { l10n } from "../../vscode/l10n.ts";

/** Options of `projectTranslations.applySuggestion`, an action of issue rows. */
interface ApplyOptions extends CommonOptions {
  /** The issue of the tree row. */
  readonly issue?: KeyIssue;
}

/** Options of `projectTranslations.applySuggestions`; without any, all languages and keys. */
interface ApplyAllOptions extends CommonOptions {
  readonly locale?: string;
  /** Only these keys. */
  readonly hashes?: readonly string[];
}

interface Fields {
  readonly written: number;
  readonly skipped: readonly { readonly locale: string; readonly key: string; readonly reason: string }[];
}

/** A translation after all its suggestions were applied. */
interface CorrectedEntry {
  readonly issue: KeyIssue;
  readonly text: Text;
}

/** Registers `projectTranslations.applySuggestion` and `projectTranslations.applySuggestions`. */
export function registerApplySuggestions(app: App): void {
  app.command("projectTranslations.applySuggestion", l10n.t("Apply Suggestion"), apply);
  app.command("projectTranslations.applySuggestions", l10n.t("Apply All Suggestions"), applyAll);
}

const apply: Command<ApplyOptions> = async (_app, { folder, issue, confirm }) => {
  if (issue === undefined || !hasSuggestion(issue)) {
    throw new CommandError("not_found", l10n.t("There is no suggestion here. Choose an issue that has one."));
  }
  const { locale, namespace, key, context, row } = issue;
  // Interactively, the user resolves a conflict.
  const command = confirm === false ? "setTranslation" : "editTranslation";
  const result = await commands.executeCommand<CommandResult>(`projectTranslations.${command}`, {
    folder,
    locale,
    namespace,
    key,
    context,
    ...textWithSuggestion(issue),
    version: row.version,
    ...(confirm === undefined ? {} : { confirm }),
  });
  if (result.outcome === "done" && confirm !== false) {
    window.setStatusBarMessage(
      l10n.t("{0} ({1}): suggestion applied", labelText(keyLabel(issue)), locale),
      5000,
    );
  }
  return result;
};

const applyAll: Command<ApplyAllOptions, Fields> = async (app, options, run) => {
  const { open, client } = await chooseSignedIn(app, options, "write");
  const locales = options.locale === undefined ? localesWithIssues(open.project) : [options.locale];
  run.report(l10n.t("Reading translations"));
  for (const locale of locales) await ensureTranslations(open, locale);
  const wanted = options.hashes === undefined ? null : new Set(options.hashes);
  const all = locales.flatMap((locale) => correctedEntries(open, locale, wanted));
  run.pause();
  const none: Fields = { written: 0, skipped: [] };
  if (all.length === 0) {
    if (!run.quiet) void showInformation(l10n.t("The service has no suggestions there."));
    return { outcome: "unchanged", ...none };
  }
  const ticked = run.quiet ? all : await chooseChanges(all);
  if (ticked === undefined) return { outcome: "cancelled" };
  const done = { written: 0, skipped: [] as Fields["skipped"][number][] };
  const dependencies = { client, project: open.project, refresher: await open.refresher };
  let sent = 0;
  const written = (): string => l10n.t("{0} written.", formatCount.translations(done.written));
  for (const [locale, group] of Map.groupBy(ticked, ({ issue }) => issue.locale)) {
    run.report(l10n.t("Writing {0}", formatCount.translations(ticked.length)), (100 * sent) / ticked.length);
    try {
      const options = { signal: run.signal };
      const result = await setTranslations(dependencies, locale, group.map(editOf), "overwrite", options);
      done.written += result.written;
      done.skipped.push(...result.skipped.map(({ name: { key }, reason }) => ({ locale, key, reason })));
      sent += result.failure?.sent ?? group.length;
      if (result.failure !== null) throw result.failure.error;
    } catch (error) {
      if (sent === 0) throw error;
      app.results.add(open, written(), "partly");
      throw partialResultError(written(), ticked.length - sent, done, error);
    }
  }
  const message =
    done.skipped.length === 0
      ? written()
      : l10n.t(
          "{0} written. The service did not write {1}: {2}.",
          formatCount.translations(done.written),
          formatCount.translations(done.skipped.length),
          [...new Set(done.skipped.map(({ reason }) => oneLine(skipReason(reason))))].join("; "),
        );
  app.results.add(open, message, done.skipped.length === 0 ? "done" : "partly");
  if (!run.quiet) void showInformation(message);
  return { outcome: done.written === 0 ? "unchanged" : "done", ...done };
};

function correctedEntries(
  open: OpenProject,
  locale: string,
  wanted: ReadonlySet<string> | null,
): CorrectedEntry[] {
  const issues = projectIssues(open.project, locale).filter(
    (issue) => hasSuggestion(issue) && (wanted === null || wanted.has(issue.hash)),
  );
  return [...Map.groupBy(issues, ({ hash }) => hash).values()].flatMap((group) => {
    const [issue] = group;
    return issue === undefined ? [] : { issue, text: corrected(group, issue) };
  });
}

/** A suggestion replaces the whole form, so only one of several for the same form is applied. */
function corrected(issues: readonly KeyIssue[], first: KeyIssue): Text {
  const text = textWithSuggestion(first);
  if (!isForms(text)) return text;
  const forms = issues.map(({ form, suggestion }) => [form ?? "", suggestion ?? ""] as const);
  return { forms: { ...text.forms, ...Object.fromEntries(forms) } };
}

/** Lets the user choose which changes to apply. */
async function chooseChanges(all: readonly CorrectedEntry[]): Promise<readonly CorrectedEntry[] | undefined> {
  return pickMany(
    l10n.t("Apply {0}?", formatCount.suggestions(all.length)),
    l10n.t("Selected texts are written to the service."),
    all.map((each) => ({
      label: labelText(keyLabel(each.issue)),
      description: labelText(each.issue.locale),
      detail: labelText(`${textLine(each.issue.row.text)} → ${textLine(each.text)}`),
      picked: true,
      value: each,
    })),
  );
}

function editOf({ issue: { namespace, key, context, row }, text }: CorrectedEntry): TranslationEdit {
  return { name: { namespace, key, context }, text, version: row.version };
}
