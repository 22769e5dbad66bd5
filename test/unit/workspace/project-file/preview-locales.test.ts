/** The languages that are shown in code. */
import { expect, test } from "vitest";
import type { Stats } from "../../../../src/api/response-schemas.ts";
import { hintLocales, previewLocales } from "../../../../src/workspace/project-file/preview-locales.ts";

const STATS: Stats = {
  contentVersion: 1,
  languages: ["nl", "en", "fr", "de"].map((locale) => ({
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

test.each<[readonly string[] | undefined, Stats | null, readonly string[], readonly string[]]>([
  [undefined, STATS, ["en", "nl", "fr"], ["en"]],
  [undefined, null, [], []],
  [["de", "fr"], null, ["de", "fr"], ["de", "fr"]],
  [["de", "fr"], STATS, ["en", "de", "fr"], ["de", "fr", "en"]],
  [["de", "en"], STATS, ["en", "de"], ["de", "en"]],
  [["xx", "de"], STATS, ["en", "de"], ["de", "en"]],
  [[], STATS, ["en"], ["en"]],
  [["de"], { ...STATS, languages: STATS.languages.filter(({ isSource }) => !isSource) }, ["de"], ["de"]],
])("selects the preview locales for %j", (preview, stats, shown, hinted) => {
  const file = preview === undefined ? {} : { preview: [...preview] };
  expect([previewLocales(file, stats), hintLocales(file, stats)]).toEqual([shown, hinted]);
});
