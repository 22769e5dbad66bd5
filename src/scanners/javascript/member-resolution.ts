/**
 * Follows names of members: of an imported name, of which only the member that is needed is imported, since all of it may be
 * too much; of the result of an imported function; of a field of a class; and, in a template, of its component's fields.
 */
import { getOrCreate } from "../../util/maps.ts";
import type { Span } from "../../util/span.ts";
import { CALLED, type ImportedName } from "../key-usage.ts";
import { escapeRegExp, wordEnd } from "../lexers/characters.ts";
import type { Source } from "../source-reader.ts";
import {
  type Alternatives,
  type Constant,
  destructuredPath,
  expressionEnd,
  type Step,
  unwrapped,
  withoutAssertion,
} from "./constants.ts";
import { importedParts } from "./imported-values.ts";
import { importOf } from "./module-syntax.ts";
import { type Declaration, equalsAfter, redeclarationAround, type ScopedBindings } from "./scopes.ts";

/** Longest chain of references, since names may refer to each other in a cycle. */
export const MAX_REFERENCES = 8;
const MAX_CLASS_HEAD_CHARACTERS = 400;

const MAX_FIELDS = 20;
/** What precedes the name of a field. */
const MODIFIERS = /[;{}\n]\s*((?:(?:public|protected|private|static|override|readonly)\s+)*)$/;

/** A field of a class that is not assigned again. */
interface Field {
  /** Name of the class. */
  readonly owner: string;
  readonly isStatic: boolean;
  readonly value: Span;
}

/** What else is known of the file's names. */
interface Resolver {
  readonly constants: ScopedBindings<Constant>;
  readonly follow: (parts: Alternatives, path: readonly Step[], depth: number) => Alternatives;
  readonly resultsOf: (span: Span) => Alternatives | null;
  readonly topLevelValue: (
    name: string,
  ) => { readonly parts: Alternatives; readonly isResult: boolean } | null;
}

/** Returns the names of members; `null` if one is computed. */
export function memberNames(members: readonly { readonly name: string | null }[]): readonly string[] | null {
  const names = members.flatMap(({ name }) => name ?? []);
  return names.length < members.length ? null : names;
}

export class MemberResolution {
  readonly #source: Source;
  readonly #resolver: Resolver;
  /** Members of objects by the offset of their brace. */
  readonly #members = new Map<number, ReadonlyMap<string, Span>>();

  readonly #fields = new Map<string, readonly Field[]>();

  constructor(source: Source, resolver: Resolver) {
    this.#source = source;
    this.#resolver = resolver;
  }

  /**
   * Returns the member that the names lead to from an imported name, a part of the result of an imported function, a
   * field of a class, or what a template has of its component; `null` for any other name.
   */
  of(name: string, offset: number, names: readonly string[], depth: number): Alternatives | null {
    const source = this.#source;
    const [first, ...rest] = names;
    if (name === "this") return first === undefined ? null : this.#fieldOf(null, first, rest, depth);
    if (this.#resolver.constants.innermost(name, offset).length > 0) return null;
    const declaration = redeclarationAround(source, name, offset);
    const place = { start: offset, end: offset + name.length };
    const request = (imported: Omit<ImportedName, "isType">): Alternatives | null => {
      const value = source.imports?.({ ...imported, isType: false }) ?? null;
      return value === null ? null : importedParts(value, place);
    };
    if (declaration !== undefined) {
      const call = this.#destructuredCall(declaration, name);
      const from = call && importOf(source, call.name);
      return from && from.name !== "*" ? request({ ...from, path: [CALLED, ...call.steps, ...names] }) : null;
    }
    const found = importOf(source, name);
    if (found?.name === "*" && first !== undefined)
      return rest.length === 0 ? null : request({ specifier: found.specifier, name: first, path: rest });
    if (found !== undefined) return first === undefined ? null : request({ ...found, path: names });
    if (source.isTemplate) return request({ specifier: "", name, path: names });
    return first === undefined ? null : this.#fieldOf(name, first, rest, depth);
  }

  /** Returns the function whose result a pattern takes apart, and the names that lead to the declared one. */
  #destructuredCall(
    { offset }: Declaration,
    name: string,
  ): { readonly name: string; readonly steps: readonly string[] } | null {
    const source = this.#source;
    const path = destructuredPath(source, { start: offset, end: offset + name.length });
    const equals = path === null || path.steps.length === 0 ? -1 : equalsAfter(source, path.root.start);
    if (path === null || equals === -1) return null;
    const call = /^\s*([\w$]+)\s*\(\s*\)\s*(?:[;\n]|$)/.exec(source.code.slice(equals + 1, equals + 200));
    return call?.[1] === undefined ? null : { name: call[1], steps: path.steps };
  }

