/** The part of a command's options that names a key, checked, since it comes from outside. */
import { keyHash, NO_NAMESPACE, type KeyName } from "../core/identity.ts";
import { isForms, type Text } from "../core/text.ts";
import { sha1 } from "./clock.ts";
import { CommandError } from "./outcome.ts";
import { l10n } from "./words.ts";

/** As contract and callers write it; what is left out is "none". */
export interface KeyOptions {
  readonly key?: string;
  readonly namespace?: string | null;
  readonly context?: string | null;
}

/** The key that the options name. Throws CommandError `invalid` when they name none. */
export function keyOf(options: KeyOptions): KeyName & { readonly hash: string } {
  const { key, namespace, context } = options;
  if (typeof key !== "string" || key === "") {
    throw new CommandError("invalid", l10n.t("No key was given. Name it in the command's options."), {
      errors: { key: ["missing"] },
    });
  }
  const name = {
    namespace: namespace ?? NO_NAMESPACE,
    key,
    context: context === "" ? null : (context ?? null),
  };
  return { ...name, hash: keyHash(sha1, name) };
}

/** The text that the options hold: `value` or `forms`; `null` when they hold neither. Throws CommandError `invalid`. */
export function textOf(options: { readonly value?: unknown; readonly forms?: unknown }): Text | null {
  const { value, forms } = options;
  if (typeof value === "string" && forms === undefined) return { value };
  const isRecord = typeof forms === "object" && forms !== null && !Array.isArray(forms);
  if (isRecord && value === undefined && Object.values(forms).every((form) => typeof form === "string")) {
    return { forms: forms as Record<string, string> };
  }
  if (value === undefined && forms === undefined) return null;
  throw new CommandError("invalid", l10n.t("A text is either “value” or “forms”, and made of words."), {
    errors: { value: ["type"] },
  });
}

/** The text in one line for people: forms as `one: … · other: …`. */
export function inOneLine(text: Text | null): string {
  if (text === null) return "";
  const words = isForms(text)
    ? Object.entries(text.forms)
        .map(([form, value]) => `${form}: ${value}`)
        .join(" · ")
    : text.value;
  return words.replaceAll(/\r\n|\r|\n/gu, "↵");
}
