/** Renaming a key at the service after it was renamed in the files. */
import { giveUpRenameCommand, renameAtServiceCommand } from "../../commands/declarations/key-commands.ts";
import { MALFORMED_TEXT } from "../../api/batches.ts";
import { skipReason } from "../../messages/error-messages.ts";
import { keyHash, nameOf, type KeyName } from "../../model/key-hash.ts";
import { renameAtService, type RenameResult } from "../../sync/rename-at-service.ts";
import {
  addRename,
  pendingRenames,
  removeRename,
} from "../../database/personal/pending-rename-repository.ts";
import type { App, CommandWork } from "../../vscode/app.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import type { ProjectConnection } from "../../vscode/projects/project-connection.ts";
import { keyFromOptions, type KeyOptions } from "../../vscode/ui/input/pick-key.ts";
import { formatCount } from "../../messages/counts-and-times.ts";
import type { PendingRename } from "../../database/records.ts";
import { editDependencies } from "../../vscode/commands/command-requirements.ts";
import { reportResult } from "../../vscode/commands/report-result.ts";
import { offerActions, showInformation } from "../../vscode/notifications.ts";
import { CommandError, PartialResultError } from "../../commands/command-types.ts";
import { projectKeyLabel } from "../../messages/labels.ts";
import { l10n } from "../../util/l10n.ts";

/** Renames that were requested in the editor, and may be applied to the files or discarded by the user. */
export interface RequestedRenames {
  /** Expects a rename; once the files have the new name, it is recorded, and the rename at the service is offered. */
  expect(open: OpenProject, from: KeyName, to: KeyName): void;
  /** Records the expected renames that the files already have. */
  record(open: OpenProject): Promise<void>;
}

/** Watches the files of all projects for requested renames. */
export function watchRenames(app: App): RequestedRenames {
  const expected = new Map<OpenProject, readonly PendingRename[]>();
  const record = async (open: OpenProject): Promise<void> => {
    const { connection } = open;
    const local = await connection.local.loadTexts();
    const entries = local.entries(local.sourceLocale);
    // A plural form may be in files of other languages only.
    const exists = (name: KeyName): boolean =>
      local.locales.some((locale) => local.entries(locale).has(keyHash(name)));
    const isApplied = ({ from, to }: PendingRename): boolean => !entries.has(keyHash(from)) && exists(to);
    const { applied = [], open: others = [] } = Object.groupBy(expected.get(open) ?? [], (rename) =>
      isApplied(rename) ? "applied" : "open",
    );
    if (others.length > 0) expected.set(open, others);
    else expected.delete(open);
    if (applied.length === 0) return;
    // Stored even if it is declined or not permitted now, since files and service differ until it is done.
    for (const { from, to } of applied) addRename(connection, from, to);
    connection.setActivity({ renames: pendingRenames(connection, local) });
    offerRenames(app, open, applied);
  };
  app.addDisposable(
    app.projects.subscribe(["files"], (open) => {
      if (!expected.has(open)) return;
      record(open).catch((error: unknown) =>
        app.log.error("A rename in the files could not be checked", error),
      );
    }),
  );
  return {
    expect: (open, from, to) => {
      // An earlier request for the same key was not applied.
      const others = (expected.get(open) ?? []).filter((rename) => keyHash(rename.from) !== keyHash(from));
      expected.set(open, [...others, { from, to }]);
    },
    record,
  };
}

/** Offers the renames that the service needs: of a key, and of its plural forms and contexts. */
function offerRenames(app: App, open: OpenProject, renames: readonly PendingRename[]): void {
  const [first, ...others] = renames.filter(({ from }) => open.keys.has(keyHash(from)));
  if (open.source.refusal !== null || first === undefined) return;
  const names = [projectKeyLabel(open, first.from), projectKeyLabel(open, first.to)] as const;
  const message =
    others.length === 0
      ? l10n.t(
          "{0} is {1} in your files now, and still {0} on the service. Until it is renamed there, it is listed in Activity.",
          ...names,
        )
      : l10n.t(
          "{0} is {1} in your files now; also renamed: {2}. Until they are renamed on the service, they are listed in Activity.",
          ...names,
          formatCount.moreKeys(others.length),
        );
  const renameAll = async (): Promise<void> => {
    for (const { from, to } of [first, ...others]) {
      const options = { folder: open.root, from: nameOf(from), to: nameOf(to) };
      const { outcome } = await app.run(renameAtServiceCommand, options);
      if (outcome !== "done" && outcome !== "unchanged") return;
    }
  };
  offerActions(showInformation, message, { label: l10n.t("Rename on the Service"), act: renameAll });
}

/** Registers `projectTranslations.renameAtService` and `projectTranslations.giveUpRename`. */
export function registerRenameAtService(app: App): void {
  app.command(giveUpRenameCommand, giveUp);
  app.command(renameAtServiceCommand, rename);
}

