/**
 * Which key of the project a use in code means, by the conventions of its frameworks: the names that it may
 * stand for, in the order in which the framework itself looks, and the first that the project has. Decides
 * nothing about severity; it only says what is known.
 */
import { NO_NAMESPACE, type KeyName } from "../../model/key-identity.ts";
import type { KeyNameQueries, NamedKey } from "../../database/key-names.ts";
import type { Framework, KeyUsage } from "../../scanners/usage.ts";

/** The project's conventions. */
export interface KeyResolutionOptions {
  readonly frameworks: ReadonlySet<Framework>;
  /** Namespaces of a use that names none, the first first. Default: `translation` (i18next's), then `*`. */
  readonly defaultNamespaces?: readonly string[];
  /** Looked into after the bound ones (i18next's `fallbackNS`). Default: none. */
  readonly fallbackNamespaces?: readonly string[];
  /** `false`: keys never name a namespace. Default `:`. */
  readonly namespaceSeparator?: string | false;
  /** Default `.`. */
  readonly keySeparator?: string | false;
  /** How many keys a pattern is resolved to at most. Default 1,000. */
  readonly patternLimit?: number;
}

/** What of a use decides which key it means. */
export type KeyReference = Pick<KeyUsage, "used" | "namespaces" | "keyPrefix" | "context" | "dynamicContext">;

/** A use and what is known of it. */
export type KeyResolution =
  /** The project has the key. */
  | { readonly kind: "known"; readonly key: NamedKey }
  /** The name stands for a group of keys (`__("auth")`, `t("a", { returnObjects })`). */
  | { readonly kind: "intermediate"; readonly namespace: string; readonly prefix: string }
  /** None of the names it may have is there; the likeliest first. */
  | { readonly kind: "unknown"; readonly candidates: readonly KeyName[] }
  /** Only parts are known, or its scope is not: these keys may be meant (cut at the limit). */
  | {
      readonly kind: "pattern";
      readonly prefix: string;
      readonly suffix: string;
      readonly matches: readonly NamedKey[];
    }
  /** Nothing can be said: no part of the key is in the code. Never to be reported as missing. */
  | { readonly kind: "undeterminable" };

const PATTERN_LIMIT = 1_000;

const I18NEXT_NAMESPACES: readonly string[] = ["translation", NO_NAMESPACE];
const NO_NAMESPACES: readonly string[] = [NO_NAMESPACE];
/** Frameworks whose keys are paths with prefixes and namespaces. */
const DOTTED: readonly Framework[] = ["i18next", "vue-i18n", "next-intl", "svelte-i18n", "formatjs"];
/** Frameworks whose keys are whole texts or names, in domains. */
const TEXTS: readonly Framework[] = ["wordpress", "gettext", "symfony", "craft"];
/** Those of them whose keys are always texts. */
const GETTEXT: ReadonlySet<Framework> = new Set<Framework>(["wordpress", "gettext", "django", "jinja"]);
/** Frameworks whose code never names a namespace. */
const WITHOUT_NAMESPACES: readonly Framework[] = ["svelte-i18n", "vue-i18n", "next-intl", "formatjs"];
/** Frameworks that look into one default namespace when a call names none. */
const DEFAULTING: ReadonlySet<Framework> = new Set<Framework>(["i18next", "symfony"]);
/** Where Symfony looks without a domain. */
const SYMFONY_DOMAINS: readonly string[] = ["messages"];
const PLURAL_SUFFIX = /_(?:(?:ordinal_)?(?:zero|one|two|few|many|other)|plural|\d+)$/;

/** The plural's form that the code says although the key's name has none (`items_one` of `items`); empty: it says none. */
export function pluralSuffixOf(written: string, key: string): string {
  const suffix = PLURAL_SUFFIX.exec(written)?.[0] ?? "";
  return key.endsWith(suffix) ? "" : suffix;
}

/** Where code names no namespace and all files are called alike (`en/dict.json`), their name is the one that is meant. */
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

