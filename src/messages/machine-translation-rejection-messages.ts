/** Messages for machine translations that were refused. */
import type { RejectionReason } from "../machine-translation/rejection-feedback.ts";
import { l10n } from "../util/l10n.ts";

/** Returns why the translation was refused, prefixed with the plural category if one form is affected. */
export function translationRejectionMessage(reason: RejectionReason): string {
  const message = messageOf(reason);
  return "form" in reason && reason.form !== null ? `${reason.form}: ${message}` : message;
}

function messageOf(reason: RejectionReason): string {
  switch (reason.kind) {
    case "source-changed":
      return l10n.t("The source text was changed in the meantime.");
    case "no-source":
      return l10n.t("There is no source text.");
    case "singular":
      return l10n.t("The plural forms are missing.");
    case "plural":
      return l10n.t("There are plural forms, but the text is not plural.");
    case "categories":
      return different(
        l10n.t("The plural forms are not those of the language."),
        reason.missing,
        reason.unexpected,
      );
    case "empty":
      return l10n.t("The translation is empty.");
    case "placeholders":
      return different(
        l10n.t("The placeholders differ from the source text."),
        reason.missing,
        reason.unexpected,
      );
    case "markup":
      return different(l10n.t("The markup differs from the source text."), reason.missing, reason.unexpected);
    case "markup-order":
      return l10n.t("The tags are not closed in order.");
    case "syntax":
      return l10n.t("The braces, or the branches of an ICU message, differ from the source text.");
    case "parts":
      return l10n.t("The parts between | differ from the source text.");
    case "too-long":
      return l10n.t("{0} of at most {1} characters", reason.length, reason.maxLength);
    case "source-repeated":
      return l10n.t("The source text was repeated.");
    case "characters":
      return l10n.t("There are control characters or line breaks that the source text does not have.");
    case "blanks":
      return l10n.t("The spaces at the ends, or the line breaks, differ from the source text.");
    case "not-only-text":
      return l10n.t("There is more than the translation.");
    case "unreadable":
      return l10n.t("The model’s answer could not be read.");
    case "missing":
      return l10n.t("The model gave no answer for this text.");
    case "ambiguous":
      return l10n.t("The model gave several answers for this text.");
    case "other-key":
      return l10n.t("The model may have answered for another key.");
    case "marks":
      return l10n.t("The model changed placeholders.");
  }
}

function different(message: string, missing: readonly string[], unexpected: readonly string[]): string {
  return [
    message,
    ...(missing.length === 0 ? [] : [l10n.t("Missing: {0}.", missing.join(", "))]),
    ...(unexpected.length === 0 ? [] : [l10n.t("Too many: {0}.", unexpected.join(", "))]),
  ].join(" ");
}
