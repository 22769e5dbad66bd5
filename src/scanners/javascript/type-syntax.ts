/** Reads the syntax of TypeScript's types: where one ends, its alternatives, and the members of an object type. */
import type { Span } from "../../util/span.ts";
import { getOrCreate } from "../../util/maps.ts";
import {
  escapeRegExp,
  skipSpace,
  skipSpaceBack,
  typeArgumentsEnd,
  wordBefore,
  wordEnd,
} from "../lexers/characters.ts";
import type { Source } from "../source-reader.ts";

/** A member of an object type or interface. */
export interface TypeMember {
  readonly name: string;
  /** Range of the name. */
  readonly nameSpan: Span;
  readonly type: Span;
}

/** Bounds for generated or hostile files. */
const MAX_TYPE_CHARACTERS = 8_000;
const MAX_MEMBERS = 200;

/** Returns the range of the type at the offset. It ends at `,`, `;`, `=`, a closing bracket, or a line that is complete. */
export function typeAt(source: Source, from: number, limit: number = source.code.length): Span {
  const { code } = source;
  const last = Math.min(limit, from + MAX_TYPE_CHARACTERS);
  let end = skipSpace(code, from, last);
  while (end < last) {
    const char = code[end] ?? "";
    if (/[,;)}\]]/.test(char) || (char === "=" && code[end + 1] !== ">")) break;
    if (char === "\n") {
      const next = code[skipSpace(code, end, last)] ?? "";
      const before = skipSpaceBack(code, end);
      const isContinued = /[|&:]/.test(code[before] ?? "") || code.startsWith("=>", before - 1);
      if (!/[|&=]/.test(next) && !isContinued) break;
    }
    end = nextToken(source, end, last);
  }
  return source.trimSpan(from, end);
}

/**
 * Returns the declared type of the name that ends at the offset (`name: T`, `name?: T`, `name!: T`); `null` if it has
 * none.
 */
export function declaredType(source: Source, nameEnd: number): Span | null {
  const { code } = source;
  let colon = skipSpace(code, nameEnd);
  if (code[colon] === "?" || code[colon] === "!") colon = skipSpace(code, colon + 1);
  if (code[colon] !== ":") return null;
  const type = typeAt(source, colon + 1);
  return type.end > type.start ? type : null;
}