/** What the use means among these keys. In hot paths: no search longer than a few map lookups when it is known. */
export function resolveKey(
  use: KeyReference,
  names: KeyNameQueries,
  options: KeyResolutionOptions,
): KeyResolution {
  const { used } = use;
  if (used.kind === "pattern") return resolvePattern(use, used.prefix, used.suffix, names, options);
  if (used.key === "") return { kind: "undeterminable" };
  const known = findKnown(use, used.key, names, options);
  if (known !== undefined) return { kind: "known", key: known };
  const group = findGroup(use, used.key, names, options);
  if (group !== null) return group;
  if (isForeignDomain(use, names, options)) {
    return { kind: "pattern", prefix: used.key, suffix: "", matches: [] };
  }
  // Its translator was made elsewhere: the key may stand below any prefix, in any namespace.
  if (use.namespaces === "unknown") return resolveUnbound(used.key, names, options);
  if (use.dynamicContext === true) {
    const variants = resolvePattern(use, `${used.key}_`, "", names, options);
    if (variants.kind === "pattern" && variants.matches.length > 0) return variants;
  }
  return { kind: "unknown", candidates: candidatesOf(use, options) };
}

/** `name`: what the use says of its key. */
function findKnown(
  use: KeyReference,
  name: string,
  names: KeyNameQueries,
  options: KeyResolutionOptions,
): NamedKey | undefined {
  let known: NamedKey | undefined;
  visitCandidates(use, name, options, (namespace, key, context) => {
    known =
      use.dynamicContext === true ? names.withAnyContext(namespace, key) : names.get(namespace, key, context);
    return known !== undefined;
  });
  return known ?? inDomainFile(use, name, names, options) ?? inAnyDomain(use, names, options)[0];
}

/** The key that is meant where the name stands in place of the use's own; what else it may be is not looked for. */
export function resolveName(
  use: KeyReference,
  name: string,
  names: KeyNameQueries,
  options: KeyResolutionOptions,
): NamedKey | undefined {
  const named: KeyReference = { ...use, used: { kind: "static", key: name } };
  const known = name === "" ? undefined : findKnown(named, name, names, options);
  if (known !== undefined || use.namespaces !== "unknown") return known;
  const resolved = resolveKey(named, names, options);
  return resolved.kind === "known" ? resolved.key : undefined;
}

