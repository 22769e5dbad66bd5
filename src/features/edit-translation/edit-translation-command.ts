/**
 * Edit Translation: edits one translation at the service. The write sends the version that was read; a concurrent change is
 * a conflict that the user resolves.
 */
import * as vscode from "vscode";
import type { Row } from "../../api/response-schemas.ts";
import { setTranslation, type SetTranslationResult } from "../../sync/edit/write-translations.ts";
import { keyHash, type KeyName } from "../../model/key-hash.ts";
import { projectRow } from "../../database/project-state.ts";
import { isEmptyText, areTextsEqual, type Forms, type Text } from "../../model/text.ts";
import type { App } from "../../vscode/app.ts";
import { promptForText, isOneLine } from "../../vscode/ui/input/text-input.ts";
import { pickKey, type KeyOptions, unknownKeyError } from "../../vscode/ui/input/pick-key.ts";
import { UnsavedInput, draftSavedError } from "../../vscode/projects/unsaved-input.ts";
import { parseTextOption } from "../../vscode/commands/command-options.ts";
import { chooseSignedIn, type SignedInProject } from "../../vscode/commands/command-requirements.ts";
import { CommandError, type CommandResult, type CommandRun } from "../../vscode/commands/command-types.ts";
import { familiesOf } from "../../vscode/ui/input/translation-input-checks.ts";
import { labelText } from "../../vscode/ui/text/escape-text.ts";
import { projectKeyLabel, textLabel } from "../../vscode/ui/text/labels.ts";
import { l10n } from "../../vscode/l10n.ts";
import { resolveConflict } from "./conflict-prompt.ts";
import { MultilineDocuments } from "./multiline-documents.ts";
import { chooseLanguage } from "./pick-language.ts";
import {
  editDependencies,
  logReadBackError,
  skippedError,
  writeTranslations,
  writeTranslation,
} from "./set-translation-command.ts";

/** Options of `projectTranslations.editTranslation`; missing ones are prompted for. */
export interface EditTranslationOptions extends KeyOptions {
  readonly locale?: string;
  /** The initial value, such as a suggestion; default: the current translation. */
  readonly value?: string;
  readonly forms?: Forms;
  /**
   * Of the row that the text was made for: the text is then written without asking for another, and only a conflict
   * is for the person to decide.
   */
  readonly version?: number | null;
}

/** A typed text that was not written yet, and the translation it was based on. */
interface TypedText {
  readonly text: Text;
  readonly base: Text | null;
  readonly version: number | null;
}

/** Registers `projectTranslations.editTranslation`, `.setTranslation` and `.setTranslations`. */
export function registerEditTranslation(app: App): void {
  const multilineDocuments = new MultilineDocuments();
  app.addDisposable(multilineDocuments);
  app.command(
    "projectTranslations.editTranslation",
    l10n.t("Edit Translation"),
    (_app, options: EditTranslationOptions, run) => edit(app, multilineDocuments, options, run),
  );
  app.command("projectTranslations.setTranslation", l10n.t("Set Translation"), writeTranslation);
  app.command("projectTranslations.setTranslations", l10n.t("Set Translations"), writeTranslations);
}

async function edit(
  app: App,
  multilineDocuments: MultilineDocuments,
  options: EditTranslationOptions,
  run: CommandRun,
): Promise<CommandResult<{ readonly row: Row | null }>> {
  if (options.confirm === false) {
    throw new CommandError(
      "invalid",
      l10n.t("Edit Translation is interactive. Use Set Translation instead."),
    );
  }
  const chosen = await chooseSignedIn(app, options, "write");
  const { open } = chosen;
  const name = await pickKey(app, open, options, l10n.t("Edit the translation of which key?"));
  const hash = keyHash(name);
  if (!open.project.keys.has(hash) && open.project.keysComplete) throw unknownKeyError(name.key);
  const locale = options.locale ?? (await chooseLanguage(app, open, name));
  if (locale === undefined) return { outcome: "cancelled" };
  if (locale === open.project.sourceLocale) {
    const { namespace, key, context } = name;
    const target = { namespace, key, context, folder: open.root };
    await vscode.commands.executeCommand("projectTranslations.setLocal", target);
    return { outcome: "unchanged", row: null };
  }
  run.report(l10n.t("Reading translations"));
  const draft = new UnsavedInput<TypedText>(open, open.projectId, "translation", locale, hash);
  try {
    await (await open.refresher).ensureLocale(locale, { priority: "person", signal: run.signal });
  } catch (error) {
    // A cached row is sufficient, since a write with an old version is detected as a conflict.
    const isEnough = draft.value !== undefined || open.project.isComplete(locale);
    if (run.signal.aborted || !isEnough) throw error;
  }
  run.pause();
  const { version } = options;
  const target = { name, hash, locale, start: parseTextOption(options), version, draft };
  return editIn(app, multilineDocuments, chosen, target, run);
}

