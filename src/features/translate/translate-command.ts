/**
 * Translate Missing: translates untranslated and outdated texts with a language model of the editor. Shows what is sent,
 * validates each answer and stores valid ones as drafts that the user saves.
 */
import type { LanguageModelChat } from "vscode";
import type { DraftId, TranslationDraft } from "../../database/personal/translation-draft-repository.ts";
import type { RefusedText } from "../../commands/declarations/text-commands.ts";
import type { FieldsOf, OptionsOf } from "../../commands/define-command.ts";
import { openEditorCommand } from "../../commands/declarations/window-commands.ts";
import {
  translateCommand,
  translateKeyCommand,
  translateRowCommand,
} from "../../commands/declarations/text-commands.ts";
import { describeRejection } from "../../machine-translation/rejection-feedback.ts";
import { translateTexts, type TranslationResult } from "../../machine-translation/translate-texts.ts";
import { checkTranslation } from "../../machine-translation/validate-translation.ts";
import { keyHash, type KeyName } from "../../model/key-hash.ts";
import { textsAtService, textsInFiles } from "../../sync/drafts/current-texts.ts";
import { DraftHistory } from "../../sync/drafts/draft-history.ts";
import {
  saveAtService,
  type NameOf,
  type RefusedDraft,
  type SaveResult,
} from "../../sync/drafts/save-drafts.ts";
import type { App, CommandWork } from "../../vscode/app.ts";
import {
  editDependencies,
  requireLanguage,
  requireWriteAccess,
} from "../../vscode/commands/command-requirements.ts";
import { CommandError, type CommandRun } from "../../commands/command-types.ts";
import { l10n } from "../../util/l10n.ts";
import { sendToModel, modelUnavailableError, languageModels } from "../../vscode/language-models.ts";
import { showInformation, showWarning, offerActions } from "../../vscode/notifications.ts";
import { ensureRefreshed } from "../../vscode/projects/refresh-project.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import type { ProjectConnection } from "../../vscode/projects/project-connection.ts";
import { entryAtCursor, keyFromOptions, pickKey } from "../../vscode/ui/input/pick-key.ts";
import { pickMany } from "../../vscode/ui/input/quick-pick.ts";
import { formatCount, formatNumber } from "../../messages/counts-and-times.ts";
import { partialResultError, skipReason } from "../../messages/error-messages.ts";
import { labelText, shortText } from "../../messages/escape-text.ts";
import { type KeySpelling, languageLabel, projectKeyLabel, textLabel } from "../../messages/labels.ts";
import { translationRejectionMessage } from "../../messages/machine-translation-rejection-messages.ts";
import { localRefusalError } from "../../messages/local-edit-error-messages.ts";
import { saveDraftsInFiles } from "../../vscode/files/save-drafts-in-files.ts";
import { ensureTranslations } from "../../vscode/projects/refresh-project.ts";
import {
  prepareTexts,
  refusedText,
  selectKeys,
  typedTextReason,
  type PreparedTexts,
  type SelectedKeys,
} from "./prepare-texts.ts";
import { decideSaving, decideStaging } from "./staging-decisions.ts";
import { chooseModelWithConsent, maxRequestLength } from "./translation-consent.ts";

type TranslateOptions = OptionsOf<typeof translateCommand>;
type TranslateFields = FieldsOf<typeof translateCommand>;

/** Registers `projectTranslations.translate`, also for rows and for one key. */
export function registerTranslate(app: App): void {
  app.command(translateCommand, translate);
  app.command(translateRowCommand, translate);
  app.command(translateKeyCommand, translateKey);
}

/** Translates what is missing of a key: into the language of the row or the entry, or from a source text into all. */
const translateKey: CommandWork<typeof translateKeyCommand> = async (app, options, run) => {
  const { open } = run;
  const entry = options.key === undefined ? await entryAtCursor(app, open) : undefined;
  const { namespace, key, context } = await pickKey(app, open, options, l10n.t("Translate which key?"));
  const locale = options.locale ?? entry?.locale ?? open.sourceLocale;
  const targets = (open.stats?.languages ?? []).filter(({ isSource }) => !isSource);
  return app.run(translateCommand, {
    folder: open.root,
    keys: [{ namespace, key, context }],
    locales: locale === null || locale === open.sourceLocale ? targets.map((each) => each.locale) : [locale],
    missingOnly: true,
    confirm: !run.quiet,
  });
};

