/**
 * The functions and components that take keys, by framework: where their key, namespace, context and count
 * stand. Only tables, and which of them hold in a project; finding the calls is not done here.
 */
import type { CustomFunction, FindOptions, Framework } from "./usage.ts";

/** Where a call holds what. Numbers are argument positions, 0 first. */
export interface CallShape {
  readonly key: number;
  /** The key is a property of the object at `key` (`formatMessage({ id })`). */
  readonly keyProperty?: string;
  readonly namespace?: number;
  readonly context?: number;
  /** Always a plural, or only when this argument is there. */
  readonly plural?: true | number;
  /** What follows the key may be a default text, an object of options, a count, as i18next and vue-i18n do. */
  readonly options?: true;
  /** PHP's names of the arguments at `key` and `plural`. */
  readonly names?: readonly [key: string, plural?: string];
  /** The function belongs to an object, whose last name must be one of these. */
  readonly receivers?: readonly string[];
  /** Names written before it, as the user configured it (`globalize.`, `Foo::`). */
  readonly qualifier?: string;
}

type Shapes = Readonly<Record<string, CallShape>>;

const WITH_OPTIONS: CallShape = { key: 0, options: true };
const COUNTED: CallShape = { key: 0, plural: true, options: true };

/** The call of a translator that i18next, vue-i18n and next-intl share; the objects that are never bound. */
const JS_COMMON: Shapes = {
  t: WITH_OPTIONS,
  $t: WITH_OPTIONS,
  exists: { key: 0, options: true, receivers: ["i18n", "i18next"] },
};
const JS_VUE: Shapes = {
  $tc: COUNTED,
  tc: COUNTED,
  $te: { key: 0 },
  te: { key: 0 },
  $tm: { key: 0 },
  tm: { key: 0 },
};
const JS_LARAVEL: Shapes = {
  trans: { key: 0 },
  wTrans: { key: 0 },
  __: { key: 0 },
  transChoice: { key: 0, plural: true },
  trans_choice: { key: 0, plural: true },
  wTransChoice: { key: 0, plural: true },
  $tChoice: { key: 0, plural: true },
  tChoice: { key: 0, plural: true },
};
const JS_SVELTE: Shapes = { $_: WITH_OPTIONS, $format: WITH_OPTIONS, $json: { key: 0 } };
const JS_FORMATJS: Shapes = {
  formatMessage: { key: 0, keyProperty: "id" },
  $formatMessage: { key: 0, keyProperty: "id" },
  defineMessage: { key: 0, keyProperty: "id" },
};

/** The argument maps of wp-cli's i18n-command. */
const WORDPRESS_JS: Shapes = {
  __: { key: 0, namespace: 1 },
  _x: { key: 0, context: 1, namespace: 2 },
  _n: { key: 0, plural: true, namespace: 3 },
  _nx: { key: 0, plural: true, context: 3, namespace: 4 },
};
const WORDPRESS_PHP: Shapes = {
  ...WORDPRESS_JS,
  _n_noop: { key: 0, plural: true, namespace: 2 },
  _nx_noop: { key: 0, plural: true, context: 2, namespace: 3 },
  ...each("_ _c _e esc_attr__ esc_html__ esc_xml__ esc_attr_e esc_html_e esc_xml_e", {
    key: 0,
    namespace: 1,
  }),
  ...each("_ex esc_attr_x esc_html_x esc_xml_x", { key: 0, context: 1, namespace: 2 }),
};

