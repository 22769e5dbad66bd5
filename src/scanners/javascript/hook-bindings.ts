/**
 * Resolves translator names in JavaScript by innermost block: those that the file's hooks create (`const { t: tr } =
 * useTranslation("ns")`), and parameters whose scope nearby code shows, by their type (`t: TFunction<"ns">`) or by the
 * component that passes them (`<Translation ns="x">{(t) => …}</Translation>`, `withTranslation("ns")(Name)` of a component in
 * the same file). Scopes are derived from the text; imports are not resolved.
 */
import { getOrCreate } from "../../util/maps.ts";
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
  lastBefore,
  skipSpace,
  typeArgumentsEnd,
  wordEnd,
  wordStart,
} from "../lexers/characters.ts";
import { declarationsOf, parameterScope, ScopeTree } from "./redeclarations.ts";
import {
  type Argument,
  isCallParenthesis,
  readArguments,
  readAttributes,
  readObject,
  receiverBefore,
  type Source,
  splitAtCommas,
} from "../lexed-source.ts";
import {
  type CallShape,
  HOOKS,
  type HookShape,
  I18NEXT_HOOK,
  type JavaScriptFunctions,
} from "../function-calls/function-signatures.ts";
import { literalText } from "../evaluate-key-expression.ts";

/** A name that is bound to a translator (`function`) or to an object with one (`object`) within `[start, end)`. */
interface Binding extends Span {
  readonly at: number;
  readonly holds: "function" | "object";
  readonly scope: TranslatorScope;
}

const HOOK_CALL = hookCall([]);
const IMPORTED = /\bimport\s+(?:[\w$]+\s*,\s*)?\{([^{}]*)\}/g;
const FIELD = /\b(?:private|protected|public|readonly|override|declare)\s+$/;
const DESTRUCTURED = /\}\s*=\s*((?:[\w$]+\.){0,3}[\w$]+)\s*(?=[;,\n)]|$)/g;
/** Objects whose translator is the global one, never a bound one. */
export const UNBOUND =
  /^(?:(?:this|window|globalThis|app|instance|Vue|nuxtApp|wp)\.)*(?:\$?i18n|i18next|i18n\.global|\$i18n\.global)$/;
const MAX_ALIASES = 64;

export class Bindings {
  readonly source: Source;
  readonly functions: JavaScriptFunctions;
  /** Whether hooks search all of their namespaces. */
  readonly #isFallback: boolean;
  readonly #bound = new Map<string, Binding[]>();
  /** Created on the first lookup of a name; discarded when the name gets another binding. */
  readonly #scopes = new Map<string, ScopeTree<Binding>>();
  readonly #declared = new Map<string, ScopeTree<Span>>();
  /** Aliases of known functions in this file: `translate` → `t`. */
  readonly aliases = new Map<string, string>();
  /** Translators that are called immediately: `useTranslations("ns")("key")`. */
  readonly immediate: (FoundCall & { readonly scope: TranslatorScope })[] = [];

