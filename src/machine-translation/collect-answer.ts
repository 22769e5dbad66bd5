/** The answer of a language model that comes in parts, as long as they come. */
import type { Clock } from "../model/platform.ts";

/** A model that says nothing for so long has died. Milliseconds. */
const MAX_SILENCE = 120_000;
/** Nothing that is asked for has a longer answer. Characters. */
const MAX_ANSWER = 1_000_000;

/** The model said nothing for too long. */
export class AnswerTimeoutError extends Error {}

/** `ask` sends the request. Throws AnswerTimeoutError, the signal's reason, or what the model's side throws. */
export async function collectAnswer(
  ask: () => Promise<AsyncIterable<string>>,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<string> {
  const awaited = async <Value>(work: Promise<Value>): Promise<Value> => {
    const end = new AbortController();
    const silence = clock.sleep(MAX_SILENCE, AbortSignal.any([signal, end.signal])).then((): never => {
      throw new AnswerTimeoutError();
    });
    try {
      return await Promise.race([work, silence]);
    } finally {
      end.abort();
    }
  };
  signal.throwIfAborted();
  const parts = (await awaited(ask()))[Symbol.asyncIterator]();
  let answer = "";
  while (answer.length <= MAX_ANSWER) {
    const { done, value } = await awaited(parts.next());
    if (done === true) break;
    answer += value;
  }
  return answer;
}
