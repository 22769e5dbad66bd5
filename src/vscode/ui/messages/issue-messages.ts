/** Messages for QA issues. The set of rules is open ("Full set of issue rule names and levels: not shown"). */
import type { QaIssue } from "../../../api/response-schemas.ts";
import type { PlaceholderIssue, SyntaxProblem } from "../../../model/placeholder-checks.ts";
import { TRAILING_LINE_BREAK } from "../../../model/trailing-line-break.ts";
import { l10n } from "../../l10n.ts";

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

function ruleMessage(rule: string, placeholder: string): string {
  if (rule === TRAILING_LINE_BREAK) return l10n.t("ends in a line break that the source text does not have");
  if (placeholder === "") return rule;
  switch (rule.slice(rule.lastIndexOf(".") + 1)) {
    case "missing":
      return l10n.t("{0} is missing", placeholder);
    case "unexpected":
      return l10n.t("{0} is not in the source text", placeholder);
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
      return l10n.t("“{0}” is there twice", text);
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
