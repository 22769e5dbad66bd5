/** In-place rename of keys in translation files, changing only the bytes of the name. */
import { isForms, areTextsEqual, type Text } from "../../model/translation-text.ts";
import { applySplices } from "./apply-verified-edit.ts";
import { canEncode, decodeText, isUndecodable } from "../text/encoding.ts";
import { type Entry, entryId, type ReadOptions, type Splice, type TextFormat } from "../format.ts";

/**
 * Returns the splice that renames a key in place, verified by parsing both texts. `entries`: the file's entries of the key,
 * one per locale; `newKey`: its new name in the file. `null` if it is not possible (the new name is taken or cannot be
 * written there, the key belongs elsewhere in the file, or occurs at several positions).
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
  if (first === undefined || isUndecodable(decoded)) return null;
  const { keySpan, key } = first;
  if (!entries.every((entry) => entry.keySpan.start === keySpan.start)) return null;
  const { text } = decoded;
  const name = nameInPlace(text.slice(keySpan.start, keySpan.end), key, newKey);
  const splice = name === null ? null : quotedSplice(text, keySpan, name);
  if (splice === null) return null;
  const after = applySplices(text, [splice]);
  if (!canEncode(decoded, after)) return null;
  await format.prepare?.();
  const texts = [text, after] as const;
  const isCertain =
    entries.length === 1 && format.isOnlyRenamed?.(texts, { entry: first, newKey }, options) === true;
  return isCertain || isOnlyRenamed(format, texts, entries, newKey, options) ? splice : null;
}

function isOnlyRenamed(
  format: TextFormat,
  [before, after]: readonly [string, string],
  entries: readonly Entry[],
  newKey: string,
  options: ReadOptions,
): boolean {
  const [was, is] = [format.read(before, options), format.read(after, options)];
  const isTaken = was.entries.some(
    ({ key, context, namespace }) =>
      key === newKey && entries.some((entry) => entry.context === context && entry.namespace === namespace),
  );
  if (isTaken || is.problems.length !== was.problems.length) return false;
  const found = new Map(is.entries.map((entry) => [entryId(entry), entry.text]));
  const others = was.entries.filter(({ key, context }) =>
    entries.every((entry) => entry.key !== key || entry.context !== context),
  );
  const hasText = (id: string, texts: readonly Text[]): boolean => {
    const text = found.get(id);
    return text !== undefined && texts.some((each) => areTextsEqual(text, each));
  };
  return (
    found.size === others.length + entries.length &&
    others.every((entry) => hasText(entryId(entry), [entry.text])) &&
    entries.every((entry) => hasText(entryId({ ...entry, key: newKey }), textsUnder(newKey, entry)))
  );
}

/** Returns the possible texts of the renamed entry; a text that is the name itself changes with it. */
function textsUnder(newKey: string, { key, text, readOnly }: Entry): readonly Text[] {
  const named = isForms(text) ? { forms: { ...text.forms, one: newKey } } : { value: newKey };
  if (readOnly === "source") return [named];
  // In a source catalogue an entry without a text has its name as text.
  return (isForms(text) ? text.forms["one"] : text.value) === key ? [text, named] : [text];
}

/** Returns the new written name; `null` if the new key belongs elsewhere in the file. */
function nameInPlace(written: string, key: string, newKey: string): string | null {
  const name = unescaped(written);
  // In a nested file a name with dots would be interpreted as a path.
  if (name === key) return newKey.includes(".") && !key.includes(".") ? null : newKey;
  if (!key.endsWith(`.${name}`)) return null;
  const parent = key.slice(0, key.length - name.length);
  const last = newKey.slice(parent.length);
  return newKey.startsWith(parent) && last !== "" && !last.includes(".") ? last : null;
}

/** Returns the splice with the name in the file's quoting. */
function quotedSplice(text: string, span: Entry["keySpan"], name: string): Splice | null {
  const quote = text[span.start - 1] ?? "";
  if (!/^["'`]$/.test(quote) || text[span.end] !== quote) {
    // An unquoted name must not need quoting.
    return /^[A-Za-z_][\w.:-]*$/.test(name) ? { ...span, text: name } : null;
  }
  if (/[\n\r]/.test(name) || (quote !== "'" && name.includes("$"))) return null;
  return { ...span, text: name.replaceAll("\\", "\\\\").replaceAll(quote, `\\${quote}`) };
}

function unescaped(written: string): string {
  return written.replaceAll(/\\(["'`\\$])/g, "$1");
}
