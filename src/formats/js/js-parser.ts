/**
 * Babel's parser, loaded when the first module is read: JavaScript and TypeScript text to a syntax tree. Nothing is
 * executed, and no text makes it take longer than its length asks for.
 */
import type { ParseResult, ParserOptions } from "@babel/parser";
import { skipJsonTrivia } from "../json/json-tree.ts";

export type Program = ParseResult["program"];
export type Statement = Program["body"][number];
export type Expression = Extract<Statement, { readonly type: "ExpressionStatement" }>["expression"];

/** A parsed module, or where and why it is none. */
export type Parsed =
  | { readonly program: Program; readonly errors: readonly ModuleError[] }
  | { readonly program: null; readonly errors: readonly [ModuleError] };

/** What is wrong at an offset, in English. */
export interface ModuleError {
  readonly message: string;
  readonly offset: number;
}

type Parse = typeof import("@babel/parser").parse;

let parser: Parse | undefined;

/** Loads the parser; before `parseModule` is called. */
export async function loadParser(): Promise<void> {
  parser ??= (await import("@babel/parser")).parse;
}

/** Type assertions and generic functions in one another (`<T>(<T>(…`): each level doubles the parser's time. */
const MAX_ANGLED = 8;

export type ParserPlugins = NonNullable<ParserOptions["plugins"]>;

/** The module's syntax tree. Throws only where `loadParser` was not awaited. */
export function parseModule(text: string, plugins: ParserPlugins = ["typescript"]): Parsed {
  if (parser === undefined) throw new Error("The parser of modules is not loaded.");
  if (angledDepth(text) > MAX_ANGLED) return broken("type assertions are nested too deep", 0);
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
    // The parser recurses: of brackets nested by the thousand it tells that the stack is at its end.
    if (error instanceof RangeError) return broken("nested too deep", 0);
    const { message, offset } = errorOf(error);
    return broken(message, offset);
  }
}

function broken(message: string, offset: number): Parsed {
  return { program: null, errors: [{ message, offset }] };
}

function errorOf(error: unknown): ModuleError {
  const { message, pos } = error as { readonly message?: unknown; readonly pos?: unknown };
  const reason = typeof message === "string" ? message.replace(/\s*\(\d+:\d+\)$/, "") : "no module";
  return { message: reason, offset: typeof pos === "number" ? pos : 0 };
}

/** How deep brackets after a `>` stand in one another, outside of texts and comments. */
function angledDepth(text: string): number {
  let deepest = 0;
  let depth = 0;
  /** For each open bracket, whether it counts. */
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

/** At the closing quote, or where the line ends. */
function stringEnd(text: string, start: number): number {
  const quote = text[start];
  for (let at = start + 1; at < text.length; at++) {
    const char = text[at];
    if (char === "\\") at++;
    else if (char === quote || char === "\n") return at;
  }
  return text.length;
}
