/**
 * Refresh: by command, when the window opens or regains focus, and periodically while it has the focus and somebody is
 * signed in. No timer runs otherwise.
 */
import { Disposable, window } from "vscode";
import type { Stats } from "../../api/response-schemas.ts";
import { canQueryService } from "../../database/project-state.ts";
import type { RefreshOptions } from "../../sync/refresh/refresh.ts";
import type { App } from "../../vscode/app.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import { errorKindMessage } from "../../vscode/ui/text/error-messages.ts";
import { chooseSignedIn } from "../../vscode/commands/command-requirements.ts";
import {
  CommandError,
  type CommandResult,
  type CommonOptions,
  type FailureCode,
  type CommandRun,
} from "../../vscode/commands/command-types.ts";
import { l10n } from "../../vscode/l10n.ts";

/** Registers `projectTranslations.refresh` and `refreshAll`, and starts the timer. */
export function registerRefresh(app: App): void {
  app.command<CommonOptions, { readonly stats: Stats }>(
    "projectTranslations.refresh",
    l10n.t("Refresh"),
    // Reads again whatever does not match the counts of the service.
    (_app, options, run) => refresh(app, options, run, "where-different"),
  );
  app.command<CommonOptions, { readonly stats: Stats }>(
    "projectTranslations.refreshAll",
    l10n.t("Reload Everything"),
    (_app, options, run) => refresh(app, options, run, true),
  );
  app.addDisposable(new RefreshClock(app));
}

async function refresh(
  app: App,
  options: CommonOptions,
  run: CommandRun,
  whole: NonNullable<RefreshOptions["whole"]>,
): Promise<CommandResult<{ readonly stats: Stats }>> {
  const project = await app.projects.choose(options);
  // An explicit refresh also retries a refused token.
  project.retrySession();
  const { open } = await chooseSignedIn(app, { ...options, folder: project.root }, "read");
  run.report(l10n.t("Checking for changes"));
  const stats = await (await open.refresher).refresh({ priority: "person", whole, signal: run.signal });
  const { freshness } = open.project;
  if (stats !== null && freshness.kind === "fresh") return { outcome: "done", stats };
  if (freshness.kind !== "offline") throw new CommandError("offline", errorKindMessage("offline"));
  if (freshness.cause !== undefined) throw freshness.cause;
  throw new CommandError(freshness.error as FailureCode, errorKindMessage(freshness.error, freshness.code));
}

/** The refresh timer of the window; stopped while the window is not focused. */
class RefreshClock {
  readonly #app: App;
  readonly #subscription: Disposable;
  readonly #running = new Set<OpenProject>();
  /** Milliseconds since the epoch. */
  readonly #lastAttempts = new WeakMap<OpenProject, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor(app: App) {
    this.#app = app;
    const tick = (): void => this.#tick();
    this.#subscription = Disposable.from(
      window.onDidChangeWindowState(tick),
      app.settings.onDidChange(tick),
      app.projects.onDidChange(tick),
      app.projects.onDidChangeState(({ open, change }) => {
        if (change.session !== true) return;
        // Refreshes immediately after the session becomes known.
        if (open.project.session.kind === "signed-in") this.#refresh(open);
        else tick();
      }),
    );
    void app.projects.ready.then(tick);
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#subscription.dispose();
  }

  /** Refreshes the due projects and schedules the next one. */
  #tick(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (!window.state.focused) return;
    let next = Number.POSITIVE_INFINITY;
    for (const open of this.#app.projects.all) {
      const interval = this.#app.settings.of(open.root).refreshInterval * 1000;
      if (!canQueryService(open.project.session) || interval === 0 || this.#running.has(open)) continue;
      // Failed attempts count as well, to avoid overloading a failing service.
      const due = (this.#lastAttempts.get(open) ?? 0) + interval - Date.now();
      if (due <= 0) this.#refresh(open);
      else next = Math.min(next, due);
    }
    if (Number.isFinite(next)) this.#timer = setTimeout(() => this.#tick(), next);
  }

  #refresh(open: OpenProject): void {
    if (this.#running.has(open)) return;
    this.#running.add(open);
    this.#lastAttempts.set(open, Date.now());
    const work = async (): Promise<void> => {
      try {
        await (await open.refresher).refresh();
        // Also follows jobs started by other windows.
        open.jobs.resume();
      } catch (error) {
        this.#app.log.error("The background refresh failed", error);
      } finally {
        this.#running.delete(open);
        this.#tick();
      }
    };
    void work();
  }
}
