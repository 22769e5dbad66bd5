/**
 * Translate Missing: translates untranslated and outdated texts with a language model of the editor. Shows what is sent,
 * validates each answer and stores valid ones as drafts that the user saves.
 */
import { commands, type LanguageModelChat } from "vscode";
import { TranslationDrafts, type TranslationDraft } from "../../database/translation-draft-repository.ts";
import { describeRejection } from "../../machine-translation/rejection-feedback.ts";
import { translateTexts, type TranslationResult } from "../../machine-translation/translate-texts.ts";
import type { KeyName } from "../../model/key-hash.ts";
import { areTextsEqual } from "../../model/text.ts";
import { checkTranslation } from "../../machine-translation/validate-translation.ts";
import type { App } from "../../vscode/app.ts";
import {
  chooseSignedIn,
  requireLanguage,
  type SignedInProject,
} from "../../vscode/commands/command-requirements.ts";
import { ensureRefreshed } from "../../vscode/projects/ensure-refreshed.ts";
import { l10n } from "../../vscode/l10n.ts";
import { sendToModel, modelUnavailableError, languageModels } from "../../vscode/language-models.ts";
import { labelText, shortText } from "../../vscode/ui/text/escape-text.ts";
import { showInformation, showWarning, offerActions } from "../../vscode/notifications.ts";
import { CommandError, type CommandResult, type CommandRun } from "../../vscode/commands/command-types.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import { keyFromOptions, type KeyOptions } from "../../vscode/ui/input/pick-key.ts";
import { formatCount, formatNumber } from "../../vscode/ui/text/counts-and-times.ts";
import { partialResultError } from "../../vscode/ui/text/error-messages.ts";
import { pickMany } from "../../vscode/ui/input/quick-pick.ts";
import { translationRejectionMessage } from "../../vscode/ui/text/translation-rejection-messages.ts";
import { keyLabel, textLabel } from "../../vscode/ui/text/labels.ts";
import { ensureTranslations } from "../../vscode/ui/tree-view/key-and-issue-rows.ts";
import { DraftHistory } from "../../sync/edit/draft-history.ts";
import { saveAtService } from "../../sync/edit/save-drafts.ts";
import {
  chooseModelWithConsent,
  maxLengthOf,
  prepareTexts,
  type PreparedTexts,
} from "./translation-consent.ts";
import { machineDrafts, selectKeys, type SelectedKeys } from "./collect-translation-texts.ts";

/** Options of `projectTranslations.translate`. Tree rows set `locale` and, for a key, its name. */
export interface TranslateOptions extends KeyOptions {
  readonly locales?: readonly string[];
  readonly locale?: string;
  readonly keys?: readonly (KeyOptions | null)[];
  /** Id of a language model. */
  readonly model?: string;
  readonly save?: boolean;
  /** Of `keys` only what is untranslated or outdated. */
  readonly missingOnly?: boolean;
  /** Whether to open the translation editor with the proposed texts; default: true. */
  readonly showsEditor?: boolean;
}

interface RefusedText extends KeyName {
  readonly locale: string;
  readonly reason: string;
}

export interface TranslateFields {
  readonly staged: number;
  readonly saved: number;
  readonly refused: readonly RefusedText[];
  /** Id of the language model; `null` if none was needed. */
  readonly model: string | null;
  /** Number of requests sent to the model. */
  readonly requests: number;
}

/** Registers `projectTranslations.translate`. */
export function registerTranslate(app: App): void {
  app.command("projectTranslations.translate", l10n.t("Translate Missing"), translate);
}

