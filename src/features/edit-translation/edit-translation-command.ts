/**
 * Edit Translation: edits one text where it is kept. Source texts, and without signing in all texts, are edited in their
 * files (Set Local Text), translations at the service. The write sends the version that was read; a concurrent change is
 * a conflict that the user resolves.
 */
import {
  editTranslationCommand,
  setTranslationCommand,
  setTranslationsCommand,
  setLocalCommand,
} from "../../commands/declarations/text-commands.ts";
import * as vscode from "vscode";
import { setTranslation, type SetTranslationResult } from "../../sync/edit/send-translations.ts";
import { keyHash, type KeyName } from "../../model/key-hash.ts";
import { projectRow } from "../../database/project-state.ts";
import type { App, CommandWork } from "../../vscode/app.ts";
import { promptForText, isOneLine, type TextPrompt } from "../../vscode/ui/input/text-input.ts";
import { keyOptions, pickKey, unknownKeyError } from "../../vscode/ui/input/pick-key.ts";
import { definedFields } from "../../util/defined-fields.ts";
import { retryAction, UnsavedInput } from "../../vscode/projects/unsaved-input.ts";
import { parseTextOption } from "../../vscode/commands/command-options.ts";
import { editDependencies, requireWriteAccess } from "../../vscode/commands/command-requirements.ts";
import { CommandError, KeptInputError, requireAnswer } from "../../commands/command-types.ts";
import { familiesOf } from "../../vscode/ui/input/translation-input-checks.ts";
import { labelText } from "../../messages/escape-text.ts";
import { languageLabel, projectKeyLabel, textLabel } from "../../messages/labels.ts";
import { l10n } from "../../util/l10n.ts";
import { afterConflict, beginEdit, isUnchanged, type TypedText } from "./edit-decisions.ts";
import { promptForConflict } from "./conflict-prompt.ts";
import { MultilineDocuments } from "./multiline-documents.ts";
import {
  logReadBackError,
  skippedError,
  writeTranslations,
  writeTranslation,
} from "./set-translation-command.ts";
import { showList } from "../../vscode/ui/input/quick-pick.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import { shownTranslation } from "../../vscode/ui/text/translation-states.ts";
import { formatCount } from "../../messages/counts-and-times.ts";
import { localText } from "../../vscode/files/local-texts.ts";

/** Registers `projectTranslations.editTranslation`, `.setTranslation` and `.setTranslations`. */
export function registerEditTranslation(app: App): void {
  const documents = new MultilineDocuments();
  app.addDisposable(documents);
  app.command(editTranslationCommand, editIn(documents));
  app.command(setTranslationCommand, writeTranslation);
  app.command(setTranslationsCommand, writeTranslations);
}

/** Edits a one-line text in an input box, any other in one of the documents. */
const editIn =
  (documents: MultilineDocuments): CommandWork<typeof editTranslationCommand> =>
  async (app, options, run) => {
    if (options.confirm === false) {
      throw new CommandError(
        "invalid",
        l10n.t("Edit Translation is interactive. Use Set Translation instead."),
      );
    }
    const { open, connection } = run;
    const name = await pickKey(app, open, options, l10n.t("Edit the translation of which key?"));
    const hash = keyHash(name);
    const isKnown = open.keys.has(hash) || !open.keysComplete;
    const { sourceLocale } = open;
    // A key that is not pushed yet has only a source text that can be edited.
    const locale =
      options.locale ??
      (isKnown || sourceLocale === null
        ? requireAnswer(await chooseLanguage(app, open, name))
        : sourceLocale);
    if (open.source.savesTo(locale) === "file") {
      const { value, forms } = options;
      const result = await app.run(setLocalCommand, {
        ...keyOptions(open, name, locale),
        ...definedFields({ value, forms }),
      });
      return { ...result, row: null };
    }
    if (!isKnown) throw unknownKeyError(open, name);
    const signedIn = await requireWriteAccess(open, connection);
    run.report(l10n.t("Reading translations"));
    const draft = new UnsavedInput<TypedText>(connection, "project", "translation", locale, hash);
    try {
      await (await connection.refresher).ensureLocale(locale, { priority: "person", signal: run.signal });
    } catch (error) {
      // A cached row is sufficient, since a write with an old version is detected as a conflict.
      const isEnough = draft.value !== undefined || connection.isComplete(locale);
      if (run.signal.aborted || !isEnough) throw error;
    }
    run.pause();
    const title = `${locale} · ${projectKeyLabel(open, name)}`;
    const cancel = (): { readonly outcome: "cancelled" } => {
      draft.notifySaved(title);
      return { outcome: "cancelled" };
    };
    const row = connection.translation(locale, hash);
    const given = parseTextOption(options);
    let edit = beginEdit(row, given, options.version, draft.value);
    let isTyped = false;
    for (;;) {
      let mine = edit.toWrite;
      if (mine === undefined) {
        const prompt = textPrompt(app, open, { hash, locale, title, current: edit.mine, draft });
        mine = isOneLine(edit.mine, prompt.source)
          ? await promptForText(prompt)
          : await documents.edit(prompt, app.virtualDocuments, run.signal);
        if (mine === undefined) return cancel();
        isTyped = true;
      }
      const { base, version } = edit;
      if (isUnchanged(edit, mine)) {
        draft.discard();
        return { outcome: "unchanged", row: null };
      }
      if (isTyped) draft.save({ text: mine, base, version });
      run.report(l10n.t("Writing the translation"));
      let outcome: SetTranslationResult;
      try {
        const dependencies = await editDependencies(signedIn);
        const change = { name, text: mine, version };
        outcome = await setTranslation(dependencies, locale, change, { signal: run.signal });
        if (outcome.kind === "unknown_key") throw unknownKeyError(open, name);
        if (outcome.kind === "skipped") throw skippedError(open, name, outcome.reason);
      } catch (error) {
        if (run.signal.aborted && error === run.signal.reason) return cancel();
        if (!isTyped) throw error;
        throw new KeptInputError(
          error,
          retryAction(app, editTranslationCommand, keyOptions(open, name, locale)),
        );
      }
      run.pause();
      logReadBackError(app, outcome);
      if (outcome.kind !== "conflict") {
        if (isTyped) draft.discard();
        vscode.window.setStatusBarMessage(
          `$(check) ${l10n.t("Saved: {0}", labelText(title))}`,
          SAVED_SHOWN_MS,
        );
        return { outcome: outcome.kind, row: outcome.row };
      }
      const theirs = projectRow(outcome.theirs);
      const decision = await promptForConflict(app, title, { base, mine, theirs: theirs.text });
      if (decision === undefined) return cancel();
      if (decision === "theirs") {
        if (isTyped) draft.discard();
        return { outcome: "unchanged", row: outcome.theirs };
      }
      edit = afterConflict(mine, theirs, decision);
    }
  };

