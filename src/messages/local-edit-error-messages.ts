/** Messages for texts that could not be written to a local file. */
import type { KeyName } from "../model/key-hash.ts";
import type { LocalRefusal } from "../workspace/local-files/local-entries.ts";
import { CommandError, type FailureCode } from "../commands/command-types.ts";
import { locationText } from "./file-problem-messages.ts";
import { type KeySpelling, projectKeyLabel } from "./labels.ts";
import { l10n } from "../util/l10n.ts";

/** Returns the error for a command whose only change was refused. */
export function localRefusalError(project: KeySpelling, name: KeyName, refusal: LocalRefusal): CommandError {
  const [code, message] = describeRefusal(projectKeyLabel(project, name), refusal);
  return new CommandError(code, message, { reason: refusal.reason });
}

function describeRefusal(
  key: string,
  { path, reason, line, column }: LocalRefusal,
): readonly [FailureCode, string] {
  const file = locationText(path ?? "", line, column);
  switch (reason) {
    case "no_file":
    case "not_found":
      return [
        "not_found",
        l10n.t(
          "No translation file of this project contains keys like {0}. Check “files” in project-translations.json.",
          key,
        ),
      ];
    case "unreadable":
      return [
        "unsafe_file",
        l10n.t("The encoding or format of {0} is not what it claims to be, so it was not changed.", file),
      ];
    case "too_large":
      return ["unsafe_file", l10n.t("{0} is larger than 50 MB, so it was not changed.", file)];
    case "encoding":
      return [
        "invalid",
        l10n.t("The encoding of {0} cannot represent this text. Save the file as UTF-8 first.", file),
      ];
    case "expression":
    case "interpolation":
      return [
        "invalid",
        l10n.t("The value of {0} in {1} is code, so it was not changed. Edit it there.", key, file),
      ];
    case "source":
      return [
        "invalid",
        l10n.t(
          "The text of {0} in {1} is the source text itself, which other files and code rely on. Change it there.",
          key,
          file,
        ),
      ];
    case "forms":
      return ["invalid", l10n.t("{0} cannot hold all plural forms of {1}. Check the file.", file, key)];
    case "syntax":
      return ["invalid", l10n.t("{0} has an error, so it was not changed. Fix it first.", file)];
    case "generated":
      return [
        "invalid",
        l10n.t(
          "{0} is made by another program, so it was not changed. Change {1} in what it is made from, or pull the file.",
          file,
          key,
        ),
      ];
    case "conflict":
    case "unsupported":
      return [
        "invalid",
        l10n.t("{0} cannot be written to {1} in its current state. Check the file.", key, file),
      ];
  }
}
