/** Code with marked keys: `t("«a.b»")` expects exactly this usage. */
import { expect } from "vitest";
import { usageLanguageFor } from "../../../src/scanners/supported-source-languages.ts";
import type { CustomFunction, FindOptions, KeyUsage } from "../../../src/scanners/key-usage.ts";
import type { FrameworkName } from "../../../src/frameworks/supported-frameworks.ts";

/** What a case expects beside its marks. */
export interface Expected {
  /** The keys where they differ from the marked text (escapes, concatenations). */
  readonly keys?: readonly string[];
  /** Patterns, as `prefix*suffix`. */
  readonly patterns?: readonly string[];
  /** Of each static use: `namespaces|keyPrefix`, `-` for no namespace, `?` for unknown. */
  readonly scopes?: readonly string[];
  /** Of each static use: its context, `-` for none; `?` behind it when others may be given that the code does not show. */
  readonly contexts?: readonly string[];
  /** Of each static use: whether it gives a count. */
  readonly plurals?: readonly boolean[];
  /** Of each static use: its default text, `null` for none. */
  readonly defaults?: readonly (string | null)[];
  readonly frameworks?: readonly FrameworkName[];
  readonly functions?: readonly CustomFunction[];
}

/** Title, language id, marked text, and what else is expected. */
export type Case = readonly [
  title: string,
  language: string,
  marked: string,
  expected?: Expected | undefined,
];

export function options(
  frameworks: readonly FrameworkName[] = [],
  functions: readonly CustomFunction[] = [],
): FindOptions {
  return { frameworks: new Set(frameworks), functions };
}

/** The uses in a text; the language must be known. */
export function find(language: string, text: string, given: FindOptions = options()): readonly KeyUsage[] {
  const found = usageLanguageFor(language);
  if (found === undefined) throw new Error(`no language ${language}`);
  return found.find(text, given);
}

/** Runs one case. */
export function check([, language, marked, expected = {}]: Case): void {
  const { text, marks } = unmark(marked);
  const uses = find(language, text, options(expected.frameworks, expected.functions));
  const statics = uses.filter((use) => use.expression.kind === "static");
  expect(statics.map((use) => [use.keySpan.start, text.slice(use.keySpan.start, use.keySpan.end)])).toEqual(
    marks.map((mark) => [mark.start, mark.text]),
  );
  const keys = expected.keys ?? marks.map((mark) => mark.text);
  expect(statics.map((use) => (use.expression.kind === "static" ? use.expression.key : ""))).toEqual(keys);
  expect(
    uses.flatMap(({ expression }) =>
      expression.kind === "pattern" ? [`${expression.prefix}*${expression.suffix}`] : [],
    ),
  ).toEqual(expected.patterns ?? []);
  if (expected.scopes !== undefined) expect(statics.map(scope)).toEqual(expected.scopes);
  if (expected.contexts !== undefined) expect(statics.map(contextOf)).toEqual(expected.contexts);
  if (expected.plurals !== undefined) expect(statics.map((use) => use.plural)).toEqual(expected.plurals);
  if (expected.defaults !== undefined) {
    expect(statics.map((use) => use.defaultText)).toEqual(expected.defaults);
  }
  for (const { callSpan, keySpan } of uses) {
    expect(callSpan.start).toBeLessThanOrEqual(keySpan.start);
    expect(callSpan.end).toBeGreaterThanOrEqual(keySpan.end);
  }
}

function scope({ namespaces, keyPrefix }: KeyUsage): string {
  const bound = namespaces === null ? "-" : namespaces === "unknown" ? "?" : namespaces.join(",");
  return `${bound}|${keyPrefix}`;
}

function contextOf({ context, dynamicContext }: KeyUsage): string {
  return dynamicContext === true ? `${context ?? ""}?` : (context ?? "-");
}

function unmark(marked: string): { text: string; marks: readonly { start: number; text: string }[] } {
  const marks: { start: number; text: string }[] = [];
  let text = "";
  for (const [index, part] of marked.split(/[«»]/).entries()) {
    if (index % 2 === 1) marks.push({ start: text.length, text: part });
    text += part;
  }
  return { text, marks };
}
