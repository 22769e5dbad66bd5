/** Django: gettext's functions in Python, tags and filters in templates. The text is the key. */
import type { Framework } from "./framework.ts";
import { noCandidates } from "./key-candidates.ts";

export const django: Framework = {
  evidence: {
    python: /^(?:django|wagtail|djangorestframework)$/,
    file: ({ text }, name) => (name === "manage.py" && text.includes("django") ? "django" : undefined),
  },
  calls: { usesTranslator: () => false, htmlTemplates: "django-html" },
  placeholders: "printf",
  keys: { kind: "text", candidates: noCandidates },
};
