/**
 * Resolves a key usage to a key of the project by the conventions of its frameworks: the candidate names in the
 * framework's lookup order, and the first that exists. Severity is decided elsewhere.
 */
import { NO_NAMESPACE, type KeyName } from "../../model/key-hash.ts";
import type { KeyNameQueries, NamedKey } from "../../database/key-name-repository.ts";
import type { Framework, KeyUsage } from "../../scanners/usage.ts";

/** The project's conventions. */
export interface KeyResolutionOptions {
  readonly frameworks: ReadonlySet<Framework>;
  /** Namespaces of a usage without one, in order. Default: `translation` (i18next's), then `*`. */
  readonly defaultNamespaces?: readonly string[];
  /** Namespaces tried after the bound ones (i18next's `fallbackNS`). Default: none. */
  readonly fallbackNamespaces?: readonly string[];
  /** `false`: keys contain no namespace. Default `:`. */
  readonly namespaceSeparator?: string | false;
  /** Default `.`. */
  readonly keySeparator?: string | false;
  /** Most keys that a pattern resolves to. Default 1,000. */
  readonly patternLimit?: number;
}

/** The fields of a usage that determine its key. */
export type KeyReference = Pick<
  KeyUsage,
  "expression" | "namespaces" | "keyPrefix" | "context" | "dynamicContext"
>;

/** A usage to resolve, and the project's keys and conventions. */
interface Lookup {
  readonly usage: KeyReference;
  readonly names: KeyNameQueries;
  readonly options: KeyResolutionOptions;
}

/** The result of resolving a usage. */
export type KeyResolution =
  /** The key exists. */
  | { readonly kind: "known"; readonly key: NamedKey }
  /** The name refers to a group of keys (`__("auth")`, `t("a", { returnObjects })`). */
  | { readonly kind: "intermediate"; readonly namespace: string; readonly prefix: string }
  /** None of the candidates exists; the likeliest first. */
  | { readonly kind: "unknown"; readonly candidates: readonly KeyName[] }
  /** Only parts of the key or not even its scope are known: any of these keys may be used (up to the limit). */
  | {
      readonly kind: "pattern";
      readonly prefix: string;
      readonly suffix: string;
      readonly matches: readonly NamedKey[];
    }
  /** No part of the key is in the code. Never reported as missing. */
  | { readonly kind: "undeterminable" };

const PATTERN_LIMIT = 1_000;

const I18NEXT_NAMESPACES: readonly string[] = ["translation", NO_NAMESPACE];
const NO_NAMESPACES: readonly string[] = [NO_NAMESPACE];
/** Frameworks whose keys are paths with prefixes and namespaces. */
const DOTTED_KEY_FRAMEWORKS: readonly Framework[] = [
  "i18next",
  "vue-i18n",
  "next-intl",
  "svelte-i18n",
  "formatjs",
];
/** Frameworks whose keys are texts or names within domains. */
const DOMAIN_FRAMEWORKS: readonly Framework[] = ["wordpress", "gettext", "symfony", "craft"];
/** Frameworks whose keys are always texts. */
const GETTEXT_FRAMEWORKS: ReadonlySet<Framework> = new Set<Framework>([
  "wordpress",
  "gettext",
  "django",
  "jinja",
]);
/** Frameworks whose code never names a namespace. */
const WITHOUT_NAMESPACES: readonly Framework[] = ["svelte-i18n", "vue-i18n", "next-intl", "formatjs"];
/** Frameworks that use one default namespace for calls without one. */
const DEFAULT_NAMESPACE_FRAMEWORKS: ReadonlySet<Framework> = new Set<Framework>(["i18next", "symfony"]);
/** Symfony's default domain. */
const SYMFONY_DOMAINS: readonly string[] = ["messages"];
const PLURAL_SUFFIX = /_(?:(?:ordinal_)?(?:zero|one|two|few|many|other)|plural|\d+)$/;

/** Returns the plural suffix in the code that the key's name does not have (`items_one` of `items`); empty if none. */
export function pluralSuffixOf(written: string, key: string): string {
  const suffix = PLURAL_SUFFIX.exec(written)?.[0] ?? "";
  return key.endsWith(suffix) ? "" : suffix;
}

/**
 * If code names no namespaces and all files have the same name (`en/dict.json`), that name is the default namespace.
 */
export function withOnlyNamespace(
  options: KeyResolutionOptions,
  namespaces: readonly string[],
): KeyResolutionOptions {
  const { frameworks, defaultNamespaces } = options;
  const [only] = namespaces;
  if (only === undefined || only === NO_NAMESPACE || namespaces.length > 1) return options;
  if (defaultNamespaces !== undefined || frameworks.has("i18next")) return options;
  if (!WITHOUT_NAMESPACES.some((framework) => frameworks.has(framework))) return options;
  return { ...options, defaultNamespaces: [only, NO_NAMESPACE] };
}

