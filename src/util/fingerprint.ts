/** Fingerprints of values, to notice whether a value that was read or computed again has changed. */

/**
 * Returns a text that is the same for the same plain objects, arrays, maps and sets of texts: their JSON, with the texts of
 * sets in order. Objects are the same only if their properties were set in the same order, as by the same code.
 */
export function fingerprintOf(value: unknown): string {
  const plain = (_: string, each: unknown): unknown => {
    if (each instanceof Map) return [...each];
    return each instanceof Set ? [...(each as ReadonlySet<string>)].sort() : each;
  };
  return JSON.stringify(value, plain) ?? "";
}
