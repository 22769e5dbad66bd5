/** Why a text could not be written into a local file, in words. */
import type { KeyName } from "../../model/key-identity.ts";
import type { LocalRefusal } from "../../workspace/local-files/local-entries.ts";
import { CommandError } from "../outcome.ts";
import { placeWords } from "../projects/file-problems.ts";
import { l10n } from "../l10n.ts";

/** The failure of a command whose only change was refused. */
export function refusedError({ key }: KeyName, { path, reason, line, column }: LocalRefusal): CommandError {
  const file = placeWords(path ?? "", line, column);
  switch (reason) {
    case "no_file":
    case "not_found":
      return new CommandError(
        "not_found",
        l10n.t(
          "No translation file of this project holds keys like {0}. Look at “files” in project-translations.json.",
          key,
        ),
        { reason },
      );
    case "unreadable":
      return new CommandError(
        "unsafe_file",
        l10n.t("{0} is in an encoding or a format that is not what it says, so it was left as it is.", file),
        { reason },
      );
    case "too_large":
      return new CommandError(
        "unsafe_file",
        l10n.t("{0} is larger than 50 MB, so it was left as it is.", file),
        { reason },
      );
    case "encoding":
      return new CommandError(
        "invalid",
        l10n.t("The encoding of {0} has no way to write this text. Save the file as UTF-8 first.", file),
        { reason },
      );
    case "expression":
    case "interpolation":
      return new CommandError(
        "invalid",
        l10n.t("The value of {0} in {1} is code, so it was left as it is. Change it there.", key, file),
        { reason },
      );
    case "source":
      return new CommandError(
        "invalid",
        l10n.t(
          "The text of {0} in {1} is the source text itself, which other files and code go by. Change it there.",
          key,
          file,
        ),
        { reason },
      );
    case "forms":
      return new CommandError(
        "invalid",
        l10n.t("{0} has no place for all plural forms of {1}. Look at the file.", file, key),
        { reason },
      );
    case "syntax":
      return new CommandError(
        "invalid",
        l10n.t("{0} has a mistake in it, so it was left as it is. Mend it first.", file),
        { reason },
      );
    case "conflict":
    case "unsupported":
      return new CommandError(
        "invalid",
        l10n.t("{0} cannot be written into {1} as it is now. Look at the file.", key, file),
        { reason },
      );
  }
}

/** The same as a sentence. */
export function refusalWords(name: KeyName, refusal: LocalRefusal): string {
  return refusedError(name, refusal).message;
}
