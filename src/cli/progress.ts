/** What the program is doing: on one line of a terminal, and nowhere else. */
import { stripVTControlCharacters } from "node:util";
import { formatPercent } from "../messages/counts-and-times.ts";

export interface Progress {
  /** @param percent 0 to 100 */
  report(message: string, percent?: number): void;
  /** Removes the line. */
  clear(): void;
}

/** Returns the progress of this process. */
export function createProgress(stream = process.stderr): Progress {
  if (!stream.isTTY) return { report: () => undefined, clear: () => undefined };
  const clear = (): void => {
    stream.cursorTo(0);
    stream.clearLine(1);
  };
  return {
    report: (message, percent) => {
      const text =
        percent === undefined ? `${message}…` : `${message}… ${formatPercent(Math.round(percent))}`;
      clear();
      stream.write(stripVTControlCharacters(text).slice(0, Math.max(0, (stream.columns || 80) - 1)));
    },
    clear,
  };
}
