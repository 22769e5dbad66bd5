/**
 * Plain data with large columns (typed arrays, long strings) as bytes, and back without a look at each item: the columns
 * stand in the bytes as they are in memory, behind what is left as JSON. For this machine only: another one may order
 * the bytes of a number otherwise. What the data mean is the caller's.
 */
import type { YieldNow } from "./ports.ts";

const ARRAYS = { Uint8Array, Uint16Array, Uint32Array, Float64Array } as const;
type ArrayName = keyof typeof ARRAYS;
type Column = InstanceType<(typeof ARRAYS)[ArrayName]>;

/** In the place of a column: where it stands behind the JSON, and how many elements it has. */
interface Place {
  readonly $column: ArrayName | "string";
  readonly at: number;
  readonly length: number;
}

/** An object of the data that looks as if it were one of these. */
interface Alike {
  readonly $column: "object";
  readonly entries: readonly (readonly [string, unknown])[];
}

/** A shorter string stands in the JSON. */
const LONG = 1000;
/** The length of all, the sum of all that follows the head, and the length of the JSON. */
const HEAD = 16;
/** Every column begins at a multiple of its elements' size. */
const STEP = 8;
/** Bytes summed before other work gets its turn; some 3 ms. */
const SLICE = 4 * 1024 * 1024;

/** The data as bytes: objects, lists, strings, finite numbers, booleans, null, typed arrays of the kinds above. */
export async function toBytes(data: unknown, yieldNow: YieldNow): Promise<Uint8Array> {
  const columns: { readonly at: number; readonly bytes: Uint8Array }[] = [];
  let end = 0;
  const place = (name: Place["$column"], bytes: Uint8Array, length: number): Place => {
    const at = end;
    columns.push({ at, bytes });
    end = atStep(at + bytes.length);
    return { $column: name, at, length };
  };
  const json = JSON.stringify(data, (_, value: unknown) => {
    if (ArrayBuffer.isView(value)) {
      const name = (Object.keys(ARRAYS) as ArrayName[]).find((each) => value instanceof ARRAYS[each]);
      if (name === undefined) throw new TypeError("no column of this kind can be written");
      const column = value as Column;
      return place(name, new Uint8Array(column.buffer, column.byteOffset, column.byteLength), column.length);
    }
    if (isMarked(value)) return { $column: "object", entries: Object.entries(value) };
    // UTF-8 has no way to write half a character; JSON has.
    if (typeof value !== "string" || value.length < LONG || !value.isWellFormed()) return value;
    const bytes = new TextEncoder().encode(value);
    return place("string", bytes, bytes.length);
  });
  const head = new TextEncoder().encode(json);
  const start = atStep(HEAD + head.length);
  const all = new Uint8Array(start + end);
  all.set(head, HEAD);
  for (const { at, bytes } of columns) {
    all.set(bytes, start + at);
    await yieldNow();
  }
  const numbers = new Uint32Array(all.buffer, 0, HEAD / 4);
  numbers.set([all.length, 0, head.length]);
  numbers[1] = await sumOf(all, yieldNow);
  return all;
}

/** The data of bytes that `toBytes` made; the columns lie in the bytes themselves. `null`: the bytes are damaged. */
export async function fromBytes(given: Uint8Array, yieldNow: YieldNow): Promise<unknown> {
  // A piece of something larger would keep the whole of it in memory; and it may begin anywhere.
  const bytes = given.byteLength === given.buffer.byteLength ? given : Uint8Array.from(given);
  if (bytes.length < HEAD || bytes.length % STEP !== 0) return null;
  const [length, sum, jsonLength = 0] = new Uint32Array(bytes.buffer, bytes.byteOffset, HEAD / 4);
  if (length !== bytes.length || sum !== (await sumOf(bytes, yieldNow))) return null;
  const start = bytes.byteOffset + atStep(HEAD + jsonLength);
  const json = new TextDecoder().decode(bytes.subarray(HEAD, HEAD + jsonLength));
  return JSON.parse(json, (_, value: unknown) => {
    if (!isMarked(value)) return value;
    if (value.$column === "object") return Object.fromEntries(value.entries);
    const { $column, at, length } = value;
    if ($column !== "string") return new ARRAYS[$column](bytes.buffer as ArrayBuffer, start + at, length);
    // A mark of the bytes' order at the beginning of a text belongs to the text.
    const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
    return decoder.decode(new Uint8Array(bytes.buffer, start + at, length));
  }) as unknown;
}

function isMarked(value: unknown): value is Place | Alike {
  return typeof value === "object" && value !== null && "$column" in value;
}

function atStep(offset: number): number {
  return Math.ceil(offset / STEP) * STEP;
}

/** A sum of the bytes behind the first two numbers in which the place of each counts. */
async function sumOf(bytes: Uint8Array, yieldNow: YieldNow): Promise<number> {
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset + 8, (bytes.length - 8) / 4);
  let sum = words.length;
  for (let at = 0; at < words.length; at++) {
    sum = Math.imul(sum ^ (words[at] ?? 0), 0x9e3779b1);
    sum ^= sum >>> 15;
    if (at % SLICE === SLICE - 1) await yieldNow();
  }
  return sum >>> 0;
}