/** Every name that a static use may stand for, the likeliest first; none for a pattern. */
export function candidatesOf(use: KeyReference, options: KeyResolutionOptions): readonly KeyName[] {
  if (use.used.kind === "pattern") return [];
  const seen = new Set<string>();
  const candidates: KeyName[] = [];
  visitCandidates(use, use.used.key, options, (namespace, key, context) => {
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

/** The use as one of a part of a key: a part has no context and no plural suffix. */
function asPart(use: KeyReference): KeyReference {
  return use.used.kind === "pattern" && use.context === null
    ? use
    : { ...use, used: { kind: "pattern", prefix: "", suffix: "" }, context: null };
}

/** Calls `visit` with each name until it answers `true`. */
function visitCandidates(use: KeyReference, key: string, options: KeyResolutionOptions, visit: Visit): void {
  const { frameworks } = options;
  const isBound = use.keyPrefix !== "" || Array.isArray(use.namespaces);
  const gettext = TEXTS.some((framework) => frameworks.has(framework));
  if (gettext && visitGettext(use, key, options, visit)) return;
  if (isLaravel(options) && !isBound && visitLaravel(key, visit)) return;
  const dotted = frameworks.size === 0 || DOTTED.some((framework) => frameworks.has(framework));
  if (dotted || (isBound && !gettext)) visitDotted(use, key, options, visit);
}

function isLaravel({ frameworks }: KeyResolutionOptions): boolean {
  return frameworks.size === 0 || frameworks.has("laravel");
}

/** `Translator::get`: the whole in the JSON file first, then `[package::]group.item`. */
function visitLaravel(key: string, visit: Visit): boolean {
  if (visit(NO_NAMESPACE, key, null)) return true;
  const colons = key.indexOf("::");
  const start = colons === -1 ? 0 : colons + 2;
  const dot = key.indexOf(".", start);
  return dot > start && dot < key.length - 1 && visit(key.slice(0, dot), key.slice(dot + 1), null);
}

/** The text is the key; a domain may be the namespace. */
function visitGettext(
  use: KeyReference,
  key: string,
  { frameworks }: KeyResolutionOptions,
  visit: Visit,
): boolean {
  const symfony = frameworks.has("symfony");
  const domains = Array.isArray(use.namespaces) ? use.namespaces : symfony ? SYMFONY_DOMAINS : [];
  for (const domain of domains) {
    if (visit(domain, key, use.context)) return true;
    // Symfony's mark of files with ICU messages.
    if (symfony && visit(`${domain}+intl-icu`, key, use.context)) return true;
  }
  return visit(NO_NAMESPACE, key, use.context);
}

/**
 * Gettext without a domain asks the one that the program has chosen (`django` and `djangojs` by the kind of file): the
 * keys of this text in every namespace. Of several, each may be meant.
 */
export function inAnyDomain(
  use: KeyReference,
  names: KeyNameQueries,
  { frameworks }: KeyResolutionOptions,
): readonly NamedKey[] {
  const { used, namespaces, context } = use;
  if (!frameworks.has("gettext") || namespaces !== null || used.kind === "pattern") return [];
  const found: NamedKey[] = [];
  for (const namespace of names.namespaces()) {
    const key = names.get(namespace, used.key, context);
    if (key !== undefined) found.push(key);
  }
  return found;
}

/** Whether keys are gettext's texts and nothing else: no part of one is a path or a group then. */
export function isGettextOnly({ frameworks }: KeyResolutionOptions): boolean {
  return frameworks.size > 0 && [...frameworks].every((framework) => GETTEXT.has(framework));
}

/** XLIFF files say their own name, and so may a namespace: `shop.en.xlf` for the domain `shop`. */
function inDomainFile(
  use: KeyReference,
  key: string,
  names: KeyNameQueries,
  { frameworks }: KeyResolutionOptions,
): NamedKey | undefined {
  if (!frameworks.has("symfony") || use.namespaces === "unknown") return undefined;
  for (const domain of use.namespaces ?? SYMFONY_DOMAINS) {
    for (const namespace of names.namespaces()) {
      if (!namespace.startsWith(`${domain}.`)) continue;
      const found = names.get(namespace, key, use.context);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** A domain in which the project has no key at all: that of a bundle, whose texts are its own. */
function isForeignDomain(
  use: KeyReference,
  names: KeyNameQueries,
  { frameworks }: KeyResolutionOptions,
): boolean {
  if (!frameworks.has("symfony") || !Array.isArray(use.namespaces)) return false;
  for (const namespace of names.namespaces()) {
    if (namespace === NO_NAMESPACE) return false;
    if (use.namespaces.some((domain) => isOfDomain(namespace, domain))) return false;
  }
  return true;
}

/** Whether the namespace is Symfony's domain: itself, that of ICU messages, or named after the domain's file. */
function isOfDomain(namespace: string, domain: string): boolean {
  return namespace === domain || namespace.startsWith(`${domain}.`) || namespace.startsWith(`${domain}+`);
}

/**
 * Namespaces that a dynamic call without a known namespace may mean beyond those of `visitCandidates`: all of them for
 * gettext, whose program chooses the domain, and those of the domain's files for Symfony.
 */
function domainNamespaces(
  { namespaces }: KeyReference,
  names: KeyNameQueries,
  { frameworks }: KeyResolutionOptions,
): readonly string[] {
  const all = [...names.namespaces()];
  if (frameworks.has("gettext") && namespaces === null) return all;
  if (!frameworks.has("symfony") || namespaces === "unknown") return [];
  const domains = namespaces ?? SYMFONY_DOMAINS;
  return all.filter((namespace) => domains.some((domain) => isOfDomain(namespace, domain)));
}

/** Dotted paths with namespaces and prefixes: i18next, next-intl, vue-i18n, svelte-i18n, FormatJS. */
function visitDotted(use: KeyReference, key: string, options: KeyResolutionOptions, visit: Visit): boolean {
  const path = withPrefix(use.keyPrefix, key, options);
  const namespaces = Array.isArray(use.namespaces) ? use.namespaces : defaults(options);
  for (const namespace of namespaces) if (visitVariants(use, namespace, path, visit)) return true;
  const separator = options.namespaceSeparator ?? ":";
  if (separator !== false) {
    const colon = key.indexOf(separator);
    if (colon > 0) {
      const namespace = key.slice(0, colon);
      const rest = key.slice(colon + separator.length);
      if (visitVariants(use, namespace, rest, visit)) return true;
      if (use.keyPrefix !== "") {
        if (visitVariants(use, namespace, withPrefix(use.keyPrefix, rest, options), visit)) return true;
      }
      // A file for each namespace can also be mapped to one key space: `ns.key`.
      if (visitVariants(use, NO_NAMESPACE, withPrefix(namespace, rest, options), visit)) return true;
    }
  }
  for (const namespace of options.fallbackNamespaces ?? []) {
    if (visitVariants(use, namespace, path, visit)) return true;
  }
  if (namespaces !== defaults(options)) {
    for (const namespace of namespaces) {
      if (visitVariants(use, NO_NAMESPACE, withPrefix(namespace, path, options), visit)) return true;
    }
  } else {
    // Where each top-level group is a namespace of its own: `group.rest` (next-intl, vue-i18n by file).
    const dot = path.indexOf(options.keySeparator === false ? "\0" : (options.keySeparator ?? "."));
    // Of a part of a key nothing but the group may be known.
    if (dot > 0 && (dot < path.length - 1 || use.used.kind === "pattern")) {
      if (visitVariants(use, path.slice(0, dot), path.slice(dot + 1), visit)) return true;
    }
  }
  return path.includes("[") && visitVariants(use, NO_NAMESPACE, bracketless(path), visit);
}

/** The name itself; with i18next's context in it or beside it; without a plural suffix. */
function visitVariants(use: KeyReference, namespace: string, path: string, visit: Visit): boolean {
  if (use.context !== null) {
    if (visit(namespace, `${path}_${use.context}`, null) || visit(namespace, path, use.context)) return true;
  }
  if (visit(namespace, path, null)) return true;
  if (use.used.kind === "pattern" || !path.includes("_")) return false;
  const base = path.replace(PLURAL_SUFFIX, "");
  return base !== path && base !== "" && visit(namespace, base, null);
}

function defaults(options: KeyResolutionOptions): readonly string[] {
  if (options.defaultNamespaces !== undefined) return options.defaultNamespaces;
  return options.frameworks.size === 0 || options.frameworks.has("i18next")
    ? I18NEXT_NAMESPACES
    : NO_NAMESPACES;
}

function withPrefix(prefix: string, key: string, options: KeyResolutionOptions): string {
  return prefix === ""
    ? key
    : `${prefix}${options.keySeparator === false ? "" : (options.keySeparator ?? ".")}${key}`;
}

/** vue-i18n's `a[0].b` is `a.0.b`. */
function bracketless(path: string): string {
  return path.replaceAll(/\[["']?([\w-]+)["']?\]/g, ".$1");
}

/** A group of keys by its name: the part of a dotted path before a dot, or a whole Laravel file. */
function findGroup(
  use: KeyReference,
  key: string,
  names: KeyNameQueries,
  options: KeyResolutionOptions,
): KeyResolution | null {
  const separator = options.keySeparator ?? ".";
  if (separator === false || isGettextOnly(options)) return null;
  let group: KeyResolution | null = null;
  visitCandidates(asPart(use), key, options, (namespace, path) => {
    const prefix = `${path}${separator}`;
    if (!names.hasPrefix(namespace, prefix)) return false;
    group = { kind: "intermediate", namespace, prefix };
    return true;
  });
  if (group === null && use.keyPrefix === "" && names.hasNamespace(key)) {
    return { kind: "intermediate", namespace: key, prefix: "" };
  }
  return group;
}

function resolvePattern(
  use: KeyReference,
  prefix: string,
  suffix: string,
  names: KeyNameQueries,
  options: KeyResolutionOptions,
): KeyResolution {
  const limit = options.patternLimit ?? PATTERN_LIMIT;
  if (prefix === "" && use.keyPrefix === "") {
    if (suffix === "") return { kind: "undeterminable" };
    const matches = [...findAnywhere(names, "", suffix, limit), ...wholeKeys(names, "", suffix, options)];
    return { kind: "pattern", prefix, suffix, matches: matches.slice(0, limit) };
  }
  const found = new Map<string, NamedKey>();
  const add = (namespace: string, start: string): void => {
    for (const key of names.matching(namespace, start, suffix, limit - found.size)) found.set(key.hash, key);
  };
  visitCandidates(asPart(use), prefix, options, (namespace, path) => {
    add(namespace, path);
    return found.size >= limit;
  });
  if (isLaravel(options)) {
    // `__("messages." . $x)` ends at the group's dot, and `__("mess" . $x)` may even name the group.
    const dot = prefix.indexOf(".");
    const group = prefix.slice(0, dot);
    for (const namespace of names.namespaces()) {
      if (namespace === NO_NAMESPACE) continue;
      if (dot === -1 ? namespace.startsWith(prefix) : namespace === group) {
        add(namespace, dot === -1 ? "" : prefix.slice(dot + 1));
      }
    }
    if (dot === -1) for (const key of wholeKeys(names, prefix, suffix, options)) found.set(key.hash, key);
  }
  for (const namespace of domainNamespaces(use, names, options)) add(namespace, prefix);
  const anywhere = use.namespaces === "unknown" && found.size === 0;
  const matches = anywhere ? findAnywhere(names, prefix, suffix, limit) : [...found.values()];
  return { kind: "pattern", prefix, suffix, matches };
}

/**
 * Where a call that shows no part of its key looks: namespaces, each with what keys begin with there; `null`: anywhere.
 */
export function scopeOfOpenCall(
  use: KeyReference,
  names: KeyNameQueries,
  options: KeyResolutionOptions,
): readonly (readonly [namespace: string, prefix: string])[] | null {
  const { namespaces, keyPrefix } = use;
  if (namespaces === "unknown") return null;
  const reach: (readonly [string, string])[] = [];
  visitCandidates(asPart(use), "", options, (namespace, path) => {
    reach.push([namespace, path]);
    return false;
  });
  for (const namespace of domainNamespaces(use, names, options)) reach.push([namespace, ""]);
  if (namespaces !== null || keyPrefix !== "") return reach;
  const { frameworks } = options;
  // Symfony and i18next look into a default namespace, the others into any group of keys.
  const hasDefault = frameworks.size > 0 && [...frameworks].every((framework) => DEFAULTING.has(framework));
  // The project may call its default otherwise than is known here.
  return hasDefault && reach.some(([namespace]) => names.hasNamespace(namespace)) ? reach : null;
}

/** A key in a scope that is not known: itself in the only namespace that has it, or below any prefix. */
function resolveUnbound(key: string, names: KeyNameQueries, options: KeyResolutionOptions): KeyResolution {
  let only: NamedKey | undefined;
  let count = 0;
  for (const namespace of names.namespaces()) {
    const found = names.get(namespace, key);
    if (found === undefined) continue;
    only = found;
    count++;
  }
  if (only !== undefined && count === 1) return { kind: "known", key: only };
  const separator = options.keySeparator === false ? "" : (options.keySeparator ?? ".");
  const limit = options.patternLimit ?? PATTERN_LIMIT;
  const matches = [
    ...findAnywhere(names, key, "", limit).filter((found) => found.key === key),
    ...(isGettextOnly(options) ? [] : findAnywhere(names, "", `${separator}${key}`, limit)),
  ];
  return { kind: "pattern", prefix: "", suffix: key, matches: matches.slice(0, limit) };
}

/**
 * Keys that stand whole in the end of a name whose namespace is dynamic: `__("$group.title")`, `t(`${ns}:title`)`. Their
 * namespaces begin with `prefix`.
 */
function wholeKeys(
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

/** Keys of any namespace that begin and end so. Without a prefix a pass over all names, for the rare use. */
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
