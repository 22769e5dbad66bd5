/**
 * Converts the content of an XLIFF `source` or `target` to a text and back:
 *
 * - Content without tags is decoded: `Fish &amp; &lt;b&gt;chips` is `Fish & <b>chips`.
 * - An inline tag of XLIFF is written in the text as in the file: `Hello <x id="NAME" equiv-text="{{ name }}"/>`.
 * - Characters that would look like such a tag have their `<` written as `&lt;` in the text too (and a literal `&lt;`
 *   there as `&amp;lt;`, and so on): `&lt;x id="1"/&gt;` in the file is `&lt;x id="1"/>` in the text.
 *
 * So a text by itself shows what is a tag, and the conversion is lossless in both directions. Only well-formed tags
 * with the name and required attribute of an inline element count as tags. If they are not balanced, all of them are
 * plain text, since no file could contain them as tags.
 */
import { decodeXml, encodeXml, type CharacterStyle, isSpace, XmlScanner } from "../xml/xml-tokenizer.ts";
import type { XliffNames } from "./xliff-names.ts";

/** A tag, or plain text that looks like one. `escapeLevel`: how many times its `<` is escaped; 0 for a `<`. */
interface TagLike {
  readonly escapeLevel: number;
  readonly start: number;
  readonly tag: InlineTag;
}

/** An inline tag. */
interface InlineTag {
  readonly kind: "open" | "close" | "empty";
  readonly name: string;
  /** The required attribute as written; empty for a closing tag. */
  readonly identity: string;
  readonly attributes: readonly string[];
  /** Offset after the `>`. */
  readonly end: number;
}

/**
 * Decoded content. `editable`: encoding the text restores the content. `flaw`: offset of the first part that is not
 * well-formed, or -1.
 */
export interface DecodedContent {
  readonly text: string;
  readonly editable: boolean;
  readonly flaw: number;
}

/** Converts content to a text. */
export function decodeContent(raw: string, names: XliffNames): DecodedContent {
  const scanner = new XmlScanner(raw);
  let text = "";
  let flaw = -1;
  let editable = true;
  let isPlain = true;
  let hasSections = false;
  for (let token = scanner.next(); token !== "end"; token = scanner.next()) {
    if (scanner.malformed >= 0 && flaw < 0) flaw = scanner.malformed;
    const { start, end } = scanner;
    if (token === "text") {
      const decoded = decodeXml(raw.slice(start, end));
      if (decoded.flaw >= 0 && flaw < 0) flaw = start + decoded.flaw;
      text += isPlain ? decoded.text : escapeTagLikes(decoded.text, tagLikesIn(decoded.text, names));
    } else if (token === "cdata") {
      hasSections = true;
      const plainText = withLineFeeds(raw.slice(scanner.nameStart, scanner.nameEnd));
      text += isPlain ? plainText : escapeTagLikes(plainText, tagLikesIn(plainText, names));
    } else if (token === "open" || token === "close" || token === "empty") {
      if (isPlain) text = escapeTagLikes(text, tagLikesIn(text, names));
      isPlain = false;
      editable &&= tagAt(raw, start + 1, names)?.end === end;
      text += withLineFeeds(raw.slice(start, end));
    } else {
      editable = false;
    }
  }
  // Characters next to a CDATA section could form a tag together with its content.
  editable &&= flaw < 0 && (isPlain || !hasSections);
  const tagLikes = isPlain ? tagLikesIn(text, names) : [];
  return { text: areBalanced(tagLikes) ? escapeTagLikes(text, tagLikes) : text, editable, flaw };
}

/** Plain text between tags, or a tag as written. */
type ContentPart = { readonly plainText: string } | { readonly tag: InlineTag; readonly raw: string };

/** A text encoded as XLIFF content. */
export interface EncodedContent {
  readonly raw: string;
  /** The plain text if there are no tags; otherwise `null`. */
  readonly plainText: string | null;
  /** Whether it has a tag that is in none of the known contents. */
  readonly hasUnknownTags: boolean;
  /** Whether a tag has an attribute with a prefix, which requires a namespace declaration. */
  readonly hasPrefixedAttributes: boolean;
}

/** Encodes a text as content. `known`: raw contents whose tags may be used. */
export function writeContent(
  text: string,
  names: XliffNames,
  newline: string,
  style: CharacterStyle,
  known: readonly string[],
): EncodedContent {
  const parts = splitInlineTags(text, names);
  const [only] = parts;
  if (parts.length === 1 && only !== undefined && "plainText" in only) {
    const { plainText } = only;
    return {
      raw: encodeXml(plainText, newline, style),
      plainText,
      hasUnknownTags: false,
      hasPrefixedAttributes: false,
    };
  }
  const allowed = new Map<string, ReadonlySet<string>>();
  for (const content of known) collectTags(content, names, allowed);
  let raw = "";
  let hasUnknownTags = false;
  let hasPrefixedAttributes = false;
  for (const part of parts) {
    if ("plainText" in part) {
      raw += encodeXml(part.plainText, newline, style);
      continue;
    }
    const { tag } = part;
    raw += newline === "\n" ? part.raw : part.raw.replaceAll("\n", newline);
    if (tag.kind === "close") continue;
    const attributes = allowed.get(signature(tag));
    if (attributes === undefined || tag.attributes.some((name) => !attributes.has(name)))
      hasUnknownTags = true;
    if (tag.attributes.some((name) => name.includes(":") && !name.startsWith("xml:")))
      hasPrefixedAttributes = true;
  }
  return { raw, plainText: null, hasUnknownTags, hasPrefixedAttributes };
}

