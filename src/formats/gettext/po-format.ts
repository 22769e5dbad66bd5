/**
 * `po`: gettext's translations. The text of an entry is its msgstr; the msgid is both the key and the source text.
 * `pot`: gettext's templates, with source texts only. The text is the key, so it can be added and removed but not
 * changed.
 *
 * An edit replaces a msgstr in place and inserts a new message next to its neighbours (a file sorted by msgid stays
 * sorted); a removed message takes its own comments with it. Obsolete messages are left alone, except those with the
 * name of a new message, which replaces them.
 */
import { makeEach, refuseAll, sortSplices } from "../editing/apply-verified-edit.ts";
import type { Change, EditResult, ReadOptions, RefusalReason, Splice, TextFormat } from "../format.ts";
import { entryInsertions } from "../editing/sort-order.ts";
import {
  hasEmptySources,
  headerField,
  joinMessageName,
  messageSource,
  newHeader,
  stringsOf,
} from "./gettext-message.ts";
import {
  gettextPlurals,
  parsePluralForms,
  standardPluralForms,
  stringsOfText,
} from "./plural-forms-header.ts";
import { kindOf, messageName, messageText, openPo, type PoFile, readPo } from "./po-entries.ts";
import { commentsOf, escapePo, type PoMessage, type PoString, withoutFuzzy } from "./po-parser.ts";
import {
  filledCategories,
  type NewMessage,
  newMessage,
  plainStyle,
  type PoStyle,
  printHeader,
  printMessage,
  printPo,
  printString,
  styleOf,
} from "./po-serializer.ts";
import {
  afterNewline,
  fileNewline,
  countNewlines,
  isNewline,
  lineEnd,
  lineStart,
  skipBlanks,
} from "../text/lines-and-indentation.ts";
import { areTextsEqual, isEmptyText, isForms, type Text } from "../../model/translation-text.ts";

export const po = poFormat("po");
export const pot = poFormat("pot");

function poFormat(name: "po" | "pot"): TextFormat {
  return {
    kind: "text",
    name,
    read: (text, options) => readPo(text, name, options),
    edit: (text, changes, options) => editPo(text, name, changes, options),
    print: (entries, options) => printPo(entries, kindOf(name, options), options),
  };
}

