/**
 * Changes of a PO or POT file as splices: a msgstr is written over where it stands, a new message goes where its
 * neighbours are, a removed one takes its own comments along. Obsolete messages stay as they are.
 */
import { type Forms, isEmptyText, isForms, sameText, type Text } from "../../text.ts";
import { refusalOf } from "../edit.ts";
import {
  type Change,
  type EditResult,
  entryId,
  type ReadOptions,
  type Refusal,
  type Splice,
} from "../format.ts";
import { messagesByName, nameOf, openPo, type PoFile, sourceOf, textOf } from "./po-entries.ts";
import { stringsOfForms } from "./gettext-plurals.ts";
import { layOut, styleOf, type PoStyle } from "./po-layout.ts";
import { type NewMessage, printMessage } from "./po-print.ts";
import { placesFor } from "./po-order.ts";
import type { PoMessage } from "./po-scan.ts";
import { afterNewline, fileNewline, isNewline, lineStart } from "../style.ts";

type Reason = Refusal["reason"];

/** The splices for the changes; of several for one message the last holds. */
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
  return new PoEdit(text, file).make(changes);
}

class PoEdit {
  readonly #text: string;
  readonly #file: PoFile;
  readonly #splices: Splice[] = [];
  readonly #removed = new Set<PoMessage>();
  readonly #added: NewMessage[] = [];
  #known: PoStyle | null = null;
  #emptySources: boolean | null = null;

  constructor(text: string, file: PoFile) {
    this.#text = text;
    this.#file = file;
  }

