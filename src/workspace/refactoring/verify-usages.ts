/**
 * Verification of code changes: compares the usages before and after. Every change of keys in code is verified before it is
 * applied.
 */
import type { Splice } from "../../formats/format.ts";
import type { KeyUsage } from "../../scanners/usage.ts";

/**
 * Whether every usage is still at its position with its key, or with the key that `expected` returns for it (`null`:
 * unchanged). `splices` are the edits, by offset.
 */
export function areReadAgain(
  before: readonly KeyUsage[],
  after: readonly KeyUsage[],
  splices: readonly Splice[],
  expected: (use: KeyUsage) => string | null,
): boolean {
  if (before.length !== after.length) return false;
  return before.every((was, index) => {
    const is = after[index];
    if (is === undefined || is.callSpan.start !== placeAfter(was.callSpan.start, splices)) return false;
    const key = expected(was);
    const saysIt =
      key === null ? isSame(was.used, is.used) : is.used.kind === "static" && is.used.key === key;
    return saysIt && was.callee === is.callee && was.context === is.context && isSameScope(was, is);
  });
}

function isSame(was: KeyUsage["used"], is: KeyUsage["used"]): boolean {
  if (was.kind === "static") return is.kind === "static" && was.key === is.key;
  return is.kind === "pattern" && was.prefix === is.prefix && was.suffix === is.suffix;
}

function isSameScope(was: KeyUsage, is: KeyUsage): boolean {
  return was.keyPrefix === is.keyPrefix && String(was.namespaces) === String(is.namespaces);
}

/** Maps an offset to its position after the edits. */
function placeAfter(offset: number, splices: readonly Splice[]): number {
  let place = offset;
  for (const { start, end, text } of splices) {
    if (end <= offset) place += text.length - (end - start);
  }
  return place;
}
