/**
 * Determines the key usages in a call of a translation function from the function's shape and its translator's scope.
 * Finding the calls is up to each language.
 */
import type { Span } from "../../util/span.ts";
import { escapeRegExp, skipSpace } from "../lexers/characters.ts";
import { constantsAt } from "../javascript/constant-resolution.ts";
import type { CallShape, MessageProperties } from "../../frameworks/framework.ts";
import type { Argument, Property, Source, ValueSpan } from "../source-reader.ts";
import type { KeyUsage } from "../key-usage.ts";
import {
  exactValue,
  literalText,
  readValues,
  unknownValue,
  type ExpressionValue,
} from "../evaluate-key-expression.ts";

/** The namespaces and key prefix that a translator is bound to. */
export interface TranslatorScope {
  readonly namespaces: KeyUsage["namespaces"];
  readonly keyPrefix: string;
  /** Additional namespaces that a selector may name (`$ => $.shop.title`). */
  readonly selectable?: readonly string[];
  /** Calls contain source messages instead of keys. */
  readonly takesMessages?: true;
}

/** Scope of an unbound translator: the framework's defaults apply. */
export const DEFAULT_SCOPE: TranslatorScope = { namespaces: null, keyPrefix: "" };
/** Scope of a translator that is bound elsewhere: passed in, or created by an unknown function. */
export const UNKNOWN_SCOPE: TranslatorScope = { namespaces: "unknown", keyPrefix: "" };

/** A call, from `start` (its first name) to the parenthesis at `open`. */
export interface FoundCall {
  readonly start: number;
  readonly open: number;
  readonly callee: string;
}

/** A call, component or directive, with the information in its arguments other than the key. */
export interface CallDetails {
  /** As in `KeyUsage`. */
  readonly callee: string;
  readonly callSpan: Span;
  scope: TranslatorScope;
  contexts: readonly (string | null)[];
  dynamicContext: boolean;
  plural: boolean;
  ordinal: boolean;
  openOptions: boolean;
  /** Whether the call contains a source message instead of a key. */
  isMessage: boolean;
  /** As in `KeyUsage`. */
  isUncertain: boolean;
  /** As in `KeyUsage`. */
  isLearned: boolean;
  defaultText: string | null;
}

/** Adds the key usages of the call to `out`. */
export function addCallUsages(
  source: Source,
  call: FoundCall,
  shape: CallShape,
  scope: TranslatorScope,
  out: KeyUsage[],
): void {
  const close = source.brackets.closing(call.open);
  const args = close === -1 ? unclosedArguments(source, call.open) : source.readArguments(call.open);
  const position = argumentIndex(args, shape.key, shape.names?.key);
  const argument = args[position];
  if (argument === undefined || isDeclaration(source, argument) || isCallable(source, argument)) return;
  const callSpan = { start: call.start, end: close === -1 ? argument.end : close + 1 };
  const details = defaultDetails(scope, call.callee, callSpan);
  details.isUncertain = shape.takesOthers === true;
  details.isLearned = shape.isLearned === true;
  details.plural =
    typeof shape.plural === "number" ? args[shape.plural] !== undefined : shape.plural === true;
  const role = (name: "context" | "namespace"): Argument | undefined =>
    shape[name] === undefined ? undefined : args[argumentIndex(args, shape[name], shape.names?.[name])];
  const namespace = role("namespace");
  if (shape.mayBeScoped === true) details.scope = UNKNOWN_SCOPE;
  readNamespace(source, namespaceIn(source, namespace, shape), details);
  readContext(source, role("context"), details);
  if (shape.domains !== undefined && !limitToDomains(shape.domains, details)) return;
  const isObject = source.code[argument.start] === "{";
  if (shape.prefix !== undefined) {
    const prefix = args[shape.prefix];
    details.scope = prefix === undefined ? UNKNOWN_SCOPE : withPrefix(source, details.scope, prefix);
    if (isObject) addMembers(source, argument, details, out);
  } else if (shape.messages === true) {
    const parts = isObject
      ? source.readObject(argument).flatMap(({ value }) => value ?? [])
      : source.splitAtCommas(argument.start + 1, argument.end - 1);
    for (const part of parts) addMessage(source, part, shape, { ...details }, out);
  } else if (shape.keyProperty !== undefined && (isObject || shape.options !== true)) {
    addMessage(source, argument, shape, details, out);
  } else {
    if (shape.options === true || shape.passesOptions === true) {
      for (const option of args.slice(position + 1)) readOption(source, option, details);
    }
    if (shape.passesOptions === true) details.defaultText = null;
    // An object is no key: the function is another one of that name.
    if (!isObject || source.dialect !== "javascript") addKeyUsages(source, argument, details, out);
  }
}

