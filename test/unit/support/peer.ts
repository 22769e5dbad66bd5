/** Runs a program of others that a format is compared with (installed by test/setup/peers.ts). */
import { spawnSync } from "node:child_process";

/**
 * What the program says on standard output. Throws with its errors when it fails or is not there.
 * `command`: as on the PATH (`msgfmt`, `msgunfmt`, `msgcmp`, `php`, `xmllint`); `/usr/bin/python3` has openpyxl.
 */
export function peer(command: string, args: readonly string[], input?: string | Uint8Array): Uint8Array {
  const run = spawnSync(command, args, { input, maxBuffer: 1 << 28, stdio: ["pipe", "pipe", "pipe"] });
  if (run.error) throw new Error(`${command} could not be started: ${run.error.message}`);
  if (run.status !== 0) throw new Error(`${command} failed (${run.status}): ${run.stderr.toString("utf8")}`);
  return run.stdout;
}

/** The same as text. */
export function peerText(command: string, args: readonly string[], input?: string | Uint8Array): string {
  return Buffer.from(peer(command, args, input)).toString("utf8");
}
