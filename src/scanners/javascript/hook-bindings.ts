/**
 * Resolves translator names in JavaScript by innermost block: those that the file's hooks create (`const { t: tr } =
 * useTranslation("ns")`), and parameters whose scope nearby code shows, by their type (`t: TFunction<"ns">`) or by the
 * component that passes them (`<Translation ns="x">{(t) => …}</Translation>`, `withTranslation("ns")(Name)` of a component in
 * the same file). Scopes are derived from the text; imports are not resolved.
 */
import type { Span } from "../../util/span.ts";
import {
  DEFAULT_SCOPE,
  type FoundCall,
  isFallbackMode,
  type TranslatorScope,
  UNKNOWN_SCOPE,
  withHookNamespaces,
  withPrefix,
} from "../function-calls/call-usages.ts";
import {
  escapeRegExp,
  isWord,
  skipSpace,
  skipSpaceBack,
  typeArgumentsEnd,
  wordBefore,
  wordEnd,
  wordStart,
} from "../lexers/characters.ts";
import { blockAround, parameterScope, patternScope, redeclarationAround, ScopedBindings } from "./scopes.ts";
import { type Argument, isCallParenthesis, type Source } from "../source-reader.ts";
import {
  COMPONENT_WRAPPERS,
  GLOBAL_TRANSLATORS,
  HOOKS,
  TRANSLATOR_TYPES,
  MODULES_WITH_ALL_NAMESPACES,
  type JavaScriptFunctions,
} from "../function-calls/function-signatures.ts";
import type { CallShape, HookShape } from "../../frameworks/framework.ts";
import { literalText } from "../evaluate-key-expression.ts";

/** The scope of the translator that a name is bound to, and the range in which it is. */
interface Binding extends Span {
  /** Offset of the declaration. */
  readonly offset: number;
  readonly scope: TranslatorScope;
}

const HOOK_CALL = hookCall([]);
const IMPORTED = /\bimport\s+(?:[\w$]+\s*,\s*)?\{([^{}]*)\}/g;
const FIELD = /\b(?:private|protected|public|readonly|override)\s+$/;
/** The start of a declaration, up to its names. */
const DECLARATION = /\b(?:const|let|var|private|protected|public|readonly|override)\s+(?=[\w$[{])/g;
const DESTRUCTURED = /\}\s*=\s*((?:[\w$]+\.){0,3}[\w$]+)!?\s*(?=[;,\n)]|as\b|$)/g;
/** Objects whose translator is the global one, never a bound one. */
const GLOBAL_OBJECT = new RegExp(
  `^(?:(?:this|window|globalThis|app|instance|Vue|nuxtApp|wp)\\.)*(?:${GLOBAL_TRANSLATORS.map(escapeRegExp).join("|")})$`,
);
const MAX_ALIASES = 64;

/** The translators of a file. */
export class Bindings {
  readonly source: Source;
  readonly functions: JavaScriptFunctions;
  /** Whether hooks search all of their namespaces. */
  readonly #isFallback: boolean;
  readonly #translators = new ScopedBindings<Binding>();
  /** Objects that contain a translator. */
  readonly #objects = new ScopedBindings<Binding>();
  /** Offsets of the declarations that are bound. */
  readonly #declarations = new Set<number>();
  /** Aliases of known functions in this file: `translate` → `t`. */
  readonly aliases = new Map<string, string>();
  /** Calls of translators that are not bound to a name: `useTranslations("ns")("key")`. */
  readonly immediateCalls: (FoundCall & { readonly scope: TranslatorScope })[] = [];

