/** Key identity: the two hashes of § Key identity; patterns of the project file that key names match. */
import { hash } from "node:crypto";
import { isForms, type Forms, type Text } from "./translation-text.ts";

/** The full name of a key. `namespace` is `*` without one; an empty context equals none. */
export interface KeyName {
  readonly namespace: string;
  readonly key: string;
  readonly context: string | null;
}

/** Returns only the name of a key that may have more members. */
export function nameOf({ namespace, key, context }: KeyName): KeyName {
  return { namespace, key, context };
}

const SEPARATOR = "\u001f";

/** Namespace of keys without one. */
export const NO_NAMESPACE = "*";

/** Returns the `hash` of § Key identity: 40 lowercase hex characters. */
export function keyHash(name: { namespace?: string | null; key: string; context?: string | null }): string {
  return sha1((name.namespace ?? NO_NAMESPACE) + SEPARATOR + name.key + SEPARATOR + (name.context ?? ""));
}

/** Returns the `sourceHash` of § Key identity; `null` without text or forms. */
export function sourceHash(text: Text | null): string | null {
  if (text === null) return null;
  if (!isForms(text)) return text.value === "" ? null : sha1(text.value);
  return Object.keys(text.forms).length === 0 ? null : sha1(canonicalForms(text.forms));
}

/**
 * Returns the compact JSON of plural forms: sorted by category, non-ASCII unescaped, `/` as `\/`, U+2028 and U+2029
 * escaped. Not `JSON.stringify` of an object, since that would move integer-like names to the front.
 */
export function canonicalForms(forms: Forms): string {
  const members = Object.keys(forms)
    .sort()
    .map((name) => `${canonicalString(name)}:${canonicalString(forms[name] ?? "")}`);
  return `{${members.join(",")}}`;
}

function canonicalString(text: string): string {
  return JSON.stringify(text.toWellFormed())
    .replaceAll("/", "\\/")
    .replaceAll("\u2028", "\\u2028")
    .replaceAll("\u2029", "\\u2029");
}

/** Returns the SHA-1 of a text as lowercase hex. */
export function sha1(text: string): string {
  return hash("sha1", text);
}

/** Returns a predicate for names. It does not backtrack, since patterns come from the repository. */
export function keyPatternMatcher(glob: string): (name: string) => boolean {
  const [first = "", ...rest] = glob.split(/\*+/u);
  const last = rest.pop();
  if (last === undefined) return (name) => name === glob;
  return (name) => {
    if (!name.startsWith(first)) return false;
    let at = first.length;
    for (const part of rest) {
      const found = name.indexOf(part, at);
      if (found === -1) return false;
      at = found + part.length;
    }
    return name.length - last.length >= at && name.endsWith(last);
  };
}

/** Returns the ways to write a key together with its namespace. */
export function qualifiedNames({ namespace, key }: KeyName): readonly string[] {
  return namespace === NO_NAMESPACE ? [key] : [`${namespace}.${key}`, `${namespace}:${key}`];
}