/** Returns the type between the colon and the body or arrow of a function, and the offset of that body or arrow. */
export function returnTypeAt(source: Source, colon: number): { readonly type: Span; readonly end: number } {
  const { code } = source;
  const limit = Math.min(code.length, colon + MAX_TYPE_CHARACTERS);
  let end = skipSpace(code, colon + 1, limit);
  while (end < limit && code[end] !== ";" && !code.startsWith("=>", end)) {
    if (code[end] === "{" && /[\w$"'`>)\]}]/.test(code[skipSpaceBack(code, end)] ?? "")) break;
    end = nextToken(source, end, limit);
  }
  return { type: source.trimSpan(colon + 1, end), end };
}

function nextToken(source: Source, offset: number, limit: number): number {
  if (source.code[offset] === "<") {
    const end = typeArgumentsEnd(source.code, offset, limit);
    if (end > offset) return end;
  }
  return source.code.startsWith("=>", offset) ? offset + 2 : source.skipToken(offset, limit);
}

/** Splits a type at the signs of its top level. */
export function splitType(source: Source, { start, end }: Span, sign: "|" | "&" | ","): readonly Span[] {
  const { code } = source;
  const parts: Span[] = [];
  let from = start;
  let offset = start;
  while (offset < end) {
    if (code[offset] === sign) {
      parts.push(source.trimSpan(from, offset));
      from = ++offset;
    } else offset = nextToken(source, offset, end);
  }
  parts.push(source.trimSpan(from, end));
  return parts.filter((part) => part.end > part.start);
}

/** Returns the name of the type reference in the range and the ranges of its arguments; `null` for any other type. */
export function typeReference(
  source: Source,
  { start, end }: Span,
): { readonly name: string; readonly args: readonly Span[] } | null {
  const { code } = source;
  const nameEnd = wordEnd(code, start);
  const name = code.slice(start, nameEnd);
  if (nameEnd === start) return null;
  const open = skipSpace(code, nameEnd, end);
  if (open >= end) return { name, args: [] };
  if (code[open] !== "<" || typeArgumentsEnd(code, open, end) !== end) return null;
  return { name, args: splitType(source, { start: open + 1, end: end - 1 }, ",") };
}

const MEMBER = /^(?:readonly\s+)?(?:([\w$\u0080-\uffff]+)|"([^"\\\n]*)"|'([^'\\\n]*)')\s*\??\s*:/;

/** Returns the members with a type of the object type at `open`; methods and index signatures are omitted. */
export function typeMembers(source: Source, open: number): readonly TypeMember[] {
  const { code, text } = source;
  const close = source.brackets.closing(open);
  const members: TypeMember[] = [];
  let offset = open + 1;
  while (offset < close && members.length < MAX_MEMBERS) {
    offset = skipSpace(code, offset, close);
    const found = MEMBER.exec(text.slice(offset, Math.min(close, offset + 200)));
    const type = typeAt(source, offset + (found?.[0].length ?? 0), close);
    if (found !== null) {
      const [all, plain, double, single] = found;
      const name = plain ?? double ?? single ?? "";
      const start = offset + all.lastIndexOf(name);
      members.push({ name, nameSpan: { start, end: start + name.length }, type });
    }
    offset = Math.max(type.end, offset) + 1;
  }
  return members;
}

const TYPES =
  /\b(?:type\s+([\w$]+)\s*(?:<[^=;{}()]{0,200}>\s*)?=(?![=>])|interface\s+([\w$]+)\s*(?:<[^;{}()]{0,200}>\s*)?(?:extends\s([^;{}]{1,300}))?(?=\{))/g;
/** A type alias, or the members of an interface with the types that it extends. */
export interface DeclaredType extends Span {
  readonly bases?: readonly Span[];
}

/** Returns the types that the file declares, by name. */
export function declaredTypes(source: Source): ReadonlyMap<string, readonly DeclaredType[]> {
  const { code } = source;
  const types = new Map<string, DeclaredType[]>();
  for (const { index, 0: head, 1: alias, 2: contract, 3: bases } of code.matchAll(TYPES)) {
    const at = index + head.length;
    const declared = getOrCreate(types, alias ?? contract ?? "", () => []);
    if (alias !== undefined) declared.push(typeAt(source, at));
    else {
      const from = index + head.lastIndexOf(bases ?? "");
      const extended =
        bases === undefined ? [] : splitType(source, { start: from, end: from + bases.length }, ",");
      const start = skipSpace(code, at);
      declared.push({ start, end: source.skipGroup(start, code.length), bases: extended });
    }
  }
  return types;
}

/** Types of lists, by their first argument. */
export const LIST_TYPES = new Set("Array ReadonlyArray Set ReadonlySet Iterable".split(" "));
/** Types that have the members, or values, of their first argument. */
export const TRANSPARENT_TYPES = new Set(
  "Readonly Required Partial NonNullable Awaited Pick Omit PropsWithChildren Ref ComputedRef DeepReadonly".split(
    " ",
  ),
);
/** Types of components, by their properties. */
const COMPONENT_TYPE = /^(?:[\w$]+\.)?[\w$]*(?:FC|Component(?:Type)?|Page)$/;

/** Returns the type of the first parameter of a component, from that of its variable: `const A: FC<Props> = ({ x }) =>`. */
export function componentProperties(source: Source, parameter: number): Span | null {
  const { code, brackets } = source;
  const open = brackets.enclosing(parameter);
  if (code[open] !== "(" || skipSpace(code, open + 1) !== parameter) return null;
  const before = code.slice(Math.max(0, open - 200), open);
  const found =
    /\b(?:const|let)\s+[\w$]+\s*:\s*([\w$.]+)\s*<((?:[^=;{}]|\{[^={}]*\})*)>\s*=\s*(?:async\s*)?$/.exec(
      before,
    );
  if (found !== null && COMPONENT_TYPE.test(found[1] ?? "")) {
    const start = open - before.length + found.index + found[0].indexOf("<") + 1;
    return { start, end: start + (found[2] ?? "").length };
  }
  return null;
}

/** Returns the constraint of a type parameter that is declared before the offset: `<T extends "a" | "b">(value: T)`. */
export function typeParameterConstraint(source: Source, name: string, offset: number): Span | null {
  const { code } = source;
  const start = Math.max(0, offset - MAX_TYPE_CHARACTERS);
  const pattern = new RegExp(`[<,]\\s*(?:const\\s+)?${escapeRegExp(name)}\\s+extends\\s`, "g");
  const found = [...code.slice(start, offset).matchAll(pattern)].at(-1);
  if (found === undefined) return null;
  const from = start + found.index + found[0].length;
  let end = from;
  while (end < offset && !/[>,=]/.test(code[end] ?? "")) end = nextToken(source, end, offset);
  return source.trimSpan(from, end);
}

/** Reads `a.b<T>(`; `null` for anything but names. */
export function readCall(
  source: Source,
  start: number,
  open: number,
): { callee: Span; name: string; type: Span | null } | null {
  const { code } = source;
  let end = skipSpaceBack(code, open) + 1;
  let type: Span | null = null;
  if (code[end - 1] === ">") {
    const angle = code.indexOf("<", start);
    if (angle === -1 || angle > open || typeArgumentsEnd(code, angle) !== end) return null;
    type = splitType(source, { start: angle + 1, end: end - 1 }, ",")[0] ?? null;
    end = skipSpaceBack(code, angle) + 1;
  }
  const name = wordBefore(code, end);
  return name === "" || end - name.length < start ? null : { callee: { start, end }, name, type };
}
