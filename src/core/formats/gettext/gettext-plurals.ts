/**
 * gettext's numbered plural forms (`msgstr[0]`, `msgstr[1]`) and CLDR's named ones: which number is which category in a
 * file with a Plural-Forms header, by looking at which counts choose which; and the header for a new file.
 */
import { categoryOfNumber, neededCategories, pluralCategories } from "../../plural-rules.ts";
import { fillCategories } from "../../plurals.ts";
import { CATEGORIES, type Forms } from "../../text.ts";
import { parsePluralExpression, type PluralIndex } from "./gettext-expression.ts";
import { standardExpressions } from "./gettext-standard.ts";

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
const MOST_KNOWN = 1_000;

/**
 * What the header's value (`nplurals=2; plural=(n != 1);`) says for texts of the locale. Without a header, or with
 * one that says nothing (a template's placeholder): what is usual in the locale.
 */
export function gettextPlurals(header: string | null, locale: string): GettextPlurals {
  const id = `${locale}\n${header ?? ""}`;
  let found = known.get(id);
  if (found === undefined) {
    const said = header === null ? null : parsePluralForms(header);
    const { count, index } = said ?? parsePluralForms(standardPluralForms(locale)) ?? SINGLE;
    found = { count, categories: categoriesOf(count, index, locale) };
    if (known.size >= MOST_KNOWN) known.clear();
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
  const said = Object.fromEntries(
    Object.entries(forms).filter(([name, form]) => form !== "" || categories.includes(name)),
  );
  if (Object.keys(said).length === 0) return categories.map(() => "");
  return fillCategories(categories, said);
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
