/** GNU gettext and the libraries with its functions, in PHP, Python, JavaScript and templates. The text is the key. */
import { printfCall } from "./code-styles.ts";
import { shapeTable, type Framework } from "./framework.ts";
import { domainCandidates } from "./key-candidates.ts";

/** GNU gettext's keyword table. */
const GETTEXT = shapeTable({
  "gettext gettext_noop _": { key: 0 },
  "dgettext dcgettext": { key: 1, namespace: 0 },
  ngettext: { key: 0, plural: true },
  "dngettext dcngettext": { key: 1, plural: true, namespace: 0 },
  pgettext: { key: 1, context: 0 },
  dpgettext: { key: 2, context: 1, namespace: 0 },
  npgettext: { key: 1, plural: true, context: 0 },
  dnpgettext: { key: 2, plural: true, context: 1, namespace: 0 },
});

/** Also the functions of gettext/translator (`n__`) and phpmyadmin/motranslator (`_ngettext`). */
const PHP = {
  ...GETTEXT,
  ...shapeTable({
    "__ noop__ _gettext": { key: 0 },
    "n__ _ngettext": { key: 0, plural: true },
    "p__ _pgettext": { key: 1, context: 0 },
    "np__ _npgettext": { key: 1, plural: true, context: 0 },
    "d__ _dgettext": { key: 1, namespace: 0 },
    "dn__ _dngettext": { key: 1, plural: true, namespace: 0 },
    "dp__ _dpgettext": { key: 2, context: 1, namespace: 0 },
    "dnp__ _dnpgettext": { key: 2, plural: true, context: 1, namespace: 0 },
  }),
};

/** Also the legacy names and the no-op marker that Babel extracts, and the functions of Vue's packages. */
const JAVASCRIPT = {
  ...GETTEXT,
  ...shapeTable({
    "N_ ugettext $gettext": { key: 0 },
    "ungettext $ngettext": { key: 0, plural: true },
    $pgettext: { key: 1, context: 0 },
    $npgettext: { key: 1, plural: true, context: 0 },
  }),
};

/**
 * Python's gettext module, Django including its lazy and legacy names, Flask-Babel, and the usual no-op marker
 * functions.
 */
const PYTHON = shapeTable(
  {
    ...GETTEXT,
    "_ N_ gettext_lazy lazy_gettext ugettext ugettext_lazy ugettext_noop": { key: 0 },
    "ngettext_lazy lazy_ngettext ungettext ungettext_lazy": { key: 0, plural: true },
    "pgettext_lazy lazy_pgettext": { key: 1, context: 0 },
    "npgettext_lazy lazy_npgettext": { key: 1, context: 0, plural: true },
  },
  {
    key: ["message", "singular", "string", "msgid", "msgid1"],
    context: ["context", "msgctxt"],
    namespace: ["domain"],
  },
);

/** Files of the build, and of Babel. */
const FILES = new Set(["babel.cfg", "babel.ini", "POTFILES", "POTFILES.in", "LINGUAS", "Makevars"]);

export const gettext: Framework = {
  evidence: {
    composer:
      /^(?:gettext\/gettext|gettext\/translator|phpmyadmin\/motranslator|phpmyadmin\/twig-i18n-extension)$/,
    npm: /^(?:node-gettext|jed|ttag|gettext\.js|vue3-gettext|vue-gettext)$/,
    python:
      /^(?:django|wagtail|djangorestframework|babel|flask-babel|fastapi-babel|starlette-babel|aiogram-i18n|python-gettext|zope-i18n)$/,
    globs: [
      "{babel.cfg,babel.ini}",
      "{backend,server,src,api,app}/babel.cfg",
      "po/{POTFILES,POTFILES.in,LINGUAS,Makevars}",
    ],
    file: ({ text }, name) => {
      if (name === "manage.py") return text.includes("django") ? "django" : undefined;
      return FILES.has(name) ? name : undefined;
    },
  },
  calls: {
    javascript: { functions: JAVASCRIPT },
    // Frameworks of servers bundle gettext; elsewhere it is a JavaScript library that may have a `t` (ttag).
    usesTranslator: (frameworks) => !frameworks.has("django") && !frameworks.has("jinja"),
    php: { functions: PHP },
    python: { functions: PYTHON, isUsual: true },
    twig: { functions: {}, filters: { trans: {}, t: {}, translate: {} }, hasVariablesInTags: true },
  },
  code: {
    php: printfCall(({ key, literal }) => `_(${literal(key)})`),
    script: printfCall(({ key, literal }) => `gettext(${literal(key)})`),
  },
  placeholders: "printf",
  keys: { kind: "text", candidates: domainCandidates, usesAnyDomain: true },
};
