/**
 * A selected text of the code as the text of a key: what the text is, with placeholders for the values in it, and the
 * code that takes its place. It reads the selection and what stands around it; it writes nothing. A bundle of its own,
 * with the parsers: imported when the first text is selected.
 */
import { setImmediate } from "node:timers/promises";
import { applySplices } from "../../formats/edit.ts";
import type { Splice } from "../../formats/format.ts";
import type { Span } from "../../model/span.ts";
import { loadParser, type ParserPlugins } from "../../formats/js/js-parser.ts";
import { usageLanguageFor } from "../../scanners/registry.ts";
import type { FindOptions, KeyUsage, UsageLanguage } from "../../scanners/usage.ts";
import { areReadAgain } from "../refactoring/verify-usages.ts";
import { domainOf, type Draft, textOf, type Written } from "./translation-call.ts";
import { templateExtraction } from "./django.ts";
import { scriptDraft, scriptPlace } from "./javascript.ts";
import { markupCandidates, phpCandidates, pythonCandidates, scriptCandidates } from "./candidates.ts";
import { frontMatter, markupDraft, only } from "./markup.ts";
import { phpDraft } from "./php.ts";
import { pythonExtraction } from "./python.ts";

/** What was selected. */
export interface Extraction {
  /** The text of the new key, with placeholders. */
  readonly text: string;
  /** What of the document is replaced. */
  readonly span: Span;
  /**
   * The changes of the document, in order of place, for a key as it is said there. `null`: the changed code, read again,
   * would not say just this key there, or something else would change.
   */
  readonly splicesFor: (key: string) => readonly Splice[] | null;
  /** What a key that is said there is bound to. */
  readonly bound: Pick<KeyUsage, "namespaces" | "keyPrefix">;
  /** The text domain that the call names. */
  readonly domain?: string;
}

/** Longer selections are no text of one key. UTF-16 units. */
const MAX_LENGTH = 5_000;
/** Longer files were made by programs, and each selection in one would be felt. UTF-16 units. */
const LONGEST_FILE = 1_000_000;

/** `null`: the selection is no text that a key can stand for (code, markup, a part of a literal). */
export async function extractionAt(
  path: string,
  text: string,
  selected: Span,
  options: FindOptions,
): Promise<Extraction | null> {
  const span = trimmed(text, selected);
  if (text.length > LONGEST_FILE || span.end - span.start > MAX_LENGTH) return null;
  if (!/\p{L}/u.test(text.slice(span.start, span.end))) return null;
  const language = usageLanguageFor(path);
  if (language === undefined) return null;
  await loadParser();
  return extractionIn(path, text, span, options, language, language.find(text, options));
}

/** A text that stands in the code, and could be that of a key. */
export interface HardCodedText {
  readonly text: string;
  readonly span: Span;
}

/** Longer files are not searched for texts: they are rarely written by hand. UTF-16 units. */
const LONGEST_SEARCHED = 200_000;

/** The texts of the code that people read, in order; each can be extracted. */
export async function hardCodedTexts(
  path: string,
  text: string,
  options: FindOptions,
  signal: AbortSignal,
): Promise<readonly HardCodedText[]> {
  const language = usageLanguageFor(path);
  if (language === undefined || text.length > LONGEST_SEARCHED) return [];
  await loadParser();
  const uses = language.find(text, options);
  const found: HardCodedText[] = [];
  let end = 0;
  const candidates = candidatesIn(path.toLowerCase(), text, options);
  for (const candidate of candidates.toSorted((a, b) => a.start - b.start)) {
    const span = trimmed(text, candidate);
    if (span.start < end || span.end - span.start > MAX_LENGTH) continue;
    await setImmediate();
    signal.throwIfAborted();
    const extraction = extractionIn(path, text, span, options, language, uses);
    if (extraction === null || !/\p{L}{2}/u.test(extraction.text)) continue;
    found.push({ text: extraction.text, span });
    ({ end } = extraction.span);
  }
  return found;
}

function candidatesIn(path: string, text: string, options: FindOptions): readonly Span[] {
  const template = templateOf(path, options);
  if (template !== null) return markupCandidates(text, template, 0, () => []);
  const markup = MARKUP.find(([ending]) => path.endsWith(ending))?.[1];
  if (markup !== undefined) {
    const head = markup === "astro" ? frontMatter(text) : null;
    return markupCandidates(text, markup, head?.end ?? 0, ({ inner, attributes }) => {
      const isTyped = markup === "astro" || /^tsx?$/.test(attributes.get("lang") ?? "");
      return scriptCandidates(only(text, inner), [isTyped ? "typescript" : "jsx"]);
    });
  }
  if (/\.(?:php|phtml|inc)$/.test(path)) return phpCandidates(text);
  if (/\.pyw?$/.test(path)) return pythonCandidates(text);
  const plugins = pluginsFor(path);
  return plugins === null ? [] : scriptCandidates(text, plugins);
}

