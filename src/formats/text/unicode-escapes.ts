/** `\uXXXX` escapes of JSON and JavaScript: which characters a file escapes, and its hex digits' case. */

/** A file's choices where its language leaves some. */
export interface UnicodeEscapeStyle {
  /** Whether all non-ASCII characters are escaped. */
  readonly ascii: boolean;
  readonly upperHex: boolean;
}

/** Returns the escape sequence of a UTF-16 unit. */
export function unicodeEscape(unit: string, { upperHex }: UnicodeEscapeStyle): string {
  const hex = unit.charCodeAt(0).toString(16).padStart(4, "0");
  return `\\u${upperHex ? hex.toUpperCase() : hex}`;
}

/** Escapes the UTF-16 units that the file escapes, or that are escaped in the literal to be replaced (`example`). */
export function withUnicodeEscapes(text: string, example: string | null, style: UnicodeEscapeStyle): string {
  const units = escapedIn(example);
  if (!style.ascii && units.size === 0) return text;
  return text.replaceAll(/[\u007f-\uffff]/g, (unit) =>
    style.ascii || units.has(unit) ? unicodeEscape(unit, style) : unit,
  );
}

/** Returns the UTF-16 units that the literal writes as `\uXXXX`. */
function escapedIn(example: string | null): ReadonlySet<string> {
  const units = new Set<string>();
  if (example?.includes("\\u") !== true) return units;
  for (const match of example.matchAll(/\\(?:u([0-9A-Fa-f]{4})|[^])/g)) {
    if (match[1] !== undefined) units.add(String.fromCharCode(Number.parseInt(match[1], 16)));
  }
  return units;
}
