/** Laravel: `__("group.item")`, also in Blade, Twig and the JavaScript packages that read its files. */
import { languageOf } from "../model/locales.ts";
import { fillCategories, formsOfParts, type PipeRules, splitAtPipes } from "../model/pipe-plurals.ts";
import { neededCategories, pluralCategories } from "../model/plural-categories.ts";
import type { Forms } from "../model/translation-text.ts";
import { type PlaceholderStyle, translatorCall, valueList } from "./code-styles.ts";
import { NO_NAMESPACE, type KeyName } from "../model/key-hash.ts";
import {
  LOCALE_PATTERN,
  shapeTable,
  type ArgumentNames,
  type Configuration,
  type Framework,
  type KeyRules,
  type TranslatorObject,
} from "./framework.ts";
import { PATHS } from "./key-candidates.ts";
import { laravelNames } from "./laravel-names.ts";

const NAMES: ArgumentNames = { key: ["key"] };

/** `Translator::get`: the complete key in the JSON file first, then `[package::]group.item`. */
const candidates: KeyRules["candidates"] = function* (
  usage,
  key,
  conventions,
  isPartial,
): Generator<KeyName> {
  // Only packages for JavaScript bind keys to prefixes.
  if (usage.keyPrefix !== "" || Array.isArray(usage.namespaces)) {
    yield* PATHS.candidates(usage, key, conventions, isPartial);
    return;
  }
  yield { namespace: NO_NAMESPACE, key, context: null };
  const colons = key.indexOf("::");
  const start = colons === -1 ? 0 : colons + 2;
  if (colons > 0 && conventions.packageNames?.includes(key.slice(0, colons)) === true) {
    const own = key.slice(start);
    yield* candidates(usage, own, { ...conventions, packageNames: [] }, isPartial);
    // All keys of a group: `shop::group.` and more.
    if (isPartial && own.indexOf(".") === own.length - 1)
      yield { namespace: own.slice(0, -1), key: "", context: null };
  }
  const dot = key.indexOf(".", start);
  if (dot > start && dot < key.length - 1) {
    const group = key.slice(0, dot);
    yield { namespace: group, key: key.slice(dot + 1), context: null };
    // The group is a path, in which `/admin` and `admin//` are the same folder.
    const path = group.replace(/^\/+/u, "").replaceAll(/\/{2,}/gu, "/");
    if (path !== group) yield { namespace: path, key: key.slice(dot + 1), context: null };
  }
};

