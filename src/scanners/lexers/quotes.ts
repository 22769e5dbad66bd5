/** Detects the quotes around a key and escapes text for them. */
import type { Span } from "../../model/span.ts";

/** Delimiter of a string literal. */
export type Quote = "'" | '"' | "`";

/**
 * Returns the quote around a key's range; `null` for anything but a plain literal (a concatenation, a selector, a
 * template with expressions).
 */
export function quoteAround(text: string, { start, end }: Span): Quote | null {
  const quote = text[start - 1];
  if (quote !== "'" && quote !== '"' && quote !== "`") return null;
  if (text[end] !== quote) return null;
  const inner = text.slice(start, end).replaceAll(/\\[\s\S]/g, "");
  return inner.includes(quote) || (quote === "`" && inner.includes("${")) ? null : quote;
}

/**
 * Escapes text for a literal with such quotes.
 * @param interpolating the quotes inside which `$` starts an interpolation
 */
export function quoted(text: string, quote: Quote, interpolating = '"`'): string {
  const escaped = text.replaceAll("\\", "\\\\").replaceAll(quote, `\\${quote}`);
  if (!interpolating.includes(quote)) return escaped;
  // Interpolations in double-quoted PHP strings and in templates.
  return escaped.replaceAll(/\$(?=[\w{])|(?<=\{)\$/g, String.raw`\$`);
}
