/**
 * Listen for Webhooks and Stop Listening: receives change notifications of the service where the editor forwards ports. Off
 * by default; once enabled, it restarts with each window of the folder. The secret is in VS Code's secret storage and is
 * deleted when signing out.
 */
import { stopListeningCommand } from "../../commands/declarations/session-commands.ts";
import { env, Uri, window } from "vscode";
import type { App } from "../../vscode/app.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import type { ProjectConnection } from "../../vscode/projects/project-connection.ts";
import { setContextKey } from "../../vscode/context-keys.ts";
import { invalidOptionError } from "../../vscode/commands/command-options.ts";
import { reportResult } from "../../vscode/commands/report-result.ts";
import { showInformation, offerActions } from "../../vscode/notifications.ts";
import { iconButton, pickOne, showUntilHidden } from "../../vscode/ui/input/quick-pick.ts";
import type { CommandResult, CommandRun } from "../../commands/command-types.ts";
import { l10n } from "../../util/l10n.ts";
import type { AiJob, Delivery } from "../../api/webhook-verification.ts";
import { WebhookHandler } from "../../sync/webhook-handler.ts";
import { sha1 } from "../../model/key-hash.ts";
import { oneLine } from "../../messages/escape-text.ts";
import { listen, type Listener } from "./webhook-http-server.ts";
import { formatNumber } from "../../messages/counts-and-times.ts";
import { getOrCreate } from "../../util/maps.ts";
import * as v from "valibot";
import { defineCommand, resolvesWith, type FieldsOf, type OptionsOf } from "../../commands/define-command.ts";
import { option, PortSchema } from "../../commands/option-schemas.ts";

export const listenForWebhooksCommand = defineCommand({
  id: "listenForWebhooks",
  title: "Listen for Webhooks",
  needs: "signed-in",
  description: "Receives the webhook deliveries of the service in this window.",
  options: {
    secret: option(v.string(), "The webhook’s secret; default: the stored one, else it is asked for."),
    port: option(PortSchema, "Default: the last one, else a free port."),
  },
  resolvesWith: resolvesWith<{
    /** The URL to register in the project's settings at the service. */
    readonly url: string;
    readonly port: number;
  }>("`url`, `port`"),
});

/** Registers both commands and restarts listening in folders where it was enabled. */
export function registerWebhooks(app: App): void {
  const listeners = new Map<ProjectConnection, ProjectWebhooks>();
  /** The listeners of the last sessions in this window. */
  const ofLastSession = new WeakMap<OpenProject, ProjectWebhooks>();
  const listenerOf = (open: OpenProject): ProjectWebhooks =>
    getOrCreate(listeners, open.connection, () => new ProjectWebhooks(app, open));

  /** Restarts the listener after a sign-in; stops it when the session ends, and deletes its secret after a sign-out. */
  const followSession = async (open: OpenProject): Promise<void> => {
    const { connection } = open;
    const { kind } = connection.session;
    if (kind === "signed-in") {
      const listener = listenerOf(open);
      ofLastSession.set(open, listener);
      if (!(await listener.wasListening())) return;
      connection.setActivity({ listeningAt: await externalUrl(await listener.start(undefined)) });
    } else if (kind !== "unknown") {
      // Who signs in to another project of the service ends a session, too, but may come back.
      const ended = connection.projectId === null ? ofLastSession.get(open) : undefined;
      await listeners.get(connection)?.stop();
      await ended?.forget();
      if (connection.activity.listeningAt !== null) connection.setActivity({ listeningAt: null });
    }
  };
  /** What follows from the last sessions, such as the deletion of a secret. */
  let following: Promise<unknown> = Promise.resolve();
  const onSessionChange = (open: OpenProject): void => {
    const followed = followSession(open).catch((error: unknown) => {
      // Usually another window of the folder uses the port; its updates are shown here as well.
      app.log.info(`Not listening for webhooks: ${String(error)}`);
    });
    following = Promise.all([following, followed]);
  };
  /** Stops the listeners of all connections except those of these projects. */
  const stopAllExcept = (remaining: readonly OpenProject[]): void => {
    for (const [connection, listener] of listeners) {
      if (remaining.some((open) => open.connection === connection)) continue;
      listeners.delete(connection);
      void listener.stop();
    }
  };

  app.command(listenForWebhooksCommand, async (_app, options, run) => {
    const { port } = options;
    const { open } = run;
    // The secret of an ended session must be gone.
    await following;
    return startListening(run.connection, listenerOf(open), port, options, run);
  });
  app.command(stopListeningCommand, async (_app, _options, { connection }) => {
    const listener = listeners.get(connection);
    if (listener?.port === undefined) return { outcome: "unchanged" };
    await listener.stop();
    await listener.rememberPort();
    connection.setActivity({ listeningAt: null });
    return { outcome: "done" };
  });
  app.addDisposable(
    app.projects.onDidChange(() => stopAllExcept(app.projects.all)),
    // At once, since a connection that is signed out of is replaced soon after.
    app.store.onDidChange((table, project) => {
      const open = table === "session" ? app.projects.all.find((each) => each === project) : undefined;
      if (open !== undefined) onSessionChange(open);
    }),
    app.store.subscribe(["projects", "activity"], () =>
      setContextKey(
        "listening",
        app.projects.all.some(({ connection }) => connection.activity.listeningAt !== null),
      ),
    ),
    { dispose: () => stopAllExcept([]) },
  );
}

