/** Waiting for a condition. */

/**
 * Polls every few milliseconds until the condition returns a truthy value. There is no limit but the test's own: how
 * long something takes depends on what else the machine does.
 */
export async function waitUntil(condition: () => unknown): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 2));
}
