/**
 * Compares the placeholders of a translation with those of its source text, and suggests a corrected text where
 * possible. The service computes its QA issues with it, and the extension its checks before a push.
 */
import { editDistance } from "../util/edit-distance.ts";
import { type IcuSyntaxError, parseIcuSyntax } from "./icu-syntax.ts";
import type { Placeholder } from "./placeholder.ts";
import {
  findMisspelled,
  findPlaceholders,
  isDelimitedFamily,
  isFormatStringFamily,
  isPrintf,
  matchPlaceholders,
  parseFormat,
  PlaceholderNames,
  type DelimitedFamily,
  type FormatStringFamily,
  type PlaceholderFamily,
} from "./placeholders.ts";
import { ANY_KIND } from "./format-strings.ts";
import { isRareCategory, isSingleNumberCategory } from "./plural-categories.ts";
import type { Span } from "../util/span.ts";
import { isForms, type Text, valuesOf } from "./translation-text.ts";

/** One entry of `issues` (§ Translation row). Absent values are empty strings, as in the document. */
export interface PlaceholderIssue {
  /** `laravel.missing`, `laravel.unexpected`, `i18next.missing`, …, `printf.type`, `icu.syntax`. */
  readonly rule: string;
  readonly level: "error" | "warning";
  /** As written in the source text (missing) or in the translation (unexpected). */
  readonly placeholder: string;
  /** The plural category; empty for a singular text. */
  readonly form: string;
  /** The corrected text of the form; empty without a suggestion. */
  readonly suggestion: string;
  /** What is wrong with the syntax, and where in the form's text. Not a field of the service. */
  readonly syntax?: SyntaxProblem;
}

/** `format`: a format string that is not valid. */
export interface SyntaxProblem extends Span {
  readonly kind: IcuSyntaxError["kind"] | "format";
}

/** Names of the number that selects the plural form; a form for one number only may omit it. */
const COUNT_NAMES = new Set(["count", "n", "num", "number", "value"]);

/**
 * Returns the issues of a translation, in the order of forms and families; none if a text is missing or only one is
 * plural. Empty forms count as untranslated.
 */
export function checkPlaceholders(
  families: readonly PlaceholderFamily[],
  source: Text | null,
  translation: Text | null,
  locale: string,
): PlaceholderIssue[] {
  if (source === null || translation === null || isForms(source) !== isForms(translation)) return [];
  const sources = valuesOf(source);
  const forms = isForms(translation) ? translation.forms : { "": translation.value };
  return Object.entries(forms).flatMap(([form, text]) => {
    const base =
      (isForms(source) ? (source.forms[form] ?? source.forms["other"]) : undefined) ?? sources.at(-1);
    const isSingle = form !== "" && isSingleNumberCategory(locale, form);
    return families.flatMap((family) => {
      if (!isFormatStringFamily(family)) return checkForm(family, base ?? "", sources, text, form, isSingle);
      const general = (isForms(source) ? source.forms["other"] : undefined) ?? base ?? "";
      return checkFormatString(family, general, text, form, form !== "" && isRareCategory(locale, form));
    });
  });
}

/** The starts of the rules that the API document names. */
const RULE_PREFIXES: Readonly<Record<Exclude<PlaceholderFamily, DelimitedFamily>, string>> = {
  colon: "laravel.",
  "double-braces": "i18next.",
  icu: "icu.",
  "icu-tags": "icu.",
  braces: "icu.",
  verbatim: "symfony.",
  printf: "printf.",
  "c-format": "printf.",
  "php-format": "printf.",
  "python-format": "printf.",
  "javascript-format": "printf.",
  "python-brace-format": "python-brace.",
};

/** A project can only choose other delimiters than double braces. */
function rulePrefixOf(family: PlaceholderFamily): string {
  return RULE_PREFIXES[isDelimitedFamily(family) ? "double-braces" : family];
}

/** Families whose texts fail at run time on an unknown argument; the others only display it. */
const SHOW_UNKNOWN: ReadonlySet<PlaceholderFamily> = new Set(["colon", "double-braces", "verbatim"]);

/**
 * Checks a form as `msgfmt --check-format` does: nothing if the source text is no valid format string, otherwise the
 * translation must be one with the same arguments.
 * @param isRare Whether it is for a few numbers only; it may then omit arguments.
 */
