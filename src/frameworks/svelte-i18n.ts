/** svelte-i18n, svelte-intl-precompile, which has the same API, and sveltekit-i18n: stores such as `$_("a.b")`. */
import { ICU_SCRIPT, objectMembers, translatorCall } from "./code-styles.ts";
import { shapeTable, WITH_OPTIONS, type Framework } from "./framework.ts";
import { PATHS } from "./key-candidates.ts";

export const svelteI18n: Framework = {
  evidence: { npm: /^(?:svelte-i18n|svelte-intl-precompile|sveltekit-i18n|@sveltekit-i18n\/.*)$/ },
  calls: {
    javascript: {
      // The first argument of `$l` and `l` is the locale.
      functions: shapeTable({
        "$_ $format": WITH_OPTIONS,
        $json: { key: 0 },
        "$l l": { key: 1, options: true },
        defineMessages: { key: 0, keyProperty: "id", messages: true },
      }),
      hasStores: true,
    },
  },
  code: {
    script: {
      ...ICU_SCRIPT,
      language: "svelte",
      // Only stores take the values as an option.
      write: (parts) => {
        const { key, values, literal, translator } = parts;
        if (!translator.startsWith("$") || values.length === 0) return translatorCall(parts);
        return `${translator}(${literal(key)}, { values: { ${objectMembers(values)} } })`;
      },
    },
  },
  placeholders: "icu",
  keys: PATHS,
};
