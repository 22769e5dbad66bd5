/** Where a new message goes: files sorted by msgid stay sorted, elsewhere it goes to the end. */

/** A message's key and context. */
export interface Named {
  readonly key: string;
  readonly context: string | null;
}

/** So many messages must stand in order before that counts as sorted and not as chance. */
const SORTED_FROM = 3;

type Compare = (a: string, b: string) => number;

const COMPARERS: readonly Compare[] = [
  byCodeUnit,
  (a, b) => byCodeUnit(a.toLowerCase(), b.toLowerCase()),
  new Intl.Collator("en").compare,
];

/** For each new one the index of the message that it goes behind (`-1`: before all); `count - 1`: at the end. */
export function placesFor(messages: readonly Named[], added: readonly Named[]): readonly number[] {
  const order = added.length === 0 ? null : orderOf(messages);
  const end = messages.length - 1;
  if (order === null) return added.map(() => end);
  return added.map((each) => {
    let low = 0;
    let high = messages.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = messages[middle];
      if (other !== undefined && order(other, each) <= 0) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  });
}

/** How the messages are sorted; `null` when they are not. */
export function orderOf(messages: readonly Named[]): ((a: Named, b: Named) => number) | null {
  if (messages.length < SORTED_FROM) return null;
  for (const compare of COMPARERS) {
    const order = (a: Named, b: Named): number =>
      compare(a.key, b.key) || compare(a.context ?? "", b.context ?? "");
    const isSorted = messages.every((message, index) => {
      const before = messages[index - 1];
      return before === undefined || order(before, message) <= 0;
    });
    if (isSorted) return order;
  }
  return null;
}

function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
