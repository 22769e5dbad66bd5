/** Columns of numbers that grow: what is known of many things, in a few buffers instead of an object for each. */

export type Column = Uint8Array<ArrayBuffer> | Uint32Array<ArrayBuffer> | Float64Array<ArrayBuffer>;

const FEWEST = 16;

/** The column itself where it has room for so many, or one that begins with it and has room for half as many again. */
export function grown<Kind extends Column>(column: Kind, length: number): Kind {
  if (length <= column.length) return column;
  const make = column.constructor as new (length: number) => Kind;
  const larger = new make(Math.max(length, Math.ceil(column.length * 1.5), FEWEST));
  larger.set(column);
  return larger;
}
