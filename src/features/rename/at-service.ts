/** After a key was renamed in the files: the same at the service, when a person wants it. */
import * as vscode from "vscode";
import { keyHash, type KeyName } from "../../core/identity.ts";
import { renameAtService } from "../../core/rename-at-service.ts";
import type { App, OpenProject, Run } from "../../host/app.ts";
import { keyOfOptions } from "../../host/choose-key.ts";
import { sha1 } from "../../host/clock.ts";
import { counted } from "../../host/counted.ts";
import { chooseSignedIn } from "../../host/needs.ts";
import { showInformation } from "../../host/notifications.ts";
import { CommandError, type CommandResult, type CommonOptions } from "../../host/outcome.ts";
import { refreshed } from "../../host/refreshed.ts";
import { keyLabel } from "../../host/tree-rows.ts";
import { l10n } from "../../host/words.ts";

interface NamedKey {
  readonly namespace?: string;
  readonly key?: string;
  readonly context?: string | null;
}

/** Options of `projectTranslations.renameAtService`. */
interface RenameOptions extends CommonOptions {
  readonly from?: NamedKey;
  readonly to?: NamedKey;
}

interface Expected {
  readonly from: KeyName;
  readonly to: KeyName;
}

/** Waits for the files to have the new name, and offers the rest. */
export class RenameOffers implements vscode.Disposable {
  readonly #expected = new Map<OpenProject, Expected>();
  readonly #watch: vscode.Disposable;

  constructor(app: App) {
    this.#watch = app.projects.onDidChangeState(({ open, change }) => {
      if (change.local && this.#expected.has(open)) void this.#look(open);
    });
  }

  dispose(): void {
    this.#watch.dispose();
  }

  expect(open: OpenProject, from: KeyName, to: KeyName): void {
    this.#expected.set(open, { from, to });
  }

  async #look(open: OpenProject): Promise<void> {
    const snapshot = await open.local.load();
    const expected = this.#expected.get(open);
    if (expected === undefined) return;
    const { from, to } = expected;
    const entries = snapshot.entries(snapshot.sourceLocale);
    if (entries.has(keyHash(sha1, from)) || !entries.has(keyHash(sha1, to))) return;
    this.#expected.delete(open);
    const { session } = open.project;
    const canWrite = session.kind === "signed-in" && session.canWrite;
    if (!canWrite || !open.project.keys.has(keyHash(sha1, from))) return;
    const go = l10n.t("Rename at the Service");
    const answer = await showInformation(
      l10n.t(
        "{0} is {1} in your files now. At the service it would be a new key: its translations can be copied and the old key archived.",
        keyLabel(from),
        keyLabel(to),
      ),
      go,
    );
    if (answer !== go) return;
    await vscode.commands.executeCommand("projectTranslations.renameAtService", {
      folder: open.root,
      from,
      to,
    });
  }
}

/** Registers `projectTranslations.renameAtService`. */
export function registerRenameAtService(app: App): void {
  app.command(
    "projectTranslations.renameAtService",
    l10n.t("Rename at the Service"),
    (options: RenameOptions, run) => rename(app, options, run),
  );
}

async function rename(
  app: App,
  options: RenameOptions,
  run: Run,
): Promise<CommandResult<{ readonly copied: number; readonly skipped: readonly string[] }>> {
  const from = keyOfOptions(options.from ?? {});
  const to = keyOfOptions(options.to ?? {});
  if (from === undefined || to === undefined) {
    throw new CommandError("invalid", l10n.t("“from” and “to” have to name a key each."));
  }
  const chosen = await chooseSignedIn(app, options, "write");
  if (chosen === undefined) return { outcome: "cancelled" };
  const { open, client } = chosen;
  run.report(l10n.t("Reading translations"));
  await refreshed(open, run.signal);
  const needs = { client, project: open.project, refresher: await open.refresher, sha1 };
  const done = await renameAtService(needs, from, to, {
    signal: run.signal,
    onStep: (at, total) => run.report(l10n.t("Copying translations"), (100 * at) / total),
  });
  if (done.kind === "nothing") return { outcome: "unchanged", copied: 0, skipped: [] };
  if (done.kind === "rejected") {
    throw new CommandError(
      "invalid",
      l10n.t("The service refused {0} ({1}). The old key is as it was.", keyLabel(to), done.reason),
      { reason: done.reason },
    );
  }
  const { copied, skipped } = done;
  const words =
    skipped.length === 0
      ? l10n.t(
          "{0} is {1} at the service now, with {2}.",
          keyLabel(from),
          keyLabel(to),
          counted.translations(copied),
        )
      : l10n.t(
          "{0} was made at the service, but these languages were not copied: {1}. The old key was not archived.",
          keyLabel(to),
          skipped.join(", "),
        );
  app.results.add(open, words, skipped.length === 0 ? "done" : "partly");
  if (options.confirm !== false) void showInformation(words);
  return { outcome: "done", copied, skipped };
}
