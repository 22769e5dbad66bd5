/** The calls between the indexing process and its client. */
import type { ChannelOptions } from "birpc";
import type { Priority } from "../util/priority.ts";

/** A call of one function of `ProjectIndexing` or `FolderIndexing`. */
export interface IndexCall {
  /** Identifies the call for `cancel` and `raise`. */
  readonly id: number;
  readonly priority: Priority;
  /** Path of the project's folder. */
  readonly root: string;
  /** The project's database; `null`: the function needs none. */
  readonly database: DatabaseLocation | null;
  /** A property of `FUNCTION_NAMES`, and one of that. */
  readonly subject: string;
  readonly name: string;
  /** The arguments without the signal. */
  readonly args: readonly unknown[];
}

export interface DatabaseLocation {
  readonly path: string;
  /** Process id of the calling window. */
  readonly windowPid: number;
}

/** The result of a call. `refusedWrite`: the database file cannot be written; properties of an error are not sent. */
export type CallResult =
  | { readonly value: unknown }
  | { readonly refusedWrite: { readonly message: string; readonly errcode: unknown } };

/** Functions of the indexing process. */
export interface WorkerFunctions {
  run(call: IndexCall): Promise<CallResult>;
  /** Aborts the call's signal, unless the call has ended. */
  cancel(id: number): void;
  /** Makes the call a person's, unless it has ended. */
  raise(id: number): void;
}

/** Replaces a function among the arguments; a call has at most one. */
export const CALLBACK = { isCallback: true } as const;

/** Functions of the client. */
export interface ClientFunctions {
  /** Calls the callback argument of a call. */
  callBack(id: number, argument: unknown): void;
  /** Called when the process is ready. */
  started(): void;
}

/** Returns a channel over messages, whose calls have no time limit. */
export function channelOver(
  port: { on(event: "message", listener: (message: unknown) => void): unknown },
  post: (message: unknown) => void,
): ChannelOptions & { readonly timeout: number } {
  return { post, on: (listener) => void port.on("message", listener), timeout: -1 };
}