  /** Reads the file's hooks. */
  constructor(source: Source, functions: JavaScriptFunctions) {
    this.source = source;
    this.functions = functions;
    // i18next-vue passes all namespaces to i18next.
    this.#isFallback = functions.nsMode === "fallback" || source.text.includes("i18next-vue");
    const { code } = source;
    const hooks = this.#readImports();
    for (const found of code.matchAll(hooks.size === 0 ? HOOK_CALL : hookCall([...hooks.keys()]))) {
      const name = found[1] ?? "";
      const shape = HOOKS[hooks.get(name) ?? name];
      if (shape !== undefined) this.#readHook(shape, found.index, found.index + found[0].length);
    }
    for (const { name, ...binding } of findPassedTranslators(source, this.#isFallback)) {
      this.#add(name, { ...binding, at: binding.start });
      if (binding.holds === "function") this.#aliasTranslator(name);
    }
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
  scopeOf(name: string, at: number): TranslatorScope {
    const bound = this.#innermost(name, at, "function");
    const declared = getOrCreate(this.#declared, name, () => declarationsOf(this.source, name));
    // Another declaration shadows the hooks outside it.
    const hiding = declared.innermost(at)[0];
    if (hiding !== undefined && (bound === undefined || hiding.start > bound.start)) return UNKNOWN_SCOPE;
    return bound?.scope ?? DEFAULT_SCOPE;
  }

  /** Returns the scope of the object `path` in `path.t(`; `undefined` if unknown. */
  scopeOfObject(path: string, at: number): TranslatorScope | undefined {
    const bound = this.#innermost(path, at, "object") ?? this.#innermost(path, at, "function");
    return bound?.scope ?? (UNBOUND.test(path) ? DEFAULT_SCOPE : undefined);
  }

  #innermost(name: string, at: number, holds: Binding["holds"]): Binding | undefined {
    const id = `${holds} ${name}`;
    const scopes = getOrCreate(this.#scopes, id, () => {
      const bindings = this.#bound.get(name) ?? [];
      return new ScopeTree(bindings.filter((binding) => binding.holds === holds));
    });
    // The last binding before the call wins (names can be reassigned).
    const inBlock = scopes.innermost(at);
    return inBlock.findLast((binding) => binding.at < at) ?? inBlock[0];
  }

  #readHook(shape: HookShape, nameStart: number, nameEnd: number): void {
    const { source } = this;
    const { code } = source;
    let open = skipSpace(code, nameEnd);
    if (code[open] === "<") open = skipSpace(code, typeArgumentsEnd(code, open));
    if (code[open] !== "(") return;
    const start = chainStart(source, nameStart);
    if (this.#readImmediate(shape, start, nameEnd, open)) return;
    const before = lastBefore(code, start);
    const scope = hookScope(source, shape, open, this.#isFallback);
    if (code[before] === "," || code[before] === "[") {
      this.#readAwaited(shape, start, scope);
      return;
    }
    if (code[before] !== "=" || "=!<>".includes(code[before - 1] ?? "")) return;
    const target = lastBefore(code, before);
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
    const before = lastBefore(code, start);
    const end = code[before] === "(" && !isCallParenthesis(code, before) ? String.raw`(?:\s*\))?` : "";
    const call = new RegExp(String.raw`^${end}\s*(?:\.\s*(?:rich|markup|raw|has)\s*)?\(`);
    const called = call.exec(code.slice(close + 1, close + 40));
    if (called === null) return false;
    const callee = code.slice(start, nameEnd).replaceAll(/\s/g, "");
    const scope = hookScope(this.source, shape, open, this.#isFallback);
    this.immediate.push({ start, open: close + called[0].length, callee, scope });
    return true;
  }

  /** Reads `const [data, t] = await Promise.all([load(), getTranslations("ns")])`, matching both lists by index. */
  #readAwaited(shape: HookShape, start: number, scope: TranslatorScope): void {
    const { source } = this;
    const { code, brackets } = source;
    const list = brackets.enclosing(start);
    const call = /=\s*await\s+Promise\s*\.\s*all\s*\(\s*$/.exec(code.slice(Math.max(0, list - 60), list));
    if (code[list] !== "[" || call === null) return;
    const close = lastBefore(code, list - call[0].length);
    const pattern = code[close] === "]" ? brackets.enclosing(close) : -1;
    if (pattern === -1) return;
    const index = splitAtCommas(source, list + 1, start).length;
    const part = splitAtCommas(source, pattern + 1, close)[index];
    if (part !== undefined && /^[\w$]+$/.test(code.slice(part.start, part.end))) {
      this.#bindVariable(shape.returns, part, scope);
    }
  }

  /** Binds `const t = …`, also with a type annotation: `const t: TFunction = …`. */
  #bindVariable(returns: HookShape["returns"], { start, end }: Span, scope: TranslatorScope): void {
    const { code } = this.source;
    const colon = lastBefore(code, start);
    const nameEnd = code[colon] === ":" ? lastBefore(code, colon) + 1 : end;
    const at = nameEnd === end ? start : wordStart(code, nameEnd);
    const name = code.slice(at, nameEnd);
    if (name === "") return;
    if (FIELD.test(code.slice(Math.max(0, at - 40), at))) {
      // `private t = getI18n()` declares `this.t`.
      this.#bind(`this.${name}`, at, "function", scope);
      this.#aliasTranslator(name);
      return;
    }
    if (returns !== "translator") this.#bind(name, at, "object", scope);
    if (returns === "object") return;
    this.#bind(name, at, "function", scope);
    this.#aliasTranslator(name);
  }

  /** Binds the names in `const { t: alias, tm } = …` and `const [t] = …`, whose closing bracket is at `close`. */
  #readPattern(close: number, scope: TranslatorScope): void {
    const { code, brackets } = this.source;
    const open = brackets.enclosing(close);
    if (open === -1 || brackets.closing(open) !== close) return;
    const parts = splitAtCommas(this.source, open + 1, close);
    for (const [index, part] of parts.entries()) {
      const text = code.slice(part.start, Math.min(part.end, part.start + 200));
      const found = /^([\w$]+)(?:\s*:\s*([\w$]+))?/.exec(text);
      const property = found?.[1];
      if (property === undefined) continue;
      const name = found?.[2] ?? property;
      if (code[open] === "[") {
        if (index > 0) break;
        this.#bind(name, part.start, "function", scope);
        this.#aliasTranslator(name);
      } else if (this.#isFunction(property)) {
        this.#bind(name, part.start, "function", scope);
        if (name !== property) this.#alias(name, property);
      } else if (property === "i18n" || property === "global") {
        this.#bind(name, part.start, "object", DEFAULT_SCOPE);
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
      if (open === -1 || code[open] !== "{" || this.#isBoundAt(alias, index)) continue;
      const within = this.#patternScope(open);
      if (within === null) continue;
      this.#add(alias, { ...within, at: index, holds: "function", scope: UNKNOWN_SCOPE });
      this.#alias(alias, name);
    }
  }

  #isBoundAt(name: string, at: number): boolean {
    return this.#bound.get(name)?.some((binding) => binding.at === at) === true;
  }

  /** Returns the scope of the names in the destructuring pattern at `open`; `null` if it is an object literal. */
  #patternScope(open: number): Span | null {
    const { code, brackets } = this.source;
    let outer = open;
    while (code[outer] === "{" || code[outer] === "[") {
      const next = skipSpace(code, brackets.closing(outer) + 1);
      if (code[next] === "=" && code[next + 1] !== "=" && code[next + 1] !== ">") {
        const around = brackets.enclosing(outer);
        const parameters = around !== -1 && code[around] === "(" ? parameterScope(this.source, around) : null;
        return parameters ?? this.#blockAround(outer);
      }
      outer = brackets.enclosing(outer);
      if (outer === -1) return null;
    }
    return parameterScope(this.source, outer);
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
      if (this.#isFunction(alias) && path === "") continue;
      const object = path.slice(0, -1).replaceAll(/[?!]/g, "");
      const scope =
        path === ""
          ? this.scopeOf(name, found.index)
          : (this.scopeOfObject(object, found.index) ?? UNKNOWN_SCOPE);
      this.#bind(alias, found.index, "function", scope);
      if (!this.#isFunction(alias)) this.#alias(alias, this.aliases.get(name) ?? name);
    }
  }

  #isFunction(name: string): boolean {
    return this.functions.shapes.has(name);
  }

  /** Makes a name that is no function itself one for `t`. */
  #aliasTranslator(name: string): void {
    if (!this.#isFunction(name)) this.#alias(name, "t");
  }

  #alias(name: string, stands: string): void {
    if (this.aliases.size < MAX_ALIASES) this.aliases.set(name, stands);
  }

