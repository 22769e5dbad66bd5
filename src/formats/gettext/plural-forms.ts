/**
 * gettext's plural forms: parses the expression of a Plural-Forms header (`n%10==1 ? 0 : 1`) into a function without
 * ever running it as code, and maps the numbered forms to CLDR categories by the counts that select them.
 */
import { fillCategories } from "../../model/pipe-plurals.ts";
import { categoryForNumber, neededCategories, pluralCategories } from "../../model/plural-rules.ts";
import { PLURAL_CATEGORIES, type Forms } from "../../model/text.ts";

/** Returns the index of the form for a number (`msgstr[index]`); negative if the expression has no result. */
type PluralIndex = (n: number) => number;

type Node = (n: number) => number;

/** Real expressions have some 300 characters at most. */
const MAX_EXPRESSION_CHARACTERS = 2_000;
const MAX_DEPTH = 100;

/** Division by zero has no result. */
const NO_RESULT = Number.NaN;

/** Binary operators by precedence, lowest first. */
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
  // Like gettext, computes with unsigned numbers: here 32 bits, the size of `unsigned long` on some systems.
  [
    ["+", (a, b) => (a + b) >>> 0],
    ["-", (a, b) => (a - b) >>> 0],
  ],
  [
    ["*", (a, b) => Math.imul(a, b) >>> 0],
    ["/", (a, b) => (b === 0 ? NO_RESULT : Math.floor(a / b))],
    ["%", (a, b) => (b === 0 ? NO_RESULT : a % b)],
  ],
];