  /** Reads the file's hooks. */
  constructor(source: Source, functions: JavaScriptFunctions) {
    this.source = source;
    this.functions = functions;
    this.#isFallback =
      functions.nsMode === "fallback" ||
      MODULES_WITH_ALL_NAMESPACES.some((name) => source.text.includes(name));
    const { code } = source;
    const hooks = this.#readImports();
    for (const found of code.matchAll(hooks.size === 0 ? HOOK_CALL : hookCall([...hooks.keys()]))) {
      const name = found[1] ?? "";
      const shape = HOOKS[hooks.get(name) ?? name];
      if (shape !== undefined) this.#readHook(shape, found.index, found.index + found[0].length);
    }
    this.#readTypes();
    this.#readWrappedComponents();
    this.#readRenderFunctions();
    // The members of a known object: `const { t } = this.props;`.
    for (const { index, 1: path = "" } of code.matchAll(DESTRUCTURED)) {
      const scope = this.scopeOfObject(path, index);
      if (scope !== undefined) this.#readPattern(index, scope);
    }
    this.#readRenamed();
    this.#readCopies();
  }

  /** Returns the shapes of the function that has this name in the file. */
  shapesOf(name: string): readonly CallShape[] {
    return this.functions.shapes.get(this.aliases.get(name) ?? name) ?? [];
  }

