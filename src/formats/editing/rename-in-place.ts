/** In-place rename of keys in translation files, changing only the bytes of the name. */
import { isForms, areTextsEqual, type Text } from "../../model/translation-text.ts";
import type { Span } from "../../util/span.ts";
import { applySplices, sortSplices } from "./apply-verified-edit.ts";
import { canEncode, decodeText, isUndecodable } from "../text/encoding.ts";
import { type Entry, entryId, type ReadOptions, type Splice, type TextFormat } from "../format.ts";

/** A key to rename. */
export interface KeyRename {
  /** The file's entries of the key, one per locale. */
  readonly entries: readonly Entry[];
  /** Its new name in the file. */
  readonly newKey: string;
}

/**
 * Returns the splices that rename keys in place, plural keys with their forms, verified by parsing both texts. `null` if it
 * is not possible (a new name is taken or cannot be written there, a key belongs elsewhere in the file, or occurs at
 * several positions).
 */
export async function renameInPlace(
  format: TextFormat,
  bytes: Uint8Array,
  renames: readonly KeyRename[],
  options: ReadOptions,
): Promise<readonly Splice[] | null> {
  const decoded = decodeText(bytes, format.name);
  if (isUndecodable(decoded)) return null;
  const { text } = decoded;
  await format.prepare?.();
  const splices: Splice[] = [];
  let count = 0;
  for (const rename of renames) {
    const found = nameSplices(format, text, rename, options);
    if (found === null) return null;
    count += rename.entries.length;
    splices.push(...found);
  }
  if (splices.length === 0) return null;
  const sorted = sortSplices(splices);
  const after = applySplices(text, sorted);
  if (!canEncode(decoded, after)) return null;
  const texts = [text, after] as const;
  const [rename] = renames;
  const entry = rename?.entries[0];
  const isCertain =
    count === 1 &&
    splices.length === 1 &&
    rename !== undefined &&
    entry !== undefined &&
    format.isOnlyRenamed?.(texts, { entry, newKey: rename.newKey }, options) === true;
  return isCertain || isOnlyRenamed(format, texts, renames, options) ? sorted : null;
}

/** Returns the splices of one key's names. */
function nameSplices(
  format: TextFormat,
  text: string,
  { entries, newKey }: KeyRename,
  options: ReadOptions,
): readonly Splice[] | null {
  const [first] = entries;
  if (first === undefined) return null;
  const { keySpan, key } = first;
  if (!entries.every((entry) => entry.keySpan.start === keySpan.start)) return null;
  const names = nameSpansOf(format, text, first, options);
  const splices = names.flatMap((span) => {
    const written = text.slice(span.start, span.end);
    const name = formNameInPlace(written, key, newKey);
    return (name === null ? null : quotedSplice(text, span, name)) ?? [];
  });
  return splices.length < names.length ? null : splices;
}

/** Returns the ranges of an entry's names: several if its plural forms are members of their own. */
function nameSpansOf(format: TextFormat, text: string, entry: Entry, options: ReadOptions): readonly Span[] {
  if (!isForms(entry.text)) return [entry.keySpan];
  const found = format.read(text, options).entries.find((each) => entryId(each) === entryId(entry));
  return found?.formNameSpans ?? [entry.keySpan];
}

/** A plural suffix of a form's name. */
const FORM_SUFFIX = /_(?:[a-z]+|\d+)$/;

/** Returns the new written name; that of a plural form keeps its suffix. */
function formNameInPlace(written: string, key: string, newKey: string): string | null {
  const whole = nameInPlace(written, key, newKey);
  if (whole !== null) return whole;
  const suffix = FORM_SUFFIX.exec(written)?.[0] ?? "";
  const name = nameInPlace(written.slice(0, written.length - suffix.length), key, newKey);
  return name === null ? null : `${name}${suffix}`;
}

function isOnlyRenamed(
  format: TextFormat,
  [before, after]: readonly [string, string],
  renames: readonly KeyRename[],
  options: ReadOptions,
): boolean {
  const [was, is] = [format.read(before, options), format.read(after, options)];
  const renamed = renames.flatMap(({ entries, newKey }) => entries.map((entry) => ({ entry, newKey })));
  const isRenamed = ({ key, context }: Entry): boolean =>
    renamed.some(({ entry }) => entry.key === key && entry.context === context);
  const isTaken = was.entries.some((each) =>
    renamed.some(
      ({ entry, newKey }) =>
        each.key === newKey && entry.context === each.context && entry.namespace === each.namespace,
    ),
  );
  if (isTaken || is.problems.length !== was.problems.length) return false;
  const found = new Map(is.entries.map((entry) => [entryId(entry), entry.text]));
  const others = was.entries.filter((entry) => !isRenamed(entry));
  const hasText = (id: string, texts: readonly Text[]): boolean => {
    const text = found.get(id);
    return text !== undefined && texts.some((each) => areTextsEqual(text, each));
  };
  return (
    found.size === others.length + renamed.length &&
    others.every((entry) => hasText(entryId(entry), [entry.text])) &&
    renamed.every(({ entry, newKey }) =>
      hasText(entryId({ ...entry, key: newKey }), textsUnder(newKey, entry)),
    )
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
