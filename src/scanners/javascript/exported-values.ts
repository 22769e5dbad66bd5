/** Evaluates what a module exports to plain values, which other files can use. */
import { readValues } from "../evaluate-key-expression.ts";
import type { ExportedValue, ImportedName } from "../key-usage.ts";
import type { Source } from "../source-reader.ts";
import { constantsOf } from "./constant-resolution.ts";
import type { KnownExpression } from "./constants.ts";
import { exportsOf } from "./module-syntax.ts";

/** Bounds for generated or hostile files. */
const MAX_VALUES = 500;
const MAX_DEPTH = 3;

/** Returns the value, or type, that the module exports under the name; `null` if it is not finite. */
export function exportedValue(source: Source, imported: Omit<ImportedName, "specifier">): ExportedValue {
  const { name } = imported;
  // Of the many modules that another one exports everything from, only one has the name.
  if (!source.code.includes(name) && !/\bexport\s*\*/.test(source.code)) return null;
  for (const each of exportsOf(source, name)) {
    const value = new Describer(source).valueOf(each, imported);
    if (value !== null) return value;
  }
  return null;
}

/** Returns the value of a field of a component's class, as its template sees it. */
export function componentField(source: Source, { name, path = [] }: ImportedName): ExportedValue {
  return new Describer(source).fieldOf(name, path);
}

class Describer {
  readonly #source: Source;
  #remaining = MAX_VALUES;

  constructor(source: Source) {
    this.#source = source;
  }

  valueOf(
    exported: ReturnType<typeof exportsOf>[number],
    { isType, path = [] }: Pick<ImportedName, "isType" | "path">,
  ): ExportedValue {
    switch (exported.kind) {
      case "elsewhere": {
        const { specifier, name } = exported;
        return (
          this.#source.imports?.({ specifier, name, isType, ...(path.length === 0 ? {} : { path }) }) ?? null
        );
      }
      case "expression":
        if (isType) return null;
        return path.length === 0
          ? this.#describe({ kind: "value", ...exported.span }, 0)
          : this.#anyOf(constantsOf(this.#source).members.at(exported.span, path), 0);
      case "local": {
        if (isType) return this.#anyOf(constantsOf(this.#source).topLevelType(exported.name), 0);
        if (path.length > 0)
          return this.#anyOf(constantsOf(this.#source).members.ofTopLevel(exported.name, path), 0);
        const found = constantsOf(this.#source).topLevelValue(exported.name);
        const value = found && this.#anyOf(found.parts, 0);
        return found?.isResult === true && value !== null ? { returns: value } : value;
      }
    }
  }

  fieldOf(name: string, path: readonly string[]): ExportedValue {
    return this.#anyOf(constantsOf(this.#source).members.ofField(name, path), 0);
  }

  #anyOf(parts: readonly KnownExpression[], depth: number): ExportedValue {
    const values = parts.map((part) => this.#describe(part, depth));
    const [only = null] = values;
    if (values.length === 0 || values.includes(null)) return null;
    return values.length === 1 ? only : { anyOf: values };
  }

  #describe(part: KnownExpression, depth: number): ExportedValue {
    if (part === null || depth > MAX_DEPTH || --this.#remaining < 0) return null;
    if (part.kind === "imported") return part.value;
    if (part.kind === "text") return part.text;
    const structure = constantsOf(this.#source).structureOf(part);
    if (structure !== null) {
      return "elements" in structure
        ? { elements: structure.elements.map((element) => this.#anyOf(element, depth + 1)) }
        : { members: structure.members.map(([name, value]) => [name, this.#anyOf(value, depth + 1)]) };
    }
    return part.kind === "value" ? this.#text(part, depth) : null;
  }

  #text(part: KnownExpression & { readonly kind: "value" }, depth: number): ExportedValue {
    const values = readValues(this.#source, part);
    if (values.length > 0 && values.every(({ isExact }) => isExact)) {
      this.#remaining -= values.length;
      const texts = values.map(({ prefix }) => prefix);
      return texts.length === 1 ? (texts[0] ?? null) : { anyOf: texts };
    }
    const results = constantsOf(this.#source).resultsOf(part);
    const value = results && this.#anyOf(results, depth + 1);
    return value && { returns: value };
  }
}
