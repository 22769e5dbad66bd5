/** The localised messages of the page. It has the shape of VS Code's `l10n`, so that the l10n tools find the messages. */
import { signal } from "@preact/signals-core";

/** The language of the messages. */
export const language = signal("en");

/** The extension's messages in its language, by the English ones. */
export const translations = signal<Readonly<Record<string, string>>>({});

export const l10n = {
  t: (message: string, ...values: readonly (string | number)[]): string =>
    (translations.value[message] ?? message).replaceAll(/\{(\d)\}/g, (_, index: string) => {
      const value = values[Number(index)] ?? "";
      return typeof value === "number" ? value.toLocaleString(language.value) : value;
    }),
};
