/**
 * `mo`: gettext's compiled translations, which are rebuilt whole. What is not changed keeps its bytes, the header too;
 * a file in another encoding than UTF-8 is read and not written.
 */
import { isEmptyText, isForms, sameText, type Text } from "../../text.ts";
import { refusalOf } from "../edit.ts";
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
} from "../format.ts";
import { headerCharset, headerField, newHeader } from "./gettext-header.ts";
import {
  formsOfStrings,
  type GettextPlurals,
  gettextPlurals,
  standardPluralForms,
  stringsOfForms,
} from "./gettext-plurals.ts";
import { buildMo, compareBytes, isMoFault, type MoFile, type MoPair, parseMo } from "./mo-bytes.ts";

type Reason = Refusal["reason"];

/** Between the forms of a plural, and between its msgid and msgid_plural. */
const NUL = "\0";
/** Between a context and its msgid. */
const CONTEXT_END = "\u0004";

export const mo: BinaryFormat = { kind: "binary", name: "mo", extensions: [".mo"], read, edit, print };

/** A message with what its bytes say. */
interface Message {
  readonly pair: MoPair;
  readonly key: string;
  readonly context: string | null;
  /** The msgid_plural; `null` of a singular message. */
  readonly plural: string | null;
  readonly strings: readonly string[];
  /** The bytes are not what the header says, so that the texts are not theirs exactly. */
  readonly isGarbled: boolean;
}

interface Catalog {
  readonly file: MoFile;
  readonly header: MoPair | null;
  readonly messages: readonly Message[];
  readonly plurals: GettextPlurals;
  readonly locale: string | null;
  readonly charset: string;
  readonly problems: readonly Problem[];
}

function open(bytes: Uint8Array, options: ReadOptions): Catalog | Problem {
  const file = parseMo(bytes);
  if (isMoFault(file)) return { code: "syntax", message: file.message, span: NO_SPAN };
  const header = file.pairs.find(({ id }) => id.length === 0) ?? null;
  const head = header === null ? "" : new TextDecoder().decode(header.text);
  const charset = headerCharset(head);
  const problems: Problem[] = [];
  const decode = decoderOf(isUtf8(charset) ? "utf-8" : charset);
  if (decode === null) {
    problems.push({ code: "type", message: `the encoding ${charset} is not known`, span: NO_SPAN });
  }
  const messages: Message[] = [];
  for (const pair of file.pairs) if (pair.id.length > 0) messages.push(messageOf(pair, decode ?? latin1));
  const plurals = gettextPlurals(headerField(head, "Plural-Forms"), options.locale);
  return { file, header, messages, plurals, locale: headerField(head, "Language"), charset, problems };
}

/** Text of bytes, and whether it is exactly theirs. */
type Decode = (bytes: Uint8Array) => { readonly text: string; readonly isGarbled: boolean };

function decoderOf(charset: string): Decode | null {
  try {
    const strict = new TextDecoder(charset, { fatal: true, ignoreBOM: true });
    const lenient = new TextDecoder(charset, { ignoreBOM: true });
    return (bytes) => {
      try {
        return { text: strict.decode(bytes), isGarbled: false };
      } catch {
        return { text: lenient.decode(bytes), isGarbled: true };
      }
    };
  } catch {
    return null;
  }
}

function latin1(bytes: Uint8Array): ReturnType<Decode> {
  return { text: new TextDecoder("latin1").decode(bytes), isGarbled: true };
}

function messageOf(pair: MoPair, decode: Decode): Message {
  const id = decode(pair.id);
  const text = decode(pair.text);
  const end = id.text.indexOf(NUL);
  const name = end < 0 ? id.text : id.text.slice(0, end);
  const cut = name.indexOf(CONTEXT_END);
  return {
    pair,
    key: cut < 0 ? name : name.slice(cut + 1),
    context: cut < 1 ? null : name.slice(0, cut),
    plural: end < 0 ? null : id.text.slice(end + 1),
    strings: end < 0 ? [text.text] : text.text.split(NUL),
    isGarbled: id.isGarbled || text.isGarbled,
  };
}

