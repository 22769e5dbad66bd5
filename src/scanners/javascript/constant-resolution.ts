/**
 * Resolves names in JavaScript to what the file shows of their values: constants, members of constant objects and enums,
 * elements of constant arrays, variables of loops over them, the results of functions, and the types of variables and
 * parameters. Returns expressions and types without evaluating them.
 */
import { cachedByObject } from "../../util/maps.ts";
import type { Span } from "../../util/span.ts";
import { isWord, skipSpaceBack, wordBefore, wordEnd } from "../lexers/characters.ts";
import type { Source } from "../source-reader.ts";
import { importedMembers, importedParts } from "./imported-values.ts";
import { MAX_REFERENCES, memberNames, MemberResolution } from "./member-resolution.ts";
import { importOf } from "./module-syntax.ts";
import {
  type Alternatives,
  collectConstants,
  destructuredPath,
  type Constant,
  expressionEnd,
  ELEMENT_METHODS,
  HOLDERS,
  iteratedValue,
  type KnownExpression,
  MAX_VALUE_CHARACTERS,
  NAMES,
  type Step,
  unwrapped,
  withoutAssertion,
} from "./constants.ts";
import { type Declaration, equalsAfter, redeclarationAround, type ScopedBindings } from "./scopes.ts";
import { returnedExpressions, functionAt } from "./function-results.ts";
import {
  componentProperties,
  LIST_TYPES,
  TRANSPARENT_TYPES,
  typeParameterConstraint,
  type DeclaredType,
  declaredType,
  declaredTypes,
  readCall,
  splitType,
  typeMembers,
  typeReference,
} from "./type-syntax.ts";

/** Bounds for generated or hostile files. */
const MAX_PARTS = 200;
const MAX_STEPS = 20_000;

/** Returns everything that the name, path or call may refer to; `null` if unknown. */
export function constantsAt(source: Source, span: Span): Alternatives | null {
  return constantsOf(source).resolve(span);
}

/** The elements or members of a value or type, each with its alternatives. */
export type Structure =
  | { readonly elements: readonly Alternatives[] }
  | { readonly members: readonly (readonly [name: string, value: Alternatives])[] };

/** Returns the resolver of a file. */
export const constantsOf = cachedByObject((source: Source) => new Constants(source));

class Constants {
  readonly #source: Source;
  readonly #constants: ScopedBindings<Constant>;
  /** Type aliases and interfaces by name; created when a type is first needed. */
  #types: ReadonlyMap<string, readonly DeclaredType[]> | undefined;
  readonly #typesBySpan = new Map<string, Alternatives>();
  readonly #members: MemberResolution;
  /** Number of steps that may still be taken. */
  #remaining = MAX_STEPS;

