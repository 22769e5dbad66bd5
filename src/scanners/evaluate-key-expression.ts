/**
 * Evaluates the possible string values of an expression: literals, concatenations, templates, conditionals and
 * arrays. Executes nothing; for an unknown expression, only leading and trailing literal parts are known.
 */
import { cachedByObject } from "../util/maps.ts";
import type { Span } from "../util/span.ts";
import { indexWithin, skipSpace, typeArgumentsEnd, wordEnd } from "./lexers/characters.ts";
import { constantsAt } from "./javascript/constant-resolution.ts";
import { phpInterpolation, unescapeJavaScript, unescapePhp, unescapePython } from "./lexers/literals.ts";
import { heredocAt, heredocEnd } from "./lexers/php-lexer.ts";
import {
  type Dialect,
  splitAtCommas,
  skipGroup,
  templateEnd,
  trimSpan,
  type Source,
} from "./lexed-source.ts";

/** Bounds for hostile input: expressions beyond these are treated as unknown. */
const MAX_EXPRESSION_CHARACTERS = 4_000;
const MAX_DEPTH = 24;
const MAX_COMBINATIONS = 16;
const MAX_CONSTANT_TEXTS = 5_000;

/**
 * A possible string value of an expression. The range is inside the quotes if exact, otherwise the complete
 * expression.
 */
export interface ExpressionValue extends Span {
  /** Whether `prefix` is the complete text. */
  readonly exact: boolean;
  /** Range of the literal, if the span is the name of a constant. */
  readonly written?: Span;
  readonly prefix: string;
  readonly suffix: string;
}

/** The constants of one file that have been evaluated, by offset. */
interface ConstantValues {
  readonly values: Map<string, readonly ExpressionValue[]>;
  /** Remaining number of values that may be evaluated. */
  left: number;
}

const constantValuesOf = cachedByObject<Source, ConstantValues>(() => {
  return { values: new Map(), left: MAX_CONSTANT_TEXTS };
});

/** Returns every possible string value of the expression; none for an empty range. */
export function readValues(source: Source, start: number, end: number): readonly ExpressionValue[] {
  return end - start > MAX_EXPRESSION_CHARACTERS
    ? [unknownValue(start, end)]
    : evaluate(source, start, end, 0);
}

/** Returns the possible values of a range. */
export type ReadValues = typeof readValues;

/** Returns the text of the range if it is a single known literal, otherwise `null`. */
export function literalText(source: Source, span: Span, read: ReadValues = readValues): string | null {
  const [only, ...others] = read(source, span.start, span.end);
  return others.length === 0 && only?.exact === true ? only.prefix : null;
}

/** A value of which nothing is known. */
export function unknownValue(start: number, end: number): ExpressionValue {
  return { exact: false, prefix: "", suffix: "", start, end };
}

export function exactValue(text: string, start: number, end: number): ExpressionValue {
  return { exact: true, prefix: text, suffix: "", start, end };
}

function evaluate(source: Source, from: number, to: number, depth: number): readonly ExpressionValue[] {
  const { start, end } = withoutAssertions(source, trimSpan(source, from, to));
  if (start >= end) return [];
  const unknown = [unknownValue(start, end)];
  if (depth > MAX_DEPTH) return unknown;
  const operators = findOperators(source, start, end);
  if (operators.length === 0) return atom(source, start, end, depth + 1);
  const first = (kind: OperatorKind): Operator | undefined =>
    operators.find((operator) => operator.kind === kind);
  const operand = (operandStart: number, operandEnd: number): readonly ExpressionValue[] =>
    evaluate(source, operandStart, operandEnd, depth + 1);
  if (first("arrow") !== undefined) return unknown;
  const condition = first("if");
  if (condition !== undefined) {
    const otherwise = first("else");
    const no = otherwise === undefined ? [] : operand(otherwise.end, end);
    return [...operand(start, condition.start), ...no];
  }
  const question = first("?");
  if (question !== undefined) {
    const colon = colonOf(operators, question);
    if (colon === undefined) return unknown;
    const then = trimSpan(source, question.end, colon.start);
    // PHP's `a ?: c`.
    const yes = then.start === then.end ? operand(start, question.start) : operand(then.start, then.end);
    return [...yes, ...operand(colon.end, end)];
  }
  if (first("or") !== undefined) {
    const values = split(operators, "or", start, end).flatMap((part) => operand(part.start, part.end));
    // `x || ""` does not add a key.
    return values.filter((value) => !value.exact || value.prefix !== "");
  }
  const and = operators.findLast(({ kind }) => kind === "and");
  if (and !== undefined) return operand(and.end, end);
  if (first("other") !== undefined || first(":") !== undefined) return unknown;
  const cast = first("as");
  if (cast !== undefined) return operand(start, cast.start);
  const parts = split(operators, "join", start, end).map((part) => operand(part.start, part.end));
  return joined(parts, start, end);
}