function read(bytes: Uint8Array, options: ReadOptions): ReadResult {
  const catalog = open(bytes, options);
  if ("code" in catalog) return { entries: [], problems: [catalog] };
  const { messages, problems, locale } = catalog;
  const entries = new Map<string, Entry>();
  const all = [...problems];
  for (const message of messages) {
    const entry = entryOf(message, catalog, options);
    const id = entryId(entry);
    // Lookups find one of the two; which, is the program's own.
    if (entries.has(id)) {
      all.push({ code: "duplicate", message: `the message stands twice`, span: NO_SPAN, key: entry.key });
    } else {
      entries.set(id, entry);
    }
  }
  return { entries: [...entries.values()], problems: all, locale };
}

function entryOf(message: Message, { plurals, charset }: Catalog, options: ReadOptions): Entry {
  const { key, context, plural, isGarbled } = message;
  const text = textOf(message, plurals);
  const isSource = options.locale === options.sourceLocale;
  return {
    key,
    context,
    namespace: null,
    locale: null,
    text: text ?? { value: message.strings[0] ?? "" },
    source: isSource ? null : sourceOf(key, text === null ? null : plural),
    description: null,
    keySpan: NO_SPAN,
    valueSpan: NO_SPAN,
    readOnly: text === null || isGarbled || !isUtf8(charset) ? "unsupported" : null,
  };
}

function textOf({ plural, strings }: Message, plurals: GettextPlurals): Text | null {
  if (plural === null) return { value: strings[0] ?? "" };
  const forms = formsOfStrings(plurals, strings);
  return forms === null ? null : { forms };
}

function sourceOf(key: string, plural: string | null): Text {
  return plural === null ? { value: key } : { forms: { one: key, other: plural } };
}

function isUtf8(charset: string): boolean {
  return charset === "utf-8" || charset === "utf8" || charset === "us-ascii" || charset === "ascii";
}

function edit(
  bytes: Uint8Array,
  changes: readonly Change[],
  options: ReadOptions,
): { readonly bytes: Uint8Array; readonly refused: readonly Refusal[] } {
  const catalog = open(bytes, options);
  if ("code" in catalog) return { bytes, refused: changes.map((change) => refusalOf(change, "syntax")) };
  if (!isUtf8(catalog.charset)) {
    return { bytes, refused: changes.map((change) => refusalOf(change, "unsupported")) };
  }
  const byName = Map.groupBy(catalog.messages, ({ key, context }) => entryId({ key, context }));
  const gone = new Set<MoPair>();
  const come: MoPair[] = [];
  const refused: Refusal[] = [];
  for (const change of new Map(changes.map((each) => [entryId(each), each])).values()) {
    const { key, context } = change;
    const made = changed(change, byName.get(entryId({ key, context })) ?? [], catalog, options);
    if (typeof made === "string") {
      refused.push(refusalOf(change, made));
      continue;
    }
    for (const pair of made.gone) gone.add(pair);
    come.push(...made.come);
  }
  if (gone.size === 0 && come.length === 0) return { bytes, refused };
  const kept = catalog.file.pairs.filter((pair) => !gone.has(pair));
  return { bytes: buildMo({ ...catalog.file, pairs: [...kept, ...come] }), refused };
}

