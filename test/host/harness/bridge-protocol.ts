/**
 * The protocol between tests in the extension host and their runner: JSON over loopback HTTP, one POST per operation.
 * `bridge-client.ts` is the tests' side, `bridge-server.ts` the runner's.
 */

/** The environment variable of the extension host with the bridge's address. */
export const BRIDGE_VARIABLE = "PROJECT_TRANSLATIONS_TEST_BRIDGE";

/** The result of one test. */
export interface TestResult {
  /** The titles of its suites and its own. */
  readonly title: string;
  readonly state: "passed" | "failed" | "skipped";
  readonly milliseconds: number;
  /** Why it failed (message, stack and, if there is one, the diff), or why it was skipped. */
  readonly message?: string;
}

/** What a window does at the moment. */
export interface RunningTest {
  /** The titles of its suites and its own; `null` in a hook. */
  readonly title: string | null;
  /** How long it has been running. */
  readonly seconds: number;
}

/** What a window runs next. */
export interface SuiteInWindow {
  /** The bundle with its tests. */
  readonly testModule: string;
  /** The folder that the window shows meanwhile. */
  readonly workspace: string;
  /** The settings of that workspace, beside those that the window was opened with. */
  readonly settings: Readonly<Record<string, unknown>>;
}

/** What a window that has just opened must run. */
export interface WindowInstructions {
  /** Only tests whose full title matches this regular expression. */
  readonly grep: string | null;
  /** Only journeys. */
  readonly journeys: boolean;
  /** Titles of the tests that ended before this window was reloaded. */
  readonly finishedTests: readonly string[];
  /** The test that reloaded this window, and its name for the next stage. */
  readonly resume: { readonly title: string; readonly stage: string } | null;
}

/** A running local service. */
export interface RunningService {
  readonly id: number;
  readonly baseUrl: string;
  readonly token: string;
  readonly readToken: string;
}

export interface ServiceOptions {
  /** The contents of `--project`; default: the service's own. */
  readonly project?: unknown;
  readonly demo?: boolean;
  /** The id of a stopped service whose tokens, port and data are reused. */
  readonly restartOf?: number;
}

/** All operations. */
export interface Operations {
  /** Waits until there is a suite. After a reload it is the same one. */
  readonly getSuite: (input: null) => SuiteInWindow;
  readonly getInstructions: (input: null) => WindowInstructions;
  readonly reportResult: (input: TestResult) => null;
  /** Called every second while tests run: the window has not crashed. */
  readonly reportAlive: (input: RunningTest) => null;
  readonly end: (input: null) => null;
  /** Prints a line in the output of the run. */
  readonly print: (input: { readonly text: string }) => null;
  /** `source` is the text of a function that takes Playwright's page and `argument`. */
  readonly runOnPage: (input: { readonly source: string; readonly argument: unknown }) => unknown;
  /** Returns the path of the screenshot; `null` in a run without screenshots. */
  readonly screenshot: (input: { readonly name: string }) => string | null;
  readonly reload: (input: { readonly title: string; readonly stage: string }) => null;
  readonly startService: (input: ServiceOptions) => RunningService;
  /** Adds a secret: like a service's token, it must not occur in anything that the suite leaves behind. */
  readonly addSecret: (input: { readonly text: string }) => null;
  readonly stopService: (input: { readonly id: number }) => null;
}
