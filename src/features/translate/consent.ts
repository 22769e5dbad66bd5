/** Before anything is sent to a language model: everything that would be, how much it is, and whether a person agrees. */
import type { LanguageModelChat } from "vscode";
import type { ProjectRow } from "../../database/project-records.ts";
import {
  translationRequest,
  type RequestContext,
  type TextToTranslate,
} from "../../machine-translation/request.ts";
import { batchesOf } from "../../machine-translation/translate.ts";
import type { App, Run } from "../../vscode/app.ts";
import { l10n } from "../../vscode/l10n.ts";
import { countTokens } from "../../vscode/language-models.ts";
import { labelText } from "../../vscode/markdown.ts";
import { CommandError } from "../../vscode/command-result.ts";
import type { OpenProject } from "../../vscode/projects/project-handle.ts";
import { counted } from "../../vscode/ui/counts.ts";
import { number } from "../../vscode/ui/error-messages.ts";
import { ask } from "../../vscode/ui/quick-pick.ts";
import { GlossaryError, readGlossary } from "../../workspace/project-file/glossary.ts";
import { textsOf, type WantedKeys } from "./wanted-texts.ts";

/** The texts of a language, ready to be sent. */
export interface Prepared {
  readonly context: RequestContext;
  readonly texts: readonly TextToTranslate[];
  /** The translations as they were when the texts were made, by hash. */
  readonly bases: ReadonlyMap<string, ProjectRow>;
}

/** Gathers what is sent. Throws CommandError where the glossary cannot be read. */
export async function prepare(
  app: App,
  open: OpenProject,
  wanted: readonly WantedKeys[],
  run: Run,
): Promise<readonly Prepared[]> {
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
  const total = wanted.reduce((sum, { keys }) => sum + keys.length, 0);
  const prepared: Prepared[] = [];
  let done = 0;
  for (const each of wanted) {
    const context: RequestContext = {
      sourceLocale: project.sourceLocale ?? "en",
      locale: each.locale,
      instructions: file.translate?.instructions ?? null,
    };
    const texts: TextToTranslate[] = [];
    const bases = new Map<string, ProjectRow>();
    for await (const text of textsOf(app, open, each, glossary)) {
      run.signal.throwIfAborted();
      run.report(l10n.t("Gathering {0}", counted.texts(total)), (100 * ++done) / total);
      texts.push(text);
      const base = project.translations.get(each.locale, text.hash);
      if (base !== undefined) bases.set(text.hash, base);
    }
    if (texts.length > 0) prepared.push({ context, texts, bases });
  }
  return prepared;
}

/** Characters that the model can take in one request: half of its tokens are for rules and for what is hard to count. */
export function maxLengthOf({ maxInputTokens }: LanguageModelChat): number {
  return maxInputTokens > 0 ? Math.max(2_000, maxInputTokens * 1.5) : Number.POSITIVE_INFINITY;
}

/** The model that was used last on this machine. */
const LAST_MODEL = "languageModel";

/**
 * The model that a person agreed to send the texts to; quietly the one that is named, was used last, or is the only one.
 * `undefined`: the person did not agree. @throws CommandError `no_model`
 */
export async function agreedModel(
  app: App,
  {
    models,
    named,
    texts,
    quiet,
    run,
  }: {
    readonly models: readonly LanguageModelChat[];
    readonly named: LanguageModelChat | undefined;
    readonly texts: readonly Prepared[];
    readonly quiet: boolean;
    readonly run: Run;
  },
): Promise<LanguageModelChat | undefined> {
  const { globalState } = app.context;
  const [only] = models.length === 1 ? models : [];
  const last = models.find(({ id }) => id === globalState.get(LAST_MODEL));
  const known = named ?? only ?? last;
  if (quiet) {
    if (known !== undefined) return known;
    const ids = models.map(({ id }) => id).join(", ");
    throw new CommandError("no_model", l10n.t("Name one of the language models in “model”: {0}.", ids));
  }
  let model = known ?? (await choose(models, run));
  for (;;) {
    if (model === undefined) return undefined;
    const answer = await agree(model, texts, models.length > 1, run);
    if (answer !== "other") {
      if (answer === "yes") await globalState.update(LAST_MODEL, model.id);
      return answer === "yes" ? model : undefined;
    }
    model = await choose(models, run);
  }
}

async function choose(
  models: readonly LanguageModelChat[],
  run: Run,
): Promise<LanguageModelChat | undefined> {
  run.pause();
  return ask(
    l10n.t("Translate with which language model?"),
    l10n.t("Nothing is sent yet."),
    models.map((model) => ({
      label: labelText(model.name),
      description: labelText([model.vendor, model.family].filter((each) => each !== "").join(" · ")),
      value: model,
    })),
  );
}

/** Says what would be sent, and asks. */
async function agree(
  model: LanguageModelChat,
  texts: readonly Prepared[],
  hasOthers: boolean,
  run: Run,
): Promise<"yes" | "other" | undefined> {
  const sent = texts.flatMap(({ context, texts: all }) =>
    batchesOf(all, maxLengthOf(model)).map((batch) =>
      translationRequest(
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
    ({ context, texts: all }) => `${context.locale}: ${counted.texts(all.length)}`,
  );
  return ask(
    l10n.t("Translate {0} with {1}?", counted.texts(total), name),
    l10n.t("{0}, about {1} tokens to send", counted.requests(sent.length), number(tokens)),
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