/** Strips TypeScript type assertions from an operand: `KEY!`, `<Key>"a"`. */
function withoutAssertions(source: Source, span: Span): Span {
  if (source.dialect !== "javascript") return span;
  const { code } = source;
  let { start, end } = span;
  while (code[end - 1] === "!" && end > start) end--;
  if (code[start] === "<") start = typeArgumentsEnd(code, start);
  return start === span.start && end === span.end ? span : trimSpan(source, start, end);
}

type OperatorKind = "?" | ":" | "if" | "else" | "or" | "and" | "join" | "as" | "arrow" | "other";
type Operator = Span & { readonly kind: OperatorKind };

/** Returns the colon of the conditional that starts with the first question mark. */
function colonOf(operators: readonly Operator[], question: Operator): Operator | undefined {
  let nesting = 0;
  return operators.find((operator) => {
    if (operator.kind === "?") nesting++;
    return operator.kind === ":" && operator.start > question.start && --nesting === 0;
  });
}

function split(
  operators: readonly Operator[],
  kind: OperatorKind,
  start: number,
  end: number,
): readonly Span[] {
  const between = operators.filter((operator) => operator.kind === kind);
  const starts = [start, ...between.map((operator) => operator.end)];
  return starts.map((from, index) => ({ start: from, end: between[index]?.start ?? end }));
}

const TOKENS: Readonly<Record<Dialect, RegExp>> = {
  javascript: /\?\?|\?\.(?!\d)|\|\||&&|=>|\+[+=]|\.?[\w$\u0080-\uffff]+|[^]/y,
  php: /\?\?|\?->|->|::|\|\||&&|=>|\.[.=\d]|[\w$\u0080-\uffff]+|[^]/y,
  python: /\|\||&&|=>|\+[+=]|[\w$\u0080-\uffff]+|[^]/y,
};
const COMMON: readonly (readonly [string, OperatorKind])[] = [
  ["?", "?"],
  [":", ":"],
  ["??", "or"],
  ["||", "or"],
  ["&&", "and"],
  ["=>", "arrow"],
  ...others("| & = - + ++ += < > * / % ^ ~ instanceof"),
];
/** The tokens that are operators; all others, such as member accesses, are part of an operand. */
const OPERATORS: Readonly<Record<Dialect, ReadonlyMap<string, OperatorKind>>> = {
  javascript: new Map([...COMMON, ["+", "join"], ["as", "as"], ["satisfies", "as"], ["in", "other"]]),
  php: new Map([...COMMON, [".", "join"], [".=", "other"]]),
  python: new Map([
    ...COMMON,
    ["+", "join"],
    // Concatenates strings in Jinja templates.
    ["~", "join"],
    ["if", "if"],
    ["else", "else"],
    ["or", "or"],
    ["and", "and"],
    ["lambda", "arrow"],
    ["for", "arrow"],
    ...others("? not in is await"),
  ]),
};

function others(tokens: string): readonly (readonly [string, OperatorKind])[] {
  return tokens.split(" ").map((token) => [token, "other"]);
}

/** Returns the operators of this nesting level in order. */
function findOperators(source: Source, start: number, end: number): readonly Operator[] {
  const { code, dialect } = source;
  const tokens = TOKENS[dialect];
  const found: Operator[] = [];
  // A word at the start is an operand, except in Python (`not x`).
  let at = dialect === "python" ? start : wordEnd(code, start);
  while (at < end) {
    const heredoc = dialect === "php" && code.startsWith("<<<", at) ? heredocEnd(source.text, at) : null;
    const group = heredoc ?? skipGroup(source, at, end);
    if (group > at) {
      at = group;
      continue;
    }
    tokens.lastIndex = at;
    const token = tokens.exec(code)?.[0] ?? " ";
    const kind = OPERATORS[dialect].get(token);
    if (kind !== undefined) found.push({ kind, start: at, end: at + token.length });
    at += token.length;
  }
  return found;
}

