/** The value of an expression, as far as the source text shows it. */

import type { Span } from "../../model/span.ts";
/** One text that an expression may be. The span: inside the quotes when exact, else the whole expression. */
export interface Value extends Span {
  /** `prefix` is the whole text. */
  readonly exact: boolean;
  /** Where the text itself stands, when the span is that of a constant's name. */
  readonly written?: Span;
  readonly prefix: string;
  readonly suffix: string;
}
