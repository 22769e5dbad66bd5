/**
 * Functions of a file that complete keys: `const tr = (key) => t("errors." + key)`, so that `tr("login")` uses
 * `errors.login`. Their bodies show the pattern `errors.*`; their calls in the same file show the keys.
 */
import type { Span } from "../../util/span.ts";
import { addUsages, defaultDetails } from "../function-calls/call-usages.ts";
import { readValues } from "../evaluate-key-expression.ts";
import type { KeyUsage } from "../key-usage.ts";
import { escapeRegExp, skipSpace } from "../lexers/characters.ts";
import type { Source } from "../source-reader.ts";
import { functionAt, returnedExpressions } from "./function-results.ts";
import { redeclarationAround } from "./scopes.ts";

/** A function that passes a parameter on as part of a key. */
interface Wrapper {
  readonly name: string;
  /** Offset of the name where it is declared. */
  readonly offset: number;
  /** Whether it is called as a method, `this.name(…)`. */
  readonly isMember: boolean;
  /** Position of the parameter. */
  readonly key: number;
  /** Whether it does nothing else than return the text, so that its keys must exist. */
  readonly isTranslator: boolean;
  /** The usage in its body. */
  readonly inner: KeyUsage & { readonly expression: { readonly kind: "pattern" } };
}

/** Bounds for generated or hostile files. */
const MAX_WRAPPERS = 50;
const MAX_CALLS = 500;
const MAX_EXPRESSION_CHARACTERS = 300;
const MAX_HEAD_CHARACTERS = 200;

