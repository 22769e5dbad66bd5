/**
 * The items of one PHP array while it is read: which index an item without a name gets, and which items may be
 * replaced by one whose name only the running program knows.
 */
import { type Member, withoutWriting } from "../tree/tree.ts";

/** A key that PHP takes for a whole number, whether it is quoted or not. */
export const WHOLE = /^(?:0|-?[1-9][0-9]*)$/;

/** Whole numbers of this many characters are exact in JavaScript, and what follows them too. */
const EXACT = 15;

export class PhpItems {
  readonly #members: Member[] = [];
  #largest: number | null = null;
  #countable = true;
  /** Members before this one may be replaced. */
  #uncertain = 0;

  /** `null`: it depends on a key that is not known, or on PHP's version (which changed for negative ones). */
  nextIndex(): string | null {
    if (!this.#countable || (this.#largest !== null && this.#largest < 0)) return null;
    return String((this.#largest ?? -1) + 1);
  }

  add(member: Member): void {
    this.#members.push(member);
    const first = member.name.charCodeAt(0);
    if (first > 0x39 || !WHOLE.test(member.name)) return;
    if (member.name.length > EXACT) this.#countable = false;
    else this.#largest = Math.max(this.#largest ?? Number.NEGATIVE_INFINITY, Number(member.name));
  }

  /** An item with an unknown name, or a spread. `replaces`: one of those before may be replaced by it. */
  addUnknown(member: Member, replaces: boolean): void {
    this.#countable = false;
    if (replaces) this.#uncertain = this.#members.length;
    this.#members.push(member);
  }

  /** Those before an unknown name can be read, but what is written there may never be seen. */
  members(): readonly Member[] {
    if (this.#uncertain === 0) return this.#members;
    return this.#members.map((member, index) =>
      index < this.#uncertain && member.unknown !== true
        ? { ...member, node: withoutWriting(member.node) }
        : member,
    );
  }
}
