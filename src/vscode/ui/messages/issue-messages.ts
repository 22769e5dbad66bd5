/** Messages for QA issues. The set of rules is open ("Full set of issue rule names and levels: not shown"). */
import type { QaIssue } from "../../../api/response-schemas.ts";
import { l10n } from "../../l10n.ts";

/** Returns the message of an issue; for an unknown rule its name. */
export function issueMessage({ rule, placeholder, form }: QaIssue): string {
  const message = ruleMessage(rule, placeholder ?? "");
  return form === undefined || form === null || form === ""
    ? message
    : l10n.t("{0} (form “{1}”)", message, form);
}

function ruleMessage(rule: string, placeholder: string): string {
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

/** Whether the issue is an error. The set of levels is open; all other levels are shown as warnings. */
export function isError({ level }: QaIssue): boolean {
  return level === "error";
}
