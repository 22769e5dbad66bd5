/**
 * The expressions of a Plural-Forms header (`n != 1`, `n%10==1 ? 0 : 1`): C with one variable, read here into a
 * function and never run as code. Which categories its results stand for is gettext-plurals.ts's.
 */

/** Index of the form for a number (`msgstr[index]`); negative where the expression has no result. */
export type PluralIndex = (n: number) => number;

type Node = (n: number) => number;

/** Longer than any real one, which has some 300 characters at most. */
const LONGEST = 2_000;
const MOST_DEPTH = 100;

/** Division by zero has no result. */
const NONE = Number.NaN;

/** Binary operators by how tightly they bind, the loosest first. */
const LEVELS: readonly (readonly [string, (a: number, b: number) => number][])[] = [
  [["||", (a, b) => (a || b ? 1 : 0)]],
  [["&&", (a, b) => (a && b ? 1 : 0)]],
  [
    ["==", (a, b) => (a === b ? 1 : 0)],
    ["!=", (a, b) => (a === b ? 0 : 1)],
  ],
  [
    ["<=", (a, b) => (a <= b ? 1 : 0)],
    [">=", (a, b) => (a >= b ? 1 : 0)],
    ["<", (a, b) => (a < b ? 1 : 0)],
    [">", (a, b) => (a > b ? 1 : 0)],
  ],
  // As gettext, numbers are unsigned; 32 bits of them, as its `unsigned long` has on some systems.
  [
    ["+", (a, b) => (a + b) >>> 0],
    ["-", (a, b) => (a - b) >>> 0],
  ],
  [
    ["*", (a, b) => Math.imul(a, b) >>> 0],
    ["/", (a, b) => (b === 0 ? NONE : Math.floor(a / b))],
    ["%", (a, b) => (b === 0 ? NONE : a % b)],
  ],
];

/** The function that the expression says; `null` when it is none, or one that no header would have. */
export function parsePluralExpression(expression: string): PluralIndex | null {
  if (expression.length > LONGEST) return null;
  const parser = new Parser(expression);
  const node = parser.whole();
  if (node === null) return null;
  return (n) => {
    const index = node(n);
    return Number.isNaN(index) ? -1 : index;
  };
}

class Parser {
  readonly #text: string;
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  whole(): Node | null {
    const node = this.#conditional();
    this.#skip();
    return this.#at === this.#text.length ? node : null;
  }

  #conditional(): Node | null {
    if (++this.#depth > MOST_DEPTH) return null;
    const condition = this.#binary(0);
    if (condition === null) return null;
    if (!this.#take("?")) {
      this.#depth--;
      return condition;
    }
    const yes = this.#conditional();
    if (yes === null || !this.#take(":")) return null;
    const no = this.#conditional();
    if (no === null) return null;
    this.#depth--;
    return (n) => {
      const said = condition(n);
      return Number.isNaN(said) ? NONE : said ? yes(n) : no(n);
    };
  }

  #binary(level: number): Node | null {
    const operators = LEVELS[level];
    if (operators === undefined) return this.#unary();
    let left = this.#binary(level + 1);
    while (left !== null) {
      const found = operators.find(([sign]) => this.#take(sign));
      if (found === undefined) return left;
      const right = this.#binary(level + 1);
      if (right === null) return null;
      left = joined(found[0], found[1], left, right);
    }
    return null;
  }

  #unary(): Node | null {
    this.#skip();
    // `!=` is no beginning of a value, so a `!` here is always its own.
    let negations = 0;
    while (this.#take("!")) negations++;
    const node = this.#primary();
    if (node === null || negations === 0) return node;
    const isOdd = negations % 2 === 1;
    return (n) => {
      const said = node(n);
      return Number.isNaN(said) ? NONE : (said !== 0) === isOdd ? 0 : 1;
    };
  }

  #primary(): Node | null {
    if (this.#take("(")) {
      const node = this.#conditional();
      return node !== null && this.#take(")") ? node : null;
    }
    if (this.#take("n")) return (n) => n;
    const start = this.#at;
    while (isDigit(this.#text.charCodeAt(this.#at))) this.#at++;
    if (this.#at === start) return null;
    const value = Number(this.#text.slice(start, this.#at));
    return value > 0xffff_ffff ? null : () => value;
  }

  #take(sign: string): boolean {
    this.#skip();
    if (!this.#text.startsWith(sign, this.#at)) return false;
    this.#at += sign.length;
    return true;
  }

  #skip(): void {
    while (/\s/.test(this.#text.charAt(this.#at))) this.#at++;
  }
}

/** What stands right of `||` and `&&` counts only where the left side leaves it open, as in C. */
function joined(sign: string, operation: (a: number, b: number) => number, left: Node, right: Node): Node {
  return (n) => {
    const a = left(n);
    if (Number.isNaN(a)) return NONE;
    if (sign === "||" && a !== 0) return 1;
    if (sign === "&&" && a === 0) return 0;
    const b = right(n);
    return Number.isNaN(b) ? NONE : operation(a, b);
  };
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}
