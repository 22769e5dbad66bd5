/**
 * Runs the bundled command line in this process: a process of its own takes half a second to start, which only tests of
 * signals, exit codes and the version of Node need. It waits as shortly as `fastClock`.
 */
import { pathToFileURL } from "node:url";
import { join } from "node:path";
import { vi } from "vitest";
import type { clock, runCommandLine as Program } from "../../../src/cli/main.ts";
import { fastClock } from "./node-platform.ts";

export interface CommandLineRun {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

const BUNDLE = pathToFileURL(join(import.meta.dirname, "../../../dist/command-line.mjs")).href;

/** Runs a command. @param env variables of the environment; `undefined` removes one */
export async function runCommandLine(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>> = {},
  signal = new AbortController().signal,
): Promise<CommandLineRun> {
  const program = (await import(BUNDLE)) as {
    readonly runCommandLine: typeof Program;
    readonly clock: typeof clock;
  };
  const written = { stdout: "", stderr: "" };
  const spies = (["stdout", "stderr"] as const).map((name) =>
    vi.spyOn(process[name], "write").mockImplementation((text) => {
      written[name] += String(text);
      return true;
    }),
  );
  const fast = fastClock();
  const sleep = vi.spyOn(program.clock, "sleep").mockImplementation((...wait) => fast.sleep(...wait));
  for (const [name, value] of Object.entries({ LC_ALL: "C", ...env })) vi.stubEnv(name, value);
  try {
    const status = await program.runCommandLine(args, signal);
    return { status, ...written };
  } finally {
    for (const spy of [...spies, sleep]) spy.mockRestore();
    vi.unstubAllEnvs();
  }
}
