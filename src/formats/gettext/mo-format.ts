/**
 * `mo`: gettext's compiled translations. The file is rewritten as a whole, but unchanged entries and the header keep
 * their bytes. A file in an encoding other than UTF-8 is read-only.
 */
import { isUtf8 } from "node:buffer";
import { makeEach, refuseAll } from "../editing/apply-verified-edit.ts";
import {
  type BinaryFormat,
  type Change,
  type Entry,
  entryId,
  type NewEntry,
  NO_SPAN,
  type Problem,
  type ReadOptions,
  type ReadResult,
  type Refusal,
  type RefusalReason,
} from "../format.ts";
import {
  FORM_END,
  headerCharset,
  headerField,
  joinMessageName,
  type MessageName,
  messageSource,
  msgidPlural,
  newHeader,
  splitMessageName,
  stringsOf,
  writableName,
} from "./gettext-message.ts";
import {
  categoriesIn,
  type GettextPlurals,
  gettextPlurals,
  newPlurals,
  pluralText,
  stringsOfText,
} from "./plural-forms-header.ts";
import { isEmptyText, isForms, areTextsEqual, type Text, valuesOf } from "../../model/translation-text.ts";

/** The raw strings of a message: its msgid (with context and msgid_plural) and its texts. */
interface MoPair {
  readonly id: Uint8Array;
  readonly text: Uint8Array;
}

/** A parsed file. */
interface MoFile {
  readonly pairs: readonly MoPair[];
  readonly littleEndian: boolean;
  /** Number of slots of the hash table, which programs may use to look up texts; 0: no table. */
  readonly hashSize: number;
  /** Without a hash table, the offset of what follows; 0 in files of Python's tools. */
  readonly hashOffset: number;
}

const MAGIC = 0x950412de;
const HEAD = 28;
/** What msgfmt writes without any strings. */
const EMPTY_FILE: MoFile = { pairs: [], littleEndian: true, hashSize: 3, hashOffset: HEAD };
/** Strings may share bytes. More sharing than this only makes sense as an attempt to exhaust memory. */
const MAX_SHARING = 4;

/** Parses the file; returns what is wrong if any offset is out of range. */
export function parseMo(bytes: Uint8Array): MoFile | string {
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
  return { pairs, littleEndian, hashSize: numberAt(20), hashOffset: numberAt(24) };
}

/** Returns a file as msgfmt writes it (sorted, all msgids before all texts), laid out like the old one. */
function buildMo(pairs: readonly MoPair[], old: MoFile): Uint8Array {
  const { littleEndian } = old;
  const sorted = pairs.toSorted((a, b) => Buffer.compare(a.id, b.id));
  const count = sorted.length;
  const keepsSize = old.hashSize === 0 || (old.pairs.length === count && isTableSize(old.hashSize, count));
  const hashSize = keepsSize ? old.hashSize : hashTableSize(count);
  const hashOffset = hashSize === 0 && old.hashOffset === 0 ? 0 : HEAD + count * 16;
  const tables = HEAD + count * 16 + hashSize * 4;
  const strings = [...sorted.map(({ id }) => id), ...sorted.map(({ text }) => text)];
  const bytes = new Uint8Array(strings.reduce((sum, { length }) => sum + length + 1, tables));
  const data = new DataView(bytes.buffer);
  const head = [MAGIC, 0, count, HEAD, HEAD + count * 8, hashSize, hashOffset];
  for (const [index, value] of head.entries()) data.setUint32(index * 4, value, littleEndian);
  let offset = tables;
  for (const [index, string] of strings.entries()) {
    data.setUint32(HEAD + index * 8, string.length, littleEndian);
    data.setUint32(HEAD + index * 8 + 4, offset, littleEndian);
    bytes.set(string, offset);
    offset += string.length + 1;
  }
  if (hashSize > 0) fillHashTable(data, sorted, hashSize, littleEndian);
  return bytes;
}

/**
 * Returns the same size as gettext: a prime a third larger than the number of strings. gettext does not regard 3 as a
 * prime here.
 */
function hashTableSize(count: number): number {
  if (count < 2) return 3;
  let size = Math.max(5, Math.floor((count * 4) / 3) | 1);
  while (!isPrime(size)) size += 2;
  return size;
}

/** Whether a table of that size has room for every string. Versions of gettext differ in the size for two strings. */
function isTableSize(size: number, count: number): boolean {
  return size >= 3 && size % 2 === 1 && size > count && size < count * 3 + 8 && isPrime(size);
}

function isPrime(odd: number): boolean {
  for (let divisor = 3; divisor * divisor <= odd; divisor += 2) if (odd % divisor === 0) return false;
  return true;
}

/** Fills the table by double hashing over the msgid up to its NUL (that is, without a msgid_plural). */
function fillHashTable(data: DataView, sorted: readonly MoPair[], size: number, littleEndian: boolean): void {
  const start = HEAD + sorted.length * 16;
  for (const [index, { id }] of sorted.entries()) {
    const hash = hashOf(id);
    const step = 1 + (hash % (size - 2));
    let slot = hash % size;
    while (data.getUint32(start + slot * 4, littleEndian) !== 0) slot = (slot + step) % size;
    data.setUint32(start + slot * 4, index + 1, littleEndian);
  }
}

/** P. J. Weinberger's hash function, as implemented in gettext. */
function hashOf(id: Uint8Array): number {
  let hash = 0;
  for (const byte of id) {
    if (byte === 0) break;
    hash = ((hash << 4) + byte) >>> 0;
    const high = hash & 0xf0000000;
    if (high !== 0) hash = (hash ^ (high >>> 24) ^ high) >>> 0;
  }
  return hash;
}

export const mo: BinaryFormat = { kind: "binary", name: "mo", read, edit, print };