async function translate(
  app: App,
  options: TranslateOptions,
  run: CommandRun,
): Promise<CommandResult<TranslateFields>> {
  const chosen = await chooseSignedIn(app, options, "write");
  const { open } = chosen;
  const { quiet } = run;
  const names = namesOf(options);
  run.report(l10n.t("Looking for language models"));
  const models = await languageModels();
  const named = options.model === undefined ? undefined : models.find(({ id }) => id === options.model);
  if (options.model !== undefined && named === undefined) throw modelUnavailableError(options.model);
  run.report(l10n.t("Checking for changes"));
  await ensureRefreshed(open, run.signal);
  const locales = await chooseLanguages(open, options, run);
  if (locales === undefined) return { outcome: "cancelled" };
  const drafts = new TranslationDrafts(open.database);
  const wanted: SelectedKeys[] = [];
  for (const locale of locales) {
    run.report(l10n.t("Reading translations"));
    await ensureTranslations(open, locale);
    run.signal.throwIfAborted();
    wanted.push(await selectKeys(open, locale, { names, missingOnly: options.missingOnly === true, drafts }));
  }
  const work = new Translation(app, chosen, drafts, run);
  work.refuse(wanted);
  if (wanted.some(({ keys }) => keys.length > 0)) {
    const texts = await prepareTexts(app, open, wanted, run);
    const model = await chooseModelWithConsent(app, { models, named, texts, run });
    if (model === undefined) return { outcome: "cancelled" };
    await work.ask(model, texts);
  }
  const proposed = quiet ? work.staged : machineDrafts(drafts, locales, names);
  run.pause();
  if (!quiet) showResult(app, work, proposed.length);
  if (options.save === true) await work.save(work.staged);
  else if (!quiet && options.showsEditor !== false && proposed.length + work.refused.length > 0)
    await commands.executeCommand("projectTranslations.openEditor", {
      folder: open.root,
      locales,
      filter: ["unsaved", "refused"],
    });
  const { fields } = work;
  return { outcome: fields.staged + fields.saved === 0 ? "unchanged" : "done", ...fields };
}

/** Returns the requested keys; `undefined` for all that are missing. */
function namesOf(options: TranslateOptions): readonly KeyName[] | undefined {
  const { keys } = options;
  if (keys === undefined) {
    const one = keyFromOptions(options);
    return one === undefined ? undefined : [one];
  }
  if (!Array.isArray(keys)) throw new CommandError("invalid", l10n.t("“keys” is a list of keys."));
  return keys.map((each: KeyOptions | null) => {
    const name = keyFromOptions(each ?? {});
    if (name === undefined) throw new CommandError("invalid", l10n.t("No key was given."));
    return name;
  });
}

/**
 * Returns the requested or chosen languages; `undefined` if dismissed.
 *
 * @throws {CommandError}
 */
async function chooseLanguages(
  open: OpenProject,
  options: TranslateOptions,
  run: CommandRun,
): Promise<readonly string[] | undefined> {
  const given = options.locales ?? (options.locale === undefined ? undefined : [options.locale]);
  if (given !== undefined) {
    if (!Array.isArray(given)) throw new CommandError("invalid", l10n.t("“locales” is a list of languages."));
    const locales = [...new Set(given.map(String))];
    for (const locale of locales) {
      requireLanguage(open, locale);
      if (locale === open.project.sourceLocale)
        throw new CommandError("invalid", l10n.t("{0} is the source language.", locale));
    }
    return locales;
  }
  const targets = (open.project.stats?.languages ?? []).filter(({ isSource }) => !isSource);
  if (run.quiet || targets.length <= 1) return targets.map(({ locale }) => locale);
  run.pause();
  return pickMany(
    l10n.t("Translate Missing"),
    l10n.t("Choose the languages to translate to"),
    targets.map(({ locale, name, totalKeys, translated, outdated }) => {
      const missing = Math.max(0, totalKeys - translated);
      const facts = [
        ...(missing === 0 ? [] : [l10n.t("{0} untranslated", formatNumber(missing))]),
        ...(outdated === 0 ? [] : [l10n.t("{0} outdated", formatNumber(outdated))]),
      ];
      return {
        label: labelText(name === "" ? locale : `${name} (${locale})`),
        description: facts.length === 0 ? l10n.t("complete") : facts.join(" · "),
        picked: missing + outdated > 0,
        value: locale,
      };
    }),
  );
}

function showResult(app: App, { fields, refused }: Translation, proposed: number): void {
  if (fields.model === null && proposed === 0 && refused.length === 0) {
    void showInformation(l10n.t("No translations are missing there."));
    return;
  }
  if (refused.length === 0) return;
  const message = l10n.t("{0} refused.", formatCount.translations(refused.length));
  const reasons = refused.map((each) => `${each.locale}  ${keyLabel(each)}\n    ${each.reason}\n`);
  const act = () => app.virtualDocuments.open(l10n.t("Refused translations"), reasons.join("\n"));
  offerActions(showWarning, message, { label: l10n.t("Show Reasons"), act });
}

