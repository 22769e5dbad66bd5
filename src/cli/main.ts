/** The command line `project-translations`: `dist/command-line.mjs`, which `dist/cli.mjs` loads. */
import { PartialResultError } from "../commands/command-types.ts";
import { toFailure } from "../messages/error-messages.ts";
import { isAbortError } from "../util/abort-error.ts";
import { l10n } from "../util/l10n.ts";
import { CommandLineError, EXIT, print, printError, useLanguageOf, version } from "./arguments.ts";
import { CHECK_USAGE, check } from "./check-command.ts";
import { MCP_USAGE, mcp } from "./mcp/mcp-command.ts";
import { IMPORT_USAGE, importFiles } from "./import-command.ts";
import { PULL_USAGE, pull } from "./pull-command.ts";
import { PUSH_USAGE, push } from "./push-command.ts";
import { TOKEN_VARIABLE } from "./service-access.ts";
import { STATUS_USAGE, status } from "./status-command.ts";
import { UNUSED_USAGE, unused } from "./unused-command.ts";

/** Runs a command with its arguments. Returns the exit code. */
type Command = (args: readonly string[], signal: AbortSignal) => Promise<number>;

const COMMANDS: Readonly<Record<string, { readonly run: Command; readonly usage: string }>> = {
  check: { run: check, usage: CHECK_USAGE },
  status: { run: status, usage: STATUS_USAGE },
  unused: { run: unused, usage: UNUSED_USAGE },
  push: { run: push, usage: PUSH_USAGE },
  pull: { run: pull, usage: PULL_USAGE },
  import: { run: importFiles, usage: IMPORT_USAGE },
  mcp: { run: mcp, usage: MCP_USAGE },
};

const USAGE = [...Object.values(COMMANDS).map(usageOf), "project-translations --help | --version"].join("\n");

function usageOf({ usage }: { readonly usage: string }): string {
  return `project-translations ${usage}`;
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
    if (command === undefined) throw new CommandLineError(l10n.t("There is no command “{0}”.", name));
    if (args.includes("--help")) return print(usageOf(command));
    return await command.run(args, signal);
  } catch (error) {
    if (error instanceof CommandLineError || isArgumentError(error))
      printError(`${(error as Error).message}\n\n${command === undefined ? USAGE : usageOf(command)}`);
    else printFailure(error, signal);
    return EXIT.failed;
  }
}

function printFailure(error: unknown, signal: AbortSignal): void {
  const partly = error instanceof PartialResultError ? error : null;
  const cause = partly?.cause ?? error;
  if (signal.aborted && (cause === signal.reason || isAbortError(cause))) {
    printError(partly?.message ?? l10n.t("Cancelled. Nothing was written."));
  } else {
    const { code, message } = toFailure(cause, partly?.message);
    printError(message);
    if (code === "unauthorized" || code === "forbidden")
      printError(
        l10n.t(
          "Here, the token is that of the environment variable {0}: set it to another one.",
          TOKEN_VARIABLE,
        ),
      );
  }
}

/** Whether `parseArgs` refused the arguments. */
function isArgumentError(error: unknown): boolean {
  return String((error as { readonly code?: unknown } | null)?.code).startsWith("ERR_PARSE_ARGS");
}