function checkFormatString(
  family: FormatStringFamily,
  source: string,
  text: string,
  form: string,
  isRare: boolean,
): PlaceholderIssue[] {
  if (text === "" || source === "" || parseFormat(family, source).error !== null) return [];
  const { error } = parseFormat(family, text, source);
  if (error === null) {
    // Python counts the arguments without names.
    const isOptional = ({ name }: Placeholder): boolean => isRare && !name.startsWith("#");
    return compareForm(family, source, [source], text, form, isOptional, isRare);
  }
  const { start, end } = error;
  const placeholder = text.slice(start, end);
  // The only error that has one correction.
  const isLone =
    placeholder.startsWith("%") && /^(?:%$|%[^\p{ASCII}]|% (?![a-zA-Z]))/u.test(text.slice(start));
  const corrected = `${text.slice(0, start)}%${text.slice(start)}`;
  const suggestion =
    isLone && checkFormatString(family, source, corrected, form, isRare).length === 0 ? corrected : "";
  const rule = `${rulePrefixOf(family)}syntax`;
  return [{ rule, level: "error", placeholder, form, suggestion, syntax: { kind: "format", start, end } }];
}

/** Issues of one kind per form: a text with more is not a translation. */
const MAX_ISSUES = 50;

function checkForm(
  family: PlaceholderFamily,
  source: string,
  sources: readonly string[],
  text: string,
  form: string,
  isSingle: boolean,
): PlaceholderIssue[] {
  if (text === "" || source === "") return [];
  const isOptional = (placeholder: Placeholder): boolean => isSingle && isCountPlaceholder(placeholder);
  if (family === "printf") {
    const issues = compareForm(family, source, sources, text, form, isOptional);
    return issues.length > 0 ? issues : lonePercentIssues(source, text, form);
  }
  if (family !== "icu" && family !== "icu-tags")
    return compareForm(family, source, sources, text, form, isOptional);
  // Tags that FormatJS cannot parse show that the app does not let it.
  const tags = family === "icu-tags" && parseIcuSyntax(source, { tags: true }).error === null;
  const effective = tags ? "icu-tags" : "icu";
  // What is quoted cannot be corrected in its place.
  const issues = compareForm(effective, source, sources, text, form, isOptional).map((issue) =>
    issue.suggestion === text ? { ...issue, suggestion: "" } : issue,
  );
  const error = icuError(effective, source, text);
  const corrected = withoutQuotes(effective, source, text);
  const suggestion = corrected === text || issues.some((issue) => issue.suggestion !== "") ? "" : corrected;
  const corrections = issues.map((issue) => (suggestion === "" ? issue : { ...issue, suggestion }));
  const isCorrected = corrections.some((issue) => {
    return issue.suggestion !== "" && icuError(effective, source, issue.suggestion) === null;
  });
  if (error === null || isCorrected) return corrections;
  const { start, end, kind } = error;
  const placeholder = text.slice(start, end);
  const syntax = { kind, start, end };
  return [...corrections, { rule: "icu.syntax", level: "error", placeholder, form, suggestion, syntax }];
}

/** Reports the first `%` that is no directive, if the source text certainly is a format string without any. */
function lonePercentIssues(source: string, text: string, form: string): PlaceholderIssue[] {
  const isFormat = source.includes("%%") || findPlaceholders("printf", source).length > 0;
  const start = isFormat && lonePercent(source) === -1 ? lonePercent(text) : -1;
  if (start === -1) return [];
  const doubled = `${text.slice(0, start)}%${text.slice(start)}`;
  const suggestion = lonePercent(doubled) === -1 ? doubled : "";
  const syntax = { kind: "format", start, end: start + 1 } as const;
  return [{ rule: "printf.syntax", level: "error", placeholder: "%", form, suggestion, syntax }];
}

/** Returns the offset of the first `%` that is neither a directive nor doubled; -1 if there is none. */
function lonePercent(text: string): number {
  let from = 0;
  for (const { start, end } of findPlaceholders("printf", text)) {
    const at = text.slice(from, start).replaceAll("%%", "  ").indexOf("%");
    if (at !== -1) return from + at;
    from = end;
  }
  const at = text.slice(from).replaceAll("%%", "  ").indexOf("%");
  return at === -1 ? -1 : from + at;
}

/** Returns the syntax error of a translation whose source text is an ICU message with arguments or tags. */
function icuError(family: "icu" | "icu-tags", source: string, text: string): IcuSyntaxError | null {
  const options = { tags: family === "icu-tags" };
  const parsed = parseIcuSyntax(source, options);
  if (parsed.error !== null || (family === "icu" && parsed.arguments.length === 0)) return null;
  return parseIcuSyntax(text, options).error;
}

