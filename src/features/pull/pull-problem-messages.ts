/** Messages for texts that a pull could not apply. */
import type { PullProblem } from "../../sync/pull/pull-plan.ts";
import { locationText } from "../../vscode/files/file-problem-messages.ts";
import { documentMarkdown } from "../../vscode/ui/text/escape-text.ts";
import { l10n } from "../../vscode/l10n.ts";

/** Returns the message of a problem. */
export function problemMessage(problem: PullProblem): string {
  switch (problem.kind) {
    case "unsaved":
      return l10n.t("{0} has unsaved changes.", problem.path);
    case "unreadable":
      return unreadableMessage(problem);
    case "broken":
      if (problem.line === null) {
        return l10n.t(
          "{0} cannot be read: it is damaged, or not in its expected format. Fix or delete it, then pull again.",
          problem.path,
        );
      }
      return l10n.t(
        "{0} has an error. Fix it, then pull again.",
        locationText(problem.path, problem.line, problem.column),
      );
    case "language":
      return l10n.t(
        "{0} has no column for {1}, and none could be added to it. Add one, then pull again.",
        problem.path,
        problem.locale,
      );
    case "text":
      return l10n.t(
        "{0}: {1} was not changed because {2}.",
        problem.path,
        problem.refusal.key,
        reason(problem.refusal.reason),
      );
  }
}

function unreadableMessage({ path, why, line, column }: PullProblem & { kind: "unreadable" }): string {
  const place = locationText(path, line, column);
  switch (why) {
    case "encoding":
      return l10n.t("{0} is not valid in its encoding. Save it as UTF-8, then pull again.", place);
    case "format":
      return l10n.t("{0} is in a format that cannot be edited here.", place);
    case "too_large":
      return l10n.t("{0} is larger than 50 MB, so it was not changed.", place);
    case "theirs":
      return l10n.t("What the service sent for {0} cannot be read.", place);
  }
}

/** Returns the report as Markdown. */
export function problemDocument(heading: string, problems: readonly PullProblem[]): string {
  const lines = problems.map((problem) => `- ${documentMarkdown(problemMessage(problem))}`);
  return `# ${documentMarkdown(heading)}\n\n${lines.join("\n")}\n`;
}

function reason(code: (PullProblem & { kind: "text" })["refusal"]["reason"]): string {
  switch (code) {
    case "expression":
    case "interpolation":
      return l10n.t("its value is code");
    case "source":
      return l10n.t("its text is the source text itself");
    case "forms":
      return l10n.t("the file cannot hold all its plural forms");
    case "encoding":
      return l10n.t("the file’s encoding cannot represent it");
    case "syntax":
      return l10n.t("the file has an error near it");
    case "conflict":
      return l10n.t("another entry is in the way");
    case "not_found":
      return l10n.t("it does not exist");
    case "unsupported":
      return l10n.t("its value cannot be written in this format");
  }
}
