/** Where the rows of the table are. Each is as high as its texts need, and one line high until it was measured. */

/** Height of a row with one line in pixels, as in styles.css. */
export const ROW_HEIGHT_PX = 30;

/** What is in view, in pixels. */
export interface Viewport {
  readonly top: number;
  readonly height: number;
}

export class RowLayout {
  /** Pixels above each row, and above the end of the last one. */
  readonly #tops: Float64Array;

  /** @param heights of the rows that were measured, in pixels by the hash of their key */
  constructor(hashes: readonly string[], heights: ReadonlyMap<string, number>) {
    this.#tops = new Float64Array(hashes.length + 1);
    let top = 0;
    for (const [index, hash] of hashes.entries()) {
      top += heights.get(hash) ?? ROW_HEIGHT_PX;
      this.#tops[index + 1] = top;
    }
  }

  /** Pixels of all rows. */
  get height(): number {
    return this.top(this.#tops.length - 1);
  }

  /** Returns the pixels above a row; of a row after the last one, the height of all. */
  top(row: number): number {
    return this.#tops[Math.max(0, Math.min(row, this.#tops.length - 1))] ?? 0;
  }

  /** Returns the row that a pixel is in, the first or the last one for those outside. */
  rowAt(pixel: number): number {
    let [from, to] = [0, Math.max(0, this.#tops.length - 2)];
    while (from < to) {
      const middle = Math.ceil((from + to) / 2);
      if (this.top(middle) <= pixel) from = middle;
      else to = middle - 1;
    }
    return from;
  }

  /** Returns the rows in view and `overscan` rows on both sides; `last` is -1 without rows. */
  around({ top, height }: Viewport, overscan: number): { readonly first: number; readonly last: number } {
    return {
      first: Math.max(0, this.rowAt(top) - overscan),
      last: Math.min(this.#tops.length - 2, this.rowAt(top + height) + overscan),
    };
  }

  isInView(row: number, { top, height }: Viewport): boolean {
    return this.top(row) >= top && this.top(row + 1) <= top + height;
  }

  /** Returns where the view has to begin to have the row in it: as near as possible, at the row's top if it is higher. */
  topToReveal(row: number, { top, height }: Viewport): number {
    if (this.top(row) < top) return this.top(row);
    return Math.max(top, this.top(row + 1) - height);
  }

  /** Returns the place of a pixel in rows: 1.5 is in the middle of the second one. */
  toRows(pixel: number): number {
    const row = this.rowAt(pixel);
    const height = this.top(row + 1) - this.top(row);
    return height === 0 ? 0 : row + (pixel - this.top(row)) / height;
  }

  /** Returns the pixel at a place in rows. */
  toPixels(rows: number): number {
    const row = Math.floor(rows);
    return this.top(row) + (rows - row) * (this.top(row + 1) - this.top(row));
  }
}
