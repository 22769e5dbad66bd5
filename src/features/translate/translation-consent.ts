/** Consent before texts are sent to a language model: what would be sent, and how much. */
import type { LanguageModelChat } from "vscode";
import { createTranslationRequest } from "../../machine-translation/translation-prompt.ts";
import { splitIntoBatches } from "../../machine-translation/translate-texts.ts";
import type { App } from "../../vscode/app.ts";
import { l10n } from "../../util/l10n.ts";
import { countTokens } from "../../vscode/language-models.ts";
import { labelText } from "../../messages/escape-text.ts";
import { CommandError, type CommandRun } from "../../commands/command-types.ts";
import { formatCount, formatNumber } from "../../messages/counts-and-times.ts";
import { pickOneOrNone } from "../../vscode/ui/input/quick-pick.ts";
import type { PreparedTexts } from "./prepare-texts.ts";

/** Returns the maximum request length in characters; half of the tokens are reserved for rules and estimation errors. */
export function maxRequestLength({ maxInputTokens }: LanguageModelChat): number {
  return maxInputTokens > 0 ? Math.max(2_000, maxInputTokens * 1.5) : Number.POSITIVE_INFINITY;
}

/** Global state key of the last used model. */
const LAST_MODEL = "languageModel";

/**
 * Returns the model to use after the user agreed to send the texts; `undefined` if they did not. Without prompts the
 * requested, last used or only model.
 * @throws {CommandError} `no_model`
 */
export async function chooseModelWithConsent(
  app: App,
  models: readonly LanguageModelChat[],
  named: LanguageModelChat | undefined,
  texts: readonly PreparedTexts[],
  run: CommandRun,
): Promise<LanguageModelChat | undefined> {
  const { globalState } = app.context;
  const last = models.find(({ id }) => id === globalState.get(LAST_MODEL));
  const preferred = named ?? (models.length === 1 ? models[0] : last);
  if (run.quiet) {
    if (preferred !== undefined) return preferred;
    const ids = models.map(({ id }) => id).join(", ");
    throw new CommandError("no_model", l10n.t("Name one of the language models in “model”: {0}.", ids));
  }
  let model = preferred ?? (await chooseModel(models, run));
  for (; model !== undefined; model = await chooseModel(models, run)) {
    const answer = await confirmSending(model, texts, models.length > 1, run);
    if (answer === "yes") await globalState.update(LAST_MODEL, model.id);
    if (answer !== "other") return answer && model;
  }
  return undefined;
}

async function chooseModel(
  models: readonly LanguageModelChat[],
  run: CommandRun,
): Promise<LanguageModelChat | undefined> {
  run.pause();
  return pickOneOrNone(
    l10n.t("Translate with which language model?"),
    l10n.t("Nothing is sent yet."),
    models.map((model) => ({
      label: labelText(model.name),
      description: labelText([model.vendor, model.family].filter((each) => each !== "").join(" · ")),
      value: model,
    })),
  );
}

/** Shows what would be sent and asks for consent. */
async function confirmSending(
  model: LanguageModelChat,
  texts: readonly PreparedTexts[],
  hasOthers: boolean,
  run: CommandRun,
): Promise<"yes" | "other" | undefined> {
  const requests = texts.flatMap(({ context, texts: all }) =>
    splitIntoBatches(all, maxRequestLength(model)).map((batch) =>
      createTranslationRequest(
        context,
        batch.map((text) => ({ text, problem: null })),
      ),
    ),
  );
  let tokens = 0;
  for (const [index, { messages }] of requests.entries()) {
    run.report(l10n.t("Counting tokens"), (100 * index) / requests.length);
    tokens += await countTokens(model, messages, run.signal);
  }
  run.pause();
  const total = texts.reduce((sum, each) => sum + each.texts.length, 0);
  const name = labelText(model.name);
  const perLanguage = texts.map(
    ({ context, texts: all }) => `${context.locale}: ${formatCount.texts(all.length)}`,
  );
  return pickOneOrNone(
    l10n.t("Translate {0} with {1}?", formatCount.texts(total), name),
    l10n.t("{0}, about {1} tokens to send", formatCount.requests(requests.length), formatNumber(tokens)),
    [
      {
        label: `$(sparkle) ${l10n.t("Translate")}`,
        description: perLanguage.join(" · "),
        detail: l10n.t("Translations are checked, and written only when you save them."),
        value: "yes" as const,
      },
      ...(hasOthers ? [{ label: l10n.t("Choose Another Model…"), value: "other" as const }] : []),
    ],
  );
}
