/** How PHP writes names, texts and arrays, in the habits of the file at hand (quotes, `array()`, aligned arrows). */
import { skipPhpTrivia } from "./php-lexer.ts";
import { heredocLiteral, phpLiteral, type PhpStyle } from "./php-strings.ts";
import type { TreeStyle, TreeSyntax } from "./tree-print.ts";

/** An even run before anything but a quote or the end: of an odd one the last backslash stands for itself. */
const NEEDLESSLY_DOUBLED = /(?<!\\)(?:\\\\)+(?![\\']|$)/;

export const phpSyntax: TreeSyntax = {
  skipTrivia: skipPhpTrivia,
  listsAreNameless: false,
  styleOf: phpStyle,
};

function phpStyle(text: string): TreeStyle {
  // Needlessly doubled backslashes in single quotes are a habit; without one seen, none is doubled.
  const escapeAllBackslashes = NEEDLESSLY_DOUBLED.test(text);
  const fallback: PhpStyle = { quote: "'", escapeAllBackslashes, rawNewlines: false };
  return {
    unit: "    ",
    trailingComma: true,
    value: (value, like) => {
      const heredoc = like?.startsWith("<<<") === true ? heredocLiteral(value, like) : null;
      return heredoc ?? phpLiteral(value, styleLike(like, fallback));
    },
    head: (name, like) => phpHead(name, like, fallback),
    brackets: (like) => (/^array/i.test(like) ? [like, ")"] : ["[", "]"]),
  };
}

/** Of a literal that was no plain quoted string (a number, a concatenation) only the first quote is kept. */
function styleLike(like: string | null, fallback: PhpStyle): PhpStyle {
  const quote = like?.[0];
  if (quote === "'") {
    const body = like?.slice(1, -1) ?? "";
    const lone = /(?<!\\)(?:\\\\)*\\[^\\']/.test(body);
    const doubled = NEEDLESSLY_DOUBLED.test(body);
    return {
      ...fallback,
      quote,
      escapeAllBackslashes: lone ? false : doubled || fallback.escapeAllBackslashes,
    };
  }
  if (quote === '"') return { ...fallback, quote, rawNewlines: /[\r\n]/.test(like ?? "") };
  return fallback;
}

/** `'name' => `, with the quotes of the neighbours and their arrow's column where they align. */
function phpHead(name: string, like: readonly string[], fallback: PhpStyle): string {
  const nearest = like[0] ?? "";
  const literal =
    /^-?\d+\s*=/.test(nearest) && /^(?:0|-?[1-9]\d*)$/.test(name)
      ? name
      : phpLiteral(name, { ...styleLike(null, fallback), quote: nearest.startsWith('"') ? '"' : "'" });
  const aligned = like.map((head) => /\s{2,}=>\s*$/.exec(head)).find((match) => match !== null);
  const column = aligned === undefined || aligned.input.includes("\n") ? 0 : aligned.input.lastIndexOf("=>");
  const arrow = /(?:^|[^\s])(\s*=>\s*)$/.exec(nearest)?.[1] ?? " => ";
  if (column === 0) return literal + (arrow.includes("\n") ? " => " : arrow.replace(/^\s{2,}/, " "));
  return `${literal}${" ".repeat(Math.max(1, column - literal.length))}=>${arrow.slice(arrow.indexOf("=>") + 2)}`;
}
