/**
 * Edit Translation: a person changes one translation of the service, with the source text beside it. The version that
 * was read goes with the write, and what changed meanwhile is for the person to decide.
 */
import * as vscode from "vscode";
import type { Row } from "../../api/schemas.ts";
import { setTranslation, type SetOutcome } from "../../sync/edit.ts";
import { keyHash, type KeyName } from "../../model/key-identity.ts";
import { projectRow } from "../../database/project-state.ts";
import { isEmptyText, sameText, type Forms, type Text } from "../../model/text.ts";
import type { App, Run } from "../../vscode/app.ts";
import { askText, isOneLine } from "../../vscode/ui/text-input.ts";
import { chooseKey, type KeyOptions, unknownKeyError } from "../../vscode/ui/choose-key.ts";
import { Draft, keptError } from "../../vscode/projects/drafts.ts";
import { givenText } from "../../vscode/ui/text-option.ts";
import { chooseSignedIn, type Chosen } from "../../vscode/command-requirements.ts";
import { CommandError, type CommandResult } from "../../vscode/command-result.ts";
import { familiesOf } from "../../vscode/ui/text-checks.ts";
import { labelText } from "../../vscode/markdown.ts";
import { labelIn, textLabel } from "../../vscode/ui/text-label.ts";
import { l10n } from "../../vscode/l10n.ts";
import { decide } from "./conflict.ts";
import { MultilineDocuments } from "./multiline-documents.ts";
import { chooseLanguage } from "./languages.ts";
import {
  editNeeds,
  logUnreadRow,
  skippedError,
  writeMany,
  writeOne,
  type SetTranslationOptions,
  type SetTranslationsOptions,
} from "./set-translation.ts";

/** Options of `projectTranslations.editTranslation`; what is left out is asked for. */
export interface EditTranslationOptions extends KeyOptions {
  readonly locale?: string;
  /** What the field begins with (a suggestion, say); default: the translation as it is. */
  readonly value?: string;
  readonly forms?: Forms;
  /**
   * Of the row that the text was made for: the text is then written without asking for another, and only a conflict
   * is for the person to decide.
   */
  readonly version?: number | null;
}

/** A text that was typed and not written yet, and what it was typed over. */
interface TypedText {
  readonly text: Text;
  readonly base: Text | null;
  readonly version: number | null;
}

/** Registers `projectTranslations.editTranslation`, `.setTranslation` and `.setTranslations`. */
export function registerEditTranslation(app: App): void {
  const multilineDocuments = new MultilineDocuments();
  app.own(multilineDocuments);
  app.command(
    "projectTranslations.editTranslation",
    l10n.t("Edit Translation"),
    (options: EditTranslationOptions, run) => edit(app, multilineDocuments, options, run),
  );
  app.command(
    "projectTranslations.setTranslation",
    l10n.t("Set Translation"),
    (options: SetTranslationOptions, run) => writeOne(app, options, run),
  );
  app.command(
    "projectTranslations.setTranslations",
    l10n.t("Set Translations"),
    (options: SetTranslationsOptions, run) => writeMany(app, options, run),
  );
}

