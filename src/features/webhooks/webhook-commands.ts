/**
 * Listen for Webhooks and Stop Listening: receives change notifications of the service where the editor forwards ports. Off
 * by default; once enabled, it restarts with each window of the folder. The secret is in VS Code's secret storage and is
 * deleted when signing out.
 */
import { Disposable, env, Uri, window } from "vscode";
import type { App } from "../../vscode/app.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import { setContextKey } from "../../vscode/context-keys.ts";
import { parsePortOption } from "../../vscode/commands/command-options.ts";
import { chooseSignedIn } from "../../vscode/commands/command-requirements.ts";
import { showInformation, offerActions } from "../../vscode/notifications.ts";
import { iconButton, pickOne, showUntilHidden } from "../../vscode/ui/input/quick-pick.ts";
import {
  CommandError,
  type CommandResult,
  type CommonOptions,
  type CommandRun,
} from "../../vscode/commands/command-types.ts";
import { l10n } from "../../vscode/l10n.ts";
import { ProjectWebhooks } from "./project-webhooks.ts";

interface ListenOptions extends CommonOptions {
  readonly secret?: unknown;
  readonly port?: unknown;
}

interface Listening {
  /** The URL to register in the project's settings at the service. */
  readonly url: string;
  readonly port: number;
}

/** Registers both commands and restarts listening in folders where it was enabled. */
export function registerWebhooks(app: App): void {
  const webhooks = new Webhooks(app);
  app.addDisposable(webhooks);
  app.command<ListenOptions, Listening>(
    "projectTranslations.listenForWebhooks",
    l10n.t("Listen for Webhooks"),
    (_app, options, run) => webhooks.listen(options, run),
  );
  app.command<CommonOptions, object>(
    "projectTranslations.stopListening",
    l10n.t("Stop Listening for Webhooks"),
    (_app, options) => webhooks.stop(options),
  );
}

class Webhooks {
  readonly #app: App;
  readonly #listeners = new Map<OpenProject, ProjectWebhooks>();
  /** Projects that were signed in since this window opened. */
  readonly #signedIn = new WeakSet<OpenProject>();
  readonly #subscription: Disposable;

  constructor(app: App) {
    this.#app = app;
    this.#subscription = Disposable.from(
      app.projects.onDidChange(() => this.#closeGone()),
      app.projects.onDidChangeState(({ open, change }) => {
        if (change.session === true) this.#sessionChanged(open);
        if (change.activity !== true) return;
        setContextKey(
          "listening",
          app.projects.all.some(({ project }) => project.activity.listeningAt !== null),
        );
      }),
    );
    void app.projects.ready.then(() => {
      for (const open of app.projects.all) this.#sessionChanged(open);
    });
  }

  async listen(options: ListenOptions, run: CommandRun): Promise<CommandResult<Listening>> {
    const port = parsePortOption(options.port);
    const { open } = await chooseSignedIn(this.#app, options, "read");
    const listener = this.#listenerOf(open);
    const before = listener.port;
    const given = typeof options.secret === "string" ? options.secret.trim() : "";
    if (options.confirm === false && given === "" && !(await listener.hasSecret())) {
      const message = l10n.t("Set the webhook's secret with the option “secret”.");
      throw new CommandError("invalid", message, { errors: { secret: [message] } });
    }
    run.report(l10n.t("Starting"));
    const listening = await start(listener, port, run);
    if (listening === undefined) return { outcome: "cancelled" };
    const url = await externalUrl(listening);
    if (given !== "") await listener.keepSecret(given);
    else if (!(await listener.hasSecret())) {
      run.pause();
      const secret = await promptForSecret(url);
      // Throws if the user signed out in the meantime; nothing may be stored then.
      if (secret !== undefined) open.client();
      if (secret === undefined || listener.port === undefined) {
        await listener.stop();
        return { outcome: "cancelled" };
      }
      await listener.keepSecret(secret);
    }
    await listener.rememberPort();
    open.project.setActivity({ listeningAt: url });
    if (options.confirm !== false) this.#showAddress(url);
    return { outcome: before === listening && given === "" ? "unchanged" : "done", url, port: listening };
  }

  async stop(options: CommonOptions): Promise<CommandResult> {
    const open = await this.#app.projects.choose(options);
    const listener = this.#listeners.get(open);
    if (listener?.port === undefined) return { outcome: "unchanged" };
    await listener.stop();
    await listener.rememberPort();
    open.project.setActivity({ listeningAt: null });
    return { outcome: "done" };
  }

  dispose(): void {
    this.#subscription.dispose();
    for (const listener of this.#listeners.values()) void listener.stop();
  }

  #listenerOf(open: OpenProject): ProjectWebhooks {
    const listener = this.#listeners.get(open) ?? new ProjectWebhooks(this.#app, open);
    this.#listeners.set(open, listener);
    return listener;
  }

  #showAddress(url: string): void {
    const message = l10n.t(
      "Listening for webhooks at {0}. Have a manager register this URL in the project's settings; the port must be forwarded to be reachable from outside.",
      url,
    );
    const act = () => env.clipboard.writeText(url);
    offerActions(showInformation, message, { label: l10n.t("Copy URL"), act });
  }

  /** Restarts the listener after a sign-in; stops it and deletes its secret after a sign-out. */
  #sessionChanged(open: OpenProject): void {
    const work = async (): Promise<void> => {
      const { kind } = open.project.session;
      if (kind === "signed-in") {
        this.#signedIn.add(open);
        const listener = this.#listenerOf(open);
        if (listener.port !== undefined || !(await listener.wasListening())) return;
        open.project.setActivity({ listeningAt: await externalUrl(await listener.start(undefined)) });
      } else if (kind !== "unknown") {
        await this.#listeners.get(open)?.stop();
        // Only if the project was signed in before.
        if (kind === "signed-out" && this.#signedIn.delete(open)) await this.#listenerOf(open).forget();
        if (open.project.activity.listeningAt !== null) open.project.setActivity({ listeningAt: null });
      }
    };
    work().catch((error: unknown) => {
      // Usually another window of the folder uses the port; its updates are shown here as well.
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

/**
 * Starts on the port, by default on the previous one. If that is taken, starts on a free one if the user agrees, and returns
 * `undefined` otherwise.
 *
 * @throws {CommandError} `invalid` if the given port is taken, or the previous one without prompts.
 */
async function start(
  listener: ProjectWebhooks,
  port: number | undefined,
  run: CommandRun,
): Promise<number | undefined> {
  try {
    return await listener.start(port);
  } catch (error) {
    if (!isPortTaken(error)) throw error;
  }
  if (run.quiet || port !== undefined) {
    const message = l10n.t(
      "Another program or window is already listening on that port. Choose another with the option “port”, or omit it.",
    );
    throw new CommandError("invalid", message, { errors: { port: [message] } });
  }
  run.pause();
  const isChosen = await pickOne(
    l10n.t("Listen for Webhooks"),
    l10n.t("Another program or window is already listening on the previous port."),
    [
      {
        label: l10n.t("Use Another Port"),
        detail: l10n.t("The URL changes, so it must be registered again in the project's settings."),
        value: true,
      },
    ],
  );
  return isChosen === true ? listener.start(0) : undefined;
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
    "Have a manager register {0} as a webhook in the project's settings, then enter the webhook's secret. It is stored in VS Code's secret storage.",
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
