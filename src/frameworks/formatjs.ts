/** FormatJS (react-intl and its kin): `formatMessage({ id })`, `<FormattedMessage id>`. */
import { ICU_SCRIPT, objectMembers } from "./code-styles.ts";
import { shapeTable, type Framework } from "./framework.ts";
import { PATHS } from "./key-candidates.ts";

export const formatjs: Framework = {
  evidence: { npm: /^(?:react-intl|@formatjs\/(?:intl|vue-intl|svelte-intl|cli)|vue-intl|preact-intl)$/ },
  calls: {
    javascript: {
      functions: shapeTable({
        "formatMessage $formatMessage defineMessage": { key: 0, keyProperty: "id", unbound: true },
        defineMessages: { key: 0, keyProperty: "id", messages: true, unbound: true },
      }),
      isUsual: true,
    },
    components: { FormattedMessage: ["id"], FormattedHTMLMessage: ["id"] },
  },
  code: {
    script: {
      ...ICU_SCRIPT,
      translator: { script: "intl.formatMessage", template: "$formatMessage" },
      write: ({ key, values, literal, translator }) => {
        const message = `{ id: ${literal(key)} }`;
        return values.length === 0
          ? `${translator}(${message})`
          : `${translator}(${message}, { ${objectMembers(values)} })`;
      },
      component: ({ key, values, literal }) => {
        const id = /["&\\]/.test(key) ? `{${literal(key)}}` : `"${key}"`;
        const given = values.length === 0 ? "" : ` values={{ ${objectMembers(values)} }}`;
        return `<FormattedMessage id=${id}${given} />`;
      },
    },
  },
  placeholders: "icu-tags",
  keys: PATHS,
};
