/**
 * Reads the tests of i18next-cli's extractor: the source files that a test writes, and the keys that it expects in the
 * translation files. The tests are parsed, not executed.
 */
import { parse } from "@babel/parser";

type Node = { readonly type: string; readonly start: number; readonly end: number } & Record<string, unknown>;

/** A test of the extractor. */
export interface Sample {
  readonly name: string;
  /** Texts by path. */
  readonly files: Readonly<Record<string, string>>;
  /** The keys that are expected, with their namespaces. */
  readonly expected: readonly ExpectedKey[];
  /** Keys that must not be extracted. */
  readonly unexpected: readonly ExpectedKey[];
  /** The test with its configuration, as written. */
  readonly code: string;
  /** The value of a string or `false` that the test or else its file configures; `undefined` if none. */
  readonly option: (name: string) => string | false | undefined;
}

export interface ExpectedKey {
  readonly namespace: string;
  readonly key: string;
}

const SOURCE = /\.(?:[cm]?[jt]sx?|vue|svelte)$/u;

/** Returns the samples in a file of tests. */
export function readSamples(file: string, text: string): Sample[] {
  const program = parse(text, { sourceType: "module", plugins: ["typescript"] }) as unknown as Node;
  const samples: Sample[] = [];
  const constants = new Map<string, Node>();
  const visit = (node: Node, path: string): void => {
    const callee = node["callee"] as Node | undefined;
    const name = callee?.["name"] as string | undefined;
    const [title, body] = (node["arguments"] ?? []) as readonly Node[];
    if (node.type === "CallExpression" && title !== undefined && body !== undefined) {
      if (name === "describe")
        return each(body, (child) => visit(child, `${path} ${String(valueOf(title))}`));
      if (name === "it" || name === "test") {
        samples.push(new Reader(text, body, constants).sample(`${path}: ${String(valueOf(title))}`));
        return undefined;
      }
    }
    if (node.type === "VariableDeclarator") declare(node, constants);
    return each(node, (child) => visit(child, path));
  };
  visit(program, file);
  return samples;
}

function each(node: Node, work: (child: Node) => void): void {
  for (const [name, value] of Object.entries(node)) {
    if (name === "loc" || name.endsWith("Comments") || name === "comments" || name === "errors") continue;
    for (const child of Array.isArray(value) ? value : [value]) {
      if (typeof (child as Node | null)?.type === "string") work(child as Node);
    }
  }
}

function declare(node: Node, constants: Map<string, Node>): void {
  const { name } = node["id"] as { name?: string };
  if (name !== undefined && node["init"] !== null) constants.set(name, node["init"] as Node);
}

/** Returns the value of a literal, an object or an array of them, or a constant; `undefined` if unknown. */
function valueOf(node: Node, constants: ReadonlyMap<string, Node> = new Map()): unknown {
  const value = (child: unknown): unknown => valueOf(child as Node, constants);
  switch (node.type) {
    case "StringLiteral":
    case "NumericLiteral":
    case "BooleanLiteral":
      return node["value"];
    case "TemplateLiteral": {
      const parts = node["quasis"] as { value: { cooked: string } }[];
      const values = (node["expressions"] as Node[]).map(value);
      if (!values.every((each) => typeof each === "string")) return undefined;
      return parts.map((part, index) => `${part.value.cooked}${values[index] ?? ""}`).join("");
    }
    case "BinaryExpression": {
      const [left, right] = [value(node["left"]), value(node["right"])];
      return typeof left === "string" && typeof right === "string" ? left + right : undefined;
    }
    case "Identifier": {
      const constant = constants.get(node["name"] as string);
      return constant && valueOf(constant, constants);
    }
    case "TSAsExpression":
    case "TSNonNullExpression":
      return value(node["expression"]);
    case "ArrayExpression":
      return (node["elements"] as Node[]).map(value);
    case "ObjectExpression":
      return Object.fromEntries(
        (node["properties"] as Node[]).flatMap((property) => {
          if (property.type !== "ObjectProperty") return [];
          const key = property["key"] as Node;
          const isName = key.type === "Identifier" && property["computed"] !== true;
          return [[isName ? key["name"] : value(key), value(property["value"])]];
        }),
      );
    default:
      return undefined;
  }
}

/** Reads one test. */
class Reader {
  readonly #text: string;
  readonly #body: Node;
  readonly #constants: Map<string, Node>;
  readonly #files: Record<string, string> = {};
  readonly #existing = new Set<string>();
  readonly #expected: ExpectedKey[] = [];
  readonly #unexpected: ExpectedKey[] = [];

