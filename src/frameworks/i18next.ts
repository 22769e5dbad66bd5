/**
 * i18next and what is built on it: `t("ns:a.b", { count, context })`, `useTranslation`, `<Trans>`, and `$t(key)` in
 * texts. The order of names is that of `Translator.resolve`.
 */
import { type PlaceholderStyle, translatorCall } from "./code-styles.ts";
import { NO_NAMESPACE } from "../model/key-hash.ts";
import type { Delimiters } from "../model/placeholders.ts";
import { escapeRegExp, PLURAL_CATEGORIES } from "../model/translation-text.ts";
import { getOrCreate } from "../util/maps.ts";
import {
  type Configuration,
  type Framework,
  type FrameworkOptions,
  type HookShape,
  type KeyConventions,
  type KeyVariants,
  type LinkSyntax,
  type OptionReader,
  type TextLink,
} from "./framework.ts";
import { pathCandidates } from "./key-candidates.ts";

const HOOK: HookShape = {
  returns: "object",
  namespace: 0,
  options: 1,
  firstNamespace: true,
};

/** Patterns and separators of a project's suffixes. */
interface Suffixes {
  readonly contextSeparator: string;
  readonly separators: readonly string[];
  /** A plural suffix, with `ordinal` as its first group; also the numbers and `_plural` of older versions. */
  readonly plural: RegExp;
  readonly pluralAtEnd: RegExp;
}

const suffixesBySeparators = new Map<string, Suffixes>();

function suffixesOf({ pluralSeparator = "_", contextSeparator = "_" }: KeyConventions): Suffixes {
  return getOrCreate(suffixesBySeparators, `${pluralSeparator}\0${contextSeparator}`, () => {
    const plural = escapeRegExp(pluralSeparator);
    const suffix = `${plural}(ordinal${plural})?(?:${PLURAL_CATEGORIES.join("|")}|plural|\\d+)`;
    return {
      contextSeparator,
      separators: [...new Set([pluralSeparator, contextSeparator])],
      plural: new RegExp(`^${suffix}$`),
      pluralAtEnd: new RegExp(`${suffix}$`),
    };
  });
}

/** Positions in the look-up order: the most specific name first. */
const RANK = { contextAndPlural: 0, context: 1, plural: 2, key: 3 } as const;

const variants: KeyVariants = {
  separators: (conventions) => suffixesOf(conventions).separators,
  rank: (suffix, usage, conventions) => {
    const { plural, pluralAtEnd, contextSeparator } = suffixesOf(conventions);
    if (suffix === "") return RANK.key;
    const isOpen = usage.openOptions === true;
    const isPlural = (rest: string): boolean => {
      const found = usage.plural === true || isOpen ? plural.exec(rest) : null;
      // Ordinal numbers fall back to the cardinal forms, never the other way round.
      return found !== null && (found[1] === undefined || usage.ordinal === true || isOpen);
    };
    if (isPlural(suffix)) return RANK.plural;
    if (!suffix.startsWith(contextSeparator)) return null;
    if (usage.context !== null) {
      const start = `${contextSeparator}${usage.context}`;
      if (suffix === start) return RANK.context;
      if (suffix.startsWith(start) && isPlural(suffix.slice(start.length))) return RANK.contextAndPlural;
    }
    if (usage.dynamicContext !== true && !isOpen) return null;
    const ending = pluralAtEnd.exec(suffix)?.[0] ?? "";
    return ending !== "" && isPlural(ending) ? RANK.contextAndPlural : RANK.context;
  },
  suffixes: (usage, { pluralSeparator = "_", contextSeparator = "_" }) => {
    const ordinals = usage.ordinal === true || usage.openOptions === true ? ["ordinal", ""] : [""];
    const plurals =
      usage.plural === true || usage.openOptions === true
        ? ordinals.flatMap((kind) =>
            PLURAL_CATEGORIES.map((category) =>
              [kind, category].flatMap((word) => (word === "" ? [] : `${pluralSeparator}${word}`)).join(""),
            ),
          )
        : [];
    if (usage.context === null) return plurals;
    const context = `${contextSeparator}${usage.context}`;
    return [...plurals.map((plural) => `${context}${plural}`), context, ...plurals];
  },
  pluralSuffix: (name, conventions) => suffixesOf(conventions).pluralAtEnd.exec(name)?.[0] ?? "",
  bases: (name, conventions) => {
    const cuts = new Set<number>();
    for (const separator of suffixesOf(conventions).separators) {
      for (let at = name.lastIndexOf(separator); at > 0; at = name.lastIndexOf(separator, at - 1)) {
        cuts.add(at);
        if (cuts.size > MAX_BASES) break;
      }
    }
    // `place_ordinal_one` is a form of `place` rather than of `place_ordinal`.
    const plural = suffixesOf(conventions).pluralAtEnd.exec(name)?.index ?? 0;
    const likeliest = plural > 0 ? [plural] : [];
    const others = [...cuts].filter((at) => at !== plural).sort((a, b) => b - a);
    return [...likeliest, ...others].map((at) => name.slice(0, at));
  },
};

