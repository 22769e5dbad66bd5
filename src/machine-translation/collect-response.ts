/** Collects the streamed response of a language model. */
import type { Clock } from "../model/platform.ts";

/** Longest time without any part of a response, in milliseconds. */
const MAX_IDLE_MS = 120_000;
/** Limit of a response, in characters. */
const MAX_RESPONSE_LENGTH = 1_000_000;

/** The model sent nothing for too long. */
export class ResponseTimeoutError extends Error {}

/**
 * Sends a request and returns the whole response.
 * @throws {ResponseTimeoutError} also the signal's reason, or the error of the model
 */
export async function collectResponse(
  ask: () => Promise<AsyncIterable<string>>,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<string> {
  const awaited = async <Value>(work: Promise<Value>): Promise<Value> => {
    const end = new AbortController();
    const silence = clock.sleep(MAX_IDLE_MS, AbortSignal.any([signal, end.signal])).then((): never => {
      throw new ResponseTimeoutError();
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
  while (answer.length <= MAX_RESPONSE_LENGTH) {
    const { done, value } = await awaited(parts.next());
    if (done === true) break;
    answer += value;
  }
  return answer;
}