  make(changes: readonly Change[]): EditResult {
    const refused: Refusal[] = [];
    const { messages } = this.#file.document;
    const byName = messagesByName(messages);
    for (const change of new Map(changes.map((each) => [entryId(each), each])).values()) {
      const message = byName.get(nameOf(change.key, change.context));
      const reason = this.#apply(change, message);
      if (reason !== null) refused.push(refusalOf(change, reason));
    }
    this.#removeAll();
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
    if (message !== undefined) return this.#change(message, text);
    if (this.#meansSource(text)) return "unsupported";
    // The empty msgid is the header's.
    if (key === "" && (context === null || context === "")) return "unsupported";
    const added = newMessage(change, this.#file, this.#hasEmptySources());
    if (typeof added === "string") return added;
    this.#added.push(added);
    return null;
  }

  /** The message, and those that it hides by standing behind them. */
  #remove(message: PoMessage): void {
    this.#removed.add(message);
    const { messages } = this.#file.document;
    const name = messageName(message);
    for (const other of messages) if (messageName(other) === name) this.#removed.add(other);
  }

  #change(message: PoMessage, text: Text): Reason | null {
    const now = textOf(message, this.#file);
    if (now === null) return "unsupported";
    if (sameText(now, text)) return null;
    if (this.#file.kind === "template") return "source";
    if (this.#meansSource(text)) return "unsupported";
    const strings = this.#stringsFor(message, text);
    if (strings === null) return "forms";
    let isChanged = false;
    for (const [index, said] of strings.entries()) {
      const old = message.strings[index];
      if (old === undefined ? said === "" : old.text === said) continue;
      const keyword = message.plural === null ? "msgstr" : `msgstr[${index}]`;
      isChanged = true;
      if (old === undefined) {
        this.#appendForm(message, keyword, said);
        continue;
      }
      const { start, end } = old;
      const raw = this.#text.slice(start, end);
      this.#splices.push({ start, end, text: layOut(said, keyword, this.#style(), { string: old, raw }) });
    }
    if (isChanged && message.isFuzzy) this.#dropFuzzy(message);
    return null;
  }

  /** An empty msgstr says in the source locale what the msgid says, so no text can be empty there. */
  #meansSource(text: Text): boolean {
    return this.#file.kind === "sources" && isEmptyText(text);
  }

  #stringsFor(message: PoMessage, text: Text): readonly string[] | null {
    const { plural, strings } = message;
    const { kind, plurals } = this.#file;
    if (isForms(text) !== (plural !== null)) return null;
    if (isEmptyText(text)) return strings.map(() => "");
    const isAsSource = kind === "sources" && sameText(text, sourceOf(message)) && this.#hasEmptySources();
    if (isAsSource) return strings.map(() => "");
    return isForms(text) ? stringsOfForms(plurals, text.forms, strings.length) : [text.value];
  }

  /** Whether the file, which is of the source locale, leaves the msgstr of texts empty that are as the msgid says. */
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

  #appendForm(message: PoMessage, keyword: string, said: string): void {
    const style = this.#style();
    const { end } = message;
    this.#splices.push({
      start: end,
      end,
      text: `${style.eol}${keyword} ${layOut(said, keyword, style, null)}`,
    });
  }

  /** The flag, and what the msgid was before, say that somebody has yet to look at the text. */
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
        const kept = line.replace(/[ \t]*,[ \t]*fuzzy(?=[ \t]*(?:,|$))/, "");
        if (kept.trim() === "#") this.#splices.push({ start, end: next, text: "" });
        else if (kept !== line) this.#splices.push({ start, end, text: kept });
      }
      start = next;
    }
  }

  /** Each goes with the empty lines before it, so that none is left over; what begins the file with those behind it. */
  #removeAll(): void {
    const text = this.#text;
    let cut = 0;
    let top: { start: number; end: number; text: string } | null = null;
    for (const message of this.#file.document.messages) {
      if (!this.#removed.has(message)) continue;
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

  /** The end of the message's last line, when only blanks stand behind it. */
  #lineEndOf({ end }: PoMessage): number {
    let at = end;
    while (this.#text.charCodeAt(at) === 0x20 || this.#text.charCodeAt(at) === 0x09) at++;
    return at === this.#text.length || isNewline(this.#text.charCodeAt(at)) ? at : end;
  }

  #addAll(): void {
    if (this.#added.length === 0) return;
    const { messages, header } = this.#file.document;
    const kept = messages.filter((message) => !this.#removed.has(message));
    const named = kept.map(({ id, context }) => ({ key: id.text, context: context?.text ?? null }));
    const places = placesFor(named, this.#added);
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
    // Only comments, or what is removed by the same edit.
    const isBlank =
      this.#splices.some(({ start, end }) => start === 0 && end === text.length) || text.trim() === "";
    const head = isBlank ? "" : gap;
    this.#splices.push({ start: text.length, end: text.length, text: `${head}${blocks}${style.eol}` });
  }

  /** Line ends between two messages hereabouts: two are an empty line. */
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

/** The message for a new key; a reason when it cannot be one. */
function newMessage(change: Change, file: PoFile, emptySources: boolean): NewMessage | Reason {
  const { key, context, text, source = null, description = null } = change;
  if (text === null) return "not_found";
  const { kind, plurals } = file;
  const base = { key, context: context === "" ? null : context, description };
  if (!isForms(text)) {
    const isSource = text.value === key;
    if (kind === "template" && !isSource) return "source";
    const isEmpty = isSource && (kind === "template" || emptySources);
    return { ...base, plural: null, strings: [isEmpty ? "" : text.value] };
  }
  const said = kind === "translations" ? source : text;
  const plural = said !== null && isForms(said) ? said.forms["other"] : undefined;
  if (plural === undefined) return "forms";
  const isSource = isSaidBy(text.forms, key, plural);
  if (kind === "template") return isSource ? { ...base, plural, strings: ["", ""] } : "source";
  const isEmpty = isSource && emptySources;
  const strings = isEmpty ? plurals.categories.map(() => "") : stringsOfForms(plurals, text.forms);
  return strings === null ? "forms" : { ...base, plural, strings };
}

/** Whether msgid and msgid_plural say all the forms. */
function isSaidBy(forms: Forms, id: string, plural: string): boolean {
  const isPart = ([name, form]: [string, string]): boolean =>
    form === "" || form === plural || (name === "one" && form === id);
  return (forms["one"] ?? plural) === id && Object.entries(forms).every(isPart);
}

function messageName({ id, context }: PoMessage): string {
  return nameOf(id.text, context?.text ?? null);
}

/** gettext's strings end with NUL, so none can hold one. */
function hasNul({ key, context, text, source }: Change): boolean {
  const texts = [text, source ?? null].flatMap((each) =>
    each === null ? [] : isForms(each) ? Object.values(each.forms) : [each.value],
  );
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
