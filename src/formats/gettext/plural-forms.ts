/**
 * gettext's plural forms: the expression of a Plural-Forms header (`n%10==1 ? 0 : 1`, read into a function and never run as
 * code), and which of the numbered forms is which of CLDR's categories, by looking at which counts choose which.
 */
import { fillCategories } from "../../model/pipe-plurals.ts";
import { categoryOfNumber, neededCategories, pluralCategories } from "../../model/plural-rules.ts";
import { CATEGORIES, type Forms } from "../../model/text.ts";

/** Index of the form for a number (`msgstr[index]`); negative where the expression has no result. */
type PluralIndex = (n: number) => number;

type Node = (n: number) => number;

/** Longer than any real one, which has some 300 characters at most. */
const MAX_LENGTH = 2_000;
const MAX_DEPTH = 100;

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
  if (expression.length > MAX_LENGTH) return null;
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
      return Number.isNaN(result) ? NONE : result ? yes(n) : no(n);
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
      const result = node(n);
      return Number.isNaN(result) ? NONE : (result !== 0) === isOdd ? 0 : 1;
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

/** A way to number the plural forms of a language. */
interface StandardExpression {
  readonly count: number;
  readonly source: string;
  readonly index: PluralIndex;
}

/** How many forms, and which number has which. In the order in which languages have them. */
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

/** Each is understood by gettext and by `parsePluralExpression`. */
export function standardExpressions(): readonly StandardExpression[] {
  parsed ??= SOURCES.flatMap(([count, source]) => {
    const index = parsePluralExpression(source);
    return index === null ? [] : [{ count, source, index }];
  });
  return parsed;
}

/** The numbered forms of one file. */
export interface GettextPlurals {
  /** How many forms the file says a plural has. */
  readonly count: number;
  /** The category of each form; of the first six where there are more, for which there are no names. */
  readonly categories: readonly string[];
}

/** Counts that tell which category a form is. The large ones are for languages that have a category for millions. */
const SAMPLES: readonly number[] = [
  ...Array.from({ length: 1_001 }, (_, n) => n),
  10_000,
  100_000,
  1_000_000,
  2_000_000,
  10_000_000,
];

/** Plurals by locale and header, since every file of a language has the same. */
const known = new Map<string, GettextPlurals>();
const MAX_KNOWN = 1_000;

/**
 * What the header's value (`nplurals=2; plural=(n != 1);`) says for texts of the locale. Without a header, or with
 * one that says nothing (a template's placeholder): what is usual in the locale.
 */
export function gettextPlurals(header: string | null, locale: string): GettextPlurals {
  const id = `${locale}\n${header ?? ""}`;
  let found = known.get(id);
  if (found === undefined) {
    const parsedHeader = header === null ? null : parsePluralForms(header);
    const { count, index } = parsedHeader ?? parsePluralForms(standardPluralForms(locale)) ?? SINGLE;
    found = { count, categories: categoriesOf(count, index, locale) };
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(id, found);
  }
  return found;
}

/** Forms by category of a text's numbered ones; `null` when there are more than can be named. */
export function formsOfStrings(plurals: GettextPlurals, strings: readonly string[]): Forms | null {
  const categories = namesFor(plurals, strings.length);
  if (categories === null) return null;
  return Object.fromEntries(categories.map((category, index) => [category, strings[index] ?? ""]));
}

/**
 * A text's forms as numbered ones, so that `formsOfStrings` gives them back; a category that is missing takes the text
 * of `other`. `null` when some form has no place in the file. `has`: how many forms the entry has already.
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

/** `nplurals` and the expression; `null` when the header has none that can be understood. */
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
 * The value of a Plural-Forms header for the locale, from CLDR. It has places for the categories in `all` too, also for
 * those that no whole number up to a thousand has (fractions in Polish, millions in French).
 */
export function standardPluralForms(locale: string, all: Iterable<string> = []): string {
  const needed = neededCategories(locale);
  const { count, source, index } =
    standardExpressions().find((each) => fits(each.index, each.count, locale, needed)) ?? SINGLE;
  const held = categoriesOf(count, index, locale);
  // In the order in which forms that no number chooses are named when they are read.
  const free = [...new Set([...pluralCategories(locale), ...CATEGORIES])].filter(
    (name) => !held.includes(name),
  );
  const wanted = new Set(all);
  return `nplurals=${count + 1 + free.findLastIndex((name) => wanted.has(name))}; plural=${source};`;
}

const SINGLE = { count: 1, source: "0", index: (): number => 0 };

/** Each number of the locale has its own form, and each form one category. */
function fits(index: PluralIndex, count: number, locale: string, needed: readonly string[]): boolean {
  if (count !== needed.length) return false;
  const categories = new Map<number, string>();
  for (let n = 0; n <= 1_000; n++) {
    const category = categoryOfNumber(locale, n);
    const at = index(n);
    const other = categories.get(at);
    if (other === undefined) categories.set(at, category);
    else if (other !== category) return false;
  }
  return categories.size === count;
}

/** The plurals' own names, and further ones for an entry that has more forms than its file's header says. */
function namesFor({ count, categories }: GettextPlurals, has: number): readonly string[] | null {
  const most = Math.max(count, has);
  if (most > CATEGORIES.length) return null;
  if (most <= categories.length) return categories;
  return [...categories, ...CATEGORIES.filter((name) => !categories.includes(name))].slice(0, most);
}

/** How many of the sampled counts of each category choose the form. */
type Choices = ReadonlyMap<string, number>;

function categoriesOf(count: number, index: PluralIndex, locale: string): readonly string[] {
  const size = Math.min(count, CATEGORIES.length);
  const choices = Array.from({ length: size }, (): Map<string, number> => new Map());
  const lowest = new Map<number, number>();
  for (const n of SAMPLES) {
    const at = index(n);
    const chosen = choices[at];
    if (chosen === undefined) continue;
    const category = categoryOfNumber(locale, n);
    chosen.set(category, (chosen.get(category) ?? 0) + 1);
    if (!lowest.has(at)) lowest.set(at, n);
  }
  const names: (string | undefined)[] = bestNames(choices);
  nameFallback(names, choices, pluralCategories(locale));
  // A form of numbers that have no category of their own in CLDR, named by the least of them.
  for (const [at, chosen] of choices.entries()) {
    const likely = likelyNames(lowest.get(at) ?? 0, onlyCount(chosen));
    if (names[at] === undefined && chosen.size > 0) names[at] = firstFree(names, likely);
  }
  // A form that no whole number chooses: fractions, as a rule.
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
  return [...wanted, ...CATEGORIES].find((name) => !names.includes(name));
}

/** One category for each form, so that as many counts as possible get the form of their own category. */
function bestNames(choices: readonly Choices[]): (string | undefined)[] {
  // By the categories that are taken already; six of them make 64 sets.
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
        const bit = 1 << (CATEGORIES as readonly string[]).indexOf(category);
        if ((taken & bit) === 0) offer(taken | bit, score + times, category);
      }
    }
    best = next;
  }
  let winner: { readonly score: number; readonly names: (string | undefined)[] } = { score: -1, names: [] };
  for (const each of best.values()) if (each.score > winner.score) winner = each;
  return [...winner.names];
}

/** Where no form is `other`, one that stands for several categories is: the texts of the rest fall back to it. */
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