/** An expression with one name between literals: `${name}` in a template, or `"a." + name + ".b"`. */
const TEMPLATE = /^`[^`$\\]*\$\{\s*([\w$]+)\s*\}[^`$\\]*`$/;
const CONCATENATION = /^(?:(["'])[^"'\\\n]*\1\s*\+\s*)?([\w$]+)(?:\s*\+\s*(["'])[^"'\\\n]*\3)?$/;

const ASSIGNED = String.raw`(?::[^=;\n]{1,80})?=\s*(?:(?:React\.)?(?:useCallback|memoize|memoizeOne)\s*(?:<[^()]{0,80}>\s*)?\(\s*)?(?:function\s*)?$`;
const DECLARED = new RegExp(
  String.raw`\b(?:function\s+([\w$]+)\s*(?:<[^()]{0,80}>\s*)?$|(?:const|let|var)\s+([\w$]+)\s*${ASSIGNED})`,
);
const MEMBER = new RegExp(
  String.raw`(?:[;{},\n]|\b(?:private|protected|public|readonly|override))\s*([\w$]+)\s*(?:$|<[^()]{0,80}>\s*$|${ASSIGNED})`,
);

/**
 * Adds the usages in calls of the file's own functions that complete keys.
 * @param keySeparator that of the project; a prefix that ends with it is one of all keys of the function
 */
export function addWrappedCalls(source: Source, keySeparator: string | false, out: KeyUsage[]): void {
  const wrappers = out.flatMap((usage) => wrapperAround(source, usage) ?? []).slice(0, MAX_WRAPPERS);
  if (wrappers.length === 0) return;
  const added: KeyUsage[] = [];
  for (const wrapper of wrappers) addCalls(source, wrapper, keySeparator, added);
  // A wrapper may have the name of a function that takes a key as it is.
  const callees = new Map(added.map(({ callSpan, callee }) => [callSpan.start, callee]));
  const others = out.filter(({ callSpan, callee }) => callees.get(callSpan.start) !== callee);
  out.length = 0;
  for (const usage of [...others, ...added]) out.push(usage);
}

function calleeOf({ name, isMember }: Wrapper): string {
  return isMember ? `this.${name}` : name;
}

/** Returns the function that passes its parameter on in this usage; `null` if there is none. */
function wrapperAround(source: Source, usage: KeyUsage): Wrapper | null {
  const { expression, keySpan, callSpan } = usage;
  if (expression.kind !== "pattern" || (expression.prefix === "" && expression.suffix === "")) return null;
  if (keySpan.end - keySpan.start > MAX_EXPRESSION_CHARACTERS) return null;
  const written = source.text.slice(keySpan.start, keySpan.end);
  const parameter = TEMPLATE.exec(written)?.[1] ?? CONCATENATION.exec(written)?.[2];
  if (parameter === undefined) return null;
  const declaration = redeclarationAround(source, parameter, keySpan.start);
  if (declaration === undefined) return null;
  const { start, offset } = declaration;
  const key = parameterPosition(source, start, offset);
  const head = key === -1 ? null : headBefore(source, start);
  const result = head && functionAt(source, start);
  if (head === null || result === null) return null;
  const returned = returnedExpressions(source, result) ?? [];
  const [only] = returned;
  const isFirst =
    source.code[result.body] !== "{" ||
    source.code.startsWith("return", skipSpace(source.code, result.body + 1));
  const isTranslator =
    only !== undefined && returned.length === 1 && isFirst && isOnlyCall(source, only, callSpan);
  return { ...head, key, isTranslator, inner: { ...usage, expression } };
}

/** Returns the position of the parameter that is declared at the offset; -1 if it is none, or part of a pattern. */
function parameterPosition(source: Source, start: number, offset: number): number {
  if (start === offset) return 0;
  const { code, brackets } = source;
  const close = code[start] === "(" ? brackets.closing(start) : -1;
  if (offset > close) return -1;
  return source.splitAtCommas(start + 1, close).findIndex((part) => part.start === offset);
}

/** Returns the name of the function whose parameters are at the offset. */
function headBefore(
  source: Source,
  parameters: number,
): Pick<Wrapper, "name" | "offset" | "isMember"> | null {
  const from = Math.max(0, parameters - MAX_HEAD_CHARACTERS);
  const head = source.code.slice(from, parameters);
  const declared = DECLARED.exec(head);
  const member = declared === null ? MEMBER.exec(head) : null;
  const found = declared ?? member;
  const name = found?.[1] ?? found?.[2];
  if (found === null || name === undefined) return null;
  const offset =
    from + found.index + found[0].search(new RegExp(`(?<![\\w$])${escapeRegExp(name)}(?![\\w$])`));
  return { name, offset, isMember: member !== null };
}

/** Whether an expression is nothing else than the call. */
function isOnlyCall({ code }: Source, expression: Span, call: Span): boolean {
  return (
    expression.start === call.start && /^\s*!?\s*(?:as\b[^]*)?$/.test(code.slice(call.end, expression.end))
  );
}

function addCalls(source: Source, wrapper: Wrapper, keySeparator: string | false, out: KeyUsage[]): void {
  const { name, offset, isMember, key, isTranslator, inner } = wrapper;
  const { prefix, suffix } = inner.expression;
  /** The prefix without the separator at its end; `null` if the keys are no paths below it. */
  const path =
    keySeparator !== false && suffix === "" && prefix.endsWith(keySeparator)
      ? prefix.slice(0, -keySeparator.length)
      : null;
  const prefixes = [inner.keyPrefix, path ?? ""].filter((part) => part !== "");
  const scope = { namespaces: inner.namespaces, keyPrefix: prefixes.join(keySeparator || "") };
  const pattern = new RegExp(`(?<![\\w$#])${escapeRegExp(name)}\\s*(?:\\?\\.\\s*)?\\(`, "g");
  let calls = 0;
  for (const { index: start, 0: call } of source.code.matchAll(pattern)) {
    if (++calls > MAX_CALLS) return;
    const receiver = source.receiverBefore(start);
    const isCalled = isMember
      ? receiver?.path === "this"
      : receiver === null && redeclarationAround(source, name, start)?.offset === offset;
    if (!isCalled) continue;
    const open = start + call.length - 1;
    const args = source.readArguments(open).slice(0, key + 1);
    const argument = args[key];
    // Behind a list that is spread the positions are unknown.
    if (argument === undefined || args.some(({ spread }) => spread)) continue;
    const callSpan = { start: receiver?.start ?? start, end: source.brackets.closing(open) + 1 };
    const details = defaultDetails(scope, calleeOf(wrapper), callSpan);
    details.contexts = [inner.context];
    details.dynamicContext = inner.dynamicContext === true;
    details.plural = inner.plural;
    details.ordinal = inner.ordinal === true;
    details.openOptions = inner.openOptions === true;
    const values = readValues(source, argument).flatMap((value) => {
      if (!value.isExact || value.prefix === "") return [];
      const optional = isTranslator ? {} : { isOfType: true as const };
      if (path !== null) return [{ ...value, ...optional }];
      return [
        { ...value, ...optional, prefix: `${prefix}${value.prefix}${suffix}`, hasValues: true as const },
      ];
    });
    addUsages(values, details, out);
  }
}
