/**
 * Parses an XLIFF document of any version into files, units and contents with their ranges: only its structure.
 * xliff-entries.ts interprets it, xliff-edit.ts changes it.
 */
import type { Problem } from "../format.ts";
import { type InlineNames, inlineNames } from "./xliff-inline-tags.ts";
import { decodeAttribute, XmlScanner } from "../xml-tokenizer.ts";
import type { Span } from "../../model/span.ts";

export type XliffVersion = "1.2" | "2.0";

/** An element, from its `<` to the end of its end tag; its content is between `tagEnd` and `innerEnd`. */
export interface Element extends Span {
  /** Offset after the `>` of the start tag. */
  tagEnd: number;
  /** Offset of the end tag; equal to `tagEnd` if the tag is self-closing. */
  innerEnd: number;
  end: number;
  /** Whether the element is a self-closing tag. */
  empty: boolean;
}

/** A `source` or `target`. */
export interface Content extends Element {
  /** Whether it contains anything other than characters. */
  marked: boolean;
}

/** A 1.2 `trans-unit`, or a 2.0 `segment` or `ignorable`. */
export interface Segment extends Element {
  readonly ignorable: boolean;
  source: Content | null;
  target: Content | null;
  /** 1.2: a new target is inserted after it (otherwise after the source). */
  segSource: Element | null;
}

export interface Note extends Element {
  readonly from: string | null;
}

export interface Unit extends Element {
  readonly id: string | null;
  /** 1.2 `resname`, 2.0 `name`; without one, the id. */
  readonly key: string | null;
  /** Whether the key is in an attribute of its own. */
  readonly named: boolean;
  /** Range of the attribute value that is the key. */
  readonly keySpan: Span;
  /** In characters. */
  readonly maxLength: number | null;
  readonly file: File;
  readonly parent: Element;
  readonly segments: Segment[];
  readonly notes: Note[];
  /** Whether part of it is not well-formed. */
  broken: boolean;
}

export interface File extends Element {
  /** 1.2 `original`, 2.0 `id`; `null` if there is none. */
  readonly namespace: string | null;
  readonly sourceLanguage: string | null;
  readonly targetLanguage: string | null;
  readonly units: Unit[];
  /** The element that the first unit is added to: 1.2 `body`, 2.0 the file itself. */
  body: Element | null;
}

export interface XliffDocument {
  readonly version: XliffVersion;
  readonly names: InlineNames;
  readonly root: Element | null;
  readonly files: readonly File[];
  readonly problems: Problem[];
  /** Whether the ranges are reliable; flaws inside a unit do not matter. */
  readonly sound: boolean;
}

/** The role of an element, as far as texts are concerned. */
type Kind =
  | "outside"
  | "root"
  | "file"
  | "body"
  | "unit"
  | "segment"
  | "content"
  | "inline"
  | "notes"
  | "note"
  | "other";

type KindsByName = Readonly<Record<string, Kind>>;

const UNITS_20: KindsByName = { unit: "unit", group: "body" };

/** The roles of XLIFF elements by parent and name; all others have no texts. */
const CHILDREN: Readonly<Record<XliffVersion, Readonly<Partial<Record<Kind, KindsByName>>>>> = {
  "1.2": {
    root: { file: "file" },
    file: { body: "body" },
    body: { "trans-unit": "unit", group: "body" },
    unit: { source: "content", target: "content", "seg-source": "content", note: "note" },
  },
  "2.0": {
    root: { file: "file" },
    file: UNITS_20,
    body: UNITS_20,
    unit: { segment: "segment", ignorable: "segment", notes: "notes" },
    segment: { source: "content", target: "content" },
    notes: { note: "note" },
  },
};

/** Maximum number of reported problems. */
const MAX_PROBLEMS = 100;
/** Number of open elements that are compared with a mismatched end tag. */
const RESCUE_DEPTH = 16;

interface Frame {
  readonly kind: Kind;
  readonly name: string;
  readonly nameStart: number;
  readonly element: Element | null;
}

const NO_CHARACTER = /[^\t\n\r\x20-\uFFFD]/;

/** Parses the structure of the text. Never throws. `fallback`: the version of a document that declares none. */
export function scanXliff(text: string, fallback: XliffVersion): XliffDocument {
  return new DocumentReader(text, fallback).read();
}

class DocumentReader {
  readonly #text: string;
  readonly #scanner: XmlScanner;
  readonly #stack: Frame[] = [];
  readonly #files: File[] = [];
  readonly #problems: Problem[] = [];
  #version: XliffVersion;
  #names: InlineNames;
  #prefix = "";
  #root: Element | null = null;
  #sound = true;
  #sourceLanguage: string | null = null;
  #targetLanguage: string | null = null;
  #file: File | null = null;
  #unit: Unit | null = null;
  #segment: Segment | null = null;
  #content: Content | null = null;

  constructor(text: string, fallback: XliffVersion) {
    this.#text = text;
    this.#scanner = new XmlScanner(text);
    this.#version = fallback;
    this.#names = inlineNames(fallback, "");
  }