/** Which pairs go and which come for the change. */
function changed(
  change: Change,
  messages: readonly Message[],
  { plurals }: Catalog,
  options: ReadOptions,
): { readonly gone: readonly MoPair[]; readonly come: readonly MoPair[] } | Reason {
  const [message] = messages;
  const { key, context, text, source = null } = change;
  if (text === null) {
    return message === undefined ? "not_found" : { gone: messages.map(({ pair }) => pair), come: [] };
  }
  if (message !== undefined) {
    const now = textOf(message, plurals);
    if (now === null || message.isGarbled) return "unsupported";
    if (sameText(now, text)) return { gone: [], come: [] };
  }
  // A message without a text is not compiled: programs would show nothing instead of the source.
  if (isEmptyText(text)) return "unsupported";
  if (!isWritable(change)) return isWellFormed(change) ? "unsupported" : "encoding";
  const said = options.locale === options.sourceLocale ? text : source;
  const plural =
    message !== undefined
      ? message.plural
      : isForms(text) && said !== null && isForms(said)
        ? said.forms["other"]
        : null;
  if (isForms(text) !== (plural !== null && plural !== undefined)) return "forms";
  const strings = isForms(text) ? stringsOfForms(plurals, text.forms, message?.strings.length) : [text.value];
  if (strings === null) return "forms";
  const encoder = new TextEncoder();
  const id = message?.pair.id ?? encoder.encode(idOf(key, context, plural ?? null));
  return {
    gone: message === undefined ? [] : [message.pair],
    come: [{ id, text: encoder.encode(strings.join(NUL)) }],
  };
}

function idOf(key: string, context: string | null, plural: string | null): string {
  const name = context === null || context === "" ? key : context + CONTEXT_END + key;
  return plural === null ? name : name + NUL + plural;
}

/** All strings of an entry. */
function stringsOf({ key, context, text, source }: Change | NewEntry): string[] {
  const texts = [text, source ?? null].flatMap((each) =>
    each === null ? [] : isForms(each) ? Object.values(each.forms) : [each.value],
  );
  return [key, context ?? "", ...texts];
}

/** NUL ends a string, and the mark of a context would take the name apart; the empty name is the header's. */
function isWritable(entry: Change | NewEntry): boolean {
  const { key, context } = entry;
  const isNamed = key !== "" || (context !== null && context !== "");
  const isWhole =
    context === null || context === "" ? !key.includes(CONTEXT_END) : !context.includes(CONTEXT_END);
  return isNamed && isWhole && isWellFormed(entry) && stringsOf(entry).every((each) => !each.includes(NUL));
}

function isWellFormed(entry: Change | NewEntry): boolean {
  return stringsOf(entry).every((each) => each.isWellFormed());
}

/** As msgfmt compiles it: entries without a text are left out, and those that have no way to be named. */
function print(entries: readonly NewEntry[], options: ReadOptions): Uint8Array {
  const encoder = new TextEncoder();
  const written = entries.filter((entry) => !isEmptyText(entry.text) && isWritable(entry));
  const categories = new Set(written.flatMap(({ text }) => (isForms(text) ? Object.keys(text.forms) : [])));
  const plurals = gettextPlurals(standardPluralForms(options.locale, categories), options.locale);
  const pairs = written.map(({ key, context, text, source = null }): MoPair => {
    const said = options.locale === options.sourceLocale ? text : source;
    const other = said !== null && isForms(said) ? said.forms["other"] : undefined;
    const strings = isForms(text)
      ? (stringsOfForms(plurals, text.forms) ?? Object.values(text.forms))
      : [text.value];
    const id = idOf(key, context, isForms(text) ? (other ?? key) : null);
    return { id: encoder.encode(id), text: encoder.encode(strings.join(NUL)) };
  });
  const header: MoPair = {
    id: new Uint8Array(),
    text: encoder.encode(newHeader(options, "translations", categories)),
  };
  return buildMo({ pairs: [header, ...withoutRepeats(pairs)], littleEndian: true, hashed: true });
}

function withoutRepeats(pairs: readonly MoPair[]): MoPair[] {
  const sorted = pairs.toSorted((a, b) => compareBytes(a.id, b.id));
  return sorted.filter((pair, index) => {
    const next = sorted[index + 1];
    return next === undefined || compareBytes(pair.id, next.id) !== 0;
  });
}
