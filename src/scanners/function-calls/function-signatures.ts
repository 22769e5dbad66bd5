/**
 * Translation functions, hooks and components by name, with the positions of their arguments, by framework. The
 * project's frameworks decide which apply.
 */
import type { CustomFunction, FindOptions, Framework } from "../key-usage.ts";
import { cachedByObject } from "../../util/maps.ts";
import { escapeRegExp } from "../lexers/characters.ts";

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
  readonly namespace?: number | undefined;
  readonly context?: number | undefined;
  /** Always plural, or only if this argument is present. */
  readonly plural?: true | number | undefined;
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
function shapeTable(table: Shapes, names?: ArgumentNames): Shapes {
  return Object.fromEntries(
    Object.entries(table).flatMap(([functions, shape]) =>
      functions.split(" ").map((name) => [name, names === undefined ? shape : { ...shape, names }]),
    ),
  );
}

/** The argument maps of wp-cli's i18n-command, plus `hasTranslation` from `@wordpress/i18n`. */
const WORDPRESS_JS: Shapes = {
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
 * @param templateShapes functions of the template language, which take precedence
 */
export function phpShapes(
  options: FindOptions,
  templateShapes: Shapes = {},
): ReadonlyMap<string, readonly CallShape[]> {
  const { frameworks } = options;
  return mergeShapes(options.functions, [
    frameworks.has("gettext") ? GETTEXT : {},
    frameworks.has("craft") ? CRAFT_PHP : {},
    frameworks.has("symfony") ? SYMFONY_PHP : {},
    mayUseLaravel(options) ? LARAVEL_PHP : {},
    // WordPress defines its functions before a Laravel package bundled with a plugin can.
    frameworks.has("wordpress") ? withDomains(WORDPRESS_PHP, options) : {},
    templateShapes,
  ]);
}

/** Returns the Python functions of a project; the imports of each file decide which names refer to gettext. */
export function pythonShapes(options: FindOptions): ReadonlyMap<string, readonly CallShape[]> {
  return mergeShapes(options.functions, [PYTHON]);
}

/** Restricts the shapes to the project's text domains, if known. */
function withDomains(shapes: Shapes, { domains }: FindOptions): Shapes {
  if (domains === undefined) return shapes;
  return Object.fromEntries(Object.entries(shapes).map(([name, shape]) => [name, { ...shape, domains }]));
}

/** Merges shape tables, with later ones taking precedence, and adds the custom functions. */
function mergeShapes(
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

const WITH_OPTIONS: CallShape = { key: 0, keyProperty: "id", options: true };
const COUNTED: CallShape = { key: 0, plural: true, options: true };

/** Translator calls common to most frameworks, and the objects that are never bound. */
const COMMON = shapeTable({
  "t $t": WITH_OPTIONS,
  exists: { key: 0, options: true, receivers: ["i18n", "i18next"] },
});
const VUE = shapeTable({ "$tc tc": COUNTED, "$te te $tm tm": { key: 0 } });
const LARAVEL = shapeTable({
  "trans wTrans __": { key: 0 },
  "transChoice trans_choice wTransChoice $tChoice tChoice": { key: 0, plural: true },
});
/** Stores of svelte-i18n and sveltekit-i18n; the first argument of `$l` and `l` is the locale. */
const SVELTE = shapeTable({
  "$_ $format": WITH_OPTIONS,
  $json: { key: 0 },
  "$l l": { key: 1, options: true },
  defineMessages: { key: 0, keyProperty: "id", messages: true },
});
const FORMATJS = shapeTable({
  "formatMessage $formatMessage defineMessage": { key: 0, keyProperty: "id", unbound: true },
  defineMessages: { key: 0, keyProperty: "id", messages: true, unbound: true },
});

/** A function that creates translators: `useTranslation("ns", { keyPrefix })`. */
export interface HookShape {
  /** Whether it returns the translator itself, or an object (or array) that contains it. */
  readonly returns: "translator" | "object" | "either";
  readonly namespace?: number;
  readonly keyPrefix?: number;
  /** Position of the options object with `keyPrefix`. */
  readonly options?: number;
  /** Only the first of several namespaces is searched, unless `nsMode` is `fallback`. */
  readonly firstNamespace?: true;
  /** Its options may define messages of the component itself, which are not keys of the service. */
  readonly mayBeLocal?: true;
}

export const I18NEXT_HOOK: HookShape = { returns: "object", namespace: 0, options: 1, firstNamespace: true };
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

/** Components and the attributes that contain their key. `*` matches any component. */
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

/** Returns the functions of a project with these frameworks; without a known framework, the usual ones. */
function javascriptShapes(options: FindOptions): ReadonlyMap<string, readonly CallShape[]> {
  const { frameworks } = options;
  const mayHave = (framework: Framework): boolean => frameworks.size === 0 || frameworks.has(framework);
  return mergeShapes(options.functions, [
    mayUseTranslator(options) ? COMMON : {},
    mayHave("vue-i18n") ? VUE : {},
    frameworks.has("gettext") ? GETTEXT : {},
    frameworks.has("wordpress") ? withDomains(WORDPRESS_JS, options) : {},
    mayHave("laravel") ? LARAVEL : {},
    frameworks.has("svelte-i18n") ? SVELTE : {},
    mayHave("formatjs") ? FORMATJS : {},
  ]);
}

/** Frameworks whose scripts have no `t`: WordPress and server-side ones. */
const WITHOUT_COMMON: ReadonlySet<Framework> = new Set<Framework>(["wordpress", "django", "jinja"]);

/** Whether scripts may call `t`. */
function mayUseTranslator({ frameworks }: FindOptions): boolean {
  if (frameworks.size === 0) return true;
  // These frameworks bundle gettext; elsewhere it is a JavaScript library that may have a `t` (ttag).
  const onServers = frameworks.has("django") || frameworks.has("jinja");
  return [...frameworks].some(
    (framework) => !WITHOUT_COMMON.has(framework) && !(onServers && framework === "gettext"),
  );
}

/** The functions and patterns of a project, computed once per options. */
export interface JavaScriptFunctions {
  readonly shapes: ReadonlyMap<string, readonly CallShape[]>;
  /** Alternation of their names, for use in a pattern. */
  readonly names: string;
  readonly nsMode: FindOptions["nsMode"];
  /** Cheap test whether a text may contain key usages at all. */
  readonly prefilter: RegExp;
  /** Alternation of the translator methods that take a key like the translator itself (`t.rich`). */
  readonly methods: string;
  /** `<Trans>` is react-i18next's component, whose children may be the key. */
  readonly children: boolean;
  /** Translators may be Svelte stores. */
  readonly stores: boolean;
}

/** Returns the functions that apply with these options. */
export const javascriptFunctions = cachedByObject((options: FindOptions): JavaScriptFunctions => {
  const shapes = javascriptShapes(options);
  const hooks = "[Tt]ranslation|I18n|i18n|FixedT|createTranslator|\\b(?:use|get)T\\b";
  const names = nameAlternatives([...shapes.keys()]);
  const components = "keypath|FormattedMessage|v-t\\b|<Trans\\b|[\"']ttag\\b";
  const stores = options.frameworks.has("svelte-i18n");
  return {
    shapes,
    names,
    nsMode: options.nsMode,
    stores,
    children: options.frameworks.has("i18next"),
    methods: `rich|markup|raw|has${stores ? "|get" : ""}`,
    prefilter: new RegExp(
      [
        `(?:${names})!?\\s*(?:[(<\`]|!?\\?\\.|\\)\\s*(?:\\?\\.\\s*)?\\(|(?:as|satisfies)\\b)`,
        // A renamed translator: `const { t: tr } = props`, `const tr = props.t;`.
        `(?:${names})\\s*:\\s*[\\w$]+\\s*[,}=]|=\\s*[\\w$?!.]{0,100}(?:${names})!?\\s*(?:[;,\\n]|\\.bind\\b|$)`,
        hooks,
        components,
      ].join("|"),
    ),
  };
});

/**
 * Returns an alternation of the names. Those that start with a word character need a `\b` before them; `$` and `@` do
 * not.
 */
export function nameAlternatives(names: readonly string[]): string {
  const words = names.filter((name) => /^\w/.test(name)).map(escapeRegExp);
  const others = names.filter((name) => !/^\w/.test(name)).map(escapeRegExp);
  return [`\\b(?:${words.join("|")})`, ...others].join("|");
}
