/** What a pull did and did not do, in words and as items of its result. */
import type { RefusedItem } from "../../api/errors.ts";
import { NO_NAMESPACE, type KeyName } from "../../model/key-hash.ts";
import { isForms } from "../../model/translation-text.ts";
import type { LeftText } from "../../sync/pull/compare-with-export.ts";
import { leftTextsOf, type PullFile, type PullPlan, type PullProblem } from "../../sync/pull/pull-plan.ts";
import { changedFilesOf } from "../../sync/pull/write-pull.ts";
import type { Project } from "../../database/project-state.ts";
import type { LocalEntries } from "../../workspace/local-files/local-entries.ts";
import { definedFields } from "../../util/defined-fields.ts";
import { formatCount, formatTexts } from "../counts-and-times.ts";
import { type KeySpelling, projectKeyLabel, textLine } from "../labels.ts";
import { l10n } from "../../util/l10n.ts";
import { locationText, unreadableMessage } from "../file-problem-messages.ts";

/** What the messages need to know of the project that texts are pulled into. */
export interface PulledProject extends KeySpelling, Pick<Project, "sourceLocale" | "stats"> {
  readonly local: Pick<LocalEntries, "locate">;
}

/** Whether the file contains source texts, which are usually pushed and not pulled. */
function isSourceFile({ sourceLocale, local }: PulledProject, path: string): boolean {
  return sourceLocale !== null && local.locate(path)?.locale === sourceLocale;
}

/** Returns the number of texts that the files get, with source texts counted separately. `texts`: single ones. */
export function amountText(
  project: PulledProject,
  files: readonly PullFile[],
  texts: readonly LeftText[] = [],
): string {
  const sum = (all: readonly PullFile[]): number => all.reduce((total, file) => total + file.texts, 0);
  const source =
    sum(files.filter(({ path }) => isSourceFile(project, path))) +
    texts.filter(({ locale }) => locale === project.sourceLocale).length;
  const others = sum(files) + texts.length - source;
  const paths = new Set([...files, ...texts].map(({ path }) => path));
  return l10n.t("{0} in {1}", formatTexts(others, source), formatCount.files(paths.size));
}

/** Returns how many texts were left as they are in the files; empty for none. */
function leftNote({ sourceLocale }: Pick<Project, "sourceLocale">, left: readonly LeftText[]): string {
  const conflicts = left.filter(({ reason }) => reason === "conflict").length;
  const others = left.filter(({ reason }) => reason !== "conflict");
  const source = others.filter(({ locale }) => locale === sourceLocale).length;
  const translations = others.length - source;
  const parts = [
    ...(conflicts > 0 ? [l10n.t("{0} changed on both sides", formatCount.texts(conflicts))] : []),
    ...(translations > 0
      ? [l10n.t("{0} changed only in your files", formatCount.translations(translations))]
      : []),
    ...(source > 0 ? [l10n.t("{0} not pushed yet", formatCount.sourceTexts(source))] : []),
  ];
  return parts.length === 0 ? "" : l10n.t("Left as they are in your files: {0}.", parts.join(", "));
}

/** Returns what was pulled, and what was left as it is. `name`: of the project. */
export function pulledMessage(project: PulledProject, name: string, plan: PullPlan): string {
  const changed = changedFilesOf(plan);
  const left = leftTextsOf(plan);
  const pulled =
    changed.length > 0
      ? l10n.t("Pulled from {0}: {1}.", name, amountText(project, changed))
      : left.length > 0
        ? l10n.t("Nothing new to pull from {0}.", name)
        : l10n.t("Already up to date: all files match {0}.", name);
  return [pulled, leftNote(project, left)].filter((part) => part !== "").join(" ");
}

/** Returns both texts on one line. */
export function bothTexts({ ours, theirs }: LeftText): string {
  return ours === null
    ? l10n.t("service: {0}", textLine(theirs))
    : l10n.t("here: {0} ↔ service: {1}", textLine(ours), textLine(theirs));
}

