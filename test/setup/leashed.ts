/**
 * Programs that a test run or the demo starts beside itself. They end, with all that they started, when they are
 * stopped or when this process is gone.
 */
import { spawn } from "node:child_process";
import { delimiter } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

export interface Leashed {
  /** Everything it printed so far, both streams. */
  output(): string;
  /** The first line (of those printed already, too) that the pattern matches. Rejects when it ends without one. */
  line(pattern: RegExp, seconds: number): Promise<RegExpMatchArray>;
  /** Its exit code, once it has ended. */
  readonly ended: Promise<number>;
  /** Asks it to end, then makes it end; resolves when the whole group is gone. */
  stop(): Promise<void>;
}

export interface Start {
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  /** Folders to remove when it has ended. */
  readonly remove?: readonly string[];
}

const leash = fileURLToPath(new URL("leash.mjs", import.meta.url));

/** Starts a program. It is given no standard input. */
export function startLeashed(
  command: string,
  args: readonly string[],
  { env = process.env, cwd, remove = [] }: Start = {},
): Leashed {
  const child = spawn(process.execPath, [leash, command, ...args], {
    env: { ...env, LEASH_REMOVE: remove.join(delimiter) },
    ...(cwd === undefined ? {} : { cwd }),
    stdio: ["pipe", "pipe", "pipe"],
    // Ctrl+C in a terminal goes to the whole group of this process: the leash is not to hear it before us.
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
          listeners.delete(look);
          settle();
        };
        const fail = (why: string) =>
          done(() => reject(new Error(`${command} ${why}:\n${lines.slice(-40).join("\n")}`)));
        const look = (line: string) => {
          const match = pattern.exec(line);
          if (match) done(() => resolve(match));
        };
        const timer = setTimeout(
          () => fail(`did not print ${String(pattern)} in ${seconds} s`),
          seconds * 1000,
        );
        listeners.add(look);
        for (const line of lines) look(line);
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