  read(): XliffDocument {
    this.#walk();
    const open = this.#stack.at(-1);
    if (open !== undefined) {
      this.#unsound("the element does not end", open.nameStart, open.nameStart + open.name.length);
      for (const { element } of this.#stack)
        if (element !== null) close(element, this.#text.length, this.#text.length);
    }
    if (this.#root === null && this.#problems.length === 0)
      this.#problem("type", "not an XLIFF document", 0, Math.min(this.#text.length, 1));
    const control = this.#text.search(NO_CHARACTER);
    if (control >= 0) this.#flaw("a character that XML does not allow", control, control + 1);
    return {
      version: this.#version,
      names: this.#names,
      root: this.#root,
      files: this.#files,
      problems: this.#problems,
      sound: this.#sound && this.#root !== null,
    };
  }

  #walk(): void {
    const scanner = this.#scanner;
    for (;;) {
      const token = scanner.next();
      if (token === "end") return;
      if (scanner.malformed >= 0) this.#flaw("not well-formed", scanner.malformed, scanner.end);
      switch (token) {
        case "open":
          this.#open();
          break;
        case "empty":
          this.#empty();
          break;
        case "close":
          this.#close();
          break;
        case "text":
          if (this.#stack.length === 0) this.#outside();
          break;
        case "doctype":
          // Entity declarations are never processed, so a document that has some cannot be read correctly.
          if (scanner.subset)
            this.#unsound("a document type with declarations of its own", scanner.start, scanner.end);
          break;
        default:
          if (this.#content !== null) this.#content.marked = true;
      }
    }
  }

  #outside(): void {
    const { start, end } = this.#scanner;
    const at = this.#text.slice(start, end).search(/[^ \t\n\r]/);
    if (at >= 0) this.#unsound("text outside of the document", start + at, end);
  }

  #open(): void {
    const name = this.#name();
    const kind = this.#kindOf(name);
    const { nameStart } = this.#scanner;
    this.#stack.push({ kind, name, nameStart, element: this.#enter(kind, false) });
  }

  #empty(): void {
    const kind = this.#kindOf(this.#name());
    const element = this.#enter(kind, true);
    if (element !== null) this.#leave(kind, element, this.#scanner.end, this.#scanner.end);
  }

  #close(): void {
    const { start, end } = this.#scanner;
    const name = this.#name();
    const stack = this.#stack;
    const last = stack.length - 1;
    let at = last;
    const lowest = Math.max(0, last - RESCUE_DEPTH);
    while (at >= lowest && stack[at]?.name !== name) at--;
    if (at < lowest) {
      this.#unsound("an end tag without its start", start, end);
      return;
    }
    if (at < last) this.#unsound("an element does not end before this tag", start, end);
    for (let count = last - at; count >= 0; count--) {
      const frame = stack.pop();
      if (frame !== undefined && frame.element !== null) this.#leave(frame.kind, frame.element, start, end);
    }
  }

