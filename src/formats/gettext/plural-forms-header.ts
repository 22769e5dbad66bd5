/**
 * gettext's plural forms: parses the expression of a Plural-Forms header (`n%10==1 ? 0 : 1`) into a function without
 * ever running it as code, and maps the numbered forms to CLDR categories by the counts that select them.
 */
import { getOrCreate } from "../../model/maps.ts";
import { fillCategories } from "../../model/pipe-plurals.ts";
import { categoryForNumber, neededCategories, pluralCategories } from "../../model/plural-categories.ts";
import { isForms, PLURAL_CATEGORIES, type Forms, type Text } from "../../model/text.ts";

/** Returns the index of the form for a number (`msgstr[index]`); negative if the expression has no result. */
type PluralIndex = (n: number) => number;

/** A parsed expression. Throws `NO_RESULT`. */
type Node = (n: number) => number;

/** Real expressions have some 300 characters at most. */
const MAX_EXPRESSION_CHARACTERS = 2_000;
const MAX_DEPTH = 100;

const NO_RESULT = new RangeError("division by zero");

type Operator = readonly [sign: string, operation: (a: Node, b: Node) => Node];

/** Binary operators by precedence, lowest first. */
const LEVELS: readonly (readonly Operator[])[] = [
  [["||", (a, b) => (n) => (a(n) || b(n) ? 1 : 0)]],
  [["&&", (a, b) => (n) => (a(n) && b(n) ? 1 : 0)]],
  [
    ["==", (a, b) => (n) => (a(n) === b(n) ? 1 : 0)],
    ["!=", (a, b) => (n) => (a(n) === b(n) ? 0 : 1)],
  ],
  [
    ["<=", (a, b) => (n) => (a(n) <= b(n) ? 1 : 0)],
    [">=", (a, b) => (n) => (a(n) >= b(n) ? 1 : 0)],
    ["<", (a, b) => (n) => (a(n) < b(n) ? 1 : 0)],
    [">", (a, b) => (n) => (a(n) > b(n) ? 1 : 0)],
  ],
  // Like gettext, computes with unsigned numbers: here 32 bits, the size of `unsigned long` on some systems.
  [
    ["+", (a, b) => (n) => (a(n) + b(n)) >>> 0],
    ["-", (a, b) => (n) => (a(n) - b(n)) >>> 0],
  ],
  [
    ["*", (a, b) => (n) => Math.imul(a(n), b(n)) >>> 0],
    ["/", (a, b) => (n) => Math.floor(a(n) / divisor(b(n)))],
    ["%", (a, b) => (n) => a(n) % divisor(b(n))],
  ],
];

function divisor(value: number): number {
  if (value === 0) throw NO_RESULT;
  return value;
}

