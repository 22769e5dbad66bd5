/**
 * Converts a text to a plain document, for editing in a text editor, and back without loss. Each plural form is below
 * a heading with its category in brackets.
 */
import { mostFrequent } from "../util/maps.ts";
import { isForms, type Forms, type Text } from "./translation-text.ts";

/** Why a document cannot be parsed: a heading is missing or duplicated, or there is text before the first one. */
export type DocumentProblem =
  | { readonly kind: "missing" | "twice"; readonly category: string }
  | { readonly kind: "before" };

/** The text to edit. */
export interface EditedText {
  /** `null`: no text yet. */
  readonly text: Text | null;
  readonly isPlural: boolean;
  /** Categories that get a heading in addition to those of the text. */
  readonly categories: readonly string[];
}

/** Returns the document of a text. Lines of a plural form that look like a heading are escaped with a backslash. */
export function printTextDocument({ text, isPlural, categories }: EditedText): string {
  if (!isPlural) return singularValue(text);
  const forms = pluralForms(text);
  const headings = categoryHeadings(forms, categories);
  return [...headings]
    .map(([heading, category]) => {
      const lines = splitLines(forms[category] ?? "").map(({ line }) => escapeLine(line, headings));
      return `${heading}\n${lines.join("\n")}\n`;
    })
    .join("");
}

/**
 * Parses an edited document. Added forms that are empty are dropped, and unchanged lines keep their line ends.
 * @param before The text that was printed.
 */
export function parseTextDocument(document: string, before: EditedText): Text | DocumentProblem {
  const lines = splitLines(document).map(({ line }) => line);
  if (!before.isPlural) return { value: joinLines(lines, singularValue(before.text)) };
  const forms = pluralForms(before.text);
  const headings = categoryHeadings(forms, before.categories);
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
  // The document's last line end does not belong to the form.
  if (current.at(-1) === "") current.pop();
  const read = [...found].map(
    ([category, formLines]) => [category, joinLines(formLines, forms[category] ?? "")] as const,
  );
  const filled = read.filter(([category, form]) => form !== "" || Object.hasOwn(forms, category));
  return { forms: Object.fromEntries(filled) };
}

function singularValue(text: Text | null): string {
  return text === null || isForms(text) ? "" : text.value;
}

function pluralForms(text: Text | null): Forms {
  return text !== null && isForms(text) ? text.forms : {};
}

/** Maps headings to categories, in the order of the document. */
function categoryHeadings(forms: Forms, categories: readonly string[]): ReadonlyMap<string, string> {
  return new Map([...categories, ...Object.keys(forms)].map((category) => [`[${category}]`, category]));
}

/** Escapes a line that is a heading, with or without leading backslashes. */
function escapeLine(line: string, headings: ReadonlyMap<string, string>): string {
  return headings.has(line.replace(/^\\+/u, "")) ? `\\${line}` : line;
}

function unescapeLine(line: string, headings: ReadonlyMap<string, string>): string {
  return line.startsWith("\\") && headings.has(line.replace(/^\\+/u, "")) ? line.slice(1) : line;
}

interface Line {
  readonly line: string;
  /** The line end; empty for the last line. */
  readonly end: string;
}

/** Splits a text into lines as editors do: one more than it has line ends. */
function splitLines(text: string): Line[] {
  const parts = text.split(/(\r\n|\r|\n)/u);
  return parts.flatMap((line, index) => (index % 2 === 0 ? [{ line, end: parts[index + 1] ?? "" }] : []));
}

/**
 * Joins lines. An editor normalises line ends and replaces lone surrogates, so equal lines at the start and the end
 * are taken from `before`, and the others get its most common line end.
 */
function joinLines(lines: readonly string[], before: string): string {
  const old = splitLines(before);
  const isSame = (line: string | undefined, other: Line | undefined): boolean =>
    line !== undefined && other !== undefined && line.toWellFormed() === other.line.toWellFormed();
  const firstOther = lines.findIndex((line, index) => !isSame(line, old[index]));
  const prefixLength = firstOther === -1 ? lines.length : firstOther;
  const maxSuffix = Math.min(lines.length, old.length) - prefixLength;
  let suffixLength = 0;
  while (suffixLength < maxSuffix && isSame(lines.at(-1 - suffixLength), old.at(-1 - suffixLength)))
    suffixLength += 1;
  const defaultEnd = mostFrequent(old.flatMap(({ end }) => (end === "" ? [] : [end]))) ?? "\n";
  const shift = old.length - lines.length;
  return lines
    .map((line, index) => {
      const isInPrefix = index < prefixLength;
      const isInSuffix = index >= lines.length - suffixLength;
      const unchanged = isInPrefix ? old[index] : isInSuffix ? old[index + shift] : undefined;
      if (index === lines.length - 1) return unchanged?.line ?? line;
      return (unchanged?.line ?? line) + (unchanged?.end || defaultEnd);
    })
    .join("");
}

/** What a save of the document does. `keep`: it stays open and nothing is written to the service or a file. */
export type DocumentSave =
  | { readonly kind: "keep" }
  | { readonly kind: "refuse"; readonly problem: DocumentProblem }
  | { readonly kind: "finish"; readonly text: Text };

/**
 * Decides what a save of the document does. An auto save, while the user types or when the focus moves, may have half a
 * text; only the user's own save finishes the edit.
 */
export function decideDocumentSave(document: string, before: EditedText, isAutoSave: boolean): DocumentSave {
  if (isAutoSave) return { kind: "keep" };
  const text = parseTextDocument(document, before);
  return "kind" in text ? { kind: "refuse", problem: text } : { kind: "finish", text };
}
