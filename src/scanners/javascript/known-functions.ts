/**
 * JavaScript functions, hooks and components that take keys, by framework, and their selection for a project.
 */
import { cachedByObject } from "../../model/maps.ts";
import {
  GETTEXT,
  WORDPRESS_JS,
  mergeShapes,
  withDomains,
  shapeTable,
  type CallShape,
} from "../function-calls/function-signatures.ts";
import { escapeRegExp } from "../lexers/characters.ts";
import type { FindOptions, Framework } from "../usage.ts";

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
  const given = (framework: Framework): boolean => options.frameworks.has(framework);
  const has = (framework: Framework): boolean => options.frameworks.size === 0 || given(framework);
  return mergeShapes(options.functions, [
    hasDottedKeys(options) ? COMMON : {},
    has("vue-i18n") ? VUE : {},
    given("gettext") ? GETTEXT : {},
    given("wordpress") ? withDomains(WORDPRESS_JS, options) : {},
    has("laravel") ? LARAVEL : {},
    given("svelte-i18n") ? SVELTE : {},
    has("formatjs") ? FORMATJS : {},
  ]);
}

/** Frameworks whose scripts have no `t`: WordPress and server-side ones. */
const WITHOUT_COMMON: ReadonlySet<Framework> = new Set<Framework>(["wordpress", "django", "jinja"]);

function hasDottedKeys({ frameworks }: FindOptions): boolean {
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
