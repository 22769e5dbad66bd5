/** Waiting for what the user will see, in tests: looks again and again, never just lets time pass. */

type Truthy<Value> = Exclude<Value, null | undefined | false | 0 | "">;

/**
 * The first truthy value that `look` gives (or resolves to). Looks every 50 ms; after `seconds` (default 30) it throws
 * with the last value and the last error in its message.
 */
export async function waitFor<Value>(
  what: string,
  look: () => Value | Promise<Value>,
  seconds = 30,
): Promise<Truthy<Value>> {
  const end = Date.now() + seconds * 1000;
  let last: unknown;
  for (;;) {
    try {
      const value = await look();
      if (value) return value as Truthy<Value>;
      last = value;
    } catch (error) {
      last = error;
    }
    if (Date.now() > end) throw new Error(`${what}: not within ${seconds} s; the last was ${show(last)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function show(value: unknown): string {
  return value instanceof Error ? value.message : (JSON.stringify(value) ?? String(value));
}