/** A context has few parts; a text that is its own key may have many. */
const MAX_BASES = 8;

const NESTING: Delimiters = { prefix: "$t(", suffix: ")" };
/** What may be between the delimiters: no parenthesis or quote that is not closed. */
const NESTED = String.raw`((?:[^()"']|"[^"]*"|'[^']*'|\((?:[^()"']|"[^"]*"|'[^']*')*\))*?)`;

const linkPatterns = new Map<string, RegExp>();

function linkPattern({ nesting = NESTING }: KeyConventions): RegExp {
  const pattern = `${escapeRegExp(nesting.prefix)}${NESTED}${escapeRegExp(nesting.suffix)}`;
  return getOrCreate(linkPatterns, pattern, () => new RegExp(pattern, "gd"));
}

const links: LinkSyntax = {
  marker: ({ nesting = NESTING }) => nesting.prefix,
  find: (text, conventions) => {
    const found: TextLink[] = [];
    for (const { 1: inner = "", indices } of text.matchAll(linkPattern(conventions))) {
      // `key, { "count": 1 }`, or `key, format`.
      const written = inner.slice(0, inner.includes(",") ? inner.indexOf(",") : undefined);
      const key = written.trim();
      if (key === "") continue;
      const start = (indices?.[1]?.[0] ?? 0) + written.indexOf(key);
      // A link takes over the options of the call, so that its count may be any.
      const usage = { ...contextOf(inner.slice(written.length)), plural: true, ordinal: true as const };
      found.push({ span: { start, end: start + key.length }, key, usage, inheritsContext: true });
    }
    return found;
  },
  canWrite: (key) => !/[(){},"'\\\s]/.test(key),
};

/** Reads the context of a link, also where the quotes are escaped. */
function contextOf(options: string): Pick<TextLink["usage"], "context" | "dynamicContext"> {
  const value = /context\\?["']\s*:\s*\\?["'](.*?)\\?["']/.exec(options)?.[1];
  if (value === undefined) return { context: null };
  return /[{}]/.test(value) ? { context: null, dynamicContext: true } : { context: value };
}

function readOptions(options: OptionReader, isTool: boolean): FrameworkOptions {
  const separator = (...names: readonly string[]): string | false | undefined => {
    const text = options.text(...names);
    // An empty separator disables splitting.
    return text === undefined ? undefined : text || false;
  };
  const namespaceSeparator = separator("nsSeparator", "namespaceSeparator");
  const keySeparator = separator("keySeparator");
  const pluralSeparator = options.text("pluralSeparator");
  const contextSeparator = options.text("contextSeparator");
  const isFallbackSet = options.has("fallbackNS") && options.text("fallbackNS") !== false;
  const fallbackNamespaces = options.names("fallbackNS") ?? (isFallbackSet ? ("all" as const) : undefined);
  const isFallback = options.object("react")?.has("nsMode") === true && nsModeOf(options) === "fallback";
  // Without `defaultNS` the loaded namespaces decide, unless `translation` is one of them.
  const loaded = isTool ? undefined : options.names("ns");
  const first =
    options.names("defaultNS", "defaultNamespace") ??
    (loaded?.includes("translation") === true ? undefined : loaded?.slice(0, 1));
  const interpolationOptions = options.object("interpolation");
  const interpolation = delimiters(interpolationOptions, "prefix", "suffix", DELIMITERS);
  const nesting = delimiters(interpolationOptions, "nestingPrefix", "nestingSuffix", NESTING);
  return {
    ...(namespaceSeparator === undefined ? {} : { namespaceSeparator }),
    ...(keySeparator === undefined ? {} : { keySeparator }),
    ...(pluralSeparator ? { pluralSeparator } : {}),
    ...(contextSeparator ? { contextSeparator } : {}),
    ...(fallbackNamespaces === undefined ? {} : { fallbackNamespaces }),
    ...(isFallback ? { nsMode: "fallback" as const } : {}),
    ...(first === undefined ? {} : { defaultNamespaces: [...new Set([...first, NO_NAMESPACE])] }),
    ...(interpolation === undefined ? {} : { interpolation }),
    ...(nesting === undefined ? {} : { nesting }),
  };
}

/** Anything but a literal may be `fallback`. */
function nsModeOf(options: OptionReader): string {
  return options.object("react")?.text("nsMode") || "fallback";
}

/** Returns the delimiters if at least one of them is set. */
function delimiters(
  options: OptionReader | undefined,
  prefixName: string,
  suffixName: string,
  usual: Delimiters,
): Delimiters | undefined {
  const delimiter = (name: string): string => {
    // An option of earlier versions.
    const escaped = options?.text(`${name}Escaped`) || "";
    return options?.text(name) || escaped.replaceAll(/\\(\W)/g, "$1");
  };
  const prefix = delimiter(prefixName);
  const suffix = delimiter(suffixName);
  if (prefix === "" && suffix === "") return undefined;
  return { prefix: prefix || usual.prefix, suffix: suffix || usual.suffix };
}

const configuration: Configuration = {
  globs: [
    "{i18next,next-i18next,i18next-parser,i18n}.config.{js,ts,mjs,cjs,mts,json}",
    "**/{i18n,i18next,i18nConfig,i18n.config,i18n-config,i18n.client,i18n.server,initI18n,init-i18n}.{js,ts,jsx,tsx,mjs}",
    "**/{i18n,i18next}/{index,config,init,setup,settings,options,client,server,i18n,i18next,instance}.{js,ts,jsx,tsx,mjs}",
    // A package of that name.
    "**/{i18n,i18next}/{src,src/core,src/lib,src/config}/{index,config,init,setup,settings,options,client,server,i18n,i18next,instance}.{js,ts,jsx,tsx,mjs}",
  ],
  watch: "**/{*i18n*,*I18n*,i18n/*,i18next/*}.{js,ts,jsx,tsx,mjs,cjs,mts}",
  mayHave: /i18n|defaultNS|Separator/i,
  call: /\binit\s*(?:<[\w\s,.]*>)?\s*\(/g,
  toolFile: /(?:^|\/)[\w-]*i18n[\w-]*\.config\.\w+$/i,
  toolOption:
    /\b(?:defaultNS|fallbackNS|nsSeparator|keySeparator|pluralSeparator|contextSeparator|defaultNamespace|namespaceSeparator)["']?\s*:/g,
  read: readOptions,
};

/** Neither placeholders nor links can be escaped. */
function placeholdersWith({ prefix, suffix }: Delimiters): PlaceholderStyle {
  return {
    write: (name) => `${prefix}${name}${suffix}`,
    escape: (text) => (text.includes(prefix) || text.includes(NESTING.prefix) ? null : text),
    reserved: OPTIONS,
  };
}

const DELIMITERS: Delimiters = { prefix: "{{", suffix: "}}" };
const OPTIONS: ReadonlySet<string> = new Set(
  (
    "context defaultValue fallbackLng interpolation joinArrays keySeparator lng lngs ns nsSeparator ordinal " +
    "postProcess replace returnObjects returnDetails skipInterpolation"
  ).split(" "),
);

export const i18next: Framework = {
  evidence: {
    npm: /^(?:i18next|react-i18next|next-i18next|i18next-vue|vue-i18next|next-translate|remix-i18next|svelte-i18next|solid-i18next|@i18next-toolkit\/.*)$/,
  },
  calls: {
    javascript: {
      functions: { exists: { key: 0, options: true, receivers: ["i18n", "i18next"] } },
      isUsual: true,
      hasTextComponent: true,
    },
    // It passes all namespaces on.
    modulesWithAllNamespaces: ["i18next-vue"],
    hooks: {
      useTranslation: HOOK,
      useT: { ...HOOK, returns: "either" },
      getT: { ...HOOK, returns: "either" },
      getFixedT: { returns: "translator", namespace: 1, keyPrefix: 2 },
    },
    componentWrappers: { withTranslation: HOOK, withNamespaces: HOOK },
    translatorTypes: [
      { word: "TFunction", pattern: /(?:[\w$]+\.)?TFunction\s*</, arguments: ["namespace", "keyPrefix"] },
    ],
    globalTranslators: ["i18n", "i18next"],
    components: { "*": ["i18nKey"], Trans: ["i18nKey"] },
  },
  code: {
    script: {
      placeholders: placeholdersWith(DELIMITERS),
      withDelimiters: placeholdersWith,
      write: translatorCall,
    },
  },
  placeholders: "double-braces",
  hasOwnDelimiters: true,
  keys: {
    kind: "path",
    candidates: pathCandidates(["translation", NO_NAMESPACE]),
    isUsual: true,
    hasDefaultNamespace: true,
    separator: ":",
    variants,
  },
  links,
  configuration,
};
