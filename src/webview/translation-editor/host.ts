/** Messaging with the extension host. */
import * as v from "valibot";
import type { FromPage } from "./messages.ts";
import { ToPageSchema, type ToPage } from "./messages-to-page.ts";

/** The view state that VS Code preserves while the page is hidden. */
export interface Place {
  readonly top: number;
  readonly row: number;
  readonly column: number;
}

interface VsCode {
  postMessage(message: FromPage): void;
  getState(): Place | undefined;
  setState(place: Place): void;
}

declare function acquireVsCodeApi(): VsCode;

const vscode = acquireVsCodeApi();

export const send = (message: FromPage): void => vscode.postMessage(message);
export const keptPlace = (): Place | undefined => vscode.getState();
export const keepPlace = (place: Place): void => vscode.setState(place);

/** Calls `receive` for every valid message; others are ignored. */
export function listen(receive: (message: ToPage) => void): void {
  window.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
    const parsed = v.safeParse(ToPageSchema, data);
    if (parsed.success) receive(parsed.output);
  });
}
