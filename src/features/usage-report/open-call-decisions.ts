/** Which open calls of a usage report are shown, and how. Knows nothing of VS Code. */
import type { Range } from "vscode";
import type { OpenReference } from "../../database/key-usage-repository.ts";
import type { Span } from "../../util/span.ts";
import { expressionText } from "../../workspace/usages/call-choices.ts";

/** References whose calls are shown; each may have several. */
const MAX_REFERENCES = 50;
/** The name of a function before its arguments, and arguments before the key. */
const CALLEE = /[\w$@\\>:.-]{1,60}\s*\($/u;
const CALLEE_CHARACTERS = 80;

/** A call that may mean several keys, wherever the code has it. */
export interface OpenCall {
  /** The expression of the key. */
  readonly key: string;
  /** The call, as far as the key. */
  readonly text: string;
  readonly locations: readonly [CallLocation, ...CallLocation[]];
  /** Number of keys that it holds open. */
  readonly count: number;
}

export interface CallLocation {
  /** Of the file, relative to the project's folder. */
  readonly path: string;
  readonly range: Range;
}

/** A reference with the number of keys that it holds open. */
export interface HoldingReference {
  readonly reference: OpenReference;
  readonly count: number;
}

/** Returns the references that hold most keys open, those with most keys first. */
export function mostHolding(
  references: readonly OpenReference[],
  heldKeys: ReadonlyMap<number, number>,
): readonly HoldingReference[] {
  return references
    .map((reference) => ({ reference, count: heldKeys.get(reference.id) ?? 0 }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count)
    .slice(0, MAX_REFERENCES);
}

/** Returns the call with its key: `__($status)`; only the key if no call is before it. @param span of the key */
export function callText(text: string, span: Span): string {
  const before = text.slice(Math.max(0, span.start - CALLEE_CHARACTERS), span.start).trimEnd();
  const callee = CALLEE.exec(before)?.[0];
  const key = expressionText(text, span);
  return callee === undefined ? key : `${callee.replace(/\s+\($/u, "(")}${key})`;
}

/** Returns the patterns of the beginnings in a typed text: `status.*` for `status.`. */
export function keyPatternsIn(text: string): readonly string[] {
  const beginnings = text.split(",").map((part) => part.trim());
  return beginnings.filter((part) => part !== "").map((part) => (part.includes("*") ? part : `${part}*`));
}
