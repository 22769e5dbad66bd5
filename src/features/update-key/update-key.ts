/** Update key: changes a key's description, maximum length or tags on the service (§ PATCH /keys/{keyHash}). */
import * as vscode from "vscode";
import type { KeyUpdate } from "../../api/contract.ts";
import { updateKey } from "../../core/edit.ts";
import type { ProjectKey } from "../../core/project.ts";
import type { App, OpenProject } from "../../host/app.ts";
import { ask } from "../../host/ask.ts";
import { sha1 } from "../../host/clock.ts";
import { keyOf, type KeyOptions } from "../../host/key-options.ts";
import { chooseSignedIn } from "../../host/needs.ts";
import { CommandError, type CommandResult, type CommonOptions } from "../../host/outcome.ts";
import { l10n } from "../../host/words.ts";

/** Options of `projectTranslations.updateKey`; what is left out stays, `null` clears. */
export interface UpdateKeyOptions extends CommonOptions, KeyOptions, KeyUpdate {}

/** "at most 32768 when set by a key update" (§ Key). */
const MOST_LENGTH = 32_768;

/** Registers `projectTranslations.updateKey`. */
export function registerUpdateKey(app: App): void {
  app.command(
    "projectTranslations.updateKey",
    l10n.t("Update key"),
    async (options: UpdateKeyOptions, run): Promise<CommandResult<{ key: ProjectKey }>> => {
      const chosen = await chooseSignedIn(app, options, "write");
      if (chosen === undefined) return { outcome: "cancelled" };
      const { open, client } = chosen;
      const name = keyOf(options);
      let update = updateIn(options);
      if (Object.keys(update).length === 0 && options.confirm !== false) {
        run.pause();
        const asked = await askUpdate(open, name.hash, name.key);
        if (asked === undefined) return { outcome: "cancelled" };
        update = asked;
      }
      run.report(l10n.t("Updating {0}", name.key));
      const needs = { client, project: open.project, refresher: await open.refresher, sha1 };
      const key = await updateKey(needs, name, update, { signal: run.signal });
      if (key !== null) return { outcome: "done", key };
      throw new CommandError(
        "not_found",
        l10n.t("The service does not know the key {0}. Push it first, then change its details.", name.key),
      );
    },
  );
}

function updateIn({ description, maxLength, tags }: UpdateKeyOptions): KeyUpdate {
  return {
    ...(description === undefined ? {} : { description }),
    ...(maxLength === undefined ? {} : { maxLength }),
    ...(tags === undefined ? {} : { tags }),
  };
}

async function askUpdate(open: OpenProject, hash: string, title: string): Promise<KeyUpdate | undefined> {
  const known = open.project.keys.get(hash);
  const field = await ask(title, l10n.t("What do you want to change?"), [
    { label: l10n.t("Description"), description: known?.description ?? "", value: "description" as const },
    {
      label: l10n.t("Maximum length"),
      description: String(known?.maxLength ?? ""),
      value: "maxLength" as const,
    },
    { label: l10n.t("Tags"), description: known?.tags.join(", ") ?? "", value: "tags" as const },
  ]);
  switch (field) {
    case undefined:
      return undefined;
    case "description": {
      const words = await input(
        title,
        l10n.t("Description for translators; empty for none"),
        known?.description,
      );
      return words === undefined ? undefined : { description: words === "" ? null : words };
    }
    case "maxLength": {
      const words = await input(
        title,
        l10n.t("Maximum length in characters; empty for none"),
        known?.maxLength?.toString(),
        (value) =>
          value === "" || (/^\d+$/u.test(value) && Number(value) >= 1 && Number(value) <= MOST_LENGTH)
            ? undefined
            : l10n.t("A number from 1 to {0}, or nothing.", MOST_LENGTH),
      );
      return words === undefined ? undefined : { maxLength: words === "" ? null : Number(words) };
    }
    case "tags": {
      const words = await input(title, l10n.t("Tags, with commas between them"), known?.tags.join(", "));
      if (words === undefined) return undefined;
      return { tags: [...new Set(words.split(",").map((tag) => tag.trim()))].filter((tag) => tag !== "") };
    }
  }
}

function input(
  title: string,
  prompt: string,
  value: string | null | undefined,
  check?: (value: string) => string | undefined,
): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    title,
    prompt,
    value: value ?? "",
    ignoreFocusOut: true,
    ...(check === undefined ? {} : { validateInput: check }),
  });
}
