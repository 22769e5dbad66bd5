/**
 * Babel's parser, loaded with the first module: parses JavaScript and TypeScript into a syntax tree. Nothing is
 * executed, and parsing time stays proportional to the length of the text.
 */
import type { ParseResult, ParserOptions } from "@babel/parser";
import { skipJsonTrivia } from "../json/json-parser.ts";

export type Program = ParseResult["program"];
export type Statement = Program["body"][number];
export type Expression = Extract<Statement, { readonly type: "ExpressionStatement" }>["expression"];

/** A parsed module with its errors; `program` is `null` if parsing failed. */
export interface Parsed {
  readonly program: Program | null;
  readonly errors: readonly ModuleError[];
}

/** An error at an offset, in English. */
export interface ModuleError {
  readonly message: string;
  readonly offset: number;
}

type Parse = typeof import("./module-parser.ts").parse;

let parser: Parse | undefined;

/** Loads the parser; required before `parseModule`. */
export async function loadParser(): Promise<void> {
  parser ??= (await import("./module-parser.ts")).parse;
}

/** Maximum nesting of type assertions and generic functions (`<T>(<T>(…`): each level doubles the parsing time. */
const MAX_ANGLED = 8;

export type ParserPlugins = NonNullable<ParserOptions["plugins"]>;

/**
 * Parses a module into a syntax tree.
 * @throws {Error} only if `loadParser` was not awaited
 */
export function parseModule(text: string, plugins: ParserPlugins = ["typescript"]): Parsed {
  if (parser === undefined) throw new Error("The parser of modules is not loaded.");
  if (angledDepth(text) > MAX_ANGLED) return broken("type assertions are nested too deep");
  try {
    const { program, errors } = parser(text, {
      sourceType: "unambiguous",
      errorRecovery: true,
      attachComment: false,
      createImportExpressions: true,
      allowReturnOutsideFunction: true,
      plugins,
    });
    return { program, errors: (errors ?? []).map(errorOf) };
  } catch (error) {
    // The parser is recursive: thousands of nested brackets overflow the stack.
    if (error instanceof RangeError) return broken("nested too deep");
    return { program: null, errors: [errorOf(error)] };
  }
}

function broken(message: string): Parsed {
  return { program: null, errors: [{ message, offset: 0 }] };
}

function errorOf(error: unknown): ModuleError {
  const { message, pos } = error as { readonly message?: unknown; readonly pos?: unknown };
  const reason = typeof message === "string" ? message.replace(/\s*\(\d+:\d+\)$/, "") : "no module";
  return { message: reason, offset: typeof pos === "number" ? pos : 0 };
}

/** Returns the nesting depth of brackets that follow a `>`, outside of strings and comments. */
function angledDepth(text: string): number {
  let deepest = 0;
  let depth = 0;
  /** For each open bracket, whether it follows a `>`. */
  const open: boolean[] = [];
  let before = "";
  for (let at = 0; at < text.length; at++) {
    const char = text[at] ?? "";
    if (char === " " || char === "\t" || char === "\n" || char === "\r") continue;
    if (char === "/") {
      const after = skipJsonTrivia(text, at);
      if (after > at) {
        at = after - 1;
        continue;
      }
    }
    if (char === '"' || char === "'") {
      at = stringEnd(text, at);
    } else if (char === "(") {
      const counts = before === ">";
      open.push(counts);
      if (counts) deepest = Math.max(deepest, ++depth);
    } else if (char === ")" && open.pop() === true) {
      depth--;
    }
    before = char === ">" && text[at - 1] === "=" ? "" : char;
  }
  return deepest;
}

/** Returns the offset of the closing quote, or of the end of the line. */
function stringEnd(text: string, start: number): number {
  const quote = text[start];
  for (let at = start + 1; at < text.length; at++) {
    const char = text[at];
    if (char === "\\") at++;
    else if (char === quote || char === "\n") return at;
  }
  return text.length;
}
