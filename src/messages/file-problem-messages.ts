/** Messages for problems in translation files: the file, the line and column, and what to do. */
import type { RefusedItem } from "../api/errors.ts";
import { NO_NAMESPACE } from "../model/key-hash.ts";
import type { LocalEntries, LocalFiles, LocalProblem } from "../workspace/local-files/local-entries.ts";
import type { UnparsedRange } from "../workspace/local-files/local-file.ts";
import type { UnreadableReason } from "../model/platform.ts";
import { CommandError } from "../commands/command-types.ts";
import { formatDisplayName } from "../model/file-formats.ts";
import { type KeySpelling, projectKeyLabel } from "./labels.ts";
import { l10n } from "../util/l10n.ts";

/** Returns `lang/nl/auth.php:12:5`, which editors and terminals link; the path alone if the line is not known. */
export function locationText(path: string, line: number | null, column: number | null): string {
  return line === null ? path : `${path}:${line}:${column ?? 1}`;
}

/** Returns the message of a problem, including its location. @param project names its key; not needed if it has none */
export function fileProblemMessage(
  { code, path, line, column, name, format, reason }: LocalProblem,
  project?: KeySpelling,
): string {
  const location = locationText(path, line, column);
  const key = name === null ? "" : projectKeyLabel(project, name);
  switch (code) {
    case "syntax":
      if (line === null)
        return l10n.t("{0}: cannot be read: it is damaged, or not in its expected format", location);
      return l10n.t("{0}: an error; the file may be misread from here on", location);
    case "duplicate":
      return l10n.t("{0}: {1} appears more than once in the file", location, key);
    case "elsewhere":
      return l10n.t("{0}: {1} is also in another file, which takes precedence", location, key);
    case "type":
      return l10n.t("{0}: {1} is not a text, so it is skipped", location, key);
    case "expression":
      return l10n.t("{0}: {1} is code, so its text is not known", location, key);
    case "encoding":
      return l10n.t(
        "{0}: not in an encoding that can be written. Save the file as UTF-8, and let it declare UTF-8.",
        location,
      );
    case "unsupported":
      return l10n.t("{0}: files of this format are not read here", location);
    case "locale":
      return l10n.t(
        "{0}: a language that the service does not have. Add it there, or name it in “locales” of project-translations.json.",
        location,
      );
    case "format":
      return l10n.t(
        "{0}: the file is {1}. Set “format” to “{2}” in project-translations.json.",
        location,
        formatDisplayName(format ?? "?"),
        format ?? "?",
      );
    case "too_large":
      return l10n.t("{0}: larger than 50 MB, so it is not read", location);
    case "unreadable":
      return unreadableMessage(path, reason ?? "failed");
  }
}

/**
 * Returns an item of a result for each file or folder that could not be read completely. Its keys are unknown, so `key` is
 * `*`.
 */
export function unreadItems(
  local: Pick<LocalFiles, "incomplete">,
  ranges: readonly UnparsedRange[],
): readonly RefusedItem[] {
  return ranges.map(({ path, namespace, line, column }) => {
    const problem = local.incomplete.find((each) => each.path === path);
    const message = problem === undefined ? locationText(path, line, column) : fileProblemMessage(problem);
    return {
      namespace: namespace ?? NO_NAMESPACE,
      key: "*",
      context: null,
      file: path,
      field: "file",
      messages: [message],
    };
  });
}

/** Joins the messages of items, to be put before a full stop. */
export function messagesOf(items: readonly RefusedItem[]): string {
  return items.flatMap(({ messages }) => messages.map((message) => message.replace(/\.$/u, ""))).join("; ");
}

/** Returns the message of the first problem that prevents reading source texts, if any. */
export function firstSourceProblem(
  project: KeySpelling & {
    readonly local: Pick<LocalEntries, "files" | "sourceLocale" | "unreadableFolders">;
  },
): string | undefined {
  const { files, sourceLocale, unreadableFolders } = project.local;
  const folder = unreadableFolders.find(({ mayHaveSourceTexts }) => mayHaveSourceTexts);
  if (folder !== undefined) return unreadableMessage(folder.path, folder.reason);
  const problem = files
    .filter(({ locales }) => locales.has(sourceLocale))
    .flatMap(({ problems }) => problems)
    .find(({ code }) => code !== "duplicate" && code !== "elsewhere" && code !== "type");
  return problem && fileProblemMessage(problem, project);
}

/** Returns why a file or folder cannot be read, and what to do. */
export function unreadableMessage(path: string, reason: UnreadableReason): string {
  switch (reason) {
    case "outside":
      return l10n.t(
        "{0}: a link out of the project, which is not followed. Put the file into the project.",
        path,
      );
    case "broken_link":
      return l10n.t("{0}: a link to something that does not exist. Correct or remove the link.", path);
    case "not_a_file":
      return l10n.t("{0}: not a regular file. Rename or remove it.", path);
    case "failed":
      return l10n.t("{0}: cannot be read. Check its permissions and the disk.", path);
  }
}

/** The error for a file that a command needs and that cannot be read. */
export function unreadableFileError(path: string, reason: UnreadableReason): CommandError {
  const code = reason === "outside" ? "unsafe_file" : "invalid";
  return new CommandError(code, unreadableMessage(path, reason), { reason: "unreadable_file" });
}
