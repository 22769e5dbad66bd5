/** Update Key: changes the description, maximum length or tags of a key (§ PATCH /keys/{keyHash}). */
import { MALFORMED_TEXT } from "../../api/batches.ts";
import * as vscode from "vscode";
import type { KeyUpdate } from "../../api/endpoints.ts";
import { updateKey } from "../../sync/edit/send-translations.ts";
import { keyHash } from "../../model/key-hash.ts";
import type { ProjectKey } from "../../database/records.ts";
import type { App, CommandWork } from "../../vscode/app.ts";
import { skipReason } from "../../messages/error-messages.ts";
import { pickOne } from "../../vscode/ui/input/quick-pick.ts";
import { keyOptions, pickKey, unknownKeyError } from "../../vscode/ui/input/pick-key.ts";
import { retryAction, UnsavedInput } from "../../vscode/projects/unsaved-input.ts";
import { labelText } from "../../messages/escape-text.ts";
import { definedFields } from "../../util/defined-fields.ts";
import { editDependencies } from "../../vscode/commands/command-requirements.ts";
import { CommandError, type CommandResult } from "../../commands/command-types.ts";
import { plainKey } from "../../vscode/commands/key-result.ts";
import { formatCount } from "../../messages/counts-and-times.ts";
import { projectKeyLabel } from "../../messages/labels.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import { l10n } from "../../util/l10n.ts";
import * as v from "valibot";
import type { Key } from "../../api/response-schemas.ts";
import { defineCommand, resolvesWith, type FieldsOf, type OptionsOf } from "../../commands/define-command.ts";
import { keyOptions as keyOptionSchemas, listOf, option } from "../../commands/option-schemas.ts";

/** § Limits: "Maximum translation length of a key: up to 32768". */
const MAX_LENGTH = 32_768;

export const updateKeyCommand = defineCommand({
  id: "updateKey",
  title: "Update Key",
  needs: "write-access",
  description: "Changes details of a key; what is left out stays as it is.",
  options: {
    ...keyOptionSchemas,
    description: option(v.nullable(v.string()), "For translators; `null` for none."),
    maxLength: option(
      v.nullable(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MAX_LENGTH))),
      "In characters; `null` for none.",
    ),
    tags: option(listOf(v.string()), "All tags: those that are not in the list are removed."),
  },
  resolvesWith: resolvesWith<{ readonly key: Key }>("`key` after the write"),
});

/** Registers `projectTranslations.updateKey`. */
export function registerUpdateKey(app: App): void {
  app.command(updateKeyCommand, update);
}

type UpdateKeyOptions = OptionsOf<typeof updateKeyCommand>;
type UpdateKeyFields = FieldsOf<typeof updateKeyCommand>;

const update: CommandWork<typeof updateKeyCommand> = async (app, options, run) => {
  const { open } = run;
  // Without a prompt, nothing is written to the key that happens to be at the cursor.
  if (run.quiet && options.key === undefined) throw new CommandError("invalid", l10n.t("No key was given."));
  const name = await pickKey(app, open, options, l10n.t("Update which key?"));
  const known = open.keys.get(keyHash(name));
  const dependencies = await editDependencies(run);
  const write = async (changes: KeyUpdate): Promise<CommandResult<UpdateKeyFields>> => {
    const isMalformed = [changes.description ?? "", ...(changes.tags ?? [])].some(
      (each) => !each.isWellFormed(),
    );
    if (isMalformed) {
      throw new CommandError(
        "invalid",
        l10n.t("{0} was not updated: {1}.", projectKeyLabel(open, name), skipReason(MALFORMED_TEXT)),
      );
    }
    run.report(l10n.t("Updating the key"));
    const key = await updateKey(dependencies, name, changes, { signal: run.signal });
    if (key === null) throw unknownKeyError(open, name);
    return { outcome: known !== undefined && isSame(known, key) ? "unchanged" : "done", key: plainKey(key) };
  };
  const given = updateOf(options);
  if (Object.keys(given).length > 0) return write(given);
  if (run.quiet)
    throw new CommandError("invalid", l10n.t("Nothing to update was given: description, maxLength or tags."));
  if (known === undefined) throw unknownKeyError(open, name);
  const field = await pickField(open, known);
  const draft = new UnsavedInput<string>(run.connection, "project", "key", field.name, known.hash);
  const typed = await promptForValue(field, draft.value);
  if (typed === undefined) {
    draft.notifySaved(projectKeyLabel(open, known));
    return { outcome: "cancelled" };
  }
  return draft.write(typed, () => write(field.parse(typed)), {
    action: retryAction(app, updateKeyCommand, keyOptions(open, name)),
    signal: run.signal,
  });
};