/** How long the status bar message is shown. Milliseconds. */
const SAVED_SHOWN = 5_000;

interface Target {
  readonly name: KeyName;
  readonly hash: string;
  readonly locale: string;
  readonly start: Text | undefined;
  /** If set, `start` is the text that the user decided on. */
  readonly version: number | null | undefined;
  readonly draft: UnsavedInput<TypedText>;
}

async function editIn(
  app: App,
  multilineDocuments: MultilineDocuments,
  chosen: SignedInProject,
  { name, hash, locale, start, version: given, draft }: Target,
  run: CommandRun,
): Promise<CommandResult<{ readonly row: Row | null }>> {
  const { open } = chosen;
  const key = open.project.keys.get(hash);
  const kept = start === undefined ? draft.value : undefined;
  const before = open.project.translation(locale, hash) ?? null;
  const sourceBefore = before?.isOutdated === true ? open.project.keys.previousText(hash) : null;
  const title = `${locale} · ${projectKeyLabel(open, name)}`;
  let base = kept === undefined ? (before?.text ?? null) : kept.base;
  let version = kept === undefined ? (given === undefined ? (before?.version ?? null) : given) : kept.version;
  let mine: Text | null = start ?? kept?.text ?? base;
  let decided = given === undefined ? undefined : start;
  const left = (): { readonly outcome: "cancelled" } => {
    draft.notifySaved(title);
    return { outcome: "cancelled" };
  };
  const again = (): unknown =>
    vscode.commands.executeCommand("projectTranslations.editTranslation", {
      ...name,
      locale,
      folder: open.root,
    });
  for (;;) {
    const hints = [
      draft.value === undefined ? null : l10n.t("Typed earlier, not saved yet"),
      sourceBefore === null ? null : `${l10n.t("Source text before:")} ${textLabel(sourceBefore)}`,
      key?.description,
    ];
    const hint = hints.filter((each) => each != null).join(" · ");
    const question = {
      title,
      isPlural: key?.isPlural ?? false,
      current: mine,
      families: familiesOf(app, open),
      source: key?.text ?? null,
      locale,
      maxLength: key?.maxLength ?? null,
      ...(hint === "" ? {} : { hint }),
    };
    const text =
      decided ??
      (isOneLine(mine, question.source)
        ? await promptForText(question)
        : await multilineDocuments.edit(question, app.virtualDocuments, run.signal));
    const isTyped = decided === undefined;
    decided = undefined;
    if (text === undefined) return left();
    if (base === null ? version === null && isEmptyText(text) : areTextsEqual(base, text)) {
      draft.discard();
      return { outcome: "unchanged", row: null };
    }
    mine = text;
    for (;;) {
      if (isTyped) draft.save({ text: mine, base, version });
      run.report(l10n.t("Writing the translation"));
      let outcome: SetTranslationResult;
      try {
        const edited = { name, text: mine, version };
        outcome = await setTranslation(await editDependencies(chosen), locale, edited, {
          signal: run.signal,
        });
        if (outcome.kind === "unknown_key") throw unknownKeyError(name.key);
        if (outcome.kind === "skipped") throw skippedError(name.key, outcome.reason);
      } catch (error) {
        if (run.signal.aborted) return left();
        throw isTyped ? draftSavedError(error, again) : error;
      }
      run.pause();
      logReadBackError(app, outcome);
      if (outcome.kind !== "conflict") {
        if (isTyped) draft.discard();
        vscode.window.setStatusBarMessage(`$(check) ${l10n.t("Saved: {0}", labelText(title))}`, SAVED_SHOWN);
        return { outcome: outcome.kind, row: outcome.row };
      }
      const theirs = projectRow(outcome.theirs);
      const decision = await resolveConflict(app, { title, base, mine, theirs: theirs.text });
      if (decision === undefined) return left();
      if (decision === "theirs") {
        if (isTyped) draft.discard();
        return { outcome: "unchanged", row: outcome.theirs };
      }
      base = theirs.text;
      version = theirs.version;
      if (decision === "edit") break;
    }
  }
}
