/** How many letters of one text must be put in, taken out or replaced to make the other. */

/** The distance in UTF-16 units; any number above `most` once it is certain to be more than that. */
export function editDistance(a: string, b: string, most = Infinity): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  // What both begin and end with costs nothing, and is most of what is near.
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  const shorter = Math.min(a.length, b.length) - start;
  while (end < shorter && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  return distance(a.slice(start, a.length - end), b.slice(start, b.length - end), most);
}

/** Rows of the table, as long as the longest text so far. */
let before: number[] = [];
let now: number[] = [];

/** Only cells that can be within `most` of the diagonal are looked at. */
function distance(a: string, b: string, most: number): number {
  const far = most + 1;
  for (let j = 0; j <= b.length; j++) before[j] = j;
  for (let i = 1; i <= a.length; i++) {
    const from = Math.max(1, i - most);
    const to = Math.min(b.length, i + most);
    now[from - 1] = from === 1 ? i : far;
    let least = now[from - 1] ?? far;
    for (let j = from; j <= to; j++) {
      const replaced = (before[j - 1] ?? far) + (a.charCodeAt(i - 1) === b.charCodeAt(j - 1) ? 0 : 1);
      const value = Math.min(replaced, (before[j] ?? far) + 1, (now[j - 1] ?? far) + 1);
      now[j] = value;
      if (value < least) least = value;
    }
    if (to < b.length) now[to + 1] = far;
    if (least > most) return far;
    [before, now] = [now, before];
  }
  return before[b.length] ?? far;
}
