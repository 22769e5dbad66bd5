/** What the bench's outside tells its inside, through a variable of the extension host's environment. */
import { readFileSync } from "node:fs";

/** Holds the path of the file with the orders. */
export const ordersVariable = "PROJECT_TRANSLATIONS_BENCH";

/** What is measured, in that order. */
export type Task =
  | "prepare"
  | "start"
  | "firstHover"
  | "hovers"
  | "completion"
  | "typing"
  | "unknownKey"
  | "usageReport"
  | "rename"
  | "memory"
  | "readAll"
  | "grid";

export interface Orders {
  /** Where the report goes. */
  readonly out: string;
  readonly tasks: readonly Task[];
  /** Seconds that a task may take. */
  readonly limit: number;
  readonly shortFile: string;
  readonly longFile: string;
  readonly locales: readonly string[];
  readonly keysInArea: number;
  /** A hover says a key's text here; not so where no extension does anything. */
  readonly says: boolean;
  /** How the files with the profile of each part begin; absent: none is taken. */
  readonly profile?: string | undefined;
  readonly usageReport?: { readonly id: string; readonly options?: unknown } | undefined;
  /** Of `prepare`: where to sign in, and whether the service has nothing yet. */
  readonly service?: { readonly baseUrl: string; readonly token: string } | undefined;
  readonly fill: boolean;
}

/** By name and unit; `TASK: went wrong`: why a task has none or not all. */
export type Measured = Record<string, number | string | null>;

/** What the inside says of itself, again with each task. */
export interface Report {
  /** The last of them is under way unless the window has ended. */
  readonly begun: readonly Task[];
  readonly figures: Measured;
  /** The extension host's process. */
  readonly host: number;
}

/** The orders of this extension host. */
export function readOrders(): Orders {
  return JSON.parse(readFileSync(process.env[ordersVariable] ?? "", "utf8")) as Orders;
}
