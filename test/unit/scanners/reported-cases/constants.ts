/** Public issues about keys in constants. The expected position is the constant's name. */
import type { IssueCase } from "./issue.ts";

export const constants: readonly IssueCase[] = [
  [
    "gilbsgilbs/babel-plugin-i18next-extract#109",
    "constants as keys",
    "javascript",
    `const COMMON = {\n  save: 'common-save',\n  cancel: 'common-cancel',\n}\nt(«COMMON.save»);`,
    { keys: ["common-save"] },
  ],
  [
    "gilbsgilbs/babel-plugin-i18next-extract#195",
    "a constant's namespace, and one within the key",
    "typescript",
    `const NS = 'customers'; const { t } = useTranslation(NS); t('«common::Cancel»')`,
    { scopes: ["customers|"] },
  ],
];