async function startListening(
  connection: ProjectConnection,
  listener: ProjectWebhooks,
  port: number | undefined,
  options: OptionsOf<typeof listenForWebhooksCommand>,
  run: CommandRun,
): Promise<CommandResult<FieldsOf<typeof listenForWebhooksCommand>>> {
  const previousPort = listener.port;
  const given = (options.secret ?? "").trim();
  if (run.quiet && given === "" && !(await listener.hasSecret())) {
    throw invalidOptionError("secret", l10n.t("Set the webhook’s secret with the option “secret”."));
  }
  run.report(l10n.t("Starting"));
  const listeningPort = await startListener(listener, port, run);
  const url = await externalUrl(listeningPort);
  if (given !== "") await listener.saveSecret(given);
  else if (!(await listener.hasSecret())) {
    run.pause();
    const secret = await promptForSecret(url);
    // Throws if the user signed out in the meantime; nothing may be stored then.
    if (secret !== undefined) connection.client();
    if (secret === undefined || listener.port === undefined) {
      await listener.stop();
      return { outcome: "cancelled" };
    }
    await listener.saveSecret(secret);
  }
  await listener.rememberPort();
  connection.setActivity({ listeningAt: url });
  if (!run.quiet) {
    const message = l10n.t(
      "Listening for webhooks at {0}. Have a manager register this URL in the project’s settings; the port must be forwarded to be reachable from outside.",
      url,
    );
    const act = () => env.clipboard.writeText(url);
    offerActions(showInformation, message, { label: l10n.t("Copy URL"), act });
  }
  const isUnchanged = previousPort === listeningPort && given === "";
  return { outcome: isUnchanged ? "unchanged" : "done", url, port: listeningPort };
}

/**
 * Starts on the port, by default on the previous one. If that is taken, starts on a free one if the user agrees.
 *
 * @throws {CommandError} `cancelled`; `invalid` if the given port is taken, or the previous one without prompts.
 */
export async function startListener(
  listener: Pick<ProjectWebhooks, "start">,
  port: number | undefined,
  run: Pick<CommandRun, "quiet" | "pause">,
): Promise<number> {
  try {
    return await listener.start(port);
  } catch (error) {
    if (!isPortTaken(error)) throw error;
  }
  if (run.quiet || port !== undefined) {
    throw invalidOptionError(
      "port",
      l10n.t(
        "Another program or window is already listening on that port. Choose another with the option “port”, or omit it.",
      ),
    );
  }
  run.pause();
  const title = l10n.t("Listen for Webhooks");
  const message = l10n.t("Another program or window is already listening on the previous port.");
  const useAnotherPort = {
    label: l10n.t("Use Another Port"),
    detail: l10n.t("The URL changes, so it must be registered again in the project’s settings."),
    value: 0,
  };
  return listener.start(await pickOne(title, message, [useAnotherPort]));
}

function isPortTaken(error: unknown): boolean {
  const { code } = error as { readonly code?: unknown };
  return code === "EADDRINUSE" || code === "EACCES";
}

/** Returns the external URL of the port if the editor forwards it. */
async function externalUrl(port: number): Promise<string> {
  const uri = await env.asExternalUri(Uri.parse(`http://127.0.0.1:${port}/`));
  return uri.toString(true);
}

/** Prompts for the secret; `undefined` if dismissed. */
async function promptForSecret(url: string): Promise<string | undefined> {
  const input = window.createInputBox();
  input.title = l10n.t("Listen for Webhooks");
  input.password = true;
  input.ignoreFocusOut = true;
  input.buttons = [iconButton("copy", l10n.t("Copy URL"))];
  input.prompt = l10n.t(
    "Have a manager register {0} as a webhook in the project’s settings, then enter the webhook’s secret. It is stored in VS Code’s secret storage.",
    url,
  );
  let answer: string | undefined;
  input.onDidTriggerButton(() => void env.clipboard.writeText(url));
  input.onDidChangeValue(() => {
    input.validationMessage = "";
  });
  input.onDidAccept(() => {
    answer = input.value.trim() || undefined;
    if (answer === undefined)
      input.validationMessage = l10n.t("Enter the secret, or press Escape to cancel.");
    else input.hide();
  });
  await showUntilHidden(input);
  return answer;
}

/** The webhook listener of a project: its secret, its port across reloads, and the handling of its deliveries. */
class ProjectWebhooks {
  readonly #app: App;
  readonly #open: OpenProject;
  readonly #handler: WebhookHandler;
  readonly #portName: string;
  readonly #secretName: string;
  #listener: Listener | undefined;
  /** Slugs of other projects whose deliveries were already reported. */
  readonly #others = new Set<string>();

