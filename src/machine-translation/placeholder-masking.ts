/**
 * Replaces placeholders, markup and syntax by short marks (`⟦1⟧`), so that a model only sees prose, and restores
 * them. Numbers are unique within a request, so a mark of another text is detected.
 */
import { getOrCreate } from "../util/maps.ts";
import { type NonTranslatableSpan, nonTranslatableSpans } from "../model/non-translatable-tokens.ts";
import type { Delimiters } from "../model/placeholders.ts";
import { spanOf } from "../util/span.ts";

/** The marks of one text. */
export interface Mark {
  /** `⟦1⟧` */
  readonly mark: string;
  /** The original text that it replaces. */
  readonly text: string;
  /** Whether it consumes the next argument (`%s`) or is syntax, so that its order matters. */
  readonly isPositional: boolean;
}

/** A text with marks. `masked` excludes leading and trailing whitespace of the original. */
export interface MaskedText {
  readonly masked: string;
  readonly marks: readonly Mark[];
  readonly before: string;
  readonly after: string;
}

/** A mark, or a stray bracket of one. */
const MARK = /⟦[^⟦⟧]*⟧|[⟦⟧]/gu;

/** Assigns the marks of one request. */
export class Masker {
  readonly #delimiters: readonly Delimiters[];
  #next = 1;

  /** @param delimiters of the project's own placeholders */
  constructor(delimiters: readonly Delimiters[] = []) {
    this.#delimiters = delimiters;
  }

  /** Masks the forms of a text together: equal spans get the same mark, unless their order matters. */
  mask(forms: Readonly<Record<string, string>>): ReadonlyMap<string, MaskedText> {
    const known = new Map<string, Mark>();
    return new Map(Object.entries(forms).map(([form, text]) => [form, this.#maskForm(text, known)] as const));
  }

  #maskForm(whole: string, known: Map<string, Mark>): MaskedText {
    const text = whole.trim();
    const marks: Mark[] = [];
    const counts = new Map<string, number>();
    let masked = "";
    let lastEnd = 0;
    for (const { start, end, isPositional } of this.#spans(text)) {
      const written = text.slice(start, end);
      // The second `%s` of a form is a different argument from the first, but the same one as the second of another
      // form.
      const count = (counts.get(written) ?? 0) + 1;
      counts.set(written, count);
      const id = isPositional ? `${count} ${written}` : written;
      const create = () => ({ mark: `⟦${this.#next++}⟧`, text: written, isPositional });
      const mark = getOrCreate(known, id, create);
      marks.push(mark);
      masked += text.slice(lastEnd, start) + mark.mark;
      lastEnd = end;
    }
    return {
      masked: masked + text.slice(lastEnd),
      marks,
      before: whole.slice(0, whole.length - whole.trimStart().length),
      after: text === "" ? "" : whole.slice(whole.trimEnd().length),
    };
  }

  /** Returns the spans to mask, including every bracket that could be mistaken for a mark. */
  #spans(text: string): readonly NonTranslatableSpan[] {
    const spans = nonTranslatableSpans(text, this.#delimiters);
    const brackets = Array.from(text.matchAll(/[⟦⟧]/gu), (match) => ({
      ...spanOf(match),
      isPositional: true,
    }));
    const others = brackets.filter(
      ({ start }) => !spans.some((span) => span.start <= start && start < span.end),
    );
    return [...spans, ...others].sort((a, b) => a.start - b.start);
  }
}

/**
 * Restores the masked spans, and the leading and trailing whitespace of the original. Returns `null` if a mark is
 * unknown or if marks whose order matters were reordered. Missing marks are left to the validation.
 * @param others marks that the text may also contain, such as those of another form
 */
export function unmask(
  text: string,
  { marks, before, after }: MaskedText,
  others: readonly Mark[] = [],
): string | null {
  const all = [...new Set([...marks, ...others])];
  const byMark = new Map(all.map((mark) => [mark.mark, mark]));
  const found: Mark[] = [];
  let isKnown = true;
  const restored = text.trim().replaceAll(MARK, (written) => {
    const mark = byMark.get(written.replaceAll(/\s/gu, ""));
    if (mark === undefined) isKnown = false;
    else found.push(mark);
    return mark?.text ?? written;
  });
  const order = (some: readonly Mark[]): string =>
    [...new Set(some.filter(({ isPositional }) => isPositional))].map(({ mark }) => mark).join(" ");
  if (!isKnown || order(found) !== order(all.filter((mark) => found.includes(mark)))) return null;
  return before + restored + after;
}
