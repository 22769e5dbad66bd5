/**
 * Functions of the gettext family, whose keys are source texts: GNU gettext itself, Python with Django and Babel, and
 * WordPress in PHP and JavaScript. Tables only; function-shapes.ts decides which of them apply to a project.
 */
import type { ArgumentNames, Shapes, CallShape } from "./argument-positions.ts";

/** Names of the PHP arguments in WordPress. */
const NAMED: ArgumentNames = {
  key: ["text", "single", "singular"],
  context: ["context"],
  namespace: ["domain"],
};

/** The argument maps of wp-cli's i18n-command, plus `hasTranslation` from `@wordpress/i18n`. */
export const WORDPRESS_JS: Shapes = {
  __: { key: 0, namespace: 1 },
  _x: { key: 0, context: 1, namespace: 2 },
  _n: { key: 0, plural: true, namespace: 3 },
  _nx: { key: 0, plural: true, context: 3, namespace: 4 },
  hasTranslation: { key: 0, context: 1, namespace: 2 },
};
export const WORDPRESS_PHP: Shapes = {
  ...each("__ _ _c _e esc_attr__ esc_html__ esc_xml__ esc_attr_e esc_html_e esc_xml_e", {
    key: 0,
    namespace: 1,
    names: NAMED,
  }),
  ...each("_x _ex esc_attr_x esc_html_x esc_xml_x", { key: 0, context: 1, namespace: 2, names: NAMED }),
  ...each("_n _nc __ngettext", { key: 0, plural: true, namespace: 3, names: NAMED }),
  _nx: { key: 0, plural: true, context: 3, namespace: 4, names: NAMED },
  ...each("_n_noop __ngettext_noop", { key: 0, plural: true, namespace: 2, names: NAMED }),
  _nx_noop: { key: 0, plural: true, context: 2, namespace: 3, names: NAMED },
};

/** GNU gettext's keyword table. */
export const GETTEXT: Shapes = {
  gettext: { key: 0 },
  gettext_noop: { key: 0 },
  dgettext: { key: 1, namespace: 0 },
  dcgettext: { key: 1, namespace: 0 },
  ngettext: { key: 0, plural: true },
  dngettext: { key: 1, plural: true, namespace: 0 },
  dcngettext: { key: 1, plural: true, namespace: 0 },
  pgettext: { key: 1, context: 0 },
  dpgettext: { key: 2, context: 1, namespace: 0 },
  npgettext: { key: 1, plural: true, context: 0 },
  dnpgettext: { key: 2, plural: true, context: 1, namespace: 0 },
  _: { key: 0 },
};

/** Argument names in Python's gettext module, Django and Flask-Babel. */
const PYTHON_NAMES: ArgumentNames = {
  key: ["message", "singular", "string", "msgid", "msgid1"],
  context: ["context", "msgctxt"],
  namespace: ["domain"],
};
const TEXT: CallShape = { key: 0, names: PYTHON_NAMES };
const COUNTED: CallShape = { key: 0, plural: true, names: PYTHON_NAMES };
const IN_CONTEXT: CallShape = { key: 1, context: 0, names: PYTHON_NAMES };
const COUNTED_IN_CONTEXT: CallShape = { key: 1, context: 0, plural: true, names: PYTHON_NAMES };

/**
 * Python's gettext module, Django including its lazy and legacy names, Flask-Babel, and the usual no-op marker
 * functions.
 */
export const PYTHON: Shapes = {
  ...Object.fromEntries(
    Object.entries(GETTEXT).map(([name, shape]) => [name, { ...shape, names: PYTHON_NAMES }]),
  ),
  ...each("_ N_ gettext_lazy lazy_gettext ugettext ugettext_lazy ugettext_noop", TEXT),
  ...each("ngettext_lazy lazy_ngettext ungettext ungettext_lazy", COUNTED),
  ...each("pgettext_lazy lazy_pgettext", IN_CONTEXT),
  ...each("npgettext_lazy lazy_npgettext", COUNTED_IN_CONTEXT),
};

function each(names: string, shape: CallShape): Shapes {
  return Object.fromEntries(names.split(" ").map((name) => [name, shape]));
}
