/** Finds key usages in JavaScript and TypeScript, with and without JSX, also where they are part of another language. */
import type { Receiver, Source } from "../source-reader.ts";
import type { KeyUsage } from "../key-usage.ts";
import { Bindings } from "./hook-bindings.ts";
import {
  addCallUsages,
  addUsages,
  DEFAULT_SCOPE,
  defaultDetails,
  UNKNOWN_SCOPE,
  type TranslatorScope,
} from "../function-calls/call-usages.ts";
import { isWord, skipSpace, typeArgumentsEnd } from "../lexers/characters.ts";
import { addJsxComponentUsages, addIndirectCalls, addTransUsages } from "./components.ts";
import type { CallShape } from "../../frameworks/framework.ts";
import {
  type JavaScriptFunctions,
  matchesQualifier,
  MAY_HAVE_COMPONENT,
  nameAlternatives,
} from "../function-calls/function-signatures.ts";
import { importedNames, isOfType } from "./declared-names.ts";
import { addMacroUsages, macroNames } from "./message-macros.ts";
import { addWrappedCalls } from "./wrapped-calls.ts";
import { addTtagUsages, isTtag, ttagNames } from "./ttag.ts";
import { readValues } from "../evaluate-key-expression.ts";

/** Returns a pattern for `name(`, `name!(`, `name<T>(`, `name?.(`, `t.rich(` and tagged templates that captures the name. */
function callPattern(names: readonly string[], methods: string): RegExp {
  return new RegExp(
    `(${nameAlternatives(names)})!?\\s*(?:[(<\`]|\\?\\.\\s*\\(|\\??\\.\\s*(?:${methods})\\s*\\()`,
    "g",
  );
}

/** Shape of a hook's result that is called immediately. */
const IMMEDIATE: CallShape = { key: 0, options: true };

/** Adds the key usages in the source to `out` and returns the file's bindings. */
export function addJavaScriptUsages(
  source: Source,
  functions: JavaScriptFunctions,
  out: KeyUsage[],
): Bindings {
  const bindings = new Bindings(source, functions);
  const names = [...functions.shapes.keys(), ...bindings.aliases.keys()];
  const { code } = source;
  const ttag = ttagNames(source);
  if (ttag !== null) addTtagUsages(source, ttag, out);
  const macros =
    functions.macros === undefined ? null : macroNames(source, functions.macros, functions.macroOptions);
  if (macros !== null) addMacroUsages(source, macros, out);
  for (const found of code.matchAll(callPattern(names, functions.methods))) {
    const name = found[1] ?? "";
    const start = found.index;
    const before = code.charCodeAt(start - 1);
    if (isWord(before) || before === 35 || (ttag !== null && isTtag(source, ttag, name, start))) continue;
    if (macros?.roles.has(name) === true) continue;
    const last = start + found[0].length - 1;
    const open = code[last] === "<" ? afterTypes(code, last) : last;
    if (open === -1 || isDefinition(source, start, open)) continue;
    addCall(bindings, { name, start, callStart: start, open }, out);
  }
  addParenthesizedCalls(bindings, out);
  if (functions.stores) addStoreCalls(bindings, out);
  if (MAY_HAVE_COMPONENT.test(code)) addJsxComponentUsages(bindings, out);
  addIndirectCalls(bindings, out);
  for (const { scope, ...call } of bindings.immediateCalls)
    addCallUsages(source, call, IMMEDIATE, scope, out);
  if (functions.children && code.includes("<Trans") && macros?.roles.has("Trans") !== true)
    addTransUsages(bindings, out);
  addWrappedCalls(source, functions.keySeparator, out);
  return bindings;
}

/** Adds calls of parenthesised names: `(t as any)("key")`, `(<any>i18n.t)("key")`. */
function addParenthesizedCalls(bindings: Bindings, out: KeyUsage[]): void {
  const { source } = bindings;
  for (const { index, 0: parentheses } of source.code.matchAll(/\)\s*!?\s*(?:\?\.\s*)?\(/g)) {
    const callee = source.parenthesizedName(index);
    if (callee === null) continue;
    const { start, end, open: callStart } = callee;
    const name = source.code.slice(start, end);
    addCall(bindings, { name, start, callStart, open: index + parentheses.length - 1 }, out);
  }
}

