/**
 * Resolves a key usage to a key of the project by the conventions of its frameworks: the candidate names in the
 * framework's lookup order, and the first that exists. Severity is decided elsewhere.
 */
import { NO_NAMESPACE, type KeyName } from "../../model/key-hash.ts";
import type { KeyNameQueries, NamedKey } from "../../database/key-name-repository.ts";
import type { Framework, KeyUsage } from "../../scanners/key-usage.ts";

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
const GETTEXT_FRAMEWORKS: readonly Framework[] = ["wordpress", "gettext", "django", "jinja"];
/** Frameworks that use one default namespace for calls without one. */
const DEFAULT_NAMESPACE_FRAMEWORKS: readonly Framework[] = ["i18next", "symfony"];
/** Symfony's default domain. */
const SYMFONY_DOMAINS: readonly string[] = ["messages"];
const PLURAL_SUFFIX = /_(?:(?:ordinal_)?(?:zero|one|two|few|many|other)|plural|\d+)$/;

function hasAny({ frameworks }: KeyResolutionOptions, wanted: readonly Framework[]): boolean {
  return wanted.some((framework) => frameworks.has(framework));
}

/** Whether the project's frameworks are known and all of them are among these. */
function hasOnly({ frameworks }: KeyResolutionOptions, wanted: readonly Framework[]): boolean {
  return frameworks.size > 0 && [...frameworks].every((framework) => wanted.includes(framework));
}

/** Whether keys are only gettext texts, so that no part of one is a path or a group. */
export function isGettextOnly(options: KeyResolutionOptions): boolean {
  return hasOnly(options, GETTEXT_FRAMEWORKS);
}

function isLaravel({ frameworks }: KeyResolutionOptions): boolean {
  return frameworks.size === 0 || frameworks.has("laravel");
}

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
  const [only] = namespaces;
  if (only === undefined || only === NO_NAMESPACE || namespaces.length > 1) return options;
  if (options.defaultNamespaces !== undefined || options.frameworks.has("i18next")) return options;
  if (!hasAny(options, DOTTED_KEY_FRAMEWORKS)) return options;
  return { ...options, defaultNamespaces: [only, NO_NAMESPACE] };
}

/** Resolves a usage. On hot paths: a known key takes only a few lookups. */
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
function findKnown({ usage, names, options }: Lookup, name: string): NamedKey | undefined {
  for (const { namespace, key, context } of candidateNames(usage, name, options)) {
    const known =
      usage.dynamicContext === true
        ? names.withAnyContext(namespace, key)
        : names.get(namespace, key, context);
    if (known !== undefined) return known;
  }
  return keyInDomainFile({ usage, names, options }, name) ?? keysInAnyDomain(usage, names, options)[0];
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
  const candidates = [...candidateNames(usage, usage.expression.key, options)];
  const idOf = ({ namespace, key, context }: KeyName): string =>
    `${namespace}\u001f${key}\u001f${context ?? ""}`;
  return [...new Map(candidates.map((name) => [idOf(name), name])).values()];
}

/**
 * Yields the names that a key may have, in the frameworks' lookup order.
 * @param isPartial whether `key` is only the start of a key, which has no context and no plural suffix
 */
function* candidateNames(
  usage: KeyReference,
  key: string,
  options: KeyResolutionOptions,
  isPartial = false,
): Generator<KeyName> {
  const isBound = usage.keyPrefix !== "" || Array.isArray(usage.namespaces);
  const hasDomains = hasAny(options, DOMAIN_FRAMEWORKS);
  if (hasDomains) yield* namesInDomains(usage, key, options, isPartial ? null : usage.context);
  if (isLaravel(options) && !isBound) yield* laravelNames(key);
  const isDotted = options.frameworks.size === 0 || hasAny(options, DOTTED_KEY_FRAMEWORKS);
  if (!isDotted && (!isBound || hasDomains)) return;
  for (const [namespace, path] of dottedPaths(usage, key, options, isPartial)) {
    const { context } = usage;
    if (!isPartial && context !== null) {
      // i18next's context, and gettext's.
      yield { namespace, key: `${path}_${context}`, context: null };
      yield { namespace, key: path, context };
    }
    yield { namespace, key: path, context: null };
    const base = isPartial ? path : path.replace(PLURAL_SUFFIX, "");
    if (base !== path && base !== "") yield { namespace, key: base, context: null };
  }
}

