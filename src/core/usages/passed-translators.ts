/**
 * Translators that a function is given, where the code beside it says what they are bound to: a parameter's type
 * (`t: TFunction<"ns", "prefix">`) or the component that calls it (`<Translation ns="x">{(t) => …}</Translation>`).
 */
import type { Span } from "../formats/format.ts";
import { DEFAULT_SCOPE, readNames, withPrefix, type TranslatorScope } from "./call-uses.ts";
import { skipSpace, wordEnd } from "./characters.ts";
import { readAttributes } from "./components.ts";
import { parameterScope } from "./declarations.ts";
import { splitAtCommas, type Source } from "./source.ts";

/** A parameter that is a translator, and where it is one. */
export interface PassedTranslator {
  readonly name: string;
  readonly within: Span;
  readonly scope: TranslatorScope;
}

const TYPED = /([\w$]+)\s*\??\s*:\s*(?:[\w$]+\.)?TFunction\s*</g;
const RENDERED = /<(?:Translation|I18n)(?=[\s>])/g;
const TYPE_LIMIT = 300;

export function findPassedTranslators(source: Source): readonly PassedTranslator[] {
  const { code } = source;
  const found: PassedTranslator[] = [];
  if (code.includes("TFunction")) {
    for (const typed of code.matchAll(TYPED)) {
      const translator = typedParameter(source, typed[1] ?? "", typed.index, typed.index + typed[0].length);
      if (translator !== null) found.push(translator);
    }
  }
  if (code.includes("<Translation")) {
    for (const tag of code.matchAll(RENDERED)) {
      const translator = renderedParameter(source, tag.index + tag[0].length);
      if (translator !== null) found.push(translator);
    }
  }
  return found;
}

/** `t: TFunction<…`, whose types begin at `types`. */
function typedParameter(source: Source, name: string, at: number, types: number): PassedTranslator | null {
  let open = source.brackets.enclosing(at);
  // `({ t }: { t: TFunction<"ns"> }) =>`
  while (open !== -1 && source.code[open] === "{") open = source.brackets.enclosing(open);
  const within = open === -1 || source.code[open] !== "(" ? null : parameterScope(source, open);
  const end = source.code.slice(types, types + TYPE_LIMIT).indexOf(">");
  if (within === null || end === -1) return null;
  const [namespace, prefix] = splitAtCommas(source, types, types + end);
  let scope = DEFAULT_SCOPE;
  if (namespace !== undefined) scope = { ...scope, namespaces: readNames(source, namespace) };
  if (prefix !== undefined) scope = withPrefix(source, scope, prefix);
  return { name, within, scope };
}

/** The function between the tags of a component that hands out a translator; its name ends before `at`. */
function renderedParameter(source: Source, at: number): PassedTranslator | null {
  const { code } = source;
  const tag = readAttributes(source, at);
  const brace = skipSpace(code, tag.end);
  const close = code[brace] === "{" ? source.brackets.closing(brace) : -1;
  if (close === -1) return null;
  const start = skipSpace(code, brace + 1);
  const nameStart = code[start] === "(" ? skipSpace(code, start + 1) : start;
  const name = code.slice(nameStart, wordEnd(code, nameStart));
  if (name === "") return null;
  let scope = DEFAULT_SCOPE;
  for (const { name: attribute, value } of tag.attributes) {
    if (value === null) continue;
    if (attribute === "ns") scope = { ...scope, namespaces: readNames(source, value) };
    if (attribute === "keyPrefix") scope = withPrefix(source, scope, value);
  }
  return { name, within: { start, end: close }, scope };
}
