/**
 * Edits a PO or POT file by splices: a msgstr is replaced in place, a new message is inserted next to its neighbours
 * (a file sorted by msgid stays sorted), and a removed message takes its own comments with it. Obsolete messages are
 * left alone.
 */
import { refusalOf } from "../apply-edit.ts";
import {
  type Change,
  type EditResult,
  entryId,
  type ReadOptions,
  type Refusal,
  type Splice,
} from "../format.ts";
import { headerField, newHeader } from "./gettext-header.ts";
import { gettextPlurals, parsePluralForms, standardPluralForms, stringsOfForms } from "./plural-forms.ts";
import { messagesByName, messageId, openPo, type PoFile, messageSource, messageText } from "./po-entries.ts";
import {
  printString,
  type NewMessage,
  plainStyle,
  type PoStyle,
  printMessage,
  filledCategories,
  styleOf,
} from "./po-print.ts";
import {
  commentsOf,
  escapePo,
  obsoleteMessages,
  type PoMessage,
  type PoString,
  withoutFuzzy,
} from "./po-parser.ts";
import { afterNewline, fileNewline, isNewline, lineStart } from "../whitespace.ts";
import { type Forms, isEmptyText, isForms, areTextsEqual, type Text, valuesOf } from "../../model/text.ts";

/** A message's key and context. */
interface MessageName {
  readonly key: string;
  readonly context: string | null;
}

/** Fewer messages than this may be in order by chance. */
const SORTED_FROM = 3;

type Compare = (a: string, b: string) => number;

const COMPARERS: readonly Compare[] = [
  byCodeUnit,
  (a, b) => byCodeUnit(a.toLowerCase(), b.toLowerCase()),
  new Intl.Collator("en").compare,
];

/**
 * Returns, for each new message, the index of the message after which it is inserted: `-1` before all, `count - 1` at
 * the end.
 */
function insertionPoints(messages: readonly MessageName[], added: readonly MessageName[]): readonly number[] {
  const order = added.length === 0 ? null : orderOf(messages);
  const end = messages.length - 1;
  if (order === null) return added.map(() => end);
  return added.map((each) => {
    let low = 0;
    let high = messages.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = messages[middle];
      if (other !== undefined && order(other, each) <= 0) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  });
}

/** Returns the order in which the messages are sorted; `null` if they are not. */
function orderOf(messages: readonly MessageName[]): ((a: MessageName, b: MessageName) => number) | null {
  if (messages.length < SORTED_FROM) return null;
  for (const compare of COMPARERS) {
    const order = (a: MessageName, b: MessageName): number =>
      compare(a.key, b.key) || compare(a.context ?? "", b.context ?? "");
    const isSorted = messages.every((message, index) => {
      const before = messages[index - 1];
      return before === undefined || order(before, message) <= 0;
    });
    if (isSorted) return order;
  }
  return null;
}

function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

type Reason = Refusal["reason"];

/** Returns the splices for the changes; the last of several changes to a message wins. */
export function editPo(
  text: string,
  format: "po" | "pot",
  changes: readonly Change[],
  options: ReadOptions,
): EditResult {
  const file = openPo(text, format, options);
  if (!file.document.sound) {
    return { splices: [], refused: changes.map((change) => refusalOf(change, "syntax")) };
  }
  const pluralForms = missingPluralForms(file, changes, options);
  const plurals = pluralForms === null ? file.plurals : gettextPlurals(pluralForms, options.locale);
  return new PoEdit(text, { ...file, plurals }, options, pluralForms).make(changes);
}

class PoEdit {
  readonly #text: string;
  readonly #file: PoFile;
  readonly #options: ReadOptions;
  readonly #pluralForms: string | null;
  readonly #splices: Splice[] = [];
  readonly #removed = new Set<PoMessage>();
  readonly #obsolete: ReadonlyMap<string, readonly PoMessage[]>;
  readonly #added: NewMessage[] = [];
  #known: PoStyle | null = null;
  #hasWrittenPlural = false;
  /** The header, if no other message remains: it is printed before the new ones at the end. */
  #lastHeader = "";
  #emptySources: boolean | null = null;

  /** @param pluralForms the value for a header that has no valid Plural-Forms; otherwise `null` */
  constructor(text: string, file: PoFile, options: ReadOptions, pluralForms: string | null) {
    this.#text = text;
    this.#options = options;
    this.#pluralForms = pluralForms;
    this.#file = file;
    this.#obsolete = Map.groupBy(obsoleteMessages(text), messageName);
  }

