/** Nested ranges of a text, used to find the innermost one around an offset. */
import type { Span } from "../../model/span.ts";

interface Node<T extends Span> extends Span {
  /** All items with exactly this range, in their original order. */
  readonly items: readonly T[];
  /** Index of the enclosing range; -1 if none. */
  readonly parent: number;
}

export class ScopeTree<T extends Span> {
  readonly #nodes: Node<T>[] = [];

  /** The ranges are nested or disjoint; a partial overlap is treated as disjoint. */
  constructor(items: readonly T[]) {
    const sorted = [...items].sort((a, b) => a.start - b.start || b.end - a.end);
    const stack: number[] = [];
    for (let index = 0; index < sorted.length;) {
      const first = sorted[index];
      if (first === undefined) return;
      const { start, end } = first;
      const same: T[] = [];
      while (sorted[index]?.start === start && sorted[index]?.end === end) {
        same.push(sorted[index] ?? first);
        index++;
      }
      while (stack.length > 0 && (this.#nodes[stack.at(-1) ?? 0]?.end ?? 0) < end) stack.pop();
      this.#nodes.push({ start, end, items: same, parent: stack.at(-1) ?? -1 });
      stack.push(this.#nodes.length - 1);
    }
  }

  /** Returns the items of the innermost range that contains the offset; empty if there is none. */
  innermost(at: number): readonly T[] {
    let low = 0;
    let high = this.#nodes.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#nodes[middle]?.start ?? 0) <= at) low = middle + 1;
      else high = middle;
    }
    let index = low - 1;
    while (index >= 0) {
      const node = this.#nodes[index];
      if (node === undefined) break;
      if (node.end >= at) return node.items;
      index = node.parent;
    }
    return [];
  }
}
