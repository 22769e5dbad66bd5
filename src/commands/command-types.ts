/**
 * The options, the context and the result of a command. Results are plain JSON for key bindings, tasks and other
 * extensions (docs/commands.md); `register-command.ts` converts thrown errors to them.
 */
import type { UriOption } from "./option-schemas.ts";
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
  | "model_refused";

/** A failure: a localised message for the user and the details that a caller can act on. */
export interface Failure {
  readonly code: FailureCode;
  readonly message: string;
  readonly status?: number;
  readonly reason?: string;
  readonly errors?: Readonly<Record<string, readonly string[]>>;
  /** The items that the service refused, by key. */
  readonly items?: readonly RefusedItem[];
}

/**
 * The outcome of a command and its result fields. For a command that failed or was cancelled after part of its work, the
 * fields describe that part.
 */
export type CommandResult<Fields extends object = object> =
  | ({ readonly outcome: "done" | "unchanged" | "conflict" } & Fields)
  | ({ readonly outcome: "cancelled" } & Partial<Fields>)
  | ({ readonly outcome: "failed"; readonly error: Failure } & Partial<Fields>);

export type FailureDetails = Omit<Failure, "code" | "message">;

/** Options that every command accepts. `confirm: false`: do not prompt and do not open anything. */
export interface CommonOptions {
  /** A path or `Uri` inside the target project. */
  readonly folder?: UriOption;
  readonly confirm?: boolean;
}

/** Context of a running command: its cancellation signal and its progress notification. */
export interface CommandRun {
  readonly signal: AbortSignal;
  /** Whether the command must not prompt or open anything (`confirm: false`). */
  readonly quiet: boolean;
  /** Shows progress after one second, in a cancellable notification; not with `confirm: false`. `percent`: 0 to 100. */
  report(message: string, percent?: number): void;
  /** Hides the notification while the user is prompted; the next `report` shows it again. */
  pause(): void;
}

/** The action offered in the notification of a failure. */
export interface NextAction {
  readonly label: string;
  readonly act: () => unknown;
}

/** Ends a command with a failure. `message` is localised and shown to the user. */
export class CommandError extends Error {
  override readonly name = "CommandError";
  readonly code: FailureCode;
  readonly details: FailureDetails;
  /** Replaces the default action of the failure code. */
  readonly step: NextAction | undefined;

  constructor(code: FailureCode, message: string, details: FailureDetails = {}, step?: NextAction) {
    super(message);
    this.code = code;
    this.details = details;
    this.step = step;
  }
}

/** Ends a command whose write failed. What the user typed for it is kept. */
export class KeptInputError extends Error {
  override readonly name = "KeptInputError";
  /** Runs a command that starts from the kept input. */
  readonly retry: NextAction;

  /** @param cause why the write failed */
  constructor(cause: unknown, retry: NextAction) {
    super(String(cause), { cause });
    this.retry = retry;
  }
}

/** Ends a command without a message, since the user gave it up: its outcome is `cancelled`. */
export class CommandCancelled extends Error {
  // As VS Code's `CancellationError`.
  override readonly name = "Canceled";
}

/**
 * Returns the answer to a prompt.
 *
 * @throws {CommandCancelled} if the prompt was dismissed.
 */
export function requireAnswer<Answer>(answer: Answer | undefined): Answer {
  if (answer === undefined) throw new CommandCancelled();
  return answer;
}

/** Ends a command that failed, or was cancelled, after part of its work was done. */
export class PartialResultError extends Error {
  override readonly name = "PartialResultError";
  /** The result fields that describe the completed part. */
  readonly fields: object;

  /**
   * @param message localised: what was and what was not done
   * @param cause the error that ended the command
   */
  constructor(message: string, fields: object, cause: unknown) {
    super(message, { cause });
    this.fields = fields;
  }
}
