/**
 * Extracts selected text from code as the text of a key: determines the text, with placeholders for its values, and
 * the code that replaces it. Only reads. A separate bundle with the parsers, loaded for the first selection.
 */
import { frameworksOf } from "../../frameworks/supported-frameworks.ts";
import { htmlTemplatesOf } from "../../scanners/function-calls/function-signatures.ts";
import { setImmediate } from "node:timers/promises";
import { applySplices } from "../../formats/editing/apply-verified-edit.ts";
import type { Splice } from "../../formats/format.ts";
import type { Span } from "../../util/span.ts";
import { loadParser, type ParserPlugins } from "../../formats/js/babel-parser.ts";
import type { FindOptions, KeyUsage, UsageLanguage } from "../../scanners/key-usage.ts";
import { areUsagesPreserved, offsetAfter } from "../refactoring/write-key-in-code.ts";
import { type CallLanguage, textDomainOf, type ExtractionDraft, keyTextOf } from "./replacement-code.ts";
import { templateTagDraft } from "./extract-from-django.ts";
import { scriptDraft, scriptContext } from "./extract-from-javascript.ts";
import {
  markupCandidates,
  phpCandidates,
  pythonCandidates,
  scriptCandidates,
} from "./find-hard-coded-texts.ts";
import { markupDraft } from "./extract-from-markup.ts";
import { phpDraft } from "./extract-from-php.ts";
import { pythonDraft } from "./extract-from-python.ts";
import type { TemplateLanguage } from "./template-expressions.ts";

export { proposeKeyName } from "./suggest-key-name.ts";

/** A selected text that can be extracted. */
export interface Extraction {
  /** The text of the new key, with placeholders. */
  readonly text: string;
  /** Range of the document to replace. */
  readonly span: Span;
  /**
   * Returns the edits of the document, in order of offset, for a key as written there. `null` if the edited code
   * would not use exactly this key there, or something else would change.
   */
  readonly splicesFor: (key: string) => readonly Splice[] | null;
  /** Namespaces and prefix that a key written there is bound to. */
  readonly binding: Pick<KeyUsage, "namespaces" | "keyPrefix">;
  /** Text domain of the call. */
  readonly domain?: string;
  /** The code contains the text itself, from which the framework computes the key and extracts the entry. */
  readonly isMessage?: true;
}

/** Longest selection. UTF-16 units. */
const MAX_SELECTION_CHARACTERS = 5_000;
/** Longer files are generated, and each selection in one would be slow. UTF-16 units. */
const MAX_FILE_CHARACTERS = 1_000_000;

/** A file that texts are extracted from. */
export interface CodeFile {
  /** Its ending says how it is read. */
  readonly path: string;
  readonly text: string;
  /** Passed in, so that this bundle has no copy of all scanners; `undefined`: nothing is extracted. */
  readonly language: UsageLanguage | undefined;
  readonly options: FindOptions;
}

/** A file as it was read. */
interface SourceCode {
  readonly syntax: Syntax;
  readonly text: string;
  readonly options: FindOptions;
  readonly language: UsageLanguage;
  readonly usages: readonly KeyUsage[];
}

/** The template language, `python`, `php`, or the plugins to parse a script with. */
type Syntax = TemplateLanguage | "python" | "php" | ParserPlugins;

const SYNTAXES: readonly (readonly [RegExp, Syntax])[] = [
  [/\.pyw?$/, "python"],
  [/\.dj(?:html|txt)$/, "django-html"],
  [/\.(?:jinja2?|j2)$/, "jinja-html"],
  [/\.blade\.php$/, "blade"],
  [/\.vue$/, "vue"],
  [/\.svelte$/, "svelte"],
  [/\.astro$/, "astro"],
  [/\.twig$/, "twig"],
  [/\.(?:php|phtml|inc)$/, "php"],
  [/\.[cm]?ts$/, ["typescript", "decorators"]],
  [/\.tsx$/, ["typescript", "jsx", "decorators"]],
  [/\.[cm]?jsx?$/, ["flow", "jsx", "decorators"]],
];

function syntaxOf(path: string, options: FindOptions): Syntax | undefined {
  const name = path.toLowerCase();
  // HTML is a template only in projects with these frameworks.
  if (/\.(?:html?|txt)$/.test(name)) return htmlTemplatesOf(options).at(-1);
  return SYNTAXES.find(([ending]) => ending.test(name))?.[1];
}

async function readCode({ path, text, language, options }: CodeFile): Promise<SourceCode | null> {
  const syntax = syntaxOf(path, options);
  if (language === undefined || syntax === undefined) return null;
  await loadParser();
  return { syntax, text, options, language, usages: language.find(text, options) };
}

/** Returns `null` if the selection cannot be the text of a key (code, markup, part of a literal). */
export async function extractionAt(file: CodeFile, selected: Span): Promise<Extraction | null> {
  const { text } = file;
  const span = trimSpan(text, selected);
  if (text.length > MAX_FILE_CHARACTERS || span.end - span.start > MAX_SELECTION_CHARACTERS) return null;
  if (!/\p{L}/u.test(text.slice(span.start, span.end))) return null;
  const code = await readCode(file);
  return code === null ? null : extractionIn(code, span);
}

