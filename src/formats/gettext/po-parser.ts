/** Parses a PO or POT file into messages with their ranges, and escapes and unescapes strings. */
import { decodeStrictly } from "../text/encoding.ts";
import type { Problem } from "../format.ts";
import { isNewline, lineEnd, skipBlanksBefore } from "../text/lines-and-indentation.ts";
import type { Span } from "../../util/span.ts";

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

/** Escapes a text for a string. `hasRawTabs`: the file does not escape tabs. */
export function escapePo(text: string, hasRawTabs = false): string {
  return text.replace(SPECIAL, (char) => {
    if ((hasRawTabs && char === "\t") || char >= "\u0080") return char;
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
  /** Flags of format strings, as written: `php-format`, `no-c-format`. */
  readonly formatFlags: readonly string[];
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
  /** Messages that are commented out by `#~`. gettext rejects a file in which an active one has the same name. */
  readonly obsolete: readonly PoMessage[];
  readonly problems: readonly Problem[];
  /** Whether the whole file was parsed; otherwise it must not be changed. */
  readonly isEditable: boolean;
  /** Which kind of comment describes the messages: extracted (`#.`) or the translator's (`#`). */
  readonly describedBy: "#." | "#";
}

/** Maximum number of reported problems: a file of another format has errors everywhere. */
const MAX_PROBLEMS = 100;

/** Parses the text. Never throws; what cannot be parsed is a `syntax` problem. */
export function scanPo(text: string): PoDocument {
  return new Scanner(text).scan();
}

/** A keyword, and the index of a plural form. */
const KEYWORD = /(?:(msgctxt|msgid_plural|msgid)|msgstr(?:\s*\[\s*(\d{1,4})\s*\])?)(?=[\0-"]|$)/y;

const FIELDS = { msgctxt: "context", msgid: "id", msgid_plural: "plural" } as const;
type Field = (typeof FIELDS)[keyof typeof FIELDS];

interface PartialMessage extends Omit<PoMessage, "end" | Field | "strings"> {
  readonly isObsolete: boolean;
  readonly hasTranslatorComment: boolean;
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
  readonly formatFlags: string[];
  maxLength: number | null;
  readonly extracted: string[];
  readonly translator: string[];
}

class Scanner {
  readonly #text: string;
  readonly #messages: PoMessage[] = [];
  readonly #obsolete: PoMessage[] = [];
  readonly #problems: Problem[] = [];
  #isEditable = true;
  #header: PoMessage | null = null;
  #at = 0;
  /** Whether the current line starts with `#~`. Nothing is wrong with such lines. */
  #isObsolete = false;
  #extractedSeen = false;
  #translatorSeen = false;
  /** The comments that precede the next message. */
  #comments: Comments | null = null;
  #draft: PartialMessage | null = null;

  constructor(text: string) {
    this.#text = text;
  }

  scan(): PoDocument {
    const text = this.#text;
    for (let newlines = this.#skipSpace(); this.#at < text.length; newlines = this.#skipSpace()) {
      const start = this.#at;
      const char = text.charAt(start);
      if (char === "#" || (char === "|" && this.#isObsolete)) {
        this.#comment(newlines);
        continue;
      }
      if (this.#draft?.isObsolete !== this.#isObsolete) this.#finish();
      if (char === '"') {
        this.#piece();
        this.#problem("a string without its keyword", start, this.#at);
      } else {
        this.#untie(newlines);
        this.#keyword(start);
      }
    }
    this.#finish();
    return {
      header: this.#header,
      messages: this.#messages,
      obsolete: this.#obsolete,
      problems: this.#problems,
      isEditable: this.#isEditable,
      describedBy: this.#translatorSeen && !this.#extractedSeen ? "#" : "#.",
    };
  }

  /** Skips white space and `#~`, and returns the number of line ends in it. */
  #skipSpace(): number {
    const text = this.#text;
    let newlines = 0;
    for (; this.#at < text.length; this.#at++) {
      const code = text.charCodeAt(this.#at);
      if (code === 0x0a || (code === 0x0d && text.charCodeAt(this.#at + 1) !== 0x0a)) {
        newlines++;
        this.#isObsolete = false;
      } else if (code === 0x23 && text.charCodeAt(this.#at + 1) === 0x7e) {
        this.#isObsolete = true;
        this.#at++;
      } else if (code !== 0x20 && (code < 0x09 || code > 0x0d)) break;
    }
    return newlines;
  }

  #comment(newlines: number): void {
    const text = this.#text;
    const start = this.#at;
    this.#at = lineEnd(text, start);
    const draft = this.#draft;
    // A comment inside a message does not belong to the next one.
    if (draft !== null && draft.strings.length === 0 && draft.isObsolete === this.#isObsolete) return;
    this.#finish();
    this.#untie(newlines);
    this.#comments ??= {
      start: this.#beginning(start),
      tied: false,
      isFuzzy: false,
      formatFlags: [],
      maxLength: null,
      extracted: [],
      translator: [],
    };
    const comments = this.#comments;
    const kind = text.charAt(text[start] === "#" ? start + 1 : start);
    if (kind === ".") {
      comments.extracted.push(text.slice(start + 2, this.#at).trim());
      this.#extractedSeen = true;
    } else if (kind === ",") {
      const flags = text.slice(start + 1, this.#at);
      comments.isFuzzy ||= /,[ \t]*fuzzy[ \t]*(?:,|$)/.test(flags);
      for (const [flag] of flags.matchAll(/(?<![^\s,])[a-z#+-]+-format(?![^\s,])/gu))
        comments.formatFlags.push(flag);
      const length = /,[ \t]*max-length:[ \t]*(\d{1,6})[ \t]*(?:,|$)/.exec(flags)?.[1];
      if (length !== undefined) comments.maxLength = Number(length);
    } else if (!/[:|=]/.test(kind)) {
      comments.translator.push(text.slice(start + 1, this.#at).trim());
      return;
    }
    comments.tied = true;
  }

  /** An empty line separates a translator's heading from the message. */
  #untie(newlines: number): void {
    if (newlines > 1 && this.#comments?.tied === false) this.#comments = null;
  }

  #keyword(start: number): void {
    const text = this.#text;
    KEYWORD.lastIndex = start;
    const found = KEYWORD.exec(text);
    if (found === null) {
      this.#at = lineEnd(text, start);
      // `domain` only sets the file that programs load the following messages from.
      const isIgnored = this.#isObsolete || text.startsWith("domain", start);
      if (!isIgnored) return this.#problem("neither a keyword nor a string nor a comment", start, this.#at);
      this.#finish();
      this.#comments = null;
      return;
    }
    const [, keyword, index] = found;
    const field = keyword === undefined ? "string" : FIELDS[keyword as keyof typeof FIELDS];
    this.#at = KEYWORD.lastIndex;
    const misplaced = this.#misplaced(field, index);
    if (misplaced !== null) this.#problem(misplaced, start, this.#at);
    this.#draft ??= this.#open(start);
    const string = this.#string();
    if (string === null) this.#problem("a keyword without its string", start, this.#at);
    else if (field === "string") this.#draft.strings.push(string);
    else this.#draft[field] = string;
  }

  /** Returns what is wrong with the field at this point, or `null`. Finishes the message if the field begins another. */
  #misplaced(field: Field | "string", index: string | undefined): string | null {
    const draft = this.#draft;
    if (field === "string") {
      if (draft === null || draft.id === null) return "`msgstr` without its `msgid`";
      const count = draft.strings.length;
      if (Number(index ?? 0) !== count) return "`msgstr` again, or out of order";
      if ((index === undefined) === (draft.plural === null)) return null;
      return index === undefined ? "a plural without `msgstr[0]`" : "`msgstr[]` without `msgid_plural`";
    }
    const isComplete = draft === null || draft.strings.length > 0;
    if (field === "plural") {
      const isInPlace = !isComplete && draft.id !== null && draft.plural === null;
      return isInPlace ? null : "`msgid_plural` in the wrong place";
    }
    if (isComplete || draft.id !== null || draft[field] !== null) this.#finish();
    return null;
  }

  #open(start: number): PartialMessage {
    const comments = this.#comments;
    const { extracted = [], translator = [] } = comments ?? {};
    const description = (extracted.length > 0 ? extracted : translator).join("\n").trim();
    this.#comments = null;
    const keywords = this.#beginning(start);
    return {
      start: comments?.start ?? keywords,
      keywords,
      isObsolete: this.#isObsolete,
      hasTranslatorComment: translator.length > 0 && description !== "",
      isFuzzy: comments?.isFuzzy ?? false,
      formatFlags: comments?.formatFlags ?? [],
      maxLength: comments?.maxLength ?? null,
      description: description === "" ? null : description,
      context: null,
      id: null,
      plural: null,
      strings: [],
    };
  }

  /** Returns the start of the line if only blanks and `#~` precede the offset; otherwise the offset itself. */
  #beginning(offset: number): number {
    const text = this.#text;
    let at = skipBlanksBefore(text, offset);
    if (text.startsWith("#~", at - 2)) at = skipBlanksBefore(text, at - 2);
    return at === 0 || isNewline(text.charCodeAt(at - 1)) ? at : offset;
  }

  /** Reads the string of a keyword, on this line and the following ones; `null` if there is none. */
  #string(): PoString | null {
    const isObsolete = this.#isObsolete;
    const pieces: string[] = [];
    let start = -1;
    let end = this.#at;
    for (;;) {
      this.#skipSpace();
      if (this.#text.charCodeAt(this.#at) !== 0x22 || this.#isObsolete !== isObsolete) break;
      if (start < 0) start = this.#at;
      pieces.push(this.#piece());
      end = this.#at;
    }
    this.#at = end;
    this.#isObsolete = isObsolete;
    return start < 0 ? null : { start, end, text: pieces.join(""), pieces: pieces.length };
  }

  /** Reads a text in quotes. */
  #piece(): string {
    const text = this.#text;
    const start = this.#at;
    const end = closingQuote(text, start);
    this.#at = end < 0 ? lineEnd(text, start) : end + 1;
    if (end < 0) this.#problem("a string without its closing quote", start, this.#at);
    return unescapePo(text.slice(start + 1, end < 0 ? this.#at : end));
  }

  #finish(): void {
    const draft = this.#draft;
    if (draft === null) return;
    this.#draft = null;
    const { isObsolete, hasTranslatorComment, ...fields } = draft;
    const { keywords, context, id, strings } = fields;
    const end = strings.at(-1)?.end;
    if (id === null || end === undefined) {
      const message = id === null ? "no `msgid`" : "no `msgstr`";
      if (!isObsolete) this.#report("syntax", message, keywords, id?.end ?? this.#at);
      return;
    }
    const message = { ...fields, id, end };
    if (id.text !== "" || context !== null) {
      (isObsolete ? this.#obsolete : this.#messages).push(message);
      this.#translatorSeen ||= hasTranslatorComment && !isObsolete;
    } else if (isObsolete) return;
    else if (this.#header === null) this.#header = message;
    else this.#report("duplicate", "a second header", keywords, end);
  }

  #problem(message: string, start: number, end: number): void {
    if (!this.#isObsolete) this.#report("syntax", message, start, end);
  }

  #report(code: "syntax" | "duplicate", message: string, start: number, end: number): void {
    if (code === "syntax") this.#isEditable = false;
    if (this.#problems.length < MAX_PROBLEMS) this.#problems.push({ code, message, span: { start, end } });
  }
}

/** Returns the offset of the closing quote of the string at `start`; `-1` if the line ends first. */
export function closingQuote(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) return at;
    if (code === 0x5c) at++;
    if (text.charCodeAt(at) === 0x0a) return -1;
  }
  return -1;
}

/** Returns the lines of its comments that still apply when the message is in use again. */
export function commentsOf(text: string, { start, keywords }: PoMessage): readonly string[] {
  return text
    .slice(start, keywords)
    .split(/\r\n|[\n\r]/u)
    .map((line) => (/^[ \t]*#,/u.test(line) ? withoutFuzzy(line) : line).trimEnd())
    .filter((line) => line.trim() !== "#" && !/^[ \t]*(?:#[~|]|$)/u.test(line));
}

/** Returns a line of flags without `fuzzy`; just `#` if that was the only flag. */
export function withoutFuzzy(line: string): string {
  return line.replace(/[ \t]*,[ \t]*fuzzy(?=[ \t]*(?:,|$))/u, "");
}
