/** Update Key: changes the description, maximum length or tags of a key (§ PATCH /keys/{keyHash}). */
import * as vscode from "vscode";
import type { KeyUpdate } from "../../api/endpoints.ts";
import type { Key } from "../../api/schemas.ts";
import { updateKey } from "../../sync/edit/set-translations.ts";
import { keyHash } from "../../model/key-identity.ts";
import type { ProjectKey } from "../../database/records.ts";
import type { App, CommandRun } from "../../vscode/app.ts";
import { pickOne } from "../../vscode/ui/input/quick-pick.ts";
import { chooseKey, type KeyOptions, unknownKeyError } from "../../vscode/ui/input/choose-key.ts";
import { InputDraft, draftSavedError } from "../../vscode/projects/input-draft.ts";
import { labelText } from "../../vscode/ui/text/markdown.ts";
import { chooseSignedIn } from "../../vscode/commands/command-requirements.ts";
import { CommandError, type CommandResult } from "../../vscode/commands/command-result.ts";
import { plainKey } from "../../vscode/commands/key-result.ts";
import { formatCount } from "../../vscode/ui/text/counts.ts";
import { l10n } from "../../vscode/l10n.ts";

/** Options of `projectTranslations.updateKey`: omitted fields stay, `null` clears, `tags` replaces all tags. */
export interface UpdateKeyOptions extends KeyOptions {
  readonly description?: string | null;
  readonly maxLength?: number | null;
  readonly tags?: readonly string[];
}

/** § Limits: "Maximum translation length of a key: up to 32768". */
const MAX_LENGTH = 32_768;

/** Registers `projectTranslations.updateKey`. */
export function registerUpdateKey(app: App): void {
  app.command("projectTranslations.updateKey", l10n.t("Update Key"), update);
}

async function update(
  app: App,
  options: UpdateKeyOptions,
  run: CommandRun,
): Promise<CommandResult<{ readonly key: Key }>> {
  const { quiet } = run;
  const { open, client } = await chooseSignedIn(app, options, "write");
  if (quiet && options.key === undefined) throw new CommandError("invalid", l10n.t("No key was given."));
  const name = await chooseKey(app, open, options, l10n.t("Update which key?"));
  const known = open.project.keys.get(keyHash(name));
  let given = updateOf(options);
  let draft: InputDraft<string> | null = null;
  if (Object.keys(given).length === 0) {
    if (quiet)
      throw new CommandError(
        "invalid",
        l10n.t("Nothing to update was given: description, maxLength or tags."),
      );
    if (known === undefined) throw unknownKeyError(name.key);
    const answers = await promptForFields(
      known,
      (field) => new InputDraft(open, open.projectId, "key", field, known.hash),
    );
    if (answers === undefined) return { outcome: "cancelled" };
    ({ update: given, draft } = answers);
  }
  run.report(l10n.t("Updating the key"));
  const dependencies = { client, project: open.project, refresher: await open.refresher };
  let key: ProjectKey | null;
  try {
    key = await updateKey(dependencies, name, given, { signal: run.signal });
    if (key === null) throw unknownKeyError(name.key);
  } catch (error) {
    const again = { ...name, folder: open.root };
    const act = (): unknown => vscode.commands.executeCommand("projectTranslations.updateKey", again);
    throw draft === null || run.signal.aborted ? error : draftSavedError(error, act);
  }
  draft?.discard();
  return { outcome: known !== undefined && isSame(known, key) ? "unchanged" : "done", key: plainKey(key) };
}

function updateOf({ description, maxLength, tags }: UpdateKeyOptions): KeyUpdate {
  return {
    ...(description === undefined ? {} : { description }),
    ...(maxLength === undefined ? {} : { maxLength }),
    ...(tags === undefined ? {} : { tags: [...tags] }),
  };
}

interface PromptedUpdate {
  readonly update: KeyUpdate;
  /** The user's input until it is written. */
  readonly draft: InputDraft<string>;
}

/** Returns the change of one field; `undefined` if dismissed. */
async function promptForFields(
  key: ProjectKey,
  draftOf: (field: string) => InputDraft<string>,
): Promise<PromptedUpdate | undefined> {
  const field = await pickOne(labelText(key.key), l10n.t("What do you want to change?"), [
    {
      label: `$(note) ${l10n.t("Description")}`,
      detail: labelText(key.description ?? l10n.t("none")),
      value: "description" as const,
    },
    {
      label: `$(symbol-ruler) ${l10n.t("Maximum Length")}`,
      detail: key.maxLength === null ? l10n.t("none") : formatCount.characters(key.maxLength),
      value: "maxLength" as const,
    },
    {
      label: `$(tag) ${l10n.t("Tags")}`,
      detail: key.tags.length === 0 ? l10n.t("none") : labelText(key.tags.join(", ")),
      value: "tags" as const,
    },
  ]);
  if (field === undefined) return undefined;
  const draft = draftOf(field);
  const typed = await promptForField(key, field, draft.value);
  if (typed === undefined) {
    draft.notifySaved(key.key);
    return undefined;
  }
  draft.save(typed);
  return { update: updateOfTyped(field, typed), draft };
}

type Field = "description" | "maxLength" | "tags";

/** Returns the input; `undefined` if dismissed. `kept`: earlier input that was not written. */
function promptForField(
  key: ProjectKey,
  field: Field,
  kept: string | undefined,
): Promise<string | undefined> {
  switch (field) {
    case "description":
      return input(
        l10n.t("Description"),
        kept ?? key.description ?? "",
        l10n.t("For translators. Leave empty for none."),
      );
    case "maxLength": {
      const prompt = l10n.t("In characters, at most {0}. Leave empty for none.", MAX_LENGTH);
      const now = key.maxLength === null ? "" : String(key.maxLength);
      return input(l10n.t("Maximum Length"), kept ?? now, prompt, (value) => {
        const number = Number(value);
        const fits = value.trim() === "" || (Number.isInteger(number) && number > 0 && number <= MAX_LENGTH);
        return fits ? undefined : l10n.t("Type a whole number from 1 to {0}.", MAX_LENGTH);
      });
    }
    case "tags": {
      const prompt = l10n.t(
        "Separated by commas. This is the complete list: tags you leave out are removed.",
      );
      return input(l10n.t("Tags"), kept ?? key.tags.join(", "), prompt);
    }
  }
}

function updateOfTyped(field: Field, typed: string): KeyUpdate {
  switch (field) {
    case "description":
      return { description: typed.trim() === "" ? null : typed };
    case "maxLength":
      return { maxLength: typed.trim() === "" ? null : Number(typed) };
    case "tags": {
      const tags = typed.split(",").map((tag) => tag.trim());
      return { tags: [...new Set(tags.filter((tag) => tag !== ""))] };
    }
  }
}

async function input(
  title: string,
  value: string,
  prompt: string,
  validateInput: (value: string) => string | undefined = () => undefined,
): Promise<string | undefined> {
  return vscode.window.showInputBox({ title, value, prompt, validateInput, ignoreFocusOut: true });
}

function isSame(before: ProjectKey, after: ProjectKey): boolean {
  const facts = ({ description, maxLength, tags }: ProjectKey): string =>
    JSON.stringify([description, maxLength, tags.toSorted()]);
  return facts(before) === facts(after);
}