  constructor(text: string, body: Node, constants: ReadonlyMap<string, Node>) {
    this.#text = text;
    this.#body = body;
    this.#constants = new Map(constants);
  }

  sample(name: string): Sample {
    const declarations = (node: Node): void => {
      if (node.type === "VariableDeclarator") declare(node, this.#constants);
      each(node, declarations);
    };
    declarations(this.#body);
    this.#visit(this.#body);
    const code = this.#text.slice(this.#body.start, this.#body.end);
    const head = this.#text.slice(0, this.#text.search(/^\s*(?:it|test)\(/mu));
    return {
      name,
      code,
      files: this.#files,
      // What an existing translation file has is kept without being used.
      expected: this.#expected.filter(({ key }) => !this.#existing.has(key)),
      unexpected: this.#unexpected,
      option: (option) => optionIn(code, option) ?? optionIn(head, option),
    };
  }

  #visit(node: Node): void {
    if (node.type === "ObjectExpression" || node.type === "CallExpression") this.#readFiles(node);
    if (node.type === "CallExpression") this.#readExpectation(node);
    each(node, (child) => this.#visit(child));
  }

  /** Reads `{ "/src/App.tsx": code }`. */
  #readFiles(node: Node): void {
    if (node.type !== "ObjectExpression") return;
    for (const [path, text] of Object.entries(valueOf(node, this.#constants) as Record<string, unknown>)) {
      if (typeof text !== "string") continue;
      if (SOURCE.test(path)) this.#files[path.replace(/^\//u, "")] = text;
      else if (path.endsWith(".json")) for (const key of keysOf(text)) this.#existing.add(key);
    }
  }

  /** Reads `expect(file!.newTranslations).toHaveProperty("a.b")`, `.toEqual({ a: { b: "…" } })`. */
  #readExpectation(node: Node): void {
    const callee = node["callee"] as Node;
    if (callee.type !== "MemberExpression") return;
    const matcher = (callee["property"] as { name?: string }).name ?? "";
    const subject = this.#text.slice(callee.start, (callee["property"] as Node).start);
    if (!/newTranslations|extractedKeys|\bkeys\b/u.test(subject)) return;
    const [argument] = node["arguments"] as readonly Node[];
    if (argument === undefined) return;
    const namespace = this.#namespaceOf(subject);
    const add = (key: unknown): void => {
      if (typeof key !== "string") return;
      (subject.includes(".not.") ? this.#unexpected : this.#expected).push({ namespace, key });
    };
    if (matcher === "toHaveProperty") {
      const path = valueOf(argument, this.#constants);
      add(Array.isArray(path) ? path.join(".") : path);
    } else if (matcher === "toEqual" && argument.type === "ObjectExpression") {
      for (const key of leaves(valueOf(argument, this.#constants))) add(key);
    } else if (
      matcher === "toEqual" &&
      this.#text.slice(argument.start).startsWith("expect.arrayContaining")
    ) {
      const list = (argument["arguments"] as Node[])[0];
      if (list !== undefined && subject.includes("keys"))
        for (const key of valueOf(list, this.#constants) as unknown[]) add(key);
    }
  }

  /** Returns the namespace of the file in `const file = results.find(… "/locales/en/common.json")`. */
  #namespaceOf(subject: string): string {
    const variable = /(\w+)[!?]?\.newTranslations/u.exec(subject)?.[1] ?? "translationFile";
    const declaration = this.#constants.get(variable);
    const code = declaration === undefined ? subject : this.#text.slice(declaration.start, declaration.end);
    const namespace = /locales\/\w+\/([^/'"`]+)\.\w+['"`]/u.exec(code)?.[1] ?? "";
    return namespace === "" ? "translation" : namespace;
  }
}

function optionIn(code: string, option: string): string | false | undefined {
  const found = [...code.matchAll(new RegExp(`\\b${option}: (?:'([^']*)'|(false))`, "gu"))].at(-1);
  return found === undefined ? undefined : (found[1] ?? false);
}

function leaves(value: unknown, path: readonly string[] = []): string[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [path.join(".")];
  return Object.entries(value).flatMap(([name, child]) => leaves(child, [...path, name]));
}

function keysOf(json: string): string[] {
  try {
    return leaves(JSON.parse(json));
  } catch {
    return [];
  }
}
