/**
 * Resolves a key usage to keys of the project by the conventions of its frameworks: the candidate names in the
 * framework's look-up order, the first that exists, and its variants that the usage may show (plural forms, contexts).
 * Severity is decided elsewhere.
 */
import type { DomainRules, KeyConventions, KeyRules, KeyVariants } from "../../frameworks/framework.ts";
import { keySeparatorOf } from "../../frameworks/key-candidates.ts";
import {
  type FrameworkName,
  frameworksOf,
  supportedFrameworks,
} from "../../frameworks/supported-frameworks.ts";
import { NO_NAMESPACE, type KeyName } from "../../model/key-hash.ts";
import type { KeyNameQueries, NamedKey } from "../../database/key-name-repository.ts";
import type { KeyUsage } from "../../scanners/key-usage.ts";

/** The project's conventions. */
export interface KeyResolutionOptions extends KeyConventions {
  readonly frameworks: ReadonlySet<FrameworkName>;
  /** Most keys that a pattern resolves to. Default 1,000. */
  readonly patternLimit?: number;
}

/** The fields of a usage that determine its key. */
export type KeyReference = Pick<
  KeyUsage,
  | "expression"
  | "namespaces"
  | "keyPrefix"
  | "context"
  | "dynamicContext"
  | "ordinal"
  | "openOptions"
  | "isMessage"
> &
  Partial<Pick<KeyUsage, "plural" | "isUncertain" | "isLearned">>;

/** A usage to resolve, and the project's keys and conventions. */
interface Lookup {
  readonly usage: KeyReference;
  readonly names: KeyNameQueries;
  readonly options: KeyResolutionOptions;
}

/** A key that exists, with its variants. */
export interface KnownKey {
  /** The first key in the look-up order, which may be a variant. */
  readonly key: NamedKey;
  /** Other keys that the usage may show, in the look-up order: `item_one`, `item_other` of `item`. */
  readonly variants: readonly NamedKey[];
  /** The written name with its namespace, of which `key` may be a variant. No key needs to have this name. */
  readonly name: KeyName;
}

/** Returns all keys that a usage of a known name shows, in the look-up order. */
export function shownKeys({ key, variants }: KnownKey): readonly NamedKey[] {
  return [key, ...variants];
}

/** The result of resolving a usage. */
export type KeyResolution =
  /** The key exists. */
  | ({ readonly kind: "known" } & KnownKey)
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

/** The key rules that apply where no framework is known. */
const USUAL_RULES: readonly KeyRules[] = [...supportedFrameworks.values()].flatMap(({ keys }) =>
  keys.isUsual === true ? keys : [],
);

const rulesBySet = new WeakMap<ReadonlySet<FrameworkName>, readonly KeyRules[]>();

function rulesOf({ frameworks }: Pick<KeyResolutionOptions, "frameworks">): readonly KeyRules[] {
  let rules = rulesBySet.get(frameworks);
  if (rules === undefined) {
    const own = frameworksOf(frameworks).map(({ keys }) => keys);
    rules = own.length === 0 ? USUAL_RULES : own;
    rulesBySet.set(frameworks, rules);
  }
  return rules;
}

/** Whether keys are only texts, so that no part of one is a path or a group. */
export function isGettextOnly({ frameworks }: KeyResolutionOptions): boolean {
  return frameworks.size > 0 && frameworksOf(frameworks).every(({ keys }) => keys.kind === "text");
}

/** Returns the namespaces that code leaves out of a key's name; `all`: keys are texts, which no code writes with a namespace. */
export function unwrittenNamespaces(options: KeyResolutionOptions): ReadonlySet<string> | "all" {
  if (isGettextOnly(options)) return "all";
  const rules = rulesOf(options);
  const written = { namespaces: null, keyPrefix: "", context: null };
  const names = rules.flatMap(({ candidates }) => [...candidates(written, "x", options, false)]);
  return new Set(names.flatMap(({ namespace, key }) => (key === "x" ? namespace : [])));
}

