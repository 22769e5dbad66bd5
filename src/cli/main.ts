/** The command line `project-translations`: `dist/command-line.mjs`, which `dist/cli.mjs` loads. */
import { setProgramTexts } from "../messages/program-texts.ts";
import { l10n } from "../util/l10n.ts";
import { CommandLineError, EXIT, print, printError, useLanguageOf, version } from "./arguments.ts";
import { check } from "./check-command.ts";
import type { ProgramCommand } from "./command.ts";
import { failureText } from "./failure-text.ts";
import { importFiles } from "./import-command.ts";
import { mcp } from "./mcp/mcp-command.ts";
import { pull } from "./pull-command.ts";
import { createProgress } from "./progress.ts";
import { push } from "./push-command.ts";
import { PROGRAM_TEXTS } from "./program-texts.ts";
import { status } from "./status-command.ts";
import { unused } from "./unused-command.ts";

/** What commands wait with, which tests replace. */
export { clock } from "../api/system-clock.ts";

const COMMANDS: Readonly<Record<string, ProgramCommand>> = {
  check,
  status,
  unused,
  push,
  pull,
  import: importFiles,
  mcp,
};
const USAGE = [...Object.keys(COMMANDS).map(usageOf), "project-translations --help | --version"].join("\n");

function usageOf(name: string): string {
  return `project-translations ${name} ${COMMANDS[name]?.usage ?? ""}`;
}

/** Runs the program of this process. A second signal ends it at once. */
export async function runProgram(): Promise<void> {
  const stop = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => stop.abort());
  // A reader that has seen enough (`| head`) is no error.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    process.exit(EXIT.failed);
  });
  process.exitCode = await runCommandLine(process.argv.slice(2), stop.signal);
  // A request whose answer nobody waits for any more would go on.
  if (stop.signal.aborted) process.stdout.write("", () => process.stderr.write("", () => process.exit()));
}

/** Runs a command in this process. Returns the exit code. */
export async function runCommandLine(
  [name, ...args]: readonly string[],
  signal: AbortSignal,
): Promise<number> {
  if (name === "--version") return print(version());
  if (name === undefined || name === "--help" || name === "-h") return print(USAGE);
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  try {
    useLanguageOf(args);
    setProgramTexts(PROGRAM_TEXTS);
    if (command === undefined) throw new CommandLineError(l10n.t("There is no command “{0}”.", name));
    if (args.includes("--help")) return print(usageOf(name));
    return await command.run(args, signal);
  } catch (error) {
    if (error instanceof CommandLineError || isArgumentError(error))
      printError(`${(error as Error).message}\n\n${command === undefined ? USAGE : usageOf(name)}`);
    else {
      createProgress().clear();
      printError(failureText(error, signal));
    }
    return EXIT.failed;
  }
}

/** Whether `parseArgs` refused the arguments. */
function isArgumentError(error: unknown): boolean {
  return String((error as { readonly code?: unknown } | null)?.code).startsWith("ERR_PARSE_ARGS");
}
