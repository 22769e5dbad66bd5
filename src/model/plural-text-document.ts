/**
 * A text as one document, to be edited where an input of one line cannot hold it, and back. Plural forms stand below a
 * line with their category in brackets. Nothing of a text is lost on the way, whatever it says.
 */
import { isForms, type Forms, type Text } from "./text.ts";

/** Why a document is no text: a form's heading is missing or stands twice, or text stands before the first one. */
export type DocumentProblem =
  | { readonly kind: "missing" | "twice"; readonly category: string }
  | { readonly kind: "before" };

/** What is edited. */
export interface EditedText {
  /** `null`: there is none yet. */
  readonly text: Text | null;
  readonly isPlural: boolean;
  /** Plural categories that have a heading, beside those that the text has. */
  readonly categories: readonly string[];
}

/** The document of a text. A line of a plural form that reads like a heading gets a backslash before it. */
export function printText({ text, isPlural, categories }: EditedText): string {
  if (!isPlural) return valueOf(text);
  const forms = formsOf(text);
  const headings = headingsOf(forms, categories);
  return [...headings]
    .map(([heading, category]) => {
      const lines = linesOf(forms[category] ?? "").map(({ line }) => escapeLine(line, headings));
      return `${heading}\n${lines.join("\n")}\n`;
    })
    .join("");
}

/**
 * The way back of `printText`: `document` is what an editor made of it, `before` what was printed. Forms that were not
 * there and are still empty are left out, and line ends of lines that were not changed stay as they were.
 */
export function readText(document: string, before: EditedText): Text | DocumentProblem {
  const lines = linesOf(document).map(({ line }) => line);
  if (!before.isPlural) return { value: withLineEnds(lines, valueOf(before.text)) };
  const forms = formsOf(before.text);
  const headings = headingsOf(forms, before.categories);
  const found = new Map<string, string[]>();
  const leading: string[] = [];
  let current = leading;
  for (const line of lines) {
    const category = headings.get(line);
    if (category === undefined) {
      current.push(unescapeLine(line, headings));
      continue;
    }
    if (found.has(category)) return { kind: "twice", category };
    current = [];
    found.set(category, current);
  }
  if (leading.some((line) => line !== "")) return { kind: "before" };
  for (const category of headings.values()) if (!found.has(category)) return { kind: "missing", category };
  // The document's last line end is not the form's; those before a heading were taken by splitting at lines.
  if (current.at(-1) === "") current.pop();
  const read = [...found].map(
    ([category, own]) => [category, withLineEnds(own, forms[category] ?? "")] as const,
  );
  const filled = read.filter(([category, form]) => form !== "" || Object.hasOwn(forms, category));
  return { forms: Object.fromEntries(filled) };
}

function valueOf(text: Text | null): string {
  return text === null || isForms(text) ? "" : text.value;
}

function formsOf(text: Text | null): Forms {
  return text !== null && isForms(text) ? text.forms : {};
}

/** Heading to category, in the order of the document. */
function headingsOf(forms: Forms, categories: readonly string[]): ReadonlyMap<string, string> {
  return new Map([...categories, ...Object.keys(forms)].map((category) => [`[${category}]`, category]));
}

/** So that a line that reads like a heading, with backslashes before it or without, is none. */
function escapeLine(line: string, headings: ReadonlyMap<string, string>): string {
  return headings.has(line.replace(/^\\+/u, "")) ? `\\${line}` : line;
}

function unescapeLine(line: string, headings: ReadonlyMap<string, string>): string {
  return line.startsWith("\\") && headings.has(line.replace(/^\\+/u, "")) ? line.slice(1) : line;
}

interface Line {
  readonly line: string;
  /** Empty after the last line. */
  readonly end: string;
}

/** Lines as an editor counts them: one more than there are line ends. */
function linesOf(text: string): Line[] {
  const parts = text.split(/(\r\n|\r|\n)/u);
  return parts.flatMap((line, index) => (index % 2 === 0 ? [{ line, end: parts[index + 1] ?? "" }] : []));
}

/**
 * The lines as one text. An editor knows one kind of line end, and a lone surrogate has no bytes: lines at both ends that
 * say the same as `before` are taken from there, and the others get the line end that `before` has most.
 */
function withLineEnds(lines: readonly string[], before: string): string {
  const old = linesOf(before);
  const isSame = (line: string | undefined, other: Line | undefined): boolean =>
    line !== undefined && other !== undefined && line.toWellFormed() === other.line.toWellFormed();
  const most = Math.min(lines.length, old.length);
  let first = 0;
  while (first < most && isSame(lines[first], old[first])) first += 1;
  let last = 0;
  while (last < most - first && isSame(lines.at(-1 - last), old.at(-1 - last))) last += 1;
  const usual = usualEnd(old);
  const shift = old.length - lines.length;
  return lines
    .map((line, index) => {
      const isFirst = index < first;
      const isLast = index >= lines.length - last;
      const kept = isFirst ? old[index] : isLast ? old[index + shift] : undefined;
      if (index === lines.length - 1) return kept?.line ?? line;
      return (kept?.line ?? line) + (kept === undefined || kept.end === "" ? usual : kept.end);
    })
    .join("");
}

function usualEnd(lines: readonly Line[]): string {
  const counts = new Map<string, number>();
  for (const { end } of lines) if (end !== "") counts.set(end, (counts.get(end) ?? 0) + 1);
  const [usual] = [...counts].sort(([, a], [, b]) => b - a);
  return usual?.[0] ?? "\n";
}
