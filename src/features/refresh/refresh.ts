/**
 * Refresh: by command, once when a window opens or gets the focus back, and by the clock while it has the focus and
 * somebody is signed in. Unfocused or signed out no timer runs. What a refresh reads is refresh.ts's.
 */
import { window } from "vscode";
import type { Stats } from "../../api/schemas.ts";
import { mayAsk } from "../../database/project-state.ts";
import type { RefreshOptions } from "../../sync/refresh.ts";
import type { App, Run } from "../../vscode/app.ts";
import type { OpenProject } from "../../vscode/projects/project-handle.ts";
import { sentenceOfKind } from "../../vscode/ui/error-messages.ts";
import { chooseSignedIn } from "../../vscode/command-requirements.ts";
import {
  CommandError,
  type CommandResult,
  type CommonOptions,
  type FailureCode,
} from "../../vscode/command-result.ts";
import { l10n } from "../../vscode/l10n.ts";

/** Registers `projectTranslations.refresh` and `refreshAll`, and starts the clock. */
export function registerRefresh(app: App): void {
  app.command<CommonOptions, { readonly stats: Stats }>(
    "projectTranslations.refresh",
    l10n.t("Refresh"),
    // What does not add up with the service's counts is corrected on the way.
    (options, run) => refresh(app, options, run, "where-different"),
  );
  app.command<CommonOptions, { readonly stats: Stats }>(
    "projectTranslations.refreshAll",
    l10n.t("Reload Everything"),
    (options, run) => refresh(app, options, run, true),
  );
  app.own(new RefreshClock(app));
}

async function refresh(
  app: App,
  options: CommonOptions,
  run: Run,
  whole: NonNullable<RefreshOptions["whole"]>,
): Promise<CommandResult<{ readonly stats: Stats }>> {
  const meant = await app.projects.choose(options);
  if (meant === undefined) return { outcome: "cancelled" };
  // Somebody who asks wants to know whether a refused token works again.
  meant.retrySession();
  const chosen = await chooseSignedIn(app, { ...options, folder: meant.root }, "read");
  if (chosen === undefined) return { outcome: "cancelled" };
  const { open } = chosen;
  run.report(l10n.t("Checking for changes"));
  const stats = await (await open.refresher).refresh({ priority: "person", whole, signal: run.signal });
  const { freshness } = open.project;
  if (stats !== null && freshness.kind === "fresh") return { outcome: "done", stats };
  if (freshness.kind !== "offline") throw new CommandError("offline", sentenceOfKind("offline"));
  if (freshness.cause !== undefined) throw freshness.cause;
  throw new CommandError(freshness.error as FailureCode, sentenceOfKind(freshness.error, freshness.code));
}

/** One timer for the window, and none while nobody would see what it brings. */
class RefreshClock {
  readonly #app: App;
  readonly #subscriptions: { dispose(): unknown }[] = [];
  readonly #running = new Set<OpenProject>();
  #timer: NodeJS.Timeout | undefined;

  constructor(app: App) {
    this.#app = app;
    const tick = (): void => this.#tick();
    this.#subscriptions.push(
      window.onDidChangeWindowState(tick),
      app.settings.onDidChange(tick),
      app.projects.onDidChange(tick),
      app.projects.onDidChangeState(({ open, change }) => {
        if (change.session !== true) return;
        // Whoever just signed in, or whose session was just found, sees what is new at once.
        if (open.project.session.kind === "signed-in") this.#refresh(open);
        else tick();
      }),
    );
    void app.projects.ready.then(tick);
  }

  dispose(): void {
    clearTimeout(this.#timer);
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  /** Refreshes what is due and sets the timer for what is due next. */
  #tick(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (!window.state.focused) return;
    let next = Number.POSITIVE_INFINITY;
    for (const open of this.#app.projects.all) {
      const interval = this.#app.settings.of(open.root).refreshInterval * 1000;
      if (!mayAsk(open.project.session) || interval === 0 || this.#running.has(open)) continue;
      const due = this.#dueIn(open, interval);
      if (due <= 0) this.#refresh(open);
      else next = Math.min(next, due);
    }
    if (Number.isFinite(next)) this.#timer = setTimeout(() => this.#tick(), next);
  }

  /** Milliseconds; an attempt that failed counts too, so that nobody hammers a service that is down. */
  #dueIn(open: OpenProject, interval: number): number {
    return (this.#asked.get(open) ?? 0) + interval - Date.now();
  }

  readonly #asked = new WeakMap<OpenProject, number>();

  #refresh(open: OpenProject): void {
    if (this.#running.has(open)) return;
    this.#running.add(open);
    this.#asked.set(open, Date.now());
    const work = async (): Promise<void> => {
      try {
        await (await open.refresher).refresh();
        // Jobs that another window of the folder began are shown and followed here too.
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
