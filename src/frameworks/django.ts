/** Django: gettext's functions in Python, tags and filters in templates. The text is the key. */
import { objectMembers, type PlaceholderStyle } from "./code-styles.ts";
import { type Framework, LOCALE_PATTERN } from "./framework.ts";
import { noCandidates } from "./key-candidates.ts";

/** Placeholders of scripts. */
const NAMED: PlaceholderStyle = {
  write: (name) => `%(${name})s`,
  escape: (text, values) => (values.length > 0 && /%\(\w+\)s/.test(text) ? null : text),
};

export const django: Framework = {
  sourceLanguage: {
    globs: ["{*,*/*}/settings.py", "{*,*/*}/settings/{__init__,base,common}.py"],
    settings: {
      files: /\.py$/,
      patterns: [new RegExp(String.raw`^LANGUAGE_CODE\s*=\s*['"](${LOCALE_PATTERN})['"]`, "gm")],
    },
  },
  evidence: {
    python: /^(?:django|wagtail|djangorestframework)$/,
    globs: ["manage.py", "{backend,server,src,api,app}/manage.py"],
    file: ({ text }, name) => (name === "manage.py" && text.includes("django") ? "django" : undefined),
  },
  calls: {
    usesTranslator: () => false,
    htmlTemplates: { dialect: "django-html", languageIds: ["django-html", "django-txt"] },
  },
  code: {
    script: {
      placeholders: NAMED,
      write: ({ key, values, literal }) => {
        const call = `gettext(${literal(key)})`;
        return values.length === 0 ? call : `interpolate(${call}, { ${objectMembers(values)} }, true)`;
      },
    },
    python: { module: "django.utils.translation", name: "gettext", lazyName: "gettext_lazy" },
  },
  placeholders: "printf",
  keys: { kind: "text", candidates: noCandidates },
};
