/** A text in PHP: a whole string, with the values that stand in it. */
import type { Span } from "../../model/span.ts";
import { unescapePhp } from "../../scanners/lexers/literals.ts";
import {
  type AvoidedQuote,
  type Draft,
  type ExtractProject,
  type Part,
  phpCall,
  shifted,
  TRANSLATORS,
} from "./translation-call.ts";
import { parsePhp, pathTo, type Node } from "./parsers.ts";

/** Where only constants may stand, so that no call can. */
const CONSTANT =
  /^(?:property|propertystatement|classconstant|constant|constantstatement|parameter|enumcase|attribute|attrgroup|static|staticvariable|declare|declaredirective)$/;

/** `code`: with its opening tag. `null`: there is no text. */
export function phpDraft(
  code: string,
  selected: Span,
  project: ExtractProject,
  avoided: AvoidedQuote = "",
): Draft | null {
  const program = parsePhp(code);
  if (program === null) return null;
  const path = pathTo(program, selected);
  const at = path.findIndex(({ type }) => type === "encapsed" || type === "string");
  const literal = path[at];
  const parent = path[at - 1];
  const quote = code[literal?.start ?? 0] ?? "";
  if (literal === undefined || parent === undefined || !/["']/.test(quote) || code[literal.end - 1] !== quote)
    return null;
  if (path.slice(0, at).some(({ type }) => CONSTANT.test(type)) || isName(literal, parent)) return null;
  const before = code.slice(literal.start + 1, Math.max(selected.start, literal.start + 1));
  const after = code.slice(Math.min(selected.end, literal.end - 1), literal.end - 1);
  if (`${before}${after}`.trim() !== "") return null;
  const parts = partsOf(code, literal, quote);
  if (parts === null) return null;
  return {
    side: "php",
    parts,
    span: { start: literal.start, end: literal.end },
    codeFor: (key, values) => phpCall(project, key, values, avoided),
  };
}

interface PieceOptions {
  /** Else it is one expression, or arguments. */
  readonly isStatement?: boolean;
  /** The first argument is a name. */
  readonly isFirstName?: boolean;
  /** The quote of the attribute around it. */
  readonly avoided?: AvoidedQuote;
}

/** The same of a piece of PHP in a template. */
export function phpPieceDraft(
  text: string,
  piece: Span,
  selected: Span,
  project: ExtractProject,
  { isStatement = false, isFirstName = false, avoided = "" }: PieceOptions = {},
): Draft | null {
  const head = isStatement ? "<?php " : "<?php f(";
  const code = `${head}${text.slice(piece.start, piece.end)}${isStatement ? "" : ");"}`;
  const by = piece.start - head.length;
  const span = { start: selected.start - by, end: selected.end - by };
  if (isFirstName) {
    const path = pathTo(parsePhp(code) ?? EMPTY, span);
    const call = path.find(({ type }) => type === "call");
    const first = (call?.raw["arguments"] as readonly Partial<PhpLocated>[] | undefined)?.[0];
    if ((first?.loc?.end.offset ?? code.length) >= span.start) return null;
  }
  return shifted(phpDraft(code, span, project, avoided), by);
}

/** Whether the code is one expression. */
export function isPhpExpression(code: string): boolean {
  return parsePhp(`<?php f(${code});`)?.children.length === 1;
}

interface PhpLocated {
  readonly loc: { readonly end: { readonly offset: number } };
}

const EMPTY: Node = { type: "", start: 0, end: 0, raw: {}, children: [] };

/** Whether the literal names something: a member of an array, a file, the key of a text. */
function isName(literal: Node, { type, raw }: Node): boolean {
  const is = (name: string): boolean =>
    (raw[name] as { readonly loc?: { readonly start: { readonly offset: number } } } | null)?.loc?.start
      .offset === literal.start;
  if (type === "entry") return is("key");
  if (type === "offsetlookup") return is("offset");
  if (type === "include") return true;
  if (type !== "call") return false;
  const what = raw["what"] as { readonly name?: unknown; readonly offset?: { readonly name?: unknown } };
  const name = String(what.offset?.name ?? what.name).replace(/^.*\\/, "");
  return TRANSLATORS.test(name) || /^(?:define|defined|constant|function_exists|class_exists)$/.test(name);
}

function partsOf(code: string, { type, children, start, end }: Node, quote: string): Part[] | null {
  if (type === "string") return [unescapePhp(code.slice(start + 1, end - 1), quote)];
  const parts: Part[] = [];
  for (const part of children) {
    const [expression] = part.children;
    if (part.type !== "encapsedpart" || expression === undefined) return null;
    const given =
      expression.type === "string"
        ? unescapePhp(code.slice(part.start, part.end), quote)
        : valueOf(code, part, expression);
    if (given === null) return null;
    parts.push(given);
  }
  return parts;
}

function valueOf(code: string, part: Node, expression: Node): Part | null {
  const written = code.slice(expression.start, expression.end);
  if (code.startsWith("${", part.start)) {
    const name = /^\$\{(\w+)\}$/.exec(code.slice(part.start, part.end))?.[1];
    return name === undefined ? null : { code: `$${name}` };
  }
  if (!written.startsWith("$")) return null;
  // `"$user[name]"`: only within a string such a name needs no quotes.
  return { code: code[part.start] === "{" ? written : written.replace(/\[([A-Za-z_]\w*)\]$/, "['$1']") };
}
