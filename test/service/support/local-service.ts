/** Starts the local service as a process of its own, as people do, and ends it. */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

const main = join(import.meta.dirname, "../../../src/local-service/cli.ts");

export interface LocalService {
  readonly baseUrl: string;
  readonly token: string;
  readonly readToken: string;
  /** Ends it and waits until it is gone; the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** A folder for one test's data and project file. */
export function scratch(): { readonly path: string; readonly remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), "project-translations-test-"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** Starts it with this project file's content; resolves with what its first line says. */
export async function startLocal(
  options: { project?: object; folder?: string; args?: readonly string[] } = {},
): Promise<LocalService> {
  const own = options.folder === undefined ? scratch() : undefined;
  const folder = options.folder ?? own?.path ?? "";
  const project = join(folder, "project.json");
  writeFileSync(project, JSON.stringify(options.project ?? {}));
  const args = ["--data", join(folder, "data.sqlite"), "--project", project, ...(options.args ?? [])];
  const child = spawn(process.execPath, [main, ...args], { stdio: ["pipe", "pipe", "pipe"] });
  const gone = new Promise<number | null>((resolve) => child.once("exit", (code) => resolve(code)));
  let errors = "";
  child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
  const first = await Promise.race([
    new Promise<string>((resolve) => createInterface({ input: child.stdout }).once("line", resolve)),
    gone.then((code) => {
      own?.remove();
      throw new Error(`The local service ended with ${code}:\n${errors}`);
    }),
  ]);
  const said = JSON.parse(first) as { baseUrl: string; token: string; readToken: string };
  return {
    ...said,
    stop: async (signal = "SIGTERM") => {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      const code = await gone;
      own?.remove();
      return code;
    },
  };
}
