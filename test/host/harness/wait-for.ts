/** Polling for a condition; tests never just sleep. */

type Truthy<Value> = Exclude<Value, null | undefined | false | 0 | "">;

/**
 * Calls `poll` every 50 ms and returns its first truthy result.
 * @throws {Error} after `seconds` (default 30), with the last value or error in its message
 */
export async function waitFor<Value>(
  what: string,
  poll: () => Value | Promise<Value>,
  seconds = 30,
): Promise<Truthy<Value>> {
  const end = Date.now() + seconds * 1000;
  let last: unknown;
  for (;;) {
    try {
      const value = await poll();
      if (value) return value as Truthy<Value>;
      last = value;
    } catch (error) {
      last = error;
    }
    if (Date.now() > end) throw new Error(`${what}: not within ${seconds} s; last: ${format(last)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function format(value: unknown): string {
  return value instanceof Error ? value.message : (JSON.stringify(value) ?? String(value));
}
