/**
 * Applies one suggestion or all of them, of a language or of given keys, after a preview in which each can be excluded. Each
 * is written with the version that was read, so that no concurrent change is overwritten.
 */
import type { FieldsOf } from "../../commands/define-command.ts";
import { definedFields } from "../../util/defined-fields.ts";
import {
  applySuggestionCommand,
  applySuggestionsCommand,
  setTranslationCommand,
  editTranslationCommand,
} from "../../commands/declarations/text-commands.ts";
import { window } from "vscode";
import type { TranslationEdit } from "../../api/batches.ts";
import { setTranslations } from "../../sync/edit/send-translations.ts";
import {
  hasSuggestion,
  withSuggestion,
  projectIssues,
  localesWithIssues,
  type KeyIssue,
} from "../../sync/qa-issues.ts";
import type { Text } from "../../model/translation-text.ts";
import type { Project } from "../../database/project-state.ts";
import type { App, CommandWork } from "../../vscode/app.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import { formatCount } from "../../messages/counts-and-times.ts";
import { replacedText, textRow, type PreviewSection } from "../../messages/preview-rows.ts";
import { showPreview, textDifference } from "../../vscode/ui/preview/show-preview.ts";
import { labelText, oneLine } from "../../messages/escape-text.ts";
import { editDependencies } from "../../vscode/commands/command-requirements.ts";
import { reportPartialResult, reportResult } from "../../vscode/commands/report-result.ts";
import { showInformation } from "../../vscode/notifications.ts";
import { skipReason } from "../../messages/error-messages.ts";
import { CommandError } from "../../commands/command-types.ts";
import { type KeySpelling, projectKeyLabel } from "../../messages/labels.ts";
import { ensureTranslations } from "../../vscode/projects/refresh-project.ts";
import { l10n } from "../../util/l10n.ts";

/** A translation after all its suggestions were applied. */
interface CorrectedText {
  readonly issue: KeyIssue;
  readonly text: Text;
}

/** Registers `projectTranslations.applySuggestion` and `projectTranslations.applySuggestions`. */
export function registerApplySuggestions(app: App): void {
  app.command(applySuggestionCommand, apply);
  app.command(applySuggestionsCommand, applyAll);
}

const apply: CommandWork<typeof applySuggestionCommand> = async (app, { folder, issue, confirm }, run) => {
  if (issue === undefined || !hasSuggestion(issue)) {
    throw new CommandError("not_found", l10n.t("There is no suggestion here. Choose an issue that has one."));
  }
  const { locale, namespace, key, context, row } = issue;
  // Interactively, the user resolves a conflict.
  const command = confirm === false ? setTranslationCommand : editTranslationCommand;
  const result = await app.run(command, {
    ...definedFields({ folder, confirm }),
    locale,
    namespace,
    key,
    context,
    ...withSuggestion(row.text, issue),
    version: row.version,
  });
  if (result.outcome === "done" && confirm !== false) {
    window.setStatusBarMessage(
      l10n.t("{0} ({1}): suggestion applied", labelText(projectKeyLabel(run.open, issue)), locale),
      5000,
    );
  }
  return result;
};

