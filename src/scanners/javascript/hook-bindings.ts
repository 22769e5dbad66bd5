/**
 * Resolves translator names in JavaScript: from the file's hooks (`const { t: tr } = useTranslation("ns")`) by
 * innermost block, or as declared elsewhere. Scopes are derived from the text; imports are not resolved.
 */
import { getOrCreate } from "../../model/maps.ts";
import type { Span } from "../../model/span.ts";
import {
  DEFAULT_SCOPE,
  isFallbackMode,
  UNKNOWN_SCOPE,
  withHookNamespaces,
  withPrefix,
  type FoundCall,
  type TranslatorScope,
} from "../function-calls/call-usages.ts";
import { escapeRegExp, isWord, lastBefore, skipSpace, wordStart } from "../lexers/characters.ts";
import { declarationsOf, parameterScope, ScopeTree } from "./redeclarations.ts";
import { findPassedTranslators } from "./function-parameters.ts";
import { isCallParenthesis, receiverBefore } from "./call-receiver.ts";
import { HOOKS, type HookShape, type JavaScriptFunctions } from "./known-functions.ts";
import type { CallShape } from "../function-calls/function-signatures.ts";
import { readArguments, readObject, splitAtCommas, typeArgumentsEnd, type Source } from "../lexed-source.ts";
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
const DESTRUCTURED = /\}\s*=\s*((?:this\.)?props|[\w$]+(?:\.global)?)\s*(?=[;,\n)]|$)/g;
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
    const hooks = this.#hookNames();
    for (const found of code.matchAll(hooks.size === 0 ? HOOK_CALL : hookCall([...hooks.keys()]))) {
      const name = found[1] ?? "";
      const shape = HOOKS[hooks.get(name) ?? name];
      if (shape !== undefined) this.#readHook(shape, found.index, found.index + found[0].length);
    }
    if (code.includes("import")) this.#readImports();
    for (const [alias, name] of wordpressAliases(code)) if (this.#isFunction(name)) this.#alias(alias, name);
    for (const passed of findPassedTranslators(source, this.#isFallback)) {
      this.#add(passed.name, {
        ...passed.within,
        at: passed.within.start,
        holds: passed.holds,
        scope: passed.scope,
      });
      if (passed.holds === "function") this.#aliasTranslator(passed.name);
    }
    this.#readMembers();
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

  /** Returns the scope of the object `name` in `name.t(`; `undefined` if unknown. */
  scopeOfObject(name: string, at: number): TranslatorScope | undefined {
    return (this.#innermost(name, at, "object") ?? this.#innermost(name, at, "function"))?.scope;
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
    const { code } = this.source;
    let open = skipSpace(code, nameEnd);
    if (code[open] === "<") open = skipSpace(code, typeArgumentsEnd(code, open));
    if (code[open] !== "(") return;
    const start = chainStart(this.source, nameStart);
    if (this.#readImmediate(shape, start, nameEnd, open)) return;
    const before = lastBefore(code, start);
    if (code[before] === "," || code[before] === "[") {
      this.#readAwaited(shape, start, open);
      return;
    }
    if (code[before] !== "=" || "=!<>".includes(code[before - 1] ?? "")) return;
    const scope = this.#hookScope(shape, open);
    const target = lastBefore(code, before);
    const last = code[target];
    if (last === "}" || last === "]") this.#readPattern(target, scope);
    else if (isWord(code.charCodeAt(target))) {
      const start = wordStart(code, target + 1);
      // `const t = useTranslation("ns").t`
      const close = this.source.brackets.closing(open);
      const taken = close !== -1 && /^\s*\.\s*t\b/.test(code.slice(close + 1, close + 20));
      this.#bindVariable(taken ? "translator" : shape.returns, start, target + 1, scope);
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
    const scope = this.#hookScope(shape, open);
    this.immediate.push({ start, open: close + called[0].length, callee, scope });
    return true;
  }

  /** Reads `const [data, t] = await Promise.all([load(), getTranslations("ns")])`, matching both lists by index. */
  #readAwaited(shape: HookShape, start: number, open: number): void {
    const { code, brackets } = this.source;
    const list = brackets.enclosing(start);
    const call =
      list === -1
        ? null
        : /=\s*await\s+Promise\s*\.\s*all\s*\(\s*$/.exec(code.slice(Math.max(0, list - 60), list));
    if (call === null || code[list] !== "[") return;
    const equals = list - call[0].length;
    const close = lastBefore(code, equals);
    const pattern = code[close] === "]" ? brackets.enclosing(close) : -1;
    if (pattern === -1) return;
    const index = splitAtCommas(this.source, list + 1, start).length;
    const part = splitAtCommas(this.source, pattern + 1, close)[index];
    if (part === undefined) return;
    const scope = this.#hookScope(shape, open);
    if (/^[\w$]+$/.test(code.slice(part.start, part.end))) {
      this.#bindVariable(shape.returns, part.start, part.end, scope);
    }
  }

  /** Binds `const t = …`, also with a type annotation: `const t: TFunction = …`. */
  #bindVariable(returns: HookShape["returns"], start: number, end: number, scope: TranslatorScope): void {
    const { code } = this.source;
    let name = code.slice(start, end);
    let at = start;
    const colon = lastBefore(code, start);
    if (code[colon] === ":") {
      const nameEnd = lastBefore(code, colon) + 1;
      at = wordStart(code, nameEnd);
      name = code.slice(at, nameEnd);
    }
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

  #hookScope(shape: HookShape, open: number): TranslatorScope {
    const source = this.source;
    const args = readArguments(source, open);
    if (args.some((argument) => argument.spread)) return UNKNOWN_SCOPE;
    if (shape.mayBeLocal === true && args[0] !== undefined && isLocal(source, args[0])) return UNKNOWN_SCOPE;
    let scope = DEFAULT_SCOPE;
    const namespace = shape.namespace === undefined ? undefined : args[shape.namespace];
    const options = shape.options === undefined ? undefined : args[shape.options];
    const properties = options === undefined ? [] : readObject(source, options);
    if (namespace !== undefined) {
      const isFallback =
        shape.firstNamespace !== true || this.#isFallback || isFallbackMode(source, properties);
      scope = withHookNamespaces(source, scope, namespace, isFallback);
    }
    const prefix = shape.keyPrefix === undefined ? undefined : args[shape.keyPrefix];
    if (prefix !== undefined) {
      if (source.code[prefix.start] !== "{") return withPrefix(source, scope, prefix);
      const given = readObject(source, prefix).find((property) => property.name === "namespace");
      if (given !== undefined) return withPrefix(source, scope, given.value);
    }
    if (options === undefined) return scope;
    if (source.code[options.start] !== "{") return UNKNOWN_SCOPE;
    const given = properties.find((property) => property.name === "keyPrefix");
    return given === undefined ? scope : withPrefix(source, scope, given.value);
  }

  /** Reads aliases from `import { t as translate } from …`. */
  #readImports(): void {
    for (const found of this.source.code.matchAll(IMPORTED)) {
      for (const part of (found[1] ?? "").split(",")) {
        const [name, as, alias] = part.trim().split(/\s+/);
        if (as !== "as" || name === undefined || alias === undefined) continue;
        if (this.#isFunction(name)) this.#alias(alias, name);
        // In Svelte, a store's value is read with a `$` before its name.
        if (this.#isFunction(`$${name}`)) this.#alias(`$${alias}`, `$${name}`);
      }
    }
  }

  /** Binds the members of a known object: `const { t } = this.props;`. */
  #readMembers(): void {
    for (const found of this.source.code.matchAll(DESTRUCTURED)) {
      const path = found[1] ?? "";
      const scope =
        this.scopeOfObject(path, found.index) ??
        (/^(?:i18n|i18next)(?:\.global)?$/.test(path) ? DEFAULT_SCOPE : undefined);
      if (scope !== undefined) this.#readPattern(found.index, scope);
    }
  }

  /** Maps the names that hooks have in this file, including import aliases, to their original names. */
  #hookNames(): ReadonlyMap<string, string> {
    const names = new Map<string, string>();
    for (const [, imported = ""] of this.source.code.matchAll(IMPORTED)) {
      for (const [, name = "", alias = ""] of imported.matchAll(/([\w$]+)\s+as\s+([\w$]+)/g)) {
        if (Object.hasOwn(HOOKS, name) && names.size < MAX_ALIASES) names.set(alias, name);
      }
    }
    return names;
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
        return parameters ?? this.#blockAround(outer, brackets.enclosing(outer, "{"));
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
          : (this.scopeOfObject(object, found.index) ??
            (/^(?:i18n|i18next)(?:\.global)?$/.test(object) ? DEFAULT_SCOPE : UNKNOWN_SCOPE));
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
    const block = this.source.brackets.enclosing(at, "{");
    const outer = this.#blockAround(at, block);
    this.#add(name, { ...outer, at, holds, scope });
  }

  #add(name: string, binding: Binding): void {
    this.#scopes.clear();
    getOrCreate(this.#bound, name, () => []).push(binding);
  }

  /** Returns the block that contains a declaration; the braces of a destructuring pattern do not count as a block. */
  #blockAround(at: number, innermost: number): Span {
    const { brackets, code } = this.source;
    let open = innermost;
    while (open !== -1) {
      const close = brackets.closing(open);
      const after = skipSpace(code, close + 1);
      if (code[after] !== "=" || code[after + 1] === ">" || code[after + 1] === "=") {
        return { start: open, end: close };
      }
      open = brackets.enclosing(open, "{");
    }
    return { start: -1, end: Math.max(code.length, at) };
  }
}

