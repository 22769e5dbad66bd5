/**
 * Texts by small numbers in little memory: many are one string, of which a text is cut when somebody asks for it. They
 * may come, and be replaced, one by one.
 */
import { grown } from "./grown.ts";
import { Slots, textHash } from "./slots.ts";

/** So many texts are one string; short enough that one of them is replaced at no cost. */
const PIECE = 64;

/** Texts by number, from 0. */
export class PackedTexts {
  readonly #pieces: string[] = [];
  /** Where each text ends in its piece. */
  #ends: Uint32Array<ArrayBuffer>;
  #length = 0;
  /** The last texts, which wait to be packed. */
  #loose: string[] = [];

  /** `expected`: how many will come, where that is known; there may be more. */
  constructor(expected = 0) {
    this.#ends = new Uint32Array(expected);
  }

  get length(): number {
    return this.#length;
  }

  /** Adds a text with the next number. */
  push(text: string): void {
    const number = this.#length++;
    this.#ends = grown(this.#ends, number + 1);
    this.#ends[number] = this.#start(number) + text.length;
    this.#loose.push(text);
    if (this.#length % PIECE === 0) this.pack();
  }

  /** Packs the last texts too: until then these hold on to whatever larger text they were cut from. */
  pack(): void {
    if (this.#loose.length === 0) return;
    const piece = Math.floor((this.#length - 1) / PIECE);
    // Joined and not added: the sum of two strings would hold on to both until somebody looks into it.
    this.#pieces[piece] = [this.#pieces[piece] ?? "", ...this.#loose].join("");
    this.#loose = [];
  }

  /** Puts another text in the place of one. */
  set(number: number, text: string): void {
    this.pack();
    const piece = Math.floor(number / PIECE);
    const before = this.#pieces[piece] ?? "";
    const [start, end] = [this.#start(number), this.#end(number)];
    this.#pieces[piece] = [before.slice(0, start), text, before.slice(end)].join("");
    const last = Math.min(this.#length, (piece + 1) * PIECE);
    const by = start + text.length - end;
    for (let each = number; each < last; each++) this.#ends[each] = this.#end(each) + by;
  }

  /** The text of a number that is there. */
  at(number: number): string {
    const loose = number - this.#length + this.#loose.length;
    if (loose >= 0) return this.#loose[loose] ?? "";
    return this.#piece(number).slice(this.#start(number), this.#end(number));
  }

  /** Whether it is this text. */
  is(number: number, text: string): boolean {
    return this.#lengthOf(number) === text.length && this.startsWith(number, text);
  }

  startsWith(number: number, start: string): boolean {
    const loose = number - this.#length + this.#loose.length;
    if (loose >= 0) return this.#loose[loose]?.startsWith(start) === true;
    return (
      start.length <= this.#lengthOf(number) && this.#piece(number).startsWith(start, this.#start(number))
    );
  }

  /** `from`: where the end may begin at the earliest. */
  endsWith(number: number, end: string, from = end.length): boolean {
    const length = this.#lengthOf(number);
    if (length < from) return false;
    const loose = number - this.#length + this.#loose.length;
    if (loose >= 0) return this.#loose[loose]?.endsWith(end) === true;
    return this.#piece(number).startsWith(end, this.#start(number) + length - end.length);
  }

  /** Less than 0: the text of `a` stands before that of `b` in code-unit order; 0: they are the same. Both are packed. */
  compare(a: number, b: number): number {
    return this.#compare(a, this.#piece(b), this.#start(b), this.#end(b));
  }

  /** The same for a text that is packed, and another. */
  compareTo(number: number, text: string): number {
    return this.#compare(number, text, 0, text.length);
  }

  /** Cutting the texts out to compare them takes ten times as long. */
  #compare(number: number, other: string, from: number, otherEnd: number): number {
    const piece = this.#piece(number);
    const end = this.#end(number);
    let [at, to] = [this.#start(number), from];
    for (; at < end && to < otherEnd; at++, to++) {
      const difference = piece.charCodeAt(at) - other.charCodeAt(to);
      if (difference !== 0) return difference;
    }
    return end - at - (otherEnd - to);
  }

  #piece(number: number): string {
    return this.#pieces[Math.floor(number / PIECE)] ?? "";
  }
  #start(number: number): number {
    return number % PIECE === 0 ? 0 : this.#end(number - 1);
  }
  #end(number: number): number {
    return this.#ends[number] ?? 0;
  }
  #lengthOf(number: number): number {
    return this.#end(number) - this.#start(number);
  }
}

/** Texts, each once, with the number of each; a number whose text was removed is given out again. */
export class NumberedTexts {
  readonly #texts: PackedTexts;
  readonly #slots: Slots;
  readonly #free: number[] = [];

  /** `expected`: how many will come, where that is known; there may be more. */
  constructor(expected = 0) {
    this.#texts = new PackedTexts(expected);
    this.#slots = new Slots(expected);
  }

  /** Every number is smaller. */
  get length(): number {
    return this.#texts.length;
  }
  /** How many texts there are. */
  get size(): number {
    return this.#texts.length - this.#free.length;
  }

  /** The number of the text; -1: it is not there. */
  numberOf(text: string): number {
    return this.#find(textHash(text), text);
  }

  /** The number of the text, which is a new one where it was not there. */
  add(text: string): number {
    const hash = textHash(text);
    const known = this.#find(hash, text);
    if (known !== -1) return known;
    const free = this.#free.pop();
    const number = free ?? this.#texts.length;
    if (free === undefined) this.#texts.push(text);
    else this.#texts.set(free, text);
    this.#slots.add(hash, number);
    return number;
  }

  /** The text of a number that is there. */
  at(number: number): string {
    return this.#texts.at(number);
  }

  /** Takes the text of a number out that is there. */
  remove(number: number): void {
    this.#slots.remove(textHash(this.#texts.at(number)), number);
    this.#free.push(number);
  }

  /** As `PackedTexts.pack`. */
  pack(): void {
    this.#texts.pack();
  }

  #find(hash: number, text: string): number {
    return this.#slots.find(hash, (number) => this.#texts.is(number, text));
  }
}