/** Adds the usages of the keys that the expression in the range may be, of which selectors may name a namespace. */
export function addKeyUsages(
  source: Source,
  span: ValueSpan,
  details: Readonly<CallDetails>,
  out: KeyUsage[],
): void {
  const keys = source.dialect === "javascript" ? readSelectors(source, span) : null;
  if (keys === null) addUsages(readValues(source, span), details, out);
  for (const { first, rest, ...value } of keys ?? []) {
    const { selectable = [], keyPrefix } = details.scope;
    if (keyPrefix !== "" || first === null || rest === null || !selectable.includes(first)) {
      addUsages([value], details, out);
    } else {
      const key = { ...value, prefix: value.prefix.slice(first.length + 1), start: rest };
      addUsages([key], { ...details, scope: { namespaces: [first], keyPrefix } }, out);
    }
  }
}

/** Adds the names of the members of an object; code that refers to the members prevents other names. */
function addMembers(source: Source, object: Span, details: CallDetails, out: KeyUsage[]): void {
  for (const part of source.splitAtCommas(object.start + 1, object.end - 1)) {
    const { name, value } = source.readMember(part);
    if (name === null || value === null) continue;
    const start = part.start + (/["']/.test(source.code[part.start] ?? "") ? 1 : 0);
    const key = { ...exactValue(name, start, start + name.length), hasValues: true as const };
    addUsages([key], { ...details, defaultText: literalText(source, value) }, out);
  }
}

/** Adds a message descriptor: `{ id: "a", defaultMessage: "A" }`. */
function addMessage(
  source: Source,
  object: Span,
  shape: CallShape,
  details: CallDetails,
  out: KeyUsage[],
): void {
  const properties = source.readObject(object);
  const valueOf = (name: string | undefined): ValueSpan | null | undefined =>
    properties.find((property) => property.name === name)?.value;
  const ownKey = valueOf(shape.keyProperty);
  if (ownKey === undefined && shape.sourceMessage !== undefined) {
    addSourceMessage(source, properties, shape.sourceMessage, details, out);
    return;
  }
  const key = details.isMessage ? (ownKey ?? valueOf("message")) : ownKey;
  if (key === undefined || key === null) return;
  // A key of its own replaces that of the message.
  if (key === ownKey) details.isMessage = false;
  readOptions(source, properties, details);
  addUsages(readValues(source, key), details, out);
}

/**
 * Adds a source message from which the framework computes the key. The rule may be the project's own, so the key is
 * never reported as missing.
 */
export function addSourceMessage(
  source: Source,
  properties: readonly Property[],
  names: MessageProperties,
  details: CallDetails,
  out: KeyUsage[],
): void {
  const message = properties.find(({ name }) => name === names.message)?.value;
  const description = properties.find(({ name }) => name === names.description);
  if (message === undefined || message === null) return;
  const context = description?.value ? literalText(source, description.value) : null;
  // The key of a message with another description is not known.
  if (description !== undefined && context === null) return;
  const call = { ...details, isMessage: true, scope: UNKNOWN_SCOPE, contexts: [context || null] };
  addUsages(readValues(source, message), call, out);
}

/** Adds one usage for each value and context. */
export function addUsages(
  values: readonly ExpressionValue[],
  details: Readonly<CallDetails>,
  out: KeyUsage[],
): void {
  const { callee, callSpan, scope, contexts, dynamicContext, plural, ordinal, openOptions, isMessage } =
    details;
  const { defaultText, isUncertain, isLearned } = details;
  for (const value of values) {
    // Only literal messages are extracted.
    if (isMessage && !value.isExact) continue;
    for (const context of contexts) {
      out.push({
        expression: value.isExact
          ? { kind: "static", key: value.prefix }
          : { kind: "pattern", prefix: value.prefix, suffix: value.suffix },
        keySpan: { start: value.start, end: value.end },
        ...(value.literalSpan === undefined ? {} : { literalSpan: value.literalSpan }),
        ...(value.hasValues === true ? { hasValues: true as const } : {}),
        ...(value.isOfType === true || isUncertain ? { isUncertain: true as const } : {}),
        ...(isLearned ? { isLearned: true as const } : {}),
        callSpan,
        callee,
        namespaces: scope.namespaces,
        keyPrefix: scope.keyPrefix,
        context,
        ...(dynamicContext ? { dynamicContext: true as const } : {}),
        plural,
        ...(ordinal ? { ordinal: true as const } : {}),
        ...(openOptions ? { openOptions: true as const } : {}),
        ...(isMessage ? { isMessage: true as const } : {}),
        defaultText: isMessage ? value.prefix : defaultText,
      });
    }
  }
}

/** `t("key"` without a closing parenthesis: the literal after it is its argument. */
function unclosedArguments(source: Source, open: number): readonly Argument[] {
  const start = skipSpace(source.text, open + 1);
  const char = source.code[start];
  if (char !== "'" && char !== '"') return [];
  return [{ start, end: source.skipGroup(start, source.code.length), name: null, spread: false }];
}

/** Returns the index of the argument by name or position; -1 if unknown. */
function argumentIndex(
  args: readonly Argument[],
  position: number,
  names: readonly string[] | undefined,
): number {
  const named = args.findIndex(({ name }) => name !== null && names?.includes(name) === true);
  if (named !== -1) return named;
  const before = args.slice(0, position + 1);
  return before.some((argument, index) => argument.name !== null || (argument.spread && index < position))
    ? -1
    : position;
}

/** Whether it is PHP's `__(...)`, which creates a closure without calling the function. */
function isCallable(source: Source, { start, end }: Argument): boolean {
  return source.dialect === "php" && source.code.slice(start, Math.min(end, start + 4)) === "...";
}

/** Whether the call is a function declaration, as in `t(key: string)`. */
function isDeclaration(source: Source, argument: Argument): boolean {
  if (source.dialect !== "javascript") return false;
  const head = source.code.slice(argument.start, Math.min(argument.end, argument.start + 80));
  return /^(?:\.\.\.)?[\w$]+\s*\??\s*:/.test(head);
}

/** Returns the argument with the namespace, or its property where that is an object. */
function namespaceIn(
  source: Source,
  argument: Argument | undefined,
  { namespaceProperty }: CallShape,
): Argument | undefined {
  if (argument === undefined || namespaceProperty === undefined || source.code[argument.start] !== "{")
    return argument;
  const value = source.readObject(argument).find(({ name }) => name === namespaceProperty)?.value;
  return value == null ? argument : { ...value, name: null, spread: false };
}

function readNamespace(source: Source, argument: Argument | undefined, details: CallDetails): void {
  if (argument === undefined) return;
  const isArray = /^(?:\[|array\s*\()/.test(source.code.slice(argument.start, argument.end));
  // In PHP an array contains the values of placeholders, never a domain.
  const namespaces = source.dialect === "php" && isArray ? null : readNames(source, argument);
  if (namespaces !== null) details.scope = { ...details.scope, namespaces };
}

/**
 * Whether the call may be for one of the domains. A call without a domain uses the program's own translations or is
 * still being typed, so it is never reported as missing.
 */
function limitToDomains(domains: ReadonlySet<string>, details: CallDetails): boolean {
  const { namespaces } = details.scope;
  if (namespaces === "unknown") return true;
  if (namespaces === null) {
    if (!domains.has("default")) details.scope = UNKNOWN_SCOPE;
    return true;
  }
  return namespaces.some((domain) => domains.has(domain));
}

/** Reads one argument after the key: a default text, options, or a count. */
function readOption(source: Source, argument: Argument, details: CallDetails): void {
  if (source.code[argument.start] === "{") {
    readOptions(source, source.readObject(argument), details);
    if (hasSpread(source, argument)) details.openOptions = true;
    return;
  }
  if (/^(?:\d+|[\w$.?]+\.length)$/.test(source.code.slice(argument.start, argument.end).slice(0, 100))) {
    details.plural = true;
    return;
  }
  const text = literalText(source, argument);
  if (text === null && !isNullish(source, argument)) details.openOptions = true;
  details.defaultText ??= text;
}

/** Reads options of a call or component (`ns`, `context`, `count`, …) into the details. */
export function readOptions(source: Source, properties: readonly Property[], details: CallDetails): void {
  for (const { name, value } of properties) {
    switch (name) {
      case "count":
        details.plural = true;
        break;
      case "ordinal":
        details.ordinal = value === null || source.code.slice(value.start, value.end) !== "false";
        break;
      case "context":
        readContext(source, value, details);
        break;
      case "ns": {
        const namespaces = value === null ? "unknown" : readNames(source, value);
        // An empty one counts as none.
        if (namespaces !== null && namespaces[0] !== "") details.scope = { ...details.scope, namespaces };
        break;
      }
      case "keyPrefix":
        details.scope = withPrefix(source, details.scope, value);
        break;
      case "defaultValue":
      case "default":
      case "defaultMessage":
        if (value !== null) details.defaultText = literalText(source, value);
    }
  }
}

/** Whether an object contains others (`{ ...options }`). */
function hasSpread(source: Source, { start, end }: Span): boolean {
  if (!source.code.slice(start, end).includes("...")) return false;
  return source.splitAtCommas(start + 1, end - 1).some((part) => source.code.startsWith("...", part.start));
}

function readContext(source: Source, span: ValueSpan | null | undefined, details: CallDetails): void {
  if (span === undefined || isNullish(source, span)) return;
  const values = span === null ? [] : readValues(source, span);
  const exact = values.filter((value) => value.isExact);
  if (exact.length < values.length || values.length === 0) details.dynamicContext = true;
  if (exact.length > 0) details.contexts = exact.map((value) => value.prefix || null);
}

/** Returns the scope with a prefix; unknown if the prefix is dynamic. */
export function withPrefix(source: Source, scope: TranslatorScope, span: ValueSpan | null): TranslatorScope {
  if (isNullish(source, span)) return scope;
  const keyPrefix = span === null ? null : literalText(source, span);
  return keyPrefix === null ? UNKNOWN_SCOPE : { ...scope, keyPrefix };
}

/** Reads namespaces from a literal, an array, or a constant of the file; `null` if none. */
export function readNames(source: Source, span: ValueSpan): KeyUsage["namespaces"] {
  if (isNullish(source, span)) return null;
  const values = readValues(source, span);
  if (values.length === 0 || values.some((value) => !value.isExact)) return "unknown";
  return [...new Set(values.map((value) => value.prefix))];
}

/**
 * Returns the scope with the namespaces of a hook, component or type. Only the first namespace of a
 * list is searched, unless `isFallback` is set.
 */
export function withHookNamespaces(
  source: Source,
  scope: TranslatorScope,
  span: ValueSpan,
  isFallback: boolean,
): TranslatorScope {
  const namespaces = readNames(source, span);
  const all = { ...scope, namespaces };
  if (isFallback || !Array.isArray(namespaces) || namespaces.length < 2) return all;
  const known =
    source.code[span.start] === "[" ? [{ kind: "value" as const, ...span }] : constantsAt(source, span);
  const [list, ...others] = known ?? [];
  // A conditional between several lists has none that is the first.
  if (list === undefined || list === null || others.length > 0) return all;
  if (list.kind === "imported" && typeof list.value === "object" && "elements" in list.value)
    return { ...scope, namespaces: namespaces.slice(0, 1), selectable: namespaces.slice(1) };
  if (source.code[list.start] !== "[") return all;
  const [first] = source.splitAtCommas(list.start + 1, list.end - 1);
  return first === undefined
    ? all
    : { ...scope, namespaces: readNames(source, first), selectable: namespaces.slice(1) };
}

/** Whether a hook's options set `nsMode: "fallback"`, or may set it dynamically. */
export function isFallbackMode(source: Source, options: readonly Property[]): boolean {
  const option = options.find(({ name }) => name === "nsMode")?.value;
  if (option === undefined || option === null) return false;
  return (literalText(source, option) ?? "fallback") === "fallback";
}

function isNullish(source: Source, span: Span | null): boolean {
  return span !== null && /^(?:undefined|null|)$/.test(source.code.slice(span.start, span.end));
}

/** Returns the details of a call, component or directive that has only a key. */
export function defaultDetails(scope: TranslatorScope, callee: string, { start, end }: Span): CallDetails {
  const none = {
    contexts: [null],
    dynamicContext: false,
    plural: false,
    ordinal: false,
    openOptions: false,
    isMessage: scope.takesMessages === true,
    isUncertain: false,
    isLearned: false,
    defaultText: null,
  };
  return { callee, callSpan: { start, end }, scope, ...none };
}

const MAX_SELECTOR_CHARACTERS = 400;

/** The key of a selector. */
interface SelectedKey extends ExpressionValue {
  /** Name of the first member, which may be a namespace; `null` if it is computed. */
  readonly first: string | null;
  /** Offset of the second member; `null` if there is none. */
  readonly rest: number | null;
}

/**
 * Returns the keys that the selector, or array of selectors, in the range may select, with their ranges; `null` for
 * anything else.
 */
function readSelectors(source: Source, { start, end }: Span): readonly SelectedKey[] | null {
  if (end - start > MAX_SELECTOR_CHARACTERS) return null;
  const isList = source.code[start] === "[" && source.brackets.closing(start) === end - 1;
  const parts = isList ? source.splitAtCommas(start + 1, end - 1) : [{ start, end }];
  const keys = parts.map((part) => readSelector(source, part));
  return keys.length === 0 || keys.includes(null) ? null : keys.flatMap((selected) => selected ?? []);
}

function readSelector(source: Source, { start, end }: Span): readonly SelectedKey[] | null {
  const text = source.code.slice(start, end);
  const [head, parenthesized, parameter = parenthesized] =
    /^(?:\(\s*([\w$]+)\s*\)|([\w$]+))\s*=>/.exec(text) ?? [];
  if (head === undefined || parameter === undefined) return null;
  const path = new RegExp(`(?<![\\w$.])${escapeRegExp(parameter)}(?![\\w$])`, "g");
  path.lastIndex = head.length;
  const keys: SelectedKey[] = [];
  for (let found = path.exec(text); found !== null; found = path.exec(text)) {
    const selected = selectedKeys(source, start + found.index + found[0].length, end);
    if (selected === null) return null;
    keys.push(...selected);
  }
  return keys.length === 0 ? null : keys;
}

/** Returns the keys that the members after the parameter select; computed members may yield several, or a pattern. */
function selectedKeys(source: Source, from: number, limit: number): readonly SelectedKey[] | null {
  const { code } = source;
  const { members, end } = source.readMembers(from, limit);
  const [first] = members;
  // `$ => $.a.map(…)` calls a function and `$ => $.a-b` calculates, so neither is a selector.
  if (first === undefined || /[-+*/%([]/.test(code[skipSpace(code, end, limit)] ?? "")) return null;
  const names = members.map((member) => member.name ?? computedNames(source, member));
  const rest = members[1]?.start ?? null;
  const computed = names.indexOf(null);
  const known = computed === -1 ? names : names.slice(0, computed);
  const paths = known.reduce<readonly (readonly string[])[]>(
    (found, each) => found.flatMap((path) => [each ?? []].flat().map((name) => [...path, name])),
    [[]],
  );
  const last = computed === -1 ? end : (members[computed]?.end ?? end);
  if (paths.length > MAX_SELECTED_KEYS)
    return [{ ...unknownValue({ start: first.start, end }), first: null, rest }];
  return paths.map((path) => {
    const parts = { first: path[0] ?? null, rest };
    if (computed === -1) return { ...exactValue(path.join("."), first.start, last), ...parts };
    const prefix = path.map((name) => `${name}.`).join("");
    return { ...unknownValue({ start: first.start, end: last }), prefix, ...parts };
  });
}

const MAX_SELECTED_KEYS = 100;

/** Returns the names that a member in brackets may have; `null` if unknown. */
function computedNames(source: Source, { start, end }: Span): readonly string[] | null {
  const values = readValues(source, { start: start + 1, end: end - 1 });
  return values.length > 0 && values.every(({ isExact }) => isExact)
    ? values.map(({ prefix }) => prefix)
    : null;
}
