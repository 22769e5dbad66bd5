/** Renaming a key where its name stands in a translation file, so that nothing but the name changes. */
import { isForms, sameText, type Text } from "../model/text.ts";
import { applySplices } from "./edit.ts";
import { canEncode, decodeText, isNotText } from "./encoding.ts";
import { type Entry, entryId, type ReadOptions, type Splice, type TextFormat } from "./format.ts";

/**
 * What takes the place of the written name. `entries`: those that the file has of the key, a locale each; `newKey`: its
 * new name in the file. Both texts are read to see that nothing else changes. `null`: it is not that simple (the key
 * belongs elsewhere in the file, the name cannot be written there, or is not one place).
 */
export async function renameInPlace(
  format: TextFormat,
  bytes: Uint8Array,
  entries: readonly Entry[],
  newKey: string,
  options: ReadOptions,
): Promise<Splice | null> {
  const [first] = entries;
  const decoded = decodeText(bytes, format.name);
  if (first === undefined || isNotText(decoded)) return null;
  const { keySpan, key } = first;
  if (!entries.every((entry) => entry.keySpan.start === keySpan.start)) return null;
  const { text } = decoded;
  const name = nameInPlace(text.slice(keySpan.start, keySpan.end), key, newKey);
  const splice = name === null ? null : quotedSplice(text, keySpan, name);
  if (splice === null) return null;
  const after = applySplices(text, [splice]);
  if (!canEncode(decoded, after)) return null;
  await format.prepare?.();
  return isOnlyRenamed(format, [text, after], entries, newKey, options) ? splice : null;
}

function isOnlyRenamed(
  format: TextFormat,
  [before, after]: readonly [string, string],
  entries: readonly Entry[],
  newKey: string,
  options: ReadOptions,
): boolean {
  const [was, is] = [format.read(before, options), format.read(after, options)];
  if (is.problems.length !== was.problems.length) return false;
  const found = new Map(is.entries.map((entry) => [entryId(entry), entry.text]));
  const others = was.entries.filter(({ key, context }) =>
    entries.every((entry) => entry.key !== key || entry.context !== context),
  );
  const hasText = (id: string, texts: readonly Text[]): boolean => {
    const text = found.get(id);
    return text !== undefined && texts.some((each) => sameText(text, each));
  };
  return (
    found.size === others.length + entries.length &&
    others.every((entry) => hasText(entryId(entry), [entry.text])) &&
    entries.every((entry) => hasText(entryId({ ...entry, key: newKey }), textsUnder(newKey, entry)))
  );
}

/** What the entry may say under another name: where the name itself is the text, that follows. */
function textsUnder(newKey: string, { key, text, readOnly }: Entry): readonly Text[] {
  const named = isForms(text) ? { forms: { ...text.forms, one: newKey } } : { value: newKey };
  if (readOnly === "source") return [named];
  // A source's catalogue without a text of its own says its name.
  return (isForms(text) ? text.forms["one"] : text.value) === key ? [text, named] : [text];
}

/** What takes the place of the written name; `null`: the new key belongs elsewhere in the file. */
function nameInPlace(written: string, key: string, newKey: string): string | null {
  const name = unescaped(written);
  // A name without dots stands in a file of groups: one with dots would be another kind of name there.
  if (name === key) return newKey.includes(".") && !key.includes(".") ? null : newKey;
  if (!key.endsWith(`.${name}`)) return null;
  const parent = key.slice(0, key.length - name.length);
  const last = newKey.slice(parent.length);
  return newKey.startsWith(parent) && last !== "" && !last.includes(".") ? last : null;
}

/** The name as the file writes it at the place. */
function quotedSplice(text: string, span: Entry["keySpan"], name: string): Splice | null {
  const quote = text[span.start - 1] ?? "";
  if (!/^["'`]$/.test(quote) || text[span.end] !== quote) {
    // A bare name: only what needs no quoting.
    return /^[A-Za-z_][\w.:-]*$/.test(name) ? { ...span, text: name } : null;
  }
  if (/[\n\r]/.test(name) || (quote !== "'" && name.includes("$"))) return null;
  return { ...span, text: name.replaceAll("\\", "\\\\").replaceAll(quote, `\\${quote}`) };
}

function unescaped(written: string): string {
  return written.replaceAll(/\\(["'`\\$])/g, "$1");
}
