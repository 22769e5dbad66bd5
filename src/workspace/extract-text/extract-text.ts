/**
 * Extracts selected text from code as the text of a key: determines the text, with placeholders for its values, and
 * the code that replaces it. Only reads. A separate bundle with the parsers, loaded for the first selection.
 */
import { setImmediate } from "node:timers/promises";
import { applySplices } from "../../formats/apply-verified-edit.ts";
import type { Splice } from "../../formats/format.ts";
import type { Span } from "../../model/span.ts";
import { loadParser, type ParserPlugins } from "../../formats/js/babel-parser.ts";
import { usageLanguageFor } from "../../scanners/supported-languages.ts";
import type { FindOptions, KeyUsage, UsageLanguage } from "../../scanners/usage.ts";
import { areReadAgain } from "../refactoring/spell-key-in-code.ts";
import { textDomainOf, type ExtractionDraft, keyTextOf } from "./replacement-code.ts";
import { djangoDraft } from "./extract-from-django.ts";
import { scriptDraft, scriptContext } from "./extract-from-javascript.ts";
import {
  markupCandidates,
  phpCandidates,
  pythonCandidates,
  scriptCandidates,
} from "./find-hard-coded-texts.ts";
import { markupDraft, blankOutside } from "./extract-from-markup.ts";
import { frontMatter } from "../../scanners/svelte-and-astro.ts";
import { phpDraft } from "./extract-from-php.ts";
import { pythonDraft } from "./extract-from-python.ts";

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
  /** Namespace and prefix that a key written there is bound to. */
  readonly bound: Pick<KeyUsage, "namespaces" | "keyPrefix">;
  /** Text domain of the call. */
  readonly domain?: string;
}

/** Longest selection. UTF-16 units. */
const MAX_SELECTION_CHARACTERS = 5_000;
/** Longer files are generated, and each selection in one would be slow. UTF-16 units. */
const MAX_FILE_CHARACTERS = 1_000_000;

/** Code that texts are extracted from. */
interface SourceCode {
  /** In lower case. */
  readonly path: string;
  readonly text: string;
  readonly options: FindOptions;
  readonly language: UsageLanguage;
  readonly usages: readonly KeyUsage[];
}

async function readCode(path: string, text: string, options: FindOptions): Promise<SourceCode | null> {
  const language = usageLanguageFor(path);
  if (language === undefined) return null;
  await loadParser();
  return { path: path.toLowerCase(), text, options, language, usages: language.find(text, options) };
}

