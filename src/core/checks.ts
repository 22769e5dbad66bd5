/**
 * Compares the placeholders of a translation with those of its source text and says what is wrong, with the
 * corrected text where there is one. The service computes its QA issues with it, the editor its own before a push.
 */
import {
  bracesBalance,
  findMisspelt,
  findPlaceholders,
  sameName,
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
    const optional = isSingleNumber(locale, form) ? isCount : none;
    return families.flatMap((family) => checkForm(family, base, sources, text, form, optional));
  });
}

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
  const allowed = sources.flatMap((one) => findPlaceholders(family, one));
  const found = findPlaceholders(family, text);
  const isSame = (a: Placeholder) => (b: Placeholder) => sameName(family, a.name, b.name);

  const missing = wanted.filter(
    (placeholder) => !found.some(isSame(placeholder)) && !hidden(family, text, placeholder),
  );
  const unexpected = distinct(found.filter((placeholder) => !allowed.some(isSame(placeholder))));
  const mistyped = found.filter((placeholder) => {
    const meant = allowed.filter(isSame(placeholder));
    return meant.length > 0 && meant.every((other) => other.kind !== placeholder.kind);
  });

  const repairs: Repair[] = [];
  const repairable = new Set<Placeholder>();
  const excused = new Set<Placeholder>();
  for (const placeholder of missing) {
    // An argument with branches is more than its name: nothing simple can stand for it, nor it for another.
    if (!isWhole(source, placeholder)) continue;
    const spot = findMisspelt(family, text, placeholder);
    const candidates = unexpected.filter((one) => isWhole(text, one));
    const instead = spot === undefined ? closest(placeholder, candidates, missing, excused) : undefined;
    const spots =
      spot === undefined ? found.filter((one) => instead !== undefined && one.name === instead.name) : [spot];
    if (spots.length === 0) continue;
    repairs.push(...spots.map((one) => ({ start: one.start, end: one.end, text: placeholder.text })));
    repairable.add(placeholder);
    for (const one of unexpected) {
      if (spots.some((place) => place.start < one.end && one.start < place.end)) excused.add(one);
    }
  }
  for (const placeholder of mistyped) {
    const meant = allowed.find(isSame(placeholder));
    if (meant === undefined) continue;
    // Only the letter that says the kind: the position and the widths are the translation's own.
    const letter = meant.text.slice(-1);
    repairs.push({ start: placeholder.end - 1, end: placeholder.end, text: letter });
    repairable.add(placeholder);
  }

  const corrected = repair(text, repairs);
  const issue = (rule: string, level: "error" | "warning", placeholder: Placeholder): PlaceholderIssue => ({
    rule: `${family}.${rule}`,
    level,
    placeholder: placeholder.text,
    form,
    suggestion: repairable.has(placeholder) ? corrected : "",
  });
  const strict = family === "icu" || family === "printf";
  return [
    ...missing.map((placeholder) => issue("missing", "error", placeholder)),
    ...unexpected
      .filter((placeholder) => !excused.has(placeholder))
      // ICU and printf fail at run time over an argument that is not there; the others only show it.
      .map((placeholder) => issue("unexpected", strict ? "error" : "warning", placeholder)),
    ...mistyped.map((placeholder) => issue("type", "error", placeholder)),
    ...(family === "icu" && wanted.length > 0 && bracesBalance(source) && !bracesBalance(text)
      ? [
          {
            rule: "icu.syntax",
            level: "error" as const,
            placeholder: "{",
            form,
            suggestion: repairs.length > 0 && bracesBalance(corrected) ? corrected : "",
          },
        ]
      : []),
  ];
}

interface Repair {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Puts the repairs into the text from its end on, so that offsets stay right; of two that overlap the later goes. */
function repair(text: string, repairs: readonly Repair[]): string {
  let result = text;
  let limit = text.length;
  for (const one of [...repairs].sort((a, b) => b.start - a.start)) {
    if (one.end > limit) continue;
    result = result.slice(0, one.start) + one.text + result.slice(one.end);
    limit = one.start;
  }
  return result;
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
function hidden(family: PlaceholderFamily, text: string, placeholder: Placeholder): boolean {
  if (family !== "laravel") return false;
  return Array.from(text.matchAll(/:([A-Za-z_]\w*)/gu)).some((match) =>
    sameName(family, match[1] ?? "", placeholder.name),
  );
}

function distinct(placeholders: readonly Placeholder[]): Placeholder[] {
  return placeholders.filter(
    (placeholder, index) => placeholders.findIndex((other) => other.name === placeholder.name) === index,
  );
}

/** Whether what is written is the placeholder and nothing more. */
function isWhole(text: string, placeholder: Placeholder): boolean {
  return text.slice(placeholder.start, placeholder.end) === placeholder.text;
}

function isCount(placeholder: Placeholder): boolean {
  return placeholder.kind === "d" || COUNT_NAMES.has(placeholder.name.toLowerCase());
}

function none(): boolean {
  return false;
}

function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      current.push(Math.min(replaced, (previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}
