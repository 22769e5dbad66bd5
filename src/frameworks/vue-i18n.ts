/** vue-i18n and Nuxt's module: `$t("a.b")`, `<i18n-t keypath>`, links such as `@:a.b` in texts. */
import { fillCategories, formsOfParts, type PipeRules, splitAtPipes } from "../model/pipe-plurals.ts";
import { neededCategories } from "../model/plural-categories.ts";
import { type Forms, PLURAL_CATEGORIES } from "../model/translation-text.ts";
import { translatorCall } from "./code-styles.ts";
import { shapeTable, type CallShape, type Framework, type TextLink } from "./framework.ts";
import { PATHS } from "./key-candidates.ts";

const COUNTED: CallShape = { key: 0, plural: true, options: true };

/**
 * `@:key`, `@.upper:key`, `@:{'key'}`, and version 8's `@:(key)`. The tokenizer of version 9 and later reads a key up
 * to white space or one of `{ } @ | ( )`.
 */
const LINK = /@(?:\.[A-Za-z]+)?:(?:\{\s*'((?:[^'\\]|\\.)*)'\s*\}|\(([^()\s]+)\)|([^\s{}@|()]+))/dg;
/** Punctuation after a link in prose: it is part of the key only where such a key exists. */
const TRAILING = /[.,;:!?…'"»”]+$/u;

function linksIn(text: string): readonly TextLink[] {
  const links: TextLink[] = [];
  for (const { indices } of text.matchAll(LINK)) {
    const [start, end] = indices?.[1] ?? indices?.[2] ?? indices?.[3] ?? [0, 0];
    const key = text.slice(start, end);
    const usage = { context: null };
    links.push({ span: { start, end }, key, usage });
    const length = indices?.[3] === undefined ? 0 : (TRAILING.exec(key)?.[0].length ?? 0);
    if (length > 0 && length < key.length)
      links.push({ span: { start, end: end - length }, key: key.slice(0, -length), usage });
  }
  return links;
}

/**
 * Returns the categories of `count` parts: the locale's own if the number fits, also with `zero` before
 * them. Any other number is read generically (one: `other`; two: `one`, `other`; three: `zero`, `one`, `other`), so
 * that no part is lost. `null` when there are more parts than categories.
 */
function categoriesOfParts(locale: string, count: number): readonly string[] | null {
  const fitting = usualCategories(locale).find((categories) => categories.length === count);
  if (fitting !== undefined) return fitting;
  if (count > PLURAL_CATEGORIES.length) return null;
  if (count === 1) return ["other"];
  if (count === 2) return ["one", "other"];
  return [...PLURAL_CATEGORIES.slice(0, count - 1), "other"];
}

/** Returns the usual sets of categories of the locale, the smaller one first. */
function usualCategories(locale: string): readonly (readonly string[])[] {
  const needed = neededCategories(locale);
  return needed.length < 2 || needed.includes("zero") ? [needed] : [needed, ["zero", ...needed]];
}

function partsOf(locale: string, forms: Forms): readonly string[] | null {
  const names = Object.keys(forms);
  for (let count = 1; count <= PLURAL_CATEGORIES.length; count++) {
    const categories = categoriesOfParts(locale, count);
    if (categories?.length === names.length && categories.every((name) => Object.hasOwn(forms, name))) {
      return categories.map((name) => forms[name] ?? "");
    }
  }
  for (const categories of usualCategories(locale)) {
    // A French `many` that equals `other` needs no part.
    if (names.every((name) => categories.includes(name) || forms[name] === forms["other"])) {
      return fillCategories(categories, forms);
    }
  }
  return null;
}

/** A pipe, or a sign or literal that contains none: `\|`, `{'|'}`. */
const PIPE = /\\[\\{}@|]|\{\s*'(?:[^'\\\n]|\\.)*'\s*\}|\|/gu;

/** Parts may start with one for zero: `no cars | one car | {n} cars`. */
export const vueI18nPipes: PipeRules = {
  split: (value) => splitAtPipes(value, PIPE, true),
  forms: (locale, parts) => {
    const categories = categoriesOfParts(locale, parts.length);
    return categories && formsOfParts(categories, parts);
  },
  parts: partsOf,
  formsInValue: (_locale, forms) => forms,
  shownCategories: neededCategories,
  hasRanges: () => false,
};

export const vueI18n: Framework = {
  evidence: { npm: /^(?:vue-i18n|petite-vue-i18n|@nuxtjs\/i18n|nuxt-i18n|vue-i18n-next|@intlify\/.*)$/ },
  calls: {
    javascript: {
      functions: shapeTable({ "$tc tc": COUNTED, "$te te $tm tm": { key: 0 } }),
      isUsual: true,
    },
    translatorTypes: [{ word: "ComposerTranslation", pattern: /ComposerTranslation\b/, arguments: [] }],
    globalTranslators: ["i18n", "$i18n", "i18n.global", "$i18n.global"],
    hooks: { useI18n: { returns: "either", mayBeLocal: true } },
    components: {
      "i18n-t": ["keypath"],
      I18nT: ["keypath"],
      I18n: ["path"],
      i18n: ["path"],
      Translation: ["keypath"],
    },
    componentMessages: {
      block: "i18n",
      localeAttribute: "locale",
      fileAttribute: "src",
      isComponentWith: ["path", ":path", "v-bind:path"],
      options: /\b(?:useI18n\s*(?:<[^()]{0,200}>\s*)?\(|i18n\s*:)\s*(?=\{)/g,
      option: "messages",
    },
  },
  code: {
    script: {
      language: "vue",
      placeholders: {
        write: (name) => `{${name}}`,
        escape: (text) => text.replaceAll(/[{}@$|]+/g, (signs) => `{'${signs}'}`),
      },
      write: translatorCall,
    },
  },
  placeholders: "braces",
  pipes: vueI18nPipes,
  keys: PATHS,
  links: {
    marker: () => "@",
    find: linksIn,
    canWrite: (key, { span }, text) => {
      if (text[span.start - 1] === "'") return !/['\\\n]/.test(key);
      return !/[\s{}@|()]/.test(key);
    },
  },
};
