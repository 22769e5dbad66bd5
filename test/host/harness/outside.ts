/**
 * For tests in the extension host: the world outside of it. What the API of VS Code does not show (tree rows, the
 * status bar, notifications, a webview's inside) `onPage` can see; `startService` runs the local service beside the
 * window; `reloadWindow` opens it anew in the middle of a test.
 *
 * ```ts
 * const rows = await onPage((page) => page.getByRole("treeitem").allInnerTexts());
 * await onPage(async (page, label) => page.getByRole("button", { name: label }).click(), "Sign In");
 * await screenshot("languages");
 * ```
 */
import type { Page } from "playwright-core";
import { bridgeVariable, type Operations, type RunningService, type ServiceOptions } from "./wire.ts";

/**
 * Runs a function on Playwright's page of this window and gives back what it returns (JSON). The function travels as
 * text: it sees its two parameters and nothing else of this file.
 */
export async function onPage<Value, Argument = undefined>(
  work: (page: Page, argument: Argument) => Promise<Value>,
  ...[argument]: Argument extends undefined ? [] : [Argument]
): Promise<Value> {
  return (await call("page", { source: work.toString(), argument: argument ?? null })) as Value;
}

/** A picture of the window, `.cache/host/<suite>/<name>.png`. Out: its path. */
export function screenshot(name: string): Promise<string> {
  return call("screenshot", { name });
}

/** A local service of this test's own, with an empty store unless `demo` or `again`. It ends with the suite at the latest. */
export async function startService(
  options: ServiceOptions = {},
): Promise<RunningService & { stop(): Promise<void> }> {
  const service = await call("startService", options);
  return { ...service, stop: async () => void (await call("stopService", { id: service.id })) };
}

/** From now on this text is as secret as a token that a service handed out: nothing that the suite leaves may hold it. */
export async function isSecret(text: string): Promise<void> {
  await call("secret", { text });
}

/**
 * Reloads the window; never returns. The same test is then run again from its beginning in the new window, with its
 * hooks, and there `stage()` is the given name; tests that ended before are not repeated.
 */
export async function reloadWindow(test: Mocha.Context, name: string): Promise<never> {
  const title = test.test?.fullTitle();
  if (title === undefined) throw new Error("reloadWindow is for the inside of a test");
  await call("reload", { title, stage: name });
  return new Promise<never>(() => {});
}

/** The stage that this test named when it reloaded the window; `undefined` the first time. */
export async function stage(test: Mocha.Context): Promise<string | undefined> {
  const { resume } = await call("orders", null);
  return resume !== null && resume.title === test.test?.fullTitle() ? resume.stage : undefined;
}

/** Why tests were skipped. */
export const skipReasons = new WeakMap<object, string>();

/** Skips the test that runs. */
export function skip(test: Mocha.Context, reason: string): never {
  if (test.test) skipReasons.set(test.test, reason);
  return test.skip();
}

/** One operation of the bridge. Rejects with the runner's own message. */
export async function call<Name extends keyof Operations>(
  name: Name,
  input: Parameters<Operations[Name]>[0],
): Promise<ReturnType<Operations[Name]>> {
  const response = await fetch(`${process.env[bridgeVariable]}/${name}`, {
    method: "POST",
    body: JSON.stringify(input),
  });
  const body = (await response.json()) as { value?: unknown; error?: string };
  if (body.error !== undefined) throw new Error(body.error);
  return body.value as ReturnType<Operations[Name]>;
}
