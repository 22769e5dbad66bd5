/**
 * The part of VS Code's API that localization uses, in English, for code that needs nothing else of VS Code.
 */
export const env = { language: "en" };

export const l10n = {
  t: (message: string, ...values: readonly (string | number | boolean)[]): string =>
    message.replaceAll(/\{(\d+)\}/gu, (place, index: string) => String(values[Number(index)] ?? place)),
};
