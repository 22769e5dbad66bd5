/** What the indexing process and its client call of each other. */
import type { ProjectIndexing } from "./indexing.ts";

/** A call of one function of `ProjectIndexing`. */
export interface IndexCall {
  /** For `cancel`. */
  readonly id: number;
  readonly databasePath: string;
  /** Of the window that calls. */
  readonly windowPid: number;
  readonly root: string;
  readonly subject: keyof ProjectIndexing;
  readonly name: string;
  /** Without the signal. */
  readonly args: readonly unknown[];
}

export interface WorkerFunctions {
  run(call: IndexCall): Promise<unknown>;
  /** Aborts the call's signal; nothing happens where it has ended. */
  cancel(id: number): void;
}

/** Stands for a function among the arguments, of which a call has at most one. */
export const CALLBACK = { isCallback: true } as const;

export interface ClientFunctions {
  /** Calls the function that was an argument of the call. */
  callBack(id: number, argument: unknown): void;
  /** The thread can be called. */
  started(): void;
}
