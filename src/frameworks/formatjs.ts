/**
 * FormatJS (react-intl and its kin): `formatMessage({ id })`, `<FormattedMessage id>`. Without an id, its compilers
 * compute one from the message and its description.
 */
import { createHash } from "node:crypto";
import type { KeyName } from "../model/key-hash.ts";
import { ICU_SCRIPT, objectMembers } from "./code-styles.ts";
import { type Framework, type KeyRules, type MessageProperties, shapeTable } from "./framework.ts";
import { PATHS } from "./key-candidates.ts";

const SOURCE_MESSAGE: MessageProperties = { message: "defaultMessage", description: "description" };

/** Hashes and lengths of computed ids: the default, that of the linter's example, and that of earlier versions. */
const ID_PATTERNS: readonly (readonly [algorithm: string, length: number])[] = [
  ["sha512", 6],
  ["sha512", 10],
  ["sha1", 6],
];

const candidates: KeyRules["candidates"] = function* (
  usage,
  key,
  conventions,
  isPartial,
): Generator<KeyName> {
  if (usage.isMessage !== true) {
    yield* PATHS.candidates(usage, key, conventions, isPartial);
    return;
  }
  const message = key.trim().replaceAll(/\s+/g, " ");
  const content = usage.context === null ? message : `${message}#${usage.context}`;
  for (const [algorithm, length] of ID_PATTERNS) {
    const id = createHash(algorithm).update(content).digest("base64").slice(0, length);
    yield* PATHS.candidates({ ...usage, namespaces: null, context: null }, id, conventions, isPartial);
  }
};

export const formatjs: Framework = {
  evidence: { npm: /^(?:react-intl|@formatjs\/(?:intl|vue-intl|svelte-intl|cli)|vue-intl|preact-intl)$/ },
  calls: {
    javascript: {
      functions: shapeTable({
        "formatMessage $formatMessage defineMessage": {
          key: 0,
          keyProperty: "id",
          sourceMessage: SOURCE_MESSAGE,
          unbound: true,
        },
        defineMessages: {
          key: 0,
          keyProperty: "id",
          sourceMessage: SOURCE_MESSAGE,
          messages: true,
          unbound: true,
        },
      }),
      isUsual: true,
    },
    components: { FormattedMessage: ["id"], FormattedHTMLMessage: ["id"] },
    messageComponents: { FormattedMessage: SOURCE_MESSAGE },
  },
  code: {
    script: {
      ...ICU_SCRIPT,
      translator: {
        script: "intl.formatMessage",
        template: "$formatMessage",
        svelte: "intl.formatMessage",
      },
      write: ({ key, values, literal, translator }) => {
        const message = `{ id: ${literal(key)} }`;
        return values.length === 0
          ? `${translator}(${message})`
          : `${translator}(${message}, { ${objectMembers(values)} })`;
      },
      component: ({ key, values, literal }) => {
        const id = /["&\\]/.test(key) ? `{${literal(key)}}` : `"${key}"`;
        const given = values.length === 0 ? "" : ` values={{ ${objectMembers(values)} }}`;
        return `<FormattedMessage id=${id}${given} />`;
      },
      imports: { component: { name: "FormattedMessage", module: "react-intl" } },
    },
  },
  placeholders: "icu-tags",
  keys: { kind: "path", candidates },
};
