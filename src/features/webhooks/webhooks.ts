/**
 * Listen for Webhooks and Stop Listening: where the editor's port forwarding gives this machine an address, the service
 * itself tells what changed. Off until somebody asks for it, then on again with each window of the folder; the secret
 * lies in VS Code's secret storage and goes when the project is signed out of.
 */
import { env, Uri } from "vscode";
import type { App, Run } from "../../vscode/app.ts";
import type { OpenProject } from "../../vscode/projects/project-handle.ts";
import { setContextKey } from "../../vscode/context-keys.ts";
import { givenPort } from "../../vscode/ui/port-option.ts";
import { chooseSignedIn } from "../../vscode/command-requirements.ts";
import { showInformation } from "../../vscode/notifications.ts";
import { CommandError, type CommandResult, type CommonOptions } from "../../vscode/command-result.ts";
import { l10n } from "../../vscode/l10n.ts";
import { askSecret } from "./ask-secret.ts";
import { ProjectListener } from "./project-listener.ts";

interface ListenOptions extends CommonOptions {
  readonly secret?: unknown;
  readonly port?: unknown;
}

interface Listening {
  /** To be registered in the project's settings at the service. */
  readonly url: string;
  readonly port: number;
}

/** Registers both commands, and listens again where a window of the folder did before. */
export function registerWebhooks(app: App): void {
  const webhooks = new Webhooks(app);
  app.own(webhooks);
  app.command<ListenOptions, Listening>(
    "projectTranslations.listenForWebhooks",
    l10n.t("Listen for Webhooks"),
    (options, run) => webhooks.listen(options, run),
  );
  app.command<CommonOptions, object>(
    "projectTranslations.stopListening",
    l10n.t("Stop Listening for Webhooks"),
    (options) => webhooks.stop(options),
  );
}

class Webhooks {
  readonly #app: App;
  readonly #listeners = new Map<OpenProject, ProjectListener>();
  /** Projects that this window saw signed in, and not signed out since. */
  readonly #signedIn = new WeakSet<OpenProject>();
  readonly #subscriptions: readonly { dispose(): unknown }[];

  constructor(app: App) {
    this.#app = app;
    this.#subscriptions = [
      app.projects.onDidChange(() => this.#closeGone()),
      app.projects.onDidChangeState(({ open, change }) => {
        if (change.session === true) this.#sessionChanged(open);
        if (change.activity !== true) return;
        setContextKey(
          "listening",
          app.projects.all.some(({ project }) => project.listeningAt !== null),
        );
      }),
    ];
    void app.projects.ready.then(() => {
      for (const open of app.projects.all) this.#sessionChanged(open);
    });
  }

  async listen(options: ListenOptions, run: Run): Promise<CommandResult<Listening>> {
    const port = givenPort(options.port);
    const chosen = await chooseSignedIn(this.#app, options, "read");
    if (chosen === undefined) return { outcome: "cancelled" };
    const { open } = chosen;
    const listener = this.#listenerOf(open);
    const before = listener.port;
    const given = typeof options.secret === "string" ? options.secret.trim() : "";
    if (options.confirm === false && given === "" && !(await listener.hasSecret())) {
      const message = l10n.t("Set the webhook's secret with the option “secret”.");
      throw new CommandError("invalid", message, { errors: { secret: [message] } });
    }
    run.report(l10n.t("Starting"));
    const listening = await this.#started(listener, port);
    const url = await externalUrl(listening);
    if (given !== "") await listener.keepSecret(given);
    else if (!(await listener.hasSecret())) {
      run.pause();
      const secret = await askSecret(l10n.t("Listen for Webhooks"), url);
      if (secret === undefined) {
        await listener.stop();
        return { outcome: "cancelled" };
      }
      await listener.keepSecret(secret);
    }
    await listener.remember();
    open.project.setListeningAt(url);
    if (options.confirm !== false) this.#showAddress(url);
    return { outcome: before === listening && given === "" ? "unchanged" : "done", url, port: listening };
  }

  async stop(options: CommonOptions): Promise<CommandResult> {
    const open = await this.#app.projects.choose(options);
    if (open === undefined) return { outcome: "cancelled" };
    const listener = this.#listeners.get(open);
    if (listener?.port === undefined) return { outcome: "unchanged" };
    await listener.stop();
    await listener.forgetPort();
    open.project.setListeningAt(null);
    return { outcome: "done" };
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
    for (const listener of this.#listeners.values()) void listener.stop();
  }

  #listenerOf(open: OpenProject): ProjectListener {
    const listener = this.#listeners.get(open) ?? new ProjectListener(this.#app, open);
    this.#listeners.set(open, listener);
    return listener;
  }

  async #started(listener: ProjectListener, port: number | undefined): Promise<number> {
    try {
      return await listener.start(port);
    } catch (error) {
      const code = (error as { readonly code?: unknown }).code;
      if (code !== "EADDRINUSE" && code !== "EACCES") throw error;
      const message = l10n.t(
        "Another program or window is already listening on that port. Choose another with the option “port”, or omit it.",
      );
      throw new CommandError("invalid", message, { errors: { port: [message] } });
    }
  }

  #showAddress(url: string): void {
    const copy = l10n.t("Copy URL");
    const message = l10n.t(
      "Listening for webhooks at {0}. Have a manager register this URL in the project's settings; the port must be forwarded to be reachable from outside.",
      url,
    );
    void showInformation(message, copy).then((chosen) => {
      if (chosen === copy) return env.clipboard.writeText(url);
      return undefined;
    });
  }

  /** Signed in: listens as before. Signed out: nothing of it is left. */
  #sessionChanged(open: OpenProject): void {
    const work = async (): Promise<void> => {
      const { kind } = open.project.session;
      if (kind === "signed-in") {
        this.#signedIn.add(open);
        const listener = this.#listenerOf(open);
        if (listener.port !== undefined || !(await listener.wasListening())) return;
        open.project.setListeningAt(await externalUrl(await listener.start(undefined)));
      } else if (kind !== "unknown") {
        await this.#listeners.get(open)?.stop();
        // Nothing is looked for where nobody was signed in.
        if (kind === "signed-out" && this.#signedIn.delete(open)) await this.#listenerOf(open).forget();
        if (open.project.listeningAt !== null) open.project.setListeningAt(null);
      }
    };
    work().catch((error: unknown) => {
      // Another window of the folder has the port, as a rule, and what it reads is shown here too.
      this.#app.log.info(`Webhooks are not listened for: ${String(error)}`);
    });
  }

  #closeGone(): void {
    for (const [open, listener] of this.#listeners) {
      if (this.#app.projects.all.includes(open)) continue;
      this.#listeners.delete(open);
      void listener.stop();
    }
  }
}

/** Where the port is reached from outside of this machine, as far as the editor forwards it. */
async function externalUrl(port: number): Promise<string> {
  const uri = await env.asExternalUri(Uri.parse(`http://127.0.0.1:${port}/`));
  return uri.toString(true);
}
