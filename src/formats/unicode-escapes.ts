/** `\uXXXX` in the literals of JSON and JavaScript: whether a file writes characters so, and in which letters. */

/** What a file does where its language leaves the choice. */
export interface UnicodeEscapeStyle {
  /** Whatever is not ASCII is escaped. */
  readonly ascii: boolean;
  readonly upperHex: boolean;
}

/** The character's UTF-16 unit as an escape. */
export function unicodeEscape(unit: string, { upperHex }: UnicodeEscapeStyle): string {
  const hex = unit.charCodeAt(0).toString(16).padStart(4, "0");
  return `\\u${upperHex ? hex.toUpperCase() : hex}`;
}

/** The text with those units escaped that the file, or the literal that is replaced (`like`), writes so. */
export function withUnicodeEscapes(text: string, like: string | null, style: UnicodeEscapeStyle): string {
  const units = escapedIn(like);
  if (!style.ascii && units.size === 0) return text;
  return text.replaceAll(/[\u007f-\uffff]/g, (unit) =>
    style.ascii || units.has(unit) ? unicodeEscape(unit, style) : unit,
  );
}

/** The UTF-16 units that the literal writes as `\uXXXX`. */
function escapedIn(like: string | null): ReadonlySet<string> {
  const units = new Set<string>();
  if (like?.includes("\\u") !== true) return units;
  for (const match of like.matchAll(/\\(?:u([0-9A-Fa-f]{4})|[^])/g)) {
    if (match[1] !== undefined) units.add(String.fromCharCode(Number.parseInt(match[1], 16)));
  }
  return units;
}
