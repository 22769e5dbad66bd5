/**
 * Lingui: macros whose text is the key, translators and `<Trans>` with ids. A catalog in PO has the texts themselves
 * and explicit ids; others have ids, which a build computes from text and context.
 */
import { createHash } from "node:crypto";
import { ICU_SCRIPT, objectMembers } from "./code-styles.ts";
import { NO_NAMESPACE, type KeyName } from "../model/key-hash.ts";
import type { Configuration, Framework, KeyRules } from "./framework.ts";

/** Between text and context (`UNIT_SEPARATOR` of @lingui/message-utils). */
const SEPARATOR = "\u001f";
const ID_LENGTH = 6;

/** Returns the id of a text without an explicit one (`generateMessageId`). */
export function generatedId(message: string, context: string | null): string {
  return createHash("sha256")
    .update(`${message}${SEPARATOR}${context ?? ""}`)
    .digest("base64url")
    .slice(0, ID_LENGTH);
}

/** A text with only a plural; @lingui/format-po-gettext writes its first form as `msgid`. */
const PLURAL = /^\{\w+, plural, (?:offset:\d+ )?=?\w+ \{((?:[^{}]|\{[^{}]*\})*)\} /;

const candidates: KeyRules["candidates"] = function* (
  { context, keyPrefix },
  written,
  _conventions,
  isPartial,
): Generator<KeyName> {
  // The prefix of explicit ids, as it is.
  const key = `${keyPrefix}${written}`;
  if (isPartial) {
    yield { namespace: NO_NAMESPACE, key, context: null };
    return;
  }
  yield { namespace: NO_NAMESPACE, key, context };
  yield { namespace: NO_NAMESPACE, key: generatedId(key, context), context: null };
  const singular = PLURAL.exec(key)?.[1];
  if (singular !== undefined) yield { namespace: NO_NAMESPACE, key: singular, context };
  // Catalogs by id name no context.
  if (context !== null) yield { namespace: NO_NAMESPACE, key, context: null };
};

const configuration: Configuration = {
  globs: ["lingui.config.{js,ts,mjs,cjs,mts}", "{apps,packages}/*/lingui.config.{js,ts,mjs,cjs,mts}"],
  watch: "**/lingui.config.{js,ts,mjs,cjs,mts}",
  mayHave: /corePackage|jsxPackage|idPrefixLeader/,
  call: /(?!)/g,
  toolFile: /(?:^|\/)lingui\.config\.\w+$/,
  // The members of `macro`.
  toolOption: /\b(?:corePackage|jsxPackage|idPrefixLeader)["']?\s*:/g,
  read: (options) => {
    const modules = [...(options.names("corePackage") ?? []), ...(options.names("jsxPackage") ?? [])];
    const idPrefixLeader = options.text("idPrefixLeader");
    return { macros: { modules, ...(idPrefixLeader ? { idPrefixLeader } : {}) } };
  },
};

export const lingui: Framework = {
  evidence: { npm: /^@lingui\/(?:core|react|macro|cli|vite-plugin|swc-plugin|solid)$/ },
  calls: {
    javascript: {
      functions: {},
      macros: {
        modules: /^@lingui\/(?:macro|(?:core|react|solid)(?:\/macro)?)$/,
        tags: ["t", "msg", "defineMessage"],
        choices: { plural: "plural", select: "select", selectOrdinal: "selectordinal" },
        components: ["Trans"],
        choiceComponents: { Plural: "plural", Select: "select", SelectOrdinal: "selectordinal" },
        label: "ph",
        hooks: ["useLingui"],
        methods: ["_", "t"],
        translators: ["i18n"],
        directives: {
          set: "lingui-set",
          reset: "lingui-reset",
          context: "context",
          idPrefix: "idPrefix",
        },
      },
    },
    usesTranslator: () => false,
  },
  code: {
    script: {
      ...ICU_SCRIPT,
      translator: { script: "t", template: "t" },
      write: ({ key, values, translator }) => {
        const code = new Map(values.map((value) => [value.name, value]));
        const text = key.replaceAll(/[\\`]|\$(?=\{)/g, String.raw`\$&`);
        const written = text.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => {
          const value = code.get(name);
          return value === undefined
            ? placeholder
            : `\${${value.name === value.code ? name : `{ ${objectMembers([value])} }`}}`;
        });
        return `${translator}\`${written}\``;
      },
      // A value that is more than a name cannot be labelled between tags.
      component: ({ key, values }) =>
        values.some(({ name, code }) => name !== code) || /[<>&]|'[{}]/.test(key)
          ? null
          : `<Trans>${key}</Trans>`,
      imports: {
        component: { name: "Trans", module: "@lingui/react/macro", olderModule: "@lingui/macro" },
        call: {
          name: "t",
          module: "@lingui/core/macro",
          olderModule: "@lingui/macro",
          providers: ["useLingui"],
        },
      },
    },
  },
  placeholders: "icu-tags",
  keys: { kind: "text", candidates, usesAnyDomain: true },
  configuration,
};
