/** The process of the local service. */
import { fork } from "node:child_process";
import { createInterface } from "node:readline";
import * as v from "valibot";
import { CommandError } from "../../commands/command-types.ts";
import { l10n } from "../../util/l10n.ts";
import type { LogChannel } from "../../vscode/log.ts";

/** The first line of its standard output. */
const HelloSchema = v.object({ baseUrl: v.string(), token: v.string(), readToken: v.string() });

/** How to start the service. */
export interface StartRequest {
  /** Path of the database file. */
  readonly data: string;
  /** Path of the file with the project's settings; default: those of the database. */
  readonly project?: string | undefined;
  readonly port?: number | undefined;
  readonly demo: boolean;
}

export interface ServiceProcess {
  readonly baseUrl: string;
  readonly token: string;
  /** Resolves when the process has ended. */
  readonly ended: Promise<void>;
  /** Stops it gracefully; kills it after a timeout. */
  stop(): Promise<void>;
}

/** Starting fails after this time. */
const START_TIMEOUT_MS = 30_000;
const STOP_TIMEOUT_MS = 5_000;

/**
 * Starts the bundle; resolves when it listens.
 *
 * @throws {CommandError} with the output of the process.
 */
export async function startProcess(
  bundle: string,
  { data, project, port, demo }: StartRequest,
  log: LogChannel,
  signal: AbortSignal,
): Promise<ServiceProcess> {
  const args = [
    "--data",
    data,
    ...(project === undefined ? [] : ["--project", project]),
    ...(port === undefined ? [] : ["--port", String(port)]),
    ...(demo ? ["--demo"] : []),
  ];
  const { NODE_OPTIONS: _, ...environment } = process.env;
  // In desktop VS Code the extension host is Electron, which needs a variable to run as Node.
  const child = fork(bundle, args, {
    env: { ...environment, ELECTRON_RUN_AS_NODE: "1" },
    execArgv: [],
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  let firstError: string | undefined;
  const ended = new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
    child.once("error", () => resolve());
  });
  const stop = async (): Promise<void> => {
    // The service stops gracefully when the channel closes, on every platform.
    if (child.connected) child.disconnect();
    const late = setTimeout(() => child.kill("SIGKILL"), STOP_TIMEOUT_MS);
    await ended;
    clearTimeout(late);
  };
  if (child.stderr !== null) {
    createInterface({ input: child.stderr }).on("line", (line) => {
      firstError ??= line;
      log.info(`local service: ${line}`);
    });
  }
  try {
    const hello = await new Promise<v.InferOutput<typeof HelloSchema>>((resolve, reject) => {
      const fail = (message: string): void => reject(new CommandError("offline", message));
      if (child.stdout !== null) {
        createInterface({ input: child.stdout }).once("line", (line) => {
          try {
            resolve(v.parse(HelloSchema, JSON.parse(line)));
          } catch {
            fail(
              l10n.t("The local service returned something unexpected: {0}. See the log for details.", line),
            );
          }
        });
      }
      child.once("error", (error) =>
        fail(l10n.t("The local service could not be started: {0}", error.message)),
      );
      // After the last line of what it says.
      child.once("close", () =>
        fail(l10n.t("The local service did not start: {0}", firstError ?? l10n.t("it exited immediately"))),
      );
      const late = setTimeout(
        () => fail(l10n.t("The local service did not start in time. Try again.")),
        START_TIMEOUT_MS,
      );
      void ended.then(() => clearTimeout(late));
      signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
    });
    log.redact(hello.token);
    log.redact(hello.readToken);
    return { baseUrl: hello.baseUrl, token: hello.token, ended, stop };
  } catch (error) {
    void stop();
    throw error;
  }
}
