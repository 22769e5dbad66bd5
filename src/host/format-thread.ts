/**
 * Reads and changes large translation files in a thread of its own, so that nothing in the editor waits for one. The
 * thread starts with the first such file and ends when there was none for a while; without it the work is done here.
 */
import { editOver, readOver } from "../core/formats/conversation.ts";
import { refusalOf } from "../core/formats/edit.ts";
import { NO_SPAN } from "../core/formats/format.ts";
import type { PlacedProblem } from "../core/formats/translation-file.ts";
import type { TranslationFiles, YieldNow } from "../core/ports.ts";
import { WorkThread } from "./work-thread.ts";

/** Files from this size on are large. Bytes; some 15 ms to read. */
const LARGE = 256 * 1024;
const TOO_MUCH = "takes more memory than a file may";

export interface FormatThreadNeeds {
  /** The program's file (`format-worker.ts`, bundled). */
  readonly program: string;
  readonly yieldNow: YieldNow;
  readonly warn: (text: string) => void;
}

export class FormatThread implements TranslationFiles {
  readonly #yieldNow: YieldNow;
  readonly #thread: WorkThread;

  constructor({ program, yieldNow, warn }: FormatThreadNeeds) {
    this.#yieldNow = yieldNow;
    this.#thread = new WorkThread({ program, name: "large files", warn });
  }

  read: TranslationFiles["read"] = (format, bytes, options, signal) => {
    const here: () => ReturnType<TranslationFiles["read"]> = async () =>
      (await import("./on-demand.ts")).direct.read(format, bytes, options, signal);
    if (bytes.length < LARGE) return here();
    const yieldNow = this.#yieldNow;
    const tooMuch: PlacedProblem = {
      code: "syntax",
      message: TOO_MUCH,
      span: NO_SPAN,
      line: null,
      column: null,
    };
    return this.#thread.aside(
      (line) => readOver(line, format, bytes, options, yieldNow),
      here,
      () => ({ entries: [], problems: [tooMuch] }),
      signal,
    );
  };

  edit: TranslationFiles["edit"] = (format, bytes, changes, options) => {
    const here: () => ReturnType<TranslationFiles["edit"]> = async () =>
      (await import("./on-demand.ts")).direct.edit(format, bytes, changes, options);
    if ((bytes?.length ?? 0) < LARGE) return here();
    const yieldNow = this.#yieldNow;
    return this.#thread.aside(
      (line) => editOver(line, format, bytes, changes, options, yieldNow),
      here,
      () => ({
        bytes: bytes ?? new Uint8Array(),
        refused: changes.map((change) => refusalOf(change, "unsupported")),
      }),
    );
  };

  dispose(): void {
    this.#thread.dispose();
  }
}