/** Parses an expression into a function; `null` if it is invalid or implausibly long. */
export function parsePluralExpression(expression: string): PluralIndex | null {
  if (expression.length > MAX_EXPRESSION_CHARACTERS) return null;
  const node = new Parser(expression).whole();
  if (node === null) return null;
  return (n) => {
    try {
      return node(n);
    } catch {
      return -1;
    }
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
    return (n) => (condition(n) ? yes(n) : no(n));
  }

  #binary(level: number): Node | null {
    const operators = LEVELS[level];
    if (operators === undefined) return this.#unary();
    let left = this.#binary(level + 1);
    while (left !== null) {
      const found = operators.find(([sign]) => this.#take(sign));
      if (found === undefined) return left;
      const right = this.#binary(level + 1);
      left = right === null ? null : found[1](left, right);
    }
    return null;
  }

  #unary(): Node | null {
    // No operand starts with `!=`, so every `!` here is a negation.
    let negations = 0;
    while (this.#take("!")) negations++;
    const node = this.#primary();
    if (node === null || negations === 0) return node;
    const isOdd = negations % 2 === 1;
    return (n) => ((node(n) !== 0) === isOdd ? 0 : 1);
  }

  #primary(): Node | null {
    if (this.#take("(")) {
      const node = this.#conditional();
      return node !== null && this.#take(")") ? node : null;
    }
    if (this.#take("n")) return (n) => n;
    const digits = /^\d+/.exec(this.#text.slice(this.#at))?.[0];
    if (digits === undefined) return null;
    this.#at += digits.length;
    const value = Number(digits);
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
    const { count, index } = parsePluralForms(header ?? "") ?? standardExpressionOf(locale);
    found = { count, categories: categoriesOf(count, index, locale) };
    if (pluralsCache.size >= MAX_KNOWN) pluralsCache.clear();
    pluralsCache.set(id, found);
  }
  return found;
}

/** Returns the text of a plural message; `null` if it has more forms than there are names. */
export function pluralText(
  plurals: GettextPlurals,
  strings: readonly string[],
): { readonly forms: Forms } | null {
  const categories = namesFor(plurals, strings.length);
  if (categories === null) return null;
  return {
    forms: Object.fromEntries(categories.map((category, index) => [category, strings[index] ?? ""])),
  };
}

/**
 * Returns the strings of a message with that text, for a plural one the inverse of `pluralText`; a missing category
 * takes the text of `other`. `null` if some form has no number in the file. `has`: number of forms that the message
 * already has.
 */
export function stringsOfText(plurals: GettextPlurals, text: Text, has = 0): readonly string[] | null {
  if (!isForms(text)) return [text.value];
  const categories = namesFor(plurals, has);
  if (categories === null) return null;
  const filledForms = Object.fromEntries(
    Object.entries(text.forms).filter(([name, form]) => form !== "" || categories.includes(name)),
  );
  if (Object.keys(filledForms).length === 0) return categories.map(() => "");
  return fillCategories(categories, filledForms);
}

/** Returns the plural categories of all entries. */
export function categoriesIn(entries: readonly { readonly text: Text }[]): ReadonlySet<string> {
  return new Set(entries.flatMap(({ text }) => (isForms(text) ? Object.keys(text.forms) : [])));
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
  const { count, source, index } = standardExpressionOf(locale);
  const held = categoriesOf(count, index, locale);
  // In the order in which the reader names forms that no number selects.
  const free = [...new Set([...pluralCategories(locale), ...PLURAL_CATEGORIES])].filter(
    (name) => !held.includes(name),
  );
  const wanted = new Set(all);
  return `nplurals=${count + 1 + free.findLastIndex((name) => wanted.has(name))}; plural=${source};`;
}

const SINGLE: StandardExpression = { count: 1, source: "0", index: () => 0 };

function standardExpressionOf(locale: string): StandardExpression {
  return standardExpressions().find((expression) => isUnambiguous(expression, locale)) ?? SINGLE;
}

/** Whether each number of the locale has its own form, and each form one category. */
function isUnambiguous({ count, index }: StandardExpression, locale: string): boolean {
  if (count !== neededCategories(locale).length) return false;
  const categories = new Map<number, string>();
  for (let n = 0; n <= 1_000; n++) {
    const category = categoryForNumber(locale, n);
    if (getOrCreate(categories, index(n), () => category) !== category) return false;
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
  const lowest: number[] = [];
  for (const n of SAMPLES) {
    const at = index(n);
    const chosen = choices[at];
    if (chosen === undefined) continue;
    const category = categoryForNumber(locale, n);
    chosen.set(category, (chosen.get(category) ?? 0) + 1);
    lowest[at] ??= n;
  }
  const names: (string | undefined)[] = bestNames(choices);
  nameFallback(names, choices, pluralCategories(locale));
  // A form for numbers without a CLDR category of their own is named after the smallest of them.
  for (const [at, chosen] of choices.entries()) {
    const first = lowest[at];
    if (names[at] !== undefined || first === undefined) continue;
    const sampled = [...chosen.values()].reduce((sum, times) => sum + times, 0);
    names[at] = firstFree(names, likelyNames(first, sampled === 1));
  }
  // A form that no whole number selects is usually for fractions.
  for (const at of choices.keys()) names[at] ??= firstFree(names, pluralCategories(locale));
  return names.map((name) => name ?? "other");
}

function likelyNames(lowest: number, alone: boolean): readonly string[] {
  const own = alone ? ["zero", "one", "two"].slice(lowest, lowest + 1) : [];
  return [...own, ...(lowest <= 10 ? ["few", "many"] : ["many", "few"]), "two", "zero", "one"];
}

function firstFree(names: readonly (string | undefined)[], wanted: readonly string[]): string | undefined {
  return [...wanted, ...PLURAL_CATEGORIES].find((name) => !names.includes(name));
}

interface Assignment {
  readonly score: number;
  readonly names: (string | undefined)[];
}

/** Assigns each form a category so that as many counts as possible get the form of their own category. */
function bestNames(choices: readonly Choices[]): (string | undefined)[] {
  // By the set of categories already assigned: 64 sets for six categories.
  let best = new Map<number, Assignment>([[0, { score: 0, names: [] }]]);
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
  const assignments = [...best.values()];
  return assignments.reduce((winner, each) => (each.score > winner.score ? each : winner)).names;
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
