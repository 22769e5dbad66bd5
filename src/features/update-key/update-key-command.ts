/** Update Key: changes the description, maximum length or tags of a key (§ PATCH /keys/{keyHash}). */
import { isDeepStrictEqual } from "node:util";
import * as vscode from "vscode";
import type { KeyUpdate } from "../../api/endpoints.ts";
import type { Key } from "../../api/response-schemas.ts";
import { updateKey } from "../../sync/edit/send-translations.ts";
import { keyHash } from "../../model/key-hash.ts";
import type { ProjectKey } from "../../database/records.ts";
import type { App, Command } from "../../vscode/app.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import { pickOne } from "../../vscode/ui/input/quick-pick.ts";
import { keyOptions, pickKey, type KeyOptions, unknownKeyError } from "../../vscode/ui/input/pick-key.ts";
import { UnsavedInput, draftSavedError } from "../../vscode/projects/unsaved-input.ts";
import { labelText } from "../../vscode/ui/text/escape-text.ts";
import { definedFields } from "../../util/defined-fields.ts";
import { chooseSignedIn, editDependencies } from "../../vscode/commands/command-requirements.ts";
import { CommandError, requireAnswer } from "../../vscode/commands/command-types.ts";
import { plainKey } from "../../vscode/commands/key-result.ts";
import { formatCount } from "../../vscode/ui/text/counts-and-times.ts";
import { l10n } from "../../vscode/l10n.ts";

/** Options of `projectTranslations.updateKey`: omitted fields stay, `null` clears, `tags` replaces all tags. */
interface UpdateKeyOptions extends KeyOptions {
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

const update: Command<UpdateKeyOptions, { readonly key: Key }> = async (app, options, run) => {
  const chosen = await chooseSignedIn(app, options, "write");
  const { open } = chosen;
  const name = await pickKey(app, open, options, l10n.t("Update which key?"));
  const known = open.project.keys.get(keyHash(name));
  let given = updateOf(options);
  let draft: UnsavedInput<string> | null = null;
  if (Object.keys(given).length === 0) {
    if (run.quiet)
      throw new CommandError(
        "invalid",
        l10n.t("Nothing to update was given: description, maxLength or tags."),
      );
    if (known === undefined) throw unknownKeyError(name.key);
    ({ update: given, draft } = requireAnswer(await promptForField(open, known)));
  }
  run.report(l10n.t("Updating the key"));
  let key: ProjectKey | null;
  try {
    key = await updateKey(await editDependencies(chosen), name, given, { signal: run.signal });
    if (key === null) throw unknownKeyError(name.key);
  } catch (error) {
    if (draft === null || run.signal.aborted) throw error;
    throw draftSavedError(error, "projectTranslations.updateKey", keyOptions(open, name));
  }
  draft?.discard();
  return { outcome: known !== undefined && isSame(known, key) ? "unchanged" : "done", key: plainKey(key) };
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

/** Returns the change of one field, and the draft of what was typed; `undefined` if dismissed. */
async function promptForField(
  open: OpenProject,
  key: ProjectKey,
): Promise<{ readonly update: KeyUpdate; readonly draft: UnsavedInput<string> } | undefined> {
  const choices = fieldsOf(key).map((field) => ({
    label: `$(${field.icon}) ${field.title}`,
    detail: labelText((field.label ?? field.value) || l10n.t("none")),
    value: field,
  }));
  const field = await pickOne(labelText(key.key), l10n.t("What do you want to change?"), choices);
  if (field === undefined) return undefined;
  const { title, prompt, validate, parse } = field;
  const draft = new UnsavedInput<string>(open, open.projectId, "key", field.name, key.hash);
  const typed = await vscode.window.showInputBox({
    title,
    prompt,
    value: draft.value ?? field.value,
    validateInput: (value) => validate?.(value),
    ignoreFocusOut: true,
  });
  if (typed === undefined) {
    draft.notifySaved(key.key);
    return undefined;
  }
  draft.save(typed);
  return { update: parse(typed), draft };
}

function isSame(before: ProjectKey, after: ProjectKey): boolean {
  const details = ({ description, maxLength, tags }: ProjectKey) => [description, maxLength, tags.toSorted()];
  return isDeepStrictEqual(details(before), details(after));
}
