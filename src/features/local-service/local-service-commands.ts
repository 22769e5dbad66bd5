/**
 * Start and Stop Local Service: runs the service in a child process, to try the extension without an account. The process
 * ends with the window.
 */
import { env, Uri, window, commands } from "vscode";
import type { App } from "../../vscode/app.ts";
import { pickOne } from "../../vscode/ui/input/quick-pick.ts";
import { setContextKey } from "../../vscode/context-keys.ts";
import { parsePortOption } from "../../vscode/commands/command-options.ts";
import { showInformation, offerActions } from "../../vscode/notifications.ts";
import type { CommandResult, CommonOptions, CommandRun } from "../../vscode/commands/command-types.ts";
import { l10n } from "../../vscode/l10n.ts";
import { startProcess, type ServiceProcess, type StartRequest } from "./local-service-process.ts";

interface StartOptions extends CommonOptions {
  /** Path of the database file; default: a temporary database. */
  readonly data?: unknown;
  readonly port?: unknown;
  readonly demo?: unknown;
  /** Signs in to the service without a prompt. */
  readonly signIn?: unknown;
}

type Started = Pick<ServiceProcess, "baseUrl" | "token">;

/** Registers both commands. */
export function registerLocalService(app: App): void {
  const local = new LocalService(app);
  app.addDisposable(local);
  app.command(
    "projectTranslations.startLocalService",
    l10n.t("Start Local Service"),
    (_app, options: StartOptions, run) => local.start(options, run),
  );
  app.command("projectTranslations.stopLocalService", l10n.t("Stop Local Service"), () => local.stop());
}

/** The local service of the window. */
class LocalService {
  readonly #app: App;
  #running: ServiceProcess | undefined;
  #starting: Promise<ServiceProcess> | undefined;

  constructor(app: App) {
    this.#app = app;
  }

  async start(options: StartOptions, run: CommandRun): Promise<CommandResult<Started>> {
    if (this.#running !== undefined) {
      const { baseUrl, token } = this.#running;
      this.#offer(options, this.#running);
      return { outcome: "unchanged", baseUrl, token };
    }
    const wanted = await wantedOf(options);
    if (wanted === undefined) return { outcome: "cancelled" };
    run.report(l10n.t("Starting"));
    const isFirst = this.#running === undefined && this.#starting === undefined;
    const { baseUrl, token } = this.#running ?? (await this.#startOnce(wanted, run.signal));
    this.#offer(options, { baseUrl, token });
    return { outcome: isFirst ? "done" : "unchanged", baseUrl, token };
  }

  /** Starts the process unless it is starting already. */
  #startOnce(wanted: StartRequest, signal: AbortSignal): Promise<ServiceProcess> {
    this.#starting ??= this.#launch(wanted, signal).finally(() => {
      this.#starting = undefined;
    });
    return this.#starting;
  }

  async #launch(wanted: StartRequest, signal: AbortSignal): Promise<ServiceProcess> {
    const bundle = Uri.joinPath(this.#app.context.extensionUri, "dist", "service.mjs").fsPath;
    const started = await startProcess(bundle, wanted, this.#app.log, signal);
    this.#running = started;
    setContextKey("serviceRunning", true);
    void started.ended.then(() => {
      if (this.#running === started) this.#running = undefined;
      setContextKey("serviceRunning", this.#running !== undefined);
    });
    this.#app.log.info(`The local service runs at ${started.baseUrl}`);
    return started;
  }

  async stop(): Promise<CommandResult> {
    if (this.#running === undefined) return { outcome: "unchanged" };
    await this.#running.stop();
    return { outcome: "done" };
  }

  dispose(): void {
    void this.#running?.stop();
  }

  /** Signs in if requested, else offers it. Does not wait for the user. */
  #offer({ confirm, folder, signIn: shouldSignIn }: StartOptions, { baseUrl, token }: Started): void {
    const options = { baseUrl, token, folder };
    const signIn = () => commands.executeCommand("projectTranslations.signIn", options);
    if (shouldSignIn === true) void signIn();
    if (shouldSignIn === true || confirm === false) return;
    offerActions(
      showInformation,
      l10n.t("The local service runs at {0} until this window closes.", baseUrl),
      { label: l10n.t("Sign In"), act: signIn },
      { label: l10n.t("Copy Token"), act: () => env.clipboard.writeText(token) },
    );
  }
}

/**
 * Validates the options and prompts if there are none; `undefined` if dismissed.
 *
 * @throws {CommandError} `invalid`
 */
async function wantedOf({ data, port, demo, confirm }: StartOptions): Promise<StartRequest | undefined> {
  const file = data instanceof Uri ? data.fsPath : typeof data === "string" && data !== "" ? data : undefined;
  const given = { data: file, port: parsePortOption(port) };
  if (confirm === false || demo !== undefined || file !== undefined) return { ...given, demo: demo === true };
  const choice = await pickOne(l10n.t("Start Local Service"), l10n.t("Which project should it serve?"), [
    {
      label: l10n.t("$(beaker) Demo project"),
      description: l10n.t("a web shop in five languages; discarded when the window closes"),
      value: "demo" as const,
    },
    {
      label: l10n.t("$(circle-large-outline) Empty project"),
      description: l10n.t("for your own app; discarded when the window closes"),
      value: "empty" as const,
    },
    {
      label: l10n.t("$(database) Project in a file…"),
      description: l10n.t("saved for next time"),
      value: "file" as const,
    },
  ]);
  if (choice === undefined) return undefined;
  if (choice !== "file") return { ...given, demo: choice === "demo" };
  const picked = await window.showSaveDialog({
    title: l10n.t("Where should the service store its data?"),
    filters: { SQLite: ["db"] },
  });
  return picked === undefined ? undefined : { ...given, data: picked.fsPath, demo: false };
}