/** Parses an expression into a function; `null` if it is invalid or implausibly long. */
export function parsePluralExpression(expression: string): PluralIndex | null {
  if (expression.length > MAX_EXPRESSION_CHARACTERS) return null;
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
    if (++this.#depth > MAX_DEPTH) return null;
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
      const result = condition(n);
      return Number.isNaN(result) ? NO_RESULT : result ? yes(n) : no(n);
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
      left = logicalOperator(found[0], found[1], left, right);
    }
    return null;
  }

  #unary(): Node | null {
    this.#skip();
    // No operand starts with `!=`, so every `!` here is a negation.
    let negations = 0;
    while (this.#take("!")) negations++;
    const node = this.#primary();
    if (node === null || negations === 0) return node;
    const isOdd = negations % 2 === 1;
    return (n) => {
      const result = node(n);
      return Number.isNaN(result) ? NO_RESULT : (result !== 0) === isOdd ? 0 : 1;
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

/** Evaluates the right operand of `||` and `&&` only if the left one does not decide the result, as in C. */
function logicalOperator(
  sign: string,
  operation: (a: number, b: number) => number,
  left: Node,
  right: Node,
): Node {
  return (n) => {
    const a = left(n);
    if (Number.isNaN(a)) return NO_RESULT;
    if (sign === "||" && a !== 0) return 1;
    if (sign === "&&" && a === 0) return 0;
    const b = right(n);
    return Number.isNaN(b) ? NO_RESULT : operation(a, b);
  };
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** A way of numbering a language's plural forms. */
interface StandardExpression {
  readonly count: number;
  readonly source: string;
  readonly index: PluralIndex;
}

/** Number of forms and the expression, the most common first. */
const SOURCES: readonly (readonly [number, string])[] = [
  [1, "0"],
  [2, "(n != 1)"],
  [2, "(n > 1)"],
  [2, "(n%10==1 && n%100!=11 ? 0 : 1)"],
  [2, "(n%10==4 || n%10==6 || n%10==9)"],
  [2, "(n>=2 && (n<11 || n>99))"],
  [3, "(n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2)"],
  [3, "(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2)"],
  [3, "(n==1) ? 0 : (n>=2 && n<=4) ? 1 : 2"],
  [3, "(n%10==1 && n%100!=11 ? 0 : n%10>=2 && (n%100<10 || n%100>=20) ? 1 : 2)"],
  [3, "n==1 ? 0 : (n==0 || (n%100 > 0 && n%100 < 20)) ? 1 : 2"],
  [3, "(n==1 ? 0 : n==2 ? 1 : 2)"],
  [3, "(n==0 ? 0 : n==1 ? 1 : 2)"],
  [3, "(n<=1 ? 0 : n<=10 ? 1 : 2)"],
  [4, "(n%100==1 ? 0 : n%100==2 ? 1 : n%100==3 || n%100==4 ? 2 : 3)"],
  [4, "(n==1 || n==11 ? 0 : n==2 || n==12 ? 1 : n>=3 && n<=19 ? 2 : 3)"],
  [4, "(n%10==1 ? 0 : n%10==2 ? 1 : n%20==0 ? 2 : 3)"],
  [4, "(n%10==1 && n%100!=11 ? 0 : n==2 ? 1 : n%10>=2 && (n%100<10 || n%100>=20) ? 2 : 3)"],
  [
    4,
    "(n%10==1 && n%100!=11 && n%100!=71 && n%100!=91 ? 0 : n%10==2 && n%100!=12 && n%100!=72 && n%100!=92 ? 1 : (n%10==3 || n%10==4 || n%10==9) && (n%100<10 || n%100>19) && (n%100<70 || n%100>79) && (n%100<90 || n%100>99) ? 2 : 3)",
  ],
  [5, "(n==1 ? 0 : n==2 ? 1 : n>=3 && n<=6 ? 2 : n>=7 && n<=10 ? 3 : 4)"],
  [5, "(n==1 ? 0 : n==2 ? 1 : n==0 || (n%100>=3 && n%100<=10) ? 2 : n%100>=11 && n%100<=19 ? 3 : 4)"],
  [6, "(n==0 ? 0 : n==1 ? 1 : n==2 ? 2 : n%100>=3 && n%100<=10 ? 3 : n%100>=11 ? 4 : 5)"],
  [6, "(n==0 ? 0 : n==1 ? 1 : n==2 ? 2 : n==3 ? 3 : n==6 ? 4 : 5)"],
  [6, "(n==0 ? 0 : n==1 ? 1 : n%20==2 || n%100000==1000 ? 2 : n%20==3 ? 3 : n%20==1 ? 4 : 5)"],
];

let parsed: readonly StandardExpression[] | null = null;

/** Returns the expressions in common use. Both gettext and `parsePluralExpression` understand all of them. */
export function standardExpressions(): readonly StandardExpression[] {
  parsed ??= SOURCES.flatMap(([count, source]) => {
    const index = parsePluralExpression(source);
    return index === null ? [] : [{ count, source, index }];
  });
  return parsed;
}

/** The plural forms of a file. */
export interface GettextPlurals {
  /** Number of forms according to the file's header. */
  readonly count: number;
  /** The category of each form; only of the first six if there are more, since there are no names for the rest. */
  readonly categories: readonly string[];
}

/** Counts used to identify the category of a form. The large ones are for languages with a category for millions. */
const SAMPLES: readonly number[] = [
  ...Array.from({ length: 1_001 }, (_, n) => n),
  10_000,
  100_000,
  1_000_000,
  2_000_000,
  10_000_000,
];

/** Cached by locale and header, since all files of a language have the same. */
const pluralsCache = new Map<string, GettextPlurals>();
const MAX_KNOWN = 1_000;

/**
 * Returns the plural forms for a header value (`nplurals=2; plural=(n != 1);`) in a locale. Without a usable header
 * (as in a template), uses those that are usual for the locale.
 */
export function gettextPlurals(header: string | null, locale: string): GettextPlurals {
  const id = `${locale}\n${header ?? ""}`;
  let found = pluralsCache.get(id);
  if (found === undefined) {
    const parsedHeader = header === null ? null : parsePluralForms(header);
    const { count, index } = parsedHeader ?? parsePluralForms(standardPluralForms(locale)) ?? SINGLE;
    found = { count, categories: categoriesOf(count, index, locale) };
    if (pluralsCache.size >= MAX_KNOWN) pluralsCache.clear();
    pluralsCache.set(id, found);
  }
  return found;
}

/** Maps numbered forms to categories; `null` if there are more forms than names. */
export function formsOfStrings(plurals: GettextPlurals, strings: readonly string[]): Forms | null {
  const categories = namesFor(plurals, strings.length);
  if (categories === null) return null;
  return Object.fromEntries(categories.map((category, index) => [category, strings[index] ?? ""]));
}

/**
 * Maps forms to numbered ones, the inverse of `formsOfStrings`; a missing category takes the text of `other`. `null`
 * if some form has no number in the file. `has`: number of forms that the entry already has.
 */
export function stringsOfForms(plurals: GettextPlurals, forms: Forms, has = 0): readonly string[] | null {
  const categories = namesFor(plurals, has);
  if (categories === null) return null;
  const filledForms = Object.fromEntries(
    Object.entries(forms).filter(([name, form]) => form !== "" || categories.includes(name)),
  );
  if (Object.keys(filledForms).length === 0) return categories.map(() => "");
  return fillCategories(categories, filledForms);
}

/** Parses `nplurals` and the expression; `null` if either is missing or invalid. */
export function parsePluralForms(
  header: string,
): { readonly count: number; readonly index: PluralIndex } | null {
  const count = Number(/(?:^|[^a-z])nplurals\s*=\s*(\d{1,3})(?!\d)/i.exec(header)?.[1] ?? 0);
  const expression = /(?:^|[^a-z])plural\s*=([^;\n]*)/i.exec(header)?.[1];
  if (count < 1 || expression === undefined) return null;
  const index = parsePluralExpression(expression);
  return index === null ? null : { count, index };
}

/**
 * Returns a Plural-Forms header for the locale, from CLDR. It also covers the categories in `all`, even those without
 * whole numbers up to a thousand (fractions in Polish, millions in French).
 */
export function standardPluralForms(locale: string, all: Iterable<string> = []): string {
  const needed = neededCategories(locale);
  const { count, source, index } =
    standardExpressions().find((each) => isUnambiguous(each.index, each.count, locale, needed)) ?? SINGLE;
  const held = categoriesOf(count, index, locale);
  // In the order in which the reader names forms that no number selects.
  const free = [...new Set([...pluralCategories(locale), ...PLURAL_CATEGORIES])].filter(
    (name) => !held.includes(name),
  );
  const wanted = new Set(all);
  return `nplurals=${count + 1 + free.findLastIndex((name) => wanted.has(name))}; plural=${source};`;
}

const SINGLE = { count: 1, source: "0", index: (): number => 0 };

/** Whether each number of the locale has its own form, and each form one category. */
function isUnambiguous(
  index: PluralIndex,
  count: number,
  locale: string,
  needed: readonly string[],
): boolean {
  if (count !== needed.length) return false;
  const categories = new Map<number, string>();
  for (let n = 0; n <= 1_000; n++) {
    const category = categoryForNumber(locale, n);
    const at = index(n);
    const other = categories.get(at);
    if (other === undefined) categories.set(at, category);
    else if (other !== category) return false;
  }
  return categories.size === count;
}

/** Returns the names of the forms, and further ones for an entry that has more forms than the header declares. */
function namesFor({ count, categories }: GettextPlurals, has: number): readonly string[] | null {
  const most = Math.max(count, has);
  if (most > PLURAL_CATEGORIES.length) return null;
  if (most <= categories.length) return categories;
  return [...categories, ...PLURAL_CATEGORIES.filter((name) => !categories.includes(name))].slice(0, most);
}

/** By category: how many of its sampled counts select the form. */
type Choices = ReadonlyMap<string, number>;

function categoriesOf(count: number, index: PluralIndex, locale: string): readonly string[] {
  const size = Math.min(count, PLURAL_CATEGORIES.length);
  const choices = Array.from({ length: size }, (): Map<string, number> => new Map());
  const lowest = new Map<number, number>();
  for (const n of SAMPLES) {
    const at = index(n);
    const chosen = choices[at];
    if (chosen === undefined) continue;
    const category = categoryForNumber(locale, n);
    chosen.set(category, (chosen.get(category) ?? 0) + 1);
    if (!lowest.has(at)) lowest.set(at, n);
  }
  const names: (string | undefined)[] = bestNames(choices);
  nameFallback(names, choices, pluralCategories(locale));
  // A form for numbers without a CLDR category of their own is named after the smallest of them.
  for (const [at, chosen] of choices.entries()) {
    const likely = likelyNames(lowest.get(at) ?? 0, onlyCount(chosen));
    if (names[at] === undefined && chosen.size > 0) names[at] = firstFree(names, likely);
  }
  // A form that no whole number selects is usually for fractions.
  for (const at of choices.keys()) names[at] ??= firstFree(names, pluralCategories(locale));
  return names.map((name) => name ?? "other");
}

function onlyCount(chosen: Choices): boolean {
  let sum = 0;
  for (const times of chosen.values()) sum += times;
  return sum === 1;
}

function likelyNames(lowest: number, alone: boolean): readonly string[] {
  const own = alone ? ["zero", "one", "two"].slice(lowest, lowest + 1) : [];
  return [...own, ...(lowest <= 10 ? ["few", "many"] : ["many", "few"]), "two", "zero", "one"];
}

function firstFree(names: readonly (string | undefined)[], wanted: readonly string[]): string | undefined {
  return [...wanted, ...PLURAL_CATEGORIES].find((name) => !names.includes(name));
}

/** Assigns each form a category so that as many counts as possible get the form of their own category. */
function bestNames(choices: readonly Choices[]): (string | undefined)[] {
  // By the set of categories already assigned: 64 sets for six categories.
  let best = new Map<number, { readonly score: number; readonly names: (string | undefined)[] }>([
    [0, { score: 0, names: [] }],
  ]);
  for (const chosen of choices) {
    const next: typeof best = new Map();
    for (const [taken, { score, names }] of best) {
      const offer = (set: number, points: number, name: string | undefined): void => {
        if ((next.get(set)?.score ?? -1) < points) next.set(set, { score: points, names: [...names, name] });
      };
      offer(taken, score, undefined);
      for (const [category, times] of chosen) {
        const bit = 1 << (PLURAL_CATEGORIES as readonly string[]).indexOf(category);
        if ((taken & bit) === 0) offer(taken | bit, score + times, category);
      }
    }
    best = next;
  }
  let winner: { readonly score: number; readonly names: (string | undefined)[] } = { score: -1, names: [] };
  for (const each of best.values()) if (each.score > winner.score) winner = each;
  return [...winner.names];
}

/** If no form is `other`, renames one that covers several categories: the texts of the rest fall back to it. */
function nameFallback(
  names: (string | undefined)[],
  choices: readonly Choices[],
  categories: readonly string[],
): void {
  if (names.includes("other") || !categories.includes("other")) return;
  let widest = -1;
  for (const [at, chosen] of choices.entries()) {
    if (chosen.size > Math.max(1, choices[widest]?.size ?? 0)) widest = at;
  }
  if (widest >= 0) names[widest] = "other";
}
