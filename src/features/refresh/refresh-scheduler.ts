/**
 * Refresh: by command, when the window opens or regains focus, and periodically while it has the focus and somebody is
 * signed in. No timer runs otherwise.
 */
import { refreshCommand, refreshRowCommand } from "../../commands/declarations/session-commands.ts";
import { window, workspace } from "vscode";
import { canQueryService } from "../../database/session/session.ts";
import type { RefreshOptions } from "../../sync/refresh/refresh.ts";
import type { App, CommandWork } from "../../vscode/app.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import { reloadFiles } from "../../vscode/projects/refresh-project.ts";
import { CommandError } from "../../commands/command-types.ts";
import { l10n } from "../../util/l10n.ts";
import { errorKindMessage } from "../../messages/error-messages.ts";
import { defineCommand, type OptionsOf } from "../../commands/define-command.ts";

export const refreshAllCommand = defineCommand({
  id: "refreshAll",
  title: "Reload Everything",
  needs: refreshCommand.needs,
  description: "Reads everything again. A button of a view that refreshes does this with Alt pressed.",
  resolvesWith: refreshCommand.resolvesWith,
});

/** Registers `projectTranslations.refresh` and `refreshAll`, and starts the timer. */
export function registerRefresh(app: App): void {
  // Reads again whatever does not match the counts of the service.
  const choose = async (options: OptionsOf<typeof refreshCommand>): Promise<OpenProject> => {
    const open = await app.projects.choose(options);
    // An explicit refresh also retries a refused token.
    open.connection.retrySession();
    return open;
  };
  app.command(refreshCommand, refresh("where-different"), choose);
  app.command(refreshRowCommand, refresh("where-different"), choose);
  app.command(refreshAllCommand, refresh(true), choose);
  startTimer(app);
}

const refresh =
  (full: RefreshOptions["full"] & {}): CommandWork<typeof refreshCommand> =>
  async (_app, _options, run) => {
    const { open } = run;
    run.report(l10n.t("Checking for changes"));
    if (!open.source.hasService && workspace.isTrusted) {
      await reloadFiles(open, run.signal);
      return { outcome: "done", stats: open.stats };
    }
    // Fails if the token was refused, or nothing may be sent: a person sees that the folder is not trusted.
    open.client();
    open.connection.jobPoller.pollNow();
    const stats = await (await open.refresher).refresh({ priority: "person", full, signal: run.signal });
    const { freshness } = open;
    if (stats !== null && freshness.kind === "fresh") return { outcome: "done", stats };
    if (freshness.kind !== "offline") throw new CommandError("offline", errorKindMessage("offline"));
    throw freshness.error;
  };

/**
 * Returns how long the next refresh is not due yet, in milliseconds.
 * @param last time of the last attempt, in milliseconds since the epoch as `now`; one in the future was made before the clock
 * was set back, and is void
 */
export function delayUntilRefresh(last: number, now: number, interval: number): number {
  const elapsed = now - last;
  return elapsed < 0 ? 0 : Math.max(0, interval - elapsed);
}

/** Starts the refresh timer of the window, which is stopped while the window is not focused. */
function startTimer(app: App): void {
  /** Milliseconds since the epoch. */
  const lastAttempts = new WeakMap<OpenProject, number>();
  let timer: NodeJS.Timeout | undefined;

  /** Refreshes the due projects and schedules the next one. */
  const tick = (): void => {
    clearTimeout(timer);
    if (!window.state.focused) return;
    let next = Number.POSITIVE_INFINITY;
    for (const open of app.projects.all) {
      const interval = app.settings.of(open.root).refreshInterval * 1000;
      if (!canQueryService(open.session) || interval === 0) continue;
      // Failed attempts count as well, to avoid overloading a failing service.
      const delay = delayUntilRefresh(lastAttempts.get(open) ?? 0, Date.now(), interval);
      if (delay === 0) void refreshNow(open);
      else next = Math.min(next, delay);
    }
    if (Number.isFinite(next)) timer = setTimeout(tick, next);
  };

  const refreshNow = async (open: OpenProject): Promise<void> => {
    lastAttempts.set(open, Date.now());
    try {
      const { connection } = open;
      await (await connection.refresher).refresh();
      // Also follows jobs started by other windows.
      connection.jobPoller.resume();
    } catch (error) {
      app.log.error("The background refresh failed", error);
    }
    tick();
  };

  app.addDisposable(
    { dispose: () => clearTimeout(timer) },
    window.onDidChangeWindowState(tick),
    app.store.subscribe(["settings", "projects"], tick),
    app.projects.subscribe(["session"], (open) => {
      // Refreshes immediately after the session becomes known.
      if (open.source.isConnected) void refreshNow(open);
      else tick();
    }),
  );
  app.projects.whenReady(tick);
}
