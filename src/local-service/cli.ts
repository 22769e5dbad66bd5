/** The command line of the local service. */
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import * as v from "valibot";
import { AiRequestSchema } from "./ai-translation-job.ts";
import { SettingsError } from "./service-settings.ts";
import { startService, type RunningService, type ServiceOptions } from "./start-service.ts";
import { StoreError } from "./store/store-schema.ts";
import { isWorkerThread } from "./run-in-worker-thread.ts";

const USAGE = `Usage: service [--data FILE] [--port P] [--project FILE] [--demo]

  --data FILE     store the data in this file (default: a temporary file)
  --port P        listen on this port of 127.0.0.1 (default: a free port)
  --project FILE  project settings: languages, export profiles, limits, webhooks
  --demo          fill an empty store with the demo project

The first line on standard output is JSON: { "baseUrl", "token", "readToken" }.
Lines on standard input: {"aiJob":{"locale":"fr"}} and {"cancelAiJob":ID}.
`;

const CommandSchema = v.union([v.object({ aiJob: AiRequestSchema }), v.object({ cancelAiJob: v.number() })]);

function readOptions(): ServiceOptions {
  const { values } = parseArgs({
    options: {
      data: { type: "string" },
      port: { type: "string" },
      project: { type: "string" },
      demo: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) {
    process.stdout.write(USAGE);
    process.exit(0);
  }
  const port = values.port === undefined ? undefined : Number(values.port);
  if (port !== undefined && !(Number.isInteger(port) && port >= 0 && port <= 65_535)) {
    throw new SettingsError(`${values.port} is not a port number.`);
  }
  return {
    data: values.data,
    port,
    project: values.project,
    demo: values.demo,
    log: (text) => process.stderr.write(`${text}\n`),
  };
}

/** Runs the commands on standard input. Its end is ignored, since it may be closed from the start. */
function runCommandsOfInput(service: RunningService): void {
  const lines = createInterface({ input: process.stdin });
  lines.on("line", (line) => {
    if (line.trim() === "") return;
    runCommand(service, line).catch((error: unknown) => {
      process.stderr.write(
        `Invalid command: ${line} (${error instanceof Error ? error.message : String(error)})\n`,
      );
    });
  });
}

async function runCommand(service: RunningService, line: string): Promise<void> {
  const command = v.parse(CommandSchema, JSON.parse(line));
  if ("cancelAiJob" in command) service.cancelAiJob(command.cancelAiJob);
  else process.stderr.write(`AI job ${await service.startAiJob(command.aiJob)}\n`);
}

async function main(): Promise<void> {
  let service: RunningService;
  try {
    service = await startService(readOptions());
  } catch (error) {
    process.stderr.write(`${errorText(error)}\n`);
    process.exitCode = 1;
    return;
  }
  let stopping: Promise<void> | undefined;
  const stop = (): void => {
    stopping ??= service.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`${String(error)}\n`);
        process.exit(1);
      },
    );
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  // With an IPC channel, the service ends with its parent.
  process.on("disconnect", stop);
  // The process that reads the log may end, which must not end the service.
  process.stderr.on("error", () => undefined);
  const { baseUrl, token, readToken } = service;
  process.stdout.write(`${JSON.stringify({ baseUrl, token, readToken })}\n`);
  runCommandsOfInput(service);
}

function errorText(error: unknown): string {
  if (error instanceof StoreError || error instanceof SettingsError) return error.message;
  if (error instanceof Error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EADDRINUSE") return "The port is in use. Choose another one with --port.";
    if (code?.startsWith("ERR_PARSE_ARGS") === true) return `${error.message}\n\n${USAGE}`;
    return error.stack ?? error.message;
  }
  return String(error);
}

if (!isWorkerThread()) await main();
