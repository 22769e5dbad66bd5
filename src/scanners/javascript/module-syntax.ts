/** Reads which names a module imports, and under which names it exports what. */
import { cachedByObject } from "../../util/maps.ts";
import type { Span } from "../../util/span.ts";
import type { Source } from "../source-reader.ts";
import { expressionEnd } from "./constants.ts";

/** Where a local name comes from: an export of a module, `default`, or `*` for all of them. */
interface ImportedFrom {
  readonly specifier: string;
  readonly name: string;
}

const IMPORT =
  /\bimport\s+(?:type\s+)?([\w$]+\s*,\s*|[\w$]+(?=\s+from))?(?:\*\s*as\s+([\w$]+)|\{([^{}]*)\})?\s*from\s*["']/g;
const EXPORT_LIST = /\bexport\s+(?:type\s+)?(?:\{([^{}]*)\}|\*)\s*(?:from\s*["'])?/g;

const importsOf = cachedByObject((source: Source): ReadonlyMap<string, ImportedFrom> => {
  const { code, text } = source;
  const imports = new Map<string, ImportedFrom>();
  for (const { index, 0: head, 1: main, 2: all, 3: list = "" } of code.matchAll(IMPORT)) {
    const open = index + head.length - 1;
    const specifier = text.slice(open + 1, source.skipGroup(open, code.length) - 1);
    if (main !== undefined) imports.set(main.replaceAll(/[\s,]/g, ""), { specifier, name: "default" });
    if (all !== undefined) imports.set(all, { specifier, name: "*" });
    for (const [local, name] of renamedNames(list)) imports.set(local, { specifier, name });
  }
  return imports;
});

/** Returns what the file imports under the name; `undefined` if nothing. */
export function importOf(source: Source, name: string): ImportedFrom | undefined {
  return importsOf(source).get(name);
}

/** Reads `a, b as c, type d`: the later and the earlier name of each. */
function renamedNames(list: string): readonly (readonly [later: string, earlier: string])[] {
  return list.split(",").flatMap((part) => {
    const found = /^\s*(?:type\s+)?([\w$]+)(?:\s+as\s+([\w$]+))?\s*$/.exec(part);
    return found?.[1] === undefined ? [] : [[found[2] ?? found[1], found[1]] as const];
  });
}

/** What a module exports under a name. */
export type Export =
  | { readonly kind: "local"; readonly name: string }
  | { readonly kind: "expression"; readonly span: Span }
  | ({ readonly kind: "elsewhere" } & ImportedFrom);

/** Returns what the module may export under the name, the most likely first. */
export function exportsOf(source: Source, name: string): readonly Export[] {
  const { code, text } = source;
  const found: Export[] = [];
  const others: Export[] = [];
  for (const { index, 0: head, 1: list } of code.matchAll(EXPORT_LIST)) {
    const last = index + head.length;
    const isFrom = /["']$/.test(head);
    const specifier = isFrom ? text.slice(last, source.skipGroup(last - 1, code.length) - 1) : "";
    if (list === undefined) {
      if (isFrom && name !== "default") others.push({ kind: "elsewhere", specifier, name });
      continue;
    }
    const earlier = renamedNames(list).find(([later]) => later === name)?.[1];
    if (earlier !== undefined)
      found.push(isFrom ? { kind: "elsewhere", specifier, name: earlier } : { kind: "local", name: earlier });
  }
  if (name === "default") {
    const start = /\bexport\s+default\s+(?:(?:async\s+)?function\s+([\w$]+))?/.exec(code);
    if (start?.[1] !== undefined) found.push({ kind: "local", name: start[1] });
    else if (start !== null) {
      const from = start.index + start[0].length;
      found.push({ kind: "expression", span: source.trimSpan(from, expressionEnd(source, from)) });
    }
  } else found.push({ kind: "local", name });
  return [...found, ...others];
}
