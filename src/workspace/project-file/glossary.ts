/** The project's glossary: terms with translations, in the project file or a JSON or CSV file it names. */
import { formatOfPath } from "../../formats/detect-format.ts";
import { formatInfo, type FormatName } from "../../model/file-formats.ts";
import { normalizeLocale } from "../../model/locales.ts";
import * as v from "valibot";
import type { ProjectFiles } from "../../model/platform.ts";
import { escapeRegExp, isForms } from "../../model/translation-text.ts";
import { isUnreadable } from "../../formats/parse-and-edit-file.ts";
import { isTooDeep, type ProjectFile } from "./project-file.ts";

/** Translations of each term by language (the service's locale or the one in file names). */
export type Glossary = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The referenced glossary file is missing or invalid. */
export class GlossaryError extends Error {
  readonly path: string;

  constructor(path: string) {
    super(`${path} is not a glossary`);
    this.path = path;
  }
}

const GlossarySchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.check((value) => !Array.isArray(value)),
  v.record(v.string(), v.record(v.string(), v.string())),
);

/** Largest glossary file that is read. */
const MAX_GLOSSARY_BYTES = 5_000_000;

/**
 * Reads the glossary; empty if the project has none.
 * @throws {GlossaryError} when the referenced file is missing or invalid
 */
export async function readGlossary(
  { translate }: ProjectFile,
  files: Pick<ProjectFiles, "read">,
): Promise<Glossary> {
  const glossary = translate?.glossary ?? {};
  if (typeof glossary !== "string") return glossary;
  const content = await files.read(glossary);
  if (content.kind !== "read" || content.bytes.length > MAX_GLOSSARY_BYTES) throw new GlossaryError(glossary);
  const text = new TextDecoder().decode(content.bytes);
  const format = formatOfPath(glossary);
  const read = format !== null && isTable(format) ? await parseTable(format, text) : parseJsonGlossary(text);
  if (read === null) throw new GlossaryError(glossary);
  return read;
}

function parseJsonGlossary(text: string): Glossary | null {
  const result = isTooDeep(text) ? null : v.safeParse(GlossarySchema, text);
  return result?.success === true ? result.output : null;
}

/** Whether files of the format are tables as text. */
function isTable(format: FormatName): boolean {
  const { family, kind } = formatInfo(format);
  return family === "spreadsheet" && kind === "text";
}

/** Parses a table with a column `term` and a column for each language. */
async function parseTable(format: FormatName, text: string): Promise<Glossary | null> {
  const { formats } = await import("../../formats/supported-formats.ts");
  const bytes = new TextEncoder().encode(text.replace(/^("?)term\1(?=\W)/iu, "$1key$1"));
  const read = await formats.read(format, bytes, { locale: "", sourceLocale: "", isPlural: () => false });
  if (isUnreadable(read) || read.problems.length > 0) return null;
  const terms = new Map<string, Record<string, string>>();
  for (const { key: term, locale, text: translation } of read.entries) {
    if (locale === null || isForms(translation) || translation.value === "") continue;
    terms.set(term, { ...terms.get(term), [locale]: translation.value });
  }
  return Object.fromEntries(terms);
}

/** Returns the glossary terms that occur in the text, with their translations into the language. */
export function glossaryTermsIn(
  glossary: Glossary,
  text: string,
  locale: string,
): Readonly<Record<string, string>> {
  const lower = text.toLowerCase();
  const name = normalizeLocale(locale);
  const found = Object.entries(glossary).flatMap(([term, translations]): [string, string][] => {
    const translation = Object.entries(translations).find(([each]) => normalizeLocale(each) === name)?.[1];
    return translation && hasWord(lower, term.toLowerCase()) ? [[term, translation]] : [];
  });
  return Object.fromEntries(found.slice(0, MAX_TERMS));
}

/** Most terms sent per text. */
const MAX_TERMS = 20;

/** Whether the words occur in the text with no letter before them and at most a plural ending after them. */
function hasWord(text: string, words: string): boolean {
  if (words.trim() === "" || !text.includes(words)) return false;
  return new RegExp(`(?<![\\p{L}\\p{N}])${escapeRegExp(words)}\\p{L}{0,2}(?!\\p{L})`, "u").test(text);
}