/** GNU gettext's keyword table. */
const GETTEXT: Shapes = {
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

const LARAVEL_PHP: Shapes = {
  __: { key: 0, names: ["key"] },
  trans: { key: 0, names: ["key"] },
  trans_choice: { key: 0, plural: true, names: ["key", "number"] },
};

/** Methods of Laravel's translator; a receiver decides whether a call is one. */
export const LARAVEL_TRANSLATOR: Shapes = {
  get: { key: 0, names: ["key"] },
  has: { key: 0, names: ["key"] },
  hasForLocale: { key: 0, names: ["key"] },
  getFromJson: { key: 0, names: ["key"] },
  trans: { key: 0, names: ["key"] },
  transChoice: { key: 0, plural: true, names: ["key", "number"] },
  choice: { key: 0, plural: true, names: ["key", "number"] },
};

/** Blade's directives. */
export const BLADE_DIRECTIVES: Shapes = {
  "@lang": { key: 0, names: ["key"] },
  "@choice": { key: 0, plural: true, names: ["key", "number"] },
};

/** A function that makes translators: `useTranslation("ns", { keyPrefix })`. */
export interface HookShape {
  /** Its result is the translator, or an object (or array) that holds one. */
  readonly returns: "translator" | "object" | "either";
  readonly namespace?: number;
  readonly keyPrefix?: number;
  /** The object of options with `keyPrefix`. */
  readonly options?: number;
  /** Its options may make messages of the component's own, which are none of the service's. */
  readonly mayBeLocal?: true;
}

const I18NEXT_HOOK: HookShape = { returns: "object", namespace: 0, options: 1 };
const PREFIX_HOOK: HookShape = { returns: "translator", keyPrefix: 0 };

export const HOOKS: Readonly<Record<string, HookShape>> = {
  useTranslation: I18NEXT_HOOK,
  useT: { ...I18NEXT_HOOK, returns: "either" },
  getT: { ...I18NEXT_HOOK, returns: "either" },
  getFixedT: { returns: "translator", namespace: 1, keyPrefix: 2 },
  useTranslations: PREFIX_HOOK,
  getTranslations: PREFIX_HOOK,
  createTranslator: PREFIX_HOOK,
  useScopedI18n: PREFIX_HOOK,
  getScopedI18n: PREFIX_HOOK,
  useI18n: { returns: "either", mayBeLocal: true },
  getI18n: { returns: "either" },
  useLaravelReactI18n: { returns: "object" },
};

/** Components and the attributes that hold their key. `*`: any component. */
export const COMPONENTS: Readonly<Record<string, readonly string[]>> = {
  "*": ["i18nKey"],
  "i18n-t": ["keypath"],
  I18nT: ["keypath"],
  I18n: ["path"],
  i18n: ["path"],
  Translation: ["keypath"],
  FormattedMessage: ["id"],
  FormattedHTMLMessage: ["id"],
};

/** The functions that hold in a project of these frameworks; without any known framework, the usual ones. */
export function javascriptShapes(options: FindOptions): ReadonlyMap<string, readonly CallShape[]> {
  const has = (framework: Framework): boolean =>
    options.frameworks.size === 0 || options.frameworks.has(framework);
  const given = (framework: Framework): boolean => options.frameworks.has(framework);
  return collect(options.functions, [
    JS_COMMON,
    has("vue-i18n") ? JS_VUE : {},
    given("gettext") ? GETTEXT : {},
    given("wordpress") ? WORDPRESS_JS : {},
    has("laravel") ? JS_LARAVEL : {},
    given("svelte-i18n") ? JS_SVELTE : {},
    has("formatjs") ? JS_FORMATJS : {},
  ]);
}

/** As `javascriptShapes`, for PHP: `__` is Laravel's, WordPress's or gettext's by the project alone. */
export function phpShapes(options: FindOptions): ReadonlyMap<string, readonly CallShape[]> {
  const { frameworks } = options;
  const other = frameworks.has("wordpress") || frameworks.has("gettext");
  return collect(options.functions, [
    frameworks.has("gettext") ? GETTEXT : {},
    frameworks.has("wordpress") ? WORDPRESS_PHP : {},
    frameworks.has("laravel") || !other ? LARAVEL_PHP : {},
  ]);
}

/** A later table wins over an earlier one; the user's own functions stand beside them. */
function collect(
  functions: readonly CustomFunction[],
  tables: readonly Shapes[],
): ReadonlyMap<string, readonly CallShape[]> {
  const shapes = new Map<string, CallShape[]>();
  for (const table of tables) {
    for (const [name, shape] of Object.entries(table)) shapes.set(name, [shape]);
  }
  for (const own of functions) {
    const name = /[@$\w]+$/.exec(own.name)?.[0];
    if (name === undefined) continue;
    const { key, namespace, context, plural } = own;
    const shape: CallShape = {
      key,
      ...(namespace === undefined ? {} : { namespace }),
      ...(context === undefined ? {} : { context }),
      ...(plural === undefined ? {} : { plural }),
      qualifier: own.name.slice(0, -name.length),
    };
    // The user's word comes first: a more special function may have the name of a known one.
    shapes.set(name, [shape, ...(shapes.get(name) ?? [])]);
  }
  return shapes;
}

function each(names: string, shape: CallShape): Shapes {
  return Object.fromEntries(names.split(" ").map((name) => [name, shape]));
}
