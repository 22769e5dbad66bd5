/**
 * Start and Stop Local Service: runs the service in a child process, to try the extension without an account. The process
 * ends with the window.
 */
import { definedFields } from "../../util/defined-fields.ts";
import type { OptionsOf } from "../../commands/define-command.ts";
import {
  startLocalServiceCommand,
  stopLocalServiceCommand,
  signInCommand,
} from "../../commands/declarations/session-commands.ts";
import { env, Uri, window } from "vscode";
import type { App, CommandWork } from "../../vscode/app.ts";
import { pickOne } from "../../vscode/ui/input/quick-pick.ts";
import { setContextKey } from "../../vscode/context-keys.ts";
import { parseUriOption } from "../../vscode/commands/command-options.ts";
import { showInformation, offerActions, commandAction } from "../../vscode/notifications.ts";
import { CommandError, requireAnswer } from "../../vscode/commands/command-types.ts";
import { l10n } from "../../vscode/l10n.ts";
import { fork } from "node:child_process";
import { createInterface } from "node:readline";
import * as v from "valibot";
import type { LogChannel } from "../../vscode/log.ts";

type StartOptions = OptionsOf<typeof startLocalServiceCommand>;

type Started = Pick<ServiceProcess, "baseUrl" | "token">;

/** Registers both commands. */
export function registerLocalService(app: App): void {
  /** The process that is starting or running. */
  let service: Promise<ServiceProcess> | undefined;
  const launch = (request: StartRequest, signal: AbortSignal): Promise<ServiceProcess> => {
    const bundle = Uri.joinPath(app.context.extensionUri, "dist", "service.mjs").fsPath;
    const launched = startProcess(bundle, request, app.log, signal);
    const onEnd = (): void => {
      if (service === launched) service = undefined;
      setContextKey("serviceRunning", false);
    };
    const whileRunning = async (): Promise<void> => {
      const { baseUrl, ended } = await launched;
      setContextKey("serviceRunning", true);
      app.log.info(`The local service runs at ${baseUrl}`);
      await ended;
    };
    whileRunning().then(onEnd, onEnd);
    return launched;
  };
  const start: CommandWork<typeof startLocalServiceCommand> = async (_app, options, run) => {
    let isFirst = false;
    if (service === undefined) {
      const request = await startRequest(options);
      run.report(l10n.t("Starting"));
      // Another call may have started it while this one prompted.
      isFirst = service === undefined;
      service ??= launch(request, run.signal);
    }
    const { baseUrl, token } = await service;
    offerSignIn(options, { baseUrl, token });
    return { outcome: isFirst ? "done" : "unchanged", baseUrl, token };
  };
  const stop: CommandWork<typeof stopLocalServiceCommand> = async () => {
    if (service === undefined) return { outcome: "unchanged" };
    await (await service).stop();
    return { outcome: "done" };
  };
  app.command(startLocalServiceCommand, start);
  app.command(stopLocalServiceCommand, stop);
  app.addDisposable({
    dispose: () => void service?.then((started) => started.stop()).catch(() => undefined),
  });
}

/** Signs in if requested, else offers it. Does not wait for the user. */
function offerSignIn(
  { confirm, folder, signIn: shouldSignIn }: StartOptions,
  { baseUrl, token }: Started,
): void {
  const options = definedFields({ baseUrl, token, folder });
  const signIn = commandAction(l10n.t("Sign In"), signInCommand, options);
  if (shouldSignIn === true) void signIn.act();
  if (shouldSignIn === true || confirm === false) return;
  offerActions(
    showInformation,
    l10n.t("The local service runs at {0} until this window closes.", baseUrl),
    signIn,
    { label: l10n.t("Copy Token"), act: () => env.clipboard.writeText(token) },
  );
}

/**
 * Validates the options and prompts if there are none.
 *
 * @throws {CommandError} `invalid`, `cancelled`
 */
async function startRequest({ data, port, demo, confirm }: StartOptions): Promise<StartRequest> {
  const file = typeof data === "object" ? parseUriOption(data).fsPath : data;
  const given = { data: file, port };
  if (confirm === false || demo !== undefined || file !== undefined) return { ...given, demo: demo === true };
  const choice = await pickOne(l10n.t("Start Local Service"), l10n.t("Which project should it serve?"), [
    {
      label: l10n.t("$(beaker) Demo project"),
      description: l10n.t("a web shop in five languages; discarded when the window closes"),
      value: "demo",
    },
    {
      label: l10n.t("$(circle-large-outline) Empty project"),
      description: l10n.t("for your own app; discarded when the window closes"),
      value: "empty",
    },
    {
      label: l10n.t("$(database) Project in a file…"),
      description: l10n.t("saved for next time"),
      value: "file",
    },
  ]);
  if (choice !== "file") return { ...given, demo: choice === "demo" };
  const picked = await window.showSaveDialog({
    title: l10n.t("Where should the service store its data?"),
    filters: { SQLite: ["db"] },
  });
  return { ...given, data: requireAnswer(picked).fsPath, demo: false };
}

/** The first line of its standard output. */
const HelloSchema = v.object({ baseUrl: v.string(), token: v.string(), readToken: v.string() });

interface StartRequest {
  /** Path of the database file; default: a temporary database. */
  readonly data: string | undefined;
  readonly port: number | undefined;
  readonly demo: boolean;
}

interface ServiceProcess {
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
async function startProcess(
  bundle: string,
  { data, port, demo }: StartRequest,
  log: LogChannel,
  signal: AbortSignal,
): Promise<ServiceProcess> {
  const args = [
    ...(data === undefined ? [] : ["--data", data]),
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
      child.once("exit", () =>
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
