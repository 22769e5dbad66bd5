/**
 * The mapping check of a push: if the service knows hardly any of the keys, the mapping is probably wrong and the push would
 * duplicate the project. Offers mappings that match better.
 */
import { agreeToMapping, type RatedMapping } from "../../sync/push/key-mapping-check.ts";
import type { LocalKey } from "../../sync/push/push-plan.ts";
import type { ConnectedProject } from "../../vscode/app.ts";
import { pickOne } from "../../vscode/ui/input/quick-pick.ts";
import {
  suspiciousMapping,
  suspiciousMappingError,
  suspiciousMappingMessage,
} from "../../operations/push-requirements.ts";
import type { CommandRun } from "../../commands/command-types.ts";
import { editProjectFile } from "../../vscode/projects/edit-project-file.ts";
import { l10n } from "../../util/l10n.ts";

/**
 * Confirms the mapping with the user if it looks wrong. Returns whether the project file has a new mapping, so that the
 * push has to start over.
 *
 * @throws {CommandError} `invalid` with the reason `mapping` if `quiet` is set; `cancelled`.
 */
export async function confirmMapping(
  { open, connection }: ConnectedProject,
  local: readonly Pick<LocalKey, "hash">[],
  { quiet, run }: { readonly quiet: boolean; readonly run: CommandRun },
): Promise<boolean> {
  const files = open.file.files ?? [];
  const mapped = {
    project: connection,
    local: connection.local,
    refresher: () => connection.refresher,
    files,
  };
  const verdict = await suspiciousMapping(mapped, local, run.signal);
  if (verdict === null) return false;
  if (quiet) throw suspiciousMappingError(verdict);
  run.pause();
  const knownText = ({ known, local }: { readonly known: number; readonly local: number }): string =>
    l10n.t("{0} of {1} keys known", known, local);
  const answer = await pickOne<RatedMapping | "push">(
    suspiciousMappingMessage(verdict),
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
    agreeToMapping(connection, files);
    return false;
  }
  // Resolves when the new content is applied.
  await editProjectFile(open, ["files"], answer.files);
  return true;
}

/** Describes a mapping for people, so that they can tell which one fits. */
export function mappingDescription({ code }: Pick<RatedMapping, "code">): string {
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
