/**
 * Compares the placeholders of a translation with those of its source text and says what is wrong, with the
 * corrected text where there is one. The service computes its QA issues with it, the editor its own before a push.
 */
import { editDistance } from "./edit-distance.ts";
import {
  bracesBalance,
  findMisspelt,
  findPlaceholders,
  PlaceholderNames,
  type Placeholder,
  type PlaceholderFamily,
} from "./placeholders.ts";
import { isSingleNumber } from "./plural-rules.ts";
import { isForms, type Text } from "./text.ts";

export type { PlaceholderFamily };

/** One entry of `issues` (§ Translation row). Every member is a string there, so "none" is an empty one. */
export interface PlaceholderIssue {
  /** `laravel.missing`, `laravel.unexpected`, `i18next.missing`, …, `printf.type`, `icu.syntax`. */
  readonly rule: string;
  readonly level: "error" | "warning";
  /** As it is written in the source (missing) or in the translation (unexpected). */
  readonly placeholder: string;
  /** The plural category; empty for a singular text. */
  readonly form: string;
  /** The whole corrected text of that form; empty when none can be told. */
  readonly suggestion: string;
}

/** Names of the number that a plural text counts; a form for one number only need not show it. */
const COUNT_NAMES = new Set(["count", "n", "num", "number", "value"]);

/**
 * The issues of one translation, in the order of forms and families; none when the kinds differ or when either is
 * missing. An empty form is untranslated, not wrong.
 */
export function checkPlaceholders(
  families: readonly PlaceholderFamily[],
  source: Text | null,
  translation: Text | null,
  locale: string,
): PlaceholderIssue[] {
  if (source === null || translation === null) return [];
  if (!isForms(source) && !isForms(translation)) {
    return families.flatMap((family) =>
      checkForm(family, source.value, [source.value], translation.value, "", none),
    );
  }
  if (!isForms(source) || !isForms(translation)) return [];
  const sources = Object.values(source.forms);
  const fallback = source.forms["other"] ?? sources.at(-1);
  if (fallback === undefined) return [];
  return Object.entries(translation.forms).flatMap(([form, text]) => {
    const base = source.forms[form] ?? fallback;
    const optional = isSingleNumber(locale, form) ? isCountPlaceholder : none;
    return families.flatMap((family) => checkForm(family, base, sources, text, form, optional));
  });
}

/** At most so many faults of a kind are told of one form: a text with more is no translation. */
const MAX_ISSUES = 50;

function checkForm(
  family: PlaceholderFamily,
  source: string,
  sources: readonly string[],
  text: string,
  form: string,
  optional: (placeholder: Placeholder) => boolean,
): PlaceholderIssue[] {
  if (text === "" || source === "") return [];
  const wanted = distinct(findPlaceholders(family, source)).filter((placeholder) => !optional(placeholder));
  const allowed = new PlaceholderNames(
    family,
    sources.flatMap((one) => findPlaceholders(family, one)),
  );
  const found = findPlaceholders(family, text);
  const present = new PlaceholderNames(family, family === "laravel" ? withHidden(found, text) : found);
  const pair: Pair = {
    source,
    text,
    found,
    missing: wanted.filter((placeholder) => !present.has(placeholder.name)).slice(0, MAX_ISSUES),
    unexpected: distinct(found.filter((placeholder) => !allowed.has(placeholder.name))).slice(0, MAX_ISSUES),
    mistyped: found
      .filter((placeholder) => {
        const meant = allowed.named(placeholder.name);
        return meant.length > 0 && meant.every((other) => other.kind !== placeholder.kind);
      })
      .slice(0, MAX_ISSUES),
  };
  const { corrected, repaired, excused } = correct(family, pair, allowed);
  const issue = (rule: string, level: "error" | "warning", placeholder: Placeholder): PlaceholderIssue => ({
    rule: `${family}.${rule}`,
    level,
    placeholder: placeholder.text,
    form,
    suggestion: repaired.has(placeholder) ? corrected : "",
  });
  // ICU and printf fail at run time over an argument that is not there; the others only show it.
  const unexpectedLevel = family === "icu" || family === "printf" ? "error" : "warning";
  const issues = [
    ...pair.missing.map((placeholder) => issue("missing", "error", placeholder)),
    ...pair.unexpected
      .filter((placeholder) => !excused.has(placeholder))
      .map((placeholder) => issue("unexpected", unexpectedLevel, placeholder)),
    ...pair.mistyped.map((placeholder) => issue("type", "error", placeholder)),
  ];
  if (family === "icu" && wanted.length > 0 && bracesBalance(source) && !bracesBalance(text)) {
    const suggestion = bracesBalance(corrected) ? corrected : "";
    issues.push({ rule: "icu.syntax", level: "error", placeholder: "{", form, suggestion });
  }
  return issues;
}

