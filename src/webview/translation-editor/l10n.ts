/** The localised messages of the page. It has the shape of VS Code's `l10n`, so that the l10n tools find the messages. */
import { signal } from "@preact/signals-core";

/** The extension's messages in its language, by the English ones. */
export const translations = signal<Readonly<Record<string, string>>>({});

export const l10n = {
  t: (message: string, ...values: readonly (string | number)[]): string =>
    (translations.value[message] ?? message).replaceAll(/\{(\d)\}/g, (_, index: string) =>
      String(values[Number(index)] ?? ""),
    ),
};
