/**
 * Parses a PO or POT file into messages with their ranges, and escapes and unescapes strings. Obsolete messages
 * (`#~`) are comments here, but gettext rejects a file in which one has the same name as an active message.
 */
import { decodeStrictly } from "../encoding.ts";
import type { Problem } from "../format.ts";
import { isNewline, lineStart } from "../whitespace.ts";
import type { Span } from "../../model/span.ts";

/** Numeric byte escapes (`\303\251`, `\xc3\xa9`), several of which may form one character, or an escaped letter. */
const ESCAPE = /(?:\\(?:[0-7]{1,3}|x[0-9A-Fa-f]+))+|\\[^]/g;
const BYTE = /\\(?:([0-7]{1,3})|x([0-9A-Fa-f]+))/g;

const LETTERS: ReadonlyMap<string, string> = new Map([
  ["n", "\n"],
  ["t", "\t"],
  ["r", "\r"],
  ["a", "\u0007"],
  ["b", "\b"],
  ["f", "\f"],
  ["v", "\v"],
]);

/** Unescapes a string without its quotes. An unknown escape stands for the escaped character itself. */
function unescapePo(raw: string): string {
  if (!raw.includes("\\")) return raw;
  return raw.replace(ESCAPE, (escape) => {
    const letter = escape.charAt(1);
    if (/[0-7]/.test(letter) || (letter === "x" && escape.length > 2)) return textOfBytes(escape);
    return LETTERS.get(letter) ?? letter;
  });
}

function textOfBytes(escapes: string): string {
  const bytes: number[] = [];
  for (const [, octal, hex] of escapes.matchAll(BYTE)) {
    bytes.push(
      octal === undefined ? Number.parseInt((hex ?? "").slice(-2), 16) : Number.parseInt(octal, 8) & 0xff,
    );
  }
  // Bytes of another encoding: one character each, so that different strings remain different.
  return (
    decodeStrictly("utf-8", Uint8Array.from(bytes)) ?? bytes.map((byte) => String.fromCharCode(byte)).join("")
  );
}

