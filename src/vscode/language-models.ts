/**
 * The one entry point to VS Code's language models. Nothing here is called but on an action of a person. What goes wrong
 * is thrown as a CommandError of one sentence.
 */
import {
  CancellationTokenSource,
  LanguageModelChatMessage,
  LanguageModelError,
  lm,
  type LanguageModelChat,
} from "vscode";
import { AnswerTimeoutError, collectAnswer } from "../machine-translation/collect-answer.ts";
import { raced } from "./cancellable.ts";
import { clock } from "./clock.ts";
import { l10n } from "./l10n.ts";
import { labelText } from "./markdown.ts";
import { CommandError } from "./command-result.ts";

/** The models that may be asked, at least one. @throws CommandError `no_model` */
export async function languageModels(): Promise<readonly LanguageModelChat[]> {
  // An editor that is built on VS Code may leave it out.
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

/** How many tokens the messages have for the model. Throws CommandError. */
export async function countTokens(
  model: LanguageModelChat,
  messages: readonly string[],
  signal: AbortSignal,
): Promise<number> {
  let sum = 0;
  for (const message of messages) {
    signal.throwIfAborted();
    try {
      sum += await raced(Promise.resolve(model.countTokens(message)), signal);
    } catch (error) {
      throw signal.aborted ? error : failureOfModel(model, error);
    }
  }
  return sum;
}

/** Sends the messages, all of them the user's. Out: the whole answer. Throws CommandError, or the signal's reason. */
export async function askModel(
  model: LanguageModelChat,
  messages: readonly string[],
  signal: AbortSignal,
): Promise<string> {
  const cancel = new CancellationTokenSource();
  const send = async (): Promise<AsyncIterable<string>> => {
    const prompt = messages.map((message) => LanguageModelChatMessage.User(message));
    const justification = l10n.t("To translate the texts that you chose.");
    return (await model.sendRequest(prompt, { justification }, cancel.token)).text;
  };
  try {
    return await collectAnswer(send, { clock, signal });
  } catch (error) {
    if (signal.aborted) throw error;
    if (!(error instanceof AnswerTimeoutError)) throw failureOfModel(model, error);
    throw new CommandError(
      "timeout",
      l10n.t("{0} did not answer in time. Try again, or choose another model.", labelText(model.name)),
    );
  } finally {
    // Of an answer that nobody waits for any more.
    cancel.cancel();
    cancel.dispose();
  }
}

/** Decides by the code alone, since the words are the model's own. */
function failureOfModel(model: LanguageModelChat, error: unknown): CommandError {
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
      return goneError(name);
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

/** The model is not there any more. */
export function goneError(name: string): CommandError {
  return new CommandError(
    "no_model",
    l10n.t("The language model {0} is no longer available. Choose another one.", name),
  );
}
