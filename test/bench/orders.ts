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
  | "memory";

export interface Orders {
  /** Where the figures go. */
  readonly out: string;
  readonly tasks: readonly Task[];
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

/** By name and unit; `error`: what went wrong. */
export type Measured = Record<string, number | string | null>;

/** The orders of this extension host. */
export function readOrders(): Orders {
  return JSON.parse(readFileSync(process.env[ordersVariable] ?? "", "utf8")) as Orders;
}
