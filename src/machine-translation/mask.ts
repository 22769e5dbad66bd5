/**
 * Placeholders, markup and syntax as short marks (`⟦1⟧`), so that a model has only prose before it, and back. The
 * numbers run on through a request: a mark of another text cannot be taken for one's own.
 */
import { fixedSpans } from "../model/message-tokens.ts";

/** The marks of one text. */
export interface Mark {
  /** `⟦1⟧` */
  readonly mark: string;
  /** What it stands for. */
  readonly text: string;
  /** Gets the next argument (`%s`), or is syntax: its order counts. */
  readonly isPositional: boolean;
}

/** A text with marks; blanks at both ends of the original are not in `masked`. */
export interface MaskedText {
  readonly masked: string;
  readonly marks: readonly Mark[];
  readonly before: string;
  readonly after: string;
}

/** Begins and ends a mark. */
const MARK = /⟦[^⟦⟧]*⟧|[⟦⟧]/gu;

/** Gives out the marks of one request. */
export class Masker {
  #next = 1;

  /**
   * Masks the forms of a text together (a single value: one form): what is written alike in two of them has the same
   * mark, unless its order counts.
   */
  mask(forms: Readonly<Record<string, string>>): ReadonlyMap<string, MaskedText> {
    const known = new Map<string, Mark>();
    return new Map(Object.entries(forms).map(([form, text]) => [form, this.#maskForm(text, known)] as const));
  }

  #maskForm(whole: string, known: Map<string, Mark>): MaskedText {
    const text = whole.trim();
    const marks: Mark[] = [];
    const counts = new Map<string, number>();
    let masked = "";
    let rest = 0;
    for (const { start, end, isPositional } of this.#spans(text)) {
      const written = text.slice(start, end);
      // The second `%s` of a form is another argument than the first, but the same as the second of another form.
      const count = (counts.get(written) ?? 0) + 1;
      counts.set(written, count);
      const id = isPositional ? `${count} ${written}` : written;
      let mark = known.get(id);
      if (mark === undefined)
        known.set(id, (mark = { mark: `⟦${this.#next++}⟧`, text: written, isPositional }));
      marks.push(mark);
      masked += text.slice(rest, start) + mark.mark;
      rest = end;
    }
    return {
      masked: masked + text.slice(rest),
      marks,
      before: whole.slice(0, whole.length - whole.trimStart().length),
      after: text === "" ? "" : whole.slice(whole.trimEnd().length),
    };
  }

  /** What is fixed, and every bracket that a mark could be taken for. */
  #spans(text: string): readonly { start: number; end: number; isPositional: boolean }[] {
    const fixed = fixedSpans(text);
    const brackets = Array.from(text.matchAll(/[⟦⟧]/gu), ({ index }) => ({
      start: index,
      end: index + 1,
      isPositional: true,
    })).filter(({ start }) => !fixed.some((span) => span.start <= start && start < span.end));
    return [...fixed, ...brackets].sort((a, b) => a.start - b.start);
  }
}

/**
 * The text with what its marks stand for, and the blanks that the original has at both ends. `others`: marks that the
 * text may have too, as those of another form. `null`: a mark is unknown, or those whose order counts are in another.
 * Whether all are there is for the check of the translation to say.
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
