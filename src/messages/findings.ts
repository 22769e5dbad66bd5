/** What is found to be wrong in a project, and what is said of it: in an editor, in Problems and on the command line. */
import type { KeyName } from "../model/key-hash.ts";
import type { PlaceholderIssue } from "../model/placeholder-checks.ts";
import type { Project } from "../database/project-state.ts";
import type { KeyIssue } from "../sync/qa-issues.ts";
import { l10n } from "../util/l10n.ts";
import type { LocalEntry, LocalProblem } from "../workspace/local-files/local-entries.ts";
import { fileProblemMessage } from "./file-problem-messages.ts";
import { textProblemMessage, unknownKeyMessage } from "./issue-messages.ts";
import { type KeySpelling, projectKeyLabel } from "./labels.ts";

/** What is wrong. */
export type Finding =
  | { readonly kind: "issue"; readonly issue: KeyIssue; readonly inFile: boolean }
  /** `written`: the key as in the code; `similar`: one with nearly the same name. */
  | {
      readonly kind: "unknown";
      readonly candidates: readonly KeyName[];
      readonly written: string;
      readonly similar: string | null;
    }
  | { readonly kind: "missing" | "outdated"; readonly key: KeyName; readonly locales: readonly string[] }
  /** For a text that the service does not have. */
  | { readonly kind: "placeholder"; readonly issue: PlaceholderIssue; readonly entry: LocalEntry }
  /** Characters. */
  | {
      readonly kind: "too-long";
      readonly entry: LocalEntry;
      readonly length: number;
      readonly maxLength: number;
    }
  | { readonly kind: "unpushed"; readonly change: "new" | "changed" | "archived"; readonly entry: LocalEntry }
  | { readonly kind: "file"; readonly problem: LocalProblem };

export const SEVERITY_SETTINGS = [
  "diagnostics.qaIssues",
  "diagnostics.unknownKey",
  "diagnostics.missingTranslation",
] as const;

interface FindingDescription {
  /** The `code` of the diagnostic: the service's rule, or an id of the extension. */
  readonly code: string;
  /** The setting of its severity. */
  readonly setting: (typeof SEVERITY_SETTINGS)[number];
  /** The keys it is about; ignore rules may name them. */
  readonly keys: readonly KeyName[];
  readonly message: () => string;
}

/**
 * Returns what is reported about a finding. Its message names the key: in the Problems panel it is read alone.
 * @param others More issues of the same text.
 */
export function describeFinding(
  project: KeySpelling & Pick<Project, "source">,
  finding: Finding,
  others: readonly Finding[] = [],
): FindingDescription {
  const labelOf = (name: KeyName): string => projectKeyLabel(project, name);
  switch (finding.kind) {
    case "issue":
    case "placeholder": {
      const { name, locale, text } =
        finding.kind === "issue"
          ? { name: finding.issue, locale: finding.issue.locale, text: finding.issue.row.text }
          : finding.entry;
      const issues = [finding, ...others].flatMap((each) => ("issue" in each ? [each.issue] : []));
      const message = () => textProblemMessage(labelOf(name), locale, text, issues);
      return { code: finding.issue.rule, setting: "diagnostics.qaIssues", keys: [name], message };
    }
    case "unknown": {
      const { written, similar } = finding;
      const message = () => unknownKeyMessage(written, similar, project.source);
      return { code: "unknown-key", setting: "diagnostics.unknownKey", keys: finding.candidates, message };
    }
    case "missing":
    case "outdated": {
      const { kind, key, locales } = finding;
      const message = () =>
        kind === "missing"
          ? l10n.t("{0} ({1}): untranslated", labelOf(key), locales.join(", "))
          : l10n.t(
              "{0} ({1}): outdated, since the source text was changed",
              labelOf(key),
              locales.join(", "),
            );
      return { code: `${kind}-translation`, setting: "diagnostics.missingTranslation", keys: [key], message };
    }
    case "too-long": {
      const { entry, length, maxLength } = finding;
      const message = () =>
        l10n.t(
          "{0} ({1}): {2} of at most {3} characters",
          labelOf(entry.name),
          entry.locale,
          length,
          maxLength,
        );
      return { code: "too-long", setting: "diagnostics.qaIssues", keys: [], message };
    }
    case "unpushed": {
      const { change, entry } = finding;
      const message = () => {
        const key = labelOf(entry.name);
        if (change === "archived") return l10n.t("“{0}” is archived on the service.", key);
        return change === "new"
          ? l10n.t("“{0}” is not pushed yet: the service does not have this key.", key)
          : l10n.t("“{0}” is not pushed yet: the service has another text.", key);
      };
      return { code: "unpushed", setting: "diagnostics.unknownKey", keys: [], message };
    }
    case "file": {
      const { problem } = finding;
      const message = () => fileProblemMessage(problem, project);
      return { code: problem.code, setting: "diagnostics.qaIssues", keys: [], message };
    }
  }
}