/** A package's service provider says under which name its texts are loaded. */
const configuration: Configuration = {
  globs: ["{app,src,packages,modules,Modules}/**/*ServiceProvider.php"],
  watch: "**/*ServiceProvider.php",
  mayHave: /loadTranslationsFrom/,
  call: /(?!)/g,
  read: () => ({}),
  readCode: (code) => {
    const calls = code.matchAll(
      /loadTranslationsFrom\s*\((?:[^();]|\([^();]*\))*,\s*["']([\w.-]+)["']\s*\)/g,
    );
    return { packageNames: Array.from(calls, ([, name = ""]) => name) };
  },
};

/** `:name`, which also matches in other case and at the start of longer words. */
const COLON: PlaceholderStyle = {
  write: (name) => `:${name}`,
  escape: (text, values) => {
    const lower = text.toLowerCase();
    return values.some(({ name }) => lower.includes(`:${name.toLowerCase()}`)) ? null : text;
  },
};

const CONTAINER = String.raw`(?:app\(\)|resolve\(\)|\$(?:this->)?app|App|Container::getInstance\(\))`;
const BY_NAME = String.raw`\((?:["']translator["']|\\?(?:[\w\\]*\\)?Translator::class)\)`;

const TRANSLATOR: TranslatorObject = {
  methods: shapeTable(
    {
      "get has hasForLocale getFromJson trans": { key: 0 },
      "transChoice choice": { key: 0, plural: true },
    },
    NAMES,
  ),
  facade: /^\\?(?:Illuminate\\Support\\Facades\\)?Lang$/,
  facadeName: "Lang",
  expression: new RegExp(
    [
      String.raw`^trans\(\)$`,
      `^(?:app|resolve)${BY_NAME}$`,
      `^${CONTAINER}(?:->|::)(?:make|get)${BY_NAME}$`,
      String.raw`^(?:app\(\)|\$(?:this->)?app)\[["']translator["']\]$`,
      String.raw`^\\?Lang::getFacadeRoot\(\)$`,
      String.raw`^(?:\$this->|\$)\w*[tT]ranslator$`,
      String.raw`->getTranslator\(\)$`,
    ].join("|"),
  ),
  className: "Translator",
  types: ["Translator", "TranslatorInterface", "TranslatorContract"],
  otherNamespaces: /^\\?Symfony\\/,
  wrapped: /^trans(?:Choice)?$/,
  mayContain: /[tT]ranslator|\btrans\(\)/,
  mayCall: /\bLang\b|[tT]ranslator|->transChoice|\$fail\s*\(/,
  // Without `translate` the argument is plain text: `$fail("validation.uppercase")->translate()`.
  message: {
    call: /\$fail\s*\(/g,
    callee: "$fail",
    methods: { translate: { key: 0 }, translateChoice: { key: 0, plural: true } },
  },
};

/*
 * Plural rules: which part of `one apple|many apples` is shown for a number. They are those of Laravel's
 * `MessageSelector`, older than CLDR's and often coarser: Hebrew has two parts, Turkish one.
 */

/** Languages by the categories of their parts: each is that of most numbers for which Laravel shows the part. */
const LANGUAGES: readonly (readonly [categories: string, languages: string])[] = [
  [
    "one other",
    `af bn bg ca da de el en eo es et eu fa fi fo fur fy gl gu ha he hu is it ku lb ml mn mr nah nb ne nl nn no om or
     pa pap ps pt so sq sv sw ta te tk ur zu am bh fil fr gun hi hy ln mg nso ti wa xbr mk`,
  ],
  ["one few many", "be ru uk pl"],
  ["one few other", "bs hr sr cs sk lt ro"],
  ["one two other", "ga"],
  ["one two few other", "sl"],
  // 2 has the part of `few`.
  ["one few many other", "mt"],
  ["zero one other", "lv"],
  // The third part is for 8 and 11, the fourth for all other numbers.
  ["one two other other", "cy"],
  ["zero one two few many other", "ar"],
];

/** Laravel shows the first part for every number in languages that it does not know, and in Turkish, Japanese … */
const ONE_PART: readonly string[] = ["other"];

const partCategories: ReadonlyMap<string, readonly string[]> = new Map(
  LANGUAGES.flatMap(([categories, languages]) =>
    languages.split(/\s+/u).map((language) => [language, categories.split(" ")] as const),
  ),
);

/** Returns the plural category of each part that Laravel distinguishes in the locale. */
function shownCategories(locale: string): readonly string[] {
  return partCategories.get(languageOf(locale)) ?? ONE_PART;
}

/**
 * Returns the categories of the first parts, those that Laravel shows. Surplus parts are never shown; but if there is
 * one for each category of the language, that is what the author meant (Turkish `elma|elmalar`).
 */
function categoriesOfParts(locale: string, count: number): readonly string[] {
  const shown = shownCategories(locale);
  if (count === 1) return ["other"];
  if (count <= shown.length) return shown.slice(0, count);
  const usual = [neededCategories(locale), pluralCategories(locale)];
  return usual.find((categories) => categories.length === count) ?? shown;
}

function partsOf(locale: string, forms: Forms): readonly string[] | null {
  const categories = shownCategories(locale);
  const shown = formsInValue(locale, forms);
  const count = Object.keys(shown).length;
  const first = categories.slice(0, count);
  // Without `other` the last parts may be missing.
  const isBeginning =
    count > 1 && !Object.hasOwn(shown, "other") && first.every((name) => Object.hasOwn(shown, name));
  return fillCategories(isBeginning ? first : categories, shown);
}

/** Returns the forms that a Laravel value can have: without those of the language that Laravel never shows. */
function formsInValue(locale: string, forms: Forms): Forms {
  const shown = shownCategories(locale);
  const hidden = pluralCategories(locale).filter((category) => !shown.includes(category));
  const isComplete = shown.every((category) => Object.hasOwn(forms, category));
  const kept = Object.entries(forms).filter(
    ([name]) => !hidden.includes(name) || (name === "other" && !isComplete),
  );
  return kept.length === 0 ? forms : Object.fromEntries(kept);
}

/** Ranges before a part: `{0}`, `[1,19]`, `[20,*]`. */
const RANGE =
  /(?:^|\|)\s*(?:\{\s*-?\d+(?:\.\d+)?\s*\}|[[\]]\s*(?:\*|-?[\w.]+)\s*,\s*(?:\*|-?[\w.]+)\s*[[\]])/u;

export const laravelPipes: PipeRules = {
  split: (value) => splitAtPipes(value, /\|/gu, false),
  forms: (locale, parts) => formsOfParts(categoriesOfParts(locale, parts.length), parts),
  parts: partsOf,
  formsInValue,
  shownCategories,
  hasRanges: (value) => RANGE.test(value),
};

/** A setting in `config/app.php`. */
function setting(name: string): RegExp {
  const value = String.raw`(?:env\(\s*['"]\w+['"]\s*,\s*)?['"](${LOCALE_PATTERN})['"]`;
  return new RegExp(String.raw`['"]${name}['"]\s*=>\s*${value}`, "g");
}

/** Texts of its error pages, mails, pages of results and exceptions. */
const OWN_TEXTS: ReadonlySet<string> = new Set([
  "Unauthorized",
  "Payment Required",
  "Forbidden",
  "Not Found",
  "Page Expired",
  "Too Many Requests",
  "Server Error",
  "Service Unavailable",
  "The given data was invalid.",
  "(and :count more error)",
  "(and :count more errors)",
  "Hello!",
  "Whoops!",
  "Regards",
  "Regards,",
  "All rights reserved.",
  'If you\'re having trouble clicking the ":actionText" button, copy and paste the URL below\ninto your web browser:',
  "Reset Password",
  "Reset Password Notification",
  "You are receiving this email because we received a password reset request for your account.",
  "This password reset link will expire in :count minutes.",
  "If you did not request a password reset, no further action is required.",
  "Verify Email Address",
  "Please click the button below to verify your email address.",
  "If you did not create an account, no further action is required.",
  "Pagination Navigation",
  "Go to page :page",
  "Showing",
  "to",
  "of",
  "results",
]);

export const laravel: Framework = {
  sourceLanguage: {
    globs: ["{config,app/Config}/app.php"],
    settings: {
      files: /(?:^|\/)config\/app\.php$/i,
      // A fallback language is the most complete one.
      patterns: [setting("fallback_locale"), setting("locale")],
    },
  },
  evidence: {
    composer: /^(?:laravel\/(?:framework|lumen-framework)|illuminate\/(?:translation|support|contracts))$/,
    globs: ["artisan"],
    npm: /^(?:laravel-vue-i18n|laravel-react-i18n|laravel-translator-js|matice|lang\.js)$/,
    file: ({ text }, name) => (name === "artisan" && text.includes("php") ? name : undefined),
  },
  configuration,
  calls: {
    javascript: {
      functions: shapeTable({
        "trans wTrans __": { key: 0 },
        "transChoice trans_choice wTransChoice $tChoice tChoice": { key: 0, plural: true },
      }),
      isUsual: true,
    },
    hooks: { useLaravelReactI18n: { returns: "object" } },
    php: {
      functions: shapeTable({ "__ trans": { key: 0 }, trans_choice: { key: 0, plural: true } }, NAMES),
      isUsual: true,
      translator: TRANSLATOR,
      directives: shapeTable({ "@lang": { key: 0 }, "@choice": { key: 0, plural: true } }, NAMES),
    },
    twig: {
      functions: {},
      filters: { trans: {}, trans_choice: { plural: true }, lang: {} },
      isUsual: true,
    },
  },
  code: {
    php: {
      placeholders: COLON,
      write: ({ key, values, literal }) => {
        const list = valueList(values, ({ name, code }) => `${literal(name)} => ${code}`);
        return list === "" ? `__(${literal(key)})` : `__(${literal(key)}, [${list}])`;
      },
    },
    twig: {
      placeholders: COLON,
      write: ({ key, values, literal }) => {
        const list = valueList(values, ({ name, code }) => `${literal(name)}: ${code}`);
        return `trans(${literal(key)}${list === "" ? "" : `, { ${list} }`})`;
      },
    },
    script: { placeholders: COLON, write: translatorCall },
  },
  placeholders: "colon",
  pipes: laravelPipes,
  keys: { kind: "name", candidates, isUsual: true, hasGroups: true, prefersGroups: true },
  derivedNames: laravelNames,
  provided: {
    groups: ["auth", "pagination", "passwords", "validation"],
    // `auth.failed` in the JSON file.
    isInGroup: ({ namespace, key }, group) =>
      namespace === group || (namespace === NO_NAMESPACE && key.startsWith(`${group}.`)),
    texts: OWN_TEXTS,
    packageFiles: {
      packages: "vendor",
      texts: ["lang", "resources/lang", "src/lang", "src/Lang", "src/resources/lang", "src/Resources/lang"],
      extension: ".php",
    },
  },
};