  /** Returns the scope of an unqualified `name(` at the offset. */
  scopeOf(name: string, offset: number): TranslatorScope {
    const bound = lastBefore(this.#translators.innermost(name, offset), offset);
    // Another declaration shadows the hooks outside it.
    const redeclaration = redeclarationAround(this.source, name, offset);
    if (redeclaration !== undefined && (bound === undefined || redeclaration.start > bound.start)) {
      return UNKNOWN_SCOPE;
    }
    return bound?.scope ?? DEFAULT_SCOPE;
  }

  /** Returns the scope of the object `path` in `path.t(`; `undefined` if unknown. */
  scopeOfObject(path: string, offset: number): TranslatorScope | undefined {
    const bound =
      lastBefore(this.#objects.innermost(path, offset), offset) ??
      lastBefore(this.#translators.innermost(path, offset), offset);
    return bound?.scope ?? (GLOBAL_OBJECT.test(path) ? DEFAULT_SCOPE : undefined);
  }

  #readHook(shape: HookShape, nameStart: number, nameEnd: number): void {
    const { source } = this;
    const { code } = source;
    let open = skipSpace(code, nameEnd);
    if (code[open] === "<") open = skipSpace(code, typeArgumentsEnd(code, open));
    if (code[open] !== "(") return;
    const start = chainStart(source, nameStart);
    if (this.#readImmediate(shape, start, nameEnd, open)) return;
    const before = skipSpaceBack(code, start);
    const scope = hookScope(source, shape, open, this.#isFallback);
    if (code[before] === "," || code[before] === "[") {
      this.#readAwaited(shape, start, scope);
      return;
    }
    if (code[before] !== "=") return;
    const target = declarationEnd(source, before) - 1;
    if (code[target] === "}" || code[target] === "]") this.#readPattern(target, scope);
    else if (isWord(code.charCodeAt(target))) {
      // `const t = useTranslation("ns").t`
      const close = source.brackets.closing(open);
      const isMember = close !== -1 && /^\s*\.\s*t\b/.test(code.slice(close + 1, close + 20));
      const name = { start: wordStart(code, target + 1), end: target + 1 };
      this.#bindVariable(isMember ? "translator" : shape.returns, name, scope);
    }
  }

  /** Reads `useTranslations("ns")("key")` and `useTranslations("ns").rich("key")`. */
  #readImmediate(shape: HookShape, start: number, nameEnd: number, open: number): boolean {
    const { code, brackets } = this.source;
    const close = brackets.closing(open);
    if (close === -1 || shape.returns === "object") return false;
    // `(await getTranslations("ns"))("key")`
    const before = skipSpaceBack(code, start);
    const end = code[before] === "(" && !isCallParenthesis(code, before) ? String.raw`(?:\s*\))?` : "";
    const call = new RegExp(String.raw`^${end}\s*(?:\.\s*(?:rich|markup|raw|has)\s*)?\(`);
    const called = call.exec(code.slice(close + 1, close + 40));
    if (called === null) return false;
    const callee = code.slice(start, nameEnd).replaceAll(/\s/g, "");
    const scope = hookScope(this.source, shape, open, this.#isFallback);
    this.immediateCalls.push({ start, open: close + called[0].length, callee, scope });
    return true;
  }

  /** Reads `const [data, t] = await Promise.all([load(), getTranslations("ns")])`, matching both lists by index. */
  #readAwaited(shape: HookShape, start: number, scope: TranslatorScope): void {
    const { source } = this;
    const { code, brackets } = source;
    const list = brackets.enclosing(start);
    const call = /=\s*await\s+Promise\s*\.\s*all\s*\(\s*$/.exec(code.slice(Math.max(0, list - 60), list));
    if (code[list] !== "[" || call === null) return;
    const close = skipSpaceBack(code, list - call[0].length);
    const pattern = code[close] === "]" ? brackets.opening(close) : -1;
    if (pattern === -1) return;
    const index = source.splitAtCommas(list + 1, start).length;
    const part = source.splitAtCommas(pattern + 1, close)[index];
    if (part !== undefined && /^[\w$]+$/.test(code.slice(part.start, part.end))) {
      this.#bindVariable(shape.returns, part, scope);
    }
  }

  /** Binds `const t = …`, and `private t = …`, which declares `this.t`. */
  #bindVariable(returns: HookShape["returns"], { start, end }: Span, scope: TranslatorScope): void {
    const { code } = this.source;
    const name = code.slice(start, end);
    const block = blockAround(this.source, start);
    if (FIELD.test(code.slice(Math.max(0, start - 40), start))) {
      this.#translators.add(`this.${name}`, { ...block, offset: start, scope });
      if (!this.#isFunction(name)) this.#alias(name, "t");
      return;
    }
    if (returns === "object") this.#objects.add(name, { ...block, offset: start, scope });
    else this.#bindTranslator(name, start, scope);
  }

  /** Binds the names in `const { t: alias, tm } = …` and `const [t] = …`, whose closing bracket is at `close`. */
  #readPattern(close: number, scope: TranslatorScope): void {
    const { code, brackets } = this.source;
    const open = brackets.opening(close);
    if (open === -1) return;
    for (const [index, part] of this.source.splitAtCommas(open + 1, close).entries()) {
      const text = code.slice(part.start, Math.min(part.end, part.start + 200));
      const [, property, name = property] = /^([\w$]+)(?:\s*:\s*([\w$]+))?/.exec(text) ?? [];
      if (property === undefined || name === undefined) continue;
      if (code[open] === "[") {
        if (index === 0) this.#bindTranslator(name, part.start, scope);
      } else if (this.#isFunction(property)) {
        this.#bindTranslator(name, part.start, scope);
        if (name !== property) this.#alias(name, property);
      } else if (property === "i18n" || property === "global") {
        const block = blockAround(this.source, part.start);
        this.#objects.add(name, { ...block, offset: part.start, scope: DEFAULT_SCOPE });
      }
    }
  }

  /**
   * Reads aliases from `import { t as translate } from …`. Returns those of hooks, with the names of the hooks.
   */
  #readImports(): ReadonlyMap<string, string> {
    const hooks = new Map<string, string>();
    for (const [, imported = ""] of this.source.code.matchAll(IMPORTED)) {
      for (const [, name = "", alias = ""] of imported.matchAll(/([\w$]+)\s+as\s+([\w$]+)/g)) {
        if (Object.hasOwn(HOOKS, name) && hooks.size < MAX_ALIASES) hooks.set(alias, name);
        if (this.#isFunction(name)) this.#alias(alias, name);
        // In Svelte, a store's value is read with a `$` before its name.
        if (this.#isFunction(`$${name}`)) this.#alias(`$${alias}`, `$${name}`);
      }
    }
    return hooks;
  }

  /**
   * Reads `const { t: tr } = props` and `({ t: tr }) =>`, which rename a translator of an object declared elsewhere.
   */
  #readRenamed(): void {
    const { code, brackets } = this.source;
    const renamed = new RegExp(`(?<![\\w$.])(${this.functions.names})\\s*:\\s*([\\w$]+)\\s*(?=[,}=])`, "g");
    for (const { index, 1: name = "", 2: alias = "" } of code.matchAll(renamed)) {
      const open = brackets.enclosing(index);
      if (open === -1 || code[open] !== "{" || this.#declarations.has(index)) continue;
      const scope = patternScope(this.source, open);
      if (scope === null) continue;
      this.#translators.add(alias, { ...scope, offset: index, scope: UNKNOWN_SCOPE });
      this.#alias(alias, name);
    }
  }

  /** Binds copies of translators: `const translate = t;`, `const tr = i18n.t` and `const f = intl.formatMessage`. */
  #readCopies(): void {
    const { code } = this.source;
    const names = [this.functions.names, ...[...this.aliases.keys()].map(escapeRegExp)].join("|");
    const copy = new RegExp(
      `\\b(?:const|let|var)\\s+([\\w$]+)\\s*(?::[^=;\\n]{1,200})?=\\s*((?:[\\w$]+[?!]?\\.){0,4})(${names})` +
        "(?=!?\\s*(?:[;,\\n]|\\.bind\\b|$)|!?\\s+(?:as|satisfies)\\b)",
      "g",
    );
    for (const found of code.matchAll(copy)) {
      const [, alias = "", path = "", name = ""] = found;
      // Nothing is copied, and each would be looked for among all before it.
      if (alias === name && path === "") continue;
      const object = path.slice(0, -1).replaceAll(/[?!]/g, "");
      const scope =
        path === ""
          ? this.scopeOf(name, found.index)
          : (this.scopeOfObject(object, found.index) ?? UNKNOWN_SCOPE);
      this.#bindTranslator(alias, found.index, scope, this.aliases.get(name) ?? name);
    }
  }

  /** Binds parameters by their types: `t: TFunction<"ns">`. */
  #readTypes(): void {
    const { source } = this;
    const { code } = source;
    if (!MAY_HAVE_TYPE.test(code)) return;
    for (const found of code.matchAll(TYPE)) {
      const { index: colon, 0: annotation } = found;
      const type = TRANSLATOR_TYPES[found.findIndex((part, index) => index > 0 && part !== undefined) - 1];
      const start = colon + annotation.length;
      const length = annotation.endsWith("<")
        ? code.slice(start, start + MAX_TYPE_CHARACTERS).indexOf(">")
        : 0;
      const range = parametersAround(source, colon);
      const last = skipSpaceBack(code, colon);
      const name = wordBefore(code, code[last] === "?" ? last : colon);
      if (range === null || length === -1 || name === "") continue;
      const types = source.splitAtCommas(start, start + length);
      const argumentOf = (kind: "namespace" | "keyPrefix"): Span | undefined =>
        types[type?.arguments.indexOf(kind) ?? -1];
      const [namespace, prefix] = [argumentOf("namespace"), argumentOf("keyPrefix")];
      let scope = DEFAULT_SCOPE;
      if (namespace !== undefined) scope = withHookNamespaces(source, scope, namespace, this.#isFallback);
      if (prefix !== undefined) scope = withPrefix(source, scope, prefix);
      this.#bindTranslator(name, range.start, scope, "t", range);
    }
  }

  /** Binds the translators of components that `withTranslation("ns")(Name)` wraps. */
  #readWrappedComponents(): void {
    const { source } = this;
    if (!MAY_BE_WRAPPED.test(source.code)) return;
    let count = 0;
    for (const { index, 0: call, 1: wrapper = "" } of source.code.matchAll(WRAPPED)) {
      const hook = COMPONENT_WRAPPERS[wrapper];
      const open = index + call.length - 1;
      const name = componentName(source, source.brackets.closing(open));
      const range = name === null ? null : componentRange(source, name);
      if (range === null || hook === undefined) continue;
      const scope = hookScope(source, hook, open, this.#isFallback);
      this.#bindTranslator("t", range.start, scope, "t", range);
      for (const object of ["props", "this.props"]) {
        this.#objects.add(object, { ...range, offset: range.start, scope });
      }
      if (++count === MAX_COMPONENTS) return;
    }
  }

  /** Binds the parameters of functions between tags: `<Translation ns="x">{(t) => …}</Translation>`. */
  #readRenderFunctions(): void {
    const { source } = this;
    const { code, brackets } = source;
    for (const { index, 0: tag } of code.matchAll(RENDERED)) {
      const { attributes, end } = source.readAttributes(index + tag.length);
      const open = skipSpace(code, end);
      const close = code[open] === "{" ? brackets.closing(open) : -1;
      const start = skipSpace(code, open + 1);
      const nameStart = code[start] === "(" ? skipSpace(code, start + 1) : start;
      const name = code.slice(nameStart, wordEnd(code, nameStart));
      if (close === -1 || name === "") continue;
      let scope = DEFAULT_SCOPE;
      for (const { name: attribute, value } of attributes) {
        if (value === null) continue;
        if (attribute === "ns") scope = withHookNamespaces(source, scope, value, this.#isFallback);
        if (attribute === "keyPrefix") scope = withPrefix(source, scope, value);
      }
      this.#bindTranslator(name, start, scope, "t", { start, end: close });
    }
  }

  #isFunction(name: string): boolean {
    return this.functions.shapes.has(name);
  }

  /** @param original the function that the name stands for, unless it is a known function itself */
  #bindTranslator(
    name: string,
    offset: number,
    scope: TranslatorScope,
    original = "t",
    { start, end }: Span = blockAround(this.source, offset),
  ): void {
    this.#translators.add(name, { start, end, offset, scope });
    this.#declarations.add(offset);
    if (!this.#isFunction(name)) this.#alias(name, original);
  }

  #alias(name: string, original: string): void {
    if (this.aliases.size < MAX_ALIASES) this.aliases.set(name, original);
  }
}

/** Returns the last binding before the offset, since names can be reassigned, or else the first one. */
function lastBefore(bindings: readonly Binding[], offset: number): Binding | undefined {
  return bindings.findLast((binding) => binding.offset < offset) ?? bindings[0];
}

/** Returns a pattern for calls of hooks, by their names and the file's aliases for them. */
function hookCall(aliases: readonly string[]): RegExp {
  const names = [...Object.keys(HOOKS), ...aliases.map(escapeRegExp)].join("|");
  return new RegExp(`(?<![\\w$])(${names})(?![\\w$])`, "g");
}

/** Returns the end of the name or pattern before an equals sign, without its type: `const { t }: Translation =`. */
function declarationEnd({ code, brackets }: Source, equals: number): number {
  const from = Math.max(0, equals - MAX_TYPE_CHARACTERS);
  const around = brackets.enclosing(equals);
  const starts = Array.from(
    code.slice(from, equals).matchAll(DECLARATION),
    ({ index, 0: keyword }) => from + index + keyword.length,
  );
  // Not one in brackets, such as the members of the type or of a parameter's.
  const start = starts.findLast((each) => brackets.enclosing(each) === around);
  if (start !== undefined) {
    const end = /[[{]/.test(code[start] ?? "") ? brackets.closing(start) + 1 : wordEnd(code, start);
    const isTyped = end > start && code[skipSpace(code, end)] === ":";
    if (isTyped && !/[=;](?!>)/.test(code.slice(end, equals))) return end;
  }
  return skipSpaceBack(code, equals) + 1;
}

/** Returns the start of a hook call, including its receiver and `await`: `await i18n.getFixedT(`. */
function chainStart(source: Source, nameStart: number): number {
  const { code } = source;
  const start = source.receiverBefore(nameStart)?.start ?? nameStart;
  return wordBefore(code, start) === "await" ? skipSpaceBack(code, start) + 1 - "await".length : start;
}

/**
 * Type annotations of translators, with a group for each of `TRANSLATOR_TYPES`. The pattern starts with the colon to keep
 * the search of every file with hooks fast.
 */
const TYPE = new RegExp(
  `:\\s*(?:${TRANSLATOR_TYPES.map(({ pattern }) => `(${pattern.source})`).join("|")})`,
  "g",
);
const MAY_HAVE_TYPE = new RegExp(TRANSLATOR_TYPES.map(({ word }) => word).join("|"));
const RENDERED = /<(?:Translation|I18n)(?=[\s>])/g;
const WRAPPERS = Object.keys(COMPONENT_WRAPPERS).join("|");
const MAY_BE_WRAPPED = new RegExp(WRAPPERS);
const WRAPPED = new RegExp(`\\b(${WRAPPERS})\\s*(?:<[^()]{0,100}>)?\\s*\\(`, "g");
const MAX_TYPE_CHARACTERS = 300;
/** Maximum number of components that are looked up by name. */
const MAX_COMPONENTS = 50;

/** Returns the scope of the translator that a hook creates, by the arguments in the parenthesis at `open`. */
function hookScope(source: Source, shape: HookShape, open: number, isFallback: boolean): TranslatorScope {
  const args = source.readArguments(open);
  const argumentAt = (position: number | undefined): Argument | undefined =>
    position === undefined ? undefined : args[position];
  if (args.some((argument) => argument.spread)) return UNKNOWN_SCOPE;
  if (shape.mayBeLocal === true && args[0] !== undefined && isLocal(source, args[0])) return UNKNOWN_SCOPE;
  const namespace = argumentAt(shape.namespace);
  const prefix = argumentAt(shape.keyPrefix);
  const options = argumentAt(shape.options);
  const properties = options === undefined ? [] : source.readObject(options);
  let scope: TranslatorScope =
    shape.takesMessages === true ? { ...DEFAULT_SCOPE, takesMessages: true } : DEFAULT_SCOPE;
  if (namespace !== undefined) {
    const searchesAll = shape.firstNamespace !== true || isFallback || isFallbackMode(source, properties);
    scope = withHookNamespaces(source, scope, namespace, searchesAll);
  }
  if (prefix !== undefined) {
    if (source.code[prefix.start] !== "{") return withPrefix(source, scope, prefix);
    const option = source.readObject(prefix).find(({ name }) => name === "namespace");
    if (option !== undefined) return withPrefix(source, scope, option.value);
  }
  if (options === undefined) return scope;
  if (source.code[options.start] !== "{") return UNKNOWN_SCOPE;
  const option = properties.find(({ name }) => name === "keyPrefix");
  return option === undefined ? scope : withPrefix(source, scope, option.value);
}

/** Whether a hook uses messages of the component itself: `useI18n({ useScope: "local", messages })`. */
function isLocal(source: Source, options: Span): boolean {
  return source
    .readObject(options)
    .some(
      ({ name, value }) =>
        name === "messages" ||
        (name === "useScope" && value !== null && literalText(source, value) !== "global"),
    );
}

/** Returns the function whose parameter list contains the offset. */
function parametersAround(source: Source, offset: number): Span | null {
  let open = source.brackets.enclosing(offset);
  // `({ t }: { t: TFunction<"ns"> }) =>`
  while (open !== -1 && source.code[open] === "{") open = source.brackets.enclosing(open);
  return open === -1 || source.code[open] !== "(" ? null : parameterScope(source, open);
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
function componentRange(source: Source, name: string): Span | null {
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