/** Longer answers are truncated. Characters. */
const MAX_SHOWN_ANSWER = 300;

/** Returns why an answer was refused, including the answer itself. */
function reasonOf({
  reasons,
  translation,
}: Pick<Extract<TranslationResult, { readonly kind: "refused" }>, "reasons" | "translation">): string {
  const reason = reasons.map(translationRejectionMessage).join(" ");
  const answer = shortText(textLabel(translation), MAX_SHOWN_ANSWER);
  return answer.trim() === "" ? reason : l10n.t("{0} (The model's answer: “{1}”)", reason, answer);
}

/** One run of the command: sends, stages, refuses and saves texts. */
class Translation {
  readonly #app: App;
  readonly #chosen: SignedInProject;
  readonly #drafts: TranslationDrafts;
  readonly #run: CommandRun;
  readonly staged: TranslationDraft[] = [];
  readonly refused: RefusedText[] = [];
  #saved = 0;
  #requests = 0;
  #model: string | null = null;

  constructor(app: App, chosen: SignedInProject, drafts: TranslationDrafts, run: CommandRun) {
    this.#app = app;
    this.#chosen = chosen;
    this.#drafts = drafts;
    this.#run = run;
  }

  get fields(): TranslateFields {
    const { staged, refused } = this;
    return {
      staged: staged.length,
      saved: this.#saved,
      refused,
      model: this.#model,
      requests: this.#requests,
    };
  }

  /** Records requested keys that are not to be translated. */
  refuse(wanted: readonly SelectedKeys[]): void {
    const message = {
      "unknown-key": l10n.t("The service does not know the key."),
      draft: l10n.t("What you typed there is not saved yet."),
    };
    for (const { locale, refused } of wanted)
      for (const { name, reason } of refused) this.#refuse(name, locale, message[reason]);
  }

  /** Throws CommandError; PartialResultError when something was staged before. */
  async ask(model: LanguageModelChat, texts: readonly PreparedTexts[]): Promise<void> {
    const { project } = this.#chosen.open;
    const { signal } = this.#run;
    this.#model = model.id;
    const total = texts.reduce((sum, each) => sum + each.texts.length, 0);
    const message = l10n.t("Translating {0} with {1}", formatCount.texts(total), labelText(model.name));
    let done = 0;
    this.#run.report(message, 0);
    try {
      for (const prepared of texts) {
        const { context } = prepared;
        const { locale, sourceLocale } = context;
        const results = translateTexts(context, prepared.texts, {
          send: async (messages) => {
            this.#requests++;
            return sendToModel(model, messages, signal);
          },
          check: ({ hash, source, maxLength }, translation) => {
            const currentSource = project.keys.text(hash) ?? null;
            return checkTranslation({ source, sourceLocale, locale, maxLength, currentSource }, translation);
          },
          maxLength: maxLengthOf(model),
        });
        for await (const some of results) {
          this.#stage(prepared, some, model);
          done += some.length;
          this.#run.report(message, (100 * done) / total);
        }
      }
    } catch (error) {
      const message = this.#showStaged(model);
      if (this.staged.length === 0) throw error;
      throw partialResultError(message, total - done, this.fields, error);
    }
    this.#showStaged(model);
  }