  /**
   * Returns the member that the names lead to from a field that is not assigned again: one that is read-only, or only
   * another name of a value.
   * @param className the class whose static field it is; `null`: a field of any class
   */
  #fieldOf(
    className: string | null,
    field: string,
    names: readonly string[],
    depth: number,
  ): Alternatives | null {
    if (depth > MAX_REFERENCES) return null;
    const found = getOrCreate(this.#fields, field, () => this.#findFields(field)).find(
      ({ owner, isStatic }) => className === null || (isStatic && owner === className),
    );
    return found === undefined ? null : this.at(found.value, names, depth + 1);
  }

  #findFields(name: string): readonly Field[] {
    const source = this.#source;
    const { code, brackets } = source;
    if (!/\bclass\b/.test(code)) return [];
    const fields: Field[] = [];
    const declared = new RegExp(`(?<![\\w$.#])${escapeRegExp(name)}\\s*(?::[^=;\\n]{1,200})?=(?![=>])`, "g");
    for (const { index, 0: head } of code.matchAll(declared)) {
      const [, modifiers] = MODIFIERS.exec(code.slice(Math.max(0, index - 80), index)) ?? [];
      const open = brackets.enclosing(index, "{");
      const before = code.slice(Math.max(0, open - MAX_CLASS_HEAD_CHARACTERS), Math.max(0, open));
      const owner = /\bclass\b\s*([\w$]*)[^{};]*$/.exec(before)?.[1];
      // The default value of a constructor's parameter is only one of its values.
      const isParameter = brackets.enclosing(index) !== open;
      if (modifiers === undefined || owner === undefined || isParameter || fields.length >= MAX_FIELDS)
        continue;
      const start = index + head.length;
      const value = source.trimSpan(start, expressionEnd(source, start));
      const isName = /^[\w$.]+$/.test(code.slice(value.start, Math.min(value.end, value.start + 200)));
      if (value.end > value.start && (isName || /\b(?:readonly|static)\b/.test(modifiers)))
        fields.push({ owner, isStatic: /\bstatic\b/.test(modifiers), value });
    }
    return fields;
  }

  /** Returns the member that the path leads to from an expression. */
  at(span: Span, path: readonly string[], depth = 0): Alternatives {
    const source = this.#source;
    const { start, end } = withoutAssertion(source, span);
    if (path[0] === CALLED) {
      const results = this.#resolver.resultsOf(span);
      return results === null ? [null] : this.#membersOf(results, path.slice(1), depth);
    }
    const nameEnd = wordEnd(source.code, start);
    const own = source.readMembers(nameEnd, end);
    const names = own.end >= end && nameEnd > start ? memberNames(own.members) : null;
    if (names === null || depth >= MAX_REFERENCES)
      return this.#resolver.follow([{ kind: "value", ...span }], path, depth);
    const name = source.code.slice(start, nameEnd);
    const constant = this.#resolver.constants.innermost(name, start).at(-1);
    if (constant?.steps.length === 0 && constant.value.start !== start)
      return this.#membersOf([{ kind: "value", ...constant.value }], [...names, ...path], depth + 1);
    const found = this.of(name, start, [...names, ...path], depth + 1);
    return found ?? this.#resolver.follow([{ kind: "value", ...span }], path, depth);
  }

  #membersOf(parts: Alternatives, path: readonly string[], depth: number): Alternatives {
    return parts.flatMap((part) => {
      if (part?.kind !== "value" || path.length === 0) return this.#resolver.follow([part], path, depth);
      const [first, ...rest] = path;
      const { start } = unwrapped(this.#source, part);
      const member = typeof first === "string" ? this.#memberValue(start, first) : undefined;
      return member === undefined
        ? this.at(part, path, depth + 1)
        : this.#membersOf([{ kind: "value", ...member }], rest, depth);
    });
  }

  /** Returns the member that the path leads to from a name at the top level of the file, or a field of a class. */
  ofTopLevel(name: string, path: readonly string[]): Alternatives {
    if (path[0] === CALLED) {
      const found = this.#resolver.topLevelValue(name);
      const isFunction = found?.isResult === true;
      const results = isFunction
        ? found.parts
        : found?.parts.flatMap(
            (part) => (part?.kind === "value" && this.#resolver.resultsOf(part)) || [null],
          );
      return this.#membersOf(results ?? [null], path.slice(1), 0);
    }
    const [first, ...rest] = path;
    const constant = this.#resolver.constants.innermost(name, this.#source.code.length).at(-1);
    if (constant !== undefined && constant.steps.length === 0)
      return this.#membersOf([{ kind: "value", ...constant.value }], path, 0);
    return (first === undefined ? null : this.#fieldOf(name, first, rest, 0)) ?? [null];
  }

  /** Returns the member that the path leads to from a field of a class of the file. */
  ofField(name: string, path: readonly string[]): Alternatives {
    return this.#fieldOf(null, name, path, 0) ?? [null];
  }

  /** Returns the value of a member of the object at the offset; large objects are read only once. */
  #memberValue(open: number, name: string): Span | undefined {
    const source = this.#source;
    if (source.code[open] !== "{") return undefined;
    return getOrCreate(this.#members, open, () => {
      const members = new Map<string, Span>();
      for (const part of source.splitAtCommas(open + 1, source.brackets.closing(open))) {
        const member = source.readMember(part);
        if (member.name !== null && member.value !== null) members.set(member.name, member.value);
      }
      return members;
    }).get(name);
  }
}
