/**
 * Third-party parsers for extraction: Babel for JavaScript, which must be loaded first, php-parser, and parse5's
 * tokenizer for markup. Nothing is executed.
 */
import { type Token, Tokenizer, type TokenHandler, TokenizerMode } from "parse5";
import { Engine } from "php-parser";
import type { Span } from "../../util/span.ts";
import { parseModule, type ParserPlugins } from "../../formats/js/babel-parser.ts";

/** A node of a syntax tree, with its range in the code. */
export interface Node extends Span {
  /** The parser's node type. */
  readonly type: string;
  /** The parser's own node. */
  readonly raw: Readonly<Record<string, unknown>>;
  readonly children: readonly Node[];
}

const php = new Engine({ parser: { extractDoc: false, version: 805 }, ast: { withPositions: true } });

/** Shorter code is not cached. UTF-16 units. */
const MIN_CACHED_CHARACTERS = 1_000;
/** The last parsed code: all texts of a file are searched in the same code. */
let last: { readonly code: string; readonly dialect: string; readonly tree: Node | null } | null = null;

function cachedTree(code: string, dialect: string, parse: () => Node | null): Node | null {
  if (code.length < MIN_CACHED_CHARACTERS) return parse();
  if (last?.code !== code || last.dialect !== dialect) last = { code, dialect, tree: parse() };
  return last.tree;
}

type RawNode = Readonly<Record<string, unknown>>;
/** Returns type and range of a parser's node; `null` for any other value. */
type NodeReader = (raw: RawNode) => (Span & { readonly type: string }) | null;

/** Parses JavaScript; `null` if it is invalid. */
export function parseJavaScript(code: string, plugins: ParserPlugins): Node | null {
  return cachedTree(code, JSON.stringify(plugins), () =>
    nodeOf(parseModule(code, plugins).program, ({ type, start, end }) =>
      typeof type === "string" && typeof start === "number" ? { type, start, end: Number(end) } : null,
    ),
  );
}

/** Parses PHP with its opening tag; `null` if it is invalid. */
export function parsePhp(code: string): Node | null {
  return cachedTree(code, "php", () => {
    try {
      return nodeOf(php.parseCode(code, ""), ({ kind, loc }) => {
        const { start, end } = (loc ?? {}) as { start?: { offset: number }; end?: { offset: number } };
        if (typeof kind !== "string" || start === undefined || end === undefined) return null;
        return { type: kind, start: start.offset, end: end.offset };
      });
    } catch {
      return null;
    }
  });
}

function nodeOf(value: unknown, read: NodeReader): Node | null {
  if (typeof value !== "object" || value === null) return null;
  const raw = value as RawNode;
  const head = read(raw);
  return (
    head && {
      ...head,
      raw,
      // Created lazily: only one path of the tree is usually visited.
      get children() {
        return Object.values(raw)
          .flat()
          .flatMap((each) => nodeOf(each, read) ?? []);
      },
    }
  );
}

/** Returns the nodes from the root to the smallest one that contains the span. */
export function pathTo(root: Node, span: Span): Node[] {
  const path: Node[] = [];
  let node: Node | undefined = root;
  while (node !== undefined) {
    path.push(node);
    node = node.children.find(({ start, end }) => start <= span.start && end >= span.end);
  }
  return path;
}

/** A range in markup: between tags, an attribute's value within its quotes, or the content of a script. */
export type MarkupRange =
  | { readonly kind: "text"; readonly span: Span; readonly tag: string }
  | {
      readonly kind: "attribute";
      readonly span: Span;
      readonly nameSpan: Span;
      /** Empty if the value is unquoted. */
      readonly quote: '"' | "'" | "";
    }
  | {
      readonly kind: "script";
      readonly span: Span;
      readonly attributes: ReadonlyMap<string, string>;
    };

/** Tokenizer states for elements whose content is not markup. */
const TOKENIZER_STATES: ReadonlyMap<string, "SCRIPT_DATA" | "RAWTEXT" | "RCDATA"> = new Map([
  ["script", "SCRIPT_DATA"],
  ["style", "RAWTEXT"],
  ["iframe", "RAWTEXT"],
  ["title", "RCDATA"],
  ["textarea", "RCDATA"],
]);

/** Returns all ranges that may contain text or a script, in order. */
export function markupRanges(text: string): readonly MarkupRange[] {
  const ranges: MarkupRange[] = [];
  let run: { start: number; end: number } | null = null;
  let tag = "";
  let script: ReadonlyMap<string, string> | null = null;
  const endRun = (): void => {
    if (run === null) return;
    if (script !== null) ranges.push({ kind: "script", span: run, attributes: script });
    else if (!/^(?:style|iframe)$/.test(tag)) ranges.push({ kind: "text", span: run, tag });
    run = null;
  };
  const characters = ({ location }: Token.CharacterToken): void => {
    if (location === null) return;
    if (run === null) run = { start: location.startOffset, end: location.endOffset };
    else run.end = location.endOffset;
  };
  const tokenizer = tokenizerOf(characters, {
    other: endRun,
    onEndTag: () => {
      endRun();
      tag = "";
      script = null;
    },
    onStartTag: ({ tagName, attrs, location, selfClosing }) => {
      endRun();
      tag = tagName;
      for (const [name, { startOffset, endOffset }] of Object.entries(location?.attrs ?? {})) {
        const range = attributeAt(text.slice(startOffset, endOffset), startOffset, name.length);
        if (range !== null) ranges.push(range);
      }
      const mode = TOKENIZER_STATES.get(tagName);
      if (mode === undefined || selfClosing) return;
      tokenizer.state = TokenizerMode[mode];
      if (tagName === "script") script = new Map(attrs.map((each) => [each.name, each.value]));
    },
  });
  tokenizer.write(text, true);
  return ranges;
}

interface TagHandlers extends Pick<TokenHandler, "onStartTag" | "onEndTag"> {
  /** Called for anything but characters and tags. */
  readonly other: () => void;
}

const nothing = (): void => undefined;

function tokenizerOf(
  characters: TokenHandler["onCharacter"],
  { other, ...tags }: TagHandlers = { other: nothing, onStartTag: nothing, onEndTag: nothing },
): Tokenizer {
  return new Tokenizer(
    { sourceCodeLocationInfo: true },
    {
      onCharacter: characters,
      onWhitespaceCharacter: characters,
      onNullCharacter: characters,
      onComment: other,
      onDoctype: other,
      onEof: other,
      ...tags,
    },
  );
}

function attributeAt(written: string, offset: number, nameLength: number): MarkupRange | null {
  const sign = /^\s*=\s*(["']?)/.exec(written.slice(nameLength));
  if (sign === null) return null;
  const quote = (sign[1] ?? "") as '"' | "'" | "";
  const start = offset + nameLength + sign[0].length;
  const span = { start, end: offset + written.length - quote.length };
  return { kind: "attribute", span, nameSpan: { start: offset, end: offset + nameLength }, quote };
}

/** Decodes character references (`&amp;`), as between tags. */
export function decodeMarkup(text: string): string {
  if (!text.includes("&")) return text;
  let decoded = "";
  const tokenizer = tokenizerOf(({ chars }) => {
    decoded += chars;
  });
  // This state only interprets character references.
  tokenizer.state = TokenizerMode.RCDATA;
  tokenizer.write(text, true);
  return decoded;
}