/** Resolves a usage. On hot paths: a known key takes only a few map lookups. */
export function resolveKey(
  usage: KeyReference,
  names: KeyNameQueries,
  options: KeyResolutionOptions,
): KeyResolution {
  const { expression } = usage;
  const lookup: Lookup = { usage, names, options };
  if (expression.kind === "pattern") return resolvePattern(lookup, expression.prefix, expression.suffix);
  if (expression.key === "") return { kind: "undeterminable" };
  const known = findKnown(lookup, expression.key);
  if (known !== undefined) return { kind: "known", key: known };
  const group = findGroup(lookup, expression.key);
  if (group !== null) return group;
  if (isForeignDomain(lookup)) {
    return { kind: "pattern", prefix: expression.key, suffix: "", matches: [] };
  }
  // The translator was created elsewhere: the key may have any prefix and namespace.
  if (usage.namespaces === "unknown") return resolveUnbound(lookup, expression.key);
  if (usage.dynamicContext === true) {
    const variants = resolvePattern(lookup, `${expression.key}_`, "");
    if (variants.kind === "pattern" && variants.matches.length > 0) return variants;
  }
  return { kind: "unknown", candidates: candidatesOf(usage, options) };
}

/** @param name the key as written in the usage */
function findKnown(lookup: Lookup, name: string): NamedKey | undefined {
  const { usage, names, options } = lookup;
  let known: NamedKey | undefined;
  visitCandidates(usage, name, options, (namespace, key, context) => {
    known =
      usage.dynamicContext === true
        ? names.withAnyContext(namespace, key)
        : names.get(namespace, key, context);
    return known !== undefined;
  });
  return known ?? inDomainFile(lookup, name) ?? inAnyDomain(usage, names, options)[0];
}

/** Resolves the usage with another name in place of its own; only exact matches count. */
export function resolveName(
  usage: KeyReference,
  name: string,
  names: KeyNameQueries,
  options: KeyResolutionOptions,
): NamedKey | undefined {
  const named: KeyReference = { ...usage, expression: { kind: "static", key: name } };
  const known = name === "" ? undefined : findKnown({ usage: named, names, options }, name);
  if (known !== undefined || usage.namespaces !== "unknown") return known;
  const resolved = resolveKey(named, names, options);
  return resolved.kind === "known" ? resolved.key : undefined;
}

/** Returns all candidate names of a static usage, the likeliest first; none for a pattern. */
export function candidatesOf(usage: KeyReference, options: KeyResolutionOptions): readonly KeyName[] {
  if (usage.expression.kind === "pattern") return [];
  const seen = new Set<string>();
  const candidates: KeyName[] = [];
  visitCandidates(usage, usage.expression.key, options, (namespace, key, context) => {
    const id = `${namespace}\u001f${key}\u001f${context ?? ""}`;
    if (!seen.has(id)) {
      seen.add(id);
      candidates.push({ namespace, key, context });
    }
    return false;
  });
  return candidates;
}

type Visit = (namespace: string, key: string, context: string | null) => boolean;

/** Returns the usage as one of a partial key, which has no context and no plural suffix. */
function asPartialReference(usage: KeyReference): KeyReference {
  return usage.expression.kind === "pattern" && usage.context === null
    ? usage
    : { ...usage, expression: { kind: "pattern", prefix: "", suffix: "" }, context: null };
}

/** Calls `visit` with each candidate until it returns `true`. */
function visitCandidates(
  usage: KeyReference,
  key: string,
  options: KeyResolutionOptions,
  visit: Visit,
): void {
  const { frameworks } = options;
  const isBound = usage.keyPrefix !== "" || Array.isArray(usage.namespaces);
  const gettext = DOMAIN_FRAMEWORKS.some((framework) => frameworks.has(framework));
  if (gettext && visitGettext(usage, key, options, visit)) return;
  if (isLaravel(options) && !isBound && visitLaravel(key, visit)) return;
  const dotted =
    frameworks.size === 0 || DOTTED_KEY_FRAMEWORKS.some((framework) => frameworks.has(framework));
  if (dotted || (isBound && !gettext)) visitDotted(usage, key, options, visit);
}

function isLaravel({ frameworks }: KeyResolutionOptions): boolean {
  return frameworks.size === 0 || frameworks.has("laravel");
}