const translate: CommandWork<typeof translateCommand> = async (app, options, run) => {
  const { open, connection } = run;
  // Without signing in, translations are those of the files.
  if (connection.source.hasService) await requireWriteAccess(open, connection);
  const names = requestedKeys(options);
  run.report(l10n.t("Looking for language models"));
  const models = await languageModels();
  const named = options.model === undefined ? undefined : models.find(({ id }) => id === options.model);
  if (options.model !== undefined && named === undefined) throw modelUnavailableError(options.model);
  run.report(l10n.t("Checking for changes"));
  await ensureRefreshed(open, run.signal);
  const locales = await chooseLanguages(open, options, run);
  const selected: SelectedKeys[] = [];
  for (const locale of locales) {
    run.report(l10n.t("Reading translations"));
    await ensureTranslations(open, locale);
    run.signal.throwIfAborted();
    selected.push(await selectKeys(open, locale, names, options.missingOnly === true));
  }
  const refused = selected.flatMap((each) => each.refused);
  const work: Work = { app, open, connection, run, staged: [], refused, saved: 0, requests: 0, model: null };
  if (selected.some(({ keys }) => keys.length > 0)) {
    const texts = await prepareTexts(app, open, selected, run);
    const model = await chooseModelWithConsent(app, models, named, texts, run);
    if (model === undefined) return { outcome: "cancelled" };
    work.model = model;
    await askModel(work, model, texts);
  }
  const proposed = run.quiet ? work.staged : machineDrafts(connection, locales, names);
  run.pause();
  if (!run.quiet) showResult(work, proposed.length);
  if (options.save === true) await saveStaged(work);
  else if (!run.quiet && options.showsEditor !== false && proposed.length + refused.length > 0)
    await app.run(openEditorCommand, {
      folder: open.root,
      locales,
      filter: ["unsaved", "refused"],
    });
  const fields = fieldsOf(work);
  return { outcome: fields.staged + fields.saved === 0 ? "unchanged" : "done", ...fields };
};

/** Returns the requested keys; `undefined` for all that are missing. */
function requestedKeys(options: TranslateOptions): readonly KeyName[] | undefined {
  const { keys } = options;
  if (keys === undefined) {
    const name = keyFromOptions(options);
    return name && [name];
  }
  return keys.flatMap((each) => keyFromOptions(each) ?? []);
}

/**
 * Returns the requested or chosen languages.
 * @throws {CommandError} also `cancelled`
 */
async function chooseLanguages(
  open: OpenProject,
  options: TranslateOptions,
  run: CommandRun,
): Promise<readonly string[]> {
  const given = options.locales ?? (options.locale === undefined ? undefined : [options.locale]);
  if (given !== undefined) {
    const locales = [...new Set(given)];
    for (const locale of locales) {
      requireLanguage(open, locale);
      if (locale === open.sourceLocale)
        throw new CommandError("invalid", l10n.t("{0} is the source language.", locale));
    }
    return locales;
  }
  const targets = (open.stats?.languages ?? []).filter(({ isSource }) => !isSource);
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
        label: labelText(languageLabel({ locale, name })),
        description: facts.length === 0 ? l10n.t("complete") : facts.join(" · "),
        picked: missing + outdated > 0,
        value: locale,
      };
    }),
  );
}

/** One run of the command, and its results so far. */
interface Work {
  readonly app: App;
  readonly open: OpenProject;
  /** What is translated belongs to this connection, also after another one replaced it. */
  readonly connection: ProjectConnection;
  readonly run: CommandRun;
  readonly staged: TranslationDraft[];
  readonly refused: RefusedText[];
  saved: number;
  requests: number;
  model: LanguageModelChat | null;
}

function fieldsOf({ staged, saved, refused, model, requests }: Work): TranslateFields {
  return { staged: staged.length, saved, refused, model: model?.id ?? null, requests };
}

