/**
 * gettext's plural forms: parses the expression of a Plural-Forms header (`n%10==1 ? 0 : 1`) into a function without
 * ever running it as code, and maps the numbered forms to CLDR categories by the counts that select them.
 */
import { getOrCreate } from "../../util/maps.ts";
import { fillCategories } from "../../model/pipe-plurals.ts";
import { categoryForNumber, neededCategories, pluralCategories } from "../../model/plural-categories.ts";
import { isForms, PLURAL_CATEGORIES, type Forms, type Text } from "../../model/translation-text.ts";

/** Returns the index of the form for a number (`msgstr[index]`); negative if the expression has no result. */
type PluralIndex = (n: number) => number;

/** Real expressions have some 300 characters at most. */
const MAX_EXPRESSION_CHARACTERS = 2_000;
const MAX_DEPTH = 100;

type Operation = (a: PluralIndex, b: PluralIndex) => PluralIndex;

/**
 * Binary operators by precedence, lowest first. Like gettext, they compute with unsigned numbers: here 32 bits, the
 * size of `unsigned long` on some systems.
 */
const LEVELS: readonly Readonly<Record<string, Operation>>[] = [
  { "||": (a, b) => (n) => (a(n) || b(n) ? 1 : 0) },
  { "&&": (a, b) => (n) => (a(n) && b(n) ? 1 : 0) },
  { "==": (a, b) => (n) => Number(a(n) === b(n)), "!=": (a, b) => (n) => Number(a(n) !== b(n)) },
  {
    "<=": (a, b) => (n) => Number(a(n) <= b(n)),
    ">=": (a, b) => (n) => Number(a(n) >= b(n)),
    "<": (a, b) => (n) => Number(a(n) < b(n)),
    ">": (a, b) => (n) => Number(a(n) > b(n)),
  },
  { "+": (a, b) => (n) => (a(n) + b(n)) >>> 0, "-": (a, b) => (n) => (a(n) - b(n)) >>> 0 },
  {
    "*": (a, b) => (n) => Math.imul(a(n), b(n)) >>> 0,
    "/": (a, b) => (n) => Math.floor(a(n) / divisor(b(n))),
    "%": (a, b) => (n) => a(n) % divisor(b(n)),
  },
];

function divisor(value: number): number {
  if (value === 0) throw new RangeError("division by zero");
  return value;
}

/** Parses an expression into a function; `null` if it is invalid or implausibly long. */
export function parsePluralExpression(expression: string): PluralIndex | null {
  if (expression.length > MAX_EXPRESSION_CHARACTERS) return null;
  try {
    const evaluate = parseExpression(expression);
    return (n) => {
      try {
        return evaluate(n);
      } catch {
        return -1;
      }
    };
  } catch {
    return null;
  }
}

/** @throws {SyntaxError} */
function parseExpression(expression: string): PluralIndex {
  const tokens = expression.match(/\d+|[|]{2}|&&|[=!<>]=|\S/g) ?? [];
  let at = 0;
  let depth = 0;
  const take = (token: string): boolean => {
    if (tokens[at] !== token) return false;
    at++;
    return true;
  };
  const ensure = (isValid: boolean): void => {
    if (!isValid) throw new SyntaxError(`unexpected ${tokens[at] ?? "end"}`);
  };
  const conditional = (): PluralIndex => {
    ensure(++depth <= MAX_DEPTH);
    const condition = binary(0);
    let result = condition;
    if (take("?")) {
      const yes = conditional();
      ensure(take(":"));
      const no = conditional();
      result = (n) => (condition(n) ? yes(n) : no(n));
    }
    depth--;
    return result;
  };
  const binary = (level: number): PluralIndex => {
    const operators = LEVELS[level];
    if (operators === undefined) return unary();
    let left = binary(level + 1);
    for (;;) {
      const token = tokens[at] ?? "";
      const operation = Object.hasOwn(operators, token) ? operators[token] : undefined;
      if (operation === undefined) return left;
      at++;
      left = operation(left, binary(level + 1));
    }
  };
  const unary = (): PluralIndex => {
    let negations = 0;
    while (take("!")) negations++;
    const operand = primary();
    if (negations === 0) return operand;
    const isOdd = negations % 2 === 1;
    return (n) => ((operand(n) !== 0) === isOdd ? 0 : 1);
  };
  const primary = (): PluralIndex => {
    if (take("(")) {
      const group = conditional();
      ensure(take(")"));
      return group;
    }
    if (take("n")) return (n) => n;
    const value = /^\d/.test(tokens[at] ?? "") ? Number(tokens[at]) : Infinity;
    ensure(value <= 0xffff_ffff);
    at++;
    return () => value;
  };
  const whole = conditional();
  ensure(at === tokens.length);
  return whole;
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

/** The expressions in common use, which gettext understands too. */
export const STANDARD_EXPRESSIONS: readonly StandardExpression[] = SOURCES.map(([count, source]) => ({
  count,
  source,
  index: parseExpression(source),
}));

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
const MAX_CACHED_PLURALS = 1_000;

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
    if (pluralsCache.size >= MAX_CACHED_PLURALS) pluralsCache.clear();
    pluralsCache.set(id, found);
  }
  return found;
}