async function edit(
  app: App,
  multilineDocuments: MultilineDocuments,
  options: EditTranslationOptions,
  run: Run,
): Promise<CommandResult<{ readonly row: Row | null }>> {
  if (options.confirm === false) {
    throw new CommandError(
      "invalid",
      l10n.t("Edit Translation is interactive. Use Set Translation instead."),
    );
  }
  const chosen = await chooseSignedIn(app, options, "write");
  if (chosen === undefined) return { outcome: "cancelled" };
  const { open } = chosen;
  const name = await chooseKey(app, open, options, l10n.t("Edit the translation of which key?"));
  if (name === undefined) return { outcome: "cancelled" };
  const hash = keyHash(name);
  if (!open.project.keys.has(hash) && open.project.keysComplete) throw unknownKeyError(name.key);
  const locale = options.locale ?? (await chooseLanguage(app, open, name));
  if (locale === undefined) return { outcome: "cancelled" };
  if (locale === open.project.sourceLocale) {
    const { context } = name;
    const key = { namespace: name.namespace, key: name.key, ...(context === null ? {} : { context }) };
    await vscode.commands.executeCommand("projectTranslations.setLocal", { ...key, folder: open.root });
    return { outcome: "unchanged", row: null };
  }
  run.report(l10n.t("Reading translations"));
  const draft = new Draft<TypedText>(open, open.projectId, "translation", locale, hash);
  try {
    await (await open.refresher).ensureLocale(locale, { priority: "person", signal: run.signal });
  } catch (error) {
    // What was read before is enough: a write on an old version is a conflict.
    const isEnough = draft.value !== undefined || open.project.isComplete(locale);
    if (run.signal.aborted || !isEnough) throw error;
  }
  run.pause();
  const { version } = options;
  const target = { name, hash, locale, start: givenText(options), version, draft };
  return editIn(app, multilineDocuments, chosen, target, run);
}

/** How long the status bar says that a translation was saved. Milliseconds. */
const SAVED_SHOWN = 5_000;

interface Target {
  readonly name: KeyName;
  readonly hash: string;
  readonly locale: string;
  readonly start: Text | undefined;
  /** Given: `start` is the decided text. */
  readonly version: number | null | undefined;
  readonly draft: Draft<TypedText>;
}

async function editIn(
  app: App,
  multilineDocuments: MultilineDocuments,
  chosen: Chosen,
  { name, hash, locale, start, version: given, draft }: Target,
  run: Run,
): Promise<CommandResult<{ readonly row: Row | null }>> {
  const { open } = chosen;
  const key = open.project.keys.get(hash);
  const kept = start === undefined ? draft.value : undefined;
  const before = open.project.translation(locale, hash) ?? null;
  const sourceBefore = before?.isOutdated === true ? open.project.keys.textBefore(hash) : null;
  const title = `${locale} · ${labelIn(open, name)}`;
  let base = kept === undefined ? (before?.text ?? null) : kept.base;
  let version = kept === undefined ? (given === undefined ? (before?.version ?? null) : given) : kept.version;
  let mine: Text | null = start ?? kept?.text ?? base;
  let decided = given === undefined ? undefined : start;
  const left = (): { readonly outcome: "cancelled" } => {
    draft.notifyKept(title);
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
        ? await askText(question)
        : await multilineDocuments.edit(question, app.texts, run.signal));
    const isTyped = decided === undefined;
    decided = undefined;
    if (text === undefined) return left();
    if (base === null ? version === null && isEmptyText(text) : sameText(base, text)) {
      draft.discard();
      return { outcome: "unchanged", row: null };
    }
    mine = text;
    for (;;) {
      if (isTyped) draft.keep({ text: mine, base, version });
      run.report(l10n.t("Writing the translation"));
      let outcome: SetOutcome;
      try {
        const edited = { name, text: mine, version };
        outcome = await setTranslation(await editNeeds(chosen), locale, edited, { signal: run.signal });
        if (outcome.kind === "unknown_key") throw unknownKeyError(name.key);
        if (outcome.kind === "skipped") throw skippedError(name.key, outcome.reason);
      } catch (error) {
        if (run.signal.aborted) return left();
        throw isTyped ? keptError(error, again) : error;
      }
      run.pause();
      logUnreadRow(app, outcome);
      if (outcome.kind !== "conflict") {
        if (isTyped) draft.discard();
        vscode.window.setStatusBarMessage(`$(check) ${l10n.t("Saved: {0}", labelText(title))}`, SAVED_SHOWN);
        return { outcome: outcome.kind, row: outcome.row };
      }
      const theirs = projectRow(outcome.theirs);
      const decision = await decide(app, { title, base, mine, theirs: theirs.text });
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
