/** next-intl, use-intl and next-international: `useTranslations("group")`. */
import { ICU_SCRIPT } from "./code-styles.ts";
import type { Framework, HookShape } from "./framework.ts";
import { PATHS } from "./key-candidates.ts";

const PREFIX_HOOK: HookShape = { returns: "translator", keyPrefix: 0 };

export const nextIntl: Framework = {
  evidence: { npm: /^(?:next-intl|use-intl|next-international)$/ },
  calls: {
    hooks: {
      useTranslations: PREFIX_HOOK,
      getTranslations: PREFIX_HOOK,
      createTranslator: PREFIX_HOOK,
      useScopedI18n: PREFIX_HOOK,
      getScopedI18n: PREFIX_HOOK,
      getI18n: { returns: "either" },
    },
  },
  code: { script: ICU_SCRIPT },
  placeholders: "icu-tags",
  keys: PATHS,
};