/** Adds `get(_)("key")`, which reads a Svelte store explicitly. */
function addStoreCalls(bindings: Bindings, out: KeyUsage[]): void {
  const { source } = bindings;
  for (const { index: start, 0: call, 1: store = "" } of source.code.matchAll(STORE_CALL)) {
    const callee = `$${store}`;
    const shape = bindings.shapesOf(callee)[0];
    if (shape === undefined) continue;
    addCallUsages(source, { start, open: start + call.length - 1, callee }, shape, DEFAULT_SCOPE, out);
  }
}

const STORE_CALL = /\bget\s*\(\s*([\w$]+)\s*\)\s*\(/g;

/** Returns the offset of the parenthesis after the type arguments at `angle`: `name<T>(`, `name<T>?.(`. */
function afterTypes(code: string, angle: number): number {
  const end = typeArgumentsEnd(code, angle);
  let open = skipSpace(code, end);
  if (code.startsWith("?.", open)) open = skipSpace(code, open + 2);
  return code[open] === "(" ? open : -1;
}

/** Whether this defines a function or method: `function t(`, `function* t(`, `t(key) {`. */
function isDefinition(source: Source, start: number, open: number): boolean {
  const { code } = source;
  if (/\bfunction\s*\*?\s*$/.test(code.slice(Math.max(0, start - 16), start))) return true;
  const close = source.brackets.closing(open);
  return close !== -1 && code[skipSpace(code, close + 1)] === "{" && !isLiteralArgument(source, open);
}

function isLiteralArgument(source: Source, open: number): boolean {
  return /['"`]/.test(source.code[skipSpace(source.code, open + 1)] ?? "");
}

/** A function name followed by a call. */
interface NamedCall {
  readonly name: string;
  readonly start: number;
  /** Start of the call if nothing precedes the name. */
  readonly callStart: number;
  readonly open: number;
}

function addCall(bindings: Bindings, { name, start, callStart, open }: NamedCall, out: KeyUsage[]): void {
  const { source } = bindings;
  const shapes = bindings.shapesOf(name);
  if (shapes.length === 0) return;
  const receiver = source.receiverBefore(start);
  const qualifier = receiver === null ? "" : `${receiver.path}.`;
  const shape = shapes.find((each) => matchesReceiver(source, each, receiver, qualifier, name));
  if (shape === undefined) return;
  const calleeStart = Math.min(callStart, receiver?.start ?? start);
  // The callee includes a method of the translator.
  const method = /^[\w$]+(?:\s*[?!]?\.\s*[\w$]+)?/.exec(source.code.slice(start, open))?.[0] ?? name;
  const callee = `${receiver === null || receiver.path === "" ? "" : qualifier}${method.replaceAll(/[\s?!]/g, "")}`;
  const scope = scopeOfCall(bindings, shape, receiver, name, start);
  if (source.code[open] === "`") {
    // A tagged template is a call with one argument (next-translate). Only plain translators and custom functions
    // support it.
    if (shape.options !== true && shape.qualifier === undefined) return;
    const end = source.templateEnd(open, source.code.length);
    const details = defaultDetails(scope, callee, { start: calleeStart, end });
    addUsages(readValues(source, { start: open, end }), details, out);
    return;
  }
  addCallUsages(source, { start: calleeStart, open, callee }, shape, scope, out);
}

/** @param name the function as the file calls it */
function matchesReceiver(
  source: Source,
  shape: CallShape,
  receiver: Receiver | null,
  qualifier: string,
  name: string,
): boolean {
  const { receivers, receiverTypes = [], modules } = shape;
  if (receiver === null && modules !== undefined) {
    const module = importedNames(source).get(name)?.module;
    return module !== undefined && modules.test(module);
  }
  if (receivers !== undefined) {
    const last = receiver?.path.split(".").at(-1) ?? "";
    return receivers.includes(last) || isOfType(source, last, receiverTypes);
  }
  return modules === undefined && matchesQualifier(shape, qualifier);
}

function scopeOfCall(
  bindings: Bindings,
  shape: CallShape,
  receiver: Receiver | null,
  name: string,
  offset: number,
): TranslatorScope {
  if (shape.unbound === true) return DEFAULT_SCOPE;
  if (receiver === null) return bindings.scopeOf(name, offset);
  if (shape.qualifier !== undefined) return DEFAULT_SCOPE;
  const bound = bindings.scopeOfObject(receiver.path === "this" ? `this.${name}` : receiver.path, offset);
  if (bound !== undefined) return bound;
  // `this.$t`, `vm.$t`, `wp.i18n.__`: global names, whatever the object.
  return name.startsWith("$") || name.startsWith("_") ? DEFAULT_SCOPE : UNKNOWN_SCOPE;
}
