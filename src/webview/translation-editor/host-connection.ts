/** Messaging with the extension host. */
import * as v from "valibot";
import type { FromPage } from "./messages-from-page.ts";
import { ToPageSchema, type ToPage } from "./messages-to-page.ts";
import { joinParts, partsOf, type Part } from "./message-chunks.ts";

/** The view state that VS Code preserves while the page is hidden. */
export interface ViewState {
  readonly top: number;
  readonly row: number;
  readonly locale: string | null | undefined;
}

interface VsCode {
  postMessage(message: FromPage | Part): void;
  getState(): ViewState | undefined;
  setState(state: ViewState): void;
}

declare function acquireVsCodeApi(): VsCode;

const vscode = acquireVsCodeApi();

export function send(message: FromPage): void {
  for (const part of partsOf(message)) vscode.postMessage(part);
}
export const savedViewState = (): ViewState | undefined => vscode.getState();
export const saveViewState = (state: ViewState): void => vscode.setState(state);

/** Calls `receive` for every valid message; others are ignored. */
export function listen(receive: (message: ToPage) => void): void {
  const take = joinParts((message) => {
    const parsed = v.safeParse(ToPageSchema, message);
    if (parsed.success) receive(parsed.output);
  });
  window.addEventListener("message", ({ data }: MessageEvent<unknown>) => take(data));
}
