/**
 * Start and Stop Local Service: runs the service in a child process, to work without an account. The process ends with the
 * window; its database stays, so that the next start continues with it.
 */
import { env, Uri, window, workspace } from "vscode";
import {
  startLocalServiceCommand,
  signInCommand,
  signOutCommand,
} from "../../commands/declarations/session-commands.ts";
import { definedFields } from "../../util/defined-fields.ts";
import type { App, CommandWork } from "../../vscode/app.ts";
import { parseUriOption } from "../../vscode/commands/command-options.ts";
import {
  CommandCancelled,
  CommandError,
  requireAnswer,
  type CommandRun,
} from "../../commands/command-types.ts";
import { setContextKey } from "../../vscode/context-keys.ts";
import { l10n } from "../../util/l10n.ts";
import { projectDisplayName } from "../../messages/labels.ts";
import { KnownProjects } from "../../database/personal/known-projects.ts";
import { showInformation, showWarning, offerActions, commandAction } from "../../vscode/notifications.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import type { ProjectConnection } from "../../vscode/projects/project-connection.ts";
import { pickOne } from "../../vscode/ui/input/quick-pick.ts";
import { formatCount } from "../../messages/counts-and-times.ts";
import { demoFolder, openDemoFolder, startDemoInItsFolder } from "./demo-folder.ts";
import type { FoundApp } from "../../workspace/local-service-project.ts";
import { defaultData, describeApp, exists, findApp, writeSettings } from "./service-data.ts";
import { startProcess, type ServiceProcess, type StartRequest } from "./service-process.ts";
import { defineCommand, type OptionsOf } from "../../commands/define-command.ts";

export const stopLocalServiceCommand = defineCommand({
  id: "stopLocalService",
  title: "Stop Local Service",
  needs: "window",
  description: "Stops the service that this window started, and signs out of it. Its database is kept.",
});

type StartOptions = OptionsOf<typeof startLocalServiceCommand>;

type Started = Pick<ServiceProcess, "baseUrl" | "token">;

/** A service that is starting or running, and its database. */
interface LocalService {
  readonly process: Promise<ServiceProcess>;
  readonly data: string;
}

/** Registers both commands. */
export function registerLocalService(app: App): void {
  let service: LocalService | undefined;
  const launch = (request: StartRequest, signal: AbortSignal): LocalService => {
    const launched = { process: startOnSamePort(app, request, signal), data: request.data };
    const onEnd = (): void => {
      if (service === launched) service = undefined;
      setContextKey("serviceRunning", false);
    };
    const whileRunning = async (): Promise<void> => {
      const { baseUrl, ended } = await launched.process;
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
      const request = await startRequest(app, options, run);
      run.report(l10n.t("Starting"));
      // Another call may have started it while this one prompted.
      isFirst = service === undefined;
      service ??= launch(request, run.signal);
    }
    const { baseUrl, token } = await service.process;
    offerSignIn(app, options, { baseUrl, token });
    return { outcome: isFirst ? "done" : "unchanged", baseUrl, token };
  };
  const stop: CommandWork<typeof stopLocalServiceCommand> = async (_app, _options, run) => {
    if (service === undefined) return { outcome: "unchanged" };
    const { data } = service;
    const running = await service.process;
    await running.stop();
    const message = await signOutOf(app, running.baseUrl, data);
    if (!run.quiet) void showInformation(message);
    return { outcome: "done" };
  };
  app.command(startLocalServiceCommand, start);
  app.command(stopLocalServiceCommand, stop);
  startDemoInItsFolder(app);
  offerToStartAgain(app, () => service !== undefined);
  app.addDisposable({
    dispose: () => void service?.process.then((started) => started.stop()).catch(() => undefined),
  });
}

/**
 * Starts the service on the port that this database was served on before, if that is free: sign-ins and unsaved texts belong
 * to the address.
 */
