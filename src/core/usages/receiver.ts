/** What a function is reached through in JavaScript: the names before its last dot. */
import { lastBefore, wordStart } from "./characters.ts";
import type { Source } from "./source.ts";

/** What a function's name is reached through: `i18n.global` in `i18n.global.t(`; `null`: it stands alone. */
export interface Receiver {
  readonly start: number;
  /** Names joined by dots; empty when it is no plain name (a call, an index). */
  readonly path: string;
}

/** The receiver before the name at `nameStart`, across line ends and `?.`. */
export function receiverBefore(source: Source, nameStart: number): Receiver | null {
  const { code } = source;
  const names: string[] = [];
  let place = nameStart;
  for (let steps = 0; steps < 6; steps++) {
    const dot = lastBefore(code, place);
    if (code[dot] !== "." || code[dot - 1] === ".") break;
    const before = code[dot - 1] === "?" ? dot - 1 : dot;
    let end = lastBefore(code, before) + 1;
    if (code[end - 1] === "!") end--;
    const start = wordStart(code, end);
    if (start === end) return { start: names.length === 0 ? nameStart : place, path: names.join(".") };
    names.unshift(code.slice(start, end));
    place = start;
  }
  return names.length === 0 ? null : { start: place, path: names.join(".") };
}
