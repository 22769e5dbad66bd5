/**
 * Finds text in code that users may read: words between tags, visible attributes, and literals that look like
 * sentences. The extraction decides which of them can be replaced.
 */
import type { ParserPlugins } from "../../formats/js/babel-parser.ts";
import type { Span } from "../../util/span.ts";
import { pythonSource, type Source } from "../../scanners/source-reader.ts";
import { frontMatter } from "../../scanners/svelte-and-astro-scanner.ts";
import { type Node, parseJavaScript, parsePhp } from "./syntax-tree-parsers.ts";
import { blankOutside } from "./extract-from-markup.ts";
import { pythonLiterals } from "./extract-from-python.ts";
import { parseTemplate, type TemplateExpression, type TemplateLanguage } from "./template-expressions.ts";

/** Attributes that are displayed or read out, and similarly named props of components. */
const VISIBLE_ATTRIBUTE =
  /^(?:alt|title|sub-?title|placeholder|label|caption|heading|header|tooltip|description|message|text|hint|summary|help(?:-?text)?|aria-(?:label|description|placeholder|roledescription|valuetext))$/i;
/** Elements whose text is code or invisible. */
const CODE_ELEMENT = /^(?:code|pre|kbd|samp|var|script|style|svg|path|noscript)$/i;
/** Calls and statements whose text is for developers. */
const DEVELOPER_CALL =
  /^(?:console|log(?:ger)?|debug|assert|describe|it|test|expect|invariant|warn(?:ing)?|error_log|trigger_error|throw|[A-Za-z]*(?:Error|Exception))$/i;
