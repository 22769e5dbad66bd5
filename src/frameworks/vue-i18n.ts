/** vue-i18n and Nuxt's module: `$t("a.b")`, `<i18n-t keypath>`, links such as `@:a.b` in texts. */
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

export const vueI18n: Framework = {
  evidence: { npm: /^(?:vue-i18n|petite-vue-i18n|@nuxtjs\/i18n|nuxt-i18n|vue-i18n-next|@intlify\/.*)$/ },
  calls: {
    javascript: {
      functions: shapeTable({ "$tc tc": COUNTED, "$te te $tm tm": { key: 0 } }),
      isUsual: true,
    },
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
