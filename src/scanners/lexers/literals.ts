/** What a string literal of JavaScript, PHP or Python means: its escapes undone. Literals are given without quotes. */

const JS_ESCAPE = /\\(?:u\{([0-9a-fA-F]{1,6})\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(\r\n|[\s\S]))/g;
const JS_SINGLE: Record<string, string> = {
  n: "\n",
  r: "\r",
  t: "\t",
  b: "\b",
  f: "\f",
  v: "\v",
  "0": "\0",
  "\n": "",
  "\r\n": "",
  "\r": "",
};

/** The text of a JavaScript string or of a template's literal part. */
export function unescapeJavaScript(raw: string): string {
  if (!raw.includes("\\")) return raw;
  return raw.replaceAll(JS_ESCAPE, (_, braced?: string, four?: string, two?: string, single?: string) => {
    const hex = braced ?? four ?? two;
    return hex === undefined ? (JS_SINGLE[single ?? ""] ?? single ?? "") : character(hex, 16);
  });
}

const PHP_ESCAPE = /\\(?:u\{([0-9a-fA-F]{1,6})\}|x([0-9a-fA-F]{1,2})|([0-7]{1,3})|([nrtvef\\$"`]))/g;
const PHP_SINGLE: Record<string, string> = { n: "\n", r: "\r", t: "\t", v: "\v", e: "\u001b", f: "\f" };

/** The text of a PHP string between single quotes, or of the literal part of one between double quotes. */
export function unescapePhp(raw: string, quote: string): string {
  if (!raw.includes("\\")) return raw;
  if (quote === "'") return raw.replaceAll(/\\([\\'])/g, "$1");
  return raw.replaceAll(PHP_ESCAPE, (_, braced?: string, two?: string, octal?: string, single?: string) => {
    if (octal !== undefined) return character(octal, 8);
    const hex = braced ?? two;
    return hex === undefined ? (PHP_SINGLE[single ?? ""] ?? single ?? "") : character(hex, 16);
  });
}

const PYTHON_ESCAPE =
  /\\(?:U([0-9a-fA-F]{8})|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([0-7]{1,3})|(\r\n|[abfnrtv\\'"\n]))/g;
const PYTHON_SINGLE: Record<string, string> = { ...JS_SINGLE, a: "\u0007" };

/** The text of a Python string; what is no escape keeps its backslash, and in a raw one nothing is. */
export function unescapePython(text: string, raw: boolean): string {
  if (raw || !text.includes("\\")) return text;
  return text.replaceAll(
    PYTHON_ESCAPE,
    (_, eight?: string, four?: string, two?: string, octal?: string, single?: string) => {
      if (octal !== undefined) return character(octal, 8);
      const hex = eight ?? four ?? two;
      return hex === undefined ? (PYTHON_SINGLE[single ?? ""] ?? single ?? "") : character(hex, 16);
    },
  );
}

function character(digits: string, base: number): string {
  const point = Number.parseInt(digits, base);
  return point > 0x10ffff ? "\ufffd" : String.fromCodePoint(point);
}

/** A place in a PHP double-quoted string where a value is put in (`$x`, `{$x}`, `${x}`). */
const PHP_INTERPOLATION = /(?<!\\)(?:\\\\)*(\{\$|\$\{|\$[a-zA-Z_\u0080-\uffff])/;

/** The literal parts before the first and after the last interpolation; `null` when there is none. */
export function phpInterpolation(raw: string): { before: string; after: string } | null {
  const first = PHP_INTERPOLATION.exec(raw);
  if (first === null) return null;
  const before = raw.slice(0, first.index + first[0].length - (first[1]?.length ?? 0));
  const last = Math.max(raw.lastIndexOf("$"), raw.lastIndexOf("{$"));
  return { before, after: raw.slice(interpolationEnd(raw, last)) };
}

/** `$name`, `$name[…]`, `$name->name`, or to the brace that closes it. */
function interpolationEnd(raw: string, dollar: number): number {
  if (raw[dollar - 1] === "{" || raw[dollar + 1] === "{") {
    const close = raw.indexOf("}", dollar);
    return close === -1 ? raw.length : close + 1;
  }
  const simple = /^\$\w*(?:\[[^\]]{0,100}\]|->\w+)?/.exec(raw.slice(dollar, dollar + 300));
  return dollar + (simple?.[0].length ?? 1);
}