const applyAll: CommandWork<typeof applySuggestionsCommand> = async (app, options, run) => {
  const { open, connection } = run;
  const locales = options.locale === undefined ? localesWithIssues(connection) : [options.locale];
  run.report(l10n.t("Reading translations"));
  for (const locale of locales) await ensureTranslations(open, locale);
  const hashes = options.hashes && new Set(options.hashes);
  const all: CorrectedText[] = [];
  for (const locale of locales) all.push(...(await correctedTexts(connection, locale, hashes)));
  run.pause();
  if (all.length === 0) {
    if (!run.quiet) void showInformation(l10n.t("The service has no suggestions there."));
    return { outcome: "unchanged", written: 0, skipped: [] };
  }
  const accepted = run.quiet ? all : await chooseChanges(app, open, all);
  const fields = { written: 0, skipped: [] as FieldsOf<typeof applySuggestionsCommand>["skipped"][number][] };
  const dependencies = await editDependencies(run);
  let sent = 0;
  const writtenText = (): string => l10n.t("{0} written.", formatCount.translations(fields.written));
  const progress = l10n.t("Writing {0}", formatCount.translations(accepted.length));
  for (const [locale, group] of Map.groupBy(accepted, ({ issue }) => issue.locale)) {
    run.report(progress, (100 * sent) / accepted.length);
    try {
      const { signal } = run;
      const result = await setTranslations(dependencies, locale, group.map(editOf), "overwrite", { signal });
      fields.written += result.written;
      fields.skipped.push(...result.skipped.map(({ name: { key }, reason }) => ({ locale, key, reason })));
      sent += result.failure?.sent ?? group.length;
      if (result.failure !== null) throw result.failure.error;
    } catch (error) {
      if (sent === 0) throw error;
      throw reportPartialResult(app, open, writtenText(), accepted.length - sent, fields, error);
    }
  }
  const { written, skipped } = fields;
  const message =
    skipped.length === 0
      ? writtenText()
      : l10n.t(
          "{0} written. The service did not write {1}: {2}.",
          formatCount.translations(written),
          formatCount.translations(skipped.length),
          [...new Set(skipped.map(({ reason }) => oneLine(skipReason(reason))))].join("; "),
        );
  reportResult(app, open, run, message, { isPartial: skipped.length > 0 });
  return { outcome: written === 0 ? "unchanged" : "done", ...fields };
};

/** Returns the texts of a language that have suggestions; `hashes`: only of these keys. */
async function correctedTexts(
  project: Project,
  locale: string,
  hashes: ReadonlySet<string> | undefined,
): Promise<CorrectedText[]> {
  const isWanted = (issue: KeyIssue): boolean => hasSuggestion(issue) && hashes?.has(issue.hash) !== false;
  const issues = await projectIssues(project, locale, isWanted);
  return [...Map.groupBy(issues, ({ hash }) => hash).values()].flatMap(([issue, ...others]) => {
    if (issue === undefined) return [];
    const text = withSuggestions(issue.row.text, [issue, ...others]);
    return text === null ? [] : { issue, text };
  });
}

/**
 * Returns the text with the suggestions of all its forms. A suggestion replaces the whole form, so only the last of several
 * for the same form is applied.
 */
export function withSuggestions(before: Text | null, issues: readonly KeyIssue[]): Text | null {
  return issues.reduce<Text | null>(withSuggestion, before);
}

/** Lets the user choose which changes to apply. */
async function chooseChanges(
  app: App,
  open: OpenProject,
  all: readonly CorrectedText[],
): Promise<readonly CorrectedText[]> {
  const { checked } = await showPreview<CorrectedText>(app, {
    idOf: ({ issue: { locale, hash } }) => `${locale} ${hash}`,
    sections: suggestionSections(open, all),
    titleOf: ({ length }) =>
      length === 0
        ? l10n.t("Apply suggestions: nothing selected")
        : l10n.t("Apply {0}?", formatCount.suggestions(length)),
    placeholder: l10n.t("Selected texts are written to the service."),
    differenceOf: ({ changes: [change], label }) =>
      textDifference(
        l10n.t("{0}: service ↔ suggestion", label),
        label,
        change?.issue.row.text ?? null,
        change?.text ?? null,
      ),
  });
  return checked;
}

/** Returns the rows by language; all are checked. */
export function suggestionSections(
  project: KeySpelling,
  all: readonly CorrectedText[],
): PreviewSection<CorrectedText>[] {
  const byLocale = Map.groupBy(all, ({ issue }) => issue.locale);
  return Array.from(byLocale, ([locale, group]) => ({
    heading: locale,
    rows: group.map((each) =>
      textRow(project, each, {
        icon: "lightbulb",
        name: each.issue,
        notes: [locale],
        detail: replacedText(each.issue.row.text, each.text),
        isChecked: true,
      }),
    ),
  }));
}

function editOf({ issue: { namespace, key, context, row }, text }: CorrectedText): TranslationEdit {
  return { name: { namespace, key, context }, text, version: row.version };
}