/** What differs between one form's texts. */
interface Pair {
  readonly source: string;
  readonly text: string;
  readonly found: readonly Placeholder[];
  readonly missing: readonly Placeholder[];
  readonly unexpected: readonly Placeholder[];
  /** Of the right name, but printing another kind of value. */
  readonly mistyped: readonly Placeholder[];
}

/**
 * The text with everything corrected that can be: `repaired` are those that it mends, `excused` the unexpected ones
 * that stood in their places.
 */
function correct(
  family: PlaceholderFamily,
  { source, text, found, missing, unexpected, mistyped }: Pair,
  allowed: PlaceholderNames,
): {
  readonly corrected: string;
  readonly repaired: ReadonlySet<Placeholder>;
  readonly excused: ReadonlySet<Placeholder>;
} {
  const repairs: Repair[] = [];
  const repaired = new Set<Placeholder>();
  const excused = new Set<Placeholder>();
  const right = found.filter((placeholder) => allowed.has(placeholder.name));
  const candidates = unexpected.filter((one) => isWhole(text, one));
  for (const placeholder of missing) {
    // An argument with branches is more than its name: nothing simple can stand for it, nor it for another.
    if (!isWhole(source, placeholder)) continue;
    const taken = [...right, ...repairs].sort((a, b) => a.start - b.start);
    const spot = findMisspelt(family, text, placeholder, taken);
    const instead = spot === undefined ? closest(placeholder, candidates, missing, excused) : undefined;
    const spots =
      spot === undefined
        ? found.filter((one) => one.name === instead?.name && !repairs.some((other) => overlaps(one, other)))
        : [spot];
    if (spots.length === 0) continue;
    repairs.push(...spots.map((one) => ({ start: one.start, end: one.end, text: placeholder.text })));
    repaired.add(placeholder);
    for (const one of unexpected) {
      if (spots.some((place) => overlaps(place, one))) excused.add(one);
    }
  }
  for (const one of family === "printf" ? retyped(source, found, mistyped) : []) {
    repairs.push(one);
    for (const placeholder of mistyped) if (overlaps(one, placeholder)) repaired.add(placeholder);
  }
  const corrected = repair(text, repairs);
  // Read again: unnumbered directives change their numbers with each one that comes before them.
  const isRight =
    family !== "printf" ||
    findPlaceholders(family, corrected).every(({ name, kind }) => {
      const meant = allowed.named(name);
      return meant.length === 0 || meant.some((other) => other.kind === kind);
    });
  return isRight
    ? { corrected, repaired, excused }
    : { corrected: text, repaired: new Set(), excused: new Set() };
}

/**
 * Repairs of directives that print another kind of value than the source's: the right letter, or the right number where
 * they stand in another order. None where that cannot be told, since a wrong letter shows another value.
 */
