/** Decides whether a name that no key has is a mistake. */
import type { KeyNames } from "../../database/key-name-repository.ts";
import { keyHash, type KeyName } from "../../model/key-hash.ts";
import type { LocalEntries } from "../local-files/local-entries.ts";
import { isProvidedByFramework } from "../project-detection/detect-frameworks.ts";
import { isEveryKeyKnown, type KeyCompleteness } from "../usages/key-completeness.ts";
import {
  isGettextOnly,
  type KeyReference,
  type KeyResolutionOptions,
} from "../usages/resolve-usage-to-key.ts";

/** The project that a name is looked up in. */
interface UnknownKeyContext {
  readonly names: KeyNames;
  readonly lookup: Pick<KeyResolutionOptions, "frameworks" | "packageNames">;
  /** The namespaces of the local files. */
  readonly localNamespaces: ReadonlySet<string>;
  /** As of `LocalEntries`. */
  readonly unreadNamespaces: ReadonlySet<string> | "any";
}

/**
 * Whether a name is reported as unknown: not if it may stand in a source file that could not be read completely, may belong to
 * a package with its own texts, or may not be used, or its context is not known, or if it is a text of the framework whose
 * group the project does not override.
 * @param candidates Its possible names.
 */
export function isMistake(
  reference: KeyReference,
  candidates: readonly KeyName[],
  { names, lookup, localNamespaces, unreadNamespaces }: UnknownKeyContext,
): boolean {
  if (unreadNamespaces === "any" || candidates.some(({ namespace }) => unreadNamespaces.has(namespace)))
    return false;
  const { expression, namespaces, dynamicContext, isUncertain } = reference;
  const { frameworks, packageNames = [] } = lookup;
  if (expression.kind === "pattern" || namespaces === "unknown") return false;
  if (dynamicContext === true || isUncertain === true) return false;
  const colons = expression.key.indexOf("::");
  const start = expression.key.slice(0, colons + 2);
  const isOfPackage = colons > 0 && !packageNames.includes(expression.key.slice(0, colons));
  if (isOfPackage && !names.namespaces().some((namespace) => namespace.startsWith(start))) return false;
  return !isProvidedByFramework(candidates, frameworks, names, localNamespaces);
}

/** The project to which a name belongs by its namespace. */
interface NamedProject {
  readonly project: KeyCompleteness["project"];
  readonly keyNames: KeyNames;
  readonly local: Pick<LocalEntries, "loaded" | "namespaces" | "unreadNamespaces">;
}

/**
 * Whether a name that was not found is reported: not before all keys of its project are known, nor if a file of any language
 * has it, nor if it is no mistake.
 * @param code The code that uses it.
 */
export function isUnknownKey(
  reference: KeyReference,
  candidates: readonly KeyName[],
  { project, keyNames, local }: NamedProject,
  code: { readonly lookup: KeyResolutionOptions; readonly areUsagesComplete: boolean },
): boolean {
  const { lookup, areUsagesComplete } = code;
  const { loaded, namespaces: localNamespaces, unreadNamespaces } = local;
  const areKeysTexts = reference.isMessage === true || isGettextOnly(lookup);
  if (!isEveryKeyKnown({ project, local: loaded, areKeysTexts, areUsagesComplete })) return false;
  const hashes = candidates.map(keyHash);
  if (loaded?.locales.some((locale) => hashes.some((hash) => loaded.entries(locale).has(hash)))) return false;
  return isMistake(reference, candidates, { names: keyNames, lookup, localNamespaces, unreadNamespaces });
}