const giveUp: CommandWork<typeof giveUpRenameCommand> = async (_app, options, run) => {
  removePendingRename(run.connection, requireKey(options.from));
  return { outcome: "done" };
};

const rename: CommandWork<typeof renameAtServiceCommand> = async (app, options, run) => {
  const [from, to] = [requireKey(options.from), requireKey(options.to)];
  const { open, connection } = run;
  run.report(l10n.t("Reading translations"));
  let isCreated = false;
  const renamed = await renameAtService(await editDependencies(run), from, to, {
    signal: run.signal,
    onCreated: () => (isCreated = true),
    onStep: (done, total) => run.report(l10n.t("Copying translations"), (100 * done) / total),
  }).catch((error: unknown) => {
    if (!isCreated) throw error;
    const message = l10n.t(
      "{1} was created on the service, but the rename of {0} was not completed. Rename again to complete it.",
      projectKeyLabel(open, from),
      projectKeyLabel(open, to),
    );
    app.results.add(open, message, "partly");
    throw new PartialResultError(message, { archived: false }, error);
  });
  if (renamed.kind === "rejected") {
    throw new CommandError(
      "invalid",
      l10n.t(
        "The service refused {0} ({1}). The old key is unchanged.",
        projectKeyLabel(open, to),
        renamed.reason,
      ),
      { reason: renamed.reason },
    );
  }
  const message = renameMessage(open, renamed, from, to);
  const isNoLongerPending =
    renamed.kind === "done" ||
    (renamed.kind === "nothing" && renamed.reason !== "taken" && renamed.reason !== "malformed");
  if (isNoLongerPending) removePendingRename(connection, from);
  if (renamed.kind === "nothing") {
    if (renamed.reason === "malformed") throw new CommandError("invalid", message);
    if (!run.quiet) void showInformation(message);
    return { outcome: "unchanged", copied: 0, skipped: [], outdated: [], archived: false };
  }
  const archived = renamed.kind === "done";
  reportResult(app, open, run, message, { isPartial: !archived });
  const { skipped, outdated } = renamed.kind === "kept" ? renamed : { skipped: [], outdated: [] };
  return { outcome: "done", copied: renamed.copied, skipped, outdated, archived };
};

function requireKey(option: KeyOptions | undefined): KeyName {
  const name = keyFromOptions(option ?? {});
  if (name !== undefined) return name;
  throw new CommandError("invalid", l10n.t("“from” and “to” must each name a key."));
}

/** Removes the pending rename and counts the pending changes again. */
function removePendingRename(connection: ProjectConnection, from: KeyName): void {
  removeRename(connection, from);
  const renames = connection.activity.renames.filter((rename) => keyHash(rename.from) !== keyHash(from));
  connection.setActivity({ renames });
}

/** Returns the result, and what to do if the old key was not archived. */
function renameMessage(
  open: OpenProject,
  renamed: Exclude<RenameResult, { readonly kind: "rejected" }>,
  from: KeyName,
  to: KeyName,
): string {
  const names = [projectKeyLabel(open, from), projectKeyLabel(open, to)] as const;
  if (renamed.kind === "nothing") return nothingMessage(renamed.reason, ...names);
  const copied = formatCount.translations(renamed.copied);
  if (renamed.kind === "done") return l10n.t("{0} is now {1} on the service, with {2}.", ...names, copied);
  const { skipped, outdated, changed } = renamed;
  const parts = [
    l10n.t("{1} was created on the service, with {2}, and {0} was not archived.", ...names, copied),
  ];
  if (outdated.length > 0)
    parts.push(
      l10n.t(
        "Outdated translations would count as up to date, so they were not copied ({0}). Update them, then rename again.",
        outdated.join(", "),
      ),
    );
  if (skipped.length > 0)
    parts.push(
      l10n.t(
        "The new key has different translations in these languages: {0}. Make both keys match, then rename again.",
        skipped.join(", "),
      ),
    );
  if (changed) parts.push(l10n.t("Someone changed the key in the meantime. Rename again."));
  return parts.join(" ");
}

function nothingMessage(
  reason: Extract<RenameResult, { readonly kind: "nothing" }>["reason"],
  from: string,
  to: string,
): string {
  switch (reason) {
    case "same_name":
      return l10n.t("Nothing to rename: {0} is the same key.", to);
    case "unknown_key":
      return l10n.t("Nothing to rename: the service has no active key {0} with a source text.", from);
    case "taken":
      return l10n.t(
        "Nothing was renamed: the service already has a key {0} with a different source text.",
        to,
      );
    case "malformed":
      return l10n.t("{0} was not renamed: {1}.", from, skipReason(MALFORMED_TEXT));
  }
}
