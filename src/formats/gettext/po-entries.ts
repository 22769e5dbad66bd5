/** What the messages of a PO or POT file are as entries. Ranges come from po-parser.ts, changes are made in po-edit.ts. */
import { isForms, type Text } from "../../model/text.ts";
import { type Entry, NO_SPAN, type Problem, type ReadOptions, type ReadResult } from "../format.ts";
import type { Span } from "../../model/span.ts";
import { headerField } from "./gettext-header.ts";
import { formsOfStrings, type GettextPlurals, gettextPlurals } from "./plural-forms.ts";
import { obsoleteMessages, type PoDocument, type PoMessage, type PoString, scanPo } from "./po-parser.ts";

/** A template says source texts only; in a file of the source locale an empty msgstr means the msgid. */
export type PoKind = "translations" | "sources" | "template";

/** A scanned file, and what it takes to read its messages. */
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

/** All entries; of a message that stands twice the last. */
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

/** Obsolete messages with the name of one that is in use, which gettext takes for the same message twice. */
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

/** The last message of each name. */
export function messagesByName(messages: readonly PoMessage[]): ReadonlyMap<string, PoMessage> {
  const byName = new Map<string, PoMessage>();
  for (const message of messages) byName.set(messageName(message), message);
  return byName;
}

function messageName({ context, id }: PoMessage): string {
  return nameOf(id.text, context === null ? null : context.text);
}

/** One string for a key and its context; an empty context is none. */
export function nameOf(key: string, context: string | null): string {
  return context === null || context === "" ? key : `${context}\u0004${key}`;
}

/** What the message says as a text. `null`: it has more forms than there are names. */
export function textOf(message: PoMessage, { kind, plurals }: PoFile): Text | null {
  const { id, plural, strings } = message;
  if (plural === null) {
    if (kind === "template") return { value: id.text };
    const firstString = strings[0]?.text ?? "";
    if (firstString !== "") return { value: firstString };
    return kind === "sources" ? { value: id.text } : EMPTY;
  }
  if (kind === "template" || (kind === "sources" && strings.every(({ text }) => text === ""))) {
    return sourceOf(message);
  }
  const forms = formsOfStrings(
    plurals,
    strings.map(({ text }) => text),
  );
  return forms === null ? null : { forms };
}

/** What msgid and msgid_plural say. */
export function sourceOf({ id, plural }: PoMessage): Text {
  return plural === null ? { value: id.text } : { forms: { one: id.text, other: plural.text } };
}

function entryOf(message: PoMessage, file: PoFile): Entry {
  const { context, id, strings, plural, maxLength, description } = message;
  const text = textOf(message, file);
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

/** Of the same kind as the text, or it could not be told from a changed one. */
function sourceIn(message: PoMessage, text: Text | null): Text {
  return text !== null && isForms(text) ? sourceOf(message) : { value: message.id.text };
}

function spanOf(first: PoString | undefined, last: PoString | undefined): Span {
  return first === undefined || last === undefined ? NO_SPAN : { start: first.start, end: last.end };
}
