/** Messages for QA issues. The set of rules is open ("Full set of issue rule names and levels: not shown"). */
import type { QaIssue } from "../api/response-schemas.ts";
import type { TextSource } from "../database/session/text-source.ts";
import type { PlaceholderIssue, SyntaxProblem } from "../model/placeholder-checks.ts";
import { TRAILING_LINE_BREAK } from "../model/trailing-line-break.ts";
import { isForms, valuesOf, type Text } from "../model/translation-text.ts";
import type { IssueCounts } from "../sync/qa-issues.ts";
import { l10n } from "../util/l10n.ts";
import { formatCount } from "./counts-and-times.ts";

/** Returns the message of an issue; for an unknown rule its name. */
export function issueMessage(issue: QaIssue & Pick<PlaceholderIssue, "syntax">): string {
  const { rule, placeholder, form, syntax } = issue;
  const message =
    syntax === undefined
      ? ruleMessage(rule, placeholder ?? "")
      : syntaxMessage(syntax, shortened(placeholder ?? ""));
  return form === undefined || form === null || form === ""
    ? message
    : l10n.t("{0} (form “{1}”)", message, form);
}

/** Returns how many issues there are of each level, as everywhere: "2 QA errors", "1 QA warning"; levels without any are absent. */
export function issueCountTexts({ errors, warnings }: IssueCounts): string[] {
  return [
    ...(errors > 0 ? [formatCount.qaErrors(errors)] : []),
    ...(warnings > 0 ? [formatCount.qaWarnings(warnings)] : []),
  ];
}

/** Returns what is wrong with one text. */
export function textProblems(
  text: Text | null,
  issues: readonly (QaIssue & Pick<PlaceholderIssue, "syntax">)[],
): readonly string[] {
  const unknown = replacedPlaceholders(text, issues).map((each) => l10n.t("{0} is unknown", each));
  return [...issues.map(issueMessage), ...unknown];
}

/** Returns one message for what is wrong with one text, which can be read without the text. */
export function textProblemMessage(
  key: string,
  locale: string,
  text: Text | null,
  issues: readonly (QaIssue & Pick<PlaceholderIssue, "syntax">)[],
): string {
  return l10n.t("{0} ({1}): {2}", key, locale, textProblems(text, issues).join(", "));
}

/** Returns the placeholders of a text that are wrong by its issues, as written there. */
export function wrongPlaceholders(text: Text | null, issues: readonly QaIssue[]): readonly string[] {
  if (text === null) return [];
  const values = valuesOf(text);
  const isThere = (placeholder: string): boolean => values.some((value) => value.includes(placeholder));
  const named = issues.flatMap(({ rule, placeholder }) =>
    placeholder && !rule.endsWith(".missing") && isThere(placeholder) ? [placeholder] : [],
  );
  return [...new Set([...named, ...replacedPlaceholders(text, issues)])];
}

/** What looks like a placeholder of any family. */
const PLACEHOLDER = /:[\p{L}_]\w*|\{\{[^{}]*\}\}|\{[^{}]*\}|%\([^()]*\)[a-z]|%[\w.-]+%|%(?:\d\$)?[a-z]/giu;

/**
 * Returns the placeholders of the text that its corrections do not have: an issue names only the one that is missing. In a
 * text that is translated by a wrong name, that is what has to be found.
 */
function replacedPlaceholders(text: Text | null, issues: readonly QaIssue[]): readonly string[] {
  const replaced = issues.flatMap(({ form, suggestion, rule }) => {
    const value = text === null ? undefined : isForms(text) ? text.forms[form ?? ""] : text.value;
    if (value === undefined || !suggestion || !rule.endsWith(".missing")) return [];
    const kept = new Set(suggestion.match(PLACEHOLDER));
    return (value.match(PLACEHOLDER) ?? []).filter((placeholder) => !kept.has(placeholder));
  });
  const named = new Set(issues.map(({ placeholder }) => placeholder));
  return [...new Set(replaced)].filter((placeholder) => !named.has(placeholder));
}

/** Returns the message of a key that does not exist. @param similar A key with nearly the same name; `null`: there is none */
export function unknownKeyMessage(
  written: string,
  similar: string | null,
  { hasService }: Pick<TextSource, "hasService">,
): string {
  if (similar !== null) return l10n.t("Unknown key “{0}”. Did you mean “{1}”?", written, similar);
  return hasService
    ? l10n.t("Unknown key “{0}”: neither the service nor a translation file has it.", written)
    : l10n.t("Unknown key “{0}”: no translation file has it.", written);
}

function ruleMessage(rule: string, placeholder: string): string {
  if (rule === TRAILING_LINE_BREAK) return l10n.t("ends in a line break that the source text does not have");
  if (placeholder === "") return rule;
  switch (rule.slice(rule.lastIndexOf(".") + 1)) {
    case "missing":
      return l10n.t("{0} is missing", placeholder);
    case "unexpected":
      return l10n.t("{0} is unknown", placeholder);
    case "type":
      return l10n.t("{0} has a different type than in the source text", placeholder);
    case "syntax":
      return l10n.t("the braces do not match");
    default:
      return `${rule}: ${placeholder}`;
  }
}

function syntaxMessage({ kind }: SyntaxProblem, text: string): string {
  switch (kind) {
    case "format":
      return l10n.t("“{0}” is not a valid placeholder", text);
    case "argument":
    case "argument-style":
    case "options":
      return l10n.t("“{0}” is not a valid argument", text);
    case "argument-type":
      return l10n.t("“{0}” is not a type of argument", text);
    case "closing-brace":
      return l10n.t("the brace of “{0}” is not closed", text);
    case "duplicate-option":
      return l10n.t("“{0}” appears twice", text);
    case "missing-other":
      return l10n.t("“{0}” has no “other”", text);
    case "tag":
      return l10n.t("the tag “{0}” is not closed, or has attributes", text);
  }
}

const MAX_SHOWN_LENGTH = 40;

function shortened(text: string): string {
  return text.length <= MAX_SHOWN_LENGTH ? text : `${text.slice(0, MAX_SHOWN_LENGTH)}…`;
}

/** Whether the issue is an error. The set of levels is open; all other levels are shown as warnings. */
export function isError({ level }: QaIssue): boolean {
  return level === "error";
}
