/** Decodes PHP's strings and heredocs, which are passed without their delimiters, and finds the variables in them. */

/** How a string is delimited. A heredoc has no quotes to escape. */
export type PhpDelimiter = "'" | '"' | "heredoc";

/** The letters after a backslash, and the characters that they stand for. */
export const PHP_ESCAPES: ReadonlyMap<string, string> = new Map([
  ["n", "\n"],
  ["t", "\t"],
  ["r", "\r"],
  ["v", "\v"],
  ["e", "\u001b"],
  ["f", "\f"],
  ["\\", "\\"],
  ["$", "$"],
]);

const ESCAPE =
  /\\(?:u\{([0-9A-Fa-f]+)\}|(u\{)|((?:[0-7]{1,3}|[xX][0-9A-Fa-f]{1,2})(?:\\(?:[0-7]{1,3}|[xX][0-9A-Fa-f]{1,2}))*)|([^]))/g;

/**
 * Returns the value of a string. Unknown escapes keep their backslash. `null` if the text is not known, because the
 * escaped bytes are not UTF-8 or a code point does not exist.
 */
export function unescapePhp(body: string, delimiter: PhpDelimiter): string | null {
  if (!body.includes("\\")) return body;
  // Only two escapes; any other backslash stands for itself.
  if (delimiter === "'") return body.replaceAll(/\\([\\'])/g, "$1");
  let isValid = true;
  const text = body.replaceAll(
    ESCAPE,
    (whole, point?: string, broken?: string, bytes?: string, other?: string) => {
      if (point !== undefined) {
        const code = Number.parseInt(point, 16);
        isValid &&= code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
        return isValid ? String.fromCodePoint(code) : whole;
      }
      if (broken !== undefined) {
        // A compile-time error in PHP.
        isValid = false;
        return whole;
      }
      if (bytes !== undefined) {
        const decoded = decodeBytes(bytes);
        isValid &&= decoded !== null;
        return decoded ?? whole;
      }
      if (other === '"' && delimiter === '"') return '"';
      return PHP_ESCAPES.get(other ?? "") ?? whole;
    },
  );
  return isValid ? text : null;
}

const UTF_8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Decodes consecutive byte escapes as UTF-8 (`"\xc3\xa9"`). Of octal numbers above 255 only the lowest byte counts. */
function decodeBytes(escapes: string): string | null {
  const bytes = escapes
    .split("\\")
    .map((escape) =>
      /^x/i.test(escape) ? Number.parseInt(escape.slice(1), 16) : Number.parseInt(escape, 8),
    );
  try {
    return UTF_8.decode(Uint8Array.from(bytes));
  } catch {
    return null;
  }
}

/** An interpolation in a double-quoted PHP string (`$x`, `{$x}`, `${x}`). */
const PHP_INTERPOLATION = /(?<!\\)(?:\\\\)*(\{\$|\$\{|\$[a-zA-Z_\u0080-\uffff])/g;

/**
 * Returns the parts of a double-quoted string or heredoc before the first and after the last variable (`$name`, `${…}`,
 * `{$…}`); `null` if there is none.
 */
export function phpInterpolation(raw: string): { before: string; after: string } | null {
  if (!raw.includes("$")) return null;
  let before: string | null = null;
  let end = 0;
  for (const { index, 0: opener, 1: sign = "" } of raw.matchAll(PHP_INTERPOLATION)) {
    const start = index + opener.length - sign.length;
    if (start < end) continue;
    before ??= raw.slice(0, start);
    end = interpolationEnd(raw, raw.indexOf("$", start));
  }
  return before === null ? null : { before, after: raw.slice(end) };
}

/** Returns the end of `$name`, `$name[…]`, `$name->name` or a braced interpolation. */
function interpolationEnd(raw: string, dollar: number): number {
  if (raw[dollar - 1] === "{" || raw[dollar + 1] === "{") {
    let depth = raw[dollar - 1] === "{" ? 1 : 0;
    for (const { index, 0: sign } of raw.slice(dollar).matchAll(/[{}]/g)) {
      depth += sign === "{" ? 1 : -1;
      if (depth === 0) return dollar + index + 1;
    }
    return raw.length;
  }
  const simple = /^\$\w*(?:\[[^\]]{0,100}\]|->\w+)?/.exec(raw.slice(dollar, dollar + 300));
  return dollar + (simple?.[0].length ?? 1);
}