/** Returns the machine translation drafts in these languages, optionally of these keys. */
function machineDrafts(
  { drafts }: ProjectConnection,
  locales: readonly string[],
  names: readonly KeyName[] | undefined,
): readonly TranslationDraft[] {
  const hashes = names && new Set(names.map((name) => keyHash(name)));
  return [...drafts.all()].filter(
    ({ origin, locale, hash }) =>
      origin === "machine" && locales.includes(locale) && hashes?.has(hash) !== false,
  );
}

function showResult({ app, open, model, refused }: Work, proposed: number): void {
  if (model === null && proposed === 0 && refused.length === 0) {
    void showInformation(l10n.t("No translations are missing there."));
    return;
  }
  if (refused.length === 0) return;
  const message = l10n.t("{0} refused.", formatCount.translations(refused.length));
  const reasons = refused.map(
    (each) => `${each.locale}  ${projectKeyLabel(open, each)}\n    ${each.reason}\n`,
  );
  const act = () => app.virtualDocuments.open(l10n.t("Refused translations"), reasons.join("\n"));
  offerActions(showWarning, message, { label: l10n.t("Show Reasons"), act });
}

/**
 * Sends the texts to the model and stages its translations.
 * @throws {CommandError} `PartialResultError` when something was staged before.
 */
async function askModel(
  work: Work,
  model: LanguageModelChat,
  texts: readonly PreparedTexts[],
): Promise<void> {
  const { app, open, connection, run, staged, refused } = work;
  const { keys } = connection;
  const total = texts.reduce((sum, each) => sum + each.texts.length, 0);
  const message = l10n.t("Translating {0} with {1}", formatCount.texts(total), labelText(model.name));
  let done = 0;
  const showStaged = (): string => {
    const count = formatCount.translations(staged.length);
    const message = l10n.t("{0} proposed by {1}, not saved yet.", count, labelText(model.name));
    if (staged.length > 0) app.results.add(open, message, refused.length === 0 ? "done" : "partly");
    return message;
  };
  // The texts may be those of another project by now.
  if (connection.hasEnded) throw sessionEndedError(open);
  run.report(message, 0);
  try {
    for (const prepared of texts) {
      const { locale, sourceLocale, delimiters = [] } = prepared.context;
      const results = translateTexts(prepared.context, prepared.texts, {
        send: async (messages) => {
          work.requests++;
          return sendToModel(model, messages, run.signal);
        },
        check: ({ hash, source, maxLength }, translation) => {
          // Once the session has ended, the keys may be another project's.
          const currentSource = connection.hasEnded ? source : (keys.text(hash) ?? null);
          const check = { source, sourceLocale, locale, maxLength, currentSource, delimiters };
          return checkTranslation(check, translation);
        },
        maxLength: maxRequestLength(model),
      });
      for await (const some of results) {
        stageResults(work, model, prepared, some);
        done += some.length;
        if (connection.hasEnded) throw sessionEndedError(open);
        run.report(message, (100 * done) / total);
      }
    }
  } catch (error) {
    const message = showStaged();
    throw staged.length === 0 ? error : partialResultError(message, total - done, fieldsOf(work), error);
  }
  showStaged();
}

/** What is staged by then is kept for the project that it was made for. */
function sessionEndedError({ label }: OpenProject): CommandError {
  return new CommandError(
    "not_signed_in",
    l10n.t("You signed out of “{0}”, or signed in to another project.", label),
  );
}

/** Characters. Longer answers are truncated. */
const MAX_ANSWER_LENGTH = 300;

