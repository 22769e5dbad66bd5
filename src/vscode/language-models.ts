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
import { raced } from "./cancellable.ts";
import { l10n } from "./l10n.ts";
import { labelText } from "./markdown.ts";
import { CommandError } from "./outcome.ts";

/** A model that says nothing for so long has died. Milliseconds. */
const MAX_SILENCE = 120_000;
/** Nothing that is asked for has a longer answer. Characters. */
const MAX_ANSWER = 1_000_000;

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
  { signal, maxSilence = MAX_SILENCE }: { readonly signal: AbortSignal; readonly maxSilence?: number },
): Promise<string> {
  const cancel = new CancellationTokenSource();
  const end = new AbortController();
  const abort = (): void => end.abort(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  let timer: NodeJS.Timeout | undefined;
  const wait = (): void => {
    clearTimeout(timer);
    const late = new CommandError(
      "timeout",
      l10n.t("{0} did not answer in time. Try again, or choose another model.", labelText(model.name)),
    );
    timer = setTimeout(() => end.abort(late), maxSilence);
  };
  const work = async (): Promise<string> => {
    const said = messages.map((message) => LanguageModelChatMessage.User(message));
    const justification = l10n.t("To translate the texts that you chose.");
    const { text } = await model.sendRequest(said, { justification }, cancel.token);
    let answer = "";
    for await (const part of text) {
      wait();
      answer += part;
      if (answer.length > MAX_ANSWER) break;
    }
    return answer;
  };
  try {
    signal.throwIfAborted();
    wait();
    return await raced(work(), end.signal);
  } catch (error) {
    if (end.signal.aborted || signal.aborted) throw error;
    throw failureOfModel(model, error);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
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
      const words = labelText(error instanceof Error ? error.message : String(error)).replace(/\.$/u, "");
      return new CommandError(
        "model_refused",
        l10n.t("{0} failed: {1}. Try again, or choose another model.", name, words),
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
