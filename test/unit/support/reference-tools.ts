/**
 * Programs of others that formats and usages are compared with. A test that needs one begins with `needs`: where the
 * program is missing it is skipped, and says how to get it.
 */
import { spawnSync } from "node:child_process";
import type { TestContext } from "vitest";
import { isInstalled, referenceTools, type ReferenceTool } from "../../setup/reference-tools.ts";

export { PYTHON } from "../../setup/reference-tools.ts";

const found = new Map<ReferenceTool, boolean>();

/** Skips the rest of the test when the program is not installed. */
export function needs(context: TestContext, tool: ReferenceTool): void {
  const isThere = found.get(tool) ?? isInstalled(tool);
  found.set(tool, isThere);
  const { name, debian } = referenceTools[tool];
  if (!isThere) context.skip(`${name} is not installed (Debian and Ubuntu: apt-get install ${debian})`);
}

/** Runs a program and returns its standard output. @throws Error with its messages when it fails or cannot be started. */
export function run(command: string, args: readonly string[], input?: string | Uint8Array): Uint8Array {
  const done = spawnSync(command, args, { input, maxBuffer: 1 << 28, stdio: ["pipe", "pipe", "pipe"] });
  if (done.error) throw new Error(`${command} could not be started: ${done.error.message}`);
  if (done.status !== 0)
    throw new Error(`${command} failed (${done.status}): ${done.stderr.toString("utf8")}`);
  return done.stdout;
}

/** The same as text. */
export function runText(command: string, args: readonly string[], input?: string | Uint8Array): string {
  return Buffer.from(run(command, args, input)).toString("utf8");
}