async function startOnSamePort(
  { context, log, projects }: App,
  request: StartRequest,
  signal: AbortSignal,
): Promise<ServiceProcess> {
  const bundle = Uri.joinPath(context.extensionUri, "dist", "service.mjs").fsPath;
  const name = `${PORT_PREFIX}${request.data}`;
  const earlier = request.port === undefined ? context.globalState.get<number>(name) : undefined;
  const start = (port: number | undefined): Promise<ServiceProcess> =>
    startProcess(bundle, { ...request, port }, log, signal);
  const started =
    earlier === undefined
      ? await start(request.port)
      : await start(earlier).catch((error: unknown) => {
          signal.throwIfAborted();
          log.info(`The local service did not start on its earlier port: ${String(error)}`);
          return start(undefined);
        });
  const { port } = new URL(started.baseUrl);
  if (earlier !== undefined && earlier !== Number(port)) {
    const before = started.baseUrl.replace(`:${port}/`, `:${earlier}/`);
    for (const open of projects.all)
      await new KnownProjects(open.personal.database).moveBaseUrl(before, started.baseUrl);
  }
  await context.globalState.update(name, Number(port));
  return started;
}

/** Of the names of the last ports, by database. */
const PORT_PREFIX = "localServicePort.";

/**
 * Says so where a project is signed in to a local service that does not run, as after its window was closed, and offers to
 * start it or to sign out.
 */
function offerToStartAgain(app: App, isRunning: () => boolean): void {
  const { context, projects } = app;
  const offered = new WeakSet<ProjectConnection>();
  const databaseServedAt = (baseUrl: string | null): string | undefined => {
    const url = baseUrl === null ? null : new URL(baseUrl);
    if (url?.hostname !== "127.0.0.1") return undefined;
    const isPort = (name: string): boolean => context.globalState.get<number>(name) === Number(url.port);
    const name = context.globalState.keys().find((each) => each.startsWith(PORT_PREFIX) && isPort(each));
    return name?.slice(PORT_PREFIX.length);
  };
  const offer = async (open: OpenProject): Promise<void> => {
    const { baseUrl, root, source } = open;
    const isUnreachable = open.freshness.kind === "offline" && source.hasService && !isRunning();
    const data = isUnreachable ? databaseServedAt(baseUrl) : undefined;
    // The demo starts by itself.
    if (data === undefined || offered.has(open.connection) || root.toString() === demoFolder(app).toString())
      return;
    offered.add(open.connection);
    const isOwn = data === (await defaultData(app, open, "own"));
    const target = isOwn ? { demo: false } : { data };
    offerActions(
      showWarning,
      l10n.t("“{0}” is signed in to the local service, which is not running.", projectDisplayName(open)),
      commandAction(app, l10n.t("Start Local Service"), startLocalServiceCommand, {
        ...target,
        folder: root,
        signIn: true,
      }),
      commandAction(app, l10n.t("Sign Out"), signOutCommand, { folder: root }),
    );
  };
  app.addDisposable(
    projects.subscribe(["freshness"], (open) => {
      offer(open).catch((error: unknown) => app.log.error("The local service could not be offered", error));
    }),
  );
}

/** Signs out of the projects of a service that has stopped. Returns what is where now, for people. */
async function signOutOf(app: App, baseUrl: string, data: string): Promise<string> {
  const open = app.projects.all.filter((each) => each.source.hasService && each.baseUrl === baseUrl);
  const unsaved = open.reduce((sum, { connection }) => sum + connection.drafts.count(), 0);
  for (const each of open) await app.projects.signOut(each);
  const parts = [l10n.t("The local service has stopped. Its project is kept in {0}.", data)];
  if (open.length > 0)
    parts.push(l10n.t("You are signed out of it; the views show your local files. Start it to continue."));
  if (unsaved > 0)
    parts.push(
      l10n.t("Kept until you sign in to this project again: {0}.", formatCount.unsavedTexts(unsaved)),
    );
  return parts.join(" ");
}

