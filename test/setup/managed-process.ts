/** Child processes that end, with everything they started, when they are stopped or when this process is gone. */
import { spawn } from "node:child_process";
import { delimiter } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

export interface ManagedProcess {
  /** Everything printed so far on both streams. */
  output(): string;
  /** The first line, printed already or later, that matches. Rejects after `seconds`, or when the process ends without it. */
  line(pattern: RegExp, seconds: number): Promise<RegExpMatchArray>;
  /** Its exit code, once it has ended. */
  readonly ended: Promise<number>;
  /** Sends SIGTERM, then SIGKILL; resolves when the whole process group is gone. */
  stop(): Promise<void>;
}

export interface StartOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  /** Folders to remove when it has ended. */
  readonly remove?: readonly string[];
}

const processGroup = fileURLToPath(new URL("process-group.mjs", import.meta.url));

/** Starts a program. It is given no standard input. */
export function startProcess(
  command: string,
  args: readonly string[],
  { env = process.env, cwd, remove = [] }: StartOptions = {},
): ManagedProcess {
  const child = spawn(process.execPath, [processGroup, command, ...args], {
    env: { ...env, REMOVE_ON_EXIT: remove.join(delimiter) },
    ...(cwd === undefined ? {} : { cwd }),
    stdio: ["pipe", "pipe", "pipe"],
    // Ctrl+C in a terminal goes to the whole group of this process; this one ends when this process stops it.
    detached: process.platform !== "win32",
  });
  const lines: string[] = [];
  const listeners = new Set<(line: string) => void>();
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on("line", (line) => {
      lines.push(line);
      for (const listener of listeners) listener(line);
    });
  }
  const ended = new Promise<number>((resolve) => child.on("close", (code) => resolve(code ?? 1)));
  return {
    output: () => lines.join("\n"),
    line(pattern, seconds) {
      return new Promise((resolve, reject) => {
        const done = (settle: () => void) => {
          clearTimeout(timer);
          listeners.delete(check);
          settle();
        };
        const fail = (why: string) =>
          done(() => reject(new Error(`${command} ${why}:\n${lines.slice(-40).join("\n")}`)));
        const check = (line: string) => {
          const match = pattern.exec(line);
          if (match) done(() => resolve(match));
        };
        const timer = setTimeout(
          () => fail(`did not print ${String(pattern)} in ${seconds} s`),
          seconds * 1000,
        );
        listeners.add(check);
        for (const line of lines) check(line);
        void ended.then((code) => fail(`ended (${code}) before it printed ${String(pattern)}`));
      });
    },
    ended,
    async stop() {
      child.stdin.end();
      await ended;
    },
  };
}
