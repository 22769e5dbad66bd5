/**
 * Writes an extraction: the text of the new key with a placeholder for each value, in the style of the project's
 * framework, and the call that replaces the text in PHP, Twig and JavaScript.
 */
import type { Splice } from "../../formats/format.ts";
import type { Span } from "../../util/span.ts";
import {
  type CallStyle,
  type CodeStyle,
  NAMED_PRINTF,
  type PlaceholderStyle,
  type ScriptStyle,
  USUAL_SCRIPT,
  type Value,
} from "../../frameworks/code-styles.ts";
import type { Framework, KeyRules, TemplateDialect } from "../../frameworks/framework.ts";
import { frameworksOf, supportedFrameworks } from "../../frameworks/supported-frameworks.ts";
import { type Quote, quoted } from "../../scanners/lexers/string-literals.ts";
import { isKeyAttribute } from "../../scanners/function-calls/function-signatures.ts";
import type { FindOptions } from "../../scanners/key-usage.ts";

/** A part of a text: literal text, or the code of a value. */
export type TextPart = string | { readonly code: string };

/** Names each value by the last word of its code; duplicates get a number. */
export function nameValues(parts: readonly TextPart[], reserved?: ReadonlySet<string>): Value[] {
  const values: Value[] = [];
  for (const part of parts) {
    if (typeof part === "string") continue;
    const same = values.find(({ code }) => code === part.code);
    const word = valueNameOf(part.code, reserved);
    const isTaken = (wanted: string): boolean => values.some((value) => value.name === wanted);
    let name = same?.name ?? word;
    if (same === undefined) for (let number = 2; isTaken(name); number++) name = `${word}${number}`;
    values.push({ name, code: part.code });
  }
  return values;
}

/** Words that cannot be the name of a value. */
const RESERVED_WORDS = new Set(["this", "true", "false", "null", "undefined", "new", "await", "typeof"]);

function valueNameOf(code: string, reserved: ReadonlySet<string> | undefined): string {
  const word = /([A-Za-z_]\w*)\W*$/.exec(code.replace(/\([^()]*\)\s*$/, ""))?.[1] ?? "value";
  return RESERVED_WORDS.has(word) || reserved?.has(word) === true ? "value" : word;
}

/** The project options that determine how its code refers to keys. */
export type ProjectConventions = Pick<FindOptions, "frameworks" | "domains" | "interpolation">;

/** Returns the text domain that calls must name; `null` if it is unknown, or calls name none. */
export function textDomainOf({ frameworks, domains }: ProjectConventions): string | null {
  const hasDomains = frameworksOf(frameworks).some(({ calls }) => calls.php?.hasDomains === true);
  return (hasDomains ? domains?.values().next().value : undefined) ?? null;
}

/** Returns the styles of one kind of code in the project's frameworks. */
function stylesOf<Kind extends keyof CodeStyle>(
  { frameworks }: ProjectConventions,
  kind: Kind,
): readonly { readonly framework: Framework; readonly style: NonNullable<CodeStyle[Kind]> }[] {
  return frameworksOf(frameworks).flatMap((framework) => {
    const style = framework.code?.[kind];
    return style === undefined ? [] : [{ framework, style }];
  });
}

/** Returns the usual style of a kind of code, where no framework of the project has one. */
function usualStyle(kind: "php" | "twig"): CallStyle {
  const usual = [...supportedFrameworks.values()].filter(({ calls }) => calls[kind]?.isUsual === true);
  const style = usual.findLast(({ code }) => code?.[kind] !== undefined)?.code?.[kind];
  if (style === undefined) throw new Error(`no usual style of ${kind}`);
  return style;
}

/** Where texts are keys, they are so in all code of a kind. */
function serverStyle(project: ProjectConventions, kind: "php" | "twig"): CallStyle {
  const styles = stylesOf(project, kind);
  const texts = styles.filter(({ framework }) => framework.keys.kind === "text");
  return (texts.at(-1) ?? styles[0])?.style ?? usualStyle(kind);
}

/** Returns the expression of a template of an Angular component. */
export function templateCall(
  project: ProjectConventions,
  key: string,
  values: readonly Value[],
  avoided: AvoidedQuote = "",
): string {
  const quote = avoided === "'" ? '"' : "'";
  const literal = (text: string): string => `${quote}${jsText(text, quote, avoided)}${quote}`;
  const style = stylesOf(project, "template")[0]?.style;
  if (style === undefined) throw new Error("no framework of templates");
  return style.write({ key, values, literal, domain: null });
}

/** Frameworks of components come before those of servers, and those before ones whose keys are texts. */
export function scriptStyle(
  project: ProjectConventions,
  language: "js" | "vue" | "svelte" = "js",
): ScriptStyle {
  const styles = stylesOf(project, "script");
  const ofKind = (kind: KeyRules["kind"]): readonly ScriptStyle[] =>
    styles.filter(({ framework }) => framework.keys.kind === kind).map(({ style }) => style);
  const paths = ofKind("path");
  return (
    paths.find((style) => style.language === language) ??
    paths[0] ??
    ofKind("name")[0] ??
    ofKind("text").at(-1) ??
    USUAL_SCRIPT
  );
}

/** Templates and scripts of an Angular framework show the same texts. */
function templateScriptStyle(project: ProjectConventions): ScriptStyle {
  return stylesOf(project, "template")[0]?.framework.code?.script ?? scriptStyle(project);
}

/** The quote of the surrounding attribute, which code must not contain. */
export type AvoidedQuote = '"' | "'" | "";