const SPECIAL = /[\\"]|\p{Cc}/gu;

const ESCAPED: ReadonlyMap<string, string> = new Map([
  ["\\", "\\\\"],
  ['"', '\\"'],
  ...[...LETTERS].map(([letter, char]) => [char, `\\${letter}`] as const),
]);

/** Escapes a text for a string. `rawTabs`: the file does not escape tabs. */
export function escapePo(text: string, rawTabs = false): string {
  return text.replace(SPECIAL, (char) => {
    if ((rawTabs && char === "\t") || char >= "\u0080") return char;
    return ESCAPED.get(char) ?? `\\${char.charCodeAt(0).toString(8).padStart(3, "0")}`;
  });
}

/** One string of a message, on one or more lines. The span is from the first quote to the last. */
export interface PoString extends Span {
  readonly text: string;
  /** Number of quoted pieces. */
  readonly pieces: number;
}

/** A message. The span is from its first own comment (or its first keyword) to the end of its last string. */
export interface PoMessage extends Span {
  /** Offset of the first keyword, after the comments. */
  readonly keywords: number;
  readonly context: PoString | null;
  readonly id: PoString;
  readonly plural: PoString | null;
  /** `msgstr`, or `msgstr[0]` and following. */
  readonly strings: readonly PoString[];
  readonly isFuzzy: boolean;
  /** Maximum length in characters, from a flag of translation tools (`max-length:80`). */
  readonly maxLength: number | null;
  /** Description from the extracted comments, otherwise from the translator's. */
  readonly description: string | null;
}

/** A file's messages in order. */
export interface PoDocument {
  /** The message with the empty msgid. */
  readonly header: PoMessage | null;
  readonly messages: readonly PoMessage[];
  readonly problems: readonly Problem[];
  /** Whether the whole file was parsed; otherwise it must not be changed. */
  readonly sound: boolean;
  /** Which kind of comment describes the messages: extracted (`#.`) or the translator's (`#`). */
  readonly describedBy: "#." | "#";
}

/** Maximum number of reported problems: a file of another format has errors everywhere. */
const MAX_PROBLEMS = 100;

/** Parses the text. Never throws; what cannot be parsed is a `syntax` problem. */
export function scanPo(text: string): PoDocument {
  return new Scanner(text).scan();
}

type Field = "context" | "id" | "plural" | "string";

interface PartialMessage extends Omit<PoMessage, "end" | "context" | "id" | "plural" | "strings"> {
  context: PoString | null;
  id: PoString | null;
  plural: PoString | null;
  readonly strings: PoString[];
}

/** The comments before a message. */
interface Comments {
  readonly start: number;
  /** Whether tools wrote some of them, which belong to the message even if an empty line separates them. */
  tied: boolean;
  isFuzzy: boolean;
  maxLength: number | null;
  readonly extracted: string[];
  readonly translator: string[];
}

class Scanner {
  readonly #text: string;
  readonly #messages: PoMessage[] = [];
  readonly #problems: Problem[] = [];
  #sound = true;
  #header: PoMessage | null = null;
  #at = 0;
  #extractedSeen = false;
  #translatorSeen = false;

  /** The comments that precede the next message. */
  #comments: Comments | null = null;
  #draft: PartialMessage | null = null;
  #field: Field | null = null;
  #fieldAt = 0;
  #start = -1;
  #end = 0;
  #pieces: string[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  scan(): PoDocument {
    const text = this.#text;
    for (;;) {
      const newlines = this.#skipSpace();
      if (this.#at >= text.length) break;
      const code = text.charCodeAt(this.#at);
      if (code === 0x22) this.#string();
      else if (code === 0x23) this.#comment(newlines);
      else {
        this.#untie(newlines);
        this.#keyword();
      }
    }
    this.#finish();
    return {
      header: this.#header,
      messages: this.#messages,
      problems: this.#problems,
      sound: this.#sound,
      describedBy: this.#translatorSeen && !this.#extractedSeen ? "#" : "#.",
    };
  }

  /** Skips white space and returns the number of line ends in it. */
  #skipSpace(): number {
    const text = this.#text;
    let newlines = 0;
    for (; this.#at < text.length; this.#at++) {
      const code = text.charCodeAt(this.#at);
      if (code === 0x0a) newlines++;
      else if (code === 0x0d) newlines += text.charCodeAt(this.#at + 1) === 0x0a ? 0 : 1;
      else if (code !== 0x20 && (code < 0x09 || code > 0x0c)) break;
    }
    return newlines;
  }

  #comment(newlines: number): void {
    const text = this.#text;
    const start = this.#at;
    this.#at = lineEnd(text, start);
    const isObsolete = text.charCodeAt(start + 1) === 0x7e;
    this.#closeField();
    // A comment inside a message does not belong to the next one.
    if (this.#draft !== null && this.#draft.strings.length === 0 && !isObsolete) return;
    this.#finish();
    if (isObsolete) {
      // The preceding comments belong to the obsolete message.
      this.#comments = null;
      return;
    }
    this.#untie(newlines);
    this.#comments ??= {
      start: this.#beginning(start),
      tied: false,
      isFuzzy: false,
      maxLength: null,
      extracted: [],
      translator: [],
    };
    const comments = this.#comments;
    switch (text.charCodeAt(start + 1)) {
      case 0x2e: // .
        comments.extracted.push(text.slice(start + 2, this.#at).trim());
        this.#extractedSeen = true;
        comments.tied = true;
        break;
      case 0x2c: {
        const flags = text.slice(start + 1, this.#at);
        comments.isFuzzy ||= /,[ \t]*fuzzy[ \t]*(?:,|$)/.test(flags);
        const length = /,[ \t]*max-length:[ \t]*(\d{1,6})[ \t]*(?:,|$)/.exec(flags)?.[1];
        if (length !== undefined) comments.maxLength = Number(length);
        comments.tied = true;
        break;
      }
      case 0x3a: // :
      case 0x7c: // |
      case 0x3d: // =
        comments.tied = true;
        break;
      default:
        comments.translator.push(text.slice(start + 1, this.#at).trim());
    }
  }

  /** An empty line separates a translator's heading from the message. */
  #untie(newlines: number): void {
    if (newlines > 1 && this.#comments?.tied === false) this.#comments = null;
  }

  #keyword(): void {
    const text = this.#text;
    const start = this.#at;
    this.#closeField();
    if (text.startsWith("msgid_plural", start)) this.#begin("plural", start, start + 12);
    else if (text.startsWith("msgid", start)) this.#begin("id", start, start + 5);
    else if (text.startsWith("msgstr", start)) this.#beginString(start);
    else if (text.startsWith("msgctxt", start)) this.#begin("context", start, start + 7);
    else if (text.startsWith("domain", start)) this.#domain(start);
    else this.#garbage(start);
  }

  #garbage(start: number): void {
    const end = lineEnd(this.#text, start);
    this.#problem("neither a keyword nor a string nor a comment", start, end);
    this.#at = end;
  }

  /** Skips a `domain` directive, which only sets the file that programs load the following messages from. */
  #domain(start: number): void {
    this.#finish();
    this.#comments = null;
    this.#at = lineEnd(this.#text, start);
  }

  #begin(field: Field, start: number, end: number): void {
    const next = this.#text.charCodeAt(end);
    if (next > 0x22 && !Number.isNaN(next)) return this.#garbage(start);
    this.#at = end;
    this.#field = field;
    this.#fieldAt = start;
    const draft = this.#draft;
    if (field === "string") return;
    if (field === "plural") {
      if (draft !== null && draft.strings.length === 0 && draft.id !== null && draft.plural === null) return;
      this.#problem("`msgid_plural` in the wrong place", start, end);
      this.#draft ??= this.#open(start);
    } else if (draft === null || draft.strings.length > 0 || draft.id !== null || draft[field] !== null) {
      this.#field = null;
      this.#finish();
      this.#open(start);
      this.#field = field;
    }
  }

  #beginString(start: number): void {
    const text = this.#text;
    const index = /\s*\[\s*(\d{1,4})\s*\]/y;
    index.lastIndex = start + 6;
    const found = index.exec(text);
    const end = found === null ? start + 6 : index.lastIndex;
    const draft = this.#draft;
    if (draft === null || draft.id === null) {
      this.#problem("`msgstr` without its `msgid`", start, end);
      this.#draft ??= this.#open(start);
    } else if (found === null ? draft.strings.length > 0 : Number(found[1]) !== draft.strings.length) {
      this.#problem("`msgstr` again, or out of order", start, end);
    } else if ((found === null) !== (draft.plural === null)) {
      const message = found === null ? "a plural without `msgstr[0]`" : "`msgstr[]` without `msgid_plural`";
      this.#problem(message, start, end);
    }
    this.#begin("string", start, end);
  }

  #open(start: number): PartialMessage {
    const comments = this.#comments;
    const { extracted = [], translator = [] } = comments ?? {};
    const description = (extracted.length > 0 ? extracted : translator).join("\n").trim();
    const keywords = this.#beginning(start);
    const draft: PartialMessage = {
      start: comments?.start ?? keywords,
      keywords,
      isFuzzy: comments?.isFuzzy ?? false,
      maxLength: comments?.maxLength ?? null,
      description: description === "" ? null : description,
      context: null,
      id: null,
      plural: null,
      strings: [],
    };
    if (translator.length > 0 && description !== "") this.#translatorSeen = true;
    this.#comments = null;
    this.#draft = draft;
    return draft;
  }

  /** Returns the start of the line if only blanks precede the offset; otherwise the offset itself. */
  #beginning(offset: number): number {
    const text = this.#text;
    let at = offset;
    while (text[at - 1] === " " || text[at - 1] === "\t") at--;
    return at === 0 || isNewline(text.charCodeAt(at - 1)) ? at : offset;
  }

  #string(): void {
    const text = this.#text;
    const start = this.#at;
    const end = closingQuote(text, start);
    if (end < 0) {
      this.#at = lineEnd(text, start);
      this.#problem("a string without its closing quote", start, this.#at);
    } else {
      this.#at = end + 1;
    }
    if (this.#field === null) {
      this.#problem("a string without its keyword", start, this.#at);
      return;
    }
    if (this.#start < 0) this.#start = start;
    this.#end = this.#at;
    this.#pieces.push(unescapePo(text.slice(start + 1, end < 0 ? this.#at : end)));
  }

  /** Called when the string of a keyword is complete. */
  #closeField(): void {
    const field = this.#field;
    if (field === null) return;
    this.#field = null;
    if (this.#start < 0) {
      this.#problem("a keyword without its string", this.#fieldAt, this.#at);
      return;
    }
    const pieces = this.#pieces;
    const whole = { start: this.#start, end: this.#end, text: pieces.join(""), pieces: pieces.length };
    this.#start = -1;
    this.#pieces = [];
    const draft = this.#draft;
    if (draft === null) return;
    if (field === "string") draft.strings.push(whole);
    else draft[field] = whole;
  }

  #finish(): void {
    this.#closeField();
    const draft = this.#draft;
    if (draft === null) return;
    this.#draft = null;
    const { keywords, context, id, strings } = draft;
    const last = strings.at(-1);
    if (id === null || last === undefined) {
      this.#problem(id === null ? "no `msgid`" : "no `msgstr`", keywords, id?.end ?? this.#at);
      return;
    }
    const { end } = last;
    const message = { ...draft, id, end };
    if (id.text !== "" || context !== null) this.#messages.push(message);
    else if (this.#header === null) this.#header = message;
    else this.#problem("a second header", keywords, end, "duplicate");
  }

  #problem(message: string, start: number, end: number, code: "syntax" | "duplicate" = "syntax"): void {
    if (code === "syntax") this.#sound = false;
    if (this.#problems.length < MAX_PROBLEMS) this.#problems.push({ code, message, span: { start, end } });
  }
}

/** Returns the offset of the next line end, or of the end of the text. */
export function lineEnd(text: string, start: number): number {
  let at = start;
  while (at < text.length && !isNewline(text.charCodeAt(at))) at++;
  return at;
}

/** Returns the offset of the closing quote of the string at `start`; `-1` if the line ends first. */
export function closingQuote(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) return at;
    if (code === 0x5c) at++;
    if (isLineEnd(text, at)) return -1;
  }
  return -1;
}

