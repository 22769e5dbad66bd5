/**
 * Of VS Code's API what words need, for code of the host that needs nothing else: an English window, whose messages are
 * filled in as VS Code fills them in.
 */
export const env = { language: "en" };

export const l10n = {
  t: (message: string, ...values: readonly (string | number | boolean)[]): string =>
    message.replaceAll(/\{(\d+)\}/gu, (place, index: string) => String(values[Number(index)] ?? place)),
};
