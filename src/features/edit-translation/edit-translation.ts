/**
 * Edit Translation: a person changes one translation of the service, with the source text beside it. The version that
 * was read goes with the write, and what changed meanwhile is for the person to decide.
 */
import * as vscode from "vscode";
import type { Row } from "../../api/schemas.ts";
import { setTranslation } from "../../core/edit.ts";
import { keyHash, NO_NAMESPACE, type KeyName } from "../../core/identity.ts";
import { projectRow } from "../../core/project.ts";
import { sameText, type Forms, type Text } from "../../core/text.ts";
import type { App, Run } from "../../host/app.ts";
import { askText, isOneLine } from "../../host/ask-text.ts";
import { chooseKey, type KeyOptions } from "../../host/choose-key.ts";
import { sha1 } from "../../host/clock.ts";
import { givenText } from "../../host/given-text.ts";
import { chooseSignedIn, type Chosen } from "../../host/needs.ts";
import { CommandError, type CommandResult } from "../../host/outcome.ts";
import { familiesOf } from "../../host/text-checks.ts";
import { l10n } from "../../host/words.ts";
import { decide } from "./conflict.ts";
import { LongTexts } from "./long-texts.ts";
import { chooseLanguage } from "./languages.ts";
import {
  editNeeds,
  skippedError,
  unknownKey,
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

/** Registers `projectTranslations.editTranslation`, `.setTranslation` and `.setTranslations`. */
export function registerEditTranslation(app: App): void {
  const longTexts = new LongTexts();
  app.own(longTexts);
  app.command(
    "projectTranslations.editTranslation",
    l10n.t("Edit Translation"),
    (options: EditTranslationOptions, run) => edit(app, longTexts, options, run),
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
  longTexts: LongTexts,
  options: EditTranslationOptions,
  run: Run,
): Promise<CommandResult<{ readonly row: Row | null }>> {
  if (options.confirm === false) {
    throw new CommandError("invalid", l10n.t("Edit Translation asks a person. Use Set Translation instead."));
  }
  const chosen = await chooseSignedIn(app, options, "write");
  if (chosen === undefined) return { outcome: "cancelled" };
  const { open } = chosen;
  const name = await chooseKey(app, open, options, l10n.t("Edit the translation of which key?"));
  if (name === undefined) return { outcome: "cancelled" };
  const hash = keyHash(sha1, name);
  if (!open.project.keys.has(hash) && open.project.keysComplete) throw unknownKey(name.key);
  const locale = options.locale ?? (await chooseLanguage(app, open, name));
  if (locale === undefined) return { outcome: "cancelled" };
  if (locale === open.project.sourceLocale) {
    const { context } = name;
    const key = { namespace: name.namespace, key: name.key, ...(context === null ? {} : { context }) };
    await vscode.commands.executeCommand("projectTranslations.setLocal", { ...key, folder: open.root });
    return { outcome: "unchanged", row: null };
  }
  run.report(l10n.t("Reading translations"));
  await (await open.refresher).ensureLocale(locale, { priority: "person", signal: run.signal });
  run.pause();
  const { version } = options;
  return editIn(app, longTexts, chosen, { name, hash, locale, start: givenText(options), version }, run);
}

interface Target {
  readonly name: KeyName;
  readonly hash: string;
  readonly locale: string;
  readonly start: Text | undefined;
  /** Given: `start` is the decided text. */
  readonly version: number | null | undefined;
}

async function editIn(
  app: App,
  longTexts: LongTexts,
  chosen: Chosen,
  { name, hash, locale, start, version: given }: Target,
  run: Run,
): Promise<CommandResult<{ readonly row: Row | null }>> {
  const { open } = chosen;
  const key = open.project.keys.get(hash);
  const before = open.project.rows(locale)?.rows.get(hash) ?? null;
  const namespace = name.namespace === NO_NAMESPACE ? "" : `${name.namespace} › `;
  const title = `${locale} · ${namespace}${name.key}`;
  let base = before?.text ?? null;
  let version = given === undefined ? (before?.version ?? null) : given;
  let mine: Text | null = start ?? base;
  let decided = given === undefined ? undefined : start;
  for (;;) {
    const question = {
      title,
      isPlural: key?.isPlural ?? false,
      current: mine,
      families: familiesOf(app, open),
      source: key?.text ?? null,
      locale,
      maxLength: key?.maxLength ?? null,
      ...(key?.description == null ? {} : { hint: key.description }),
    };
    const text =
      decided ??
      (isOneLine(mine, question.source)
        ? await askText(question)
        : await longTexts.edit(question, app.texts, run.signal));
    decided = undefined;
    if (text === undefined) return { outcome: "cancelled" };
    if (base !== null && sameText(base, text)) return { outcome: "unchanged", row: null };
    mine = text;
    for (;;) {
      run.report(l10n.t("Writing the translation"));
      const outcome = await setTranslation(
        await editNeeds(chosen),
        locale,
        { name, text: mine, version },
        { signal: run.signal },
      );
      run.pause();
      if (outcome.kind === "unknown_key") throw unknownKey(name.key);
      if (outcome.kind === "skipped") throw skippedError(name.key, outcome.reason);
      if (outcome.kind !== "conflict") return { outcome: outcome.kind, row: outcome.row };
      const theirs = projectRow(outcome.theirs);
      const decision = await decide(app, { title, base, mine, theirs: theirs.text });
      if (decision === undefined) return { outcome: "cancelled" };
      if (decision === "theirs") return { outcome: "unchanged", row: outcome.theirs };
      base = theirs.text;
      version = theirs.version;
      if (decision === "edit") break;
    }
  }
}