/** A message with its decoded strings. */
interface Message extends MessageName {
  readonly pair: MoPair;
  readonly strings: readonly string[];
  /** `null`: the message has more forms than there are names. */
  readonly text: Text | null;
  /** Whether the bytes are not UTF-8, so that the texts do not represent them exactly. */
  readonly isGarbled: boolean;
}

interface Catalog {
  readonly file: MoFile;
  readonly messages: readonly Message[];
  readonly plurals: GettextPlurals;
  readonly locale: string | null;
  /** Whether the charset is UTF-8 or part of it; other files are read-only. */
  readonly isUnicode: boolean;
  readonly problems: readonly Problem[];
}

function openMo(bytes: Uint8Array, options: ReadOptions): Catalog | Problem {
  const file = parseMo(bytes);
  if (typeof file === "string") return { code: "syntax", message: file, span: NO_SPAN };
  const header = file.pairs.find(({ id }) => id.length === 0);
  const head = new TextDecoder().decode(header?.text);
  const charset = headerCharset(head);
  const isUnicode = ["utf-8", "utf8", "us-ascii", "ascii"].includes(charset);
  const decoder = decoderOf(isUnicode ? "utf-8" : charset);
  const plurals = gettextPlurals(headerField(head, "Plural-Forms"), options.locale);
  const message = `the encoding ${charset} is not known`;
  return {
    file,
    messages: file.pairs
      .filter(({ id }) => id.length > 0)
      .map((pair) => messageOf(pair, decoder ?? new TextDecoder("latin1"), plurals)),
    plurals,
    locale: headerField(head, "Language"),
    isUnicode,
    problems: decoder === null ? [{ code: "type", message, span: NO_SPAN }] : [],
  };
}

type Decoder = InstanceType<typeof TextDecoder>;

/** Returns `null` if the charset is not known. */
function decoderOf(charset: string): Decoder | null {
  try {
    return new TextDecoder(charset, { ignoreBOM: true });
  } catch {
    return null;
  }
}

function messageOf(pair: MoPair, decoder: Decoder, plurals: GettextPlurals): Message {
  const name = splitMessageName(decoder.decode(pair.id));
  const text = decoder.decode(pair.text);
  const strings = name.plural === null ? [text] : text.split(FORM_END);
  return {
    ...name,
    pair,
    strings,
    text: name.plural === null ? { value: text } : pluralText(plurals, strings),
    isGarbled: !isUtf8(pair.id) || !isUtf8(pair.text),
  };
}

function read(bytes: Uint8Array, options: ReadOptions): ReadResult {
  const catalog = openMo(bytes, options);
  if ("code" in catalog) return { entries: [], problems: [catalog] };
  const entries = new Map<string, Entry>();
  const problems = [...catalog.problems];
  const isSource = options.locale === options.sourceLocale;
  for (const { key, context, plural, text, strings, isGarbled } of catalog.messages) {
    const id = entryId({ key, context });
    // Which of the duplicates is found depends on the program's lookup.
    if (entries.has(id)) {
      problems.push({ code: "duplicate", message: "the message is repeated", span: NO_SPAN, key });
      continue;
    }
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
      readOnly: text === null || isGarbled || !catalog.isUnicode ? "unsupported" : null,
    });
  }
  return { entries: [...entries.values()], problems, locale: catalog.locale };
}

function edit(
  bytes: Uint8Array,
  changes: readonly Change[],
  options: ReadOptions,
): { readonly bytes: Uint8Array; readonly refused: readonly Refusal[] } {
  const catalog = openMo(bytes, options);
  if ("code" in catalog) return { bytes, refused: refuseAll(changes, "syntax") };
  if (!catalog.isUnicode) return { bytes, refused: refuseAll(changes, "unsupported") };
  const byName = Map.groupBy(catalog.messages, entryId);
  const removed = new Set<MoPair>();
  const added: MoPair[] = [];
  const refused = makeEach(changes, (change) => {
    const { key, context, text } = change;
    const messages = byName.get(entryId({ key, context })) ?? [];
    const [message] = messages;
    if (text === null) {
      for (const { pair } of messages) removed.add(pair);
      return message === undefined ? "not_found" : null;
    }
    if (message?.text != null && !message.isGarbled && areTextsEqual(message.text, text)) return null;
    const pair = newPair({ ...change, text }, message, catalog.plurals, options);
    if (typeof pair === "string") return pair;
    if (message !== undefined) removed.add(message.pair);
    added.push(pair);
    return null;
  });
  if (removed.size === 0 && added.length === 0) return { bytes, refused };
  const kept = catalog.file.pairs.filter((pair) => !removed.has(pair));
  return { bytes: buildMo([...kept, ...added], catalog.file), refused };
}

/** Returns the pair for an entry, in place of `message`; or why it cannot be written. */
function newPair(
  entry: NewEntry,
  message: Message | undefined,
  plurals: GettextPlurals,
  options: ReadOptions,
): MoPair | RefusalReason {
  const { key, context, text } = entry;
  if (message !== undefined && (message.text === null || message.isGarbled)) return "unsupported";
  // msgfmt omits untranslated messages: programs would show an empty text instead of the source.
  if (isEmptyText(text)) return "unsupported";
  if (!isWritable(entry)) return isWellFormed(entry) ? "unsupported" : "encoding";
  const plural = message === undefined ? pluralOf(entry, options) : message.plural;
  if (isForms(text) !== (plural !== null)) return "forms";
  const strings = stringsOfText(plurals, text, message?.strings.length);
  if (strings === null) return "forms";
  const id = message?.pair.id ?? encode(joinMessageName(key, context, plural));
  return { id, text: encode(strings.join(FORM_END)) };
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
  return buildMo(pairs, EMPTY_FILE);
}
