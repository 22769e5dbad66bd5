/**
 * Translators that a function receives as a parameter, if nearby code shows their scope: the parameter's type (`t:
 * TFunction<"ns", "prefix">`) or the component that calls it (`<Translation ns="x">{(t) => …}</Translation>`),
 * also by `withTranslation("ns", { keyPrefix })(Name)` for a component declared in the same file.
 */
import type { Span } from "../../model/span.ts";
import {
  DEFAULT_SCOPE,
  withHookNamespaces,
  withPrefix,
  type TranslatorScope,
  isFallbackMode,
} from "../function-calls/call-usages.ts";
import { lastBefore, skipSpace, wordEnd, wordStart, escapeRegExp } from "../lexers/characters.ts";
import { readAttributes, splitAtCommas, type Source, readArguments, readObject } from "../lexed-source.ts";
import { parameterScope } from "./redeclarations.ts";

/**
 * Type annotations of translators. These patterns start with the colon to keep the search of every file with hooks
 * fast.
 */
const TYPED = /:\s*(?:[\w$]+\.)?TFunction\s*</g;
const TYPED_BY_HOOK =
  /:\s*(?:Awaited\s*<\s*)?ReturnType\s*<\s*typeof\s+(?:useTranslations|getTranslations)\s*</g;
/** Translators of vue-i18n, which has no namespaces. */
const TYPED_UNBOUND = /:\s*(?:ReturnType\s*<\s*typeof\s+getI18n\s*>|ComposerTranslation\b)/g;
const RENDERED = /<(?:Translation|I18n)(?=[\s>])/g;
const TYPE_LIMIT = 300;

/** @param isFallback whether translators search all of their namespaces */
export function findPassedTranslators(source: Source, isFallback: boolean): readonly PassedTranslator[] {
  const { code } = source;
  const found: PassedTranslator[] = [];
  if (code.includes("TFunction")) {
    for (const typed of code.matchAll(TYPED)) {
      const translator = typedParameter(source, typed.index, typed.index + typed[0].length, isFallback);
      if (translator !== null) found.push(translator);
    }
  }
  if (code.includes("ReturnType")) {
    for (const typed of code.matchAll(TYPED_BY_HOOK)) {
      const translator = typedByHook(source, typed.index, typed.index + typed[0].length);
      if (translator !== null) found.push(translator);
    }
  }
  if (code.includes("getI18n") || code.includes("ComposerTranslation")) {
    for (const { index } of code.matchAll(TYPED_UNBOUND)) {
      const name = nameBefore(code, index);
      const within = parametersAround(source, index);
      if (within !== null && name !== "")
        found.push({ name, holds: "function", within, scope: DEFAULT_SCOPE });
    }
  }
  found.push(...findWrappedComponents(source, isFallback));
  if (code.includes("<Translation")) {
    for (const tag of code.matchAll(RENDERED)) {
      const translator = renderedParameter(source, tag.index + tag[0].length, isFallback);
      if (translator !== null) found.push(translator);
    }
  }
  return found;
}

/** Reads `t: TFunction<…`, whose type arguments start at `types`. */
function typedParameter(
  source: Source,
  colon: number,
  types: number,
  isFallback: boolean,
): PassedTranslator | null {
  const within = parametersAround(source, colon);
  const end = source.code.slice(types, types + TYPE_LIMIT).indexOf(">");
  const name = nameBefore(source.code, colon);
  if (within === null || end === -1 || name === "") return null;
  const [namespace, prefix] = splitAtCommas(source, types, types + end);
  let scope = DEFAULT_SCOPE;
  if (namespace !== undefined) scope = withHookNamespaces(source, scope, namespace, isFallback);
  if (prefix !== undefined) scope = withPrefix(source, scope, prefix);
  return { name, holds: "function", within, scope };
}

/** Reads `t: ReturnType<typeof useTranslations<"ns">>`, whose namespace starts at `types`. */
function typedByHook(source: Source, colon: number, types: number): PassedTranslator | null {
  const within = parametersAround(source, colon);
  const length = source.code.slice(types, types + TYPE_LIMIT).indexOf(">");
  const name = nameBefore(source.code, colon);
  if (within === null || length === -1 || name === "") return null;
  const scope = withPrefix(source, DEFAULT_SCOPE, { start: types, end: types + length });
  return { name, holds: "function", within, scope };
}

/** Returns the parameter's name before its colon or `?:`. */
function nameBefore(code: string, colon: number): string {
  const last = lastBefore(code, colon);
  const end = (code[last] === "?" ? lastBefore(code, last) : last) + 1;
  return code.slice(wordStart(code, end), end);
}