  /** Returns the name of the current tag, with its prefix. */
  #name(): string {
    return this.#text.slice(this.#scanner.nameStart, this.#scanner.nameEnd);
  }

  /** Returns the role of the current tag by its name and parent. */
  #kindOf(name: string): Kind {
    const parent = this.#stack.at(-1)?.kind ?? "outside";
    if (parent === "content" || parent === "inline") return "inline";
    if (parent === "outside") return this.#rootKind(name);
    if (!name.startsWith(this.#prefix)) return "other";
    const children = CHILDREN[this.#version][parent] ?? {};
    const local = name.slice(this.#prefix.length);
    return (Object.hasOwn(children, local) ? children[local] : null) ?? "other";
  }

  #rootKind(name: string): Kind {
    const { start, end } = this.#scanner;
    if (this.#root !== null) {
      this.#unsound("a second document", start, end);
      return "other";
    }
    const colon = name.indexOf(":");
    if (name.slice(colon + 1) === "xliff") {
      this.#prefix = name.slice(0, colon + 1);
      return "root";
    }
    this.#problem("type", "not an XLIFF document", start, end);
    return "other";
  }

  #enter(kind: Kind, empty: boolean): Element | null {
    const { start, end } = this.#scanner;
    const element = { start, tagEnd: end, innerEnd: end, end, empty };
    switch (kind) {
      case "root": {
        const version = this.#attribute("version");
        if (version !== null) this.#version = version.startsWith("1") ? "1.2" : "2.0";
        this.#names = inlineNames(this.#version, this.#prefix);
        this.#sourceLanguage = this.#attribute("srcLang");
        this.#targetLanguage = this.#attribute("trgLang");
        this.#root = element;
        return element;
      }
      case "file": {
        this.#file = this.#newFile(element);
        this.#files.push(this.#file);
        return this.#file;
      }
      case "body":
        if (this.#file !== null && this.#file.body === null) this.#file.body = element;
        return element;
      case "unit":
        return this.#newUnit(element);
      case "segment":
        return this.#newSegment(element, this.#name() === `${this.#prefix}ignorable`);
      case "content":
        return this.#newContent(element);
      case "note": {
        const from = this.#attribute("from") ?? this.#attribute("category");
        const about = this.#attribute("annotates") ?? this.#attribute("appliesTo");
        const note = { ...element, from: about === "target" ? about : from };
        this.#unit?.notes.push(note);
        return note;
      }
      case "inline":
        if (this.#content !== null) this.#content.marked = true;
        return null;
      default:
        return null;
    }
  }

  #leave(kind: Kind, element: Element, innerEnd: number, end: number): void {
    close(element, innerEnd, end);
    if (kind === "content") this.#content = null;
    else if (kind === "segment") this.#segment = null;
    else if (kind === "unit") {
      if (this.#version === "1.2" && this.#segment !== null) close(this.#segment, innerEnd, end);
      this.#unit = null;
      this.#segment = null;
    } else if (kind === "file") this.#file = null;
  }

  #newFile(element: Element): File {
    const isOld = this.#version === "1.2";
    const file: File = {
      ...element,
      namespace: namespaceOf(isOld ? this.#attribute("original") : this.#attribute("id"), this.#version),
      sourceLanguage: isOld ? this.#attribute("source-language") : this.#sourceLanguage,
      targetLanguage: isOld ? this.#attribute("target-language") : this.#targetLanguage,
      units: [],
      body: null,
    };
    if (!isOld) file.body = file;
    return file;
  }

  #newUnit(element: Element): Unit | null {
    const file = this.#file;
    const parent = this.#stack.at(-1)?.element ?? file;
    if (file === null || parent === null) return null;
    const named = this.#scanner.find(this.#version === "1.2" ? "resname" : "name");
    const id = this.#scanner.find("id");
    const name = named === undefined || named.valueEnd === named.valueStart ? undefined : named;
    const key = name ?? id;
    const unit: Unit = {
      ...element,
      id: this.#valueOf(id),
      key: this.#valueOf(key),
      named: name !== undefined,
      keySpan: { start: key?.valueStart ?? element.start, end: key?.valueEnd ?? element.tagEnd },
      maxLength: this.#maxLength(),
      file,
      parent,
      segments: [],
      notes: [],
      broken: false,
    };
    if (key === undefined) this.#problem("type", "a unit without a name", element.start, element.tagEnd);
    file.units.push(unit);
    this.#unit = unit;
    if (this.#version === "1.2") this.#newSegment(element, false);
    return unit;
  }

  #newSegment(element: Element, ignorable: boolean): Segment {
    const segment = { ...element, ignorable, source: null, target: null, segSource: null };
    this.#segment = segment;
    this.#unit?.segments.push(segment);
    return segment;
  }

  /**
   * Returns the maximum length. In 1.2, widths are pixels by default; those of 2.0 belong to an unsupported module.
   */
  #maxLength(): number | null {
    if (this.#version !== "1.2" || this.#attribute("size-unit") !== "char") return null;
    const width = this.#attribute("maxwidth") ?? "";
    return /^[1-9]\d{0,5}$/.test(width) ? Number(width) : null;
  }

  #newContent(element: Element): Element {
    const segment = this.#segment;
    const name = this.#name().slice(this.#prefix.length);
    const content: Content = { ...element, marked: false };
    if (segment !== null) {
      if (name === "seg-source") segment.segSource = content;
      else if (name === "source") segment.source ??= content;
      else segment.target ??= content;
    }
    this.#content = content;
    return content;
  }

  #attribute(name: string): string | null {
    return this.#valueOf(this.#scanner.find(name));
  }

  #valueOf(place: { readonly valueStart: number; readonly valueEnd: number } | undefined): string | null {
    return place === undefined ? null : decodeAttribute(this.#text.slice(place.valueStart, place.valueEnd));
  }

  /**
   * Reports text that is not well-formed: inside a unit only the unit becomes unreliable, elsewhere the whole
   * document.
   */
  #flaw(message: string, start: number, end: number): void {
    const truncated = end >= this.#text.length;
    if (this.#unit === null || truncated) this.#sound = false;
    else this.#unit.broken = true;
    this.#problem("syntax", message, start, end);
  }

  #unsound(message: string, start: number, end: number): void {
    this.#sound = false;
    this.#problem("syntax", message, start, end);
  }

  #problem(code: Problem["code"], message: string, start: number, end: number): void {
    if (this.#problems.length < MAX_PROBLEMS) this.#problems.push({ code, message, span: { start, end } });
  }
}

function close(element: Element, innerEnd: number, end: number): void {
  element.innerEnd = element.empty ? element.tagEnd : innerEnd;
  element.end = end;
}

/**
 * Decodes the id of a 2.0 file: a name token, in which other characters are written as `_xHHHH_`. `_` alone stands
 * for no namespace.
 */
function namespaceOf(original: string | null, version: XliffVersion): string | null {
  if (original === null || original === "" || (version === "2.0" && original === "_")) return null;
  if (version === "1.2") return original;
  return original.replaceAll(/_x([\dA-Fa-f]{4})_/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}
