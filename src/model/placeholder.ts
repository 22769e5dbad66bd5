/** A placeholder of a text. placeholders.ts finds them. */
import type { Span } from "../util/span.ts";

export interface Placeholder extends Span {
  /** Its identity: the name, or the position of a printf directive. */
  readonly name: string;
  /** printf's kind of value (`d`, `s`, `f`); empty in the other families. */
  readonly kind: string;
  /** As written, with its delimiters. */
  readonly text: string;
}
