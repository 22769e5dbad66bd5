/**
 * Components that receive a translator from react-i18next's `withTranslation("ns", { keyPrefix })(Name)`, as `t`,
 * `props.t` or `this.props.t`. Only components declared in the same file are found.
 */
import {
  type TranslatorScope,
  DEFAULT_SCOPE,
  isFallbackMode,
  withHookNamespaces,
  withPrefix,
} from "../functions/call-usages.ts";
import type { Span } from "../../model/span.ts";
import { escapeRegExp, skipSpace, wordEnd } from "../lexers/characters.ts";
import { parameterScope } from "./declarations.ts";
import { readArguments, readObject, type Source } from "../lexed-source.ts";

const WRAPPED = /(?<!function\s{1,4})\bwith(?:Translation|Namespaces)\s*(?:<[^()]{0,100}>)?\s*\(/g;
/** Maximum number of components that are looked up by name. */
const MAX_COMPONENTS = 50;

/** @param isFallback whether translators search all of their namespaces */
export function findWrappedComponents(source: Source, isFallback: boolean): readonly PassedTranslator[] {
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
export interface PassedTranslator {
  readonly name: string;
  readonly holds: "function" | "object";
  readonly within: Span;
  readonly scope: TranslatorScope;
}
