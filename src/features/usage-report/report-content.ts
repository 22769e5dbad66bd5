/** What the view "Usage" shows. Knows nothing of VS Code but its texts. */
import type { SkipReason } from "../../database/key-usage-repository.ts";
import { formatCount } from "../../messages/counts-and-times.ts";
import { l10n } from "../../util/l10n.ts";
import type { RowContent } from "../../vscode/ui/tree-view/row-content.ts";
import type {
  BuiltKey,
  ProbablyUnusedKey,
  UndeterminableKey,
  UsageReport,
} from "../../workspace/usages/find-unused-keys.ts";
import type { CallLocation, OpenCall } from "./open-call-decisions.ts";

/** A group of a report: the name of what is below it. */
export type ReportGroupName =
  | "calls"
  | "unused"
  | "probablyUnused"
  | "undeterminable"
  | "used"
  | "skippedFiles";

/** A row of a report, with those of keys, calls or files. */
export interface ReportGroup {
  readonly name: ReportGroupName;
  readonly content: RowContent;
}

/** Returns the groups of a report. @param callCount of the calls that hold keys open */
export function reportGroups(
  { used, unused, probablyUnused, undeterminable, skippedFiles }: UsageReport,
  callCount: number,
): readonly ReportGroup[] {
  const group = (
    name: ReportGroupName,
    icon: string,
    label: string,
    more: Partial<RowContent> = {},
  ): ReportGroup => ({ name, content: { label, icon, children: "collapsed", ...more } });
  const calls = l10n.t("Unresolved calls ({0})", callCount);
  const skipped = l10n.t("Files that were not searched ({0})", skippedFiles.length);
  return [
    // First, since each decision about a call decides about many keys.
    ...(callCount > 0 ? [group("calls", "code", calls, { children: "expanded" })] : []),
    group("unused", "circle-slash", l10n.t("Unused ({0})", unused.length), { kind: "unusedKeys" }),
    group("probablyUnused", "circle-large-outline", l10n.t("Probably unused ({0})", probablyUnused.length)),
    group("undeterminable", "question", l10n.t("May be used ({0})", undeterminable.length)),
    group("used", "check", l10n.t("Used ({0})", used.length)),
    ...(skippedFiles.length > 0 ? [group("skippedFiles", "file", skipped)] : []),
  ];
}

/** Returns what is known of a used key. @param count of its usages @param built how its name is built, if it is */
export function usedText(count: number, built: BuiltKey | undefined): string {
  if (built !== undefined) return l10n.t("built by {0} with a word in {1}", built.pattern, built.path);
  return count === 0 ? l10n.t("used by the framework, a text or “usage.keep”") : formatCount.usages(count);
}

/** Returns why it cannot be determined whether the key is used. `format`: of the path or the pattern. */
export function undeterminableReason(
  { pattern, path }: Pick<UndeterminableKey, "pattern" | "path">,
  format = (text: string): string => text,
): string {
  if (pattern === null) return l10n.t("named in {0}", format(path ?? ""));
  return path === null
    ? l10n.t("may be used by {0}", format(pattern))
    : l10n.t("may be used by {0}, with a word in {1}", format(pattern), format(path));
}

/** Returns why the key is probably unused. `format`: of the pattern. */
export function probablyUnusedReason(
  { pattern }: Pick<ProbablyUnusedKey, "pattern">,
  format = (text: string): string => text,
): string {
  return l10n.t("only {0} could use it, and no file has the rest of its name", format(pattern));
}

/** Returns why a file was not searched. */
export function skipReasonText(reason: SkipReason): string {
  switch (reason) {
    case "minified":
      return l10n.t("minified");
    case "too-large":
      return l10n.t("too large");
    case "not-text":
      return l10n.t("not a text file");
    case "unreadable":
      return l10n.t("cannot be read");
    case "failed":
      return l10n.t("an error of Project Translations; report it with the file");
    case "outside":
      return l10n.t("a link out of the project");
  }
}

/** Returns the row of a file that was not searched. */
export function skippedFileContent({ path, reason }: UsageReport["skippedFiles"][number]): RowContent {
  return { label: path, description: skipReasonText(reason), icon: "file-code" };
}

/** Returns the row of a call that may mean several keys; its places are below it if there are several. */
export function openCallContent({ text, locations, count }: OpenCall): RowContent {
  const [first, ...others] = locations;
  const where = others.length === 0 ? locationText(first) : formatCount.calls(locations.length);
  return {
    label: text,
    description: `${l10n.t("may mean {0}", formatCount.keys(count))} · ${where}`,
    tooltip: [text, where],
    icon: "symbol-method",
    kind: "openCall",
    ...(others.length > 0 && { children: "collapsed" }),
  };
}

/** Returns the row of one of several places of a call. */
export function callLocationContent(location: CallLocation): RowContent {
  return { label: locationText(location), icon: "file-code", kind: "openCall" };
}

/** Returns the file and line: `app/Order.php:48`. */
export function locationText({ path, range }: CallLocation): string {
  return `${path}:${range.start.line + 1}`;
}
