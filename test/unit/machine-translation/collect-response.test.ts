/** A language model that streams its response, slowly, incompletely, or not at all. */
import { expect, test } from "vitest";
import { ResponseTimeoutError, collectResponse } from "../../../src/machine-translation/collect-response.ts";
import { FakeClock, nextMacrotask } from "../support/fake-clock.ts";

/** A model whose parts come when the test says them. */
class Model {
  readonly #said: (string | Error | null)[] = [];
  #wake = (): void => undefined;

  /** `null`: it has ended. */
  say(part: string | Error | null): void {
    this.#said.push(part);
    this.#wake();
  }

  readonly parts = async function* (this: Model): AsyncGenerator<string> {
    for (;;) {
      while (this.#said.length === 0) await new Promise<void>((resolve) => (this.#wake = resolve));
      const part = this.#said.shift();
      if (part instanceof Error) throw part;
      if (part === null || part === undefined) return;
      yield part;
    }
  }.bind(this);
}

function ask(): { clock: FakeClock; model: Model; abort: AbortController; answer: Promise<string> } {
  const clock = new FakeClock();
  const model = new Model();
  const abort = new AbortController();
  const answer = collectResponse(async () => model.parts(), { clock, signal: abort.signal });
  answer.catch(() => undefined);
  return { clock, model, abort, answer };
}

test("joins the parts of a response", async () => {
  const { clock, model, answer } = ask();
  for (const part of ['{"items"', ":[]}", null]) model.say(part);
  expect(await answer).toBe('{"items":[]}');
  await nextMacrotask();
  expect(clock.pendingCount).toBe(0);
});

test("times out after two minutes of silence", async () => {
  const { clock, answer } = ask();
  await nextMacrotask();
  await clock.advance(119_999);
  expect(clock.pendingCount).toBe(1);
  await clock.advance(1);
  await expect(answer).rejects.toThrow(ResponseTimeoutError);
});

test("times out if a request is never accepted", async () => {
  const clock = new FakeClock();
  const never = new Promise<AsyncIterable<string>>(() => undefined);
  const answer = collectResponse(() => never, { clock, signal: new AbortController().signal });
  answer.catch(() => undefined);
  await clock.advance(120_000);
  await expect(answer).rejects.toThrow(ResponseTimeoutError);
});

test("extends the timeout with each part", async () => {
  const { clock, model, answer } = ask();
  for (let minute = 0; minute < 10; minute++) {
    model.say("x");
    await nextMacrotask();
    await clock.advance(100_000);
  }
  let isEnded = false;
  void answer.catch(() => (isEnded = true));
  await nextMacrotask();
  expect(isEnded).toBe(false);
  await clock.advance(20_000);
  await expect(answer).rejects.toThrow(ResponseTimeoutError);
});

test("throws the model's own error", async () => {
  const { model, answer } = ask();
  model.say("half");
  model.say(new Error("the connection was lost"));
  await expect(answer).rejects.toThrow("the connection was lost");
});

test("rejects with the abort reason", async () => {
  const { clock, model, abort, answer } = ask();
  model.say("half");
  await nextMacrotask();
  abort.abort(new Error("cancelled"));
  await expect(answer).rejects.toThrow("cancelled");
  await nextMacrotask();
  expect(clock.pendingCount).toBe(0);
  const again = collectResponse(() => Promise.reject(new Error("it was asked")), {
    clock,
    signal: abort.signal,
  });
  await expect(again).rejects.toThrow("cancelled");
});

test("truncates an endless response", async () => {
  const { model, answer } = ask();
  for (let index = 0; index < 20; index++) model.say("x".repeat(100_000));
  expect((await answer).length).toBeLessThan(1_200_000);
});