/** Returns what is known of a text that was left. */
export function leftTextMessage(project: KeySpelling, text: LeftText): string {
  const { path, locale, name } = text;
  return `${path}: ${projectKeyLabel(project, name)} (${locale}) ${leftReason(text)}. ${bothTexts(text)}`;
}

/** Returns why a text was left, as the end of a sentence about it. */
function leftReason({ reason }: Pick<LeftText, "reason">): string {
  switch (reason) {
    case "conflict":
      return l10n.t("was changed here and on the service");
    case "file":
      return l10n.t("was changed only in the file");
    case "deleted":
      return l10n.t("was deleted only in the file");
  }
}

/** Returns a text that was left as an item of the result. */
export function leftItem(
  project: KeySpelling,
  { path, locale, name, reason, theirs }: LeftText,
): RefusedItem {
  const field = isForms(theirs) ? "forms" : "value";
  return {
    ...name,
    locale,
    field,
    file: path,
    messages: [`${projectKeyLabel(project, name)} ${leftReason({ reason })}.`],
  };
}

/** Returns a problem as an item of the result; a file as a whole has an empty key. */
export function problemItem(project: KeySpelling, problem: PullProblem): RefusedItem {
  const messages = [problemMessage(project, problem)];
  if (problem.kind !== "text")
    return { namespace: NO_NAMESPACE, key: "", context: null, field: "file", file: problem.path, messages };
  const { refusal } = problem;
  return {
    ...refusedName(refusal),
    ...definedFields({ locale: refusal.locale ?? undefined }),
    field: "value",
    file: problem.path,
    messages,
  };
}

/** Returns the key of a text that was refused. */
function refusedName({ namespace, key, context }: (PullProblem & { kind: "text" })["refusal"]): KeyName {
  return { namespace: namespace ?? NO_NAMESPACE, key, context };
}

/** Returns the message of a problem. */
export function problemMessage(project: KeySpelling, problem: PullProblem): string {
  switch (problem.kind) {
    case "unsaved":
      return l10n.t("{0} has unsaved changes.", problem.path);
    case "unmapped":
      return unmappedMessage(problem);
    case "unreadable":
      return unreadableProblemMessage(problem);
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
        projectKeyLabel(project, refusedName(problem.refusal)),
        refusalReason(problem.refusal.reason),
      );
  }
}

function unmappedMessage({ path, why }: PullProblem & { kind: "unmapped" }): string {
  switch (why) {
    case "layout":
      return l10n.t(
        "{0} of the export matches no path of “files” in project-translations.json. Add its path, or set “pull.into” to create it.",
        path,
      );
    case "language":
      return l10n.t(
        "{0} of the export does not tell its language. Pull one language at a time, or have {1} added to the path of the export format.",
        path,
        "{locale}",
      );
    case "exists":
      return l10n.t(
        "{0} was not changed because it matches no path of “files” in project-translations.json.",
        path,
      );
  }
}

function unreadableProblemMessage({ path, why, line, column }: PullProblem & { kind: "unreadable" }): string {
  const location = locationText(path, line, column);
  switch (why) {
    case "encoding":
      return l10n.t("{0} is not valid in its encoding. Save it as UTF-8, then pull again.", location);
    case "format":
      return l10n.t("{0} is in a format that cannot be edited here.", location);
    case "syntax":
      if (line !== null) return l10n.t("{0} has an error. Fix it, then pull again.", location);
      return l10n.t(
        "{0} cannot be read: it is damaged, or not in its expected format. Fix or delete it, then pull again.",
        path,
      );
    case "too_large":
      return l10n.t("{0} is larger than 50 MB, so it was not changed.", location);
    case "outside":
    case "broken_link":
    case "not_a_file":
    case "failed":
      return unreadableMessage(path, why);
    case "theirs":
      return l10n.t("What the service sent for {0} cannot be read.", location);
  }
}

function refusalReason(code: (PullProblem & { kind: "text" })["refusal"]["reason"]): string {
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
    case "generated":
      return l10n.t("the file is only replaced as a whole, and other texts in it are kept");
  }
}
