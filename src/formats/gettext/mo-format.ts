/**
 * `mo`: gettext's compiled translations, read and printed as msgfmt writes them.
 */
import {
  type BinaryFormat,
  type Entry,
  entryId,
  type NewEntry,
  NO_SPAN,
  type Problem,
  type ReadOptions,
  type ReadResult,
} from "../format.ts";
import {
  FORM_END,
  headerCharset,
  headerField,
  joinMessageName,
  messageSource,
  msgidPlural,
  newHeader,
  splitMessageName,
  stringsOf,
  writableName,
} from "./gettext-message.ts";
import {
  categoriesIn,
  gettextPlurals,
  newPlurals,
  pluralText,
  stringsOfText,
} from "./plural-forms-header.ts";
import { isEmptyText, isForms, valuesOf } from "../../model/translation-text.ts";

/** The raw strings of a message: its msgid (with context and msgid_plural) and its texts. */
interface MoPair {
  readonly id: Uint8Array;
  readonly text: Uint8Array;
}

const MAGIC = 0x950412de;
const HEAD = 28;
/** Strings may share bytes. More sharing than this only makes sense as an attempt to exhaust memory. */
const MAX_SHARING = 4;

/** Parses the file; returns what is wrong if any offset is out of range. */
export function parseMo(bytes: Uint8Array): readonly MoPair[] | string {
  const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < HEAD) return `${bytes.length} bytes are too few for a header of ${HEAD}`;
  const littleEndian = data.getUint32(0, true) === MAGIC;
  if (!littleEndian && data.getUint32(0, false) !== MAGIC) return "not a compiled gettext file";
  const numberAt = (offset: number): number => data.getUint32(offset, littleEndian);
  const [revision, count, ids, texts] = [numberAt(4), numberAt(8), numberAt(12), numberAt(16)] as const;
  // Minor revision 1 has system-dependent strings, which the program assembles when it loads the file.
  if (revision !== 0) return `revision ${revision >>> 16}.${revision & 0xffff} is not known`;
  if (ids + count * 8 > bytes.length || texts + count * 8 > bytes.length) {
    return `the tables of ${count} strings end outside of the file`;
  }
  const stringAt = (table: number, index: number): Uint8Array | null => {
    const length = numberAt(table + index * 8);
    const offset = numberAt(table + index * 8 + 4);
    return offset + length > bytes.length ? null : bytes.subarray(offset, offset + length);
  };
  const pairs: MoPair[] = [];
  let total = 0;
  for (let index = 0; index < count; index++) {
    const id = stringAt(ids, index);
    const text = stringAt(texts, index);
    if (id === null || text === null) return `string ${index} of ${count} ends outside of the file`;
    total += id.length + text.length;
    if (total > bytes.length * MAX_SHARING) return "the strings overlap too much";
    pairs.push({ id, text });
  }
  return pairs;
}

/** Returns a file as `msgfmt --no-hash` writes it: sorted, all msgids before all texts. */
function buildMo(pairs: readonly MoPair[]): Uint8Array {
  const sorted = pairs.toSorted((a, b) => Buffer.compare(a.id, b.id));
  const count = sorted.length;
  const tables = HEAD + count * 16;
  const strings = [...sorted.map(({ id }) => id), ...sorted.map(({ text }) => text)];
  const bytes = new Uint8Array(strings.reduce((sum, { length }) => sum + length + 1, tables));
  const data = new DataView(bytes.buffer);
  const head = [MAGIC, 0, count, HEAD, HEAD + count * 8, 0, tables];
  for (const [index, value] of head.entries()) data.setUint32(index * 4, value, true);
  let offset = tables;
  for (const [index, string] of strings.entries()) {
    data.setUint32(HEAD + index * 8, string.length, true);
    data.setUint32(HEAD + index * 8 + 4, offset, true);
    bytes.set(string, offset);
    offset += string.length + 1;
  }
  return bytes;
}

