/**
 * Translators that a function receives as a parameter, if nearby code shows their scope: the parameter's type (`t:
 * TFunction<"ns", "prefix">`) or the component that calls it (`<Translation ns="x">{(t) => …}</Translation>`),
 * also by `withTranslation("ns", { keyPrefix })(Name)` for a component declared in the same file.
 */
import type { Span } from "../../model/span.ts";
import {
  DEFAULT_SCOPE,
  isFallbackMode,
  UNKNOWN_SCOPE,
  withHookNamespaces,
  withPrefix,
  type TranslatorScope,
} from "../function-calls/call-usages.ts";
import { literalText } from "../evaluate-key-expression.ts";
import { I18NEXT_HOOK, type HookShape } from "./known-functions.ts";
import { lastBefore, skipSpace, wordEnd, wordStart, escapeRegExp } from "../lexers/characters.ts";
import {
  readAttributes,
  splitAtCommas,
  type Argument,
  type Source,
  readArguments,
  readObject,
} from "../lexed-source.ts";
import { parameterScope } from "./redeclarations.ts";

/** A parameter that is a translator (or an object with one as `t`), the range in which it is one, and its scope. */
interface PassedTranslator extends Span {
  readonly name: string;
  readonly holds: "function" | "object";
  readonly scope: TranslatorScope;
}

/** Returns the scope of a type with these type arguments. */
type ScopeOfType = (source: Source, types: readonly Span[], isFallback: boolean) => TranslatorScope;

/**
 * Type annotations of translators, with a word that each contains. The patterns start with the colon to keep the
 * search of every file with hooks fast.
 */
const TYPES: readonly { readonly word: RegExp; readonly type: RegExp; readonly scopeOf: ScopeOfType }[] = [
  {
    word: /TFunction/,
    type: /:\s*(?:[\w$]+\.)?TFunction\s*</g,
    scopeOf: (source, [namespace, prefix], isFallback) => {
      const scope =
        namespace === undefined
          ? DEFAULT_SCOPE
          : withHookNamespaces(source, DEFAULT_SCOPE, namespace, isFallback);
      return prefix === undefined ? scope : withPrefix(source, scope, prefix);
    },
  },
  {
    word: /ReturnType/,
    type: /:\s*(?:Awaited\s*<\s*)?ReturnType\s*<\s*typeof\s+(?:useTranslations|getTranslations)\s*</g,
    scopeOf: (source, [prefix]) =>
      prefix === undefined ? DEFAULT_SCOPE : withPrefix(source, DEFAULT_SCOPE, prefix),
  },
  {
    // Translators of vue-i18n, which has no namespaces.
    word: /getI18n|ComposerTranslation/,
    type: /:\s*(?:ReturnType\s*<\s*typeof\s+getI18n\s*>|ComposerTranslation\b)/g,
    scopeOf: () => DEFAULT_SCOPE,
  },
];
const RENDERED = /<(?:Translation|I18n)(?=[\s>])/g;
const TYPE_LIMIT = 300;

/** @param isFallback whether translators search all of their namespaces */
export function findPassedTranslators(source: Source, isFallback: boolean): readonly PassedTranslator[] {
  const { code } = source;
  const found: PassedTranslator[] = [];
  for (const { word, type, scopeOf } of TYPES) {
    if (!word.test(code)) continue;
    for (const { index, 0: annotation } of code.matchAll(type)) {
      const start = index + annotation.length;
      const length = annotation.endsWith("<") ? code.slice(start, start + TYPE_LIMIT).indexOf(">") : 0;
      const within = parametersAround(source, index);
      const name = nameBefore(code, index);
      if (within === null || length === -1 || name === "") continue;
      const scope = scopeOf(source, splitAtCommas(source, start, start + length), isFallback);
      found.push({ ...within, name, holds: "function", scope });
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

/** Returns the scope of the translator that a hook creates, by the arguments in the parenthesis at `open`. */
export function hookScope(
  source: Source,
  shape: HookShape,
  open: number,
  isFallback: boolean,
): TranslatorScope {
  const args = readArguments(source, open);
  const argumentAt = (position: number | undefined): Argument | undefined =>
    position === undefined ? undefined : args[position];
  if (args.some((argument) => argument.spread)) return UNKNOWN_SCOPE;
  if (shape.mayBeLocal === true && args[0] !== undefined && isLocal(source, args[0])) return UNKNOWN_SCOPE;
  const namespace = argumentAt(shape.namespace);
  const prefix = argumentAt(shape.keyPrefix);
  const options = argumentAt(shape.options);
  const properties = options === undefined ? [] : readObject(source, options);
  let scope = DEFAULT_SCOPE;
  if (namespace !== undefined) {
    const searchesAll = shape.firstNamespace !== true || isFallback || isFallbackMode(source, properties);
    scope = withHookNamespaces(source, scope, namespace, searchesAll);
  }
  if (prefix !== undefined) {
    if (source.code[prefix.start] !== "{") return withPrefix(source, scope, prefix);
    const given = readObject(source, prefix).find(({ name }) => name === "namespace");
    if (given !== undefined) return withPrefix(source, scope, given.value);
  }
  if (options === undefined) return scope;
  if (source.code[options.start] !== "{") return UNKNOWN_SCOPE;
  const given = properties.find(({ name }) => name === "keyPrefix");
  return given === undefined ? scope : withPrefix(source, scope, given.value);
}

/** Whether a hook uses messages of the component itself: `useI18n({ useScope: "local", messages })`. */
function isLocal(source: Source, options: Span): boolean {
  return readObject(source, options).some(
    ({ name, value }) =>
      name === "messages" ||
      (name === "useScope" && value !== null && literalText(source, value) !== "global"),
  );
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
  return { start, end: close, name, holds: "function", scope };
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
    const scope = hookScope(source, I18NEXT_HOOK, open, isFallback);
    found.push({ ...within, name: "t", holds: "function", scope });
    found.push({ ...within, name: "props", holds: "object", scope });
    found.push({ ...within, name: "this.props", holds: "object", scope });
  }
  return found;
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
