/** The quotes that a key stands in, and how a text must be written between them. */
import type { Span } from "../../model/span.ts";

/** What opens and closes a literal. */
export type Quote = "'" | '"' | "`";

/** The quote around a key's place; `null` when it is no plain literal (a concatenation, a selector, a template with parts). */
export function quoteAround(text: string, { start, end }: Span): Quote | null {
  const quote = text[start - 1];
  if (quote !== "'" && quote !== '"' && quote !== "`") return null;
  if (text[end] !== quote) return null;
  const inner = text.slice(start, end).replaceAll(/\\[\s\S]/g, "");
  return inner.includes(quote) || (quote === "`" && inner.includes("${")) ? null : quote;
}

/** The text between such quotes. `interpolating`: the quotes in which the language takes `$` for a value's beginning. */
export function quoted(text: string, quote: Quote, interpolating = '"`'): string {
  const escaped = text.replaceAll("\\", "\\\\").replaceAll(quote, `\\${quote}`);
  if (!interpolating.includes(quote)) return escaped;
  // What is a value in PHP's double quotes and in a template.
  return escaped.replaceAll(/\$(?=[\w{])|(?<=\{)\$/g, String.raw`\$`);
}
