/** A stretch of a text. */

/** Half-open range of UTF-16 offsets in the file's text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}