function stageResults(
  { app, connection, staged, refused }: Work,
  { id: model }: LanguageModelChat,
  { context: { locale }, bases }: PreparedTexts,
  results: readonly TranslationResult[],
): void {
  const { hasEnded, drafts: stored, rejectedTranslations } = connection;
  const nameOf = ({ text: { hash } }: TranslationResult): KeyName =>
    (hasEnded ? undefined : connection.keys.get(hash)) ?? { namespace: "", key: hash, context: null };
  const decision = decideStaging(results, {
    locale,
    model,
    bases,
    draftOf: (of, hash) => stored.get(of, hash),
  });
  for (const result of decision.rejected) {
    const { hash, source } = result.text;
    app.log.info(`Rejected: ${locale} ${hash}: ${result.reasons.map(describeRejection).join(" ")}`);
    const sentences = result.reasons.map(translationRejectionMessage).join(" ");
    const answer = shortText(textLabel(result.translation), MAX_ANSWER_LENGTH);
    const reason =
      answer.trim() === "" ? sentences : l10n.t("{0} (The model’s answer: “{1}”)", sentences, answer);
    const version = bases.get(hash)?.version ?? null;
    rejectedTranslations.put({ locale, hash, reason, source, version });
    refused.push(refusedText(nameOf(result), locale, reason));
  }
  const { drafts: accepted, typed } = decision;
  for (const { hash } of [...accepted, ...typed.map(({ text }) => text)])
    rejectedTranslations.remove({ locale, hash });
  for (const result of typed) refused.push(refusedText(nameOf(result), locale, typedTextReason()));
  stored.put(accepted);
  staged.push(...accepted);
}

/**
 * Writes the staged drafts that the user has not changed since to the service, or to the files if nobody is signed in, by the rules of every write.
 * @throws {CommandError} `PartialResultError`
 */
async function saveStaged(work: Work): Promise<void> {
  const { app, open, connection, run, staged, refused } = work;
  const nameOf = ({ hash }: DraftId): KeyName =>
    connection.keys.get(hash) ?? { namespace: "", key: hash, context: null };
  const refuse = (drafts: readonly DraftId[], reason: string): void =>
    void refused.push(...drafts.map((draft) => refusedText(nameOf(draft), draft.locale, reason)));
  const showSaved = (isPartly: boolean): string => {
    const message = l10n.t("{0} written.", formatCount.translations(work.saved));
    app.results.add(open, message, isPartly ? "partly" : "done");
    return message;
  };
  // As it is now: signing out meanwhile does not make these the texts of files.
  const { source } = connection;
  const inFiles = { project: connection, local: connection.local };
  const history = new DraftHistory(connection.drafts, (id) =>
    source.savesTo(id.locale) === "file" ? textsInFiles(inFiles, id) : textsAtService(connection, id),
  );
  const decision = decideSaving(
    staged.filter(({ hash }) => connection.keys.has(hash)),
    (locale, hash) => connection.drafts.get(locale, hash),
  );
  refuse(decision.typed, typedTextReason());
  const toSave = decision.saved;
  const title = l10n.t("Writing {0}", formatCount.translations(toSave.length));
  const save = async (locale: string, drafts: readonly TranslationDraft[]): Promise<SaveResult> => {
    const { signal } = run;
    if (source.savesTo(locale) === "service") {
      const dependencies = await editDependencies(await requireWriteAccess(open, connection));
      return saveAtService(dependencies, locale, drafts, nameOf, { signal });
    }
    return saveDraftsInFiles(connection, open.files, drafts, nameOf, signal);
  };
  let left = toSave.length;
  for (const [locale, ofLocale] of Map.groupBy(toSave, (draft) => draft.locale)) {
    run.report(title, (100 * (toSave.length - left)) / toSave.length);
    const result = await save(locale, ofLocale);
    const { saved, conflicts, stale, failure } = result;
    history.markSaved(saved);
    work.saved += saved.length;
    left -= saved.length + conflicts.length + stale.length + result.refused.length;
    refuse(conflicts, l10n.t("Someone else changed the translation in the meantime."));
    refuse(stale, translationRejectionMessage({ kind: "source-changed" }));
    for (const each of result.refused) refuse([each.draft], refusalMessage(open, each, nameOf));
    if (failure !== null) throw partialResultError(showSaved(true), left, fieldsOf(work), failure.error);
  }
  showSaved(refused.length > 0);
}

function refusalMessage(project: KeySpelling, { draft, reason }: RefusedDraft, nameOf: NameOf): string {
  return typeof reason === "string"
    ? l10n.t("The service did not write it: {0}.", skipReason(reason))
    : localRefusalError(project, nameOf(draft), reason).message;
}
