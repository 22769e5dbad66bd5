/** Finds keys among the arguments of PHP's objects and attributes: `#[Length(minMessage: "key")]`. */
import type { ConstructorMessages } from "../frameworks/framework.ts";
import { addUsages, defaultDetails } from "./function-calls/call-usages.ts";
import { literalText, readValues } from "./evaluate-key-expression.ts";
import type { KeyUsage } from "./key-usage.ts";
import { skipSpace } from "./lexers/characters.ts";
import type { Argument, Source } from "./source-reader.ts";

const CONSTRUCTED = /(?<![\w\\$>:])(?:\\?\w+\\)*\w+\s*\(/g;
const IMPORT = /\buse\s+\\?((?:\w+\\)*)(?:(\w+)(?:\s+as\s+(\w+))?|\{([^{}]*)\})\s*;/g;

/** Adds the messages of the classes to `out`. */
export function addConstructorMessages(
  source: Source,
  { classes, argument, namespace }: ConstructorMessages,
  out: KeyUsage[],
): void {
  const { code, brackets } = source;
  const imports = importsOf(code);
  for (const { index: start, 0: head } of code.matchAll(CONSTRUCTED)) {
    const open = start + head.length - 1;
    const name = head.slice(0, -1).trimEnd();
    const close = brackets.closing(open);
    if (close === -1 || !classes.test(fullName(name, imports))) continue;
    const scope = { namespaces: [namespace], keyPrefix: "" };
    const details = defaultDetails(scope, name, { start, end: close + 1 });
    for (const value of namedValues(source, open)) {
      if (value.name === null || !argument.test(value.name)) continue;
      // Others may have nothing to do with keys: the classes are recognised by a part of their name.
      const literals = readValues(source, value).filter(({ isExact }) => isExact);
      addUsages(literals, details, out);
    }
  }
}

/** Returns the full names that the file's imports give to names. */
function importsOf(code: string): ReadonlyMap<string, string> {
  const imports = new Map<string, string>();
  for (const [, path = "", name = "", alias = name, group] of code.matchAll(IMPORT)) {
    if (group === undefined) imports.set(alias, path + name);
    for (const part of group?.split(",") ?? []) {
      const [item = "", local = /\w*$/.exec(item)?.[0] ?? ""] = part.trim().split(/\s+as\s+/);
      imports.set(local, path + item);
    }
  }
  return imports;
}

function fullName(name: string, imports: ReadonlyMap<string, string>): string {
  const end = name.indexOf("\\");
  const first = end === -1 ? name : name.slice(0, end);
  return (imports.get(first) ?? first) + name.slice(first.length);
}

/** Returns the named arguments of a call, or the items of the array that is its first argument. */
function namedValues(source: Source, open: number): readonly Argument[] {
  const { code } = source;
  const args = source.readArguments(open);
  const array = args[0];
  if (array === undefined) return args;
  const bracket = /^(?:array\s*)?[[(]/.exec(code.slice(array.start, array.start + 20))?.[0];
  if (bracket === undefined) return args;
  return source.splitAtCommas(array.start + bracket.length, array.end - 1).flatMap((item) => {
    const nameEnd = source.skipGroup(item.start, item.end);
    const arrow = skipSpace(code, nameEnd, item.end);
    if (!code.startsWith("=>", arrow)) return [];
    const value = source.trimSpan(arrow + 2, item.end);
    return [{ ...value, name: literalText(source, { start: item.start, end: nameEnd }), spread: false }];
  });
}
