/**
 * printf directives and Python's braces as the programming languages define them, judged like `msgfmt --check-format` does.
 * A text that is no valid format string has a syntax error; generic printf placeholders are in placeholders.ts.
 */
import { type Span, spanOf } from "../util/span.ts";
import type { Placeholder } from "./placeholder.ts";

export type PrintfLanguage = "c" | "php" | "python" | "javascript";

/** The arguments that a format string takes, in order, repeated ones included. */
export interface FormatString {
  readonly arguments: readonly Placeholder[];
  /** What makes the whole text invalid: a lone `%`, an unknown conversion, a mixture of notations. */
  readonly error: Span | null;
}

/** The kind of a directive that takes any value: Python's `%.0s`, JavaScript's `%j`. */
export const ANY_KIND = "any";

/** One directive: what it takes from the arguments, and its conversion. */
interface Directive {
  /** The explicit number or name. */
  readonly argument: string | undefined;
  /** Width and precision that take an argument: `*`, `*2$`. */
  readonly stars: readonly string[];
  /** The kind of value; `null` if it takes none (`%%`). */
  readonly kind: string | null;
}

const SYNTAX: Readonly<Record<PrintfLanguage, RegExp>> = {
  c: /%(?:(\d+)\$)?[ +\-#0'I]*(\*(?:\d+\$)?|\d*)(?:\.(\*(?:\d+\$)?|\d*))?(?:<PRI([dioxXu])((?:LEAST|FAST)?(?:8|16|32|64)|MAX|PTR)>|(hh?|ll?|[LqjzZt]|wf?(?:8|16|32|64))?([%mcCsSiduoxXbeEfFgGaApn]))/uy,
  php: /%(?:%|(?:(\d+)\$)?(?:[0 -]|'[^])*\d*(?:\.\d+)?l?([bduoxXeEfFgGhHcs]))/uy,
  python:
    /%(?:\(((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\))?[-+ #0]*(\*|\d*)(?:\.(\*|\d*))?[hlL]?([%csriduoxXeEfgG])/uy,
  javascript: /%(?:(\d+)\$)?[-+ 0I]*\d*(?:\.\d+)?([%csbdoxXfj])/uy,
};

/** Parses a source text or a translation. Linear in its length. */
export function parseFormatString(
  language: PrintfLanguage,
  text: string,
  isTranslation: boolean,
): FormatString {
  const found: Placeholder[] = [];
  const kinds = new Map<string, string>();
  const pattern = SYNTAX[language];
  let next = 1;
  let isNumbered = false;
  for (let at = text.indexOf("%"); at !== -1; at = text.indexOf("%", pattern.lastIndex)) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    const error = { start: at, end: Math.min(text.length, at + 2) };
    // Only a translation may ask for the digits of its language.
    const isRefused = language === "c" && !isTranslation && /^%(?:\d+\$)?[ +\-#0']*I/u.test(match?.[0] ?? "");
    if (match === null || isRefused) return { arguments: found, error };
    const span = spanOf(match);
    const { argument, stars, kind } = DIRECTIVES[language](match);
    const taken = stars.map((star) => ({ argument: /\d+/u.exec(star)?.[0], kind: "d" }));
    if (kind !== null) taken.push({ argument, kind });
    for (const each of taken) {
      isNumbered ||= each.argument !== undefined;
      const isMixed = isNumbered && (each.argument === undefined || next > 1);
      if ((isMixed && language !== "php") || (isNumber(each.argument) && Number(each.argument) === 0)) {
        return { arguments: found, error: span };
      }
      // A named argument is another one than that with the number.
      const isPositional = language === "python" && each.argument === undefined;
      const name = each.argument ?? `${isPositional ? "#" : ""}${next++}`;
      const kindBefore = kinds.get(name) ?? ANY_KIND;
      const known = kindBefore === ANY_KIND ? each.kind : kindBefore;
      if (each.kind !== known && each.kind !== ANY_KIND) return { arguments: found, error: span };
      kinds.set(name, known);
      found.push({ name, kind: each.kind, text: match[0], ...span });
    }
  }
  const error = language === "c" ? skippedArgument(found) : null;
  return { arguments: found.map((one) => ({ ...one, kind: kinds.get(one.name) ?? one.kind })), error };
}

/** C cannot skip a numbered argument, since the size of each has to be known. */
function skippedArgument(found: readonly Placeholder[]): Span | null {
  const names = new Set(found.map(({ name }) => Number(name)));
  return found.find(({ name }) => Number(name) > names.size) ?? null;
}

function isNumber(argument: string | undefined): boolean {
  return argument !== undefined && /^\d+$/u.test(argument);
}

const DIRECTIVES: Readonly<Record<PrintfLanguage, (match: RegExpExecArray) => Directive>> = {
  c: ([, argument, width = "", precision = "", macro, macroSize, size = "", conversion = ""]) => ({
    argument,
    stars: [width, precision].filter((each) => each.startsWith("*")),
    kind: macro === undefined ? kindInC(conversion, size) : kindInC(macro, macroSize ?? ""),
  }),
  php: ([, argument, conversion]) => ({
    argument,
    stars: [],
    kind: conversion === undefined ? null : kindOf(conversion),
  }),
  python: ([, name, width = "", precision = "", conversion = ""]) => ({
    argument: name,
    stars: [width, precision].filter((each) => each === "*"),
    kind:
      conversion === "%"
        ? null
        : /^0+$/u.test(precision) && "sr".includes(conversion)
          ? ANY_KIND
          : kindOf(conversion),
  }),
  javascript: ([, argument, conversion = ""]) => ({
    argument,
    stars: [],
    kind: conversion === "%" ? null : conversion === "j" ? ANY_KIND : kindOf(conversion),
  }),
};

/** Returns the kind of value that a conversion formats, where the language has one type of integers. */
function kindOf(conversion: string): string {
  if ("bdiuoxX".includes(conversion)) return "d";
  if ("eEfFgGhH".includes(conversion)) return "f";
  return conversion === "r" ? "s" : conversion;
}

/** Returns the C type of an argument. Sizes that a conversion does not have are ignored, like by msgfmt. */
function kindInC(conversion: string, size: string): string | null {
  if ("%m".includes(conversion)) return null;
  if (conversion === "C" || conversion === "S") return `l${conversion.toLowerCase()}`;
  const isLong = ["ll", "L", "q"].includes(size);
  if (conversion === "c" || conversion === "s") return isLong || size === "l" ? `l${conversion}` : conversion;
  const integerSize = new Map([
    ["q", "ll"],
    ["L", "ll"],
    ["Z", "z"],
  ]).get(size);
  if ("diouxXbn".includes(conversion)) {
    const type = conversion === "n" ? "n" : "di".includes(conversion) ? "d" : "u";
    return (integerSize ?? size) + type;
  }
  if ("eEfFgGaA".includes(conversion)) return isLong ? "llf" : "f";
  return conversion;
}

const FIELD_NAME = String.raw`(?:[A-Za-z_]\w*|\d+)(?:\.[A-Za-z_]\w*|\[(?:[A-Za-z_]\w*|\d+)\])*`;
/** The format specifiers of PEP 3101, or a single nested field. */
const STANDARD_FORMAT = String.raw`(?:\{${FIELD_NAME}\}|(?:[^{}]?[<>=^])?[-+ ]?#?0?\d*(?:\.\d+)?[bcdoxXneEfFgG%]?)`;
const STANDARD_FIELD = new RegExp(String.raw`\{(${FIELD_NAME})?(?::${STANDARD_FORMAT})?\}`, "uy");
const ANY_FIELD = new RegExp(
  String.raw`\{(${FIELD_NAME})?(?:![rsa])?(?::(?:[^{}]|\{(?:${FIELD_NAME})?(?:![rsa])?\}){0,200})?\}`,
  "uy",
);

/**
 * Parses the fields of Python's `str.format`: `{name}`, `{0}`, `{}`, `{count:d}`, `{folder!r}`, `{user.name}`, in linear
 * time. `msgfmt` also has to know the format after the colon; where `notation`, the source text, has notations that it does
 * not know (`!r`, `{price:,.2f}`), all of Python's are allowed.
 */
export function parseBraces(text: string, notation: string = text): FormatString {
  const standard = parseFields(STANDARD_FIELD, notation);
  return parseFields(standard.error === null ? STANDARD_FIELD : ANY_FIELD, text);
}

function parseFields(field: RegExp, text: string): FormatString {
  const found: Placeholder[] = [];
  const first: { named?: Span; unnamed?: Span } = {};
  let next = 0;
  for (let at = text.indexOf("{"); at !== -1;) {
    if (text[at + 1] === "{") {
      at = text.indexOf("{", at + 2);
      continue;
    }
    field.lastIndex = at;
    const match = field.exec(text);
    if (match === null) return { arguments: found, error: { start: at, end: at + 1 } };
    const span = spanOf(match);
    const name = match[1];
    if (name === undefined) first.unnamed = span;
    else if (/^\d/u.test(name)) first.named = span;
    // Python does not allow both automatic and explicit numbers.
    if (first.named !== undefined && first.unnamed !== undefined) return { arguments: found, error: span };
    found.push({ name: name ?? String(next++), kind: "", text: match[0], ...span });
    at = text.indexOf("{", span.end);
  }
  return { arguments: found, error: null };
}