  constructor(source: Source) {
    this.#source = source;
    this.#constants = collectConstants(source);
    this.#members = new MemberResolution(source, {
      constants: this.#constants,
      follow: (parts, path, depth) => this.#follow(parts, path, depth),
      resultsOf: (span) => this.resultsOf(span),
      topLevelValue: (name) => this.topLevelValue(name),
    });
  }

  /** @param depth length of the reference chain, limited because names may refer to each other in a cycle */
  resolve(span: Span, depth = 0): Alternatives | null {
    const { code, brackets } = this.#source;
    const { start, end } = withoutAssertion(this.#source, span);
    if (--this.#remaining < 0 || depth > MAX_REFERENCES) return null;
    const nameEnd = wordEnd(code, start);
    if (nameEnd === start || nameEnd > end) return null;
    const name = code.slice(start, nameEnd);
    const path = this.#source.readMembers(nameEnd, end);
    if (path.end < end) {
      const open = code[end - 1] === ")" ? brackets.opening(end - 1) : -1;
      return open > start ? this.#result({ start, end }, open, depth) : null;
    }
    const names = memberNames(path.members);
    const member = names && this.#members.of(name, start, names, depth);
    if (member) return member;
    const [first = null] = path.members;
    const exported = first?.name && this.#isNamespace(name, start) ? first.name : null;
    const parts =
      exported === null ? this.#named(name, start, depth) : this.#imported(name, exported, false, start);
    const rest = exported === null ? path.members : path.members.slice(1);
    const steps = rest.map((each): Step => each.name ?? this.#computed(each, depth));
    if (parts === null || path.members.length > 0) return parts && this.#follow(parts, steps, depth);
    // `ref<"a" | "b">("a")` is a comparison to those who know no types.
    return parts.flatMap((part) =>
      part?.kind === "value" && /^[\w$.]+\s*</.test(code.slice(part.start, part.start + 60))
        ? (this.resolve(part, depth + 1) ?? [part])
        : [part],
    );
  }

  /** Returns the alternatives of the type in the range. */
  typesAt(untrimmed: Span, depth = 0): Alternatives {
    const { start, end } = this.#source.trimSpan(untrimmed.start, untrimmed.end);
    if (--this.#remaining < 0 || depth > MAX_REFERENCES || start >= end) return [null];
    const id = `${start}:${end}`;
    const known = this.#typesBySpan.get(id);
    if (known !== undefined) return known;
    // Unknown meanwhile, so that a type which refers to itself terminates.
    this.#typesBySpan.set(id, [null]);
    const found = this.#readType({ start, end }, depth);
    const types =
      found.length > MAX_PARTS ? [null] : found.map((part) => part && { ...part, isOfType: true });
    this.#typesBySpan.set(id, types);
    return types;
  }

  #readType(span: Span, depth: number): Alternatives {
    const source = this.#source;
    const { code, brackets } = source;
    const { start, end } = span;
    const itself: Alternatives = [{ kind: "type", start, end }];
    const sign = code[start] ?? "";
    const rest = (from: number): Span => source.trimSpan(from, end);
    if (sign === "|" || sign === "&") return this.typesAt(rest(start + 1), depth);
    const union = splitType(source, span, "|");
    if (union.length > 1) return union.flatMap((part) => this.typesAt(part, depth));
    if (splitType(source, span, "&").length > 1) return itself;
    if (sign === "(" && brackets.closing(start) === end - 1) {
      return this.typesAt({ start: start + 1, end: end - 1 }, depth);
    }
    const word = code.slice(start, wordEnd(code, start));
    if (word === "readonly") return this.typesAt(rest(start + word.length), depth);
    if (word === "keyof") return this.#follow(this.typesAt(rest(start + word.length), depth), [NAMES], depth);
    if (code[end - 1] === "]") {
      const open = brackets.opening(end - 1);
      if (open <= start) return open === start ? itself : [null];
      const inner = source.trimSpan(open + 1, end - 1);
      return inner.start >= inner.end
        ? itself
        : this.#follow(this.typesAt({ start, end: open }, depth), [this.#indexOf(inner, depth)], depth);
    }
    if (/["'`]/.test(sign)) {
      if (source.skipGroup(start, end) !== end) return [null];
      return sign === "`" ? itself : [{ kind: "value", start, end }];
    }
    if (sign === "{") return brackets.closing(start) === end - 1 ? itself : [null];
    switch (word) {
      case "typeof":
        return this.resolve(rest(start + word.length), depth + 1) ?? [null];
      case "null":
      case "undefined":
      case "never":
        return [];
      case "boolean":
        return ["true", "false"].map((text) => ({ kind: "text", text, start, end }));
      case "true":
      case "false":
        return [{ kind: "text", text: word, start, end }];
    }
    const reference = typeReference(source, span);
    // A member of an enum.
    if (reference === null) return this.resolve(span, depth + 1) ?? [null];
    const { name, args } = reference;
    const [first, second] = args;
    if (first === undefined) return this.#namedType(name, start, depth + 1);
    if (LIST_TYPES.has(name) || name === "Record") return itself;
    if (TRANSPARENT_TYPES.has(name)) return this.typesAt(first, depth);
    if ((name !== "Exclude" && name !== "Extract") || second === undefined) return [null];
    const others = this.#texts(this.typesAt(second, depth), depth);
    return others === null
      ? [null]
      : this.typesAt(first, depth).filter((part) => {
          const [text] = this.#texts([part], depth) ?? [];
          return text === undefined || others.includes(text) === (name === "Extract");
        });
  }

  /** Returns the step to the members of a type that the type in brackets names: `T[number]`, `T["a"]`, `T[keyof T]`. */
  #indexOf(inner: Span, depth: number): Step {
    const { code } = this.#source;
    if (code.slice(inner.start, inner.end) === "number") return null;
    return this.#texts(this.typesAt(inner, depth), depth);
  }

  /** Returns the alternatives of a type alias, interface, enum or constrained type parameter. */
  #namedType(name: string, offset: number, depth: number): Alternatives {
    const source = this.#source;
    this.#types ??= declaredTypes(source);
    const [only, ...others] = this.#types.get(name) ?? [];
    if (only !== undefined) {
      if (others.length > 0) return [null];
      return only.bases === undefined ? this.typesAt(only, depth) : [{ kind: "type", ...only }];
    }
    const constant = this.#constants.innermost(name, offset).at(-1);
    if (constant?.isEnum === true) return this.#follow([{ kind: "value", ...constant.value }], [null], depth);
    const constraint = typeParameterConstraint(source, name, offset);
    if (constraint !== null) return this.typesAt(constraint, depth);
    return this.#imported(name, null, true, offset) ?? [null];
  }

  /** Returns the texts of literals and names; `null` if one is not known. */
  #texts(parts: Alternatives, depth: number): readonly string[] | null {
    const { code, text } = this.#source;
    const texts: string[] = [];
    for (const part of parts) {
      if (part === null || part.kind === "type") return null;
      if (part.kind === "text") texts.push(part.text);
      else if (part.kind === "imported") {
        if (typeof part.value !== "string") return null;
        texts.push(part.value);
      } else {
        const { start, end } = withoutAssertion(this.#source, part);
        const isLiteral = /["'`]/.test(code[start] ?? "") && this.#source.skipGroup(start, end) === end;
        const literal = text.slice(start + 1, end - 1);
        if (isLiteral && !/[\\$]/.test(literal)) texts.push(literal);
        else {
          const resolved = isLiteral ? null : this.resolve(part, depth + 1);
          const found = resolved && this.#texts(resolved, depth + 1);
          if (found === null) return null;
          texts.push(...found);
        }
      }
      if (texts.length > MAX_PARTS) return null;
    }
    return texts;
  }

  /** Returns the step of a computed member: those that the expression in the brackets names, or any. */
  #computed({ start, end }: Span, depth: number): Step {
    const inner = this.#source.trimSpan(start + 1, end - 1);
    const parts = this.resolve(inner, depth + 1);
    return parts === null || parts.length === 0 ? null : this.#texts(parts, depth + 1);
  }

  /** Returns the parts that the steps lead to. */
  #follow(parts: Alternatives, steps: readonly Step[], depth: number): Alternatives {
    let found = parts;
    for (const step of steps) {
      found = found.flatMap((part) => this.#parts(part, step, depth));
      if (found.length > MAX_PARTS) return [null];
    }
    return found;
  }

  /** Returns what the name refers to at the offset; `null` if unknown. */
  #named(name: string, offset: number, depth: number): Alternatives | null {
    const source = this.#source;
    const constant = this.#constants.innermost(name, offset).at(-1);
    const declaration = redeclarationAround(source, name, offset);
    const isShadowed =
      constant !== undefined &&
      declaration !== undefined &&
      declaration.start > (constant.steps.length === 0 ? constant.start : constant.offset);
    if (constant !== undefined && !isShadowed) {
      const { value, steps } = constant;
      const type = steps.length > 0 ? null : this.#declaredType(declaration, name);
      if (type !== null && this.#isWidenedBy(type, value)) {
        const types = this.typesAt(type, depth + 1);
        const isLiteral = /["'`]/.test(source.code[value.start] ?? "");
        const own: Alternatives = isLiteral ? [{ kind: "value", ...value }] : [];
        if (types.length > 0 && !types.includes(null)) return [...own, ...types];
      }
      const parts = this.#follow([{ kind: "value", ...value }], steps, depth);
      if (steps.length === 0 || !parts.includes(null)) return parts;
    }
    return declaration === undefined
      ? this.#imported(name, null, false, offset)
      : this.#declared(declaration, name, depth);
  }

  /** Whether the name is that of `import * as name`. */
  #isNamespace(name: string, offset: number): boolean {
    return (
      importOf(this.#source, name)?.name === "*" &&
      redeclarationAround(this.#source, name, offset) === undefined
    );
  }

  /**
   * Returns the alternatives of an imported name; `null` if unknown.
   * @param member name of a member of an imported namespace
   */
  #imported(name: string, member: string | null, isType: boolean, offset: number): Alternatives | null {
    const { imports } = this.#source;
    const found = imports && importOf(this.#source, name);
    if (!found || (found.name === "*" && member === null)) return null;
    const value = imports?.({ specifier: found.specifier, name: member ?? found.name, isType }) ?? null;
    return value === null ? null : importedParts(value, { start: offset, end: offset + name.length });
  }

  /** Follows names of members; each use may take its own number of steps. */
  get members(): MemberResolution {
    this.#remaining = MAX_STEPS;
    return this.#members;
  }

  /** Returns what a name, or function, at the top level of the file may be or return; `null` if there is none. */
  topLevelValue(name: string): { readonly parts: Alternatives; readonly isResult: boolean } | null {
    const end = this.#source.code.length;
    const parts = this.#named(name, end, 0);
    if (parts !== null) return { parts, isResult: false };
    const declaration = redeclarationAround(this.#source, name, end);
    const isFunction = declaration && wordBefore(this.#source.code, declaration.offset) === "function";
    const found = isFunction ? functionAt(this.#source, declaration.offset) : null;
    const returned = found && this.#returned(found, 0);
    return returned && { parts: returned, isResult: true };
  }

  /** Returns what the function in the range may return; `null` if it is none, or it is not known. */
  resultsOf(span: Span): Alternatives | null {
    const found = functionAt(this.#source, unwrapped(this.#source, span).start);
    return found && this.#returned(found, 0);
  }

  /** Returns the alternatives of a type at the top level of the file. */
  topLevelType(name: string): Alternatives {
    return this.#namedType(name, this.#source.code.length, 0);
  }

  /** Returns the elements or members of an array, object or type; `null` if it has none. */
  structureOf(part: KnownExpression): Structure | null {
    if (part === null || part.kind === "text" || part.kind === "imported") return null;
    const { code } = this.#source;
    const { start, end } = part.kind === "value" ? unwrapped(this.#source, part) : part;
    const isArray =
      part.kind === "type" ? !/[{]/.test(code[start] ?? "") || code[end - 1] === "]" : code[start] === "[";
    if (isArray) {
      const elements = this.#follow([part], [null], 0);
      return { elements: part.kind === "type" ? [elements] : elements.map((element) => [element]) };
    }
    if (code[start] !== "{") return null;
    const names = this.#texts(this.#follow([part], [NAMES], 0), 0);
    return names && { members: names.map((name) => [name, this.#follow([part], [name], 0)]) };
  }

  /** Whether a constant's type says more than its value: for a literal, only alternatives that are written out. */
  #isWidenedBy(type: Span, value: Span): boolean {
    const { code } = this.#source;
    const sign = code[unwrapped(this.#source, value).start] ?? "";
    return /["'`]/.test(sign) ? /["'`|]/.test(code[type.start] ?? "") : !/[[{]/.test(sign);
  }

  #declaredType(declaration: Declaration | undefined, name: string): Span | null {
    return declaration === undefined ? null : declaredType(this.#source, declaration.offset + name.length);
  }

  /** Returns what the file shows of a declared variable or parameter, by its type or else its value; `null` if nothing. */
  #declared({ offset }: Declaration, name: string, depth: number): Alternatives | null {
    const source = this.#source;
    const path = destructuredPath(source, { start: offset, end: offset + name.length });
    if (path === null) return null;
    const { root, steps } = path;
    const type = declaredType(source, root.end) ?? componentProperties(source, root.start);
    if (type !== null) {
      const found = this.#follow(this.typesAt(type, depth + 1), steps, depth);
      if (found.length > 0 && !found.includes(null)) return found;
    }
    const equals = steps.length > 0 ? equalsAfter(source, root.start) : -1;
    if (equals === -1) return null;
    const value = source.trimSpan(equals + 1, expressionEnd(source, equals + 1));
    return this.#follow([{ kind: "value", ...value }], steps, depth);
  }

  /**
   * Returns what a call may result in; `null` if unknown.
   * @param open offset of the parenthesis that closes at the end of the range
   */
  #result({ start, end }: Span, open: number, depth: number): Alternatives | null {
    const { code } = this.#source;
    const call = readCall(this.#source, start, open);
    if (call === null) return null;
    const { callee, name, type } = call;
    if (type !== null && HOLDERS.has(name)) return this.typesAt(type, depth + 1);
    const first = this.#source.readArguments(open)[0];
    if (name === "String" && first !== undefined)
      return [{ kind: "value", start: first.start, end: first.end }];
    if (name === "useMemo" || name === "computed" || name === "useCallback") {
      const result = first && functionAt(this.#source, first.start);
      return result ? this.#returned(result, depth) : null;
    }
    if (code.slice(callee.start, callee.end) !== name) return null;
    const functions = this.#named(name, start, depth + 1);
    if (functions === null || end - start > MAX_VALUE_CHARACTERS) {
      const declared = redeclarationAround(this.#source, name, start);
      const isFunction = declared !== undefined && wordBefore(code, declared.offset) === "function";
      const found = isFunction ? functionAt(this.#source, declared.offset) : null;
      return found && this.#returned(found, depth);
    }
    const results = functions.map((part) => {
      if (part?.kind === "imported" && typeof part.value === "object" && "returns" in part.value)
        return importedParts(part.value.returns, part);
      if (part?.kind !== "value") return null;
      const value = unwrapped(this.#source, part);
      const found = functionAt(this.#source, value.start);
      if (found !== null) return this.#returned(found, depth);
      // Signals are called for their value.
      const inner = code[value.end - 1] === ")" ? this.#source.brackets.opening(value.end - 1) : -1;
      return inner > value.start ? this.#result(value, inner, depth + 1) : null;
    });
    return results.includes(null) ? null : results.flatMap((parts) => parts ?? []);
  }

  #returned(found: NonNullable<ReturnType<typeof functionAt>>, depth: number): Alternatives | null {
    if (found.type !== null) return this.typesAt(found.type, depth + 1);
    return returnedExpressions(this.#source, found)?.map((span) => ({ kind: "value", ...span })) ?? null;
  }

  /** Returns the parts of an object, array, enum, type or result of a call that the step leads to. */
  #parts(part: KnownExpression, step: Step, depth: number): Alternatives {
    if (part === null || --this.#remaining < 0) return [null];
    if (Array.isArray(step)) {
      const found = (step as readonly string[]).flatMap((name) => this.#parts(part, name, depth));
      const known = found.filter((each) => each !== null);
      return known.length > 0 ? known : [null];
    }
    const single = step as Exclude<Step, readonly string[]>;
    if (part.kind === "type") return this.#typeParts(part, single, depth);
    if (part.kind === "imported") {
      const { isOfType = false } = part;
      return importedMembers(part.value, single, part).map((member) => member && { ...member, isOfType });
    }
    return part.kind === "value" ? this.#valueParts(part, single, depth) : [null];
  }

  #valueParts(span: Span, step: Exclude<Step, readonly string[]>, depth: number): Alternatives {
    const source = this.#source;
    const { code } = source;
    const { start, end } = unwrapped(this.#source, span);
    if (isWord(code.charCodeAt(start))) {
      const inner = this.#callParts({ start, end }, step, depth);
      if (inner !== null) return inner;
      const values = this.resolve({ start, end }, depth + 1);
      return values?.flatMap((value) => this.#parts(value, step, depth + 1)) ?? [null];
    }
    const close = source.brackets.closing(start);
    if (close === -1 || close >= end) return [null];
    // `[["a"], ["b"]][0]`
    if (/^\s*[[.(]/.test(code.slice(close + 1, end))) {
      return this.#callParts({ start, end }, step, depth) ?? [null];
    }
    const parts = source.splitAtCommas(start + 1, close);
    if (parts.length > MAX_PARTS) return [null];
    if (code[start] === "[") {
      if (step === null) return parts.flatMap((part) => this.#element(part, depth));
      // Indexes are written nowhere.
      if (step === NAMES) return [null];
      const part = /^\d+$/.test(step) ? parts[Number(step)] : undefined;
      const isCertain = !parts.slice(0, Number(step) + 1).some((each) => code.startsWith("...", each.start));
      return [part === undefined || !isCertain ? null : { kind: "value", ...part }];
    }
    if (code[start] !== "{") return [null];
    const found: KnownExpression[] = [];
    for (const part of parts) {
      if (code.startsWith("...", part.start)) {
        const others = { start: part.start + 3, end: part.end };
        // A member by its name is looked for there only if the object itself has none.
        if (typeof step !== "string")
          found.push(...(depth < MAX_REFERENCES ? this.#valueParts(others, step, depth + 1) : [null]));
        continue;
      }
      const member = source.readMember(part);
      const value: KnownExpression = member.value && { kind: "value", ...member.value };
      if (step === null) found.push(value);
      else if (step === NAMES) found.push(...this.#nameOf(part, member.name, depth));
      else if (member.name === step) return [value];
      else if (member.name === null && member.value !== null) {
        const [name] = this.#texts(this.#nameOf(part, null, depth), depth) ?? [];
        if (name === step) return [value];
      }
    }
    if (typeof step !== "string") return found;
    const spread = parts.filter((part) => code.startsWith("...", part.start));
    const inherited = spread.flatMap((part) =>
      this.#valueParts({ start: part.start + 3, end: part.end }, step, depth + 1),
    );
    const known = inherited.filter((each) => each !== null);
    return known.length > 0 ? known : [null];
  }

  /** Returns the element, or the elements of a list that is spread. */
  #element(part: Span, depth: number): Alternatives {
    if (!this.#source.code.startsWith("...", part.start)) return [{ kind: "value", ...part }];
    if (depth >= MAX_REFERENCES) return [null];
    const list = { start: part.start + 3, end: part.end };
    const { value, step, hasEntries } = iteratedValue(this.#source, list);
    return hasEntries ? [null] : this.#parts({ kind: "value", ...value }, step, depth + 1);
  }

  /** Returns the name of a member of an object. */
  #nameOf(part: Span, name: string | null, depth: number): Alternatives {
    const { code, brackets } = this.#source;
    if (name !== null) {
      const isQuoted = /["']/.test(code[part.start] ?? "");
      const start = isQuoted ? part.start + 1 : part.start;
      return [{ kind: "text", text: name, start, end: start + name.length }];
    }
    if (code[part.start] !== "[") return [null];
    const inner = this.#source.trimSpan(part.start + 1, brackets.closing(part.start));
    if (/["']/.test(code[inner.start] ?? "")) return [{ kind: "value", ...inner }];
    return this.resolve(inner, depth + 1) ?? [null];
  }

  /** Returns the parts of the result of a call that is known for its parts; `null` for any other. */
  #callParts(
    { start, end }: Span,
    step: Exclude<Step, readonly string[]>,
    depth: number,
  ): Alternatives | null {
    const source = this.#source;
    const { code } = source;
    const open = code[end - 1] === ")" ? source.brackets.opening(end - 1) : -1;
    if (open <= start || depth >= MAX_REFERENCES) return null;
    const call = readCall(this.#source, start, open);
    if (call === null) return null;
    const { callee, name, type } = call;
    const args = source.readArguments(open);
    const [first] = args;
    const holder = HOLDERS.get(name);
    if (type !== null && holder !== undefined) {
      const types = this.typesAt(type, depth + 1);
      if (holder === "") return this.#follow(types, [step], depth);
      return step === holder ? types : [null];
    }
    if (name === "withDefaults" && first !== undefined) return this.#valueParts(first, step, depth + 1);
    const dot = skipSpaceBack(code, callee.end - name.length);
    if (ELEMENT_METHODS.has(name) && code[dot] === "." && typeof step !== "symbol") {
      const receiver = source.trimSpan(start, code[dot - 1] === "?" ? dot - 1 : dot);
      const lists = name === "concat" ? [receiver, ...args] : [receiver];
      return lists.flatMap((list) => this.#valueParts(list, null, depth + 1));
    }
    const iterated = iteratedValue(this.#source, { start, end });
    if (iterated.value.start !== start && !iterated.hasEntries && step !== NAMES) {
      return this.#parts({ kind: "value", ...iterated.value }, iterated.step, depth + 1);
    }
    return null;
  }

  #typeParts(
    { start, end, bases = [] }: Span & { readonly bases?: readonly Span[] },
    step: Exclude<Step, readonly string[]>,
    depth: number,
  ): Alternatives {
    const source = this.#source;
    const { code } = source;
    const ofAll = (types: readonly Span[]): Alternatives => {
      const found = types.flatMap((type) => this.#follow(this.typesAt(type, depth + 1), [step], depth + 1));
      if (typeof step !== "string") return found;
      const known = found.filter((part) => part !== null);
      return known.length > 0 ? known : [null];
    };
    const operands = splitType(source, { start, end }, "&");
    if (operands.length > 1) return ofAll(operands);
    const isClosed = source.brackets.closing(start) === end - 1;
    if (code[start] === "{" && isClosed) {
      const members = typeMembers(source, start);
      if (typeof step === "string") {
        const member = members.find(({ name }) => name === step);
        if (member !== undefined) return this.typesAt(member.type, depth + 1);
        return bases.length === 0 ? [null] : ofAll(bases);
      }
      const own = members.flatMap(({ name, nameSpan, type }): Alternatives =>
        step === NAMES ? [{ kind: "text", text: name, ...nameSpan }] : this.typesAt(type, depth + 1),
      );
      return [...own, ...ofAll(bases)];
    }
    const isIndex = step === null || (typeof step === "string" && /^\d+$/.test(step));
    if (code[start] === "[" && isClosed) {
      if (!isIndex) return [null];
      const elements = splitType(source, { start: start + 1, end: end - 1 }, ",");
      const element = step === null ? undefined : elements[Number(step)];
      if (step !== null) return element === undefined ? [null] : this.typesAt(element, depth + 1);
      return elements.flatMap((each) => this.typesAt(each, depth + 1));
    }
    if (code[end - 1] === "]") {
      const open = source.brackets.opening(end - 1);
      return isIndex && open > start ? this.typesAt({ start, end: open }, depth + 1) : [null];
    }
    const reference = typeReference(source, { start, end });
    const [first, second] = reference?.args ?? [];
    if (first === undefined) return [null];
    if (reference?.name === "Record" && second !== undefined) {
      return this.typesAt(step === NAMES ? first : second, depth + 1);
    }
    return isIndex ? this.typesAt(first, depth + 1) : [null];
  }
}
