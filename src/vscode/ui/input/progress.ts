/**
 * Progress of a command: a cancellable notification, shown if the command reported progress and is still running a second
 * later. It closes when the command ends. After a cancellation it comes back without its button: what was sent is waited for.
 */
import { ProgressLocation, window } from "vscode";
import { l10n } from "../../../util/l10n.ts";
import { labelText } from "../../../messages/escape-text.ts";
import type { CommandRun } from "../../../commands/command-types.ts";

const SHOW_DELAY_MS = 1000;

/** Runs the work with a `CommandRun`. `quiet`: no notification is shown. */
export async function runWithProgress<Result>(
  title: string,
  quiet: boolean,
  work: (run: CommandRun) => Promise<Result>,
): Promise<Result> {
  const cancel = new AbortController();
  const notice = new Notice(title, () => cancel.abort());
  const run: CommandRun = {
    signal: cancel.signal,
    quiet,
    report: (message, percent) => {
      if (!quiet) notice.report(message, percent);
    },
    pause: () => notice.hide(),
  };
  try {
    return await work(run);
  } finally {
    notice.hide();
  }
}

/** The progress notification of one command; can be shown again after `hide`. */
class Notice {
  readonly #title: string;
  readonly #onCancel: () => void;
  #timer: NodeJS.Timeout | undefined;
  #message = "";
  #percent: number | undefined;
  #isCancelled = false;
  /** VS Code calls back asynchronously, so the notification may be hidden before it appears. */
  #shown: { readonly ended: PromiseWithResolvers<void>; draw: () => void } | undefined;

  constructor(title: string, onCancel: () => void) {
    this.#title = title;
    this.#onCancel = onCancel;
  }

  report(message: string, percent: number | undefined): void {
    if (this.#isCancelled) return;
    this.#message = labelText(message);
    this.#percent = percent;
    if (this.#shown === undefined) this.#timer ??= setTimeout(() => this.#show(), SHOW_DELAY_MS);
    else this.#shown.draw();
  }

  hide(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#shown?.ended.resolve();
    this.#shown = undefined;
  }

  /** VS Code closes the notification at once. */
  #cancel(): void {
    this.#onCancel();
    this.hide();
    this.report(l10n.t("Cancelled; waiting for what is under way"), 0);
    this.#isCancelled = true;
  }

  #show(): void {
    const shown = { ended: Promise.withResolvers<void>(), draw: (): void => undefined };
    this.#shown = shown;
    const options = {
      location: ProgressLocation.Notification,
      title: this.#title,
      cancellable: !this.#isCancelled,
    };
    void window.withProgress(options, (progress, token) => {
      token.onCancellationRequested(() => this.#cancel());
      let drawn = 0;
      shown.draw = () => {
        const percent = this.#percent ?? drawn;
        progress.report({ message: this.#message, increment: Math.max(0, percent - drawn) });
        drawn = Math.max(drawn, percent);
      };
      shown.draw();
      return shown.ended.promise;
    });
  }
}
