/**
 * Translation functions of PHP, Python and the gettext family (whose keys are source texts) by name, with the positions
 * of their arguments. The project's frameworks decide which apply. Those of JavaScript are in known-functions.ts.
 */
import type { CustomFunction, FindOptions, Framework } from "../usage.ts";

/** Argument positions of a function, counted from 0. */
export interface CallShape {
  readonly key: number;
  /**
   * The key is a property of the object at `key` (`formatMessage({ id })`); with `options` it may also be a plain
   * string.
   */
  readonly keyProperty?: string;
  /** The argument contains objects with their keys in that property (`defineMessages({ a: { id } })`). */
  readonly messages?: true;
  readonly namespace?: number;
  readonly context?: number;
  /** Always plural, or only if this argument is present. */
  readonly plural?: true | number;
  /** The argument after the key may be a default text, an options object or a count, as in i18next and vue-i18n. */
  readonly options?: true;
  /** Argument names, in languages with named arguments (PHP, Python). */
  readonly names?: ArgumentNames;
  /** The function is a method of an object with one of these names. */
  readonly receivers?: readonly string[];
  /** The namespace is a text domain, and these are the project's domains: calls for other domains are ignored. */
  readonly domains?: ReadonlySet<string>;
  /** Qualifier before the function name, as configured by the user (`globalize.`, `Foo::`). */
  readonly qualifier?: string;
  /** A class that is instantiated with `new` (PHP). */
  readonly constructs?: true;
  /** The receiver does not bind its keys to a namespace or prefix. */
  readonly unbound?: true;
}

export type Shapes = Readonly<Record<string, CallShape>>;

/** Possible argument names by role. */
type ArgumentNames = Readonly<Partial<Record<"key" | "context" | "namespace", readonly string[]>>>;

/** Returns the shape of each name; an entry may have several names, separated by spaces. */
export function shapeTable(table: Shapes, names?: ArgumentNames): Shapes {
  return Object.fromEntries(
    Object.entries(table).flatMap(([functions, shape]) =>
      functions.split(" ").map((name) => [name, names === undefined ? shape : { ...shape, names }]),
    ),
  );
}

/** The argument maps of wp-cli's i18n-command, plus `hasTranslation` from `@wordpress/i18n`. */
export const WORDPRESS_JS: Shapes = {
  __: { key: 0, namespace: 1 },
  _x: { key: 0, context: 1, namespace: 2 },
  _n: { key: 0, plural: true, namespace: 3 },
  _nx: { key: 0, plural: true, context: 3, namespace: 4 },
  hasTranslation: { key: 0, context: 1, namespace: 2 },
};
const WORDPRESS_PHP = shapeTable(
  {
    "__ _ _c _e esc_attr__ esc_html__ esc_xml__ esc_attr_e esc_html_e esc_xml_e": { key: 0, namespace: 1 },
    "_x _ex esc_attr_x esc_html_x esc_xml_x": { key: 0, context: 1, namespace: 2 },
    "_n _nc __ngettext": { key: 0, plural: true, namespace: 3 },
    _nx: { key: 0, plural: true, context: 3, namespace: 4 },
    "_n_noop __ngettext_noop": { key: 0, plural: true, namespace: 2 },
    _nx_noop: { key: 0, plural: true, context: 2, namespace: 3 },
  },
  { key: ["text", "single", "singular"], context: ["context"], namespace: ["domain"] },
);

/** GNU gettext's keyword table. */
export const GETTEXT = shapeTable({
  "gettext gettext_noop _": { key: 0 },
  "dgettext dcgettext": { key: 1, namespace: 0 },
  ngettext: { key: 0, plural: true },
  "dngettext dcngettext": { key: 1, plural: true, namespace: 0 },
  pgettext: { key: 1, context: 0 },
  dpgettext: { key: 2, context: 1, namespace: 0 },
  npgettext: { key: 1, plural: true, context: 0 },
  dnpgettext: { key: 2, plural: true, context: 1, namespace: 0 },
});

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

const LARAVEL_NAMES: ArgumentNames = { key: ["key"] };
const LARAVEL_PHP = shapeTable(
  { "__ trans": { key: 0 }, trans_choice: { key: 0, plural: true } },
  LARAVEL_NAMES,
);

