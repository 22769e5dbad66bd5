/** Chooses the placeholder families of a text, by its file's flags and format, else by the project's frameworks. */
import type { BilingualFamily } from "./file-formats.ts";
import { parseIcuChoices } from "./icu-message.ts";
import { parseIcuSyntax } from "./icu-syntax.ts";
import {
  findPlaceholders,
  type FormatStringFamily,
  isPrintf,
  parseFormat,
  type PlaceholderFamily,
} from "./placeholders.ts";
import { type Text, valuesOf } from "./translation-text.ts";

/** What a file says of a text. */
export interface TextOrigin {
  /** Its path; Symfony's `messages+intl-icu.nl.xlf` has ICU messages. */
  readonly path: string;
  readonly family: BilingualFamily | null;
  /** gettext's flags of the message. */
  readonly formatFlags: readonly string[];
  readonly source: Text | null;
}

/** A translation and what its file says of it. */
export interface FileTranslation extends Pick<TextOrigin, "path" | "family"> {
  readonly locale: string;
  readonly text: Text;
  /** The source text of the key; `null`: unknown. */
  readonly source: Text | null;
  /** The source text beside the translation (`msgid`); `null` without one. */
  readonly ownSource: Text | null;
  /** gettext's flags; `undefined`: the format has none. */
  readonly formatFlags: readonly string[] | undefined;
  /** Whether programs do not use it. */
  readonly isFuzzy: boolean;
}

const FORMAT_STRINGS: readonly FormatStringFamily[] = [
  "c-format",
  "php-format",
  "python-format",
  "python-brace-format",
  "javascript-format",
];

/**
 * Returns the families by which the text is checked.
 * @param project Those of the project's frameworks and formats.
 */
export function placeholderFamilies(
  project: readonly PlaceholderFamily[],
  origin: TextOrigin,
): readonly PlaceholderFamily[] {
  if (/\+intl-icu\.[^/]*$/u.test(origin.path)) return ["icu"];
  // Without a framework, a source text with plural or other options shows that it is an ICU message.
  if (project.length === 0 && origin.family === null) return hasIcuOptions(origin.source) ? ["icu"] : [];
  if (origin.family === "gettext") return gettextFamilies(project, origin);
  // Values in double braces are filled in before the text is read as an ICU message.
  if (project.includes("icu") && project.includes("double-braces"))
    return project.filter((family) => family !== (hasDoubleBraces(origin.source) ? "icu" : "double-braces"));
  // The texts of other users of XLIFF (Angular, TYPO3) have no such placeholders.
  if (origin.family === "xliff" && !project.includes("verbatim")) return ["verbatim", ...project];
  return project;
}

function gettextFamilies(
  project: readonly PlaceholderFamily[],
  { formatFlags, source }: TextOrigin,
): readonly PlaceholderFamily[] {
  const flagged = FORMAT_STRINGS.filter((family) => formatFlags.includes(family));
  if (flagged.length > 0) return flagged;
  // Another language's (`perl-brace-format`), or expressly none.
  const isForeign = formatFlags.some((flag) => !flag.startsWith("no-"));
  const isExcluded = formatFlags.some((flag) => flag.startsWith("no-") && flag !== "no-python-brace-format");
  const families = isForeign || isExcluded ? project.filter((family) => !isPrintf(family)) : project;
  const isIcu = project.includes("icu") || project.includes("icu-tags");
  if (isForeign || isIcu || formatFlags.includes("no-python-brace-format") || !hasOnlyBraces(source))
    return families;
  return ["python-brace-format"];
}

function hasDoubleBraces(source: Text | null): boolean {
  return (
    source !== null && valuesOf(source).some((value) => findPlaceholders("double-braces", value).length > 0)
  );
}

/** Whether the text is a valid ICU message with `plural`, `select` or `selectordinal`. */
function hasIcuOptions(source: Text | null): boolean {
  const values = source === null ? [] : valuesOf(source);
  return (
    values.some((value) => (parseIcuChoices(value) ?? []).length > 0) &&
    values.every((value) => parseIcuSyntax(value, { tags: false }).error === null)
  );
}

/** Whether Python's fields are the only placeholders of the source text. */
function hasOnlyBraces(source: Text | null): boolean {
  const values = source === null ? [] : valuesOf(source);
  const parsed = values.map((value) => parseFormat("python-brace-format", value));
  return (
    parsed.every(({ error }) => error === null) &&
    parsed.some((each) => each.arguments.some(({ text }) => text !== "{}")) &&
    values.every((value) => findPlaceholders("printf", value).length === 0)
  );
}
