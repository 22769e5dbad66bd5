/**
 * Evaluates the possible string values of an expression: literals, concatenations, templates, conditionals and
 * arrays. Executes nothing; for an unknown expression, only leading and trailing literal parts are known.
 */
import { cachedByObject } from "../util/maps.ts";
import type { Span } from "../util/span.ts";
import { constantsAt, constantsOf } from "./javascript/constant-resolution.ts";
import type { KnownExpression } from "./javascript/constants.ts";
import type { ExportedValue } from "./key-usage.ts";
import type { Dialect, Source, ValueSpan } from "./source-reader.ts";
import { indexWithin, skipSpace, typeArgumentsEnd, wordEnd } from "./lexers/characters.ts";
import { type PhpDelimiter, phpInterpolation, unescapePhp } from "./lexers/php-strings.ts";
import { unescapeJavaScript, unescapeMarkup, unescapePython } from "./lexers/string-literals.ts";
import { constantValue, matchResults } from "./php-constants.ts";
import { assignedValues } from "./php-variables.ts";
import { heredocAt, heredocEnd } from "./lexers/php-lexer.ts";

/** Bounds for hostile input: expressions beyond these are treated as unknown. */
const MAX_EXPRESSION_CHARACTERS = 4_000;
const MAX_DEPTH = 24;
const MAX_COMBINATIONS = 100;
const MAX_CONSTANT_VALUES = 5_000;

/**
 * A possible string value of an expression. The range is inside the quotes if exact, otherwise the complete
 * expression.
 */
export interface ExpressionValue extends Span {
  /** Whether `prefix` is the complete text. */
  readonly isExact: boolean;
  readonly prefix: string;
  readonly suffix: string;
  /** Range of the literal, if the value is that of a constant. */
  readonly literalSpan?: Span;
  /** Whether it is a value of a type, of which the code before may exclude some. */
  readonly isOfType?: true;
  /** As in `KeyUsage`. */
  readonly hasValues?: true;
  /** Whether the literal is in another file. */
  readonly isImported?: true;
}

/** Returns every possible string value of the expression; none for an empty range. */
export function readValues(source: Source, span: ValueSpan): readonly ExpressionValue[] {
  const { start, end, isPlain } = span;
  if (isPlain === true) {
    return [exactValue(unescapeMarkup(source.text.slice(start + 1, end - 1)), start + 1, end - 1)];
  }
  return end - start > MAX_EXPRESSION_CHARACTERS ? [unknownValue(span)] : evaluate(source, span, 0);
}

/** Returns the text of the range if it is a single known literal, otherwise `null`. */
export function literalText(source: Source, span: ValueSpan): string | null {
  const [only, ...others] = readValues(source, span);
  return others.length === 0 && only?.isExact === true ? only.prefix : null;
}

/** A value of which nothing is known. */
export function unknownValue({ start, end }: Span): ExpressionValue {
  return { isExact: false, prefix: "", suffix: "", start, end };
}

export function exactValue(text: string, start: number, end: number): ExpressionValue {
  return { isExact: true, prefix: text, suffix: "", start, end };
}

