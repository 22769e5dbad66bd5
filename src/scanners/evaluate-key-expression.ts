/**
 * Evaluates the possible string values of an expression: literals, concatenations, templates, conditionals and
 * arrays. Executes nothing; for an unknown expression, only leading and trailing literal parts are known.
 */
import { cachedByObject } from "../model/maps.ts";
import type { Span } from "../model/span.ts";
import { skipSpace, wordEnd } from "./lexers/characters.ts";
import { constantsAt } from "./javascript/constant-resolution.ts";
import { phpInterpolation, unescapeJavaScript, unescapePhp, unescapePython } from "./lexers/literals.ts";
import { heredocAt, heredocEnd } from "./lexers/php-lexer.ts";
import {
  splitAtCommas,
  skipGroup,
  templateEnd,
  trimSpan,
  typeArgumentsEnd,
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

type Operator = Span & { readonly kind: OperatorKind };
type OperatorKind = "?" | ":" | "if" | "else" | "or" | "and" | "join" | "as" | "arrow" | "other";

/** Returns every possible string value of the expression; none for an empty range. */
export function readValues(source: Source, start: number, end: number): readonly ExpressionValue[] {
  return end - start > MAX_EXPRESSION_CHARACTERS
    ? [unknownValue(start, end)]
    : evaluate(source, start, end, 0);
}

/** Returns the text of the range if it is a single known literal, otherwise `null`. */
export function literalText(source: Source, span: Span): string | null {
  const values = readValues(source, span.start, span.end);
  const only = values[0];
  return values.length === 1 && only?.exact === true ? only.prefix : null;
}

function unknownValue(start: number, end: number): ExpressionValue {
  return { exact: false, prefix: "", suffix: "", start, end };
}

function evaluate(source: Source, from: number, to: number, depth: number): readonly ExpressionValue[] {
  const { start, end } = withoutAssertions(source, trimSpan(source, from, to));
  if (start >= end) return [];
  if (depth > MAX_DEPTH) return [unknownValue(start, end)];
  const operators = findOperators(source, start, end);
  if (operators.length === 0) return atom(source, start, end, depth + 1);
  if (operators.some((operator) => operator.kind === "arrow")) return [unknownValue(start, end)];

  const condition = operators.find((operator) => operator.kind === "if");
  if (condition !== undefined) {
    const otherwise = operators.find(({ kind }) => kind === "else");
    return [
      ...evaluate(source, start, condition.start, depth + 1),
      ...(otherwise === undefined ? [] : evaluate(source, otherwise.end, end, depth + 1)),
    ];
  }
  const question = operators.findIndex((operator) => operator.kind === "?");
  if (question !== -1) return conditional(source, operators, question, start, end, depth + 1);
  if (operators.some((operator) => operator.kind === "or")) {
    const values = split(operators, "or", start, end).flatMap((part) =>
      evaluate(source, part.start, part.end, depth + 1),
    );
    // `x || ""` does not add a key.
    return values.filter((value) => !value.exact || value.prefix !== "");
  }
  if (operators.some((operator) => operator.kind === "and")) {
    const last = split(operators, "and", start, end).at(-1);
    return last === undefined ? [] : evaluate(source, last.start, last.end, depth + 1);
  }
  if (operators.some((operator) => operator.kind === "other" || operator.kind === ":")) {
    return [unknownValue(start, end)];
  }
  const cast = operators.find((operator) => operator.kind === "as");
  if (cast !== undefined) return evaluate(source, start, cast.start, depth + 1);
  const parts = split(operators, "join", start, end).map((part) => {
    const values = evaluate(source, part.start, part.end, depth + 1);
    return values.length === 0 ? [unknownValue(start, end)] : values;
  });
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

/** `a ? b : c` (both branches) and PHP's `a ?: c`. */
function conditional(
  source: Source,
  operators: readonly Operator[],
  question: number,
  start: number,
  end: number,
  depth: number,
): readonly ExpressionValue[] {
  let nesting = 0;
  for (let index = question; index < operators.length; index++) {
    const operator = operators[index];
    if (operator === undefined) break;
    if (operator.kind === "?") nesting++;
    if (operator.kind !== ":" || --nesting > 0) continue;
    const then = trimSpan(source, operators[question]?.end ?? end, operator.start);
    const yes =
      then.start === then.end
        ? evaluate(source, start, operators[question]?.start ?? start, depth)
        : evaluate(source, then.start, then.end, depth);
    return [...yes, ...evaluate(source, operator.end, end, depth)];
  }
  return [unknownValue(start, end)];
}

function split(
  operators: readonly Operator[],
  kind: Operator["kind"],
  start: number,
  end: number,
): readonly Span[] {
  const parts: Span[] = [];
  let from = start;
  for (const operator of operators) {
    if (operator.kind !== kind) continue;
    parts.push({ start: from, end: operator.start });
    from = operator.end;
  }
  parts.push({ start: from, end });
  return parts;
}

/** Returns the operators of this nesting level in order. Member accesses and calls are part of an operand. */
function findOperators(source: Source, start: number, end: number): readonly Operator[] {
  const { code } = source;
  const php = source.dialect === "php";
  const python = source.dialect === "python";
  const found: Operator[] = [];
  let at = start;
  const add = (kind: Operator["kind"], length: number): void => {
    found.push({ kind, start: at, end: at + length });
    at += length;
  };
  while (at < end) {
    const after = skipGroup(source, at, end);
    if (after > at) {
      at = after;
      continue;
    }
    const char = code[at] ?? "";
    const next = code[at + 1] ?? "";
    switch (char) {
      case "?":
        if (python) add("other", 1);
        else if (next === "?") add("or", 2);
        else if (php && code.startsWith("?->", at)) at += 3;
        else if (!php && next === "." && !/\d/.test(code[at + 2] ?? "")) at += 2;
        else add("?", 1);
        break;
      case ":":
        if (php && next === ":") at += 2;
        else add(":", 1);
        break;
      case "|":
        add(next === "|" ? "or" : "other", next === "|" ? 2 : 1);
        break;
      case "&":
        add(next === "&" ? "and" : "other", next === "&" ? 2 : 1);
        break;
      case "+":
        add(php || next === "+" || next === "=" ? "other" : "join", 1);
        break;
      case ".":
        if (php && next !== "." && next !== "=" && !/\d/.test(next)) add("join", 1);
        else at++;
        break;
      case "=":
        add(next === ">" ? "arrow" : "other", next === ">" ? 2 : 1);
        break;
      case "-":
        if (php && next === ">") at += 2;
        else add("other", 1);
        break;
      case "~":
        // `~` concatenates strings only in Jinja templates.
        add(python ? "join" : "other", 1);
        break;
      case "<":
        if (php && code.startsWith("<<<", at)) {
          at = Math.min(heredocEnd(source.text, at) ?? at + 3, end);
          break;
        }
        add("other", 1);
        break;
      case ">":
      case "*":
      case "/":
      case "%":
      case "^":
        add("other", 1);
        break;
      default: {
        const stop = Math.min(wordEnd(code, at), end);
        const word = python ? PYTHON_WORDS.get(code.slice(at, Math.min(stop, at + 8))) : undefined;
        if (stop === at) at++;
        else if (word !== undefined) add(word, stop - at);
        else if (isOperatorWord(source, at, stop, start)) {
          const word = code.slice(at, stop);
          add(word === "as" || word === "satisfies" ? "as" : "other", stop - at);
        } else at = stop;
      }
    }
  }
  return found;
}

const PYTHON_WORDS: ReadonlyMap<string, OperatorKind> = new Map([
  ["if", "if"],
  ["else", "else"],
  ["or", "or"],
  ["and", "and"],
  ["not", "other"],
  ["in", "other"],
  ["is", "other"],
  ["await", "other"],
  ["lambda", "arrow"],
  ["for", "arrow"],
]);
const OPERATOR_WORDS = new Set(["as", "satisfies", "in", "instanceof"]);

function isOperatorWord(source: Source, at: number, end: number, start: number): boolean {
  if (at === start || source.dialect === "python" || !OPERATOR_WORDS.has(source.code.slice(at, end)))
    return false;
  return source.code[at - 1] !== ".";
}

/** Evaluates an operand: a literal, a parenthesised expression, an array of alternatives, or unknown. */
function atom(source: Source, start: number, end: number, depth: number): readonly ExpressionValue[] {
  const { code, text } = source;
  if (source.dialect === "php" && code.startsWith("<<<", start)) return [heredocValue(text, start, end)];
  if (source.dialect === "python" && code[start] !== "(") return pythonStrings(source, start, end);
  const after = skipGroup(source, start, end);
  if (after !== end) return named(source, start, end, depth);
  switch (code[start]) {
    case "(":
      return evaluate(source, start + 1, end - 1, depth);
    case "[":
      if (source.dialect === "php") return [unknownValue(start, end)];
      return splitAtCommas(source, start + 1, end - 1).flatMap((part) =>
        evaluate(source, part.start, part.end, depth),
      );
    case "`":
      return source.dialect === "javascript"
        ? template(source, start, end, depth)
        : [unknownValue(start, end)];
    case "'":
    case '"': {
      if (code[end - 1] !== code[start] || end - start < 2) return [unknownValue(start, end)];
      const raw = text.slice(start + 1, end - 1);
      if (source.dialect === "javascript") return [exactly(unescapeJavaScript(raw), start + 1, end - 1)];
      return [phpString(raw, code[start] ?? "", start, end)];
    }
    default:
      return [unknownValue(start, end)];
  }
}

/** Evaluates a name using the constants in scope. */
function named(source: Source, start: number, end: number, depth: number): readonly ExpressionValue[] {
  const expressions = source.dialect === "javascript" ? constantsAt(source, start, end) : null;
  if (expressions === null) return [unknownValue(start, end)];
  const read = constantValuesOf(source);
  const texts = new Map<string, ExpressionValue>();
  for (const span of expressions) {
    const values = span === null ? [unknownValue(start, end)] : constantAt(source, read, span, depth);
    for (const value of values) {
      const written = value.exact ? { written: value.written ?? { start: value.start, end: value.end } } : {};
      texts.set(`${value.exact}\0${value.prefix}\0${value.suffix}`, { ...value, ...written, start, end });
    }
  }
  read.left -= texts.size;
  return texts.size === 0 || read.left < 0 ? [unknownValue(start, end)] : [...texts.values()];
}

/** Returns the values of a constant, which is evaluated only once. */
function constantAt(
  source: Source,
  read: ConstantValues,
  span: Span,
  depth: number,
): readonly ExpressionValue[] {
  const offset = `${span.start}:${span.end}`;
  const known = read.values.get(offset);
  if (known !== undefined) return known;
  const nothing = [unknownValue(span.start, span.end)];
  // Unknown during evaluation, so that a self-reference terminates.
  read.values.set(offset, nothing);
  const values =
    span.end - span.start > MAX_EXPRESSION_CHARACTERS
      ? nothing
      : evaluate(source, span.start, span.end, depth);
  read.values.set(offset, values);
  return values;
}

function exactly(text: string, start: number, end: number): ExpressionValue {
  return { exact: true, prefix: text, suffix: "", start, end };
}

function phpString(raw: string, quote: string, start: number, end: number): ExpressionValue {
  const put = quote === '"' ? phpInterpolation(raw) : null;
  if (put === null) return exactly(unescapePhp(raw, quote), start + 1, end - 1);
  return {
    exact: false,
    prefix: unescapePhp(put.before, quote),
    suffix: unescapePhp(put.after, quote),
    start,
    end,
  };
}

/** Returns the text of the heredoc or nowdoc that fills the range, without the indentation of its last line. */
function heredocValue(text: string, start: number, end: number): ExpressionValue {
  const heredoc = heredocAt(text, start);
  if (heredoc === null || heredoc.end !== end || heredoc.body === null) return unknownValue(start, end);
  const { body, nowdoc } = heredoc;
  if (nowdoc) return { ...unknownValue(start, end), exact: true, prefix: body };
  return { ...phpString(body, '"', start, end), start, end };
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
    ? exactly(prefix, start, end)
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
  const { code, text } = source;
  if (templateEnd(source, start, end) !== end || code[end - 1] !== "`" || end - start < 2) {
    return [unknownValue(start, end)];
  }
  const parts: (readonly ExpressionValue[])[] = [];
  let from = start + 1;
  for (let at = from; at < end - 1; at++) {
    if (code.charCodeAt(at) !== 123) continue;
    const close = source.brackets.closing(at);
    if (close === -1) return [unknownValue(start, end)];
    parts.push([exactly(unescapeJavaScript(text.slice(from, at - 1)), from, at - 1)]);
    parts.push(orUnknown(evaluate(source, at + 1, close, depth), start, end));
    at = close;
    from = close + 1;
  }
  const last = exactly(unescapeJavaScript(text.slice(from, end - 1)), from, end - 1);
  return parts.length === 0 ? [last] : joined([...parts, [last]], start, end);
}

function orUnknown(
  values: readonly ExpressionValue[],
  start: number,
  end: number,
): readonly ExpressionValue[] {
  return values.length === 0 ? [unknownValue(start, end)] : values;
}

/** Returns every combination of the parts' values. */
function joined(
  parts: readonly (readonly ExpressionValue[])[],
  start: number,
  end: number,
): readonly ExpressionValue[] {
  const count = parts.reduce((product, part) => product * part.length, 1);
  let results: readonly ExpressionValue[] = [];
  for (const [index, part] of parts.entries()) {
    const values = count > MAX_COMBINATIONS && part.length > 1 ? [unknownValue(start, end)] : part;
    results = index === 0 ? values : results.flatMap((left) => values.map((right) => join(left, right)));
  }
  return results.map((value) => (value.exact ? value : { ...value, start, end }));
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
