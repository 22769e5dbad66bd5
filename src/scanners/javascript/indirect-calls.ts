/**
 * Usages whose function is not called by its plain name: components in render functions (`h(I18nT, { keypath })`),
 * and imported functions as bundlers call them (`(0, i18n.__)("…")`).
 */
import type { Bindings } from "./bindings.ts";
import { addCallUsages, DEFAULT_SCOPE } from "../functions/call-usages.ts";
import { addComponentUsages } from "./components.ts";
import type { CallShape } from "../functions/argument-positions.ts";
import { readArguments, readObject, type Source } from "../lexed-source.ts";
import type { KeyUsage } from "../usage.ts";

const RENDERED =
  /\b(?:h|createVNode|createElement|jsxs?)\s*\)?\(\s*(?:[\w$]+\.)*(I18nT|Translation|Trans|FormattedMessage|FormattedHTMLMessage)\s*,/g;
const COMPILED = /(?:\(0,\s*|\bObject\()(?:[\w$]+\.)+([\w$]+)\)\s*\(/g;

/** Adds these usages to `out`. */
export function addIndirectCalls(
  source: Source,
  bindings: Bindings,
  shapes: ReadonlyMap<string, readonly CallShape[]>,
  out: KeyUsage[],
): void {
  const { code } = source;
  if (/I18nT|FormattedMessage|Trans/.test(code)) {
    for (const found of code.matchAll(RENDERED)) {
      const open = found.index + found[0].lastIndexOf("(");
      addRendered(source, bindings, found[1] ?? "", found.index, open, out);
    }
  }
  if (!code.includes("(0,") && !code.includes("Object(")) return;
  for (const found of code.matchAll(COMPILED)) {
    const name = found[1] ?? "";
    const shape = shapes.get(name)?.find(({ qualifier = "" }) => qualifier === "");
    const open = found.index + found[0].length - 1;
    if (shape !== undefined) {
      addCallUsages(source, { start: found.index, open, callee: name }, shape, DEFAULT_SCOPE, out);
    }
  }
}

function addRendered(
  source: Source,
  bindings: Bindings,
  tag: string,
  start: number,
  open: number,
  out: KeyUsage[],
): void {
  const close = source.brackets.closing(open);
  const properties = readArguments(source, open)[1];
  if (close === -1 || properties === undefined) return;
  addComponentUsages(source, bindings, tag, readObject(source, properties), { start, end: close + 1 }, out);
}
