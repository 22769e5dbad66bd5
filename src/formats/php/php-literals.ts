/** PHP's literals: writes texts as literals, and converts numbers to strings as PHP does. */
import { CONTEXT_END, FORM_END } from "../gettext/gettext-message.ts";
import { PHP_ESCAPES } from "../../scanners/lexers/php-strings.ts";

/** A number literal in the text. */
interface PhpNumber {
  /** As converted by `(string)`. */
  readonly text: string;
  readonly end: number;
}

const NUMBER =
  /^(-?)(?:([0-9][0-9_]*\.[0-9]+|[0-9][0-9_]*\.(?![.\d])|\.[0-9]+)|(0[xX][0-9A-Fa-f_]+|0[bB][01_]+|0[oO]?[0-7][0-7_]*|0|[1-9][0-9_]*))(?![\w.\u0080-\uffff])/;

/** PHP_INT_MAX of 64-bit systems; a larger literal is a float. */
const LARGEST = 2n ** 63n - 1n;

/** Maximum length of a number literal. */
const MAX_LENGTH = 64;

/**
 * Returns the number at `offset`; `null` if there is none, or if its text depends on PHP's settings (a float with
 * more digits than `precision`, or in exponential notation).
 */
export function numberAt(text: string, offset: number): PhpNumber | null {
  const match = NUMBER.exec(text.slice(offset, offset + MAX_LENGTH));
  if (match === null) return null;
  const [literal, sign = "", float, whole = ""] = match;
  if (literal.length >= MAX_LENGTH - 1 || /_(?![0-9A-Fa-f])/.test(literal)) return null;
  const end = offset + literal.length;
  if (float !== undefined) {
    const printed = floatText(float.replaceAll("_", ""));
    return printed === null || (sign !== "" && printed === "0") ? null : { text: sign + printed, end };
  }
  // An octal number may begin with a zero only.
  const value = BigInt(whole.replaceAll("_", "").replace(/^0(?=\d)/, "0o"));
  if (value > LARGEST) return null;
  return { text: value === 0n ? "0" : sign + value.toString(), end };
}

/** Formats a float like `%.14G`. */
function floatText(digits: string): string | null {
  const value = Number(digits);
  if (digits.length > 15 || (value !== 0 && value < 1e-4)) return null;
  return String(value);
}

/** A file's choice of escapes: as in the literal to be replaced, otherwise as in the rest of the file. */
export interface PhpStyle {
  readonly quote: "'" | '"';
  /** Single quotes: whether backslashes are escaped needlessly. */
  readonly escapeAllBackslashes: boolean;
  /** Double quotes: whether line ends are written as they are. */
  readonly rawNewlines: boolean;
  /** Characters in literals of their own (`'a' . "\0" . 'b'`), since single quotes have no escapes. */
  readonly separateLiterals: readonly string[];
  /** The concatenation operators around those, with their white space. */
  readonly concatenation: Concatenation;
}

/** A concatenation operator with its white space, before and after a literal of its own. */
export type Concatenation = readonly [string, string];

/** gettext's separators: NUL between plural forms, EOT after a context. */
export const SEPARATORS: readonly string[] = [FORM_END, CONTEXT_END];

/** Returns the text as a literal in the style, or as a concatenation of several. */
export function phpLiteral(text: string, style: PhpStyle): string {
  const [before, after] = style.concatenation;
  let literal = "";
  let start = 0;
  for (let at = 0; style.separateLiterals.length > 0 && at < text.length; at++) {
    const char = text[at] ?? "";
    if (!style.separateLiterals.includes(char)) continue;
    literal += `${plainLiteral(text.slice(start, at), style)}${before}"${octal(char, 0)}"${after}`;
    start = at + 1;
  }
  return literal + plainLiteral(text.slice(start), style);
}

function plainLiteral(text: string, style: PhpStyle): string {
  return style.quote === "'" ? singleLiteral(text, style) : doubleLiteral(text, style);
}

function singleLiteral(text: string, { escapeAllBackslashes }: PhpStyle): string {
  const backslashes = escapeAllBackslashes ? /\\/g : /\\(?=[\\']|$)/g;
  return `'${text.replaceAll(backslashes, "\\\\").replaceAll("'", "\\'")}'`;
}

const ESCAPED: ReadonlyMap<string, string> = new Map([
  ['"', '\\"'],
  ...[...PHP_ESCAPES].map(([letter, char]) => [char, `\\${letter}`] as const),
]);

function doubleLiteral(text: string, { rawNewlines }: PhpStyle): string {
  const body = text.replaceAll(/[\\"$]|\p{Cc}/gu, (char, offset: number) => {
    if (rawNewlines && (char === "\n" || char === "\r")) return char;
    return ESCAPED.get(char) ?? octal(char, text.charCodeAt(offset + 1));
  });
  return `"${body}"`;
}

/** Returns the shortest PHP escape of a control character; non-ASCII ones are left unescaped. */
function octal(char: string, next: number): string {
  const code = char.charCodeAt(0);
  if (code >= 0x80) return char;
  const digits = code.toString(8);
  return `\\${next >= 0x30 && next <= 0x37 ? digits.padStart(3, "0") : digits}`;
}

const HEREDOC_HEAD = /^<<<[ \t]*(["']?)([\w\u0080-\uffff]+)\1(\r\n|\n|\r)/;

/**
 * Returns the text as a heredoc or nowdoc like the old one, with the same name and indentation. `null` if that is not
 * possible (the closing name begins a line, or a nowdoc would need an escape).
 */
export function heredocLiteral(text: string, old: string): string | null {
  const [head, quote, name, newline] = HEREDOC_HEAD.exec(old) ?? [];
  if (head === undefined || name === undefined || newline === undefined) return null;
  const closing = old.length - name.length;
  let indent = closing;
  while (old[indent - 1] === " " || old[indent - 1] === "\t") indent--;
  const margin = old.slice(indent, closing);
  const body = quote === "'" ? text : text.replaceAll(/[\\$]/g, "\\$&");
  if (body.split(/\r\n|\n|\r/).some((line) => line.trimStart().startsWith(name))) return null;
  const lines = body.replaceAll(/(^|\r\n|\n|\r)(?=[^\r\n])/g, (lineEnd) => lineEnd + margin);
  return `${head}${lines}${newline}${margin}${name}`;
}
