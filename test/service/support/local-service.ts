/** Starts and stops the local service as a separate process, as on the command line. */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

const main = join(import.meta.dirname, "../../../dist/service.mjs");

/** Rate limits that no test reaches by chance; local/limits.test.ts tests the documented ones. */
export const NO_LIMITS = { perToken: 1_000_000, perAddress: 1_000_000 };

export interface LocalService {
  readonly baseUrl: string;
  readonly token: string;
  readonly readToken: string;
  /** Stops the process and returns its exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Creates a folder for the data and the project file of a test. */
export function createTemporaryFolder(): { readonly path: string; readonly remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), "project-translations-test-"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** Starts the service with a project file, and returns what its first line says. */
export async function startLocal(
  options: { project?: object; folder?: string; args?: readonly string[] } = {},
): Promise<LocalService> {
  const temporary = options.folder === undefined ? createTemporaryFolder() : undefined;
  const folder = options.folder ?? temporary?.path ?? "";
  const project = join(folder, "project.json");
  writeFileSync(project, JSON.stringify(options.project ?? {}));
  const args = ["--data", join(folder, "data.sqlite"), "--project", project, ...(options.args ?? [])];
  const child = spawn(process.execPath, [main, ...args], { stdio: ["pipe", "pipe", "pipe"] });
  const exited = new Promise<number | null>((resolve) => child.once("exit", (code) => resolve(code)));
  let errors = "";
  child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
  const first = await Promise.race([
    new Promise<string>((resolve) => createInterface({ input: child.stdout }).once("line", resolve)),
    exited.then((code) => {
      temporary?.remove();
      throw new Error(`The local service ended with ${code}:\n${errors}`);
    }),
  ]);
  return {
    ...(JSON.parse(first) as { baseUrl: string; token: string; readToken: string }),
    stop: async (signal = "SIGTERM") => {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      const code = await exited;
      temporary?.remove();
      return code;
    },
  };
}
