/**
 * What a command resolves with: plain JSON that key bindings, tasks and other extensions read (README, "Commands").
 * Holds the shapes only; `commands.ts` makes a thrown error into one of them.
 */

/** Why a command failed; the first ten are the client's own kinds. */
export type FailureCode =
  | "unauthorized"
  | "forbidden"
  | "not_found"
  | "busy"
  | "invalid"
  | "key_limit_reached"
  | "rate_limited"
  | "offline"
  | "timeout"
  | "bad_response"
  | "job_failed"
  | "untrusted"
  | "not_signed_in"
  | "no_project"
  | "unsafe_file"
  | "file_changed"
  | "cancelled";

/** One sentence for a person in their language, and what a program needs. */
export interface Failure {
  readonly code: FailureCode;
  readonly message: string;
  readonly status?: number;
  readonly reason?: string;
  readonly errors?: Readonly<Record<string, readonly string[]>>;
}

/** `outcome` and, beside it, what the command's row of the contract names. */
export type CommandResult<Fields extends object = object> =
  | ({ readonly outcome: "done" | "unchanged" | "conflict" } & Fields)
  | { readonly outcome: "cancelled" }
  | { readonly outcome: "failed"; readonly error: Failure };

/** Options that every command takes. `confirm: false`: ask nothing, open nothing. */
export interface CommonOptions {
  /** A path or `Uri` inside the project that is meant. */
  readonly folder?: unknown;
  readonly confirm?: boolean;
}

/** What helps against a failure, as the one button beside its sentence. */
export interface OwnStep {
  readonly label: string;
  readonly act: () => unknown;
}

/** Thrown by a feature to end a command with a failure of its own; the message is already for a person. */
export class CommandError extends Error {
  override readonly name = "CommandError";
  readonly code: FailureCode;
  readonly details: { status?: number; reason?: string; errors?: Record<string, readonly string[]> };
  /** In place of the step that the code has. */
  readonly step: OwnStep | undefined;

  constructor(
    code: FailureCode,
    message: string,
    details: { status?: number; reason?: string; errors?: Record<string, readonly string[]> } = {},
    step?: OwnStep,
  ) {
    super(message);
    this.code = code;
    this.details = details;
    this.step = step;
  }
}
