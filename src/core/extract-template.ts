/** Selected words of a template of Django or Jinja as the text of a key, and the tag that takes their place. */
import { named, type Value } from "./extract-calls.ts";
import type { Extraction } from "./extract.ts";
import type { Span, Splice } from "./formats/format.ts";
import { django, jinja } from "./usages/django.ts";

/** `null`: the selection is no text (code, markup), or is a part of a key already. */
export function templateExtraction(text: string, selected: Span, isJinja: boolean): Extraction | null {
  const options = { frameworks: new Set([isJinja ? "jinja" : "django"] as const), functions: [] };
  const uses = (isJinja ? jinja : django).find(text, options);
  if (uses.some(({ callSpan }) => callSpan.start < selected.end && callSpan.end > selected.start))
    return null;
  const also = isJinja ? [] : loadOf(text);
  const tag = tagAround(text, selected);
  if (tag === "hidden") return null;
  if (tag !== null) {
    const literal = literalAt(text, selected);
    if (literal === null || literal.start < tag.start || literal.end > tag.end) return null;
    const quote = text[literal.start] ?? '"';
    const value = text.slice(literal.start + 1, literal.end - 1);
    if (!isText(value)) return null;
    return {
      text: isJinja ? value : doubled(value),
      span: literal,
      codeFor: (key) => `_(${inQuotes(isJinja ? key : undoubled(key), quote)})`,
      also,
    };
  }
  const inner = withoutQuotes(text, selected);
  const written = text.slice(inner.start, inner.end);
  const outer = /=\s*(["'])$/.exec(text.slice(Math.max(0, inner.start - 10), inner.start))?.[1];
  if (outer === undefined && isInMarkup(text, inner.start)) return null;
  const parts = partsOf(written);
  if (parts === null) return null;
  const values = named(parts);
  const hasValues = values.length > 0;
  let index = 0;
  const value = parts
    .map((part) =>
      typeof part !== "string"
        ? `%(${values[index++]?.name ?? ""})s`
        : isJinja && !hasValues
          ? part
          : doubled(part),
    )
    .join("")
    .replaceAll(/\s+/g, " ");
  if (!isText(value)) return null;
  return {
    text: value,
    span: inner,
    codeFor: (key) =>
      hasValues ? block(key, values, isJinja) : simple(key, outer === '"' ? "'" : '"', isJinja),
    also,
  };
}

function isText(value: string): boolean {
  return /\p{L}/u.test(value.replaceAll(/%\(\w*\)s/g, ""));
}

/** The tag whose inside holds the selection; `hidden`: a script, a style or a comment does; `null`: it is text. */
function tagAround(text: string, { start, end }: Span): Span | "hidden" | null {
  const before = text.slice(0, start);
  for (const [open, close] of [
    ["<script", "</script"],
    ["<style", "</style"],
    ["{#", "#}"],
    ["<!--", "-->"],
  ] as const) {
    if (before.lastIndexOf(open) > before.lastIndexOf(close)) return "hidden";
  }
  for (const [open, close] of [
    ["{{", "}}"],
    ["{%", "%}"],
  ] as const) {
    const at = before.lastIndexOf(open);
    const over = text.indexOf(close, at + 2);
    if (at !== -1 && over >= start) return over >= end ? { start: at, end: over } : "hidden";
  }
  return null;
}

/** The quoted text that the selection is, with its quotes. */
function literalAt(text: string, { start, end }: Span): Span | null {
  for (const span of [
    { start, end },
    { start: start - 1, end: end + 1 },
  ]) {
    const quote = text[span.start] ?? "";
    if (!/["']/.test(quote) || text[span.end - 1] !== quote || span.end - span.start < 3) continue;
    if (!text.slice(span.start + 1, span.end - 1).includes(quote)) return span;
  }
  return null;
}

/** An attribute's value may be selected with its quotes. */
function withoutQuotes(text: string, { start, end }: Span): Span {
  const quote = text[start] ?? "";
  return /["']/.test(quote) &&
    text[end - 1] === quote &&
    /=\s*$/.test(text.slice(Math.max(0, start - 5), start))
    ? { start: start + 1, end: end - 1 }
    : { start, end };
}

/** Between `<` and `>`, where names and attributes stand. */
function isInMarkup(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 4_000), at).replaceAll(/\{\{[\s\S]*?\}\}|\{%[\s\S]*?%\}/g, "");
  return before.lastIndexOf("<") > before.lastIndexOf(">");
}

/** Texts and the values between them; `null`: tags among them. */
function partsOf(written: string): (string | { code: string })[] | null {
  const parts: (string | { code: string })[] = [];
  let at = 0;
  for (const found of written.matchAll(/\{\{-?\s*([\s\S]*?)\s*-?\}\}/g)) {
    parts.push(written.slice(at, found.index), { code: found[1] ?? "" });
    at = found.index + found[0].length;
  }
  parts.push(written.slice(at));
  const texts = parts.filter((part) => typeof part === "string");
  return texts.some((part) => /[<>]|\{[%{#]|[%}#]\}/.test(part)) ? null : parts;
}

function doubled(text: string): string {
  return text.replaceAll("%", "%%");
}

function undoubled(text: string): string {
  return text.replaceAll("%%", "%");
}

function inQuotes(text: string, quote: string): string {
  return `${quote}${text.replaceAll(quote, `\\${quote}`)}${quote}`;
}

function simple(key: string, quote: string, isJinja: boolean): string {
  if (isJinja) return `{{ _(${inQuotes(key, quote)}) }}`;
  return /["\\\n]/.test(key)
    ? `{% blocktranslate %}${undoubled(key)}{% endblocktranslate %}`
    : `{% translate ${inQuotes(undoubled(key), quote)} %}`;
}

/** A block says its values by name; what is more than a name is given one. */
function block(key: string, values: readonly Value[], isJinja: boolean): string {
  const [open, close] = isJinja ? ["trans", "endtrans"] : ["blocktranslate", "endblocktranslate"];
  const given = [...new Map(values.map((value) => [value.name, value])).values()].filter(
    ({ name, code }) => name !== code,
  );
  const list = given.map(({ name, code }) => `${name}=${code}`).join(isJinja ? ", " : " ");
  const tag = list === "" ? open : isJinja ? `${open} ${list}` : `${open} with ${list}`;
  const text = key
    .split(/(%\(\w+\)s)/)
    .map((part) => (part.startsWith("%(") ? `{{ ${part.slice(2, -2)} }}` : undoubled(part)))
    .join("");
  return `{% ${tag} %}${text}{% ${close} %}`;
}

/** `{% load i18n %}` where it is not there yet: behind `{% extends %}`, which has to be first. */
function loadOf(text: string): readonly Splice[] {
  if (/\{%\s*load\s[^%]*\bi18n\b/.test(text)) return [];
  const extended = /^\s*\{%\s*extends\b[^%]*%\}/.exec(text)?.[0].length ?? 0;
  const load = "{% load i18n %}";
  return [{ start: extended, end: extended, text: extended === 0 ? `${load}\n` : `\n${load}` }];
}
