/** Which name a text that is taken out of the code gets: where its neighbours' keys are, and what it says. */
import { NO_NAMESPACE, type KeyName } from "../../model/key-identity.ts";

export interface NameDependencies {
  /** Names of the keys that the same file uses already, in its order. */
  readonly neighbours: readonly KeyName[];
  /** All names that are taken. */
  readonly isTaken: (name: KeyName) => boolean;
  /** Namespaces that the project's source files have. */
  readonly namespaces: ReadonlySet<string>;
  /** The code's path in the project. */
  readonly path: string;
  /** The text is the key (gettext, WordPress, a project of sentences). */
  readonly isText: boolean;
  /** The text domain that the call names. */
  readonly domain?: string;
}

/** The name; one that is taken gets a number. */
export function proposedName(
  text: string,
  { neighbours, isTaken, namespaces, path, isText, domain }: NameDependencies,
): KeyName {
  if (isText) return { namespace: domainsHome(neighbours, namespaces, domain), key: text, context: null };
  const { namespace, prefix } = homeOf(neighbours, namespaces, path);
  const words = `${prefix}${wordsOf(text)}`;
  for (let number = 1; ; number++) {
    const name = { namespace, key: number === 1 ? words : `${words}_${number}`, context: null };
    if (!isTaken(name)) return name;
  }
}

/** Where texts are keys: the domain's own namespace, that of the file's other texts, or the only one there is. */
function domainsHome(
  neighbours: readonly KeyName[],
  namespaces: ReadonlySet<string>,
  domain: string | undefined,
): string {
  if (domain !== undefined && namespaces.has(domain)) return domain;
  const [beside] = neighbours;
  if (domain === undefined && beside !== undefined) return beside.namespace;
  const [only] = namespaces;
  return namespaces.size === 1 && only !== undefined ? only : NO_NAMESPACE;
}

/** Where most of the file's keys are; of a file without keys the namespace or group that is called as it is. */
function homeOf(
  neighbours: readonly KeyName[],
  namespaces: ReadonlySet<string>,
  path: string,
): { readonly namespace: string; readonly prefix: string } {
  const counts = new Map<string, { namespace: string; prefix: string; count: number }>();
  for (const { namespace, key } of neighbours) {
    const dot = key.indexOf(".");
    const prefix = namespace === NO_NAMESPACE && dot > 0 ? key.slice(0, dot + 1) : "";
    const id = `${namespace}\u0004${prefix}`;
    const home = counts.get(id);
    if (home === undefined) counts.set(id, { namespace, prefix, count: 1 });
    else home.count++;
  }
  const [most] = [...counts.values()].sort((a, b) => b.count - a.count);
  if (most !== undefined) return most;
  const parts = path
    .replace(/(?:\.blade)?\.\w+$/, "")
    .toLowerCase()
    .split("/")
    .toReversed();
  const namespace = parts.find((part) => namespaces.has(part));
  if (namespace !== undefined) return { namespace, prefix: "" };
  const own = [...namespaces].filter((each) => each !== NO_NAMESPACE).sort()[0];
  const group = `${wordsOf(parts[0] ?? "").replaceAll("_", "-")}.`;
  return own === undefined || namespaces.has(NO_NAMESPACE)
    ? { namespace: NO_NAMESPACE, prefix: group }
    : { namespace: own, prefix: "" };
}

/** So many words of a text make a key's last part. */
const MAX_WORDS = 4;

/** A short name for the text: its first words in small letters; `text` where it has none. */
export function wordsOf(text: string): string {
  const words = text
    .replaceAll(/\{\{?[^{}]*\}?\}|:\w+|%\d*\$?[sd]/g, " ")
    .normalize("NFD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu);
  return (words ?? []).slice(0, MAX_WORDS).join("_") || "text";
}