/** `Translator::get`: the complete key in the JSON file first, then `[package::]group.item`. */
function visitLaravel(key: string, visit: Visit): boolean {
  if (visit(NO_NAMESPACE, key, null)) return true;
  const colons = key.indexOf("::");
  const start = colons === -1 ? 0 : colons + 2;
  const dot = key.indexOf(".", start);
  return dot > start && dot < key.length - 1 && visit(key.slice(0, dot), key.slice(dot + 1), null);
}

/** The text is the key, and a domain may be the namespace. */
function visitGettext(
  usage: KeyReference,
  key: string,
  { frameworks }: KeyResolutionOptions,
  visit: Visit,
): boolean {
  const symfony = frameworks.has("symfony");
  const domains = Array.isArray(usage.namespaces) ? usage.namespaces : symfony ? SYMFONY_DOMAINS : [];
  for (const domain of domains) {
    if (visit(domain, key, usage.context)) return true;
    // Symfony's suffix of domains with ICU messages.
    if (symfony && visit(`${domain}+intl-icu`, key, usage.context)) return true;
  }
  return visit(NO_NAMESPACE, key, usage.context);
}

/**
 * Without a domain, gettext uses the one that the program has chosen (`django` and `djangojs` by the type of file):
 * returns the keys of this text in every namespace.
 */
export function inAnyDomain(
  usage: KeyReference,
  names: KeyNameQueries,
  { frameworks }: KeyResolutionOptions,
): readonly NamedKey[] {
  const { expression, namespaces, context } = usage;
  if (!frameworks.has("gettext") || namespaces !== null || expression.kind === "pattern") return [];
  const found: NamedKey[] = [];
  for (const namespace of names.namespaces()) {
    const key = names.get(namespace, expression.key, context);
    if (key !== undefined) found.push(key);
  }
  return found;
}

/** Whether keys are only gettext texts, so that no part of one is a path or a group. */
export function isGettextOnly({ frameworks }: KeyResolutionOptions): boolean {
  return frameworks.size > 0 && [...frameworks].every((framework) => GETTEXT_FRAMEWORKS.has(framework));
}

