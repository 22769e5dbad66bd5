/** Converts the messages of a PO or POT file to entries. po-parser.ts finds their ranges, po-format.ts changes them. */
import { formatInfo } from "../../model/file-formats.ts";
import { isForms, type Text } from "../../model/translation-text.ts";
import { type Entry, NO_SPAN, type ReadOptions, type ReadResult } from "../format.ts";
import type { Span } from "../../util/span.ts";
import { headerField, joinMessageName, messageSource, type PoKind } from "./gettext-message.ts";
import { type GettextPlurals, gettextPlurals, pluralText } from "./plural-forms-header.ts";
import { type PoDocument, type PoMessage, type PoString, scanPo } from "./po-parser.ts";

/** A parsed file, and how to interpret its messages. */
export interface PoFile {
  readonly document: PoDocument;
  /** The text of the header. */
  readonly header: string;
  readonly kind: PoKind;
  readonly plurals: GettextPlurals;
}

export function openPo(text: string, format: "po" | "pot", options: ReadOptions): PoFile {
  const document = scanPo(text);
  const header = document.header?.strings[0]?.text ?? "";
  const plurals = gettextPlurals(headerField(header, "Plural-Forms"), options.locale);
  return { document, header, kind: kindOf(format, options), plurals };
}

export function kindOf(format: "po" | "pot", { locale, sourceLocale }: ReadOptions): PoKind {
  if (formatInfo(format).isTemplate) return "template";
  return locale === sourceLocale ? "sources" : "translations";
}

/** Returns all entries; the last of duplicate messages wins. */
export function readPo(text: string, format: "po" | "pot", options: ReadOptions): ReadResult {
  const file = openPo(text, format, options);
  const { messages, obsolete } = file.document;
  const byName = new Map(messages.map((message) => [messageName(message), message]));
  const problems = [...file.document.problems];
  const entries: Entry[] = [];
  const reportDuplicate = ({ id, keywords, end }: PoMessage, message: string): void => {
    problems.push({ code: "duplicate", message, span: { start: keywords, end }, key: id.text });
  };
  for (const message of messages) {
    if (byName.get(messageName(message)) === message) entries.push(entryOf(message, file));
    else reportDuplicate(message, "the message is repeated further down");
  }
  for (const message of obsolete) {
    if (!byName.has(messageName(message))) continue;
    reportDuplicate(message, "an obsolete message has the same name");
  }
  problems.sort((a, b) => a.span.start - b.span.start);
  return { entries, problems, locale: headerField(file.header, "Language") };
}

/** Returns a string that identifies the key and context of a message. */
export function messageName({ context, id }: PoMessage): string {
  return joinMessageName(id.text, context === null ? null : context.text);
}

/** Returns the message's text; `null` if it has more forms than there are names. */
export function messageText(message: PoMessage, { kind, plurals }: PoFile): Text | null {
  const { id, plural, strings } = message;
  if (plural === null) {
    const own = strings[0]?.text ?? "";
    return { value: kind === "template" || (kind === "sources" && own === "") ? id.text : own };
  }
  if (kind === "template" || (kind === "sources" && strings.every(({ text }) => text === ""))) {
    return messageSource(id.text, plural.text);
  }
  return pluralText(
    plurals,
    strings.map(({ text }) => text),
  );
}

function entryOf(message: PoMessage, file: PoFile): Entry {
  const { context, id, strings, plural, maxLength, description } = message;
  const text = messageText(message, file);
  // Singular or plural like the text: otherwise it could not be told from a changed one.
  const sourcePlural = text !== null && isForms(text) ? (plural?.text ?? null) : null;
  const isTemplate = file.kind === "template";
  return {
    key: id.text,
    context: context === null || context.text === "" ? null : context.text,
    namespace: null,
    locale: null,
    text: text ?? { value: strings[0]?.text ?? "" },
    source: file.kind === "translations" ? messageSource(id.text, sourcePlural) : null,
    description,
    keySpan: { start: id.start + 1, end: id.end - 1 },
    valueSpan: isTemplate ? spanOf(id, plural ?? id) : spanOf(strings[0], strings.at(-1)),
    readOnly: isTemplate ? "source" : text === null ? "unsupported" : null,
    ...(message.isFuzzy ? { isFuzzy: true } : {}),
    ...(message.formatFlags.length > 0 ? { formatFlags: message.formatFlags } : {}),
    ...(maxLength === null ? {} : { maxLength }),
  };
}

function spanOf(first: PoString | undefined, last: PoString | undefined): Span {
  return first === undefined || last === undefined ? NO_SPAN : { start: first.start, end: last.end };
}
