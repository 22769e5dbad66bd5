/** The text that the options of a command give. */
import type { Forms, Text } from "../../model/text.ts";
import { CommandError } from "../command-result.ts";
import { l10n } from "../l10n.ts";

/** `undefined` when they give none. Throws CommandError `invalid` for both at once, and for what is no text. */
export function givenText({
  value,
  forms,
}: {
  readonly value?: unknown;
  readonly forms?: unknown;
}): Text | undefined {
  if (value !== undefined && forms !== undefined) {
    throw new CommandError("invalid", l10n.t("Give either “value” or “forms”, not both."));
  }
  if (typeof value === "string") return { value };
  if (isTexts(forms)) return { forms };
  if (value === undefined && forms === undefined) return undefined;
  throw new CommandError(
    "invalid",
    l10n.t("“value” is a text, “forms” an object of plural category to text."),
  );
}

function isTexts(forms: unknown): forms is Forms {
  return (
    typeof forms === "object" &&
    forms !== null &&
    !Array.isArray(forms) &&
    Object.keys(forms).length > 0 &&
    Object.values(forms).every((form) => typeof form === "string")
  );
}
