/** Update Key: changes a key's description, maximum length or tags at the service (§ PATCH /keys/{keyHash}). */
import * as vscode from "vscode";
import type { KeyUpdate } from "../../api/contract.ts";
import type { Key } from "../../api/schemas.ts";
import { updateKey } from "../../core/edit.ts";
import { keyHash } from "../../core/identity.ts";
import type { ProjectKey } from "../../core/project.ts";
import type { App, Run } from "../../host/app.ts";
import { ask } from "../../host/ask.ts";
import { chooseKey, type KeyOptions } from "../../host/choose-key.ts";
import { sha1 } from "../../host/clock.ts";
import { labelText } from "../../host/markdown.ts";
import { chooseSignedIn } from "../../host/needs.ts";
import { CommandError, type CommandResult } from "../../host/outcome.ts";
import { plainKey } from "../../host/plain-key.ts";
import { l10n } from "../../host/words.ts";

/** Options of `projectTranslations.updateKey`: what is left out stays, `null` clears, `tags` is the new complete set. */
export interface UpdateKeyOptions extends KeyOptions {
  readonly description?: string | null;
  readonly maxLength?: number | null;
  readonly tags?: readonly string[];
}

/** § Limits: "Maximum translation length of a key: up to 32768". */
const MOST_LENGTH = 32_768;

/** Registers `projectTranslations.updateKey`. */
export function registerUpdateKey(app: App): void {
  app.command("projectTranslations.updateKey", l10n.t("Update Key"), (options: UpdateKeyOptions, run) =>
    update(app, options, run),
  );
}

async function update(
  app: App,
  options: UpdateKeyOptions,
  run: Run,
): Promise<CommandResult<{ readonly key: Key }>> {
  const quiet = options.confirm === false;
  const chosen = await chooseSignedIn(app, options, "write");
  if (chosen === undefined) return { outcome: "cancelled" };
  const { open, client } = chosen;
  if (quiet && options.key === undefined) throw new CommandError("invalid", l10n.t("No key is named."));
  const name = await chooseKey(app, open, options, l10n.t("Update which key?"));
  if (name === undefined) return { outcome: "cancelled" };
  const known = open.project.keys.get(keyHash(sha1, name));
  let given = updateOf(options);
  if (Object.keys(given).length === 0) {
    if (quiet)
      throw new CommandError(
        "invalid",
        l10n.t("Nothing is given to update: description, maxLength or tags."),
      );
    if (known === undefined) throw unknownKey(name.key);
    const asked = await askFields(known);
    if (asked === undefined) return { outcome: "cancelled" };
    given = asked;
  }
  run.report(l10n.t("Updating the key"));
  const needs = { client, project: open.project, refresher: await open.refresher, sha1 };
  const key = await updateKey(needs, name, given, { signal: run.signal });
  if (key === null) throw unknownKey(name.key);
  return { outcome: known !== undefined && isSame(known, key) ? "unchanged" : "done", key: plainKey(key) };
}

function updateOf({ description, maxLength, tags }: UpdateKeyOptions): KeyUpdate {
  return {
    ...(description === undefined ? {} : { description }),
    ...(maxLength === undefined ? {} : { maxLength }),
    ...(tags === undefined ? {} : { tags: [...tags] }),
  };
}

/** One field after the other, for as long as a person goes on; `undefined`: closed, or nothing was changed. */
async function askFields(key: ProjectKey): Promise<KeyUpdate | undefined> {
  const field = await ask(labelText(key.key), l10n.t("What is to be changed?"), [
    {
      label: `$(note) ${l10n.t("Description")}`,
      detail: labelText(key.description ?? l10n.t("none")),
      value: "description" as const,
    },
    {
      label: `$(symbol-ruler) ${l10n.t("Maximum Length")}`,
      detail: key.maxLength === null ? l10n.t("none") : l10n.t("{0} characters", key.maxLength),
      value: "maxLength" as const,
    },
    {
      label: `$(tag) ${l10n.t("Tags")}`,
      detail: key.tags.length === 0 ? l10n.t("none") : labelText(key.tags.join(", ")),
      value: "tags" as const,
    },
  ]);
  switch (field) {
    case undefined:
      return undefined;
    case "description": {
      const typed = await input(
        l10n.t("Description"),
        key.description ?? "",
        l10n.t("For translators. Empty for none."),
      );
      return typed === undefined ? undefined : { description: typed.trim() === "" ? null : typed };
    }
    case "maxLength": {
      const prompt = l10n.t("In characters, at most {0}. Empty for none.", MOST_LENGTH);
      const start = key.maxLength === null ? "" : String(key.maxLength);
      const typed = await input(l10n.t("Maximum Length"), start, prompt, (value) => {
        const number = Number(value);
        const fits = value.trim() === "" || (Number.isInteger(number) && number > 0 && number <= MOST_LENGTH);
        return fits ? undefined : l10n.t("Type a whole number from 1 to {0}.", MOST_LENGTH);
      });
      if (typed === undefined) return undefined;
      return { maxLength: typed.trim() === "" ? null : Number(typed) };
    }
    case "tags": {
      const prompt = l10n.t("Separated by commas: the complete set, so that what is left out is taken away.");
      const typed = await input(l10n.t("Tags"), key.tags.join(", "), prompt);
      if (typed === undefined) return undefined;
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

function unknownKey(key: string): CommandError {
  return new CommandError("not_found", l10n.t("The service does not know the key {0}. Push it first.", key));
}