  #bind(name: string, at: number, holds: Binding["holds"], scope: TranslatorScope): void {
    this.#add(name, { ...this.#blockAround(at), at, holds, scope });
  }

  #add(name: string, binding: Binding): void {
    this.#scopes.clear();
    getOrCreate(this.#bound, name, () => []).push(binding);
  }

  /** Returns the block that contains a declaration; the braces of a destructuring pattern do not count as a block. */
  #blockAround(at: number): Span {
    const { brackets, code } = this.source;
    for (let open = brackets.enclosing(at, "{"); open !== -1; open = brackets.enclosing(open, "{")) {
      const close = brackets.closing(open);
      if (!/^\s*=(?![=>])/.test(code.slice(close + 1, close + 20))) return { start: open, end: close };
    }
    return { start: -1, end: code.length };
  }
}

/** Returns a pattern for calls of hooks, by their names and the file's aliases for them. */
function hookCall(aliases: readonly string[]): RegExp {
  const names = [...Object.keys(HOOKS), ...aliases.map(escapeRegExp)].join("|");
  return new RegExp(`(?<![\\w$])(${names})(?![\\w$])`, "g");
}

/** Returns the start of a hook call, including its receiver and `await`: `await i18n.getFixedT(`. */
function chainStart(source: Source, nameStart: number): number {
  const { code } = source;
  const start = receiverBefore(source, nameStart)?.start ?? nameStart;
  const before = lastBefore(code, start) + 1;
  const word = wordStart(code, before);
  return code.slice(word, before) === "await" ? word : start;
}

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