/** Returns the function whose parameter list contains the offset. */
function parametersAround(source: Source, at: number): Span | null {
  let open = source.brackets.enclosing(at);
  // `({ t }: { t: TFunction<"ns"> }) =>`
  while (open !== -1 && source.code[open] === "{") open = source.brackets.enclosing(open);
  return open === -1 || source.code[open] !== "(" ? null : parameterScope(source, open);
}

/**
 * Returns the function between the tags of a component that passes a translator to it; the component's name ends
 * before `at`.
 */
function renderedParameter(source: Source, at: number, isFallback: boolean): PassedTranslator | null {
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
    if (attribute === "ns") scope = withHookNamespaces(source, scope, value, isFallback);
    if (attribute === "keyPrefix") scope = withPrefix(source, scope, value);
  }
  return { name, holds: "function", within: { start, end: close }, scope };
}

const WRAPPED = /(?<!function\s{1,4})\bwith(?:Translation|Namespaces)\s*(?:<[^()]{0,100}>)?\s*\(/g;
/** Maximum number of components that are looked up by name. */
const MAX_COMPONENTS = 50;

/** @param isFallback whether translators search all of their namespaces */
function findWrappedComponents(source: Source, isFallback: boolean): readonly PassedTranslator[] {
  if (!/withTranslation|withNamespaces/.test(source.code)) return [];
  const found: PassedTranslator[] = [];
  for (const wrapped of source.code.matchAll(WRAPPED)) {
    if (found.length >= MAX_COMPONENTS) break;
    const open = wrapped.index + wrapped[0].length - 1;
    const name = componentName(source, source.brackets.closing(open));
    const within = name === null ? null : componentNamed(source, name);
    if (within === null) continue;
    const scope = scopeOf(source, open, isFallback);
    found.push({ name: "t", holds: "function", within, scope });
    found.push({ name: "props", holds: "object", within, scope });
    found.push({ name: "this.props", holds: "object", within, scope });
  }
  return found;
}

function scopeOf(source: Source, open: number, isFallback: boolean): TranslatorScope {
  const [namespace, options] = readArguments(source, open);
  const properties = options === undefined ? [] : readObject(source, options);
  const scope =
    namespace === undefined
      ? DEFAULT_SCOPE
      : withHookNamespaces(
          source,
          DEFAULT_SCOPE,
          namespace,
          isFallback || isFallbackMode(source, properties),
        );
  const prefix = properties.find(({ name }) => name === "keyPrefix");
  return prefix === undefined ? scope : withPrefix(source, scope, prefix.value);
}

/** Returns the name of the component passed to `withTranslation(…)`, or to the surrounding `compose(…)`. */
function componentName(source: Source, close: number): string | null {
  const { code, brackets } = source;
  let end = close;
  for (let level = 0; level < 2 && end !== -1; level++) {
    const next = skipSpace(code, end + 1);
    if (code[next] === "(") {
      const start = skipSpace(code, next + 1);
      const name = code.slice(start, wordEnd(code, start));
      return name === "" ? null : name;
    }
    const around = brackets.enclosing(end + 1, "(");
    end = around === -1 ? -1 : brackets.closing(around);
  }
  return null;
}

/** Returns the range of `function Name(…)`, `class Name` or `const Name = (…) =>`. */
function componentNamed(source: Source, name: string): Span | null {
  const { code, brackets } = source;
  const declared = new RegExp(`\\b(function|class|const)\\s+${escapeRegExp(name)}(?![\\w$])`).exec(code);
  if (declared === null) return null;
  const end = declared.index + declared[0].length;
  if (declared[1] === "class") {
    const open = code.indexOf("{", end);
    const close = open === -1 ? -1 : brackets.closing(open);
    return close === -1 ? null : { start: open, end: close };
  }
  if (declared[1] === "function") {
    const open = code.indexOf("(", end);
    return open === -1 ? null : parameterScope(source, open);
  }
  // Wrapped in `memo(` or `forwardRef<…>(`, or not wrapped.
  const value =
    /^[^=;]{0,300}?=(?![=>])\s*(?:[\w$.]+\s*(?:<[^()]{0,200}>)?\s*\(\s*)?(?:async\s+)?(?:function\b[^(]{0,60})?(?=\()/.exec(
      code.slice(end, end + 700),
    );
  return value === null ? null : parameterScope(source, end + value[0].length);
}

/** A parameter that is a translator (or an object with one as `t`), and its scope. */
interface PassedTranslator {
  readonly name: string;
  readonly holds: "function" | "object";
  readonly within: Span;
  readonly scope: TranslatorScope;
}
