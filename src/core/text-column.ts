/**
 * The texts of many keys, packed, with a print of each: whether a text is the same as another one is told without
 * unpacking it.
 */
import { addText, FORMS, textAt } from "./formats/packed-entries.ts";
import { kindAt, NULL, type PackedStrings, STRING, StringPacker } from "./formats/packed-strings.ts";
import { isForms, type Text } from "./text.ts";

/** 32-bit words of a print. */
const WORDS = 2;

/** A column as plain data. */
export interface TextData {
  readonly strings: PackedStrings;
  readonly prints: Uint32Array<ArrayBuffer>;
}

export class TextColumn {
  readonly data: TextData;

  constructor(data: TextData) {
    this.data = data;
  }

  at(index: number): Text | null {
    return textAt(this.data.strings, index);
  }

  has(index: number): boolean {
    return kindAt(this.data.strings, index) !== NULL;
  }

  /** Whether it is the same text (`sameText`). Different ones with one print of 64 bits are not reckoned with. */
  isAt(index: number, text: Text): boolean {
    if (kindAt(this.data.strings, index) !== kindOf(text)) return false;
    print(sorted(text), asked, 0);
    const { prints } = this.data;
    return prints[WORDS * index] === asked[0] && prints[WORDS * index + 1] === asked[1];
  }
}

/** Gathers texts. `count`: how many will come. */
export class TextPacker {
  readonly #strings: StringPacker;
  readonly #prints: Uint32Array<ArrayBuffer>;
  #count = 0;

  constructor(count: number) {
    this.#strings = new StringPacker(count);
    this.#prints = new Uint32Array(WORDS * count);
  }

  add(text: Text | null): void {
    const at = WORDS * this.#count++;
    addText(this.#strings, text);
    if (text !== null) print(sorted(text), this.#prints, at);
  }

  packed(): TextData {
    return { strings: this.#strings.packed(), prints: this.#prints };
  }
}

const asked = new Uint32Array(WORDS);

function kindOf(text: Text): number {
  return isForms(text) ? FORMS : STRING;
}

/** The same for the same text: the order of forms does not count. */
function sorted(text: Text): string {
  if (!isForms(text)) return text.value;
  return JSON.stringify(
    Object.keys(text.forms)
      .toSorted()
      .map((name) => [name, text.forms[name]]),
  );
}

/** Two sums with different odd factors, each mixed at the end. */
function print(text: string, to: Uint32Array, at: number): void {
  let [one, two] = [0x9e3779b1 ^ text.length, 0x85ebca6b];
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    one = Math.imul(one ^ unit, 0x9e3779b1);
    two = Math.imul(two ^ unit, 0x5f356495);
    one ^= two >>> 15;
  }
  to[at] = mixed(one, two);
  to[at + 1] = mixed(two, one);
}

function mixed(one: number, two: number): number {
  const half = Math.imul(one ^ (one >>> 16), 0x85ebca6b) ^ Math.imul(two ^ (two >>> 13), 0xc2b2ae35);
  return half ^ (half >>> 16);
}
