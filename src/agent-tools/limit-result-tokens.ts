/** Pages the JSON results of language model tools, limited by tokens. */

/** Tokens per page; `estimateTokens` overestimates, since models differ. */
export const MAX_PAGE_TOKENS = 4_000;

/** Returns an upper estimate of the tokens of a text. */
export function estimateTokens(text: string): number {
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

/** A row of a result: a plain object with short members. */
export type ResultRow = Readonly<Record<string, unknown>>;

interface PageOptions {
  readonly head?: ResultRow | undefined;
  readonly maxTokens?: number | undefined;
}

/**
 * Returns a page as JSON, with as many rows as fit, at least one; long texts are cut. Its member `next` is the cursor of the
 * next page, if there is one.
 * @param rows The rows from the cursor on.
 * @param head Members besides the rows.
 */
export async function createPage(
  rows: AsyncIterable<ResultRow> | Iterable<ResultRow>,
  cursor: string | undefined,
  { head = {}, maxTokens = MAX_PAGE_TOKENS }: PageOptions = {},
): Promise<string> {
  const start = Number(cursor ?? 0);
  const whole = Math.min(maxTokens, MAX_PAGE_TOKENS) - RESERVED_TOKENS;
  const beside = fitRow(head, whole / 2);
  const budget = whole - estimateTokens(JSON.stringify(beside));
  const taken: ResultRow[] = [];
  let index = 0;
  let used = 0;
  let hasMore = false;
  for await (const row of rows) {
    if (index++ < start) continue;
    const fitted = fitRow(row, budget);
    used += estimateTokens(JSON.stringify(fitted)) + 1;
    if (taken.length > 0 && used > budget) {
      hasMore = true;
      break;
    }
    taken.push(fitted);
  }
  const next = hasMore ? { next: String(start + taken.length) } : {};
  return JSON.stringify({ ...beside, items: taken, ...next });
}

/** Tokens reserved for the members around the rows. */
const RESERVED_TOKENS = 40;
const MAX_TEXT_LENGTH = 4_000;
const MIN_TEXT_LENGTH = 4;
const TRUNCATION_MARK = "… (cut)";

/** Cuts the texts of a row as far as needed. */
function fitRow(row: ResultRow, budget: number): ResultRow {
  let fitted = row;
  for (
    let length = MAX_TEXT_LENGTH;
    estimateTokens(JSON.stringify(fitted)) > budget && length >= MIN_TEXT_LENGTH;
    length /= 2
  ) {
    fitted = cut(row, length) as ResultRow;
  }
  return fitted;
}

function cut(value: unknown, length: number): unknown {
  if (typeof value === "string")
    return value.length > length ? value.slice(0, length).toWellFormed() + TRUNCATION_MARK : value;
  if (Array.isArray(value)) return value.slice(0, length).map((each) => cut(each, length));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, cut(each, length)]));
}