/** XLIFF files name themselves, and their namespace may include that name: `shop.en.xlf` for the domain `shop`. */
function inDomainFile({ usage, names, options }: Lookup, key: string): NamedKey | undefined {
  if (!options.frameworks.has("symfony") || usage.namespaces === "unknown") return undefined;
  for (const domain of usage.namespaces ?? SYMFONY_DOMAINS) {
    for (const namespace of names.namespaces()) {
      if (!namespace.startsWith(`${domain}.`)) continue;
      const found = names.get(namespace, key, usage.context);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** Whether the domain has no keys in the project at all: a bundle's domain, with its own texts. */
function isForeignDomain({ usage, names, options }: Lookup): boolean {
  if (!options.frameworks.has("symfony") || !Array.isArray(usage.namespaces)) return false;
  for (const namespace of names.namespaces()) {
    if (namespace === NO_NAMESPACE) return false;
    if (usage.namespaces.some((domain) => isOfDomain(namespace, domain))) return false;
  }
  return true;
}

/** Whether the namespace belongs to Symfony's domain: itself, its ICU variant, or one named after the domain's file. */
function isOfDomain(namespace: string, domain: string): boolean {
  return namespace === domain || namespace.startsWith(`${domain}.`) || namespace.startsWith(`${domain}+`);
}

/**
 * Returns the namespaces that a dynamic call may use beyond those of `visitCandidates`: all of them for gettext,
 * whose program chooses the domain, and those of the domain's files for Symfony.
 */
function domainNamespaces({ usage, names, options }: Lookup): readonly string[] {
  const { namespaces } = usage;
  const { frameworks } = options;
  const all = [...names.namespaces()];
  if (frameworks.has("gettext") && namespaces === null) return all;
  if (!frameworks.has("symfony") || namespaces === "unknown") return [];
  const domains = namespaces ?? SYMFONY_DOMAINS;
  return all.filter((namespace) => domains.some((domain) => isOfDomain(namespace, domain)));
}

/** Dotted paths with namespaces and prefixes: i18next, next-intl, vue-i18n, svelte-i18n, FormatJS. */
function visitDotted(usage: KeyReference, key: string, options: KeyResolutionOptions, visit: Visit): boolean {
  const path = withPrefix(usage.keyPrefix, key, options);
  const namespaces = Array.isArray(usage.namespaces) ? usage.namespaces : defaultNamespacesOf(options);
  for (const namespace of namespaces) if (visitVariants(usage, namespace, path, visit)) return true;
  const separator = options.namespaceSeparator ?? ":";
  if (separator !== false) {
    const colon = key.indexOf(separator);
    if (colon > 0) {
      const namespace = key.slice(0, colon);
      const rest = key.slice(colon + separator.length);
      if (visitVariants(usage, namespace, rest, visit)) return true;
      const prefixed = withPrefix(usage.keyPrefix, rest, options);
      if (prefixed !== rest && visitVariants(usage, namespace, prefixed, visit)) return true;
      // Files per namespace may also be mapped to one key space: `ns.key`.
      if (visitVariants(usage, NO_NAMESPACE, withPrefix(namespace, rest, options), visit)) return true;
    }
  }
  for (const namespace of options.fallbackNamespaces ?? []) {
    if (visitVariants(usage, namespace, path, visit)) return true;
  }
  if (namespaces !== defaultNamespacesOf(options)) {
    for (const namespace of namespaces) {
      if (visitVariants(usage, NO_NAMESPACE, withPrefix(namespace, path, options), visit)) return true;
    }
  } else {
    // Top-level groups may be namespaces: `group.rest` (next-intl, vue-i18n by file).
    const dot = path.indexOf(keySeparatorOf(options) || "\0");
    // A partial key may consist of only the group.
    if (dot > 0 && (dot < path.length - 1 || usage.expression.kind === "pattern")) {
      if (visitVariants(usage, path.slice(0, dot), path.slice(dot + 1), visit)) return true;
    }
  }
  return path.includes("[") && visitVariants(usage, NO_NAMESPACE, dottedPath(path), visit);
}

/** Tries the name itself; with i18next's context; without a plural suffix. */
function visitVariants(usage: KeyReference, namespace: string, path: string, visit: Visit): boolean {
  if (usage.context !== null) {
    if (visit(namespace, `${path}_${usage.context}`, null) || visit(namespace, path, usage.context))
      return true;
  }
  if (visit(namespace, path, null)) return true;
  if (usage.expression.kind === "pattern" || !path.includes("_")) return false;
  const base = path.replace(PLURAL_SUFFIX, "");
  return base !== path && base !== "" && visit(namespace, base, null);
}

function defaultNamespacesOf(options: KeyResolutionOptions): readonly string[] {
  if (options.defaultNamespaces !== undefined) return options.defaultNamespaces;
  return options.frameworks.size === 0 || options.frameworks.has("i18next")
    ? I18NEXT_NAMESPACES
    : NO_NAMESPACES;
}

function withPrefix(prefix: string, key: string, options: KeyResolutionOptions): string {
  return prefix === "" ? key : `${prefix}${keySeparatorOf(options)}${key}`;
}

/** Returns the separator of a key's parts; empty if keys have none. */
export function keySeparatorOf({ keySeparator = "." }: KeyResolutionOptions): string {
  return keySeparator === false ? "" : keySeparator;
}

/** vue-i18n's `a[0].b` is `a.0.b`. */
function dottedPath(path: string): string {
  return path.replaceAll(/\[["']?([\w-]+)["']?\]/g, ".$1");
}

/** Returns a group of keys by name: a path before a dot, or a whole Laravel file. */
function findGroup({ usage, names, options }: Lookup, key: string): KeyResolution | null {
  const separator = keySeparatorOf(options);
  if (separator === "" || isGettextOnly(options)) return null;
  let group: KeyResolution | null = null;
  visitCandidates(asPartialReference(usage), key, options, (namespace, path) => {
    const prefix = `${path}${separator}`;
    if (!names.hasPrefix(namespace, prefix)) return false;
    group = { kind: "intermediate", namespace, prefix };
    return true;
  });
  if (group === null && usage.keyPrefix === "" && names.hasNamespace(key)) {
    return { kind: "intermediate", namespace: key, prefix: "" };
  }
  return group;
}

function resolvePattern(lookup: Lookup, prefix: string, suffix: string): KeyResolution {
  const { usage, names, options } = lookup;
  const limit = options.patternLimit ?? PATTERN_LIMIT;
  if (prefix === "" && usage.keyPrefix === "") {
    if (suffix === "") return { kind: "undeterminable" };
    const matches = [
      ...findAnywhere(names, "", suffix, limit),
      ...keysWithDynamicNamespace(names, "", suffix, options),
    ];
    return { kind: "pattern", prefix, suffix, matches: matches.slice(0, limit) };
  }
  const found = new Map<string, NamedKey>();
  const add = (namespace: string, start: string): void => {
    for (const key of names.matching(namespace, start, suffix, limit - found.size)) found.set(key.hash, key);
  };
  visitCandidates(asPartialReference(usage), prefix, options, (namespace, path) => {
    add(namespace, path);
    return found.size >= limit;
  });
  if (isLaravel(options)) {
    // `__("messages." . $x)` ends at the group's dot; `__("mess" . $x)` may even complete the group.
    const dot = prefix.indexOf(".");
    const group = prefix.slice(0, dot);
    for (const namespace of names.namespaces()) {
      if (namespace === NO_NAMESPACE) continue;
      if (dot === -1 ? namespace.startsWith(prefix) : namespace === group) {
        add(namespace, dot === -1 ? "" : prefix.slice(dot + 1));
      }
    }
    if (dot === -1)
      for (const key of keysWithDynamicNamespace(names, prefix, suffix, options)) found.set(key.hash, key);
  }
  for (const namespace of domainNamespaces(lookup)) add(namespace, prefix);
  const anywhere = usage.namespaces === "unknown" && found.size === 0;
  const matches = anywhere ? findAnywhere(names, prefix, suffix, limit) : [...found.values()];
  return { kind: "pattern", prefix, suffix, matches };
}

/**
 * Returns the scope of a call without any literal part of its key: namespaces with key prefixes; `null` if any key
 * may be used.
 */
export function scopeOfOpenCall(
  usage: KeyReference,
  names: KeyNameQueries,
  options: KeyResolutionOptions,
): readonly (readonly [namespace: string, prefix: string])[] | null {
  const { namespaces, keyPrefix } = usage;
  if (namespaces === "unknown") return null;
  const reach: (readonly [string, string])[] = [];
  visitCandidates(asPartialReference(usage), "", options, (namespace, path) => {
    reach.push([namespace, path]);
    return false;
  });
  for (const namespace of domainNamespaces({ usage, names, options })) reach.push([namespace, ""]);
  if (namespaces !== null || keyPrefix !== "") return reach;
  const { frameworks } = options;
  // Symfony and i18next use a default namespace, the others any group of keys.
  const hasDefault =
    frameworks.size > 0 && [...frameworks].every((framework) => DEFAULT_NAMESPACE_FRAMEWORKS.has(framework));
  // The project may have another default than is known here.
  return hasDefault && reach.some(([namespace]) => names.hasNamespace(namespace)) ? reach : null;
}

/** Resolves a key in an unknown scope: itself in the only namespace that has it, or after any prefix. */
function resolveUnbound({ names, options }: Lookup, key: string): KeyResolution {
  let only: NamedKey | undefined;
  let count = 0;
  for (const namespace of names.namespaces()) {
    const found = names.get(namespace, key);
    if (found === undefined) continue;
    only = found;
    count++;
  }
  if (only !== undefined && count === 1) return { kind: "known", key: only };
  const limit = options.patternLimit ?? PATTERN_LIMIT;
  const matches = [
    ...findAnywhere(names, key, "", limit).filter((found) => found.key === key),
    ...(isGettextOnly(options) ? [] : findAnywhere(names, "", `${keySeparatorOf(options)}${key}`, limit)),
  ];
  return { kind: "pattern", prefix: "", suffix: key, matches: matches.slice(0, limit) };
}

/**
 * Returns keys that are complete in a name with a dynamic namespace: `__("$group.title")`, `t(`${ns}:title`)`. Their
 * namespaces start with `prefix`.
 */
function keysWithDynamicNamespace(
  names: KeyNameQueries,
  prefix: string,
  suffix: string,
  { namespaceSeparator = ":" }: KeyResolutionOptions,
): readonly NamedKey[] {
  const separators = [".", ...(namespaceSeparator === false ? [] : [namespaceSeparator])];
  const found: NamedKey[] = [];
  for (const namespace of names.namespaces()) {
    if (namespace === NO_NAMESPACE || !namespace.startsWith(prefix)) continue;
    for (const separator of separators) {
      for (let at = suffix.indexOf(separator); at !== -1; at = suffix.indexOf(separator, at + 1)) {
        if (!namespace.endsWith(suffix.slice(0, at))) continue;
        const key = names.withAnyContext(namespace, suffix.slice(at + separator.length));
        if (key !== undefined) found.push(key);
      }
    }
  }
  return found;
}

/** Returns keys of any namespace with the prefix and suffix. Without a prefix this scans all names, which is rare. */
function findAnywhere(
  names: KeyNameQueries,
  prefix: string,
  suffix: string,
  limit: number,
): readonly NamedKey[] {
  const matches: NamedKey[] = [];
  for (const namespace of names.namespaces()) {
    if (matches.length >= limit) break;
    matches.push(...names.matching(namespace, prefix, suffix, limit - matches.length));
  }
  return matches;
}
