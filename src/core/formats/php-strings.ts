/** PHP's string literals: what their escapes mean, and how a text is written into one. Finds no literals. */

/** Single quotes know two escapes; every other backslash is one. */
export function unescapeSingle(body: string): string {
  return body.includes("\\") ? body.replaceAll(/\\([\\'])/g, "$1") : body;
}

const ESCAPES: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  v: "\v",
  e: "\u001b",
  f: "\f",
  "\\": "\\",
  $: "$",
};

const ESCAPE =
  /\\(?:u\{([0-9A-Fa-f]+)\}|((?:[0-7]{1,3}|x[0-9A-Fa-f]{1,2})(?:\\(?:[0-7]{1,3}|x[0-9A-Fa-f]{1,2}))*)|([^]))/gu;

/**
 * Double quotes and heredocs (where `\"` is two characters). `null` when the bytes that its escapes make are no
 * UTF-8 or a code point does not exist, so that the text cannot be told.
 */
export function unescapeDouble(body: string, heredoc: boolean): string | null {
  if (!body.includes("\\")) return body;
  let told = true;
  const text = body.replaceAll(ESCAPE, (whole, point?: string, bytes?: string, other?: string) => {
    if (point !== undefined) {
      const code = Number.parseInt(point, 16);
      told &&= code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
      return told ? String.fromCodePoint(code) : whole;
    }
    if (bytes !== undefined) {
      const decoded = decodeBytes(bytes);
      told &&= decoded !== null;
      return decoded ?? whole;
    }
    if (other === '"' && !heredoc) return '"';
    return other !== undefined && Object.hasOwn(ESCAPES, other) ? (ESCAPES[other] ?? whole) : whole;
  });
  return told ? text : null;
}

/** Neighbouring byte escapes are one UTF-8 text (`"\xc3\xa9"`). */
function decodeBytes(escapes: string): string | null {
  const bytes = escapes
    .split("\\")
    .map((escape) =>
      escape.startsWith("x") ? Number.parseInt(escape.slice(1), 16) : Number.parseInt(escape, 8) & 0xff,
    );
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Uint8Array.from(bytes));
  } catch {
    return null;
  }
}

/** How a file escapes where there is a choice; taken from the literal that is replaced, else from the file. */
export interface PhpStyle {
  readonly quote: "'" | '"';
  /** Single quotes: a backslash that need not be escaped is escaped all the same. */
  readonly escapeAllBackslashes: boolean;
  /** Double quotes: line ends stand as they are. */
  readonly rawNewlines: boolean;
}

/** A literal of the text in the style. */
export function phpLiteral(text: string, style: PhpStyle): string {
  return style.quote === "'" ? singleLiteral(text, style) : doubleLiteral(text, style);
}

function singleLiteral(text: string, { escapeAllBackslashes }: PhpStyle): string {
  const backslashes = escapeAllBackslashes ? /\\/g : /\\(?=[\\']|$)/g;
  return `'${text.replaceAll(backslashes, "\\\\").replaceAll("'", "\\'")}'`;
}

const DOUBLE: Readonly<Record<string, string>> = {
  "\\": "\\\\",
  '"': '\\"',
  $: "\\$",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\v": "\\v",
  "\f": "\\f",
  "\u001b": "\\e",
};

function doubleLiteral(text: string, { rawNewlines }: PhpStyle): string {
  const body = text.replaceAll(/[\\"$]|\p{Cc}/gu, (char) => {
    return rawNewlines && (char === "\n" || char === "\r") ? char : (DOUBLE[char] ?? char);
  });
  return `"${body}"`;
}

const HEREDOC_HEAD = /^<<<[ \t]*(["']?)(.+?)\1(\r\n|\n|\r)/;

/**
 * The text as a heredoc or nowdoc like the old one: same name, same indentation. `null` when the text cannot
 * stand in one (its closing name begins a line, or a nowdoc would need an escape).
 */
export function heredocLiteral(text: string, old: string): string | null {
  const [head, quote, name, newline] = HEREDOC_HEAD.exec(old) ?? [];
  if (head === undefined || name === undefined || newline === undefined) return null;
  const indent = /[ \t]*(?=[^ \t\r\n]*$)/.exec(old)?.[0] ?? "";
  const body = quote === "'" ? text : text.replaceAll(/[\\$]/g, "\\$&");
  if (body.split(/\r\n|\n|\r/).some((line) => line.trimStart().startsWith(name))) return null;
  const lines = body.replaceAll(/(^|\r\n|\n|\r)(?=[^\r\n])/g, (lineEnd) => lineEnd + indent);
  return `${head}${lines}${newline}${indent}${name}`;
}
