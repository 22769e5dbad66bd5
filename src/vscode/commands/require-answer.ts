/** Cancellation of commands by the user. */
import { CommandError } from "./command-types.ts";

/**
 * Returns the answer to a prompt.
 *
 * @throws {CommandError} `cancelled`, which ends the command without a message, if the prompt was dismissed.
 */
export function requireAnswer<Answer>(answer: Answer | undefined): Answer {
  if (answer === undefined) throw new CommandError("cancelled", "");
  return answer;
}