/** Returns `null` if the selection cannot be the text of a key (code, markup, part of a literal). */
export async function extractionAt(
  path: string,
  text: string,
  selected: Span,
  options: FindOptions,
): Promise<Extraction | null> {
  const span = trimSpan(text, selected);
  if (text.length > MAX_FILE_CHARACTERS || span.end - span.start > MAX_SELECTION_CHARACTERS) return null;
  if (!/\p{L}/u.test(text.slice(span.start, span.end))) return null;
  const code = await readCode(path, text, options);
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
export async function hardCodedTexts(
  path: string,
  text: string,
  options: FindOptions,
  signal: AbortSignal,
): Promise<readonly HardCodedText[]> {
  const code = text.length > MAX_SEARCHED_CHARACTERS ? null : await readCode(path, text, options);
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

function candidatesIn({ path, text, options }: SourceCode): readonly Span[] {
  const template = templateLanguageOf(path, options);
  if (template !== null) return markupCandidates(text, template, 0, () => []);
  const markup = MARKUP.find(([ending]) => path.endsWith(ending))?.[1];
  if (markup !== undefined) {
    const head = markup === "astro" ? frontMatter(text) : null;
    return markupCandidates(text, markup, head?.after ?? 0, ({ inner, attributes }) => {
      const isTyped = markup === "astro" || /^tsx?$/.test(attributes.get("lang") ?? "");
      return scriptCandidates(blankOutside(text, inner), [isTyped ? "typescript" : "jsx"]);
    });
  }
  if (/\.(?:php|phtml|inc)$/.test(path)) return phpCandidates(text);
  if (/\.pyw?$/.test(path)) return pythonCandidates(text);
  const plugins = pluginsFor(path);
  return plugins === null ? [] : scriptCandidates(text, plugins);
}

function extractionIn(code: SourceCode, span: Span): Extraction | null {
  const { path, text, options, language, usages: before } = code;
  const draft = draftAt(code, span);
  const keyText = draft && keyTextOf(draft.parts, options, draft.side);
  if (draft === null || keyText === null) return null;
  const { span: replaced, also = [] } = draft;
  if (before.some(({ callSpan }) => callSpan.start < replaced.end && callSpan.end > replaced.start))
    return null;
  const changedFor = (key: string): ChangedCode | null => {
    const own = { ...replaced, text: draft.codeFor(key, keyText.values) };
    const splices = [own, ...also].sort((a, b) => a.start - b.start || a.end - b.end);
    const after = language.find(applySplices(text, splices), options);
    const usage = findNewUsage(key, replaced, splices, before, after);
    return usage === null ? null : { splices, usage };
  };
  // Markup collapses whitespace, except non-breaking spaces.
  const extracted =
    draft.collapses === true
      ? keyText.text.replaceAll(/[ \t\r\n\f]+/g, " ").replaceAll(/^ | $/g, "")
      : keyText.text;
  const { frameworks } = options;
  const isText = frameworks.has("gettext") || frameworks.has("wordpress");
  const sample = changedFor(isText ? extracted : "extracted.key");
  if (sample === null) return null;
  const domain = textDomainOf(options);
  const takesDomain = domain !== null && !/\.(?:pyw?|djhtml|djtxt|jinja2?|j2)$/.test(path);
  return {
    text: extracted,
    span: replaced,
    splicesFor: (key) => changedFor(key)?.splices ?? null,
    bound: { namespaces: sample.usage.namespaces, keyPrefix: sample.usage.keyPrefix },
    ...(takesDomain ? { domain } : {}),
  };
}

interface ChangedCode {
  readonly splices: readonly Splice[];
  /** The new usage. */
  readonly usage: KeyUsage;
}

/**
 * Returns the usage of the key where it was written; `null` if there is none or more than one, or if something else
 * changed.
 */
function findNewUsage(
  key: string,
  { start }: Span,
  splices: readonly Splice[],
  before: readonly KeyUsage[],
  after: readonly KeyUsage[],
): KeyUsage | null {
  const place = splices.findIndex((splice) => splice.start === start && splice.end > start);
  const moved = splices
    .slice(0, place)
    .reduce((sum, splice) => sum + splice.text.length - (splice.end - splice.start), 0);
  const from = start + moved;
  const to = from + (splices[place]?.text.length ?? 0);
  const isNew = ({ callSpan }: KeyUsage): boolean => callSpan.start >= from && callSpan.end <= to;
  const [made, ...more] = after.filter(isNew);
  if (made?.expression.kind !== "static" || made.expression.key !== key || more.length > 0) return null;
  const others = after.filter((usage) => !isNew(usage));
  return areReadAgain(before, others, splices, () => null) ? made : null;
}

/** HTML is a template only in projects with these frameworks. */
function templateLanguageOf(path: string, { frameworks }: FindOptions): "django" | "jinja" | null {
  if (/\.dj(?:html|txt)$/.test(path)) return "django";
  if (/\.(?:jinja2?|j2)$/.test(path)) return "jinja";
  if (!/\.(?:html?|txt)$/.test(path)) return null;
  return frameworks.has("django") ? "django" : frameworks.has("jinja") ? "jinja" : null;
}

function draftAt({ path, text, options, usages }: SourceCode, span: Span): ExtractionDraft | null {
  if (/\.pyw?$/.test(path)) return pythonDraft(text, span, options);
  const template = templateLanguageOf(path, options);
  if (template !== null) return djangoDraft(text, span, template);
  const markup = MARKUP.find(([ending]) => path.endsWith(ending))?.[1];
  if (markup !== undefined)
    return markupDraft({ text, language: markup, project: options, usages, selected: span });
  if (/\.(?:php|phtml|inc)$/.test(path)) return phpDraft(text, span, options);
  const plugins = pluginsFor(path);
  return plugins === null ? null : scriptDraft(text, span, scriptContext(usages, options, plugins));
}

const MARKUP = [
  [".blade.php", "blade"],
  [".vue", "vue"],
  [".svelte", "svelte"],
  [".astro", "astro"],
  [".twig", "twig"],
] as const;

function pluginsFor(path: string): ParserPlugins | null {
  if (/\.[cm]?ts$/.test(path)) return ["typescript", "decorators"];
  if (path.endsWith(".tsx")) return ["typescript", "jsx", "decorators"];
  return /\.[cm]?jsx?$/.test(path) ? ["flow", "jsx", "decorators"] : null;
}

/** Trims whitespace, except non-breaking spaces. */
function trimSpan(text: string, { start, end }: Span): Span {
  while (start < end && /[ \t\r\n\f]/.test(text[start] ?? "")) start++;
  while (end > start && /[ \t\r\n\f]/.test(text[end - 1] ?? "")) end--;
  return { start, end };
}