/** Returns the call as a PHP expression. */
export function phpCall(
  project: ProjectConventions,
  key: string,
  values: readonly Value[],
  avoided: AvoidedQuote = "",
): string {
  const quote = avoided === "'" ? '"' : "'";
  const literal = (text: string): string =>
    `${quote}${quoted(text, quote, quote === "'" ? "" : quote)}${quote}`;
  return serverStyle(project, "php").write({ key, values, literal, domain: textDomainOf(project) });
}

/** Returns the call as a Twig expression. */
export function twigCall(
  project: ProjectConventions,
  key: string,
  values: readonly Value[],
  avoided: AvoidedQuote = "",
): string {
  const quote = avoided === "'" ? '"' : "'";
  const literal = (text: string): string => {
    const written = quoted(text, quote, "").replaceAll("\n", String.raw`\n`);
    return `${quote}${quote === '"' ? written.replaceAll("#{", String.raw`\#{`) : written}${quote}`;
  };
  return serverStyle(project, "twig").write({ key, values, literal, domain: textDomainOf(project) });
}

/** The function name and quotes of a call in a script. */
export interface ScriptCall {
  readonly translator: string;
  readonly quote: Quote;
  /** Quote of the attribute around the script. */
  readonly avoided: AvoidedQuote;
}

/** Returns the call as a JavaScript expression. */
export function jsCall(
  project: ProjectConventions,
  { translator, quote, avoided }: ScriptCall,
  key: string,
  values: readonly Value[],
  language: "js" | "vue" | "svelte" = "js",
): string {
  const literal = (text: string): string => `${quote}${jsText(text, quote, avoided)}${quote}`;
  const parts = { key, values, literal, domain: textDomainOf(project), translator };
  return scriptStyle(project, language).write(parts);
}

/** Returns the component that shows the key; `null` if calls do. */
export function componentFor(
  project: ProjectConventions,
  key: string,
  values: readonly Value[],
): string | null {
  const literal = (text: string): string => `"${jsText(text, '"', "")}"`;
  const { component } = scriptStyle(project);
  return component?.({ key, values, literal, domain: textDomainOf(project) }) ?? null;
}

function jsText(text: string, quote: Quote, avoided: AvoidedQuote): string {
  const written = quoted(text, quote, quote === "`" ? quote : "")
    .replaceAll("\n", String.raw`\n`)
    .replaceAll("\r", String.raw`\r`);
  if (avoided === "") return written;
  return written.replaceAll(avoided, avoided === '"' ? String.raw`\u0022` : String.raw`\u0027`);
}

/** The language of the code that uses the text. */
export type CallLanguage = "php" | "js" | "vue" | "svelte" | "twig" | "python" | TemplateDialect;

/** The placeholders of templates, in which percent signs are always doubled. */
const DOUBLED_PERCENT: PlaceholderStyle = {
  ...NAMED_PRINTF,
  escape: (text) => text.replaceAll("%", "%%"),
};

/** Returns the placeholder style of the texts that this code uses. */
function placeholderStyleOf(project: ProjectConventions, language: CallLanguage): PlaceholderStyle {
  switch (language) {
    case "django-html":
      return DOUBLED_PERCENT;
    case "python":
    case "jinja-html":
      return NAMED_PRINTF;
    case "twig":
      return serverStyle(project, "twig").placeholders;
    case "php":
      return serverStyle(project, "php").placeholders;
    case "angular-html":
    case "js":
    case "vue":
    case "svelte": {
      const style =
        language === "angular-html" ? templateScriptStyle(project) : scriptStyle(project, language);
      const { interpolation } = project;
      return (interpolation && style.withDelimiters?.(interpolation)) ?? style.placeholders;
    }
  }
}

/** Returns the text with its values, or `null` if the project's format cannot escape it. */
export function keyTextOf(
  parts: readonly TextPart[],
  project: ProjectConventions,
  language: CallLanguage,
): { readonly text: string; readonly values: readonly Value[] } | null {
  const style = placeholderStyleOf(project, language);
  const values = nameValues(parts, style.reserved);
  let index = 0;
  let text = "";
  for (const [position, part] of parts.entries()) {
    const written =
      typeof part === "string"
        ? style.escape(part, values, typeof parts[position + 1] === "object")
        : style.write(values[index]?.name ?? "", index++);
    if (written === null) return null;
    text += written;
  }
  return parts.some((part) => typeof part === "string" && /\p{L}/u.test(part)) ? { text, values } : null;
}

/** Whether the selection covers the range within quotes, but for whitespace. */
export function coversContent(text: string, { start, end }: Span, selected: Span): boolean {
  const before = text.slice(start, Math.max(selected.start, start));
  const after = text.slice(Math.min(selected.end, end), end);
  return `${before}${after}`.trim() === "";
}

export interface ExtractionDraft {
  readonly parts: readonly TextPart[];
  /** What of the document is replaced. */
  readonly span: Span;
  /** Whether whitespace collapses, as in markup. */
  readonly collapsesWhitespace?: boolean;
  readonly codeFor: (key: string, values: readonly Value[]) => string;
  /** Additional edits. */
  readonly extraSplices?: readonly Splice[];
}

/** Attributes with names, URLs and code. */
const NON_TEXT_ATTRIBUTE =
  /^(?:class(?:Name)?|id|key|ref|slot|is|name|href|src(?:set)?|style|type|for|htmlFor|role|rel|method|action|target|lang|dir|xmlns|tabindex|data-(?:test.*|id|key|target|toggle|controller|action|cy|qa)|on[A-Za-z:-]+)$/;

/** Whether the attribute's value may be displayed text: not in bound attributes (`:title`, `@click`, `x-on:click`). */
export function isTextAttribute(name: string): boolean {
  return !NON_TEXT_ATTRIBUTE.test(name) && !isKeyAttribute(name) && !/[^\w-]/.test(name);
}