function updateOf({ description, maxLength, tags }: UpdateKeyOptions): KeyUpdate {
  return definedFields({ description, maxLength, tags: tags && [...tags] });
}

/** A field of a key that the user can change. */
interface Field {
  readonly name: "description" | "maxLength" | "tags";
  readonly icon: string;
  readonly title: string;
  readonly prompt: string;
  /** The current value as it is typed; empty for none. */
  readonly value: string;
  /** The current value as it is shown in the list; default: `value`. */
  readonly label?: string;
  /** Returns an error message. */
  readonly validate?: (typed: string) => string | undefined;
  readonly parse: (typed: string) => KeyUpdate;
}

function fieldsOf({ description, maxLength, tags }: ProjectKey): readonly Field[] {
  return [
    {
      name: "description",
      icon: "note",
      title: l10n.t("Description"),
      prompt: l10n.t("For translators. Leave empty for none."),
      value: description ?? "",
      parse: (typed) => ({ description: typed.trim() === "" ? null : typed }),
    },
    {
      name: "maxLength",
      icon: "symbol-ruler",
      title: l10n.t("Maximum Length"),
      prompt: l10n.t("In characters, at most {0}. Leave empty for none.", MAX_LENGTH),
      value: String(maxLength ?? ""),
      label: maxLength === null ? "" : formatCount.characters(maxLength),
      validate: (typed) => {
        const number = Number(typed);
        const fits = typed.trim() === "" || (Number.isInteger(number) && number > 0 && number <= MAX_LENGTH);
        return fits ? undefined : l10n.t("Type a whole number from 1 to {0}.", MAX_LENGTH);
      },
      parse: (typed) => ({ maxLength: typed.trim() === "" ? null : Number(typed) }),
    },
    {
      name: "tags",
      icon: "tag",
      title: l10n.t("Tags"),
      prompt: l10n.t("Separated by commas. This is the complete list: tags you leave out are removed."),
      value: tags.join(", "),
      parse: (typed) => {
        const typedTags = typed.split(",").map((tag) => tag.trim());
        return { tags: [...new Set(typedTags.filter((tag) => tag !== ""))] };
      },
    },
  ];
}

function pickField(open: OpenProject, key: ProjectKey): Promise<Field> {
  const choices = fieldsOf(key).map((field) => ({
    label: `$(${field.icon}) ${field.title}`,
    detail: labelText((field.label ?? field.value) || l10n.t("none")),
    value: field,
  }));
  return pickOne(labelText(projectKeyLabel(open, key)), l10n.t("What do you want to change?"), choices);
}

/** Prompts for the value of a field; `typedBefore`: the stored input of an earlier prompt. */
function promptForValue(
  { title, prompt, value, validate }: Field,
  typedBefore: string | undefined,
): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    title,
    prompt,
    value: typedBefore ?? value,
    validateInput: (typed) => validate?.(typed),
    ignoreFocusOut: true,
  });
}

function isSame(before: ProjectKey, after: ProjectKey): boolean {
  return (
    before.description === after.description &&
    before.maxLength === after.maxLength &&
    before.tags.length === after.tags.length &&
    before.tags.every((tag) => after.tags.includes(tag))
  );
}
