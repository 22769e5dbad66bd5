/**
 * Applies all suggestions of the service, of a language or of some keys: each is looked at first and can be left out,
 * each is written with the version that was read.
 */
import { commands, window } from "vscode";
import { fixedText, issuesOf, localesWithIssues, type IssueOfKey } from "../../core/issues.ts";
import { isForms, type Text } from "../../core/text.ts";
import type { App, OpenProject, Run } from "../../host/app.ts";
import { counted } from "../../host/counted.ts";
import { labelText } from "../../host/markdown.ts";
import { chooseSignedIn } from "../../host/needs.ts";
import { showInformation } from "../../host/notifications.ts";
import { CommandError, type CommandResult, type CommonOptions } from "../../host/outcome.ts";
import { hasSuggestion, keyLabel, localeRows, textLine } from "../../host/tree-rows.ts";
import { l10n } from "../../host/words.ts";

/** Options of `projectTranslations.applySuggestions`; without any it is about all languages and keys. */
interface ApplyAllOptions extends CommonOptions {
  readonly locale?: string;
  /** Only these keys. */
  readonly hashes?: readonly string[];
}

interface Fields {
  readonly written: number;
  readonly skipped: readonly { readonly locale: string; readonly key: string; readonly reason: string }[];
}

/** One translation with every suggestion for it. */
interface Mended {
  readonly issue: IssueOfKey;
  readonly text: Text;
}

interface Written {
  readonly written: number;
  readonly skipped: readonly { readonly key: string; readonly reason: string }[];
}

/** Registers `projectTranslations.applySuggestions`. */
export function registerApplySuggestions(app: App): void {
  app.command(
    "projectTranslations.applySuggestions",
    l10n.t("Apply All Suggestions"),
    (options: ApplyAllOptions, run) => applyAll(app, options, run),
  );
}

async function applyAll(app: App, options: ApplyAllOptions, run: Run): Promise<CommandResult<Fields>> {
  const chosen = await chooseSignedIn(app, options, "write");
  if (chosen === undefined) return { outcome: "cancelled" };
  const { open } = chosen;
  const locales = options.locale === undefined ? localesWithIssues(open.project) : [options.locale];
  run.report(l10n.t("Reading translations"));
  for (const locale of locales) await localeRows(open, locale);
  const wanted = options.hashes === undefined ? null : new Set(options.hashes);
  const all = locales.flatMap((locale) => mendedIn(open, locale, wanted));
  run.pause();
  const none: Fields = { written: 0, skipped: [] };
  if (all.length === 0) {
    if (options.confirm !== false) void showInformation(l10n.t("The service suggests nothing there."));
    return { outcome: "unchanged", ...none };
  }
  const ticked = options.confirm === false ? all : await look(all);
  if (ticked === undefined) return { outcome: "cancelled" };
  const done = { written: 0, skipped: [] as Fields["skipped"][number][] };
  for (const [locale, group] of Map.groupBy(ticked, ({ issue }) => issue.locale)) {
    run.report(l10n.t("Writing {0}", counted.translations(group.length)));
    const { written, skipped } = await write(open, locale, group);
    done.written += written;
    done.skipped.push(...skipped.map(({ key, reason }) => ({ locale, key, reason })));
  }
  const words =
    done.skipped.length === 0
      ? l10n.t("{0} written.", counted.translations(done.written))
      : l10n.t(
          "{0} written; {1} changed meanwhile and stayed as they are.",
          counted.translations(done.written),
          done.skipped.length,
        );
  app.results.add(open, words, done.skipped.length === 0 ? "done" : "partly");
  if (options.confirm !== false) void showInformation(words);
  return { outcome: done.written === 0 ? "unchanged" : "done", ...done };
}

function mendedIn(open: OpenProject, locale: string, wanted: ReadonlySet<string> | null): Mended[] {
  const issues = issuesOf(open.project, locale).filter(
    (issue) => hasSuggestion(issue) && (wanted === null || wanted.has(issue.hash)),
  );
  return [...Map.groupBy(issues, ({ hash }) => hash).values()].flatMap((group) => {
    const [issue] = group;
    return issue === undefined ? [] : { issue, text: mended(group, issue) };
  });
}

/** A suggestion is the whole right text of its form, so of several for one form any does. */
function mended(issues: readonly IssueOfKey[], first: IssueOfKey): Text {
  const text = fixedText(first);
  if (!isForms(text)) return text;
  const forms = issues.map(({ form, suggestion }) => [form ?? "", suggestion ?? ""] as const);
  return { forms: { ...text.forms, ...Object.fromEntries(forms) } };
}

/** What would change, with a tick each. */
async function look(all: readonly Mended[]): Promise<readonly Mended[] | undefined> {
  const picked = await window.showQuickPick(
    all.map((each) => ({
      label: labelText(keyLabel(each.issue)),
      description: labelText(each.issue.locale),
      detail: labelText(`${textLine(each.issue.row.text)} → ${textLine(each.text)}`),
      picked: true,
      each,
    })),
    {
      canPickMany: true,
      title: l10n.t("Apply {0}?", counted.suggestions(all.length)),
      placeHolder: l10n.t("What is ticked is written to the service."),
      ignoreFocusOut: true,
      matchOnDescription: true,
      matchOnDetail: true,
    },
  );
  return picked?.map(({ each }) => each);
}

async function write(open: OpenProject, locale: string, group: readonly Mended[]): Promise<Written> {
  const items = group.map(({ issue: { namespace, key, context, row }, text }) => ({
    namespace,
    key,
    ...(context === null ? {} : { context }),
    ...(isForms(text) ? { forms: text.forms } : { value: text.value }),
    version: row.version,
  }));
  const result = await commands.executeCommand<CommandResult<Written>>(
    "projectTranslations.setTranslations",
    { folder: open.root, locale, items, confirm: false },
  );
  if (result.outcome === "failed") {
    const { code, message, ...details } = result.error;
    throw new CommandError(code, message, details);
  }
  return result.outcome === "cancelled" ? { written: 0, skipped: [] } : result;
}
