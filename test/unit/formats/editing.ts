/** Helpers that read a text and apply edits. */
import { applyEdit, type TextEdit } from "../../../src/formats/editing/apply-verified-edit.ts";
import type { Change, Entry, EntryName, ReadOptions, TextFormat } from "../../../src/formats/format.ts";
import type { Text } from "../../../src/model/translation-text.ts";

export const ENGLISH: ReadOptions = { locale: "en", sourceLocale: "en" };

/** A text as it is given in a test: a string is a value, an object the forms. */
export type TextInput = string | Record<string, string>;

export function textOf(given: TextInput): Text {
  return typeof given === "string" ? { value: given } : { forms: given };
}

export function toTextInput(text: Text): TextInput {
  return "forms" in text ? { ...text.forms } : text.value;
}

/** Key to text, in the file's order. */
export function readAll(
  format: TextFormat,
  text: string,
  options: ReadOptions = ENGLISH,
): [string, TextInput][] {
  return format.read(text, options).entries.map((entry) => [entry.key, toTextInput(entry.text)]);
}

export function entryOf(format: TextFormat, text: string, key: string): Entry | undefined {
  return format.read(text, ENGLISH).entries.find((entry) => entry.key === key);
}

/** `null` removes. */
export function edit(
  format: TextFormat,
  text: string,
  wanted: Readonly<Record<string, TextInput | null>>,
  options: ReadOptions = ENGLISH,
): TextEdit {
  const changes = Object.entries(wanted).map(([key, given]): Change => ({
    key,
    context: null,
    text: given === null ? null : textOf(given),
  }));
  const applied = applyEdit(format, text, changes, options);
  expectApart(applied);
  return applied;
}

/** Editors refuse changes of which one begins before the end of another. */
function expectApart({ splices }: TextEdit): void {
  for (const [index, { start }] of splices.entries()) {
    const end = splices[index - 1]?.end ?? 0;
    if (start < end) throw new Error(`a change at ${start} begins before the end of another at ${end}`);
  }
}

/** The text after an edit that nothing of is refused. */
export function edited(
  format: TextFormat,
  text: string,
  wanted: Readonly<Record<string, TextInput | null>>,
  options: ReadOptions = ENGLISH,
): string {
  const applied = edit(format, text, wanted, options);
  if (applied.refused.length > 0) throw new Error(`refused: ${JSON.stringify(applied.refused)}`);
  return applied.text;
}

/** An entry's full name, what it is to say (`null`: removed), and a description. */
export type Wanted = readonly (readonly [
  Partial<EntryName> & { readonly key: string },
  TextInput | null,
  string?,
])[];

export function changesOf(wanted: Wanted): readonly Change[] {
  return wanted.map(([name, given, description]) => ({
    context: null,
    ...name,
    text: given === null ? null : textOf(given),
    ...(description === undefined ? {} : { description }),
  }));
}

/** The text after an edit by full names that nothing of is refused. */
export function changedNames(format: TextFormat, text: string, wanted: Wanted): string {
  const applied = applyEdit(format, text, changesOf(wanted), ENGLISH);
  if (applied.refused.length > 0) throw new Error(`refused: ${JSON.stringify(applied.refused)}`);
  return applied.text;
}