/** Evaluates an operand: a literal, a parenthesised expression, an array of alternatives, or unknown. */
function atom(source: Source, start: number, end: number, depth: number): readonly ExpressionValue[] {
  const { code, text, dialect } = source;
  const sign = code[start];
  if (dialect === "php" && code.startsWith("<<<", start)) return [heredocValue(text, start, end)];
  if (dialect === "python" && sign !== "(") return pythonStrings(source, start, end);
  const isGroup = skipGroup(source, start, end) === end;
  if (isGroup && sign === "(") return evaluate(source, start + 1, end - 1, depth);
  if (isGroup && (sign === "'" || sign === '"') && code[end - 1] === sign && end - start > 1) {
    const raw = text.slice(start + 1, end - 1);
    return dialect === "php"
      ? [phpString(raw, sign, start, end)]
      : [exactValue(unescapeJavaScript(raw), start + 1, end - 1)];
  }
  if (dialect !== "javascript") return [unknownValue(start, end)];
  if (!isGroup) return named(source, start, end, depth);
  if (sign === "`") return template(source, start, end, depth);
  return sign === "["
    ? splitAtCommas(source, start + 1, end - 1).flatMap((part) =>
        evaluate(source, part.start, part.end, depth),
      )
    : [unknownValue(start, end)];
}

/** Evaluates a name using the constants in scope. */
function named(source: Source, start: number, end: number, depth: number): readonly ExpressionValue[] {
  const expressions = constantsAt(source, start, end);
  if (expressions === null) return [unknownValue(start, end)];
  const constants = constantValuesOf(source);
  const distinct = new Map<string, ExpressionValue>();
  for (const span of expressions) {
    for (const value of span === null ? [unknownValue(start, end)] : constantAt(source, span, depth)) {
      const written = value.exact ? { written: value.written ?? { start: value.start, end: value.end } } : {};
      distinct.set(`${value.exact}\0${value.prefix}\0${value.suffix}`, { ...value, ...written, start, end });
    }
  }
  constants.left -= distinct.size;
  return distinct.size === 0 || constants.left < 0 ? [unknownValue(start, end)] : [...distinct.values()];
}

/** Returns the values of a constant, which is evaluated only once. */
function constantAt(source: Source, { start, end }: Span, depth: number): readonly ExpressionValue[] {
  const { values } = constantValuesOf(source);
  const id = `${start}:${end}`;
  const known = values.get(id);
  if (known !== undefined) return known;
  const unknown = [unknownValue(start, end)];
  // Unknown during evaluation, so that a self-reference terminates.
  values.set(id, unknown);
  const found = end - start > MAX_EXPRESSION_CHARACTERS ? unknown : evaluate(source, start, end, depth);
  values.set(id, found);
  return found;
}

function phpString(raw: string, quote: string, start: number, end: number): ExpressionValue {
  const put = quote === '"' ? phpInterpolation(raw) : null;
  if (put === null) return exactValue(unescapePhp(raw, quote), start + 1, end - 1);
  const [prefix, suffix] = [unescapePhp(put.before, quote), unescapePhp(put.after, quote)];
  return { exact: false, prefix, suffix, start, end };
}

/** Returns the text of the heredoc or nowdoc that fills the range, without the indentation of its last line. */
function heredocValue(text: string, start: number, end: number): ExpressionValue {
  const heredoc = heredocAt(text, start);
  if (heredoc === null || heredoc.end !== end || heredoc.body === null) return unknownValue(start, end);
  const { body, nowdoc } = heredoc;
  return nowdoc ? exactValue(body, start, end) : { ...phpString(body, '"', start, end), start, end };
}

