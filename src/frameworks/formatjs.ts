/** FormatJS (react-intl and its kin): `formatMessage({ id })`, `<FormattedMessage id>`. */
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
  placeholders: "formatjs",
  keys: PATHS,
};
