/** Symfony: translator methods, messages, and Twig's `trans`. The key is a name or text within a domain. */
import { type PlaceholderStyle, valueList } from "./code-styles.ts";
import { NO_NAMESPACE, type KeyName } from "../model/key-hash.ts";
import { type ArgumentNames, type Framework, type KeyRules, LOCALE_PATTERN } from "./framework.ts";

const MESSAGE: ArgumentNames = { key: ["id", "message"], namespace: ["domain"] };
const DEFAULT_DOMAINS: readonly string[] = ["messages"];
/** The suffix of domains with ICU messages. */
const ICU_SUFFIX = "+intl-icu";
/** What Symfony names the file of every domain in XLIFF files that it writes. */
const WRITTEN_FILE = "file.ext";

const candidates: KeyRules["candidates"] = function* (
  { namespaces, context },
  key,
  _conventions,
  isPartial,
): Generator<KeyName> {
  const own = isPartial ? null : context;
  for (const namespace of Array.isArray(namespaces) ? namespaces : DEFAULT_DOMAINS) {
    yield { namespace, key, context: own };
    yield { namespace: `${namespace}${ICU_SUFFIX}`, key, context: own };
  }
  yield { namespace: NO_NAMESPACE, key, context: own };
};

/**
 * The names of form fields whose label Symfony derives this key from: `firstName` and `first_name` for "First name".
 */
function fieldNamesOf(key: string): readonly string[] {
  if (!/^[A-Z][a-z\d]*(?: [a-z\d]+)*$/.test(key)) return [];
  const words = key.toLowerCase();
  const camelCase = words.replaceAll(/ (.)/g, (_, initial: string) => initial.toUpperCase());
  return [...new Set([camelCase, words.replaceAll(" ", "_")])];
}

const PERCENT: PlaceholderStyle = {
  write: (name) => `%${name}%`,
  escape: (text, values) => (values.some(({ name }) => text.includes(`%${name}%`)) ? null : text),
};

/** A setting of the framework in YAML. */
function setting(name: string): RegExp {
  const value = String.raw`(?:\[\s*|-\s*)?['"]?(${LOCALE_PATTERN})['"]?\s*(?:[\],#].*)?`;
  return new RegExp(String.raw`^\s*${name}:\s*${value}$`, "gm");
}

export const symfony: Framework = {
  sourceLanguage: {
    globs: ["config/packages/{translation,framework}.yaml"],
    settings: { files: /\.ya?ml$/, patterns: [setting("default_locale"), setting("fallbacks")] },
  },
  evidence: { composer: /^symfony\/(?:symfony|framework-bundle|twig-bundle|twig-bridge)$/ },
  calls: {
    php: {
      functions: {
        // A method of any receiver.
        trans: { key: 0, namespace: 2, names: MESSAGE, qualifier: "" },
        t: { key: 0, namespace: 2, names: MESSAGE },
        TranslatableMessage: { key: 0, namespace: 2, names: MESSAGE, constructs: true },
      },
      // Constraints, also the project's own (`App\Validator\…`).
      messages: { classes: /\\Validator\\/, argument: /message$/i, namespace: "validators" },
    },
    twig: {
      functions: {
        trans: { key: 0, namespace: 2, usesTemplateDomain: true },
        t: { key: 0, namespace: 2, usesTemplateDomain: true },
      },
      filters: { trans: { domain: 1, count: 3 }, transchoice: { domain: 2, plural: true } },
      isUsual: true,
    },
  },
  code: {
    twig: {
      placeholders: PERCENT,
      write: ({ key, values, literal }) => {
        const list = valueList(values, ({ name, code }) => `${literal(`%${name}%`)}: ${code}`);
        return `${literal(key)}|trans${list === "" ? "" : `({ ${list} })`}`;
      },
    },
  },
  placeholders: "verbatim",
  keys: {
    kind: "name",
    candidates,
    hasDefaultNamespace: true,
    domains: {
      default: DEFAULT_DOMAINS,
      // XLIFF files name themselves, and their namespace may include that name: `shop.en.xlf` for the domain `shop`.
      has: (namespace, domain) =>
        namespace === domain ||
        namespace.startsWith(`${domain}.`) ||
        namespace.startsWith(`${domain}+`) ||
        (namespace === WRITTEN_FILE && DEFAULT_DOMAINS.includes(domain)),
    },
    otherMentions: fieldNamesOf,
  },
  provided: {
    groups: ["security", "validators"],
    isInGroup: ({ namespace }, group) =>
      namespace === group || namespace.startsWith(`${group}.`) || namespace.startsWith(`${group}+`),
  },
};
