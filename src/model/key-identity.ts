/** Who a key is: the two hashes of § Key identity, byte for byte. SHA-1 itself is handed in. */
import { hash } from "node:crypto";
import { isForms, type Forms, type Text } from "./text.ts";

/** A key's name in full. `namespace` is `*` when it has none; an empty context counts as none. */
export interface KeyName {
  readonly namespace: string;
  readonly key: string;
  readonly context: string | null;
}

const SEPARATOR = "\u001f";

/** The namespace of a key that has none. */
export const NO_NAMESPACE = "*";

/** `hash` of § Key identity: 40 lowercase hex characters. */
export function keyHash(name: { namespace?: string | null; key: string; context?: string | null }): string {
  return sha1((name.namespace ?? NO_NAMESPACE) + SEPARATOR + name.key + SEPARATOR + (name.context ?? ""));
}

/** `sourceHash` of § Key identity: `null` when there is no text or no form. */
export function sourceHash(text: Text | null): string | null {
  if (text === null) return null;
  if (!isForms(text)) return text.value === "" ? null : sha1(text.value);
  return Object.keys(text.forms).length === 0 ? null : sha1(canonicalForms(text.forms));
}

/**
 * The compact JSON of plural forms: sorted by category, non-ASCII as it is, `/` as `\/`, U+2028 and U+2029 as
 * escapes. Built by hand, since an object would move integer-like names to the front.
 */
export function canonicalForms(forms: Forms): string {
  const members = Object.keys(forms)
    .sort(byCodePoint)
    .map((name) => `${canonicalString(name)}:${canonicalString(forms[name] ?? "")}`);
  return `{${members.join(",")}}`;
}

function canonicalString(text: string): string {
  return JSON.stringify(text.toWellFormed())
    .replaceAll("/", "\\/")
    .replaceAll("\u2028", "\\u2028")
    .replaceAll("\u2029", "\\u2029");
}

function byCodePoint(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** SHA-1 of the text, in hexadecimal. */
export function sha1(text: string): string {
  return hash("sha1", text);
}