  #showStaged(model: LanguageModelChat): string {
    const message = l10n.t(
      "{0} proposed by {1}, not saved yet.",
      formatCount.translations(this.staged.length),
      labelText(model.name),
    );
    if (this.staged.length > 0)
      this.#app.results.add(this.#chosen.open, message, this.refused.length === 0 ? "done" : "partly");
    return message;
  }

  #stage(
    { context: { locale }, bases }: PreparedTexts,
    results: readonly TranslationResult[],
    { id }: LanguageModelChat,
  ): void {
    const { keys, rejectedTranslations } = this.#chosen.open.project;
    const staged: TranslationDraft[] = [];
    for (const result of results) {
      const { hash } = result.text;
      const key = keys.get(hash);
      const name = key ?? { namespace: "", key: hash, context: null };
      if (result.kind === "refused") {
        this.#app.log.info(`Refused: ${locale} ${hash}: ${result.reasons.map(describeRejection).join(" ")}`);
        const reason = reasonOf(result);
        const version = bases.get(hash)?.version ?? null;
        rejectedTranslations.put({ locale, hash, reason, source: result.text.source, version });
        this.#refuse(name, locale, reason);
        continue;
      }
      rejectedTranslations.remove({ locale, hash });
      // The user edited this text while the model was working.
      if (this.#drafts.get(locale, hash)?.origin === "person") {
        this.#refuse(name, locale, l10n.t("What you typed there is not saved yet."));
        continue;
      }
      const base = bases.get(hash);
      staged.push({
        locale,
        hash,
        text: result.translation,
        // Also set for an incomplete plural text, which counts as untranslated.
        base: base?.text ?? null,
        baseVersion: base?.version ?? null,
        origin: "machine",
        model: id,
        source: result.text.source,
      });
    }
    this.#drafts.put(staged);
    this.#chosen.open.project.draftsChanged();
    this.staged.push(...staged);
  }

  /**
   * Writes the drafts that the user has not changed since to the service, by the rules of every write. Throws
   * PartialResultError.
   */
  async save(proposed: readonly TranslationDraft[]): Promise<void> {
    const { open, client } = this.#chosen;
    const { project } = open;
    const { signal } = this.#run;
    const history = new DraftHistory(
      this.#drafts,
      (locale, hash) => project.translations.get(locale, hash) ?? { text: null, version: null },
      (hash) => project.keys.text(hash) ?? null,
    );
    const drafts = proposed.filter((draft) => this.#isUnchanged(draft));
    const title = l10n.t("Writing {0}", formatCount.translations(drafts.length));
    const dependencies = { client, project, refresher: await open.refresher };
    let left = drafts.length;
    for (const [locale, own] of Map.groupBy(drafts, (draft) => draft.locale)) {
      this.#run.report(title, (100 * (drafts.length - left)) / drafts.length);
      const named = own.flatMap((draft) => {
        const name = project.keys.get(draft.hash);
        return name === undefined ? [] : [{ draft, name }];
      });
      const { saved, conflicts, stale, refused, failure } = await saveAtService(dependencies, locale, named, {
        signal,
      });
      history.markSaved(saved);
      project.draftsChanged();
      this.#saved += saved.length;
      left -= saved.length + conflicts.length + stale.length + refused.length;
      for (const { name } of conflicts)
        this.#refuse(name, locale, l10n.t("Someone else changed the translation in the meantime."));
      for (const { name } of stale)
        this.#refuse(name, locale, translationRejectionMessage({ kind: "source-changed" }));
      for (const { name, reason } of refused)
        this.#refuse(
          name,
          locale,
          l10n.t("The service did not write it: {0}.", typeof reason === "string" ? reason : reason.reason),
        );
      if (failure === null) continue;
      const message = this.#showSaved(true);
      throw partialResultError(message, left, this.fields, failure.error);
    }
    this.#showSaved(this.refused.length > 0);
  }

  /** Returns whether the draft is still as proposed, and refuses what the user typed over it. */
  #isUnchanged({ locale, hash, text }: TranslationDraft): boolean {
    const now = this.#drafts.get(locale, hash);
    const name = this.#chosen.open.project.keys.get(hash);
    if (now?.origin === "person" && name !== undefined)
      this.#refuse(name, locale, l10n.t("What you typed there is not saved yet."));
    return now?.origin === "machine" && areTextsEqual(now.text, text);
  }

  #showSaved(isPartly: boolean): string {
    const message = l10n.t("{0} written.", formatCount.translations(this.#saved));
    this.#app.results.add(this.#chosen.open, message, isPartly ? "partly" : "done");
    return message;
  }

  #refuse({ namespace, key, context }: KeyName, locale: string, reason: string): void {
    this.refused.push({ locale, namespace, key, context, reason });
  }
}