function extractionIn(
  path: string,
  text: string,
  span: Span,
  options: FindOptions,
  language: UsageLanguage,
  before: readonly KeyUsage[],
): Extraction | null {
  const written = writtenAt(path, text, span, options, before);
  if (written === null) return null;
  const isUsed = before.some(
    ({ callSpan }) => callSpan.start < written.span.end && callSpan.end > written.span.start,
  );
  if (isUsed) return null;
  const changedFor = (key: string): Changed | null => {
    const splices = [{ ...written.span, text: written.codeFor(key) }, ...(written.also ?? [])].sort(
      (a, b) => a.start - b.start,
    );
    const after = language.find(applySplices(text, splices), options);
    const use = newUse(key, written.span, splices, before, after);
    return use === null ? null : { splices, use };
  };
  const { frameworks } = options;
  const isText = frameworks.has("gettext") || frameworks.has("wordpress");
  const sample = changedFor(isText ? written.text : "extracted.key");
  if (sample === null) return null;
  const domain = domainOf(options);
  const takesDomain = domain !== null && !/\.(?:pyw?|djhtml|djtxt|jinja2?|j2)$/i.test(path);
  return {
    text: written.text,
    span: written.span,
    splicesFor: (key) => changedFor(key)?.splices ?? null,
    bound: { namespaces: sample.use.namespaces, keyPrefix: sample.use.keyPrefix },
    ...(takesDomain ? { domain } : {}),
  };
}

interface Changed {
  readonly splices: readonly Splice[];
  /** The new one. */
  readonly use: KeyUsage;
}

/** The use that says the key where it was written; `null`: none or more than it does, or something else changed. */
function newUse(
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
  if (made?.used.kind !== "static" || made.used.key !== key || more.length > 0) return null;
  const others = after.filter((use) => !isNew(use));
  return areReadAgain(before, others, splices, () => null) ? made : null;
}

function writtenAt(
  path: string,
  text: string,
  span: Span,
  options: FindOptions,
  uses: readonly KeyUsage[],
): Written | null {
  const lower = path.toLowerCase();
  if (/\.pyw?$/.test(lower)) return pythonExtraction(text, span, options);
  const template = templateOf(lower, options);
  if (template !== null) return templateExtraction(text, span, template);
  const draft = draftAt(lower, text, span, options, uses);
  if (draft === null) return null;
  const keyText = textOf(draft.parts, options, draft.side);
  if (keyText === null) return null;
  return {
    // What is a line's end or a row of blanks in markup is one blank on the page; hard ones are not.
    text:
      draft.collapses === true
        ? keyText.text.replaceAll(/[ \t\r\n\f]+/g, " ").replaceAll(/^ | $/g, "")
        : keyText.text,
    span: draft.span,
    codeFor: (key) => draft.codeFor(key, keyText.values),
    ...(draft.also === undefined ? {} : { also: draft.also }),
  };
}

/** HTML is a template only where the project has them. */
function templateOf(path: string, { frameworks }: FindOptions): "django" | "jinja" | null {
  if (/\.dj(?:html|txt)$/.test(path)) return "django";
  if (/\.(?:jinja2?|j2)$/.test(path)) return "jinja";
  if (!/\.(?:html?|txt)$/.test(path)) return null;
  return frameworks.has("django") ? "django" : frameworks.has("jinja") ? "jinja" : null;
}

function draftAt(
  path: string,
  text: string,
  span: Span,
  options: FindOptions,
  uses: readonly KeyUsage[],
): Draft | null {
  const markup = MARKUP.find(([ending]) => path.endsWith(ending))?.[1];
  if (markup !== undefined) return markupDraft({ text, language: markup, project: options, uses }, span);
  if (/\.(?:php|phtml|inc)$/.test(path)) return phpDraft(text, span, options);
  const plugins = pluginsFor(path);
  return plugins === null ? null : scriptDraft(text, span, options, scriptPlace(uses, options, plugins));
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

/** Without white space at its ends; a hard blank is none. */
function trimmed(text: string, { start, end }: Span): Span {
  while (start < end && /[ \t\r\n\f]/.test(text[start] ?? "")) start++;
  while (end > start && /[ \t\r\n\f]/.test(text[end - 1] ?? "")) end--;
  return { start, end };
}
