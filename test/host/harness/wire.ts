/**
 * What a test in the extension host and its runner outside say to each other: JSON over loopback HTTP, one POST per
 * operation. The tests' side of it is `outside.ts`, the runner's is `bridge.ts`.
 */

/** The variable of the extension host's environment that holds the bridge's address. */
export const bridgeVariable = "PROJECT_TRANSLATIONS_TEST_BRIDGE";

/** How one test ended. */
export interface TestResult {
  /** Titles of its suites and its own. */
  readonly title: string;
  readonly state: "passed" | "failed" | "skipped";
  readonly milliseconds: number;
  /** Why it failed (message, stack and, where there is one, the difference), or why it was skipped. */
  readonly message?: string;
}

/** What the runner wants of a window that has just opened. */
export interface Orders {
  /** Only tests whose full title matches this regular expression. */
  readonly grep: string | null;
  /** Titles of the tests that ended before this window was reloaded. */
  readonly done: readonly string[];
  /** The test that reloaded this window, and what it called the next stage. */
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
  /** The contents of `--project`; without it the service's own default. */
  readonly project?: unknown;
  readonly demo?: boolean;
  /** Keep the store of a service that was stopped (its id): the same tokens, the same port, the same data. */
  readonly again?: number;
}

/** Every operation: what goes in and what comes out. */
export interface Operations {
  readonly orders: (input: null) => Orders;
  readonly result: (input: TestResult) => null;
  readonly end: (input: null) => null;
  /** A line for whoever looks at the run. */
  readonly say: (input: { readonly text: string }) => null;
  /** `source` is the text of a function that takes Playwright's page and `argument`. */
  readonly page: (input: { readonly source: string; readonly argument: unknown }) => unknown;
  /** Out: the picture's path. */
  readonly screenshot: (input: { readonly name: string }) => string;
  readonly reload: (input: { readonly title: string; readonly stage: string }) => null;
  readonly startService: (input: ServiceOptions) => RunningService;
  /** The text is as secret as a token of a service: the suite has failed when it can be read in what is left behind. */
  readonly secret: (input: { readonly text: string }) => null;
  readonly stopService: (input: { readonly id: number }) => null;
}
