/** Laravel: `__("group.item")`, also in Blade, Twig and the JavaScript packages that read its files. */
import { type PlaceholderStyle, translatorCall, valueList } from "./code-styles.ts";
import { NO_NAMESPACE, type KeyName } from "../model/key-hash.ts";
import {
  LOCALE_PATTERN,
  shapeTable,
  type ArgumentNames,
  type Framework,
  type KeyRules,
  type TranslatorObject,
} from "./framework.ts";
import { PATHS } from "./key-candidates.ts";

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
  const dot = key.indexOf(".", start);
  if (dot > start && dot < key.length - 1) {
    yield { namespace: key.slice(0, dot), key: key.slice(dot + 1), context: null };
  }
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

/** A setting in `config/app.php`. */
function setting(name: string): RegExp {
  const value = String.raw`(?:env\(\s*['"]\w+['"]\s*,\s*)?['"](${LOCALE_PATTERN})['"]`;
  return new RegExp(String.raw`['"]${name}['"]\s*=>\s*${value}`, "g");
}

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
  keys: { kind: "name", candidates, isUsual: true, hasGroups: true, prefersGroups: true },
  provided: {
    groups: ["auth", "pagination", "passwords", "validation"],
    // `auth.failed` in the JSON file.
    isInGroup: ({ namespace, key }, group) =>
      namespace === group || (namespace === NO_NAMESPACE && key.startsWith(`${group}.`)),
  },
};
