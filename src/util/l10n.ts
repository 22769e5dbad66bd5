/**
 * Localised messages in the language that `setLanguage` was called with; in English before. Has the shape of VS Code's `l10n`
 * (same keys, same bundle), which supports only the display language.
 */

/** A language that both the service and the extension support (§ General conventions 2). */
export type Language = "en" | "nl";

type Value = string | number | boolean;

let current: Language = "en";
let bundle: Readonly<Record<string, string>> = {};
let numbers = new Intl.NumberFormat(current);

/** Uses a language. `messages`: its messages by the English ones; none in English. */
export function setLanguage(language: Language, messages: Readonly<Record<string, string>>): void {
  current = language;
  bundle = messages;
  numbers = new Intl.NumberFormat(language);
}

/** Returns the language of the messages, which is also sent to the service as `Accept-Language`. */
export function language(): Language {
  return current;
}

/** Formats a number with the digit grouping of the language. */
export function formatNumber(value: number): string {
  return numbers.format(value);
}

/**
 * Returns the translated message with `{0}`, `{1}`, … filled in, numbers as the language writes them; the English message if
 * there is no translation.
 */
function t(message: string, ...values: readonly Value[]): string {
  return (bundle[message] ?? message).replaceAll(/\{(\d+)\}/gu, (placeholder, index: string) => {
    const value = values[Number(index)] ?? placeholder;
    return typeof value === "number" ? formatNumber(value) : String(value);
  });
}

/** Returns all messages by the English ones; none in English. */
export function translatedMessages(): Readonly<Record<string, string>> {
  return bundle;
}

/** Has the shape of VS Code's `l10n`, so that the l10n tools find the messages. */
export const l10n = { t };
