/** The extension, as the page reaches it. */
import * as v from "valibot";
import { ToPageSchema, type FromPage, type ToPage } from "./messages.ts";

/** Kept by VS Code while the page is hidden: where the person was. */
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

/** What does not have the form of a message is not looked at. */
export function listen(receive: (message: ToPage) => void): void {
  window.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
    const parsed = v.safeParse(ToPageSchema, data);
    if (parsed.success) receive(parsed.output);
  });
}
