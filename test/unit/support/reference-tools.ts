/**
 * External programs that formats and usages are compared with. A test that needs one calls `requireTool`, which skips it
 * if the program is not installed.
 */
import { spawnSync } from "node:child_process";
import type { TestContext } from "vitest";
import { isInstalled, referenceTools, type ReferenceTool } from "../../setup/reference-tools.ts";

export { PYTHON } from "../../setup/reference-tools.ts";

const found = new Map<ReferenceTool, boolean>();

/** Skips the test if the program is not installed. */
export function requireTool(context: TestContext, tool: ReferenceTool): void {
  const isThere = found.get(tool) ?? isInstalled(tool);
  found.set(tool, isThere);
  const { name, debian } = referenceTools[tool];
  if (!isThere) context.skip(`${name} is not installed (Debian and Ubuntu: apt-get install ${debian})`);
}

/** Runs a program and returns its standard output. @throws {Error} with its error output if it fails or cannot start */
export function run(command: string, args: readonly string[], input?: string | Uint8Array): Uint8Array {
  const done = spawnSync(command, args, { input, maxBuffer: 1 << 28, stdio: ["pipe", "pipe", "pipe"] });
  if (done.error) throw new Error(`${command} could not be started: ${done.error.message}`);
  if (done.status !== 0)
    throw new Error(`${command} failed (${done.status}): ${done.stderr.toString("utf8")}`);
  return done.stdout;
}

/** Runs a program and returns its standard output as text. */
export function runText(command: string, args: readonly string[], input?: string | Uint8Array): string {
  return Buffer.from(run(command, args, input)).toString("utf8");
}
