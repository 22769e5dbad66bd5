/** Converts the messages of a PO or POT file to entries. po-parser.ts finds their ranges, po-edit.ts changes them. */
import { isForms, type Text } from "../../model/text.ts";
import { type Entry, NO_SPAN, type Problem, type ReadOptions, type ReadResult } from "../format.ts";
import type { Span } from "../../model/span.ts";
import { headerField } from "./gettext-header.ts";
import { formsOfStrings, type GettextPlurals, gettextPlurals } from "./plural-forms.ts";
import { obsoleteMessages, type PoDocument, type PoMessage, type PoString, scanPo } from "./po-parser.ts";

/** A template contains only source texts; in a file of the source locale an empty msgstr stands for the msgid. */
export type PoKind = "translations" | "sources" | "template";

/** A parsed file, and how to interpret its messages. */
export interface PoFile {
  readonly document: PoDocument;
  readonly kind: PoKind;
  readonly plurals: GettextPlurals;
}

const EMPTY: Text = { value: "" };

export function openPo(text: string, format: "po" | "pot", options: ReadOptions): PoFile {
  const document = scanPo(text);
  const header = document.header?.strings[0]?.text ?? "";
  const isSource = options.locale === options.sourceLocale;
  return {
    document,
    kind: format === "pot" ? "template" : isSource ? "sources" : "translations",
    plurals: gettextPlurals(headerField(header, "Plural-Forms"), options.locale),
  };
}

/** Returns all entries; the last of duplicate messages wins. */
export function readPo(text: string, format: "po" | "pot", options: ReadOptions): ReadResult {
  const file = openPo(text, format, options);
  const { messages, problems, header } = file.document;
  const locale = headerField(header?.strings[0]?.text ?? "", "Language");
  const byName = messagesByName(messages);
  const all: Problem[] = [...problems, ...obsoleteTwins(text, byName)];
  const entries: Entry[] = [];
  for (const message of messages) {
    if (byName.get(messageName(message)) === message) {
      entries.push(entryOf(message, file));
    } else {
      const span = { start: message.keywords, end: message.end };
      const key = message.id.text;
      all.push({ code: "duplicate", message: "the message stands again further down", span, key });
    }
  }
  all.sort((a, b) => a.span.start - b.span.start);
  return { entries, problems: all, locale };
}

/** Returns obsolete messages with the name of an active one, which gettext reports as duplicates. */
function obsoleteTwins(text: string, byName: ReadonlyMap<string, PoMessage>): readonly Problem[] {
  return obsoleteMessages(text)
    .filter((message) => byName.has(messageName(message)))
    .map(({ id, keywords, end }) => ({
      code: "duplicate",
      message: "the message stands in the file as an obsolete one too",
      span: { start: keywords, end },
      key: id.text,
    }));
}

/** Returns the last message with each name. */
export function messagesByName(messages: readonly PoMessage[]): ReadonlyMap<string, PoMessage> {
  const byName = new Map<string, PoMessage>();
  for (const message of messages) byName.set(messageName(message), message);
  return byName;
}

function messageName({ context, id }: PoMessage): string {
  return messageId(id.text, context === null ? null : context.text);
}

/** Returns a string that identifies a key and context; an empty context is the same as none. */
export function messageId(key: string, context: string | null): string {
  return context === null || context === "" ? key : `${context}\u0004${key}`;
}

/** Returns the message's text; `null` if it has more forms than there are names. */
export function messageText(message: PoMessage, { kind, plurals }: PoFile): Text | null {
  const { id, plural, strings } = message;
  if (plural === null) {
    if (kind === "template") return { value: id.text };
    const firstString = strings[0]?.text ?? "";
    if (firstString !== "") return { value: firstString };
    return kind === "sources" ? { value: id.text } : EMPTY;
  }
  if (kind === "template" || (kind === "sources" && strings.every(({ text }) => text === ""))) {
    return messageSource(message);
  }
  const forms = formsOfStrings(
    plurals,
    strings.map(({ text }) => text),
  );
  return forms === null ? null : { forms };
}

/** Returns the source text in msgid and msgid_plural. */
export function messageSource({ id, plural }: PoMessage): Text {
  return plural === null ? { value: id.text } : { forms: { one: id.text, other: plural.text } };
}

function entryOf(message: PoMessage, file: PoFile): Entry {
  const { context, id, strings, plural, maxLength, description } = message;
  const text = messageText(message, file);
  const isTemplate = file.kind === "template";
  return {
    key: id.text,
    context: context === null || context.text === "" ? null : context.text,
    namespace: null,
    locale: null,
    text: text ?? { value: strings[0]?.text ?? "" },
    source: file.kind === "translations" ? sourceIn(message, text) : null,
    description,
    keySpan: { start: id.start + 1, end: id.end - 1 },
    valueSpan: isTemplate ? spanOf(id, plural ?? id) : spanOf(strings[0], strings.at(-1)),
    readOnly: isTemplate ? "source" : text === null ? "unsupported" : null,
    ...(message.isFuzzy ? { isFuzzy: true } : {}),
    ...(maxLength === null ? {} : { maxLength }),
  };
}

/** Returns the source, singular or plural like the text: otherwise it could not be told from a changed one. */
function sourceIn(message: PoMessage, text: Text | null): Text {
  return text !== null && isForms(text) ? messageSource(message) : { value: message.id.text };
}

function spanOf(first: PoString | undefined, last: PoString | undefined): Span {
  return first === undefined || last === undefined ? NO_SPAN : { start: first.start, end: last.end };
}
