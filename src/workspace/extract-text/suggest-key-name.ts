/** Proposes a key name for an extracted text: in the group of its neighbours' keys, from its words. */
import { mostFrequent } from "../../util/maps.ts";
import { NO_NAMESPACE, type KeyName } from "../../model/key-hash.ts";

export interface KeyNameContext {
  /** Names of the keys that the same file uses, in order. */
  readonly neighbours: readonly KeyName[];
  /** Whether a name exists already. */
  readonly isTaken: (name: KeyName) => boolean;
  /** Namespaces that the project's source files have. */
  readonly namespaces: ReadonlySet<string>;
  /** Path of the source file in the project. */
  readonly path: string;
  /** Whether the text is the key (gettext, WordPress, projects with texts as keys). */
  readonly isText: boolean;
  /** Text domain of the call. */
  readonly domain?: string;
  /** Where the code has a namespace or a prefix: returns the name of a key as it is written there, if possible in the namespace. */
  readonly nameOf?: (written: string, namespace: string) => KeyName;
}

/** Returns a free name; an existing one gets a number. */
export function proposeKeyName(
  text: string,
  { neighbours, isTaken, namespaces, path, isText, domain, nameOf }: KeyNameContext,
): KeyName {
  if (isText) return { namespace: domainNamespace(neighbours, namespaces, domain), key: text, context: null };
  const { namespace, prefix } = commonPrefix(neighbours, namespaces, path);
  const words = slugOf(text);
  for (let number = 1; ; number++) {
    // “_2” would be the ending of a plural form to i18next.
    const written = number === 1 ? words : `${words}${number}`;
    const name = nameOf?.(written, namespace) ?? { namespace, key: `${prefix}${written}`, context: null };
    if (!isTaken(name)) return name;
  }
}

/** Returns the namespace where texts are keys: the domain's own, that of the file's other texts, or the only one. */
function domainNamespace(
  neighbours: readonly KeyName[],
  namespaces: ReadonlySet<string>,
  domain: string | undefined,
): string {
  if (domain !== undefined && namespaces.has(domain)) return domain;
  const [neighbour] = neighbours;
  if (domain === undefined && neighbour !== undefined) return neighbour.namespace;
  const [only = NO_NAMESPACE, ...others] = namespaces;
  return others.length === 0 ? only : NO_NAMESPACE;
}

/** Returns the most frequent group of the file's keys; without keys, the namespace or group with the file's name. */
function commonPrefix(
  neighbours: readonly KeyName[],
  namespaces: ReadonlySet<string>,
  path: string,
): { readonly namespace: string; readonly prefix: string } {
  const groups = neighbours.map(({ namespace, key }) => {
    const dot = key.indexOf(".");
    return `${namespace}\u0004${namespace === NO_NAMESPACE && dot > 0 ? key.slice(0, dot + 1) : ""}`;
  });
  const [usual, usualPrefix = ""] = mostFrequent(groups)?.split("\u0004") ?? [];
  if (usual !== undefined) return { namespace: usual, prefix: usualPrefix };
  const parts = path
    .replace(/(?:\.blade)?\.\w+$/, "")
    .toLowerCase()
    .split("/");
  const namespace = parts.findLast((part) => namespaces.has(part));
  if (namespace !== undefined) return { namespace, prefix: "" };
  const [first] = [...namespaces].sort();
  if (first !== undefined && !namespaces.has(NO_NAMESPACE)) return { namespace: first, prefix: "" };
  return { namespace: NO_NAMESPACE, prefix: `${slugOf(parts.at(-1) ?? "").replaceAll("_", "-")}.` };
}

/** Most words in a key's last segment. */
const MAX_WORDS = 4;

/** Returns the first words of the text in lower case; `text` if it has none. */
export function slugOf(text: string): string {
  const words = text
    .replaceAll(/\{\{?[^{}]*\}?\}|:\w+|%\d*\$?[sd]/g, " ")
    .normalize("NFD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu);
  return (words ?? []).slice(0, MAX_WORDS).join("_") || "text";
}