/** How long the status bar message is shown. */
const SAVED_SHOWN_MS = 5_000;

interface PromptedText extends Pick<TextPrompt, "locale" | "title" | "current"> {
  readonly hash: string;
  readonly draft: UnsavedInput<TypedText>;
}

function textPrompt(
  app: App,
  open: OpenProject,
  { hash, locale, title, current, draft }: PromptedText,
): TextPrompt {
  const key = open.keys.get(hash);
  const isOutdated = open.connection.translation(locale, hash)?.isOutdated === true;
  const sourceBefore = isOutdated ? open.keys.previousText(hash) : null;
  const hints = [
    draft.value === undefined ? null : l10n.t("Typed earlier, not saved yet"),
    sourceBefore === null ? null : `${l10n.t("Source text before:")} ${textLabel(sourceBefore)}`,
    key?.description,
  ];
  const hint = hints.filter((each) => each != null).join(" · ");
  return {
    title,
    isPlural: key?.isPlural ?? false,
    current,
    families: familiesOf(app, open),
    source: key?.text ?? null,
    locale,
    maxLength: key?.maxLength ?? null,
    hint,
  };
}

interface LanguageItem extends vscode.QuickPickItem {
  readonly locale: string;
}

/** Returns the chosen locale; `undefined` if dismissed. Languages that are not loaded are fetched while it is open. */
function chooseLanguage(app: App, open: OpenProject, name: KeyName): Promise<string | undefined> {
  const hash = keyHash(name);
  const pick = vscode.window.createQuickPick<LanguageItem>();
  pick.title = labelText(projectKeyLabel(open, name));
  pick.placeholder = l10n.t("Choose a language to edit");
  pick.matchOnDetail = true;
  pick.matchOnDescription = true;
  const activate = (isWanted: (item: LanguageItem) => boolean): void => {
    const wanted = pick.items.find(isWanted);
    if (wanted !== undefined) pick.activeItems = [wanted];
  };
  const fill = (): void => {
    const locale = pick.activeItems[0]?.locale;
    pick.items = languageItems(open, hash);
    activate((item) => item.locale === locale);
  };
  fill();
  activate((item) => item.locale !== open.sourceLocale);
  const hidden = new AbortController();
  pick.busy = true;
  loadLanguages(open, hidden.signal)
    .catch((error: unknown) => app.log.warn(`Not every language could be read: ${String(error)}`))
    .finally(() => {
      if (!hidden.signal.aborted) pick.busy = false;
    });
  return showList(
    pick,
    ([item]) => item?.locale,
    app.store.subscribe(["keys", "translations", "drafts"], fill),
    { dispose: () => hidden.abort() },
  );
}

async function loadLanguages(open: OpenProject, signal: AbortSignal): Promise<void> {
  const refresher = await open.refresher;
  for (const language of open.stats?.languages ?? []) {
    signal.throwIfAborted();
    if (language.isSource || open.isComplete(language.locale)) continue;
    await refresher.ensureLocale(language.locale, { priority: "person", signal });
  }
}

function languageItems(open: OpenProject, hash: string): LanguageItem[] {
  const key = open.keys.get(hash);
  return (open.stats?.languages ?? []).map((language) => {
    const { locale, isSource } = language;
    const base = { locale, label: labelText(languageLabel(language)) };
    if (isSource) {
      const description = open.source.hasService
        ? l10n.t("source, edited in the local file")
        : l10n.t("source language");
      return { ...base, description, detail: textLabel(localText(open, hash) ?? key?.text ?? null) };
    }
    const { text, row, states } = shownTranslation(open, hash, locale);
    const details = states.map(({ icon, label }) => `$(${icon}) ${label}`);
    if (row !== undefined && row.issues.length > 0)
      details.push(`$(warning) ${formatCount.qaIssues(row.issues.length)}`);
    return { ...base, description: details.join(" · "), detail: textLabel(text) };
  });
}