function retyped(
  source: string,
  found: readonly Placeholder[],
  mistyped: readonly Placeholder[],
): readonly Repair[] {
  if (mistyped.length === 0) return [];
  const sources = findPlaceholders("printf", source);
  const isNumbered = (one: Placeholder): boolean => /^%\d/.test(one.text) && one.text.includes("$");
  const isNamed = (one: Placeholder): boolean => one.text.startsWith("%(");
  const met = new Set(found.map(({ name, kind }) => `${name} ${kind}`));
  const unmet = sources.filter(({ name, kind }) => !met.has(`${name} ${kind}`));
  const isReordered = mistyped.some(
    (one) => !isNamed(one) && unmet.some((wanted) => wanted.kind === one.kind && wanted.name !== one.name),
  );
  if (!isReordered) {
    return mistyped.flatMap(({ name, end }) => {
      const meant = sources.find((wanted) => wanted.name === name);
      // Only the letter that says the kind: the position and the widths are the translation's own.
      return meant === undefined ? [] : [{ start: end - 1, end, text: meant.text.slice(-1) }];
    });
  }
  // Not every language has numbered directives: only where the source shows that this one does.
  if (
    found.length > MAX_ISSUES ||
    !sources.every(isNumbered) ||
    found.some((one) => isNumbered(one) || isNamed(one))
  )
    return [];
  const repairs: Repair[] = [];
  for (const { kind, start } of found) {
    const [meant, ...others] = sources.filter((wanted) => wanted.kind === kind);
    if (meant === undefined || others.length > 0) return [];
    repairs.push({ start, end: start + 1, text: `%${meant.name}$` });
  }
  return new Set(repairs.map(({ text }) => text)).size === repairs.length ? repairs : [];
}

function overlaps(one: Omit<Repair, "text">, other: Omit<Repair, "text">): boolean {
  return one.start < other.end && other.start < one.end;
}

interface Repair {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Puts the repairs, of which no two overlap, into the text from its end on, so that offsets stay right. */
function repair(text: string, repairs: readonly Repair[]): string {
  return repairs
    .toSorted((a, b) => b.start - a.start)
    .reduce((result, one) => result.slice(0, one.start) + one.text + result.slice(one.end), text);
}

/**
 * The unexpected placeholder that stands where this one should: the only one when only one is missing, else the
 * one that is spelt most like it.
 */
function closest(
  wanted: Placeholder,
  unexpected: readonly Placeholder[],
  missing: readonly Placeholder[],
  taken: ReadonlySet<Placeholder>,
): Placeholder | undefined {
  const free = unexpected.filter((placeholder) => !taken.has(placeholder));
  if (missing.length === 1 && unexpected.length === 1) return free[0];
  const ranked = free
    .map((placeholder) => ({ placeholder, distance: editDistance(wanted.name, placeholder.name) }))
    .filter(({ distance }) => distance <= Math.max(1, Math.floor(wanted.name.length / 2)))
    .sort((a, b) => a.distance - b.distance);
  return ranked[0]?.placeholder;
}

/** Laravel replaces `:name` also right behind a word or a colon, where it is not looked for as a new one. */
function withHidden(found: readonly Placeholder[], text: string): readonly Placeholder[] {
  const hidden = Array.from(text.matchAll(/:([A-Za-z_]\w*)/gu), (match) => ({
    name: match[1] ?? "",
    kind: "",
    text: match[0],
    start: match.index,
    end: match.index + match[0].length,
  }));
  return [...found, ...hidden];
}

/** The first of each name. */
function distinct(placeholders: readonly Placeholder[]): Placeholder[] {
  const byName = new Map<string, Placeholder>();
  for (const placeholder of placeholders) {
    if (!byName.has(placeholder.name)) byName.set(placeholder.name, placeholder);
  }
  return [...byName.values()];
}

/** Whether what is written is the placeholder and nothing more. */
function isWhole(text: string, placeholder: Placeholder): boolean {
  return text.slice(placeholder.start, placeholder.end) === placeholder.text;
}

/** Whether it shows the number that a plural text counts. */
export function isCountPlaceholder(placeholder: Pick<Placeholder, "kind" | "name">): boolean {
  return placeholder.kind === "d" || COUNT_NAMES.has(placeholder.name.toLowerCase());
}

function none(): boolean {
  return false;
}