/** A text in the code that could be extracted. */
export interface HardCodedText {
  readonly text: string;
  readonly span: Span;
}

/** Longer files are rarely handwritten and not searched. UTF-16 units. */
const MAX_SEARCHED_CHARACTERS = 200_000;

/** Returns the texts in the code that users read, in order; each can be extracted. */
export async function hardCodedTexts(file: CodeFile, signal: AbortSignal): Promise<readonly HardCodedText[]> {
  const { text } = file;
  const code = text.length > MAX_SEARCHED_CHARACTERS ? null : await readCode(file);
  if (code === null) return [];
  const found: HardCodedText[] = [];
  let end = 0;
  for (const candidate of candidatesIn(code).toSorted((a, b) => a.start - b.start)) {
    const span = trimSpan(text, candidate);
    if (span.start < end || span.end - span.start > MAX_SELECTION_CHARACTERS) continue;
    await setImmediate();
    signal.throwIfAborted();
    const extraction = extractionIn(code, span);
    if (extraction === null || !/\p{L}{2}/u.test(extraction.text)) continue;
    found.push({ text: extraction.text, span });
    ({ end } = extraction.span);
  }
  return found;
}

function candidatesIn({ syntax, text }: SourceCode): readonly Span[] {
  if (syntax === "python") return pythonCandidates(text);
  if (syntax === "php") return phpCandidates(text);
  return typeof syntax === "string" ? markupCandidates(text, syntax) : scriptCandidates(text, syntax);
}

function draftAt({ syntax, text, options, usages }: SourceCode, span: Span): ExtractionDraft | null {
  if (syntax === "python") return pythonDraft(text, span, options);
  if (syntax === "php") return phpDraft(text, span, options);
  if (syntax === "django-html" || syntax === "jinja-html") return templateTagDraft(text, span, syntax);
  return typeof syntax === "string"
    ? markupDraft({ text, language: syntax, project: options, usages, selected: span })
    : scriptDraft(text, span, scriptContext(usages, options, syntax));
}

/** Returns the language of the code that uses the text. */
function callLanguageOf(syntax: Syntax): CallLanguage {
  if (typeof syntax !== "string" || syntax === "astro") return "js";
  return syntax === "blade" ? "php" : syntax;
}

function extractionIn(code: SourceCode, span: Span): Extraction | null {
  const { syntax, text, options, language, usages: before } = code;
  const draft = draftAt(code, span);
  const keyText = draft && keyTextOf(draft.parts, options, callLanguageOf(syntax));
  if (draft === null || keyText === null) return null;
  const { span: replaced, extraSplices = [] } = draft;
  if (before.some(({ callSpan }) => callSpan.start < replaced.end && callSpan.end > replaced.start))
    return null;
  const changedFor = (key: string): ChangedCode | null => {
    const replacement = { ...replaced, text: draft.codeFor(key, keyText.values) };
    const splices = [replacement, ...extraSplices].sort((a, b) => a.start - b.start || a.end - b.end);
    const start = offsetAfter(replacement.start, splices);
    const isNew = ({ callSpan }: KeyUsage): boolean =>
      callSpan.start >= start && callSpan.end <= start + replacement.text.length;
    const after = language.find(applySplices(text, splices), options);
    const [usage, ...otherNew] = after.filter(isNew);
    if (usage?.expression.kind !== "static" || usage.expression.key !== key || otherNew.length > 0)
      return null;
    const others = after.filter((other) => !isNew(other));
    return areUsagesPreserved(before, others, splices, () => null) ? { splices, usage } : null;
  };
  // Markup collapses whitespace, except non-breaking spaces.
  const extracted =
    draft.collapsesWhitespace === true
      ? keyText.text.replaceAll(/[ \t\r\n\f]+/g, " ").replaceAll(/^ | $/g, "")
      : keyText.text;
  const isText = frameworksOf(options.frameworks).some(({ keys }) => keys.kind === "text");
  const sample = changedFor(isText ? extracted : "extracted.key");
  if (sample === null) return null;
  const isMessage = sample.usage.isMessage === true;
  if (isMessage && changedFor(extracted) === null) return null;
  const domain = textDomainOf(options);
  const takesDomain =
    domain !== null && syntax !== "python" && syntax !== "django-html" && syntax !== "jinja-html";
  return {
    text: extracted,
    span: replaced,
    splicesFor: (key) => changedFor(key)?.splices ?? null,
    binding: { namespaces: sample.usage.namespaces, keyPrefix: sample.usage.keyPrefix },
    ...(takesDomain ? { domain } : {}),
    ...(isMessage ? { isMessage: true as const } : {}),
  };
}

interface ChangedCode {
  readonly splices: readonly Splice[];
  /** The new usage. */
  readonly usage: KeyUsage;
}

/** Trims whitespace, except non-breaking spaces. */
function trimSpan(text: string, { start, end }: Span): Span {
  while (start < end && /[ \t\r\n\f]/.test(text[start] ?? "")) start++;
  while (end > start && /[ \t\r\n\f]/.test(text[end - 1] ?? "")) end--;
  return { start, end };
}