/** Evaluates one Python literal or several adjacent ones, which Python concatenates; anything else is unknown. */
function pythonStrings(source: Source, start: number, end: number): readonly ExpressionValue[] {
  const { code, text } = source;
  const parts: (readonly ExpressionValue[])[] = [];
  let at = start;
  while (at < end) {
    const open = wordEnd(code, at);
    const sign = code[open] ?? "";
    const prefix = code.slice(at, Math.min(open, at + 3)).toLowerCase();
    if (open >= end || open - at > 2 || !/^["'`]$/.test(sign) || prefix.includes("b")) break;
    const after = skipGroup(source, open, end);
    const quote = text[open] ?? "";
    const length = after - open >= 6 && text.startsWith(quote.repeat(3), open) ? 3 : 1;
    if (code[after - 1] !== sign || after - open < 2 * length) break;
    const body = { start: open + length, end: after - length };
    const raw = prefix.includes("r");
    parts.push([sign === "`" ? formatted(source, body, raw) : pythonText(text, body, raw)]);
    at = skipSpace(text, after, end);
  }
  return at < end || parts.length === 0 ? [unknownValue(start, end)] : joined(parts, start, end);
}

/** A character by its name, `\N{BULLET}`, which only Unicode's list of names could decode. */
const NAMED_CHARACTER = /(?<=(?<!\\)(?:\\\\)*)\\N\{[^}]*\}/;

function pythonText(text: string, { start, end }: Span, raw: boolean): ExpressionValue {
  const body = text.slice(start, end);
  const [first = "", ...more] = raw ? [body] : body.split(NAMED_CHARACTER);
  const prefix = unescapePython(first, raw);
  const last = more.at(-1);
  return last === undefined
    ? exactValue(prefix, start, end)
    : { exact: false, prefix, suffix: unescapePython(last, raw), start, end };
}

/** Returns the literal parts of an f-string. */
function formatted(source: Source, { start, end }: Span, raw: boolean): ExpressionValue {
  const { code, text } = source;
  const plain = (from: number, to: number): ExpressionValue => {
    const value = pythonText(text, { start: from, end: to }, raw);
    const withoutPairs = (part: string): string => part.replaceAll(/\{\{|\}\}/g, (pair) => pair.charAt(0));
    return { ...value, prefix: withoutPairs(value.prefix), suffix: withoutPairs(value.suffix) };
  };
  const open = code.indexOf("{", start);
  if (open === -1 || open >= end) return plain(start, end);
  const close = code.lastIndexOf("}", end - 1);
  if (close < open) return unknownValue(start, end);
  return join(join(plain(start, open), unknownValue(open, close + 1)), plain(close + 1, end));
}

function template(source: Source, start: number, end: number, depth: number): readonly ExpressionValue[] {
  const parts = templateParts(source, start);
  if (parts === null) return [unknownValue(start, end)];
  const values = parts.map((part) =>
    typeof part.text === "string"
      ? [exactValue(part.text, part.start, part.end)]
      : evaluate(source, part.start, part.end, depth),
  );
  return values.length === 1 ? values.flat() : joined(values, start, end);
}

/** Returns the parts of the template at the backtick: those with a text, and expressions; `null` if it is not closed. */
export function templateParts(
  source: Source,
  open: number,
): readonly (Span & { readonly text?: string })[] | null {
  const { code, text } = source;
  const end = templateEnd(source, open, code.length) - 1;
  if (code[end] !== "`" || end === open) return null;
  const parts: (Span & { readonly text?: string })[] = [];
  let from = open + 1;
  const addText = (to: number): unknown =>
    parts.push({ start: from, end: to, text: unescapeJavaScript(text.slice(from, to)) });
  const nextBrace = (): number => indexWithin(code, "{", from, end);
  for (let brace = nextBrace(); brace !== -1; brace = nextBrace()) {
    const close = source.brackets.closing(brace);
    if (close === -1) return null;
    addText(brace - 1);
    parts.push({ start: brace + 1, end: close });
    from = close + 1;
  }
  addText(end);
  return parts;
}

/** Returns every combination of the parts' values. */
function joined(
  parts: readonly (readonly ExpressionValue[])[],
  start: number,
  end: number,
): readonly ExpressionValue[] {
  const count = parts.reduce((product, part) => product * Math.max(part.length, 1), 1);
  return parts
    .map((part) =>
      part.length === 0 || (part.length > 1 && count > MAX_COMBINATIONS) ? [unknownValue(start, end)] : part,
    )
    .reduce((results, values) => results.flatMap((left) => values.map((right) => join(left, right))))
    .map((value) => (value.exact ? value : { ...value, start, end }));
}

function join(left: ExpressionValue, right: ExpressionValue): ExpressionValue {
  return {
    exact: left.exact && right.exact,
    prefix: left.exact ? left.prefix + right.prefix : left.prefix,
    suffix: right.exact ? (left.exact ? "" : left.suffix + right.prefix) : right.suffix,
    start: left.start,
    end: right.end,
  };
}
