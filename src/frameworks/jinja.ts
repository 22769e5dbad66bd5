/** Jinja: gettext's functions and the `trans` tag in templates. The text is the key. */
import type { Framework } from "./framework.ts";
import { noCandidates } from "./key-candidates.ts";

export const jinja: Framework = {
  evidence: {
    python: /^(?:jinja2|flask|flask-babel|fastapi-babel|starlette-babel|pyramid-jinja2)$/,
    file: ({ text }, name) =>
      /^babel\.(?:cfg|ini)$/.test(name) && /\bjinja2?\s*:/i.test(text) ? name : undefined,
  },
  calls: {
    usesTranslator: () => false,
    htmlTemplates: { dialect: "jinja-html", languageIds: ["jinja-html", "jinja", "jinja2"] },
  },
  placeholders: "printf",
  keys: { kind: "text", candidates: noCandidates },
};
