/** The webhook listener of a project: its secret, its port across reloads, and the handling of its deliveries. */
import type { AiJob, Delivery } from "../../api/webhook-verification.ts";
import { WebhookHandler } from "../../sync/webhook-handler.ts";
import type { App } from "../../vscode/app.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import { sha1 } from "../../model/key-hash.ts";
import { oneLine } from "../../vscode/ui/text/escape-text.ts";
import { showInformation, showWarning } from "../../vscode/notifications.ts";
import { l10n } from "../../vscode/l10n.ts";
import { listen, type Listener } from "./webhook-http-server.ts";
import { formatNumber } from "../../vscode/ui/text/counts-and-times.ts";

export class ProjectWebhooks {
  readonly #app: App;
  readonly #open: OpenProject;
  readonly #handler: WebhookHandler;
  #listener: Listener | undefined;
  #secret: string | null = null;
  /** Slugs of other projects whose deliveries were already reported. */
  readonly #others = new Set<string>();

  constructor(app: App, open: OpenProject) {
    this.#app = app;
    this.#open = open;
    this.#handler = new WebhookHandler({
      project: open.project,
      jobs: open.jobs,
      client: () => (open.project.session.kind === "signed-in" ? open.client() : null),
      onRenamed: (record) => void open.updateRecord(record),
      refresher: () => open.refresher,
      onAiJob: (job) => this.#showAiJob(job),
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
    const { workspaceState, secrets } = this.#app.context;
    this.#secret = (await secrets.get(this.#secretName)) ?? null;
    if (this.#secret !== null) this.#app.log.redact(this.#secret);
    const remembered = workspaceState.get<number>(this.#portName);
    const started = await listen(port ?? remembered ?? 0, {
      secret: () => this.#secret,
      accept: (delivery) => {
        const taken = this.#handler.accept(delivery);
        this.#app.log.info(`Webhook ${delivery.event} (${taken})`);
        if (taken !== "new") return () => {};
        return () => {
          this.#act(delivery).catch((error: unknown) =>
            this.#app.log.error("A webhook could not be acted upon", error),
          );
        };
      },
      refused: (reason) => this.#app.log.warn(`A webhook delivery was refused: ${reason}`),
    });
    this.#listener = started;
    await before?.close();
    return started.port;
  }

  async #act(delivery: Delivery): Promise<void> {
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

  async hasSecret(): Promise<boolean> {
    return (await this.#app.context.secrets.get(this.#secretName)) !== undefined;
  }

  async keepSecret(secret: string): Promise<void> {
    this.#app.log.redact(secret);
    this.#secret = secret;
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
    this.#secret = null;
    if (this.#app.context.workspaceState.get(this.#portName) !== undefined) await this.rememberPort();
    await this.#app.context.secrets.delete(this.#secretName);
  }

  get #portName(): string {
    return `webhooks.${this.#open.root.toString()}`;
  }

  get #secretName(): string {
    const { baseUrl, root, projectId } = this.#open;
    return `webhook.${sha1([baseUrl ?? "", root.toString(), projectId ?? ""].join("\u001f"))}`;
  }

  /** Reports an AI job, which no endpoint shows. */
  #showAiJob({ locale, status, totalItems, translatedItems, flaggedItems, failedItems }: AiJob): void {
    const { stats } = this.#open.project;
    const language = stats?.languages.find((each) => each.locale === locale)?.name ?? locale;
    const parts = [
      l10n.t("{0} of {1} texts translated", formatNumber(translatedItems), formatNumber(totalItems)),
      flaggedItems > 0 ? l10n.t("{0} to check", formatNumber(flaggedItems)) : "",
      failedItems > 0 ? l10n.t("{0} failed", formatNumber(failedItems)) : "",
    ].filter((part) => part !== "");
    const message = `${aiJobMessage(status, language)}: ${parts.join(", ")}`;
    const isDone = status === "completed";
    this.#app.results.add(this.#open, message, isDone ? "done" : "partly");
    if (isDone) void showInformation(message);
    else void showWarning(message);
  }
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
      return l10n.t("AI translation into {0} stopped at the project's budget", language);
    default:
      return l10n.t("AI translation into {0} ended", language);
  }
}
