/** Set Local: puts a key's text into its local file; only the entry's own bytes change, a new key goes to its neighbours. */
import * as vscode from "vscode";
import { keyHash, type KeyName } from "../../model/key-identity.ts";
import type { LocalEntry } from "../../workspace/local-files/local-entries.ts";
import { isForms, sameText, type Forms, type Text } from "../../model/text.ts";
import type { App, Run } from "../../vscode/app.ts";
import type { OpenProject } from "../../vscode/projects/project-handle.ts";
import { askText, isOneLine } from "../../vscode/ui/text-input.ts";
import { chooseKey, type KeyOptions } from "../../vscode/ui/choose-key.ts";
import { refusedError } from "../../vscode/ui/local-refusal.ts";
import { CommandError, type CommandResult } from "../../vscode/command-result.ts";
import { familiesOf } from "../../vscode/ui/text-checks.ts";
import { Draft, keptError } from "../../vscode/projects/drafts.ts";
import { givenText } from "../../vscode/ui/text-option.ts";
import { l10n } from "../../vscode/l10n.ts";

/** Options of `projectTranslations.setLocal`; what is left out is asked for. */
export interface SetLocalOptions extends KeyOptions {
  /** Default: the source. */
  readonly locale?: string;
  readonly value?: string;
  readonly forms?: Forms;
}

export interface SetLocalFields {
  /** Relative to the project's root. */
  readonly file: string;
  /** The entry was not there before. */
  readonly created: boolean;
}

/** Registers `projectTranslations.setLocal`. */
export function registerSetLocal(app: App): void {
  app.command("projectTranslations.setLocal", l10n.t("Set Local Text"), (options: SetLocalOptions, run) =>
    setLocal(app, options, run),
  );
}

async function setLocal(
  app: App,
  options: SetLocalOptions,
  run: Run,
): Promise<CommandResult<SetLocalFields>> {
  const quiet = options.confirm === false;
  const open = await app.projects.choose(options);
  if (open === undefined) return { outcome: "cancelled" };
  if (quiet && options.key === undefined) throw new CommandError("invalid", l10n.t("No key was given."));
  const name = await chooseKey(app, open, options, l10n.t("Set the local text of which key?"));
  if (name === undefined) return { outcome: "cancelled" };
  const local = await open.local.reload(run.signal);
  const locale = options.locale ?? local.sourceLocale;
  const before = local.entries(locale).get(keyHash(name));
  const draft = new Draft<Text>(open, null, "local", locale, keyHash(name));
  let text = givenText(options);
  const isTyped = text === undefined;
  if (text === undefined) {
    if (quiet) throw new CommandError("invalid", l10n.t("No text was given."));
    if (before !== undefined && !isOneLine(before.text)) {
      // A text of several lines is best edited where it stands.
      await vscode.commands.executeCommand("projectTranslations.goToEntry", {
        ...name,
        locale,
        folder: open.root,
      });
      return { outcome: "unchanged", file: before.path, created: false };
    }
    text = await ask(app, open, name, locale, draft.value ?? before?.text ?? null);
    if (text === undefined) {
      draft.notifyKept(title(name, locale));
      return { outcome: "cancelled" };
    }
    draft.keep(text);
    // The question may have stood open for long.
    await open.local.reload(run.signal);
  }
  try {
    const result = await write(open, name, locale, text, before, run);
    if (isTyped) draft.discard();
    return result;
  } catch (error) {
    const again = { ...name, locale, folder: open.root };
    const act = (): unknown => vscode.commands.executeCommand("projectTranslations.setLocal", again);
    throw isTyped && !run.signal.aborted ? keptError(error, act) : error;
  }
}

async function write(
  open: OpenProject,
  name: KeyName,
  locale: string,
  text: Text,
  before: LocalEntry | undefined,
  run: Run,
): Promise<CommandResult<SetLocalFields>> {
  if (before !== undefined && sameText(before.text, text)) {
    return { outcome: "unchanged", file: before.path, created: false };
  }
  const { writes, refused } = await open.local.planEdit([{ name, locale, text }], run.signal);
  const [refusal] = refused;
  if (refusal !== undefined) throw refusedError(name, refusal);
  const [change] = writes;
  if (change === undefined) return { outcome: "unchanged", file: before?.path ?? "", created: false };
  const outcome = await open.files.write(writes);
  if (outcome.kind === "changed") {
    throw new CommandError(
      "file_changed",
      l10n.t("{0} was changed in the meantime, so nothing was written. Try again.", outcome.paths.join(", ")),
    );
  }
  open.local.invalidate([change.path]);
  open.project.localChanged();
  return { outcome: "done", file: change.path, created: before === undefined };
}

function title(name: KeyName, locale: string): string {
  return `${locale} · ${name.key}`;
}

function ask(
  app: App,
  open: OpenProject,
  name: KeyName,
  locale: string,
  current: Text | null,
): Promise<Text | undefined> {
  const key = open.project.keys.get(keyHash(name));
  const isPlural = key?.isPlural ?? (current !== null && isForms(current));
  return askText({
    title: title(name, locale),
    isPlural,
    current,
    families: familiesOf(app, open),
    source: locale === open.local.loaded?.sourceLocale ? null : (key?.text ?? null),
    locale,
    maxLength: key?.maxLength ?? null,
  });
}
