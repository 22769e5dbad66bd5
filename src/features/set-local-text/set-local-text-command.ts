/** Set Local Text: writes a key's text to its local file, changing only the bytes of the entry. */
import type { FieldsOf } from "../../commands/define-command.ts";
import { goToEntryCommand } from "../../commands/declarations/key-commands.ts";
import { setLocalCommand } from "../../commands/declarations/text-commands.ts";
import { keyHash, type KeyName } from "../../model/key-hash.ts";
import type { LocalEntry } from "../../workspace/local-files/local-entries.ts";
import { isForms, areTextsEqual, type Text } from "../../model/translation-text.ts";
import type { App, CommandWork } from "../../vscode/app.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import { promptForText, isOneLine } from "../../vscode/ui/input/text-input.ts";
import { keyOptions, pickKey } from "../../vscode/ui/input/pick-key.ts";
import { localRefusalError } from "../../messages/local-edit-error-messages.ts";
import { CommandError, type CommandResult, type CommandRun } from "../../commands/command-types.ts";
import { familiesOf } from "../../vscode/ui/input/translation-input-checks.ts";
import { retryAction, UnsavedInput } from "../../vscode/projects/unsaved-input.ts";
import { parseTextOption } from "../../vscode/commands/command-options.ts";
import { projectKeyLabel } from "../../messages/labels.ts";
import { l10n } from "../../util/l10n.ts";
import { fileChangedError } from "../../messages/file-write-error-messages.ts";
import { writeProjectFiles } from "../../vscode/files/write-files.ts";

/** Registers `projectTranslations.setLocal`. */
export function registerSetLocal(app: App): void {
  app.command(setLocalCommand, setLocal);
}

/** Prompts for missing options; the default language is the source language. */
type SetLocalFields = FieldsOf<typeof setLocalCommand>;

const setLocal: CommandWork<typeof setLocalCommand> = async (app, options, run) => {
  const { open } = run;
  // Without a prompt, nothing is written to the key that happens to be at the cursor.
  if (run.quiet && options.key === undefined) throw new CommandError("invalid", l10n.t("No key was given."));
  const name = await pickKey(app, open, options, l10n.t("Set the local text of which key?"));
  const local = await open.local.reload(run.signal);
  const locale = options.locale ?? local.sourceLocale;
  const before = local.entries(locale).get(keyHash(name));
  const given = parseTextOption(options);
  if (given !== undefined) return write(open, name, locale, given, before, run);
  if (run.quiet) throw new CommandError("invalid", l10n.t("No text was given."));
  const target = keyOptions(open, name, locale);
  if (before !== undefined && !isOneLine(before.text)) {
    // Multi-line texts are edited in the file itself.
    await app.run(goToEntryCommand, target);
    return { outcome: "unchanged", file: before.path, created: false };
  }
  const draft = new UnsavedInput<Text>(open, "files", "local", locale, keyHash(name));
  const typed = await prompt(app, open, name, locale, draft.value ?? before?.text ?? null);
  if (typed === undefined) {
    draft.notifySaved(title(open, name, locale));
    return { outcome: "cancelled" };
  }
  const writeTyped = async (): Promise<CommandResult<SetLocalFields>> => {
    // The files may have changed while the prompt was open.
    const now = (await open.local.reload(run.signal)).entries(locale).get(keyHash(name));
    const isSame = now && before ? areTextsEqual(now.text, before.text) : now === before;
    if (!isSame) throw fileChangedError([now?.path ?? before?.path ?? ""]);
    return write(open, name, locale, typed, before, run);
  };
  const retry = { action: retryAction(app, setLocalCommand, target), signal: run.signal };
  return draft.write(typed, writeTyped, retry);
};

async function write(
  open: OpenProject,
  name: KeyName,
  locale: string,
  text: Text,
  before: LocalEntry | undefined,
  run: CommandRun,
): Promise<CommandResult<SetLocalFields>> {
  if (before !== undefined && areTextsEqual(before.text, text)) {
    return { outcome: "unchanged", file: before.path, created: false };
  }
  const { writes, refused } = await open.local.planEdit([{ name, locale, text }], run.signal);
  const [refusal] = refused;
  if (refusal !== undefined) throw localRefusalError(open, name, refusal);
  const [change] = writes;
  if (change === undefined) return { outcome: "unchanged", file: before?.path ?? "", created: false };
  await writeProjectFiles(open.files, writes);
  return { outcome: "done", file: change.path, created: before === undefined };
}

function title(open: OpenProject, name: KeyName, locale: string): string {
  return `${locale} · ${projectKeyLabel(open, name)}`;
}

function prompt(
  app: App,
  open: OpenProject,
  name: KeyName,
  locale: string,
  current: Text | null,
): Promise<Text | undefined> {
  const key = open.keys.get(keyHash(name));
  const isPlural = key?.isPlural ?? (current !== null && isForms(current));
  return promptForText({
    title: title(open, name, locale),
    isPlural,
    current,
    families: familiesOf(app, open),
    source: locale === open.local.loaded?.sourceLocale ? null : (key?.text ?? null),
    locale,
    maxLength: key?.maxLength ?? null,
  });
}