/** Returns the text with apostrophes doubled that quote a brace by mistake (`L'{type}`), if that makes it right. */
function withoutQuotes(family: "icu" | "icu-tags", source: string, text: string): string {
  const doubled = text.replaceAll(/(?<!')'(?=\{)|(?<=\})'(?!')/gu, "''");
  const isRight =
    icuError(family, source, doubled) === null &&
    compareForm(family, source, [source], doubled, "", () => false).length === 0;
  return isRight ? doubled : text;
}

/**
 * Compares the placeholders of a form with those of its source text, of which some may be missing.
 * @param isRare Whether directives that take any value may be in the place of others.
 */
function compareForm(
  family: PlaceholderFamily,
  source: string,
  sources: readonly string[],
  text: string,
  form: string,
  isOptional: (placeholder: Placeholder) => boolean,
  isRare = false,
): PlaceholderIssue[] {
  const required = distinctByName(findPlaceholders(family, source)).filter(
    (placeholder) => !isOptional(placeholder),
  );
  const inSources = sources.flatMap((one) => findPlaceholders(family, one));
  const found = findPlaceholders(family, text);
  if (inSources.length === 0 && found.length === 0 && required.length === 0) return [];
  const allowed = new PlaceholderNames(family, inSources);
  // Laravel also replaces `:name` directly after a word or a colon, where findPlaceholders sees none.
  const substituted = family === "colon" ? matchPlaceholders(text, /:([A-Za-z_]\w*)/gu) : [];
  const present = new PlaceholderNames(family, [...found, ...substituted]);
  const unexpected = distinctByName(found.filter(({ name }) => !allowed.has(name)));
  const mistyped = found.filter(({ name, kind }) => {
    const expected = allowed.named(name);
    const isSame = (other: string): boolean =>
      other === kind || (isRare && (other === ANY_KIND || kind === ANY_KIND));
    return expected.length > 0 && !expected.some((other) => isSame(other.kind));
  });
  const pair: FormComparison = {
    source,
    text,
    found,
    missing: required.filter(({ name }) => !present.has(name)).slice(0, MAX_ISSUES),
    unexpected: unexpected.slice(0, MAX_ISSUES),
    mistyped: mistyped.slice(0, MAX_ISSUES),
  };
  const { corrected, repaired, excused } = correctForm(family, pair, allowed);
  const issue = (rule: string, level: "error" | "warning", placeholder: Placeholder): PlaceholderIssue => ({
    rule: `${rulePrefixOf(family)}${rule}`,
    level,
    placeholder: placeholder.text,
    form,
    suggestion: repaired.has(placeholder) ? corrected : "",
  });
  const unexpectedLevel = isDelimitedFamily(family) || SHOW_UNKNOWN.has(family) ? "warning" : "error";
  return [
    ...pair.missing.map((placeholder) => issue("missing", "error", placeholder)),
    ...pair.unexpected
      .filter((placeholder) => !excused.has(placeholder))
      .map((placeholder) => issue("unexpected", unexpectedLevel, placeholder)),
    ...pair.mistyped.map((placeholder) => issue("type", "error", placeholder)),
  ];
}

/** The differences between a form and its source text. */
interface FormComparison {
  readonly source: string;
  readonly text: string;
  readonly found: readonly Placeholder[];
  readonly missing: readonly Placeholder[];
  readonly unexpected: readonly Placeholder[];
  /** Placeholders with the right name that format another kind of value. */
  readonly mistyped: readonly Placeholder[];
}

/**
 * Corrects as much of the text as possible: `repaired` are the placeholders that the correction fixes, `excused` the
 * unexpected ones that it replaced.
 */
function correctForm(
  family: PlaceholderFamily,
  { source, text, found, missing, unexpected, mistyped }: FormComparison,
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
  const candidates = unexpected.filter((one) => isPlaceholderOnly(text, one));
  for (const placeholder of missing) {
    // An argument with options cannot be replaced by a simple placeholder, nor the other way round.
    if (!isPlaceholderOnly(source, placeholder)) continue;
    const taken = [...right, ...repairs].sort((a, b) => a.start - b.start);
    const spot = findMisspelled(family, text, placeholder, taken);
    const instead =
      spot === undefined ? closestUnexpected(placeholder, candidates, missing, excused) : undefined;
    const spots =
      spot === undefined
        ? found.filter((one) => one.name === instead?.name && !repairs.some((other) => overlaps(one, other)))
        : [spot];
    if (spots.length === 0) continue;
    repairs.push(...spots.map((one) => ({ start: one.start, end: one.end, text: placeholder.text })));
    repaired.add(placeholder);
    for (const one of unexpected) {
      if (spots.some((span) => overlaps(span, one))) excused.add(one);
    }
  }
  for (const one of isPrintf(family) ? kindRepairs(family, source, found, mistyped) : []) {
    repairs.push(one);
    for (const placeholder of mistyped) if (overlaps(one, placeholder)) repaired.add(placeholder);
  }
  const corrected = applyRepairs(text, repairs);
  // Checked again, since the position of an unnumbered directive depends on those before it.
  const isRight =
    !isPrintf(family) ||
    findPlaceholders(family, corrected).every(({ name, kind }) => {
      const expected = allowed.named(name);
      return expected.length === 0 || expected.some((other) => other.kind === kind);
    });
  return isRight
    ? { corrected, repaired, excused }
    : { corrected: text, repaired: new Set(), excused: new Set() };
}