  make(changes: readonly Change[]): EditResult {
    const refused: Refusal[] = [];
    const { messages } = this.#file.document;
    const byName = messagesByName(messages);
    for (const change of new Map(changes.map((each) => [entryId(each), each])).values()) {
      const message = byName.get(messageId(change.key, change.context));
      const reason = this.#apply(change, message);
      if (reason !== null) refused.push(refusalOf(change, reason));
    }
    this.#removeAll();
    this.#completeHeader();
    this.#addAll();
    const order = (a: Splice, b: Splice): number => a.start - b.start || a.end - b.end;
    return { splices: this.#splices.toSorted(order), refused };
  }

  #apply(change: Change, message: PoMessage | undefined): Reason | null {
    const { key, context, text } = change;
    if (text === null) {
      if (message === undefined) return "not_found";
      this.#remove(message);
      return null;
    }
    if (hasNul(change)) return "unsupported";
    if (message !== undefined) return this.#change(message, text, change.fuzzy);
    if (this.#meansSource(text)) return "unsupported";
    // The empty msgid is reserved for the header.
    if (key === "" && (context === null || context === "")) return "unsupported";
    const added = newMessage(change, text, this.#file, this.#hasEmptySources());
    if (typeof added === "string") return added;
    this.#added.push({ ...added, comments: this.#revive(messageId(key, context)) });
    return null;
  }

  /** Removes the obsolete messages of that name and returns their comments, for the message that replaces them. */
  #revive(name: string): readonly string[] {
    const obsolete = this.#obsolete.get(name) ?? [];
    for (const message of obsolete) this.#removed.add(message);
    return [...new Set(obsolete.flatMap((message) => commentsOf(this.#text, message)))];
  }

  /** Removes the message and all duplicates of it, which would otherwise come into effect. */
  #remove(message: PoMessage): void {
    this.#removed.add(message);
    const { messages } = this.#file.document;
    const name = messageName(message);
    for (const other of messages) if (messageName(other) === name) this.#removed.add(other);
  }

  /** @param fuzzy as in `Change` */
  #change(message: PoMessage, text: Text, fuzzy: boolean | undefined): Reason | null {
    const now = messageText(message, this.#file);
    if (now === null) return "unsupported";
    if (areTextsEqual(now, text)) {
      if (fuzzy === false && message.isFuzzy) this.#dropFuzzy(message);
      return null;
    }
    if (this.#file.kind === "template") return "source";
    if (this.#meansSource(text)) return "unsupported";
    const strings = this.#stringsFor(message, text);
    if (strings === null) return "forms";
    let isChanged = false;
    for (const [index, newString] of strings.entries()) {
      const old = message.strings[index];
      if (old === undefined ? newString === "" : old.text === newString) continue;
      const keyword = message.plural === null ? "msgstr" : `msgstr[${index}]`;
      isChanged = true;
      if (old === undefined) {
        this.#appendForm(message, keyword, newString);
        continue;
      }
      const { start, end } = old;
      const raw = this.#text.slice(start, end);
      this.#splices.push({
        start,
        end,
        text: printString(newString, keyword, this.#style(), { string: old, raw }),
      });
    }
    if (isChanged && message.plural !== null) this.#hasWrittenPlural = true;
    if (isChanged && message.isFuzzy && fuzzy !== true) this.#dropFuzzy(message);
    if (isChanged && !message.isFuzzy && fuzzy === true) this.#setFuzzy(message);
    return null;
  }

  /** In the source locale an empty msgstr stands for the msgid, so no text can be empty there. */
  #meansSource(text: Text): boolean {
    return this.#file.kind === "sources" && isEmptyText(text);
  }

  #stringsFor(message: PoMessage, text: Text): readonly string[] | null {
    const { plural, strings } = message;
    const { kind, plurals } = this.#file;
    if (isForms(text) !== (plural !== null)) return null;
    if (isEmptyText(text)) return strings.map(() => "");
    const isAsSource =
      kind === "sources" && areTextsEqual(text, messageSource(message)) && this.#hasEmptySources();
    if (isAsSource) return strings.map(() => "");
    return isForms(text) ? stringsOfForms(plurals, text.forms, strings.length) : [text.value];
  }

  /** Whether the file, in the source locale, has an empty msgstr wherever the text equals the msgid. */
  #hasEmptySources(): boolean {
    if (this.#file.kind !== "sources") return false;
    if (this.#emptySources === null) {
      let empty = 0;
      for (const { id, strings } of this.#file.document.messages) {
        if (strings[0]?.text === "") empty++;
        else if (strings[0]?.text === id.text) empty--;
      }
      this.#emptySources = empty >= 0;
    }
    return this.#emptySources;
  }

  #style(): PoStyle {
    this.#known ??= styleOf(this.#text, fileNewline(this.#text), this.#file.document);
    return this.#known;
  }

  #appendForm(message: PoMessage, keyword: string, newString: string): void {
    const style = this.#style();
    const { end } = message;
    this.#splices.push({
      start: end,
      end,
      text: `${style.eol}${keyword} ${printString(newString, keyword, style, null)}`,
    });
  }

  /** Removes the fuzzy flag and the previous msgid, which mark the text as needing review. */
  #dropFuzzy(message: PoMessage): void {
    const text = this.#text;
    for (let start = message.start; start < message.keywords;) {
      let end = start;
      while (end < message.keywords && !isNewline(text.charCodeAt(end))) end++;
      const next = afterNewline(text, end);
      const line = text.slice(start, end);
      const marks = line.trimStart();
      if (marks.startsWith("#|")) {
        this.#splices.push({ start, end: next, text: "" });
      } else if (marks.startsWith("#,")) {
        const kept = withoutFuzzy(line);
        if (kept.trim() === "#") this.#splices.push({ start, end: next, text: "" });
        else if (kept !== line) this.#splices.push({ start, end, text: kept });
      }
      start = next;
    }
  }

  #setFuzzy({ keywords }: PoMessage): void {
    this.#splices.push({ start: keywords, end: keywords, text: `#, fuzzy${this.#style().eol}` });
  }

  /**
   * Removes each message with the empty lines before it, so that none are left over; at the start of the file, with
   * those after it.
   */
  #removeAll(): void {
    const text = this.#text;
    let cut = 0;
    let top: { start: number; end: number; text: string } | null = null;
    for (const message of [...this.#removed].sort((a, b) => a.start - b.start)) {
      const end = this.#lineEndOf(message);
      let start = message.start;
      while (start > 0 && isSpace(text.charCodeAt(start - 1))) start--;
      if (start > cut || (cut > 0 && top === null)) {
        this.#splices.push({ start: Math.max(start, cut), end, text: "" });
        cut = end;
        top = null;
        continue;
      }
      cut = nextContent(text, end);
      if (top === null) this.#splices.push((top = { start: 0, end: cut, text: "" }));
      else top.end = cut;
    }
  }

  /** Returns the end of the message's last line if only blanks follow the message there. */
  #lineEndOf({ end }: PoMessage): number {
    let at = end;
    while (this.#text.charCodeAt(at) === 0x20 || this.#text.charCodeAt(at) === 0x09) at++;
    return at === this.#text.length || isNewline(this.#text.charCodeAt(at)) ? at : end;
  }

  /** Adds what gettext requires of a file: a header, and its Plural-Forms if there are translated plurals. */
  #completeHeader(): void {
    const { header } = this.#file.document;
    const string = header?.strings[0];
    if (string === undefined || string.text === "") {
      if (this.#added.length > 0) this.#putHeader(string ?? null);
      return;
    }
    const hasPlural = this.#hasWrittenPlural || this.#added.some(({ plural }) => plural !== null);
    if (this.#pluralForms === null || !hasPlural || this.#file.kind === "template") return;
    const { eol } = this.#style();
    const headerText = string.text.endsWith("\n") ? string.text : `${string.text}\n`;
    const field = `Plural-Forms: ${this.#pluralForms}\n`;
    const { start, end } = string;
    if (headerText === string.text && !hasField(headerText, "Plural-Forms")) {
      this.#splices.push({ start: end, end, text: `${eol}"${escapePo(field)}"` });
      return;
    }
    const completed = hasField(headerText, "Plural-Forms")
      ? headerText.replace(/^plural-forms:.*\n/imu, () => field)
      : headerText + field;
    this.#splices.push({ start, end, text: printString(completed, "msgstr", plainStyle(eol), null) });
  }

  /** @param empty the string of a header that is empty */
  #putHeader(empty: PoString | null): void {
    const { messages } = this.#file.document;
    const { eol } = this.#style();
    const text = printString(this.#header(), "msgstr", plainStyle(eol), null);
    if (empty !== null) {
      this.#splices.push({ start: empty.start, end: empty.end, text });
      return;
    }
    const starts = [...messages, ...[...this.#obsolete.values()].flat()]
      .filter((message) => !this.#removed.has(message))
      .map(({ start }) => start);
    const message = `msgid ""${eol}msgstr ${text}${eol}${eol}`;
    const start = Math.min(...starts);
    if (starts.length > 0) this.#splices.push({ start, end: start, text: message });
    else this.#lastHeader = message;
  }

  #header(): string {
    const kind = this.#file.kind === "template" ? "template" : "translations";
    return newHeader(this.#options, kind, this.#file.plurals.categories);
  }

  #addAll(): void {
    const { messages, header } = this.#file.document;
    const kept = messages.filter((message) => !this.#removed.has(message));
    const named = kept.map(({ id, context }) => ({ key: id.text, context: context?.text ?? null }));
    const places = insertionPoints(named, this.#added);
    const groups = Map.groupBy(this.#added.keys(), (index) => places[index] ?? -1);
    for (const [place, indexes] of groups) {
      const anchor = kept[place] ?? header;
      const blocks = indexes.flatMap((index) => this.#added[index] ?? []);
      this.#insert(anchor, kept[place + 1] ?? null, blocks);
    }
  }

  #insert(anchor: PoMessage | null, next: PoMessage | null, added: readonly NewMessage[]): void {
    const text = this.#text;
    const style = this.#style();
    const describedBy = this.#file.document.describedBy;
    const gap = style.eol.repeat(this.#gapLines(anchor, next));
    const blocks = added.map((message) => printMessage(message, style, describedBy)).join(gap);
    if (anchor !== null) {
      const at = this.#lineEndOf(anchor);
      this.#splices.push({ start: at, end: at, text: gap + blocks });
      return;
    }
    if (next !== null) {
      const at = next.start;
      this.#splices.push({ start: at, end: at, text: blocks + gap });
      return;
    }
    // Only comments, or content that the same edit removes.
    const isBlank =
      this.#splices.some(({ start, end }) => start === 0 && end === text.length) || text.trim() === "";
    const head = (isBlank ? "" : gap) + this.#lastHeader;
    this.#splices.push({ start: text.length, end: text.length, text: `${head}${blocks}${style.eol}` });
  }

  /** Returns the number of line ends between neighbouring messages here; two make an empty line. */
  #gapLines(anchor: PoMessage | null, next: PoMessage | null): number {
    const { messages } = this.#file.document;
    const after = next ?? (anchor === null ? undefined : messages[messages.indexOf(anchor)]);
    if (after === undefined || after.start === 0) return 2;
    let at = lineStart(this.#text, after.start);
    let lines = 0;
    while (at > 0) {
      const code = this.#text.charCodeAt(at - 1);
      if (!isSpace(code)) break;
      if (code === 0x0a || (code === 0x0d && this.#text.charCodeAt(at) !== 0x0a)) lines++;
      at--;
    }
    return lines === 0 || at === 0 ? 2 : lines;
  }
}

/**
 * Returns the Plural-Forms for a file without valid ones, covering all forms of the changes unless an existing
 * message fixes their number; otherwise `null`.
 */
function missingPluralForms(
  { document }: PoFile,
  changes: readonly Change[],
  { locale, sourceLocale }: ReadOptions,
): string | null {
  const pluralForms = headerField(document.header?.strings[0]?.text ?? "", "Plural-Forms");
  if (pluralForms !== null && parsePluralForms(pluralForms) !== null) return null;
  const isSettled = document.messages.some(({ plural }) => plural !== null);
  const categories = isSettled ? [] : changes.flatMap(({ text }) => filledCategories(text));
  return standardPluralForms(locale || sourceLocale, categories);
}

function hasField(header: string, name: string): boolean {
  return header.split("\n").some((line) => line.toLowerCase().startsWith(`${name.toLowerCase()}:`));
}

/** Returns the message for a new key, or the reason why it cannot be written. */
function newMessage(change: Change, text: Text, file: PoFile, emptySources: boolean): NewMessage | Reason {
  const { key, context, source = null, description = null } = change;
  const { kind, plurals } = file;
  const base = { key, context: context === "" ? null : context, description, fuzzy: change.fuzzy === true };
  if (!isForms(text)) {
    const isSource = text.value === key;
    if (kind === "template" && !isSource) return "source";
    const isEmpty = isSource && (kind === "template" || emptySources);
    return { ...base, plural: null, strings: [isEmpty ? "" : text.value] };
  }
  const sourceText = kind === "translations" ? source : text;
  const plural = sourceText !== null && isForms(sourceText) ? sourceText.forms["other"] : undefined;
  if (plural === undefined) return "forms";
  const isSource = isStatedBy(text.forms, key, plural);
  if (kind === "template") return isSource ? { ...base, plural, strings: ["", ""] } : "source";
  const isEmpty = isSource && emptySources;
  const strings = isEmpty ? plurals.categories.map(() => "") : stringsOfForms(plurals, text.forms);
  return strings === null ? "forms" : { ...base, plural, strings };
}

/** Whether msgid and msgid_plural already contain all the forms. */
function isStatedBy(forms: Forms, id: string, plural: string): boolean {
  const isPart = ([name, form]: [string, string]): boolean =>
    form === "" || form === plural || (name === "one" && form === id);
  return (forms["one"] ?? plural) === id && Object.entries(forms).every(isPart);
}

function messageName({ id, context }: PoMessage): string {
  return messageId(id.text, context?.text ?? null);
}

/** gettext's strings are NUL-terminated, so they cannot contain NUL. */
function hasNul({ key, context, text, source }: Change): boolean {
  const texts = [text, source ?? null].flatMap(valuesOf);
  return [key, context ?? "", ...texts].some((each) => each.includes("\0"));
}

function nextContent(text: string, offset: number): number {
  let at = offset;
  while (at < text.length && isSpace(text.charCodeAt(at))) at++;
  return at;
}

function isSpace(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d);
}
