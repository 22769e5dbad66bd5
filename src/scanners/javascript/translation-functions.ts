/**
 * The functions, hooks and components of JavaScript that take keys, by framework, and which of them hold in a
 * project. Only tables; finding the calls is not done here.
 */
import { GETTEXT, WORDPRESS_JS } from "../functions/gettext-functions.ts";
import { collect, withDomains } from "../functions/function-shapes.ts";
import type { Shapes, CallShape } from "../functions/call-shape.ts";
import type { FindOptions, Framework } from "../usage.ts";

const WITH_OPTIONS: CallShape = { key: 0, keyProperty: "id", options: true };
const COUNTED: CallShape = { key: 0, plural: true, options: true };

/** The call of a translator that the frameworks share; the objects that are never bound. */
const COMMON: Shapes = {
  t: WITH_OPTIONS,
  $t: WITH_OPTIONS,
  exists: { key: 0, options: true, receivers: ["i18n", "i18next"] },
};
const VUE: Shapes = {
  $tc: COUNTED,
  tc: COUNTED,
  $te: { key: 0 },
  te: { key: 0 },
  $tm: { key: 0 },
  tm: { key: 0 },
};
const LARAVEL: Shapes = {
  trans: { key: 0 },
  wTrans: { key: 0 },
  __: { key: 0 },
  transChoice: { key: 0, plural: true },
  trans_choice: { key: 0, plural: true },
  wTransChoice: { key: 0, plural: true },
  $tChoice: { key: 0, plural: true },
  tChoice: { key: 0, plural: true },
};
/** Stores of svelte-i18n and of sveltekit-i18n; `$l` and `l` take the locale first. */
const SVELTE: Shapes = {
  $_: WITH_OPTIONS,
  $format: WITH_OPTIONS,
  $json: { key: 0 },
  $l: { key: 1, options: true },
  l: { key: 1, options: true },
  defineMessages: { key: 0, keyProperty: "id", messages: true },
};
const FORMATJS: Shapes = {
  formatMessage: { key: 0, keyProperty: "id", unbound: true },
  $formatMessage: { key: 0, keyProperty: "id", unbound: true },
  defineMessage: { key: 0, keyProperty: "id", unbound: true },
  defineMessages: { key: 0, keyProperty: "id", messages: true, unbound: true },
};

/** A function that makes translators: `useTranslation("ns", { keyPrefix })`. */
export interface HookShape {
  /** Its result is the translator, or an object (or array) that holds one. */
  readonly returns: "translator" | "object" | "either";
  readonly namespace?: number;
  readonly keyPrefix?: number;
  /** The object of options with `keyPrefix`. */
  readonly options?: number;
  /** Of several namespaces it looks into the first alone, unless `nsMode` is `fallback`. */
  readonly firstNamespace?: true;
  /** Its options may make messages of the component's own, which are none of the service's. */
  readonly mayBeLocal?: true;
}

const I18NEXT_HOOK: HookShape = { returns: "object", namespace: 0, options: 1, firstNamespace: true };
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
  const given = (framework: Framework): boolean => options.frameworks.has(framework);
  const has = (framework: Framework): boolean => options.frameworks.size === 0 || given(framework);
  return collect(options.functions, [
    holdsCommon(options) ? COMMON : {},
    has("vue-i18n") ? VUE : {},
    given("gettext") ? GETTEXT : {},
    given("wordpress") ? withDomains(WORDPRESS_JS, options) : {},
    has("laravel") ? LARAVEL : {},
    given("svelte-i18n") ? SVELTE : {},
    has("formatjs") ? FORMATJS : {},
  ]);
}

/** WordPress, and what runs on servers, has no `t` in its scripts. */
const WITHOUT_COMMON: ReadonlySet<Framework> = new Set<Framework>(["wordpress", "django", "jinja"]);

function holdsCommon({ frameworks }: FindOptions): boolean {
  if (frameworks.size === 0) return true;
  // Gettext comes with these; elsewhere it is a library for JavaScript, which may have a `t` (ttag).
  const onServers = frameworks.has("django") || frameworks.has("jinja");
  return [...frameworks].some(
    (framework) => !WITHOUT_COMMON.has(framework) && !(onServers && framework === "gettext"),
  );
}
