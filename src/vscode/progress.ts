/**
 * Progress of a command that a person started: a notification with a cancel button, shown when the work has something
 * to report and still runs a second later. It ends with the work, however that ends.
 */
import { ProgressLocation, window } from "vscode";
import type { Run } from "./app.ts";
import { labelText } from "./markdown.ts";

/** Work that ends within this shows nothing. Milliseconds. */
const SHOW_DELAY_MS = 1000;

/** Runs the work with a `Run` of its own. `quiet`: nothing is ever shown. */
export async function withRun<Result>(
  title: string,
  quiet: boolean,
  work: (run: Run) => Promise<Result>,
): Promise<Result> {
  const cancel = new AbortController();
  const notice = new Notice(title, () => cancel.abort());
  const run: Run = {
    signal: cancel.signal,
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

/** The notification: at most one at a time, anew after each `hide`. */
class Notice {
  readonly #title: string;
  readonly #onCancel: () => void;
  #timer: NodeJS.Timeout | undefined;
  #words = "";
  #percent: number | undefined;
  /** VS Code calls back some time after it was asked, so it may have been hidden before it was there. */
  #shown: { readonly ended: PromiseWithResolvers<void>; draw: () => void } | undefined;

  constructor(title: string, onCancel: () => void) {
    this.#title = title;
    this.#onCancel = onCancel;
  }

  report(message: string, percent: number | undefined): void {
    this.#words = labelText(message);
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

  #show(): void {
    const shown = { ended: Promise.withResolvers<void>(), draw: (): void => undefined };
    this.#shown = shown;
    const options = { location: ProgressLocation.Notification, title: this.#title, cancellable: true };
    void window.withProgress(options, (progress, token) => {
      token.onCancellationRequested(this.#onCancel);
      let drawn = 0;
      shown.draw = () => {
        const percent = this.#percent ?? drawn;
        progress.report({ message: this.#words, increment: Math.max(0, percent - drawn) });
        drawn = Math.max(drawn, percent);
      };
      shown.draw();
      return shown.ended.promise;
    });
  }
}
