/**
 * Fields of Python's `str.format`: `{name}`, `{0}`, `{}`, `{count:d}`, `{folder!r}`, `{user.name}`. Judged like
 * `msgfmt --check-format` does, which also has to know the format after the colon; where the source text has
 * notations that it does not know (`!r`, `{price:,.2f}`), all of Python's are allowed.
 */
import { type Span, spanOf } from "../util/span.ts";
import type { FormatString } from "./printf-formats.ts";
import type { Placeholder } from "./placeholder.ts";

const NAME = String.raw`(?:[A-Za-z_]\w*|\d+)(?:\.[A-Za-z_]\w*|\[(?:[A-Za-z_]\w*|\d+)\])*`;
/** The format specifiers of PEP 3101, or a single nested field. */
const STANDARD_FORMAT = String.raw`(?:\{${NAME}\}|(?:[^{}]?[<>=^])?[-+ ]?#?0?\d*(?:\.\d+)?[bcdoxXneEfFgG%]?)`;
const STANDARD_FIELD = new RegExp(String.raw`\{(${NAME})?(?::${STANDARD_FORMAT})?\}`, "uy");
const ANY_FIELD = new RegExp(
  String.raw`\{(${NAME})?(?:![rsa])?(?::(?:[^{}]|\{(?:${NAME})?(?:![rsa])?\}){0,200})?\}`,
  "uy",
);

/** Parses a text; `notation` is the source text, whose notations are allowed. Linear in the text's length. */
export function parseBraces(text: string, notation: string = text): FormatString {
  const standard = parseWith(STANDARD_FIELD, notation);
  return parseWith(standard.error === null ? STANDARD_FIELD : ANY_FIELD, text);
}

function parseWith(field: RegExp, text: string): FormatString {
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
