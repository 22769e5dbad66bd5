/** Which texts a name can be by the constants of its file, each constant read once. */
import type { Span } from "../../model/span.ts";
import { constantsAt } from "./constants.ts";
import type { Source } from "../source.ts";
import type { Value } from "./value.ts";

/** What was read in one file, by place. */
interface Read {
  readonly values: Map<string, readonly Value[]>;
  /** How many texts may still be taken. */
  left: number;
}

const TEXTS_LIMIT = 5_000;
const reads = new WeakMap<Source, Read>();

/** The texts, at the place of the name; `null`: nothing is known. `evaluate` reads an expression. */
export function valuesOfName(
  source: Source,
  start: number,
  end: number,
  evaluate: (span: Span) => readonly Value[],
): readonly Value[] | null {
  const shown = source.dialect === "javascript" ? constantsAt(source, start, end) : null;
  if (shown === null) return null;
  let read = reads.get(source);
  if (read === undefined) {
    read = { values: new Map(), left: TEXTS_LIMIT };
    reads.set(source, read);
  }
  const texts = new Map<string, Value>();
  for (const span of shown) {
    const values = span === null ? [unknownAt({ start, end })] : valuesAt(read, span, evaluate);
    for (const value of values) {
      const written = value.exact ? { written: value.written ?? { start: value.start, end: value.end } } : {};
      texts.set(`${value.exact}\0${value.prefix}\0${value.suffix}`, { ...value, ...written, start, end });
    }
  }
  read.left -= texts.size;
  return texts.size === 0 || read.left < 0 ? null : [...texts.values()];
}

function valuesAt(read: Read, span: Span, evaluate: (span: Span) => readonly Value[]): readonly Value[] {
  const place = `${span.start}:${span.end}`;
  const known = read.values.get(place);
  if (known !== undefined) return known;
  // While it is read it is unknown, so that a constant of itself ends.
  read.values.set(place, [unknownAt(span)]);
  const values = evaluate(span);
  read.values.set(place, values);
  return values;
}

function unknownAt({ start, end }: Span): Value {
  return { exact: false, prefix: "", suffix: "", start, end };
}