/** Methods of Laravel's translator; the receiver decides whether a call is one of them. */
export const LARAVEL_TRANSLATOR = shapeTable(
  {
    "get has hasForLocale getFromJson trans": { key: 0 },
    "transChoice choice": { key: 0, plural: true },
  },
  LARAVEL_NAMES,
);

/** Blade's translation directives. */
export const BLADE_DIRECTIVES = shapeTable(
  { "@lang": { key: 0 }, "@choice": { key: 0, plural: true } },
  LARAVEL_NAMES,
);

/** Whether calls of `__` in PHP may be Laravel's. */
export function mayUseLaravel({ frameworks }: FindOptions): boolean {
  return frameworks.has("laravel") || !OTHER_PHP_FRAMEWORKS.some((framework) => frameworks.has(framework));
}

/** PHP frameworks other than Laravel. */
const OTHER_PHP_FRAMEWORKS: readonly Framework[] = ["wordpress", "gettext", "symfony", "craft"];
const MESSAGE: ArgumentNames = { key: ["id", "message"], namespace: ["domain"] };
/** Symfony's translator methods, on any receiver, and its message function. */
const SYMFONY_PHP: Shapes = {
  trans: { key: 0, namespace: 2, names: MESSAGE, qualifier: "" },
  t: { key: 0, namespace: 2, names: MESSAGE },
  TranslatableMessage: { key: 0, namespace: 2, names: MESSAGE, constructs: true },
};
/** The category is the first argument. */
const CRAFT_PHP: Shapes = { t: { key: 1, namespace: 0, qualifier: "Craft::" } };

/**
 * Returns the PHP functions of a project. Its frameworks decide whether `__` is Laravel's, WordPress's or gettext's.
 */
export function phpShapes(options: FindOptions): ReadonlyMap<string, readonly CallShape[]> {
  const { frameworks } = options;
  return mergeShapes(options.functions, [
    frameworks.has("gettext") ? GETTEXT : {},
    frameworks.has("craft") ? CRAFT_PHP : {},
    frameworks.has("symfony") ? SYMFONY_PHP : {},
    mayUseLaravel(options) ? LARAVEL_PHP : {},
    // WordPress defines its functions before a Laravel package bundled with a plugin can.
    frameworks.has("wordpress") ? withDomains(WORDPRESS_PHP, options) : {},
  ]);
}

/** Returns the Python functions of a project; the imports of each file decide which names refer to gettext. */
export function pythonShapes(options: FindOptions): ReadonlyMap<string, readonly CallShape[]> {
  return mergeShapes(options.functions, [PYTHON]);
}

/** Restricts the shapes to the project's text domains, if known. */
export function withDomains(shapes: Shapes, { domains }: FindOptions): Shapes {
  if (domains === undefined) return shapes;
  return Object.fromEntries(Object.entries(shapes).map(([name, shape]) => [name, { ...shape, domains }]));
}

/** Merges shape tables, with later ones taking precedence, and adds the custom functions. */
export function mergeShapes(
  functions: readonly CustomFunction[],
  tables: readonly Shapes[],
): ReadonlyMap<string, readonly CallShape[]> {
  const shapes = new Map<string, CallShape[]>();
  for (const table of tables) {
    for (const [name, shape] of Object.entries(table)) shapes.set(name, [shape]);
  }
  for (const { name: path, ...positions } of functions) {
    const name = /[@$\w]+$/.exec(path)?.[0];
    if (name === undefined) continue;
    const shape: CallShape = { ...positions, qualifier: path.slice(0, -name.length) };
    // Custom functions come first: they may be more specific than a known function of that name.
    shapes.set(name, [shape, ...(shapes.get(name) ?? [])]);
  }
  return shapes;
}

/** Whether a call with these names before the function (`i18n.`; empty for none) may be of the shape. */
export function matchesQualifier({ qualifier }: CallShape, path: string): boolean {
  return qualifier === undefined || qualifier === "" || path === qualifier || path.endsWith(`.${qualifier}`);
}