  constructor(app: App, open: OpenProject) {
    this.#app = app;
    this.#open = open;
    const { root, connection } = open;
    const { baseUrl, projectId } = connection;
    this.#portName = `webhooks.${root.toString()}`;
    this.#secretName = `webhook.${sha1([baseUrl ?? "", root.toString(), projectId ?? ""].join("\u001f"))}`;
    this.#handler = new WebhookHandler({
      project: connection,
      jobs: connection.jobPoller,
      client: () => connection.client(),
      onRenamed: (record) => void connection.updateRecord(record),
      refresher: () => connection.refresher,
      onAiJob: (job) => showAiJob(app, open, job),
      onCompleted: ({ locale, name }) =>
        app.results.add(open, l10n.t("{0} is completely translated", name === "" ? locale : name)),
    });
  }

  /** The port; `undefined` while it does not listen. */
  get port(): number | undefined {
    return this.#listener?.port;
  }

  /** Starts listening, by default on the previous port. Rejects if the port is in use. */
  async start(port: number | undefined): Promise<number> {
    const before = this.#listener;
    if (before !== undefined && (port === undefined || port === 0 || port === before.port))
      return before.port;
    const secret = await this.#secret();
    if (secret !== undefined) this.#app.log.redact(secret);
    const remembered = this.#app.context.workspaceState.get<number>(this.#portName);
    const started = await listen(port ?? remembered ?? 0, {
      secret: () => this.#secret(),
      received: (delivery) =>
        void this.#process(delivery).catch((error: unknown) =>
          this.#app.log.error("A webhook delivery could not be processed", error),
        ),
      refused: (reason) => this.#app.log.warn(`A webhook delivery was refused: ${reason}`),
    });
    this.#listener = started;
    await before?.close();
    return started.port;
  }

  async #process(delivery: Delivery): Promise<void> {
    const accepted = this.#handler.accept(delivery);
    this.#app.log.info(`Webhook ${delivery.event} (${accepted})`);
    if (accepted !== "new") return;
    if ((await this.#handler.process(delivery)) === "done" || this.#others.has(delivery.slug)) return;
    this.#others.add(delivery.slug);
    const message = l10n.t(
      "Webhook deliveries of another project ({0}) arrive here and are ignored. Have its webhook removed, or sign in to that project.",
      oneLine(delivery.slug),
    );
    this.#app.log.warn(message);
    this.#app.results.add(this.#open, message, "partly");
  }

  async stop(): Promise<void> {
    const listener = this.#listener;
    this.#listener = undefined;
    await listener?.close();
  }

  #secret(): Thenable<string | undefined> {
    return this.#app.context.secrets.get(this.#secretName);
  }

  async hasSecret(): Promise<boolean> {
    return (await this.#secret()) !== undefined;
  }

  async saveSecret(secret: string): Promise<void> {
    this.#app.log.redact(secret);
    await this.#app.context.secrets.store(this.#secretName, secret);
  }

  /** Stores whether windows of this folder listen, and on which port. */
  async rememberPort(): Promise<void> {
    await this.#app.context.workspaceState.update(this.#portName, this.port);
  }

  async wasListening(): Promise<boolean> {
    return this.#app.context.workspaceState.get(this.#portName) !== undefined && (await this.hasSecret());
  }

  /** Stops listening and deletes the secret and the port. */
  async forget(): Promise<void> {
    await this.stop();
    await this.rememberPort();
    await this.#app.context.secrets.delete(this.#secretName);
  }
}

/** Reports an AI job, which no endpoint shows. */
function showAiJob(app: App, open: OpenProject, job: AiJob): void {
  const { locale, status, totalItems, translatedItems, flaggedItems, failedItems } = job;
  const language = open.stats?.languages.find((each) => each.locale === locale)?.name ?? locale;
  const parts = [
    l10n.t("{0} of {1} texts translated", formatNumber(translatedItems), formatNumber(totalItems)),
    ...(flaggedItems > 0 ? [l10n.t("{0} to check", formatNumber(flaggedItems))] : []),
    ...(failedItems > 0 ? [l10n.t("{0} failed", formatNumber(failedItems))] : []),
  ];
  const message = `${aiJobMessage(status, language)}: ${parts.join(", ")}`;
  reportResult(app, open, { quiet: false }, message, { isPartial: status !== "completed" });
}

function aiJobMessage(status: string, language: string): string {
  switch (status) {
    case "completed":
      return l10n.t("AI translation into {0} is ready", language);
    case "failed":
      return l10n.t("AI translation into {0} failed", language);
    case "cancelled":
      return l10n.t("AI translation into {0} was cancelled", language);
    case "budget_exceeded":
      return l10n.t("AI translation into {0} stopped at the project’s budget", language);
    default:
      return l10n.t("AI translation into {0} ended", language);
  }
}
