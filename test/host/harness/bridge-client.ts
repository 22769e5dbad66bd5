/**
 * The tests' side of the bridge: what a test in the extension host cannot do itself. `onPage` accesses what VS Code's API
 * does not expose (tree rows, the status bar, notifications, webviews), `startService` runs the local service,
 * `reloadWindow` reloads the window in the middle of a test.
 *
 * ```ts
 * const rows = await onPage((page) => page.getByRole("treeitem").allInnerTexts());
 * await onPage(async (page, label) => page.getByRole("button", { name: label }).click(), "Sign In");
 * await screenshot("languages");
 * ```
 */
import type { FrameLocator, Page } from "playwright-core";
import {
  BRIDGE_VARIABLE,
  type Operations,
  type RunningService,
  type ServiceOptions,
} from "./bridge-protocol.ts";

/**
 * Runs a function on Playwright's page of this window and returns its result (JSON). The function is sent as text: it can
 * use only its two parameters.
 */
export async function onPage<Value, Argument = undefined>(
  work: (page: Page, argument: Argument) => Promise<Value>,
  ...[argument]: Argument extends undefined ? [] : [Argument]
): Promise<Value> {
  return (await call("runOnPage", { source: work.toString(), argument: argument ?? null })) as Value;
}

/** Like `onPage`, on the document of the webview that is open. */
export async function onWebview<Value, Argument = undefined>(
  work: (frame: FrameLocator, argument: Argument) => Promise<Value>,
  ...[argument]: Argument extends undefined ? [] : [Argument]
): Promise<Value> {
  const frame = 'page.frameLocator("iframe.webview").frameLocator("#active-frame")';
  const source = `(page, argument) => (${work.toString()})(${frame}, argument)`;
  return (await call("runOnPage", { source, argument: argument ?? null })) as Value;
}

/**
 * Takes a screenshot of the window, `.cache/host/<suite>/<name>.png`, and returns its path; `null` in a run without
 * `--screenshots`.
 */
export function screenshot(name: string): Promise<string | null> {
  return call("screenshot", { name });
}

/** Starts a local service, with an empty store unless `demo` or `restartOf` is set. It ends with the suite at the latest. */
export async function startService(
  options: ServiceOptions = {},
): Promise<RunningService & { stop(): Promise<void> }> {
  const service = await call("startService", options);
  return { ...service, stop: async () => void (await call("stopService", { id: service.id })) };
}

/** Adds a secret: like a service's token, it must not occur in anything that the suite leaves behind. */
export async function addSecret(text: string): Promise<void> {
  await call("addSecret", { text });
}

/**
 * Reloads the window; never returns. The new window runs the same test again from its beginning, with its hooks, where
 * `stage()` returns `name`; tests that have ended are not repeated.
 */
export async function reloadWindow(test: Mocha.Context, name: string): Promise<never> {
  const title = test.test?.fullTitle();
  if (title === undefined) throw new Error("reloadWindow was called outside a test");
  await call("reload", { title, stage: name });
  return new Promise<never>(() => {});
}

/** Returns the stage that this test passed to `reloadWindow`; `undefined` in the first window. */
export async function stage(test: Mocha.Context): Promise<string | undefined> {
  const { resume } = await call("getInstructions", null);
  return resume !== null && resume.title === test.test?.fullTitle() ? resume.stage : undefined;
}

/** The reasons of skipped tests. */
export const skipReasons = new WeakMap<object, string>();

/** Skips the current test. */
export function skip(test: Mocha.Context, reason: string): never {
  if (test.test) skipReasons.set(test.test, reason);
  return test.skip();
}

/** Calls an operation of the bridge. @throws {Error} with the runner's message */
export async function call<Name extends keyof Operations>(
  name: Name,
  input: Parameters<Operations[Name]>[0],
): Promise<ReturnType<Operations[Name]>> {
  const response = await fetch(`${process.env[BRIDGE_VARIABLE]}/${name}`, {
    method: "POST",
    body: JSON.stringify(input),
  });
  const body = (await response.json()) as { value?: unknown; error?: string };
  if (body.error !== undefined) throw new Error(body.error);
  return body.value as ReturnType<Operations[Name]>;
}