/** Whether a namespace is the first part of a written key. */
function hasGroups(options: KeyResolutionOptions): boolean {
  return rulesOf(options).some((rules) => rules.hasGroups === true);
}

/** Whether code always writes the namespace of a key, as its first part or in another part of the same call. */
export function writesNamespaces(options: KeyResolutionOptions): boolean {
  return rulesOf(options).every((rules) => rules.hasGroups === true);
}

/** Whether a new key belongs to an existing group rather than to a file without groups, which comes first. */
export function prefersGroups({ frameworks }: KeyResolutionOptions): boolean {
  return frameworksOf(frameworks).some(({ keys }) => keys.prefersGroups === true);
}

function variantRulesOf(options: KeyResolutionOptions): KeyVariants | undefined {
  return rulesOf(options).find(({ variants }) => variants !== undefined)?.variants;
}

/** Returns the plural suffix in the code that the key's name does not have (`items_one` of `items`); empty if none. */
export function pluralSuffixOf(written: string, key: string, options: KeyResolutionOptions): string {
  const suffix = variantRulesOf(options)?.pluralSuffix(written, options) ?? "";
  return key.endsWith(suffix) ? "" : suffix;
}

/** Returns the names of which this one may be a plural form or context, the likeliest first. */
export function basesOf(name: string, options: KeyResolutionOptions): readonly string[] {
  return variantRulesOf(options)?.bases(name, options) ?? [];
}

/**
 * Returns the existing keys that a usage of the name may show, in the look-up order of its framework, itself last.
 */
function keysOfName(
  { usage, names, options }: Lookup,
  { namespace, key, context }: KeyName,
): readonly NamedKey[] {
  const own =
    usage.dynamicContext === true && context === null
      ? names.withAnyContext(namespace, key)
      : names.get(namespace, key, context);
  const rules = context === null ? variantRulesOf(options) : undefined;
  const found = rules === undefined ? [] : variantsOf(rules, { usage, names, options }, namespace, key);
  return own === undefined ? found : [...found, own];
}

function variantsOf(
  rules: KeyVariants,
  { usage, names, options }: Lookup,
  namespace: string,
  key: string,
): readonly NamedKey[] {
  if (key === "" || !mayHaveVariants(usage)) return [];
  const ranked = new Map<string, { readonly rank: number; readonly key: NamedKey }>();
  for (const separator of rules.separators(options)) {
    for (const each of names.matching(namespace, key + separator, "", Number.POSITIVE_INFINITY)) {
      if (each.context !== null) continue;
      const rank = rules.rank(each.key.slice(key.length), usage, options);
      if (rank !== null) ranked.set(each.hash, { rank, key: each });
    }
  }
  return [...ranked.values()].sort((a, b) => a.rank - b.rank).map((each) => each.key);
}

/** Whether the usage may show plural forms or contexts of the key that it names. */
export function mayHaveVariants({ plural, context, dynamicContext, openOptions }: KeyReference): boolean {
  return plural === true || context !== null || dynamicContext === true || openOptions === true;
}

/**
 * Completes the options with the project's namespaces: if code names none and all files have the same name (`en/dict.json`),
 * that name is the default; and usages may fall back to all of them.
 */
export function withNamespaces(
  options: KeyResolutionOptions,
  namespaces: readonly string[],
): KeyResolutionOptions {
  if (options.fallbackNamespaces === "all") return { ...options, fallbackNamespaces: namespaces };
  const [only] = namespaces;
  if (only === undefined || only === NO_NAMESPACE || namespaces.length > 1) return options;
  const rules = frameworksOf(options.frameworks)
    .map(({ keys }) => keys)
    .filter(({ kind }) => kind === "path");
  if (options.defaultNamespaces !== undefined || rules.length === 0) return options;
  if (rules.some(({ hasDefaultNamespace }) => hasDefaultNamespace === true)) return options;
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
  if (known !== undefined) return { kind: "known", ...known };
  const group = findGroup(lookup, expression.key);
  if (group !== null) return group;
  const isComputed = usage.isMessage === true && usage.namespaces === "unknown";
  if (isComputed || isForeignDomain(lookup)) {
    return { kind: "pattern", prefix: expression.key, suffix: "", matches: [] };
  }
  // The translator was created elsewhere: the key may have any prefix and namespace.
  if (usage.namespaces === "unknown") return resolveUnbound(lookup, expression.key);
  const completed = usage.isLearned === true ? completedKeys(lookup, expression.key) : [];
  if (completed.length > 0)
    return { kind: "pattern", prefix: "", suffix: expression.key, matches: completed };
  return { kind: "unknown", candidates: candidatesOf(usage, options) };
}