function isLineEnd(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code === 0x0a || (code === 0x0d && text.charCodeAt(at + 1) === 0x0a);
}

const MARK = /^[ \t]*#~/u;

/** Returns the obsolete messages in order; their spans include the comments right above them. */
export function obsoleteMessages(text: string): readonly PoMessage[] {
  if (!text.includes("#~")) return [];
  // Everything else is replaced by blanks, so that offsets stay valid.
  const uncommented = text.replaceAll(/[^\r\n]+/gu, (line) => {
    const mark = MARK.exec(line)?.[0];
    if (mark === undefined || line[mark.length] === "|") return " ".repeat(line.length);
    return " ".repeat(mark.length) + line.slice(mark.length);
  });
  return scanPo(uncommented).messages.map((message) => ({
    ...message,
    start: commentStart(text, lineStart(text, message.keywords)),
  }));
}

/** Returns the lines of its comments that still apply when the message is in use again. */
export function commentsOf(text: string, { start, keywords }: PoMessage): readonly string[] {
  return text
    .slice(start, lineStart(text, keywords))
    .split(/\r\n|[\n\r]/u)
    .map((line) => (/^[ \t]*#,/u.test(line) ? withoutFuzzy(line) : line).trimEnd())
    .filter((line) => line.trim() !== "#" && !/^[ \t]*(?:#[~|]|$)/u.test(line));
}

/** Returns a line of flags without `fuzzy`; just `#` if that was the only flag. */
export function withoutFuzzy(line: string): string {
  return line.replace(/[ \t]*,[ \t]*fuzzy(?=[ \t]*(?:,|$))/u, "");
}

/** Returns the start of the comments that end on the line above `start`. */
function commentStart(text: string, start: number): number {
  let first = start;
  while (first > 0) {
    let above = first - 1;
    if (text[above] === "\n" && text[above - 1] === "\r") above--;
    const line = lineStart(text, above);
    const lineText = text.slice(line, above).trimStart();
    const isComment = lineText.startsWith("#") && (!lineText.startsWith("#~") || lineText.startsWith("#~|"));
    if (!isComment || isNewline(text.charCodeAt(above - 1))) break;
    first = line;
  }
  return first;
}