/** Returns a pattern for calls of hooks, by their names and the file's aliases for them. */
function hookCall(aliases: readonly string[]): RegExp {
  const names = [...Object.keys(HOOKS), ...aliases.map(escapeRegExp)].join("|");
  return new RegExp(`(?<![\\w$])(${names})(?![\\w$])`, "g");
}

/** Whether a hook uses messages of the component itself: `useI18n({ useScope: "local", messages })`. */
function isLocal(source: Source, options: Span): boolean {
  return readObject(source, options).some(
    ({ name, value }) =>
      name === "messages" ||
      (name === "useScope" && value !== null && literalText(source, value) !== "global"),
  );
}

/** Returns the start of a hook call, including its receiver and `await`: `await i18n.getFixedT(`. */
function chainStart(source: Source, nameStart: number): number {
  const { code } = source;
  const start = receiverBefore(source, nameStart)?.start ?? nameStart;
  const before = lastBefore(code, start) + 1;
  const word = wordStart(code, before);
  return code.slice(word, before) === "await" ? word : start;
}

const WORDPRESS_OBJECT = String.raw`(?:window\s*\.\s*)?wp\s*\.\s*i18n`;
const WORDPRESS_DESTRUCTURED = new RegExp(
  String.raw`\b(?:const|let|var)\s*\{([^{}]*)\}\s*=\s*${WORDPRESS_OBJECT}\b`,
  "g",
);
const WORDPRESS_MEMBER = new RegExp(
  String.raw`\b(?:const|let|var)\s+([\w$]+)\s*=\s*${WORDPRESS_OBJECT}\s*\.\s*([\w$]+)\s*(?=[;,\n]|$)`,
  "g",
);

/** Returns pairs of alias and function name: `const { __: translate } = wp.i18n`, `const tr = wp.i18n.__`. */
function wordpressAliases(code: string): readonly (readonly [alias: string, name: string])[] {
  if (!code.includes("i18n")) return [];
  const found: (readonly [string, string])[] = [];
  for (const [, members = ""] of code.matchAll(WORDPRESS_DESTRUCTURED)) {
    for (const member of members.split(",")) {
      const [name = "", alias = ""] = member.split(":").map((part) => part.trim());
      if (alias !== "") found.push([alias, name]);
    }
  }
  for (const [, alias = "", name = ""] of code.matchAll(WORDPRESS_MEMBER)) {
    if (alias !== name) found.push([alias, name]);
  }
  return found;
}