/**
 * Returns repairs of directives that format another kind of value than the source's: the right letter, or explicit
 * positions where the order differs. None where that is ambiguous, since a wrong letter shows another value.
 */
function kindRepairs(
  family: PlaceholderFamily,
  source: string,
  found: readonly Placeholder[],
  mistyped: readonly Placeholder[],
): readonly Repair[] {
  if (mistyped.length === 0) return [];
  const sources = findPlaceholders(family, source);
  const isNumbered = (one: Placeholder): boolean => /^%\d/.test(one.text) && one.text.includes("$");
  const isNamed = (one: Placeholder): boolean => one.text.startsWith("%(");
  const present = new Set(found.map(({ name, kind }) => `${name} ${kind}`));
  const unmatched = sources.filter(({ name, kind }) => !present.has(`${name} ${kind}`));
  const isReordered = mistyped.some(
    (one) =>
      !isNamed(one) && unmatched.some((required) => required.kind === one.kind && required.name !== one.name),
  );
  if (!isReordered) {
    return mistyped.flatMap(({ name, end }) => {
      const expected = sources.find((required) => required.name === name);
      // Only the conversion letter: position and width are the translator's choice.
      return expected === undefined ? [] : [{ start: end - 1, end, text: expected.text.slice(-1) }];
    });
  }
  // Not every programming language supports numbered directives: only where the source text has them.
  if (
    found.length > MAX_ISSUES ||
    !sources.every(isNumbered) ||
    found.some((one) => isNumbered(one) || isNamed(one))
  )
    return [];
  const repairs: Repair[] = [];
  for (const { kind, start } of found) {
    const [expected, ...others] = sources.filter((required) => required.kind === kind);
    if (expected === undefined || others.length > 0) return [];
    repairs.push({ start, end: start + 1, text: `%${expected.name}$` });
  }
  return new Set(repairs.map(({ text }) => text)).size === repairs.length ? repairs : [];
}

function overlaps(one: Span, other: Span): boolean {
  return one.start < other.end && other.start < one.end;
}

interface Repair extends Span {
  readonly text: string;
}

/** Applies repairs that do not overlap, from the end, so that offsets stay valid. */
function applyRepairs(text: string, repairs: readonly Repair[]): string {
  return repairs
    .toSorted((a, b) => b.start - a.start)
    .reduce((result, one) => result.slice(0, one.start) + one.text + result.slice(one.end), text);
}

/** Returns the unexpected placeholder in place of a missing one: the only one, else the most similar one. */
function closestUnexpected(
  required: Placeholder,
  unexpected: readonly Placeholder[],
  missing: readonly Placeholder[],
  taken: ReadonlySet<Placeholder>,
): Placeholder | undefined {
  const free = unexpected.filter((placeholder) => !taken.has(placeholder));
  if (missing.length === 1 && unexpected.length === 1) return free[0];
  const ranked = free
    .map((placeholder) => ({ placeholder, distance: editDistance(required.name, placeholder.name) }))
    .filter(({ distance }) => distance <= Math.max(1, Math.floor(required.name.length / 2)))
    .sort((a, b) => a.distance - b.distance);
  return ranked[0]?.placeholder;
}

/** Returns the first placeholder of each name. */
function distinctByName(placeholders: readonly Placeholder[]): Placeholder[] {
  const seen = new Set<string>();
  return placeholders.filter(({ name }) => !seen.has(name) && seen.add(name));
}

/** Returns whether the span has the placeholder's text and nothing more. */
function isPlaceholderOnly(text: string, placeholder: Placeholder): boolean {
  return text.slice(placeholder.start, placeholder.end) === placeholder.text;
}

/** Returns whether it shows the number that selects the plural form. */
export function isCountPlaceholder(placeholder: Pick<Placeholder, "kind" | "name">): boolean {
  return placeholder.kind === "d" || COUNT_NAMES.has(placeholder.name.toLowerCase());
}
