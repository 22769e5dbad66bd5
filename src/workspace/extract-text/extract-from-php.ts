/** Extracts text from PHP: a complete string with its interpolated values. */
import { isTranslationFunction } from "../../scanners/function-calls/function-signatures.ts";
import type { Span } from "../../util/span.ts";
import { unescapePhp } from "../../scanners/lexers/php-strings.ts";
import {
  type AvoidedQuote,
  coversContent,
  type ExtractionDraft,
  type ProjectConventions,
  type TextPart,
  phpCall,
} from "./replacement-code.ts";
import { parsePhp, pathTo, type Node } from "./syntax-tree-parsers.ts";

/** Nodes in which only constants are allowed, so no calls. */
const CONSTANT_CONTEXT =
  /^(?:property|propertystatement|classconstant|constant|constantstatement|parameter|enumcase|attribute|attrgroup|static|staticvariable|declare|declaredirective)$/;

/**
 * Returns `null` if there is no text.
 * @param code with its opening tag
 */
export function phpDraft(
  code: string,
  selected: Span,
  project: ProjectConventions,
  avoided: AvoidedQuote = "",
): ExtractionDraft | null {
  const program = parsePhp(code);
  if (program === null) return null;
  const path = pathTo(program, selected);
  const literalIndex = path.findIndex(({ type }) => type === "encapsed" || type === "string");
  const literal = path[literalIndex];
  const parent = path[literalIndex - 1];
  if (literal === undefined || parent === undefined) return null;
  const quote = code[literal.start];
  if ((quote !== "'" && quote !== '"') || code[literal.end - 1] !== quote) return null;
  if (path.slice(0, literalIndex).some(({ type }) => CONSTANT_CONTEXT.test(type)) || isName(literal, parent))
    return null;
  if (!coversContent(code, { start: literal.start + 1, end: literal.end - 1 }, selected)) return null;
  const parts = stringParts(code, literal, quote);
  if (parts === null) return null;
  return {
    parts,
    span: { start: literal.start, end: literal.end },
    codeFor: (key, values) => phpCall(project, key, values, avoided),
  };
}

interface FragmentOptions {
  /** Whether the code is statements; otherwise it is one expression, or arguments. */
  readonly isStatement?: boolean;
  /** Whether the first argument is a name. */
  readonly isFirstName?: boolean;
  /** Quote of the attribute around the code. */
  readonly avoided?: AvoidedQuote;
}

/** Extracts text from a fragment of PHP in a template. */
export function phpFragmentDraft(
  text: string,
  fragment: Span,
  selected: Span,
  project: ProjectConventions,
  { isStatement = false, isFirstName = false, avoided = "" }: FragmentOptions = {},
): ExtractionDraft | null {
  const opening = isStatement ? "<?php " : "<?php f(";
  const code = `${opening}${text.slice(fragment.start, fragment.end)}${isStatement ? "" : ");"}`;
  const codeOffset = fragment.start - opening.length;
  const span = { start: selected.start - codeOffset, end: selected.end - codeOffset };
  if (isFirstName) {
    const path = pathTo(parsePhp(code) ?? EMPTY, span);
    const call = path.find(({ type }) => type === "call");
    const first = (call?.raw["arguments"] as readonly Partial<PhpLocated>[] | undefined)?.[0];
    if ((first?.loc?.end.offset ?? code.length) >= span.start) return null;
  }
  const draft = phpDraft(code, span, project, avoided);
  return (
    draft && { ...draft, span: { start: draft.span.start + codeOffset, end: draft.span.end + codeOffset } }
  );
}

/** Whether the code is a single expression. */
export function isPhpExpression(code: string): boolean {
  return parsePhp(`<?php (${code});`)?.children.length === 1;
}

interface PhpLocated {
  readonly loc: { readonly end: { readonly offset: number } };
}

const EMPTY: Node = { type: "", start: 0, end: 0, raw: {}, children: [] };

/** Whether the literal is a name: an array key, a file, or the key of a text. */
function isName(literal: Node, { type, raw }: Node): boolean {
  const isMember = (name: string): boolean =>
    (raw[name] as { readonly loc?: { readonly start: { readonly offset: number } } } | null)?.loc?.start
      .offset === literal.start;
  if (type === "entry") return isMember("key");
  if (type === "offsetlookup") return isMember("offset");
  if (type === "include") return true;
  if (type !== "call") return false;
  const callee = raw["what"] as { readonly name?: unknown; readonly offset?: { readonly name?: unknown } };
  const name = String(callee.offset?.name ?? callee.name).replace(/^.*\\/, "");
  return (
    isTranslationFunction(name) || /^(?:define|defined|constant|function_exists|class_exists)$/.test(name)
  );
}

function stringParts(
  code: string,
  { type, children, start, end }: Node,
  quote: "'" | '"',
): TextPart[] | null {
  if (type === "string") {
    const text = unescapePhp(code.slice(start + 1, end - 1), quote);
    return text === null ? null : [text];
  }
  const parts: TextPart[] = [];
  for (const part of children) {
    const [expression] = part.children;
    if (part.type !== "encapsedpart" || expression === undefined) return null;
    const value =
      expression.type === "string"
        ? unescapePhp(code.slice(part.start, part.end), quote)
        : interpolatedValue(code, part, expression);
    if (value === null) return null;
    parts.push(value);
  }
  return parts;
}

function interpolatedValue(code: string, part: Node, expression: Node): TextPart | null {
  const written = code.slice(expression.start, expression.end);
  if (code.startsWith("${", part.start)) {
    const name = /^\$\{(\w+)\}$/.exec(code.slice(part.start, part.end))?.[1];
    return name === undefined ? null : { code: `$${name}` };
  }
  if (!written.startsWith("$")) return null;
  // `"$user[name]"`: only inside a string does such a name need no quotes.
  return { code: code[part.start] === "{" ? written : written.replace(/\[([A-Za-z_]\w*)\]$/, "['$1']") };
}