/** The name of a module before a key: `core#title`. */
const MODULE_NAME = /^[\w.-]+(?:[#|/]|::)(?=.)/u;

/**
 * Returns the keys that a function which was learned may mean by a name that is none: one after the name of a module, or
 * those with a prefix that the function adds.
 */
function completedKeys(lookup: Lookup, name: string): readonly NamedKey[] {
  const start = MODULE_NAME.exec(name)?.[0].length ?? 0;
  const known = start === 0 ? undefined : findKnown(lookup, name.slice(start));
  if (known !== undefined) return shownKeys(known);
  const { options } = lookup;
  const separator = keySeparatorOf(options);
  if (separator === "" || isGettextOnly(options)) return [];
  return findAnywhere(lookup, "", `${separator}${name}`, options.patternLimit ?? PATTERN_LIMIT);
}

/**
 * Returns the keys that a usage certainly means: those that it shows, also in other domains where the program chooses one, or
 * all of the group that it names. None if the code has only a part of the key.
 */
export function certainKeys(
  resolution: KeyResolution,
  usage: KeyReference,
  names: KeyNameQueries,
  options: KeyResolutionOptions,
): readonly NamedKey[] {
  if (resolution.kind === "known")
    return [...shownKeys(resolution), ...keysInAnyDomain(usage, names, options)];
  return resolution.kind === "intermediate"
    ? names.matching(resolution.namespace, resolution.prefix, "", Number.POSITIVE_INFINITY)
    : [];
}

/** @param name the key as written in the usage */
function findKnown(lookup: Lookup, name: string): KnownKey | undefined {
  const { usage, names, options } = lookup;
  const seen = new Set<string>();
  for (const candidate of candidateNames(usage, name, options)) {
    const id = idOf(candidate);
    if (seen.has(id)) continue;
    seen.add(id);
    const found = knownKey(candidate, keysOfName(lookup, candidate));
    if (found !== undefined) return found;
  }
  const [key] = [keyInDomainFile(lookup, name) ?? [], keysInAnyDomain(usage, names, options)].flat();
  return key && { key, variants: [], name: key };
}

/** Returns the key of a static usage; `undefined` if there is none of exactly that name, or a variant of it. */
export function findNamedKey(
  usage: KeyReference,
  names: KeyNameQueries,
  options: KeyResolutionOptions,
): KnownKey | undefined {
  const { expression } = usage;
  if (expression.kind === "pattern" || expression.key === "") return undefined;
  return findKnown({ usage, names, options }, expression.key);
}

/** @param keys in look-up order */
function knownKey(name: KeyName, keys: readonly NamedKey[]): KnownKey | undefined {
  const [key, ...variants] = keys;
  return key && { key, variants, name };
}

/** Resolves the usage with another name in place of its own; only exact matches count. */
export function resolveName(
  usage: KeyReference,
  name: string,
  names: KeyNameQueries,
  options: KeyResolutionOptions,
): KnownKey | undefined {
  const named: KeyReference = { ...usage, expression: { kind: "static", key: name } };
  const known = name === "" ? undefined : findKnown({ usage: named, names, options }, name);
  if (known !== undefined || usage.namespaces !== "unknown") return known;
  const resolved = resolveKey(named, names, options);
  return resolved.kind === "known" ? resolved : undefined;
}

/** Returns all candidate names of a static usage, each before its variants, the likeliest first; none for a pattern. */
export function candidatesOf(usage: KeyReference, options: KeyResolutionOptions): readonly KeyName[] {
  if (usage.expression.kind === "pattern") return [];
  const suffixes = variantRulesOf(options)?.suffixes(usage, options) ?? [];
  const candidates: KeyName[] = [];
  for (const name of candidateNames(usage, usage.expression.key, options)) {
    candidates.push(name);
    if (name.context === null)
      candidates.push(...suffixes.map((suffix) => ({ ...name, key: `${name.key}${suffix}` })));
  }
  return [...new Map(candidates.map((name) => [idOf(name), name])).values()];
}

function idOf({ namespace, key, context }: KeyName): string {
  return `${namespace}\u001f${key}\u001f${context ?? ""}`;
}

/**
 * Yields the names that a key may have, in the frameworks' look-up order; without the plural suffix that the code names,
 * too, but without variants.
 * @param isPartial whether `key` is only the start of a key, which has no context and no plural suffix
 */
function* candidateNames(
  usage: KeyReference,
  key: string,
  options: KeyResolutionOptions,
  isPartial = false,
): Generator<KeyName> {
  const variants = isPartial ? undefined : variantRulesOf(options);
  for (const { candidates } of new Set(rulesOf(options))) {
    for (const name of candidates(usage, key, options, isPartial)) {
      yield name;
      const suffix = variants?.pluralSuffix(name.key, options) ?? "";
      if (suffix !== "" && suffix !== name.key && name.context === null)
        yield { ...name, key: name.key.slice(0, -suffix.length) };
    }
  }
}

/**
 * Without a domain, the program may have chosen one (by the type of file): returns the keys of the first name that has
 * any, in every namespace.
 */
function keysInAnyDomain(
  usage: KeyReference,
  names: KeyNameQueries,
  options: KeyResolutionOptions,
): readonly NamedKey[] {
  const { expression, namespaces } = usage;
  if (!usesAnyDomain(options) || namespaces !== null || expression.kind === "pattern") return [];
  for (const { namespace: named, key, context } of candidateNames(usage, expression.key, options)) {
    // The first part of a key may be a namespace, which is that one alone.
    if (named !== NO_NAMESPACE) continue;
    const found = names.namespaces().flatMap((namespace) => names.get(namespace, key, context) ?? []);
    if (found.length > 0) return found;
  }
  return [];
}

function usesAnyDomain(options: KeyResolutionOptions): boolean {
  return rulesOf(options).some((rules) => rules.usesAnyDomain === true);
}

/** Returns the rules of domains whose files may have other namespaces. */
function domainRulesOf({ frameworks }: KeyResolutionOptions): DomainRules | undefined {
  return frameworksOf(frameworks).find(({ keys }) => keys.domains !== undefined)?.keys.domains;
}

/** Returns the namespaces of the usage's domains; `undefined` where that is unknown or there are none. */
function namespacesOfDomains({ usage, names, options }: Lookup): readonly string[] | undefined {
  const domains = domainRulesOf(options);
  const { namespaces } = usage;
  if (domains === undefined || namespaces === "unknown") return undefined;
  return (namespaces ?? domains.default).flatMap((domain) =>
    names.namespaces().filter((namespace) => domains.has(namespace, domain)),
  );
}

/** Returns the key in a file whose namespace is not the name of its domain. */
function keyInDomainFile(lookup: Lookup, key: string): NamedKey | undefined {
  const { names, usage } = lookup;
  return namespacesOfDomains(lookup)
    ?.map((namespace) => names.get(namespace, key, usage.context))
    .find((found) => found !== undefined);
}

/** Whether the domain has no keys in the project at all: a package's domain, with its own texts. */
function isForeignDomain(lookup: Lookup): boolean {
  if (!Array.isArray(lookup.usage.namespaces) || lookup.names.hasNamespace(NO_NAMESPACE)) return false;
  return namespacesOfDomains(lookup)?.length === 0;
}

/**
 * Returns the namespaces that a dynamic call may use beyond those of `candidateNames`: all of them where the program
 * chooses the domain, and those of the domain's files.
 */
function domainNamespaces(lookup: Lookup): readonly string[] {
  const { usage, names, options } = lookup;
  if (usesAnyDomain(options) && usage.namespaces === null) return names.namespaces();
  return [...new Set(namespacesOfDomains(lookup))];
}

/** Returns a group of keys by name: a path before a dot, or a whole file. */
function findGroup({ usage, names, options }: Lookup, name: string): KeyResolution | null {
  const separator = keySeparatorOf(options);
  if (separator === "" || isGettextOnly(options)) return null;
  for (const { namespace, key } of candidateNames(usage, name, options, true)) {
    // A part that is empty, as in `t(`status.${status}`)` where there may be none, names the group.
    const prefix = key.endsWith(separator) ? key : `${key}${separator}`;
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
      ...findAnywhere(lookup, "", suffix, limit),
      ...keysWithDynamicNamespace(names, "", suffix, options),
    ];
    return { kind: "pattern", prefix, suffix, matches: matches.slice(0, limit) };
  }
  const found = new Map<string, NamedKey>();
  const matching = matcherWithVariants(lookup);
  const add = (namespace: string, start: string): void => {
    for (const key of matching(namespace, start, suffix, limit - found.size)) found.set(key.hash, key);
  };
  for (const { namespace, key } of candidateNames(usage, prefix, options, true)) {
    add(namespace, key);
    if (found.size >= limit) break;
  }
  // Behind a prefix, a part of a key names no group.
  if (hasGroups(options) && usage.keyPrefix === "") {
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
  const matches = hasNoScope ? findAnywhere(lookup, prefix, suffix, limit) : [...found.values()];
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
  // Some frameworks use a default namespace, the others any group of keys. The project may have another default than is
  // known here.
  const own = frameworksOf(options.frameworks);
  const hasDefault = own.length > 0 && own.every(({ keys }) => keys.hasDefaultNamespace === true);
  return hasDefault && scope.some(([namespace]) => names.hasNamespace(namespace)) ? scope : null;
}

/** Resolves a key in an unknown scope: itself in the only namespace that has it, or after any prefix. */
function resolveUnbound(lookup: Lookup, key: string): KeyResolution {
  const { names, options } = lookup;
  const found = names.namespaces().flatMap((namespace) => {
    const name: KeyName = { namespace, key, context: null };
    return knownKey(name, keysOfName(lookup, name)) ?? [];
  });
  const [only, ...others] = found;
  if (only !== undefined && others.length === 0) return { kind: "known", ...only };
  const limit = options.patternLimit ?? PATTERN_LIMIT;
  const matches = [
    ...found.flatMap(shownKeys),
    ...(isGettextOnly(options) ? [] : findAnywhere(lookup, "", `${keySeparatorOf(options)}${key}`, limit)),
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
function findAnywhere(lookup: Lookup, prefix: string, suffix: string, limit: number): readonly NamedKey[] {
  const matching = matcherWithVariants(lookup);
  const matches: NamedKey[] = [];
  for (const namespace of lookup.names.namespaces()) {
    if (matches.length >= limit) break;
    matches.push(...matching(namespace, prefix, suffix, limit - matches.length));
  }
  return matches;
}

/** Returns a search of names with a prefix and suffix, after which the suffix of a variant may follow. */
function matcherWithVariants({ usage, names, options }: Lookup): KeyNameQueries["matching"] {
  const rules = mayHaveVariants(usage) ? variantRulesOf(options) : undefined;
  if (rules === undefined) return (...query) => names.matching(...query);
  return (namespace, prefix, suffix, limit) => {
    if (suffix === "") return names.matching(namespace, prefix, suffix, limit);
    const isVariant = ({ key }: NamedKey): boolean => {
      for (let at = key.indexOf(suffix, prefix.length); at !== -1; at = key.indexOf(suffix, at + 1)) {
        if (rules.rank(key.slice(at + suffix.length), usage, options) !== null) return true;
      }
      return false;
    };
    return names.matching(namespace, prefix, "", Number.POSITIVE_INFINITY).filter(isVariant).slice(0, limit);
  };
}