function splitInlineTags(text: string, names: XliffNames): readonly ContentPart[] {
  const tagLikes = tagLikesIn(text, names);
  if (!areBalanced(tagLikes)) return [{ plainText: text }];
  const parts: ContentPart[] = [];
  let plainText = "";
  let at = 0;
  for (const { escapeLevel, start, tag } of tagLikes) {
    plainText += text.slice(at, start);
    if (escapeLevel > 0) {
      plainText += escapeLevel === 1 ? "<" : "&";
      at = start + (escapeLevel === 1 ? "&lt;" : "&amp;").length;
      continue;
    }
    parts.push({ plainText }, { tag, raw: text.slice(start, tag.end) });
    plainText = "";
    at = tag.end;
  }
  parts.push({ plainText: plainText + text.slice(at) });
  return parts;
}

function signature({ name, identity }: InlineTag): string {
  return `${name} ${identity}`;
}

function collectTags(raw: string, names: XliffNames, into: Map<string, ReadonlySet<string>>): void {
  for (let less = raw.indexOf("<"); less >= 0; less = raw.indexOf("<", less + 1)) {
    const tag = tagAt(raw, less + 1, names);
    if (tag === undefined) continue;
    const before = into.get(signature(tag)) ?? [];
    into.set(signature(tag), new Set([...before, ...tag.attributes]));
  }
}

function withLineFeeds(text: string): string {
  return text.replaceAll(/\r\n?/g, "\n");
}

/**
 * Whether this plain text needs escaping to be restored: its least escaped tags are balanced, so that they would
 * become tags once unescaped.
 */
function areBalanced(tagLikes: readonly TagLike[]): boolean {
  if (tagLikes.length === 0) return false;
  const lowestLevel = tagLikes.reduce((lowest, tagLike) => Math.min(lowest, tagLike.escapeLevel), Infinity);
  const open: string[] = [];
  for (const { escapeLevel, tag } of tagLikes) {
    if (escapeLevel !== lowestLevel) continue;
    if (tag.kind === "open") open.push(tag.name);
    else if (tag.kind === "close" && open.pop() !== tag.name) return false;
  }
  return open.length === 0;
}

function escapeTagLikes(plainText: string, tagLikes: readonly TagLike[]): string {
  let result = "";
  let at = 0;
  for (const { escapeLevel, start } of tagLikes) {
    result += plainText.slice(at, start) + (escapeLevel === 0 ? "&lt;" : "&amp;");
    at = start + 1;
  }
  return result + plainText.slice(at);
}

const LESS = /<|&(?:amp;)*lt;/g;

function tagLikesIn(text: string, names: XliffNames): readonly TagLike[] {
  const tagLikes: TagLike[] = [];
  if (!text.includes("<") && !text.includes("lt;")) return tagLikes;
  const less = new RegExp(LESS);
  for (let found = less.exec(text); found !== null; found = less.exec(text)) {
    const tag = tagAt(text, less.lastIndex, names);
    if (tag === undefined) continue;
    tagLikes.push({ escapeLevel: found[0].length >> 2, start: found.index, tag });
    less.lastIndex = tag.end;
  }
  return tagLikes;
}

/** Returns the inline tag whose `<` is directly before `at`; `undefined` if it is not well-formed. */
function tagAt(text: string, at: number, names: XliffNames): InlineTag | undefined {
  const { prefix, inlineTags } = names;
  const closing = text.charCodeAt(at) === 0x2f;
  const start = closing ? at + 1 : at;
  if (!text.startsWith(prefix, start)) return undefined;
  let end = start + prefix.length;
  while (isLower(text.charCodeAt(end))) end++;
  // One more character than any inline tag has.
  const name = text.slice(start + prefix.length, Math.min(end, start + prefix.length + 4));
  const required = inlineTags.get(name);
  if (required === undefined) return undefined;
  if (closing) {
    while (isSpace(text.charCodeAt(end))) end++;
    if (text.charCodeAt(end) !== 0x3e) return undefined;
    return { kind: "close", name, identity: "", attributes: [], end: end + 1 };
  }
  return openTag(text, end, name, required);
}

const ATTRIBUTE = /[ \t\n\r]+([A-Za-z][\w.:-]*)=(?:"([^"<]*)"|'([^'<]*)')/y;
const TAG_END = /[ \t\n\r]*(\/?)>/y;
/** More than any version defines. */
const MAX_ATTRIBUTES = 40;

function openTag(
  text: string,
  nameEnd: number,
  name: string,
  required: readonly string[],
): InlineTag | undefined {
  let identity: string | undefined;
  const attributes: string[] = [];
  ATTRIBUTE.lastIndex = nameEnd;
  TAG_END.lastIndex = nameEnd;
  for (let found = ATTRIBUTE.exec(text); found !== null; found = ATTRIBUTE.exec(text)) {
    const [, attribute = "", value = found[3] ?? ""] = found;
    const hasFlaw = value.includes("&") && decodeXml(value).flaw >= 0;
    if (hasFlaw || attributes.includes(attribute) || attributes.length > MAX_ATTRIBUTES) return undefined;
    attributes.push(attribute);
    if (required.includes(attribute)) identity ??= value;
    TAG_END.lastIndex = ATTRIBUTE.lastIndex;
  }
  const tagEnd = TAG_END.exec(text);
  if (tagEnd === null || identity === undefined) return undefined;
  return { kind: tagEnd[1] === "" ? "open" : "empty", name, identity, attributes, end: TAG_END.lastIndex };
}

function isLower(code: number): boolean {
  return code >= 0x61 && code <= 0x7a;
}
