/** Options and report of the bench's tasks, which run in the extension host; the path of the options is in its environment. */
import { readFileSync } from "node:fs";

/** Environment variable with the path of the options file. */
export const TASK_OPTIONS_VARIABLE = "PROJECT_TRANSLATIONS_BENCH";

/** The tasks, in the order in which they run. */
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

export interface TaskOptions {
  /** Path of the report. */
  readonly out: string;
  readonly tasks: readonly Task[];
  /** Time limit of a task, in seconds. */
  readonly limit: number;
  /** Seconds without work after which the extension host is at rest; default: 2. */
  readonly rest?: number | undefined;
  readonly shortFile: string;
  readonly longFile: string;
  /** The usage in `shortFile` to hover over, and a part of its text; default: the keys of the generated workspace. */
  readonly hover?: { readonly usage: string; readonly text: string } | undefined;
  readonly locales: readonly string[];
  readonly keysInArea: number;
  /** Whether the extension shows the text of a key in a hover. */
  readonly hasHovers: boolean;
  /** Folder of the extension whose part of each block is measured, with a CPU profile; absent: only whole blocks. */
  readonly ownCode?: string | undefined;
  /** Path prefix of the CPU profiles; absent: none are stored. */
  readonly profile?: string | undefined;
  readonly usageReport?: { readonly id: string; readonly options?: unknown } | undefined;
  /** Of `prepare`: the service, and whether it is still empty. */
  readonly service?: { readonly baseUrl: string; readonly token: string } | undefined;
  readonly fill: boolean;
  /** What `prepare` imports; default: the files of the generated vue-i18n workspace. */
  readonly imports?: readonly {
    readonly locale: string;
    readonly format: string;
    readonly files: readonly string[];
  }[];
}

/** Figures by name and unit; `TASK: went wrong`: the reason why a task is incomplete. */
export type Figures = Record<string, number | string | null>;

/** Written before each task and at the end. */
export interface Report {
  /** The tasks that were started. */
  readonly begun: readonly Task[];
  readonly figures: Figures;
  /** Process id of the extension host. */
  readonly host: number;
}

/** Reads the options of this extension host. */
export function readTaskOptions(): TaskOptions {
  return JSON.parse(readFileSync(process.env[TASK_OPTIONS_VARIABLE] ?? "", "utf8")) as TaskOptions;
}