/** A capital letter and a second word. */
const SENTENCE = /^\p{Lu}[\p{L}\p{M}’']*[,:]? [^\s].*\p{Ll}|^\p{Lu}\p{L}+ \p{Ll}/u;
/** Characters of URLs, queries and markup. */
const NOT_A_SENTENCE = /[<>{};=\\]|:\/\/|^(?:SELECT|INSERT|UPDATE|DELETE) /;

/** Returns candidates in any order; they may overlap. */
export function scriptCandidates(code: string, plugins: ParserPlugins): readonly Span[] {
  const program = parseJavaScript(code, plugins);
  const found: Span[] = [];
  if (program !== null) walk(code, program, found, scriptNode);
  return found;
}

/** @param code with its opening tag */
export function phpCandidates(code: string): readonly Span[] {
  const program = parsePhp(code);
  const found: Span[] = [];
  if (program !== null) {
    walk(code, program, found, (text, { type, start, end }, add) => {
      if (!/^(?:string|encapsed)$/.test(type)) return true;
      if (isSentence(text.slice(start + 1, end - 1).replaceAll(/\{\$[^{}]*\}|\$[\w>[\]-]+/g, "x")))
        add({ start, end });
      return false;
    });
  }
  return found;
}

/** Python's calls and statements whose text is for developers or is code; `ValidationError` is for users. */
const PYTHON_DEVELOPER_CALL =
  /^(?:_?log(?:ger|ging)?|warnings|print|assert\w*|re|execute|raw|(?!ValidationError$)\w*(?:Error|Exception|Warning))$/i;

export function pythonCandidates(text: string): readonly Span[] {
  const source = pythonSource(text);
  return Array.from(pythonLiterals(source)).flatMap(({ span, contentSpan, quoteStart }) => {
    const content = text.slice(contentSpan.start, contentSpan.end).replaceAll(/\{[^{}]*\}/g, "x");
    return isSentence(content) && !isPythonDeveloperText(source, quoteStart) ? [span] : [];
  });
}

function isPythonDeveloperText({ code, brackets }: Source, at: number): boolean {
  let callStart = at;
  for (let open = brackets.enclosing(at); open !== -1; open = brackets.enclosing(open)) {
    const callee = /[\w.]+$/.exec(code.slice(Math.max(0, open - 100), open).trimEnd())?.[0] ?? "";
    if (callee.split(".").some((name) => PYTHON_DEVELOPER_CALL.test(name))) return true;
    callStart = open;
  }
  return /^\s*assert\b/.test(code.slice(code.lastIndexOf("\n", callStart) + 1, callStart));
}

export function markupCandidates(text: string, language: TemplateLanguage): readonly Span[] {
  const from = (language === "astro" ? frontMatter(text)?.after : undefined) ?? 0;
  const { expressions, masked, ranges } = parseTemplate(text, language, from);
  return ranges.flatMap((range) => {
    if (range.kind === "script") {
      if (!/^(?:vue|svelte|astro)$/.test(language)) return [];
      const isTyped = language === "astro" || /^tsx?$/.test(range.attributes.get("lang") ?? "");
      return scriptCandidates(blankOutside(text, range.span), [isTyped ? "typescript" : "jsx"]);
    }
    if (range.kind === "attribute") {
      const isShown = VISIBLE_ATTRIBUTE.test(text.slice(range.nameSpan.start, range.nameSpan.end));
      return isShown && hasWords(masked.slice(range.span.start, range.span.end)) ? [range.span] : [];
    }
    const span = { start: Math.max(range.span.start, from), end: range.span.end };
    return CODE_ELEMENT.test(range.tag) ? [] : splitAtStatements(masked, span, expressions);
  });
}

/** Splits a range at expressions other than values. */
function splitAtStatements(
  masked: string,
  span: Span,
  expressions: readonly TemplateExpression[],
): readonly Span[] {
  const found: Span[] = [];
  let { start } = span;
  const add = (end: number): void => {
    if (hasWords(masked.slice(start, end))) found.push({ start, end });
  };
  for (const expression of expressions) {
    if (expression.end <= span.start || expression.start >= span.end || expression.kind === "value") continue;
    add(expression.start);
    start = expression.end;
  }
  add(span.end);
  return found;
}

type NodeVisitor = (code: string, node: Node, add: (span: Span) => void) => boolean;

/** Returns whether the children are visited too. */
function walk(code: string, node: Node, found: Span[], visit: NodeVisitor): void {
  if (isDeveloperCall(code, node) || !visit(code, node, (span) => found.push(span))) return;
  for (const child of node.children) walk(code, child, found, visit);
}

const scriptNode: NodeVisitor = (code, node, add) => {
  const { type, raw, start, end } = node;
  switch (type) {
    case "JSXElement":
    case "JSXFragment": {
      const opening = raw["openingElement"] as { readonly name?: { readonly name?: unknown } } | undefined;
      if (CODE_ELEMENT.test(String(opening?.name?.name))) return false;
      textRuns(code, raw["children"] as readonly JsxChild[]).forEach(add);
      return true;
    }
    case "JSXAttribute": {
      const value = raw["value"] as (Span & { readonly type: string }) | null;
      const { name } = raw["name"] as { readonly name?: unknown };
      if (value?.type !== "StringLiteral") return true;
      if (VISIBLE_ATTRIBUTE.test(String(name)) && hasWords(code.slice(value.start, value.end)))
        add({ start: value.start, end: value.end });
      return false;
    }
    case "StringLiteral":
    case "TemplateLiteral": {
      const content = code.slice(start + 1, end - 1).replaceAll(/\$\{[^{}]*\}/g, "x");
      if (isSentence(content)) add({ start, end });
      return type === "TemplateLiteral";
    }
    default:
      return (
        !/^(?:Import|Export(?:All|Named)Declaration$|TS|JSXText)/.test(type) ||
        type === "ExportNamedDeclaration"
      );
  }
};

interface JsxChild extends Span {
  readonly type: string;
}

/** Returns runs of words and values without elements in between, from the first to the last words. */
function textRuns(code: string, children: readonly JsxChild[]): Span[] {
  const runs: JsxChild[][] = [[]];
  for (const child of children) {
    if (child.type === "JSXText") runs.at(-1)?.push(child);
    else if (child.type !== "JSXExpressionContainer") runs.push([]);
  }
  return runs.flatMap((run) => {
    const words = run.filter(({ start, end }) => code.slice(start, end).trim() !== "");
    const [first, last] = [words[0], words.at(-1)];
    const isText = hasWords(words.map(({ start, end }) => code.slice(start, end)).join(" "));
    return isText && first !== undefined && last !== undefined ? [{ start: first.start, end: last.end }] : [];
  });
}

function isDeveloperCall(code: string, { type, raw, start }: Node): boolean {
  if (/^throw(?:Statement)?$/i.test(type)) return true;
  if (!/^(?:Call|OptionalCall|New)Expression$|^(?:call|new)$/.test(type)) return false;
  const callee = (raw["callee"] ?? raw["what"]) as Partial<Span> | undefined;
  const from = callee?.start ?? start;
  const name = /^(?:new\s+)?\\?([\w$]+)/.exec(code.slice(from, from + 80))?.[1] ?? "";
  return DEVELOPER_CALL.test(name);
}

function isSentence(text: string): boolean {
  return text.length <= 1_000 && SENTENCE.test(text) && !NOT_A_SENTENCE.test(text);
}

/** Whether the text has a word of any language; masked expressions do not count. */
function hasWords(text: string): boolean {
  return /\p{L}{2}/u.test(text.replaceAll(/&\w+;/g, " "));
}
