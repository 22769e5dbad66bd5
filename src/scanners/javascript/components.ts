/**
 * Components that take a key as an attribute: `<Trans i18nKey="…">`, `<FormattedMessage id="…">`, `<i18n-t keypath>`.
 */
import { readAttributes, type Attribute } from "./markup-attributes.ts";
import type { Span } from "../../model/span.ts";
import type { Bindings } from "./bindings.ts";
import {
  addKeyUsages,
  addUsages,
  DEFAULT_SCOPE,
  defaultDetails,
  readDetail,
  UNKNOWN_SCOPE,
  type CallDetails,
  type TranslatorScope,
} from "../functions/call-usages.ts";
import { lastBefore } from "../lexers/characters.ts";
import { unescapeMarkup } from "../lexers/markup-text.ts";
import { COMPONENTS } from "./translation-functions.ts";
import { skipGroup, type Source } from "../lexed-source.ts";
import type { KeyUsage } from "../usage.ts";
import { readValues, type ExpressionValue } from "../expression-values.ts";

/** Adds the key usages of JSX components: `<Trans i18nKey="…" ns="…" />`. */
export function addJsxComponentUsages(source: Source, bindings: Bindings, out: KeyUsage[]): void {
  const { code } = source;
  for (const found of code.matchAll(/<([A-Za-z][\w.]*)(?=[\s<])/g)) {
    const { attributes, end } = readAttributes(source, found.index + found[0].length);
    if (attributes.length > 0) {
      addComponentUsages(source, bindings, found[1] ?? "", attributes, { start: found.index, end }, out);
    }
  }
}

/** Adds the key usage of a component if one of its attributes contains a key. */
export function addComponentUsages(
  source: Source,
  bindings: Bindings,
  tag: string,
  attributes: readonly Attribute[],
  span: { readonly start: number; readonly end: number },
  out: KeyUsage[],
): void {
  const keys = [...(COMPONENTS[tag] ?? []), ...(COMPONENTS["*"] ?? [])];
  const key = attributes.find((attribute) => keys.includes(attribute.name));
  if (key === undefined || key.value === null) return;
  const facts = componentDetails(
    source,
    bindings,
    attributes.filter((attribute) => attribute !== key),
    span.start,
  );
  if (plainText(source, key.value) === null) addKeyUsages(source, key.value, facts, tag, span, out);
  else addUsages(attributeValues(source, key.value), facts, tag, span, out);
}

/** Returns the possible values of an attribute. */
export function attributeValues(source: Source, span: Span): readonly ExpressionValue[] {
  const { start, end } = span;
  const plain = plainText(source, span);
  if (plain === null) return readValues(source, start, end);
  return [{ start: start + 1, end: end - 1, exact: true, prefix: plain, suffix: "" }];
}

/**
 * Returns the text of a plain attribute, in which `&amp;` is a character reference and `\` is literal; `null` for an
 * expression.
 */
function plainText(source: Source, { start, end }: Span): string | null {
  const { code, text } = source;
  const isPlain = code[lastBefore(code, start)] === "=" && /^["']/.test(code.slice(start, start + 1));
  if (!isPlain || skipGroup(source, start, end) !== end) return null;
  return unescapeMarkup(text.slice(start + 1, end - 1));
}

/** Returns the details in the attributes other than the key. */
export function componentDetails(
  source: Source,
  bindings: Bindings,
  attributes: readonly Attribute[],
  at: number,
): CallDetails {
  const facts = defaultDetails(scopeOfComponent(source, bindings, attributes, at));
  for (const attribute of attributes) {
    if (attribute.name === "default") continue;
    const name = attribute.name === "defaults" ? "defaultValue" : attribute.name;
    const plain = attribute.value && plainText(source, attribute.value);
    if (plain === null) readDetail(source, { ...attribute, name }, facts);
    else readPlain(name, plain, facts);
  }
  return facts;
}

/** Reads a plain (unbound) attribute into the details. */
function readPlain(name: string, text: string, facts: CallDetails): void {
  switch (name) {
    case "count":
      facts.plural = true;
      break;
    case "context":
      facts.contexts = [text || null];
      break;
    case "ns":
      if (text !== "") facts.scope = { ...facts.scope, namespaces: [text] };
      break;
    case "keyPrefix":
      facts.scope = { ...facts.scope, keyPrefix: text };
      break;
    case "defaultValue":
    case "defaultMessage":
      facts.defaultText = text;
  }
}

/** Returns the scope of the translator in `<Trans t={t}>`. */
function scopeOfComponent(
  source: Source,
  bindings: Bindings,
  attributes: readonly Attribute[],
  at: number,
): TranslatorScope {
  const translator = attributes.find((attribute) => attribute.name === "t")?.value;
  if (translator === undefined || translator === null) return DEFAULT_SCOPE;
  const name = source.code.slice(translator.start, translator.end).trim();
  return /^[\w$]+$/.test(name) ? bindings.scopeOf(name, at) : UNKNOWN_SCOPE;
}