/** Signs in if requested, else offers it. Does not wait for the user. */
function offerSignIn(
  app: App,
  { confirm, folder, signIn: shouldSignIn }: StartOptions,
  { baseUrl, token }: Started,
): void {
  const options = definedFields({ baseUrl, token, folder });
  const signIn = commandAction(app, l10n.t("Sign In"), signInCommand, options);
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
 * Returns what to start: without options, what the user chooses, or quietly the project for this app.
 *
 * @throws {CommandCancelled} also if the demo was opened in its own folder
 */
async function startRequest(
  app: App,
  { data, port, demo, folder, signIn }: StartOptions,
  run: CommandRun,
): Promise<StartRequest> {
  const file = typeof data === "object" ? parseUriOption(data).fsPath : data;
  if (file !== undefined) return { data: file, port, demo: demo === true };
  const open = await chooseApp(app, folder, run);
  if (open !== undefined) await open.loadLocal(run.signal);
  const found = open === undefined ? undefined : await findApp(app, open, run.signal);
  run.pause();
  if (demo === true) {
    // The demo's texts must not get into the app that somebody works on.
    const isOtherApp = found !== undefined && open?.root.toString() !== demoFolder(app).toString();
    if (isOtherApp && !run.quiet) return openDemo(app);
    if (isOtherApp && signIn === true) throw otherAppError(found);
    return { data: await defaultData(app, open, "demo"), port, demo: true };
  }
  const choice = run.quiet || demo === false ? "own" : await chooseProject(app, found && describeApp(found));
  if (choice === "demo") return openDemo(app);
  const chosen = choice === "file" ? await chooseDataFile() : await defaultData(app, open, "own");
  // A database that was chosen may be another app's: it keeps its languages and its source language.
  const isOther = choice === "file" && (await exists(Uri.file(chosen)));
  const project = found === undefined || isOther ? undefined : await writeSettings(chosen, found);
  return { data: chosen, port, project, demo: false };
}

/** @throws {CommandCancelled} once the demo is opened: it starts there */
async function openDemo(app: App): Promise<never> {
  await openDemoFolder(app);
  throw new CommandCancelled();
}

function otherAppError({ name }: FoundApp): CommandError {
  return new CommandError(
    "invalid",
    l10n.t(
      "“{0}” has translation files of its own, so it is not signed in to the demo. Start the local service without “demo”.",
      name,
    ),
  );
}

/** Returns the app that the service is for; `undefined` if no folder is open. Quietly the first of several. */
async function chooseApp(app: App, folder: unknown, run: CommandRun): Promise<OpenProject | undefined> {
  await app.projects.ready;
  if (folder === undefined && (run.quiet || (workspace.workspaceFolders?.length ?? 0) === 0))
    return app.projects.active ?? app.projects.all[0];
  return app.projects.choose({ ...(folder === undefined ? {} : { folder }) } as StartOptions, "editor");
}

/** Prompts for the project. `description`: of the app, if it has translation files. */
function chooseProject(app: App, description: string | undefined): Promise<"own" | "demo" | "file"> {
  const own = {
    label: `$(folder) ${l10n.t("Project for this app")}`,
    description: description ?? l10n.t("still empty"),
    detail: l10n.t("Saved for next time"),
    value: "own" as const,
  };
  const demo = {
    label: l10n.t("$(beaker) Demo project"),
    description: l10n.t("a web shop in five languages"),
    detail: l10n.t("Opens a sample app in its own folder: {0}", demoFolder(app).fsPath),
    value: "demo" as const,
  };
  const file = {
    label: l10n.t("$(database) Project in a file…"),
    description: l10n.t("saved for next time"),
    value: "file" as const,
  };
  return pickOne(
    l10n.t("Start Local Service"),
    l10n.t("Which project should it serve?"),
    description === undefined ? [demo, own, file] : [own, file, demo],
  );
}

async function chooseDataFile(): Promise<string> {
  const picked = await window.showSaveDialog({
    title: l10n.t("Where should the service store its data?"),
    filters: { SQLite: ["db"] },
  });
  return requireAnswer(picked).fsPath;
}