/** Returns the splices for the changes; the last of several changes to a message wins. */
function editPo(
  text: string,
  format: "po" | "pot",
  changes: readonly Change[],
  options: ReadOptions,
): EditResult {
  const file = openPo(text, format, options);
  if (!file.document.isEditable) {
    return { splices: [], refused: refuseAll(changes, "syntax") };
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
  #knownStyle: PoStyle | null = null;
  readonly #hasEmptySources: boolean;
  #hasWrittenPlural = false;
  /** The header, if no other message remains: it is printed before the new ones at the end. */
  #lastHeader = "";

  /** @param pluralForms the value for a header that has no valid Plural-Forms; otherwise `null` */
  constructor(text: string, file: PoFile, options: ReadOptions, pluralForms: string | null) {
    this.#text = text;
    this.#options = options;
    this.#pluralForms = pluralForms;
    this.#file = file;
    this.#obsolete = Map.groupBy(file.document.obsolete, messageName);
    this.#hasEmptySources =
      file.kind === "sources" &&
      hasEmptySources(file.document.messages.map(({ id, strings }) => [id.text, strings[0]?.text]));
  }

  make(changes: readonly Change[]): EditResult {
    const byName = Map.groupBy(this.#file.document.messages, messageName);
    const refused = makeEach(changes, (change) => {
      const name = joinMessageName(change.key, change.context);
      return this.#apply(change, name, byName.get(name) ?? []);
    });
    this.#removeAll();
    this.#completeHeader();
    this.#addAll();
    return { splices: sortSplices(this.#splices), refused };
  }

  /** @param messages those with that name, of which the last is in effect */
  #apply(change: Change, name: string, messages: readonly PoMessage[]): RefusalReason | null {
    const { text } = change;
    const message = messages.at(-1);
    if (text === null) {
      for (const each of messages) this.#removed.add(each);
      return message === undefined ? "not_found" : null;
    }
    // gettext's strings are NUL-terminated.
    if (stringsOf(change).some((string) => string.includes("\0"))) return "unsupported";
    if (message !== undefined) return this.#change(message, text, change.fuzzy);
    if (this.#meansSource(text) || name === "") return "unsupported";
    const added = newMessage({ ...change, text }, this.#file, this.#hasEmptySources);
    if (added.reason !== null) return added.reason;
    // The message replaces the obsolete ones of that name, and takes over their comments.
    const replaced = this.#obsolete.get(name) ?? [];
    for (const each of replaced) this.#removed.add(each);
    const comments = new Set(replaced.flatMap((each) => commentsOf(this.#text, each)));
    this.#added.push({ ...added.message, comments: [...comments] });
    return null;
  }

  /** @param fuzzy as in `Change` */
  #change(message: PoMessage, text: Text, fuzzy: boolean | undefined): RefusalReason | null {
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
    const changed = [...strings.entries()].filter(
      ([index, newString]) => newString !== (message.strings[index]?.text ?? ""),
    );
    if (changed.length === 0) return null;
    const style = this.#style();
    for (const [index, newString] of changed) {
      const keyword = message.plural === null ? "msgstr" : `msgstr[${index}]`;
      const old = message.strings[index];
      if (old === undefined) {
        const printed = printString(newString, keyword, style, null);
        this.#insert(message.end, `${style.eol}${keyword} ${printed}`);
      } else {
        const raw = this.#text.slice(old.start, old.end);
        this.#replace(old.start, old.end, printString(newString, keyword, style, { string: old, raw }));
      }
    }
    if (message.plural !== null) this.#hasWrittenPlural = true;
    if (message.isFuzzy && fuzzy !== true) this.#dropFuzzy(message);
    if (!message.isFuzzy && fuzzy === true) this.#insert(message.keywords, `#, fuzzy${style.eol}`);
    return null;
  }

  /** In the source locale an empty msgstr stands for the msgid, so no text can be empty there. */
  #meansSource(text: Text): boolean {
    return this.#file.kind === "sources" && isEmptyText(text);
  }

  #stringsFor(message: PoMessage, text: Text): readonly string[] | null {
    const { id, plural, strings } = message;
    if (isForms(text) !== (plural !== null)) return null;
    const source = messageSource(id.text, plural?.text ?? null);
    const isAsSource = this.#hasEmptySources && areTextsEqual(text, source);
    if (isAsSource) return strings.map(() => "");
    return stringsOfText(this.#file.plurals, text, strings.length);
  }

  #style(): PoStyle {
    this.#knownStyle ??= styleOf(this.#text, fileNewline(this.#text), this.#file.document);
    return this.#knownStyle;
  }

  /** Removes the fuzzy flag and the previous msgid, which mark the text as needing review. */
  #dropFuzzy(message: PoMessage): void {
    const text = this.#text;
    for (let start = message.start; start < message.keywords;) {
      const end = lineEnd(text, start);
      const next = afterNewline(text, end);
      const line = text.slice(start, end);
      const marks = line.trimStart();
      const kept = marks.startsWith("#,") ? withoutFuzzy(line) : line;
      if (marks.startsWith("#|") || (kept !== line && kept.trim() === "#")) this.#replace(start, next, "");
      else if (kept !== line) this.#replace(start, end, kept);
      start = next;
    }
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
      const start = this.#skipSpaceBefore(message.start);
      if (start > cut || (cut > 0 && top === null)) {
        this.#replace(Math.max(start, cut), end, "");
        cut = end;
        top = null;
        continue;
      }
      cut = end;
      while (isSpace(text.charCodeAt(cut))) cut++;
      if (top === null) this.#splices.push((top = { start: 0, end: cut, text: "" }));
      else top.end = cut;
    }
  }

  #skipSpaceBefore(offset: number): number {
    let start = offset;
    while (start > 0 && isSpace(this.#text.charCodeAt(start - 1))) start--;
    return start;
  }

  /** Returns the end of the message's last line if only blanks follow the message there. */
  #lineEndOf({ end }: PoMessage): number {
    const at = skipBlanks(this.#text, end);
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
    const hasField = PLURAL_FORMS.test(headerText);
    if (headerText === string.text && !hasField) {
      this.#insert(string.end, `${eol}"${escapePo(field)}"`);
      return;
    }
    const completed = hasField ? headerText.replace(PLURAL_FORMS, () => field) : headerText + field;
    this.#replace(string.start, string.end, printString(completed, "msgstr", plainStyle(eol), null));
  }

  /** @param empty the string of a header that is empty */
  #putHeader(empty: PoString | null): void {
    const { messages, obsolete } = this.#file.document;
    const { eol } = this.#style();
    const header = newHeader(this.#options, this.#file.kind, this.#file.plurals.categories);
    if (empty !== null) {
      const text = printString(header, "msgstr", plainStyle(eol), null);
      this.#replace(empty.start, empty.end, text);
      return;
    }
    const start = [...messages, ...obsolete]
      .filter((message) => !this.#removed.has(message))
      .reduce((first, message) => Math.min(first, message.start), Infinity);
    const message = printHeader(header, eol) + eol + eol;
    if (start < Infinity) this.#insert(start, message);
    else this.#lastHeader = message;
  }

  #addAll(): void {
    if (this.#added.length === 0) return;
    const { messages, header } = this.#file.document;
    const kept = messages.filter((message) => !this.#removed.has(message));
    const names = kept.map(({ id, context }) => ({ key: id.text, context: context?.text ?? null }));
    for (const [index, added] of entryInsertions(names, this.#added, { nearKey: false })) {
      this.#insertMessages(kept[index] ?? header, kept[index + 1] ?? null, added);
    }
  }

  #insertMessages(anchor: PoMessage | null, next: PoMessage | null, added: readonly NewMessage[]): void {
    const text = this.#text;
    const style = this.#style();
    const describedBy = this.#file.document.describedBy;
    const gap = style.eol.repeat(this.#gapLines(anchor, next));
    const blocks = added.map((message) => printMessage(message, style, describedBy)).join(gap);
    if (anchor !== null) {
      this.#insert(this.#lineEndOf(anchor), gap + blocks);
      return;
    }
    if (next !== null) {
      this.#insert(next.start, blocks + gap);
      return;
    }
    // Only comments, or content that the same edit removes.
    const isBlank = this.#splices.some(({ start, end }) => start === 0 && end === text.length);
    const ended = countNewlines(text, this.#skipSpaceBefore(text.length), text.length);
    const head = (isBlank ? "" : style.eol.repeat(Math.max(0, 2 - ended))) + this.#lastHeader;
    this.#insert(text.length, `${head}${blocks}${style.eol}`);
  }

  #insert(at: number, text: string): void {
    this.#replace(at, at, text);
  }

  #replace(start: number, end: number, text: string): void {
    this.#splices.push({ start, end, text });
  }

  /** Returns the number of line ends between neighbouring messages here; two make an empty line. */
  #gapLines(anchor: PoMessage | null, next: PoMessage | null): number {
    const after = next ?? anchor;
    if (after === null) return 2;
    const start = lineStart(this.#text, after.start);
    const end = this.#skipSpaceBefore(start);
    const lines = countNewlines(this.#text, end, start);
    return end === 0 ? 2 : lines;
  }
}

/**
 * Returns the Plural-Forms for a file without valid ones, covering all forms of the changes unless an existing
 * message fixes their number; otherwise `null`.
 */
function missingPluralForms(
  { document, header }: PoFile,
  changes: readonly Change[],
  { locale, sourceLocale }: ReadOptions,
): string | null {
  const pluralForms = headerField(header, "Plural-Forms");
  if (pluralForms !== null && parsePluralForms(pluralForms) !== null) return null;
  const isSettled = document.messages.some(({ plural }) => plural !== null);
  const categories = isSettled ? [] : changes.flatMap(({ text }) => filledCategories(text));
  return standardPluralForms(locale || sourceLocale, categories);
}

/** The header's Plural-Forms, valid or not. */
const PLURAL_FORMS = /(?<=^|\n)plural-forms:[^\n]*\n/iu;

function isSpace(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d);
}