/** `Translator::get`: the complete key in the JSON file first, then `[package::]group.item`. */
function* laravelNames(key: string): Generator<KeyName> {
  yield { namespace: NO_NAMESPACE, key, context: null };
  const colons = key.indexOf("::");
  const start = colons === -1 ? 0 : colons + 2;
  const dot = key.indexOf(".", start);
  if (dot > start && dot < key.length - 1) {
    yield { namespace: key.slice(0, dot), key: key.slice(dot + 1), context: null };
  }
}

/** The text is the key, and a domain may be the namespace. */
function* namesInDomains(
  { namespaces }: KeyReference,
  key: string,
  { frameworks }: KeyResolutionOptions,
  context: string | null,
): Generator<KeyName> {
  const symfony = frameworks.has("symfony");
  const domains = Array.isArray(namespaces) ? namespaces : symfony ? SYMFONY_DOMAINS : [];
  for (const namespace of domains) {
    yield { namespace, key, context };
    // Symfony's suffix of domains with ICU messages.
    if (symfony) yield { namespace: `${namespace}+intl-icu`, key, context };
  }
  yield { namespace: NO_NAMESPACE, key, context };
}

/** Dotted paths with namespaces and prefixes: i18next, next-intl, vue-i18n, svelte-i18n, FormatJS. */
function* dottedPaths(
  { namespaces, keyPrefix }: KeyReference,
  key: string,
  options: KeyResolutionOptions,
  isPartial: boolean,
): Generator<readonly [namespace: string, path: string]> {
  const path = withPrefix(keyPrefix, key, options);
  const bound: readonly string[] | null = Array.isArray(namespaces) ? namespaces : null;
  for (const namespace of bound ?? defaultNamespacesOf(options)) yield [namespace, path];
  const separator = options.namespaceSeparator ?? ":";
  const colon = separator === false ? -1 : key.indexOf(separator);
  if (separator !== false && colon > 0) {
    const namespace = key.slice(0, colon);
    const rest = key.slice(colon + separator.length);
    yield [namespace, rest];
    if (keyPrefix !== "") yield [namespace, withPrefix(keyPrefix, rest, options)];
    // Files per namespace may also be mapped to one key space: `ns.key`.
    yield [NO_NAMESPACE, withPrefix(namespace, rest, options)];
  }
  for (const namespace of options.fallbackNamespaces ?? []) yield [namespace, path];
  for (const namespace of bound ?? []) yield [NO_NAMESPACE, withPrefix(namespace, path, options)];
  if (bound === null) {
    // Top-level groups may be namespaces: `group.rest` (next-intl, vue-i18n by file). A partial key may be only a group.
    const dot = path.indexOf(keySeparatorOf(options) || "\0");
    if (dot > 0 && (dot < path.length - 1 || isPartial)) yield [path.slice(0, dot), path.slice(dot + 1)];
  }
  // vue-i18n's `a[0].b` is `a.0.b`.
  if (path.includes("[")) yield [NO_NAMESPACE, path.replaceAll(/\[["']?([\w-]+)["']?\]/g, ".$1")];
}

function defaultNamespacesOf({ defaultNamespaces, frameworks }: KeyResolutionOptions): readonly string[] {
  const isI18next = frameworks.size === 0 || frameworks.has("i18next");
  return defaultNamespaces ?? (isI18next ? I18NEXT_NAMESPACES : NO_NAMESPACES);
}

function withPrefix(prefix: string, key: string, options: KeyResolutionOptions): string {
  return prefix === "" ? key : `${prefix}${keySeparatorOf(options)}${key}`;
}

/** Returns the separator of a key's parts; empty if keys have none. */
export function keySeparatorOf({ keySeparator = "." }: KeyResolutionOptions): string {
  return keySeparator === false ? "" : keySeparator;
}

/**
 * Without a domain, gettext uses the one that the program has chosen (`django` and `djangojs` by the type of file):
 * returns the keys of this text in every namespace.
 */
export function keysInAnyDomain(
  { expression, namespaces, context }: KeyReference,
  names: KeyNameQueries,
  { frameworks }: KeyResolutionOptions,
): readonly NamedKey[] {
  if (!frameworks.has("gettext") || namespaces !== null || expression.kind === "pattern") return [];
  return names.namespaces().flatMap((namespace) => names.get(namespace, expression.key, context) ?? []);
}

/** XLIFF files name themselves, and their namespace may include that name: `shop.en.xlf` for the domain `shop`. */
function keyInDomainFile({ usage, names, options }: Lookup, key: string): NamedKey | undefined {
  if (!options.frameworks.has("symfony") || usage.namespaces === "unknown") return undefined;
  return (usage.namespaces ?? SYMFONY_DOMAINS)
    .flatMap((domain) => names.namespaces().filter((namespace) => namespace.startsWith(`${domain}.`)))
    .map((namespace) => names.get(namespace, key, usage.context))
    .find((found) => found !== undefined);
}

/** Whether the domain has no keys in the project at all: a bundle's domain, with its own texts. */
function isForeignDomain({ usage: { namespaces }, names, options }: Lookup): boolean {
  if (!options.frameworks.has("symfony") || !Array.isArray(namespaces)) return false;
  return names
    .namespaces()
    .every((namespace) => namespace !== NO_NAMESPACE && !isInDomain(namespace, namespaces));
}

/** Whether the namespace belongs to a domain of Symfony: itself, its ICU variant, or one named after its file. */
function isInDomain(namespace: string, domains: readonly string[]): boolean {
  return domains.some(
    (domain) =>
      namespace === domain || namespace.startsWith(`${domain}.`) || namespace.startsWith(`${domain}+`),
  );
}

/**
 * Returns the namespaces that a dynamic call may use beyond those of `candidateNames`: all of them for gettext,
 * whose program chooses the domain, and those of the domain's files for Symfony.
 */
function domainNamespaces({ usage: { namespaces }, names, options }: Lookup): readonly string[] {
  const { frameworks } = options;
  if (frameworks.has("gettext") && namespaces === null) return names.namespaces();
  if (!frameworks.has("symfony") || namespaces === "unknown") return [];
  return names.namespaces().filter((namespace) => isInDomain(namespace, namespaces ?? SYMFONY_DOMAINS));
}

/** Returns a group of keys by name: a path before a dot, or a whole Laravel file. */
function findGroup({ usage, names, options }: Lookup, name: string): KeyResolution | null {
  const separator = keySeparatorOf(options);
  if (separator === "" || isGettextOnly(options)) return null;
  for (const { namespace, key } of candidateNames(usage, name, options, true)) {
    const prefix = `${key}${separator}`;
    if (names.hasPrefix(namespace, prefix)) return { kind: "intermediate", namespace, prefix };
  }
  return usage.keyPrefix === "" && names.hasNamespace(name)
    ? { kind: "intermediate", namespace: name, prefix: "" }
    : null;
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
  for (const { namespace, key } of candidateNames(usage, prefix, options, true)) {
    add(namespace, key);
    if (found.size >= limit) break;
  }
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
  const hasNoScope = usage.namespaces === "unknown" && found.size === 0;
  const matches = hasNoScope ? findAnywhere(names, prefix, suffix, limit) : [...found.values()];
  return { kind: "pattern", prefix, suffix, matches };
}

/**
 * Returns the scope of a call without any literal part of its key: namespaces with key prefixes; `null` if any key
 * may be used.
 */
export function scopeOfDynamicCall(
  usage: KeyReference,
  names: KeyNameQueries,
  options: KeyResolutionOptions,
): readonly (readonly [namespace: string, prefix: string])[] | null {
  if (usage.namespaces === "unknown") return null;
  const scope = [
    ...Array.from(candidateNames(usage, "", options, true), (name) => [name.namespace, name.key] as const),
    ...domainNamespaces({ usage, names, options }).map((namespace) => [namespace, ""] as const),
  ];
  if (usage.namespaces !== null || usage.keyPrefix !== "") return scope;
  // Symfony and i18next use a default namespace, the others any group of keys. The project may have another default
  // than is known here.
  const hasDefault = hasOnly(options, DEFAULT_NAMESPACE_FRAMEWORKS);
  return hasDefault && scope.some(([namespace]) => names.hasNamespace(namespace)) ? scope : null;
}

/** Resolves a key in an unknown scope: itself in the only namespace that has it, or after any prefix. */
function resolveUnbound({ names, options }: Lookup, key: string): KeyResolution {
  const [only, ...others] = names.namespaces().flatMap((namespace) => names.get(namespace, key) ?? []);
  if (only !== undefined && others.length === 0) return { kind: "known", key: only };
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
