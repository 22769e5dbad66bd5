/** Results of tools for language models: JSON in pages of few tokens, whatever the texts are. */

/** Tokens of a page; models differ, so `tokensOf` counts high. */
export const MAX_PAGE_TOKENS = 4_000;

/** A result, and how a model asks for what follows. */
export interface Page {
  readonly text: string;
  /** What to give as `cursor`; `null`: it is the last page. */
  readonly next: string | null;
}

/** At least as many tokens as the tokenizers of today's models make of the text. */
export function tokensOf(text: string): number {
  let ascii = 0;
  let latin = 0;
  let other = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (code < 0x80) ascii++;
    else if (code < 0x250) latin++;
    else other++;
  }
  return Math.ceil(ascii / 2.5 + latin + 2 * other);
}

/** A row of a result: a plain object of short members. */
export type Row = Readonly<Record<string, unknown>>;

/**
 * As many of the rows as fit, at least one. `rows`: those from `cursor` on. `head`: members beside them. Of long ones texts
 * are cut.
 */
export async function pageOf(
  rows: AsyncIterable<Row> | Iterable<Row>,
  cursor: string | undefined,
  { head = {}, maxTokens = MAX_PAGE_TOKENS }: { readonly head?: Row; readonly maxTokens?: number } = {},
): Promise<Page> {
  const start = Number(cursor ?? 0);
  const whole = Math.min(maxTokens, MAX_PAGE_TOKENS) - ROOM;
  const beside = fitRow(head, whole / 2);
  const budget = whole - tokensOf(JSON.stringify(beside));
  const taken: Row[] = [];
  let index = 0;
  let used = 0;
  let hasMore = false;
  for await (const row of rows) {
    if (index++ < start) continue;
    const fitted = fitRow(row, budget);
    used += tokensOf(JSON.stringify(fitted)) + 1;
    if (taken.length > 0 && used > budget) {
      hasMore = true;
      break;
    }
    taken.push(fitted);
  }
  const next = hasMore ? String(start + taken.length) : null;
  return { text: JSON.stringify({ ...beside, items: taken, ...(next === null ? {} : { next }) }), next };
}

/** For the members around the rows. Tokens. */
const ROOM = 40;
const LONGEST_TEXT = 4_000;
const SHORTEST_TEXT = 4;
const CUT = "… (cut)";

/** The row with its texts cut as far as needed. */
function fitRow(row: Row, budget: number): Row {
  let fitted = row;
  for (
    let length = LONGEST_TEXT;
    tokensOf(JSON.stringify(fitted)) > budget && length >= SHORTEST_TEXT;
    length /= 2
  ) {
    fitted = cut(row, length) as Row;
  }
  return fitted;
}

function cut(value: unknown, length: number): unknown {
  if (typeof value === "string")
    return value.length > length ? value.slice(0, length).toWellFormed() + CUT : value;
  if (Array.isArray(value)) return value.slice(0, length).map((each) => cut(each, length));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, cut(each, length)]));
}
