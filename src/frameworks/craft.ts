/** Craft CMS: `Craft::t("category", "Text")`, and the filter `t` in Twig. */
import { BRACES, namedValues } from "./code-styles.ts";
import type { FilterShape, Framework } from "./framework.ts";
import { domainCandidates } from "./key-candidates.ts";

/** The category comes first and is optional. `app` and `yii` are Craft's and Yii's own texts. */
const FILTER: FilterShape = {
  domain: 0,
  defaultDomain: "site",
  foreignDomains: new Set(["app", "yii"]),
};

export const craft: Framework = {
  evidence: { composer: /^craftcms\/cms$/ },
  calls: {
    php: { functions: { t: { key: 1, namespace: 0, qualifier: "Craft::" } } },
    twig: { functions: {}, filters: { t: FILTER, translate: FILTER }, isUsual: true },
  },
  code: {
    twig: {
      placeholders: BRACES,
      write: ({ key, values, literal }) => {
        const list = namedValues(values);
        return `${literal(key)}|t${list === "" ? "" : `(${literal("site")}, { ${list} })`}`;
      },
    },
  },
  placeholders: "icu",
  keys: {
    kind: "name",
    candidates: domainCandidates,
    // A category without files of the project belongs to Craft, Yii or another plugin.
    domains: { default: ["site"], has: (namespace, domain) => namespace === domain },
  },
};
