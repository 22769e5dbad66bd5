/** Look-up orders that several frameworks share: dotted paths with namespaces, and texts within domains. */
import { NO_NAMESPACE, type KeyName } from "../model/key-hash.ts";
import type { KeyConventions, KeyRules, WrittenKey } from "./framework.ts";

const NO_NAMESPACES: readonly string[] = [NO_NAMESPACE];

/** Returns the separator of a key's parts; empty if keys have none. */
export function keySeparatorOf({ keySeparator = "." }: KeyConventions): string {
  return keySeparator === false ? "" : keySeparator;
}

/** Returns the key with the prefix of its binding: i18next joins them with a dot where keys have no separator. */
export function withKeyPrefix(prefix: string, key: string, conventions: KeyConventions): string {
  return prefix === "" ? key : `${prefix}${keySeparatorOf(conventions) || "."}${key}`;
}

/** Returns the path in each namespace that it may be in, in the look-up order of frameworks with namespaces. */
function* pathsOf(
  { namespaces, keyPrefix }: WrittenKey,
  key: string,
  conventions: KeyConventions,
  isPartial: boolean,
  defaultNamespaces: readonly string[],
): Generator<readonly [namespace: string, path: string]> {
  const path = withKeyPrefix(keyPrefix, key, conventions);
  const bound: readonly string[] | null = Array.isArray(namespaces) ? namespaces : null;
  for (const namespace of bound ?? conventions.defaultNamespaces ?? defaultNamespaces)
    yield [namespace, path];
  const separator = conventions.namespaceSeparator ?? ":";
  const colon = separator === false ? -1 : key.indexOf(separator);
  const rest = separator !== false && colon > 0 ? key.slice(colon + separator.length) : null;
  if (rest !== null) {
    const namespace = key.slice(0, colon);
    yield [namespace, rest];
    if (keyPrefix !== "") yield [namespace, withKeyPrefix(keyPrefix, rest, conventions)];
    // Files per namespace may also be mapped to one key space: `ns.key`.
    yield [NO_NAMESPACE, withKeyPrefix(namespace, rest, conventions)];
  }
  const { fallbackNamespaces = [] } = conventions;
  for (const namespace of fallbackNamespaces === "all" ? [] : fallbackNamespaces) {
    if (rest !== null) yield [namespace, rest];
    yield [namespace, path];
  }
  for (const namespace of bound ?? []) yield [NO_NAMESPACE, withKeyPrefix(namespace, path, conventions)];
  if (bound === null) {
    // Top-level groups may be namespaces: `group.rest`. A partial key may be only a group.
    const dot = path.indexOf(keySeparatorOf(conventions) || "\0");
    if (dot > 0 && (dot < path.length - 1 || isPartial)) yield [path.slice(0, dot), path.slice(dot + 1)];
  }
  // An item of a list: `a[0].b` is `a.0.b`.
  if (path.includes("[")) yield [NO_NAMESPACE, path.replaceAll(/\[["']?([\w-]+)["']?\]/g, ".$1")];
}

/** Returns the look-up order of paths, with these namespaces for calls without one. */
export function pathCandidates(defaultNamespaces: readonly string[]): KeyRules["candidates"] {
  return function* (usage, key, conventions, isPartial): Generator<KeyName> {
    const { context } = usage;
    for (const [namespace, path] of pathsOf(usage, key, conventions, isPartial, defaultNamespaces)) {
      // The service's keys may have a context too.
      if (!isPartial && context !== null) yield { namespace, key: path, context };
      yield { namespace, key: path, context: null };
    }
  };
}

/** The rules of frameworks whose keys are paths, without default namespaces or variants. */
export const PATHS: KeyRules = { kind: "path", candidates: pathCandidates(NO_NAMESPACES) };

/** The key is a text or name, and a domain may be the namespace. */
export function* domainCandidates(
  { namespaces, context }: WrittenKey,
  key: string,
  _conventions: KeyConventions,
  isPartial: boolean,
): Generator<KeyName> {
  const own = isPartial ? null : context;
  for (const namespace of Array.isArray(namespaces) ? namespaces : []) yield { namespace, key, context: own };
  yield { namespace: NO_NAMESPACE, key, context: own };
}

/** The framework's texts are those of another one, which has the names. */
export function* noCandidates(): Generator<KeyName> {
  // None.
}