/** Returns the text of a plural message; `null` if it has more forms than there are names. */
export function pluralText(
  plurals: GettextPlurals,
  strings: readonly string[],
): { readonly forms: Forms } | null {
  const categories = categoryNames(plurals, strings.length);
  if (categories === null) return null;
  return {
    forms: Object.fromEntries(categories.map((category, index) => [category, strings[index] ?? ""])),
  };
}

/**
 * Returns the strings of a message with that text, for a plural one the inverse of `pluralText`; a missing category
 * takes the text of `other`. `null` if some form has no number in the file. `existingForms`: number of forms that the message
 * already has.
 */
export function stringsOfText(
  plurals: GettextPlurals,
  text: Text,
  existingForms = 0,
): readonly string[] | null {
  if (!isForms(text)) return [text.value];
  const categories = categoryNames(plurals, existingForms);
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

/** Returns the plural forms of a new file, and its Plural-Forms header, which covers all forms of the entries. */
export function newPlurals(
  entries: readonly { readonly text: Text }[],
  locale: string,
): { readonly header: string; readonly plurals: GettextPlurals } {
  const header = standardPluralForms(locale, categoriesIn(entries));
  return { header, plurals: gettextPlurals(header, locale) };
}

/** Parses `nplurals` and the expression; `null` if either is missing or invalid. */
export function parsePluralForms(
  header: string,
): { readonly count: number; readonly index: PluralIndex } | null {
  const count = Number(/(?:^|[^a-z])nplurals\s*=\s*(\d{1,3})(?!\d)/i.exec(header)?.[1] ?? 0);
  const expression = /plural\s*=([^;\n]*)/i.exec(header)?.[1];
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
  const assigned = categoriesOf(count, index, locale);
  // In the order in which the reader names forms that no number selects.
  const unassigned = [...new Set([...pluralCategories(locale), ...PLURAL_CATEGORIES])].filter(
    (name) => !assigned.includes(name),
  );
  const wanted = new Set(all);
  return `nplurals=${count + 1 + unassigned.findLastIndex((name) => wanted.has(name))}; plural=${source};`;
}

const SINGLE: StandardExpression = { count: 1, source: "0", index: () => 0 };

function standardExpressionOf(locale: string): StandardExpression {
  return STANDARD_EXPRESSIONS.find((expression) => isUnambiguous(expression, locale)) ?? SINGLE;
}

/** Whether each number of the locale has its own form, and each form one category. */
function isUnambiguous({ count, index }: StandardExpression, locale: string): boolean {
  if (count !== neededCategories(locale).length) return false;
  const categories = new Map<number, string>();
  for (let n = 0; n <= 1_000; n++) {
    const category = categoryForNumber(locale, n);
    if (getOrCreate(categories, index(n), () => category) !== category) return false;
  }
  return true;
}

/** Returns the names of the forms, and further ones for an entry that has more forms than the header declares. */
function categoryNames(
  { count, categories }: GettextPlurals,
  existingForms: number,
): readonly string[] | null {
  const formCount = Math.max(count, existingForms);
  if (formCount > PLURAL_CATEGORIES.length) return null;
  if (formCount <= categories.length) return categories;
  return [...categories, ...PLURAL_CATEGORIES.filter((name) => !categories.includes(name))].slice(
    0,
    formCount,
  );
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
  const { names } = bestAssignment(choices, []);
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

function likelyNames(lowest: number, isOnlyNumber: boolean): readonly string[] {
  const exact = isOnlyNumber ? ["zero", "one", "two"].slice(lowest, lowest + 1) : [];
  return [...exact, ...(lowest <= 10 ? ["few", "many"] : ["many", "few"]), "two", "zero", "one"];
}

function firstFree(names: readonly (string | undefined)[], wanted: readonly string[]): string | undefined {
  return [...wanted, ...PLURAL_CATEGORIES].find((name) => !names.includes(name));
}

interface Assignment {
  readonly score: number;
  readonly names: (string | undefined)[];
}

/** Assigns each form a category so that as many counts as possible get the form of their own category. */
function bestAssignment(choices: readonly Choices[], taken: readonly string[]): Assignment {
  const [chosen, ...others] = choices;
  if (chosen === undefined) return { score: 0, names: [] };
  const options = [...chosen]
    .filter(([category]) => !taken.includes(category))
    .map(([category, times]): Assignment => {
      const { score, names } = bestAssignment(others, [...taken, category]);
      return { score: times + score, names: [category, ...names] };
    });
  const unnamed = bestAssignment(others, taken);
  const initial = { score: unnamed.score, names: [undefined, ...unnamed.names] };
  return options.reduce((best, each) => (each.score > best.score ? each : best), initial);
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
