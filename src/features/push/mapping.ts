/**
 * Asks before a push whose keys the service hardly knows, so that a wrong mapping never doubles a project (N2), and
 * offers the mappings that fit better.
 */
import { checkMapping, type RatedMapping } from "../../core/mapping-guard.ts";
import type { LocalKey } from "../../core/push.ts";
import type { App, OpenProject, Run } from "../../host/app.ts";
import { ask } from "../../host/ask.ts";
import { sha1 } from "../../host/clock.ts";
import { CommandError } from "../../host/outcome.ts";
import { editProjectFile } from "../../host/project-file-edit.ts";
import { l10n } from "../../host/words.ts";

/** `changed`: another mapping stands in the project file now, so everything begins again. */
export type Guarded = "fits" | "changed" | "closed";

/** With `quiet` a mapping that looks wrong is a failure, `invalid` with the reason `mapping`. */
export async function guardMapping(
  app: App,
  open: OpenProject,
  local: readonly LocalKey[],
  { quiet, run }: { readonly quiet: boolean; readonly run: Run },
): Promise<Guarded> {
  const files = open.file.files ?? [];
  const agreed = `mappingAgreed.${open.project.id}`;
  const mapping = JSON.stringify(files);
  if (app.context.workspaceState.get<string>(agreed) === mapping) return "fits";
  const verdict = checkMapping({ project: open.project, sha1, local: open.local, files }, local);
  if (verdict.kind === "fits") return "fits";
  const words = l10n.t(
    "The key mapping looks wrong: the service knows {0} of {1} local keys.",
    verdict.known,
    verdict.local,
  );
  if (quiet) {
    throw new CommandError(
      "invalid",
      `${words} ${l10n.t("Correct “files” in project-translations.json, or push once by hand.")}`,
      { reason: "mapping" },
    );
  }
  run.pause();
  const answer = await ask<RatedMapping | "push">(
    words,
    l10n.t(
      "A push now would create {0} new keys. Choose another mapping for the project file:",
      verdict.local - verdict.known,
    ),
    [
      ...verdict.alternatives.map((mapping) => ({
        label: `$(arrow-swap) ${wordsOf(mapping)}`,
        description: l10n.t("{0} of {1} keys known", mapping.known, mapping.local),
        detail: mapping.files.map((file) => file.path).join(", "),
        value: mapping,
      })),
      {
        label: `$(warning) ${l10n.t("Keep the Mapping and Push")}`,
        description: l10n.t("{0} of {1} keys known", verdict.known, verdict.local),
        value: "push" as const,
      },
    ],
  );
  if (answer === undefined) return "closed";
  if (answer === "push") {
    await app.context.workspaceState.update(agreed, mapping);
    return "fits";
  }
  const entries = answer.files.map(({ path, format, namespace, keyPrefix }) => ({
    path,
    format,
    ...(namespace === undefined ? {} : { namespace }),
    ...(keyPrefix === undefined ? {} : { keyPrefix }),
  }));
  await editProjectFile(open, ["files"], entries);
  await taken(app, open, answer, run.signal);
  return "changed";
}

/** Resolves when the project works by the new mapping; rejects with the signal's reason. */
function taken(app: App, open: OpenProject, { files }: RatedMapping, signal: AbortSignal): Promise<void> {
  const wanted = JSON.stringify(files);
  return new Promise((resolve, reject) => {
    const look = (): void => {
      if (JSON.stringify(open.file.files) === wanted) end(resolve);
    };
    const abort = (): void => end(() => reject(signal.reason as Error));
    const end = (settle: () => void): void => {
      listener.dispose();
      signal.removeEventListener("abort", abort);
      settle();
    };
    const listener = app.projects.onDidChange(look);
    signal.addEventListener("abort", abort, { once: true });
    look();
  });
}

function wordsOf({ code }: RatedMapping): string {
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