export const mo: BinaryFormat = { kind: "binary", name: "mo", read, print };

type Decoder = InstanceType<typeof TextDecoder>;

/** Returns `null` if the charset is not known. */
function decoderOf(charset: string): Decoder | null {
  try {
    return new TextDecoder(charset, { ignoreBOM: true });
  } catch {
    return null;
  }
}

function read(bytes: Uint8Array, options: ReadOptions): ReadResult {
  const pairs = parseMo(bytes);
  if (typeof pairs === "string")
    return { entries: [], problems: [{ code: "syntax", message: pairs, span: NO_SPAN }] };
  const head = new TextDecoder().decode(pairs.find(({ id }) => id.length === 0)?.text);
  const charset = headerCharset(head);
  // Programs write UTF-8 below a header that they left as it was.
  const known = decoderOf(/^(?:us-)?ascii$/u.test(charset) ? "utf-8" : charset);
  const decoder = known ?? new TextDecoder("latin1");
  const plurals = gettextPlurals(headerField(head, "Plural-Forms"), options.locale);
  const entries = new Map<string, Entry>();
  const problems: Problem[] = [];
  if (known === null)
    problems.push({ code: "type", message: `the encoding ${charset} is not known`, span: NO_SPAN });
  const isSource = options.locale === options.sourceLocale;
  for (const pair of pairs) {
    if (pair.id.length === 0) continue;
    const { key, context, plural } = splitMessageName(decoder.decode(pair.id));
    const id = entryId({ key, context });
    // Which of the duplicates is found depends on the program's lookup.
    if (entries.has(id)) {
      problems.push({ code: "duplicate", message: "the message is repeated", span: NO_SPAN, key });
      continue;
    }
    const value = decoder.decode(pair.text);
    const strings = value.split(FORM_END);
    // `null`: the message has more forms than there are names.
    const text = plural === null ? { value } : pluralText(plurals, strings);
    entries.set(id, {
      key,
      context,
      namespace: null,
      locale: null,
      text: text ?? { value: strings[0] ?? "" },
      source: isSource ? null : messageSource(key, text === null ? null : plural),
      description: null,
      keySpan: NO_SPAN,
      valueSpan: NO_SPAN,
      readOnly: text === null ? "unsupported" : null,
    });
  }
  return { entries: [...entries.values()], problems, locale: headerField(head, "Language") };
}

/** Returns the msgid_plural of a new message; `null` if it is singular or the plural is unknown. */
function pluralOf({ text, source }: NewEntry, { locale, sourceLocale }: ReadOptions): string | null {
  return isForms(text) ? msgidPlural(locale === sourceLocale ? text : source) : null;
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** Whether a file can contain the entry: NUL ends a string. */
function isWritable(entry: NewEntry): boolean {
  const isNamed = writableName(entry.key, entry.context) !== null;
  return isNamed && isWellFormed(entry) && stringsOf(entry).every((each) => !each.includes(FORM_END));
}

function isWellFormed(entry: NewEntry): boolean {
  return stringsOf(entry).every((each) => each.isWellFormed());
}

/** Prints a file as msgfmt does: without entries that have no text or whose names cannot be written. */
function print(entries: readonly NewEntry[], options: ReadOptions): Uint8Array {
  const written = entries.filter((entry) => !isEmptyText(entry.text) && isWritable(entry));
  const { plurals } = newPlurals(written, options.locale);
  const texts = new Map([["", newHeader(options, "translations", categoriesIn(written))]]);
  for (const entry of written) {
    const { key, context, text } = entry;
    const plural = isForms(text) ? (pluralOf(entry, options) ?? key) : null;
    const strings = stringsOfText(plurals, text) ?? valuesOf(text);
    texts.set(joinMessageName(key, context, plural), strings.join(FORM_END));
  }
  const pairs = [...texts].map(([name, text]): MoPair => ({ id: encode(name), text: encode(text) }));
  return buildMo(pairs);
}
