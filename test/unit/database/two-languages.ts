/** Statistics of a project with one key in two languages. */
export const STATS = {
  contentVersion: 1,
  languages: ["en", "nl"].map((locale) => ({
    locale,
    name: locale,
    isSource: locale === "en",
    totalKeys: 1,
    translated: 1,
    outdated: 0,
    qaErrors: 0,
    percent: 100,
    lastTranslatedAt: null,
  })),
};