function evaluate(source: Source, untrimmed: Span, depth: number): readonly ExpressionValue[] {
  const span = withoutAssertions(source, source.trimSpan(untrimmed.start, untrimmed.end));
  const { start, end } = span;
  if (start >= end) return [];
  if (depth > MAX_DEPTH) return [unknownValue(span)];
  const operators = withoutTypes(findOperators(source, span));
  if (operators.length === 0) return evaluateOperand(source, span, depth + 1);
  const first = (kind: OperatorKind): Operator | undefined =>
    operators.find((operator) => operator.kind === kind);
  const valuesOf = (from: number, to: number): readonly ExpressionValue[] =>
    evaluate(source, { start: from, end: to }, depth + 1);
  const split = (kind: OperatorKind): readonly (readonly ExpressionValue[])[] => {
    const separators = operators.filter((operator) => operator.kind === kind);
    const starts = [start, ...separators.map((operator) => operator.end)];
    return starts.map((from, index) => valuesOf(from, separators[index]?.start ?? end));
  };
  if (first("arrow") !== undefined) return [unknownValue(span)];
  // An assignment yields the assigned value.
  if (operators[0]?.kind === "assign") return valuesOf(operators[0].end, end);
  const condition = first("if");
  if (condition !== undefined) {
    const otherwise = first("else");
    const alternatives = otherwise === undefined ? [] : valuesOf(otherwise.end, end);
    return [...valuesOf(start, condition.start), ...alternatives];
  }
  const question = first("?");
  if (question !== undefined) {
    const colon = colonOf(operators, question);
    if (colon === undefined) return [unknownValue(span)];
    // PHP's `a ?: c` yields its condition.
    const isShort = skipSpace(source.text, question.end) === colon.start;
    const then = isShort ? valuesOf(start, question.start) : valuesOf(question.end, colon.start);
    return [...then, ...valuesOf(colon.end, end)];
  }
  // `x || ""` does not add a key.
  if (first("or") !== undefined) {
    return split("or")
      .flat()
      .filter((value) => !value.isExact || value.prefix !== "");
  }
  const and = first("and");
  if (and !== undefined) return valuesOf(and.end, end);
  if (operators.some(({ kind }) => kind === "other" || kind === "assign" || kind === ":"))
    return [unknownValue(span)];
  const cast = first("as");
  if (cast === undefined) return joined(split("join"), span);
  const values = valuesOf(start, cast.start);
  const last = operators.findLast(({ kind }) => kind === "as") ?? cast;
  // `x as "a" | "b"` limits the values of x, while the name of a type may stand for all keys.
  const isNarrowed = /^as\s*\|?\s*["'`]/.test(source.code.slice(last.start, last.end + 20));
  if (!isNarrowed && values.every(({ isExact }) => isExact)) return values;
  const types = typeValues(source, { start: last.end, end }, depth + 1);
  return types.length > 0 && types.every(({ isExact }) => isExact)
    ? types.map((value) => ({ ...value, start, end }))
    : values;
}

/** Returns the operators without those in the types of assertions: `x as "a" | "b"`. */
function withoutTypes(operators: readonly Operator[]): readonly Operator[] {
  let isInType = false;
  return operators.filter(({ kind }) => {
    if (kind === "as") isInType = true;
    else if (kind !== "other") isInType = false;
    return !isInType || kind === "as";
  });
}

/** Strips TypeScript type assertions from an operand: `KEY!`, `<Key>"a"`. */
function withoutAssertions(source: Source, span: Span): Span {
  if (source.dialect !== "javascript") return span;
  const { code } = source;
  let { start, end } = span;
  while (code[end - 1] === "!" && end > start) end--;
  if (code[start] === "<") start = typeArgumentsEnd(code, start);
  return start === span.start && end === span.end ? span : source.trimSpan(start, end);
}

type OperatorKind = "?" | ":" | "if" | "else" | "or" | "and" | "join" | "as" | "arrow" | "assign" | "other";
type Operator = Span & { readonly kind: OperatorKind };

/** Returns the colon of the conditional that starts with the question mark. */
function colonOf(operators: readonly Operator[], question: Operator): Operator | undefined {
  let nesting = 0;
  return operators.find((operator) => {
    if (operator.kind === "?") nesting++;
    return operator.kind === ":" && operator.start > question.start && --nesting === 0;
  });
}

const TOKENS: Readonly<Record<Dialect, RegExp>> = {
  javascript: /\?\?|\?\.(?!\d)|\|\||&&|=>|\+[+=]|\.?[\w$\u0080-\uffff]+|[^]/y,
  php: /\?\?|\?->|->|::|\|\||&&|=>|[=!<>]=+|\.[.=\d]|[\w$\u0080-\uffff]+|[^]/y,
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
  php: new Map([...COMMON, [".", "join"], ["=", "assign"], ...others(".= == === != !== <= >=")]),
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
function findOperators(source: Source, { start, end }: Span): readonly Operator[] {
  const { code, dialect } = source;
  const tokens = TOKENS[dialect];
  const found: Operator[] = [];
  // A word at the start is an operand. Of Python's operators such as `not`, nothing is known either.
  let offset = wordEnd(code, start);
  while (offset < end) {
    const heredoc =
      dialect === "php" && code.startsWith("<<<", offset) ? heredocEnd(source.text, offset) : null;
    const groupEnd = heredoc ?? source.skipGroup(offset, end);
    if (groupEnd > offset) {
      offset = groupEnd;
      continue;
    }
    tokens.lastIndex = offset;
    const token = tokens.exec(code)?.[0] ?? " ";
    const kind = OPERATORS[dialect].get(token);
    if (kind !== undefined) found.push({ kind, start: offset, end: offset + token.length });
    offset += token.length;
  }
  return found;
}

/** Evaluates a literal, a parenthesised expression, an array of alternatives or a name; others are unknown. */
function evaluateOperand(source: Source, span: Span, depth: number): readonly ExpressionValue[] {
  const { code, text, dialect } = source;
  const { start, end } = span;
  const sign = code[start];
  if (dialect === "php" && code.startsWith("<<<", start)) return [heredocValue(text, span)];
  if (dialect === "python" && sign !== "(") return pythonStrings(source, span);
  const isGroup = source.skipGroup(start, end) === end;
  const content = { start: start + 1, end: end - 1 };
  if (isGroup && sign === "(") return evaluate(source, content, depth);
  // A PHP string with calls is a template in `code`.
  const quote = dialect === "php" ? text[start] : sign;
  if (isGroup && (quote === "'" || quote === '"') && code[end - 1] === sign && end - start > 1) {
    const raw = text.slice(content.start, content.end);
    return dialect === "php"
      ? [phpString(raw, quote, span, content)]
      : [exactValue(unescapeJavaScript(raw), content.start, content.end)];
  }
  if (dialect === "php") {
    const results = matchResults(source, span);
    if (results !== null) return results.flatMap((result) => evaluate(source, result, depth));
    const formatted = sprintfValues(source, span, depth);
    if (formatted !== null) return formatted;
    const assigned = assignedValues(source, span) ?? [constantValue(source, span) ?? []].flat();
    return constantValues(
      source,
      span,
      assigned.map((value) => ({ kind: "value", ...value })),
      depth,
    );
  }
  if (dialect !== "javascript") return [unknownValue(span)];
  if (!isGroup) return constantValues(source, span, constantsAt(source, span) ?? [], depth);
  if (sign === "`") return templateValues(source, span, depth);
  return sign === "["
    ? source.splitAtCommas(content.start, content.end).flatMap((part) => evaluate(source, part, depth))
    : [unknownValue(span)];
}

/** The values of a file's constants, by offset, which are evaluated only once. */
interface ConstantValues {
  readonly values: Map<string, readonly ExpressionValue[]>;
  /** Number of values that may still be read. */
  remaining: number;
}

const constantValuesOf = cachedByObject<Source, ConstantValues>(() => ({
  values: new Map(),
  remaining: MAX_CONSTANT_VALUES,
}));

/** Evaluates a name, path or call by what it may refer to; a call may also change the case of such a text. */
function constantValues(
  source: Source,
  { start, end }: Span,
  expressions: readonly KnownExpression[],
  depth: number,
): readonly ExpressionValue[] {
  const unknown = unknownValue({ start, end });
  const distinct = new Map<string, ExpressionValue>();
  for (const value of expressions.flatMap((each) => valuesOfKnown(source, each, depth) ?? [unknown])) {
    const { isExact, prefix, suffix, literalSpan = { start: value.start, end: value.end } } = value;
    const imported = value.isImported === true ? { isImported: value.isImported } : {};
    // A value of a type is also written elsewhere, where it is passed.
    const literal =
      isExact && value.isOfType !== true && value.isImported !== true ? { literalSpan } : imported;
    const id = `${isExact}\0${prefix}\0${suffix}`;
    if (distinct.has(id)) continue;
    distinct.set(id, { isExact, prefix, suffix, start, end, ...literal, ...ofType(value) });
  }
  const constants = constantValuesOf(source);
  constants.remaining -= distinct.size;
  if (constants.remaining < 0) return [unknown];
  return distinct.size === 0
    ? (changedCase(source, { start, end }, depth) ?? [unknown])
    : [...distinct.values()];
}

/** Returns the values of what a name refers to; `null` if unknown. */
function valuesOfKnown(
  source: Source,
  known: KnownExpression,
  depth: number,
): readonly ExpressionValue[] | null {
  switch (known?.kind) {
    case "value": {
      const values = constantValuesAt(source, known, depth);
      return known.isOfType === true ? values.map((value) => ({ ...value, isOfType: true })) : values;
    }
    case "text":
      return [{ ...exactValue(known.text, known.start, known.end), ...ofType(known) }];
    case "type": {
      const parts = source.code[known.start] === "`" ? templateParts(source, known.start) : null;
      if (parts === null || depth > MAX_DEPTH) return null;
      const values = parts.map((part) =>
        part.text === undefined
          ? typeValues(source, part, depth + 1)
          : [exactValue(part.text, part.start, part.end)],
      );
      return joined(values, known).map((value) => ({ ...value, isOfType: true }));
    }
    case "imported": {
      const texts = textsOf(known.value);
      const place = { start: known.start, end: known.end };
      return texts.map((text) =>
        text === null
          ? unknownValue(place)
          : { ...exactValue(text, place.start, place.end), ...ofType(known), isImported: true },
      );
    }
    case undefined:
      return null;
  }
}

/** Returns the text of an imported value, or those of the elements of a list, which are alternatives. */
function textsOf(value: ExportedValue): readonly (string | null)[] {
  if (typeof value === "string") return [value];
  if (value !== null && "anyOf" in value) return value.anyOf.flatMap(textsOf);
  return value !== null && "elements" in value ? value.elements.flatMap(textsOf) : [null];
}

function ofType({ isOfType }: { readonly isOfType?: boolean }): { readonly isOfType?: true } {
  return isOfType === true ? { isOfType } : {};
}

/** Evaluates a type: the literals that it consists of, without an empty one. */
function typeValues(source: Source, span: Span, depth: number): readonly ExpressionValue[] {
  const { start, end } = source.trimSpan(span.start, span.end);
  return constantValues(source, { start, end }, constantsOf(source).typesAt({ start, end }), depth).filter(
    ({ isExact, prefix }) => !isExact || prefix !== "",
  );
}

const CASES: ReadonlyMap<string, (text: string) => string> = new Map([
  ["toLowerCase", (text: string) => text.toLowerCase()],
  ["toUpperCase", (text: string) => text.toUpperCase()],
  ["toString", (text: string) => text],
]);

/** Evaluates `x.toLowerCase()` and its kin; `null` for anything else, or where x is not known. */
function changedCase(source: Source, { start, end }: Span, depth: number): readonly ExpressionValue[] | null {
  const found = /\??\.\s*(to\w+)\s*\(\s*\)$/.exec(source.code.slice(Math.max(start, end - 40), end));
  const change = CASES.get(found?.[1] ?? "");
  if (found === null || change === undefined || depth > MAX_DEPTH) return null;
  const values = evaluate(source, { start, end: end - found[0].length }, depth + 1);
  return values.every(({ isExact }) => isExact)
    ? values.map((value) => ({ ...exactValue(change(value.prefix), start, end), ...ofType(value) }))
    : null;
}

function constantValuesAt(source: Source, span: Span, depth: number): readonly ExpressionValue[] {
  const { values } = constantValuesOf(source);
  const id = `${span.start}:${span.end}`;
  const cached = values.get(id);
  if (cached !== undefined) return cached;
  const unknown = [unknownValue(span)];
  // Unknown during evaluation, so that a self-reference terminates.
  values.set(id, unknown);
  const found = span.end - span.start > MAX_EXPRESSION_CHARACTERS ? unknown : evaluate(source, span, depth);
  values.set(id, found);
  return found;
}

/** @param span range with the delimiters; `inner`: the range of an exact value */
function phpString(raw: string, delimiter: PhpDelimiter, span: Span, inner: Span): ExpressionValue {
  const literalParts = delimiter === "'" ? null : phpInterpolation(raw);
  if (literalParts === null) {
    const text = unescapePhp(raw, delimiter);
    return text === null ? unknownValue(span) : exactValue(text, inner.start, inner.end);
  }
  const prefix = unescapePhp(literalParts.before, delimiter) ?? "";
  const suffix = unescapePhp(literalParts.after, delimiter) ?? "";
  return { isExact: false, prefix, suffix, start: span.start, end: span.end };
}

const SPRINTF = /^\\?sprintf\s*\(/i;
/** A conversion, which may name its argument; `%s` and `%d` without a width insert it as it is. */
const CONVERSION = /%(?:%|(?:(\d{1,2})\$)?(?:([sd])|[^a-zA-Z%]{0,20}[a-zA-Z]))/g;

/** Evaluates the `sprintf` call that fills the range; `null` for any other expression. */
function sprintfValues(source: Source, span: Span, depth: number): readonly ExpressionValue[] | null {
  const head = SPRINTF.exec(source.code.slice(span.start, span.start + 40));
  const open = span.start + (head?.[0].length ?? 0) - 1;
  if (head === null || source.brackets.closing(open) !== span.end - 1) return null;
  const [format, ...values] = source.readArguments(open);
  if (format === undefined || depth > MAX_DEPTH) return [unknownValue(span)];
  return evaluate(source, format, depth + 1).flatMap(({ isExact, prefix: text }) => {
    if (!isExact) return [unknownValue(span)];
    const parts: (readonly ExpressionValue[])[] = [];
    let end = 0;
    let next = 0;
    for (const { 0: conversion, 1: number, 2: isPlain, index } of text.matchAll(CONVERSION)) {
      const literal = text.slice(end, index) + (conversion === "%%" ? "%" : "");
      parts.push([exactValue(literal, span.start, span.end)]);
      end = index + conversion.length;
      if (conversion === "%%") continue;
      const value = values[number === undefined ? next++ : Number(number) - 1];
      const isKnown = isPlain !== undefined && value !== undefined;
      parts.push(isKnown ? evaluate(source, value, depth + 1) : [unknownValue(span)]);
    }
    return joined([...parts, [exactValue(text.slice(end), span.start, span.end)]], span);
  });
}

/** Returns the text of the heredoc or nowdoc that fills the range, without the indentation of its last line. */
function heredocValue(text: string, span: Span): ExpressionValue {
  const heredoc = heredocAt(text, span.start);
  if (heredoc === null || heredoc.body === null) return unknownValue(span);
  const { body, nowdoc } = heredoc;
  return nowdoc ? exactValue(body, span.start, span.end) : phpString(body, "heredoc", span, span);
}

/** Evaluates one Python literal or several adjacent ones, which Python concatenates; anything else is unknown. */
function pythonStrings(source: Source, span: Span): readonly ExpressionValue[] {
  const { code, text } = source;
  const { start, end } = span;
  const parts: (readonly ExpressionValue[])[] = [];
  let offset = start;
  while (offset < end) {
    const open = wordEnd(code, offset);
    const sign = code[open] ?? "";
    const prefix = code.slice(offset, Math.min(open, offset + 3)).toLowerCase();
    if (open >= end || open - offset > 2 || !/^["'`]$/.test(sign) || prefix.includes("b")) break;
    const after = source.skipGroup(open, end);
    const quote = text[open] ?? "";
    const length = text.startsWith(quote.repeat(3), open) ? 3 : 1;
    if (code[after - 1] !== sign || after - open < 2 * length) break;
    const body = { start: open + length, end: after - length };
    const isRaw = prefix.includes("r");
    parts.push([sign === "`" ? formattedString(source, body, isRaw) : pythonString(text, body, isRaw)]);
    offset = skipSpace(text, after, end);
  }
  return offset < end || parts.length === 0 ? [unknownValue(span)] : joined(parts, span);
}

/** A character by its name, `\N{BULLET}`, which only Unicode's list of names could decode. */
const NAMED_CHARACTER = /(?<=(?<!\\)(?:\\\\)*)\\N\{[^}]*\}/;

function pythonString(text: string, { start, end }: Span, isRaw: boolean): ExpressionValue {
  const body = text.slice(start, end);
  const [first = "", ...others] = isRaw ? [body] : body.split(NAMED_CHARACTER);
  const prefix = unescapePython(first, isRaw);
  const last = others.at(-1);
  return last === undefined
    ? exactValue(prefix, start, end)
    : { isExact: false, prefix, suffix: unescapePython(last, isRaw), start, end };
}

/** Returns the literal parts of an f-string. */
function formattedString(source: Source, { start, end }: Span, isRaw: boolean): ExpressionValue {
  const { code, text } = source;
  const literalPart = (from: number, to: number): ExpressionValue => {
    const value = pythonString(text, { start: from, end: to }, isRaw);
    const withoutPairs = (part: string): string => part.replaceAll(/\{\{|\}\}/g, (pair) => pair.charAt(0));
    return { ...value, prefix: withoutPairs(value.prefix), suffix: withoutPairs(value.suffix) };
  };
  const open = indexWithin(code, "{", start, end);
  if (open === -1) return literalPart(start, end);
  const close = code.lastIndexOf("}", end - 1);
  if (close < open) return unknownValue({ start, end });
  const expression = unknownValue({ start: open, end: close + 1 });
  return join(join(literalPart(start, open), expression), literalPart(close + 1, end));
}

function templateValues(source: Source, span: Span, depth: number): readonly ExpressionValue[] {
  const parts = templateParts(source, span.start);
  if (parts === null) return [unknownValue(span)];
  const values = parts.map((part) =>
    part.text === undefined
      ? evaluate(source, part, depth).map((value) => numberOrBoolean(source, value))
      : [exactValue(part.text, part.start, part.end)],
  );
  return joined(values, span);
}

/** Returns the text of a number or boolean in a template, or the value itself. */
function numberOrBoolean({ code }: Source, value: ExpressionValue): ExpressionValue {
  const text = value.isExact ? "" : code.slice(value.start, Math.min(value.end, value.start + 20));
  return /^(?:\d+|true|false)$/.test(text) ? exactValue(text, value.start, value.end) : value;
}

/** A literal part of a template with its value, or an expression. */
interface TemplatePart extends Span {
  readonly text?: string;
}

/** Returns the parts of the template at the backtick; `null` if it is not closed. */
export function templateParts(source: Source, open: number): readonly TemplatePart[] | null {
  const { code, text } = source;
  const end = source.templateEnd(open, code.length) - 1;
  if (code[end] !== "`" || end === open) return null;
  const parts: TemplatePart[] = [];
  let start = open + 1;
  const addText = (to: number): unknown =>
    parts.push({ start, end: to, text: unescapeJavaScript(text.slice(start, to)) });
  const nextBrace = (): number => indexWithin(code, "{", start, end);
  for (let brace = nextBrace(); brace !== -1; brace = nextBrace()) {
    const close = source.brackets.closing(brace);
    if (close === -1) return null;
    addText(brace - 1);
    parts.push({ start: brace + 1, end: close });
    start = close + 1;
  }
  addText(end);
  return parts;
}

/** Returns every combination of the parts' values. */
function joined(parts: readonly (readonly ExpressionValue[])[], span: Span): readonly ExpressionValue[] {
  const count = parts.reduce((product, part) => product * Math.max(part.length, 1), 1);
  return parts
    .map((part) =>
      part.length === 0 || (part.length > 1 && count > MAX_COMBINATIONS) ? [unknownValue(span)] : part,
    )
    .reduce((results, values) => results.flatMap((left) => values.map((right) => join(left, right))))
    .map((value) => (value.isExact ? value : { ...value, ...span }));
}

function join(left: ExpressionValue, right: ExpressionValue): ExpressionValue {
  return {
    isExact: left.isExact && right.isExact,
    prefix: left.isExact ? left.prefix + right.prefix : left.prefix,
    suffix: right.isExact ? (left.isExact ? "" : left.suffix + right.prefix) : right.suffix,
    start: left.start,
    end: right.end,
    ...ofType({ isOfType: left.isOfType === true || right.isOfType === true }),
  };
}
