/**
 * The only module that uses VS Code's language models. Called only as the result of a user action. Every failure is
 * thrown as a `CommandError`.
 */
import {
  CancellationTokenSource,
  LanguageModelChatMessage,
  LanguageModelError,
  lm,
  type LanguageModelChat,
} from "vscode";
import { ResponseTimeoutError, collectResponse } from "../machine-translation/collect-response.ts";
import { raceWithAbort } from "./abort-signals.ts";
import { clock } from "../api/system-clock.ts";
import { l10n } from "../util/l10n.ts";
import { labelText } from "../messages/escape-text.ts";
import { CommandError } from "../commands/command-types.ts";

/**
 * Returns the available models, at least one.
 *
 * @throws {CommandError} `no_model`
 */
export async function languageModels(): Promise<readonly LanguageModelChat[]> {
  // Editors built on VS Code may not provide `lm`.
  const api: Partial<typeof lm> | undefined = lm;
  if (typeof api?.selectChatModels !== "function") {
    throw new CommandError("no_model", l10n.t("This editor does not provide language models to extensions."));
  }
  const models = await api.selectChatModels();
  if (models.length > 0) return models;
  throw new CommandError(
    "no_model",
    l10n.t(
      "No language model is available. Install an extension that provides one, or sign in to it, then try again.",
    ),
  );
}

/**
 * Counts the tokens of the messages for the model. Rejects with the signal's reason if aborted.
 *
 * @throws {CommandError}
 */
export async function countTokens(
  model: LanguageModelChat,
  messages: readonly string[],
  signal: AbortSignal,
): Promise<number> {
  let sum = 0;
  for (const message of messages) {
    signal.throwIfAborted();
    try {
      sum += await raceWithAbort(Promise.resolve(model.countTokens(message)), signal);
    } catch (error) {
      throw signal.aborted ? error : modelError(model, error);
    }
  }
  return sum;
}

/**
 * Sends the messages, all in the role of the user, and returns the complete response. Rejects with the signal's reason if
 * aborted.
 *
 * @throws {CommandError}
 */
export async function sendToModel(
  model: LanguageModelChat,
  messages: readonly string[],
  signal: AbortSignal,
): Promise<string> {
  const cancellation = new CancellationTokenSource();
  const send = async (): Promise<AsyncIterable<string>> => {
    const prompt = messages.map((message) => LanguageModelChatMessage.User(message));
    const justification = l10n.t("To translate the texts that you chose.");
    return (await model.sendRequest(prompt, { justification }, cancellation.token)).text;
  };
  try {
    return await collectResponse(send, { clock, signal });
  } catch (error) {
    if (signal.aborted) throw error;
    if (!(error instanceof ResponseTimeoutError)) throw modelError(model, error);
    throw new CommandError(
      "timeout",
      l10n.t("{0} did not answer in time. Try again, or choose another model.", labelText(model.name)),
    );
  } finally {
    // Ends a response that is still streaming.
    cancellation.cancel();
    cancellation.dispose();
  }
}

/** Converts a model's error by its code; the message is provider-specific. */
function modelError(model: LanguageModelChat, error: unknown): CommandError {
  const name = labelText(model.name);
  const code = error instanceof LanguageModelError ? error.code : "";
  switch (code) {
    case "NoPermissions":
      return new CommandError(
        "model_refused",
        l10n.t("Project Translations may not use {0}. Allow it, or choose another model.", name),
        { reason: "no_permission" },
      );
    case "Blocked":
      return new CommandError(
        "model_refused",
        l10n.t(
          "{0} is not available now: it is blocked, or its quota is used up. Try again later, or choose another model.",
          name,
        ),
        { reason: "blocked" },
      );
    case "NotFound":
      return modelUnavailableError(name);
    default: {
      const message = labelText(error instanceof Error ? error.message : String(error)).replace(/\.$/u, "");
      return new CommandError(
        "model_refused",
        l10n.t("{0} failed: {1}. Try again, or choose another model.", name, message),
        { reason: "failed" },
      );
    }
  }
}

/** The error for a model that is no longer available. */
export function modelUnavailableError(name: string): CommandError {
  return new CommandError(
    "no_model",
    l10n.t("The language model {0} is no longer available. Choose another one.", name),
  );
}
