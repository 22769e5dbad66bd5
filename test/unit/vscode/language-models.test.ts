/** Language models of the editor: which there are, what they answer, and what their errors mean. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { LanguageModelChat } from "vscode";
import { clock } from "../../../src/api/system-clock.ts";
import { countTokens, languageModels, sendToModel } from "../../../src/vscode/language-models.ts";
import { LanguageModelError, lm } from "../support/vscode-stub.ts";
import { toFailure } from "../../../src/messages/error-messages.ts";

let abort: AbortController;
/** The messages that a model got, and whether its answer was ended. */
let asked: unknown[];
let isCancelled: boolean;
beforeEach(() => {
  abort = new AbortController();
  [asked, isCancelled] = [[], false];
});
afterEach(() => {
  delete lm.selectChatModels;
  vi.restoreAllMocks();
});

type Token = { readonly onCancellationRequested: (listener: () => void) => unknown };

/** A model whose answer has these parts, or that fails. */
function model(answer: readonly string[] | Error): LanguageModelChat {
  return {
    name: "Model",
    countTokens: async (text: string) => text.length,
    sendRequest: async (messages: unknown[], options: object, token: Token) => {
      asked.push(messages, options);
      token.onCancellationRequested(() => (isCancelled = true));
      if (answer instanceof Error) throw answer;
      return {
        text: (async function* () {
          yield* answer;
        })(),
      };
    },
  } as unknown as LanguageModelChat;
}
const errorWith = (code: string) => Object.assign(new LanguageModelError("It said no."), { code });
const failureOf = (work: Promise<unknown>) => work.then(() => "no failure", toFailure);

test("an editor without language models, or without one that can be used, says so", async () => {
  expect(lm.selectChatModels).toBeUndefined();
  const error = await languageModels().catch(toFailure);
  expect(error).toEqual({
    code: "no_model",
    message: expect.stringMatching(/^This editor .*language models.*\.$/u) as string,
  });
  lm.selectChatModels = () => Promise.resolve([]);
  expect(await failureOf(languageModels())).toMatchObject({
    code: "no_model",
    message: expect.stringMatching(/^No language model is available\./u),
  });
  const only = model([]);
  lm.selectChatModels = () => Promise.resolve([only]);
  expect(await languageModels()).toEqual([only]);
});

test("all messages are the user's, and the whole answer is returned", async () => {
  expect(await sendToModel(model(["Je ", "mandje"]), ["first", "second"], abort.signal)).toBe("Je mandje");
  expect(asked).toEqual([
    [{ content: "first" }, { content: "second" }],
    { justification: "To translate the texts that you chose." },
  ]);
  expect(isCancelled).toBe(true);
});

test.each([
  ["NoPermissions", "model_refused", "no_permission", /^Project Translations may not use Model\./u],
  ["Blocked", "model_refused", "blocked", /quota/u],
  ["NotFound", "no_model", undefined, /^The language model Model is no longer available\./u],
  ["other", "model_refused", "failed", /^Model failed: It said no\. Try again/u],
] as const)("an error %s of a model is said", async (name, code, reason, message) => {
  const refused = errorWith(name);
  const failure = { code, ...(reason && { reason }), message: expect.stringMatching(message) as string };
  expect(await failureOf(sendToModel(model(refused), ["a"], abort.signal))).toEqual(failure);
  const counting = Object.assign(model([]), { countTokens: () => Promise.reject(refused) });
  expect(await failureOf(countTokens(counting as never, ["a"], abort.signal))).toEqual(failure);
});

test("what was cancelled is no failure of the model", async () => {
  const reason = new Error("left");
  const sending = model(errorWith("Blocked"));
  Object.assign(sending, {
    sendRequest: () => {
      abort.abort(reason);
      return Promise.reject(errorWith("Blocked"));
    },
    countTokens: () => new Promise(() => abort.abort(reason)),
  });
  await expect(sendToModel(sending, ["a"], abort.signal)).rejects.not.toMatchObject({
    code: "model_refused",
  });
  abort = new AbortController();
  await expect(countTokens(sending, ["a"], abort.signal)).rejects.toBe(reason);
  await expect(countTokens(sending, ["a"], abort.signal)).rejects.toBe(reason);
});

test("tokens of all messages are counted", async () => {
  expect(await countTokens(model([]), ["ab", "cde"], abort.signal)).toBe(5);
});

test("a model that does not answer is asked no longer, and that is said", async () => {
  vi.spyOn(clock, "sleep").mockResolvedValue(undefined);
  const silent = model([]);
  Object.assign(silent, {
    sendRequest: (_messages: unknown, _options: object, token: Token) => {
      token.onCancellationRequested(() => (isCancelled = true));
      return new Promise(() => undefined);
    },
  });
  expect(await failureOf(sendToModel(silent, ["a"], abort.signal))).toEqual({
    code: "timeout",
    message: "Model did not answer in time. Try again, or choose another model.",
  });
  expect(isCancelled).toBe(true);
});
