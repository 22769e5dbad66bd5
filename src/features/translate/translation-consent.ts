/** Consent before texts are sent to a language model: what would be sent, and how much. */
import type { LanguageModelChat } from "vscode";
import type { ProjectRow } from "../../database/records.ts";
import {
  createTranslationRequest,
  type RequestContext,
  type TextToTranslate,
} from "../../machine-translation/translation-prompt.ts";
import { splitIntoBatches } from "../../machine-translation/translate-texts.ts";
import type { App } from "../../vscode/app.ts";
import { l10n } from "../../vscode/l10n.ts";
import { countTokens } from "../../vscode/language-models.ts";
import { labelText } from "../../vscode/ui/text/escape-text.ts";
import { CommandError, type CommandRun } from "../../vscode/commands/command-types.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import { formatCount, formatNumber } from "../../vscode/ui/text/counts-and-times.ts";
import { pickOne } from "../../vscode/ui/input/quick-pick.ts";
import { GlossaryError, readGlossary } from "../../workspace/project-file/glossary.ts";
import { collectTexts, type SelectedKeys } from "./collect-translation-texts.ts";

/** The texts of a language to be sent. */
export interface PreparedTexts {
  readonly context: RequestContext;
  readonly texts: readonly TextToTranslate[];
  /** The translations at the time the texts were collected, by hash. */
  readonly bases: ReadonlyMap<string, ProjectRow>;
}

/**
 * Collects the texts to send.
 *
 * @throws {CommandError} if the glossary cannot be read.
 */
export async function prepareTexts(
  app: App,
  open: OpenProject,
  wanted: readonly SelectedKeys[],
  run: CommandRun,
): Promise<readonly PreparedTexts[]> {
  const { file, project } = open;
  const glossary = await readGlossary(file, open.files).catch((error: unknown) => {
    if (!(error instanceof GlossaryError)) throw error;
    throw new CommandError(
      "invalid",
      l10n.t(
        "The glossary {0} cannot be read. Check “translate.glossary” in project-translations.json.",
        error.path,
      ),
    );
  });
  run.report(l10n.t("Searching the code"));
  // Usages are only context: without them the texts are translated all the same.
  const usages = await app.usages.current(open, run.signal).catch(() => app.usages.of(open));
  run.signal.throwIfAborted();
  const total = wanted.reduce((sum, { keys }) => sum + keys.length, 0);
  const prepared: PreparedTexts[] = [];
  let done = 0;
  for (const each of wanted) {
    const context: RequestContext = {
      sourceLocale: project.sourceLocale ?? "en",
      locale: each.locale,
      instructions: file.translate?.instructions ?? null,
    };
    const texts: TextToTranslate[] = [];
    const bases = new Map<string, ProjectRow>();
    for await (const text of collectTexts(open, each, { usages, glossary })) {
      run.signal.throwIfAborted();
      run.report(l10n.t("Gathering {0}", formatCount.texts(total)), (100 * ++done) / total);
      texts.push(text);
      const base = project.translations.get(each.locale, text.hash);
      if (base !== undefined) bases.set(text.hash, base);
    }
    if (texts.length > 0) prepared.push({ context, texts, bases });
  }
  return prepared;
}

/** Returns the maximum request length in characters; half of the tokens are reserved for rules and estimation errors. */
export function maxLengthOf({ maxInputTokens }: LanguageModelChat): number {
  return maxInputTokens > 0 ? Math.max(2_000, maxInputTokens * 1.5) : Number.POSITIVE_INFINITY;
}

/** Global state key of the last used model. */
const LAST_MODEL = "languageModel";

/**
 * Returns the model to use after the user agreed to send the texts; `undefined` if they did not. Without prompts the
 * requested, last used or only model.
 *
 * @throws {CommandError} `no_model`
 */
export async function chooseModelWithConsent(
  app: App,
  {
    models,
    named,
    texts,
    run,
  }: {
    readonly models: readonly LanguageModelChat[];
    readonly named: LanguageModelChat | undefined;
    readonly texts: readonly PreparedTexts[];
    readonly run: CommandRun;
  },
): Promise<LanguageModelChat | undefined> {
  const { globalState } = app.context;
  const [only] = models.length === 1 ? models : [];
  const last = models.find(({ id }) => id === globalState.get(LAST_MODEL));
  const known = named ?? only ?? last;
  if (run.quiet) {
    if (known !== undefined) return known;
    const ids = models.map(({ id }) => id).join(", ");
    throw new CommandError("no_model", l10n.t("Name one of the language models in “model”: {0}.", ids));
  }
  let model = known ?? (await choose(models, run));
  while (model !== undefined) {
    const answer = await confirmSending(model, texts, models.length > 1, run);
    if (answer === "yes") await globalState.update(LAST_MODEL, model.id);
    if (answer !== "other") return answer && model;
    model = await choose(models, run);
  }
  return undefined;
}

async function choose(
  models: readonly LanguageModelChat[],
  run: CommandRun,
): Promise<LanguageModelChat | undefined> {
  run.pause();
  return pickOne(
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
  const sent = texts.flatMap(({ context, texts: all }) =>
    splitIntoBatches(all, maxLengthOf(model)).map((batch) =>
      createTranslationRequest(
        context,
        batch.map((text) => ({ text, problem: null })),
      ),
    ),
  );
  let tokens = 0;
  for (const [index, { messages }] of sent.entries()) {
    run.report(l10n.t("Counting tokens"), (100 * index) / sent.length);
    tokens += await countTokens(model, messages, run.signal);
  }
  run.pause();
  const total = texts.reduce((sum, each) => sum + each.texts.length, 0);
  const name = labelText(model.name);
  const perLanguage = texts.map(
    ({ context, texts: all }) => `${context.locale}: ${formatCount.texts(all.length)}`,
  );
  return pickOne(
    l10n.t("Translate {0} with {1}?", formatCount.texts(total), name),
    l10n.t("{0}, about {1} tokens to send", formatCount.requests(sent.length), formatNumber(tokens)),
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
