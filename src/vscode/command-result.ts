/**
 * What a command resolves with: plain JSON that key bindings, tasks and other extensions read (README, "Commands").
 * Holds the shapes only; `commands.ts` makes a thrown error into one of them.
 */

import type { ApiErrorKind, RefusedItem } from "../api/errors.ts";

/** Why a command failed. */
export type FailureCode =
  | ApiErrorKind
  | "job_failed"
  | "untrusted"
  | "not_signed_in"
  | "no_project"
  | "unsafe_file"
  | "file_changed"
  | "no_model"
  | "model_refused"
  | "cancelled";

/** One sentence for a person in their language, and what a program needs. */
export interface Failure {
  readonly code: FailureCode;
  readonly message: string;
  readonly status?: number;
  readonly reason?: string;
  readonly errors?: Readonly<Record<string, readonly string[]>>;
  /** Single items that the service refused. */
  readonly items?: readonly RefusedItem[];
}

/**
 * `outcome` and, beside it, what the command's row of the contract names. When it failed or was cancelled half way, the
 * fields tell what was done.
 */
export type CommandResult<Fields extends object = object> =
  | ({ readonly outcome: "done" | "unchanged" | "conflict" } & Fields)
  | ({ readonly outcome: "cancelled" } & Partial<Fields>)
  | ({ readonly outcome: "failed"; readonly error: Failure } & Partial<Fields>);

type FailureDetails = Omit<Failure, "code" | "message">;

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
  readonly details: FailureDetails;
  /** In place of the step that the code has. */
  readonly step: OwnStep | undefined;

  constructor(code: FailureCode, message: string, details: FailureDetails = {}, step?: OwnStep) {
    super(message);
    this.code = code;
    this.details = details;
    this.step = step;
  }
}

/** Thrown to end a command that failed, or was cancelled, after a part of its work was done. */
export class PartlyDone extends Error {
  override readonly name = "PartlyDone";
  /** What of the command's result is known: it tells what was done. */
  readonly fields: object;

  /** `message`: one sentence for a person that says what was and was not done. `cause`: what ended it. */
  constructor(message: string, fields: object, cause: unknown) {
    super(message, { cause });
    this.fields = fields;
  }
}
