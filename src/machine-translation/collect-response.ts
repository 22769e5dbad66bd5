/** Collects the streamed response of a language model. */
import type { Clock } from "../model/platform.ts";

/** Maximum time without any part of a response. */
const MAX_IDLE_MS = 120_000;
/** Characters of a response, of which more is not read. */
export const MAX_RESPONSE_LENGTH = 1_000_000;

/** The model sent nothing for too long. */
export class ResponseTimeoutError extends Error {}

/**
 * Sends a request and returns the whole response.
 * @throws {ResponseTimeoutError} also the signal's reason, or the error of the model
 */
export async function collectResponse(
  send: () => Promise<AsyncIterable<string>>,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<string> {
  const withTimeout = async <Value>(work: Promise<Value>): Promise<Value> => {
    const timer = new AbortController();
    const timeout = clock.sleep(MAX_IDLE_MS, AbortSignal.any([signal, timer.signal])).then((): never => {
      throw new ResponseTimeoutError();
    });
    try {
      return await Promise.race([work, timeout]);
    } finally {
      timer.abort();
    }
  };
  signal.throwIfAborted();
  const parts = (await withTimeout(send()))[Symbol.asyncIterator]();
  let response = "";
  while (response.length <= MAX_RESPONSE_LENGTH) {
    const { done, value } = await withTimeout(parts.next());
    if (done === true) break;
    response += value;
  }
  return response;
}
