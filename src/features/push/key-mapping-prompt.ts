/**
 * The mapping check of a push: if the service knows hardly any of the keys, the mapping is probably wrong and the push would
 * duplicate the project. Offers mappings that match better.
 */
import {
  agreeToMapping,
  checkMapping,
  isMappingAgreed,
  type RatedMapping,
} from "../../sync/push/key-mapping-check.ts";
import type { Project } from "../../database/project-state.ts";
import type { LocalKey } from "../../sync/push/push-plan.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import { pickOne } from "../../vscode/ui/input/quick-pick.ts";
import { errorKindMessage, toFailure } from "../../messages/error-messages.ts";
import { CommandError, type CommandRun } from "../../commands/command-types.ts";
import { editProjectFile } from "../../vscode/projects/edit-project-file.ts";
import { l10n } from "../../util/l10n.ts";

/**
 * Confirms the mapping with the user if it looks wrong. Returns whether the project file has a new mapping, so that the
 * push has to start over.
 *
 * @throws {CommandError} `invalid` with the reason `mapping` if `quiet` is set; `cancelled`.
 */
export async function confirmMapping(
  open: OpenProject,
  local: readonly LocalKey[],
  { quiet, run }: { readonly quiet: boolean; readonly run: CommandRun },
): Promise<boolean> {
  const files = open.file.files ?? [];
  if (isMappingAgreed(open, files)) return false;
  if (!open.keysComplete || open.freshness.kind !== "fresh")
    await (await open.refresher).refresh({ priority: "person", signal: run.signal });
  // A stale cache cannot tell whether the push would duplicate keys.
  if (open.freshness.kind !== "fresh") throw unreadKeysError(open);
  const verdict = await checkMapping({ project: open, local: open.local, files }, local);
  if (verdict.kind === "fits") return false;
  if (verdict.kind === "unknown") throw unreadKeysError(open);
  const message = l10n.t(
    "The key mapping looks wrong: the service knows {0} of {1} local keys.",
    verdict.known,
    verdict.local,
  );
  if (quiet) {
    throw new CommandError(
      "invalid",
      `${message} ${l10n.t("Correct “files” in project-translations.json, or push once manually.")}`,
      { reason: "mapping" },
    );
  }
  run.pause();
  const knownText = ({ known, local }: { readonly known: number; readonly local: number }): string =>
    l10n.t("{0} of {1} keys known", known, local);
  const answer = await pickOne<RatedMapping | "push">(
    message,
    l10n.t(
      "A push now would create {0} new keys. Choose another mapping for the project file:",
      verdict.local - verdict.known,
    ),
    [
      ...verdict.alternatives.map((mapping) => ({
        label: `$(arrow-swap) ${mappingDescription(mapping)}`,
        description: knownText(mapping),
        detail: mapping.files.map((file) => file.path).join(", "),
        value: mapping,
      })),
      {
        label: `$(warning) ${l10n.t("Keep the Mapping and Push")}`,
        description: knownText(verdict),
        value: "push",
      },
    ],
  );
  if (answer === "push") {
    agreeToMapping(open, files);
    return false;
  }
  // Resolves when the new content is applied.
  await editProjectFile(open, ["files"], answer.files);
  return true;
}

/** Returns the error if the keys of the service could not be read, so that the mapping cannot be checked. */
function unreadKeysError({ freshness }: Project): CommandError {
  const { code, message } =
    freshness.kind === "offline"
      ? toFailure(freshness.error)
      : { code: "bad_response" as const, message: errorKindMessage("bad_response") };
  return new CommandError(
    code,
    l10n.t(
      "Nothing was pushed: the keys of the service could not be read, so the key mapping cannot be checked. {0}",
      message,
    ),
  );
}

function mappingDescription({ code }: RatedMapping): string {
  switch (code) {
    case "as-proposed":
      return l10n.t("The path names the namespace");
    case "no-namespace":
      return l10n.t("No namespace; the key as it stands in the file");
    case "namespace-in-key":
      return l10n.t("No namespace; the file’s name before the key");
    case "default-namespace":
      return l10n.t("The namespace “translation” for all keys");
    case "file-namespace":
      return l10n.t("The file’s name is the namespace");
  }
}
