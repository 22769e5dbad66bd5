/**
 * Push: compares the source texts of the local files with the service, shows what is new and changed, sends what is
 * ticked, and tells what came of it. Unsaved text of an open editor counts as it is shown there.
 */
import * as vscode from "vscode";
import type { SyncResult } from "../../api/schemas.ts";
import type { LocalSnapshot } from "../../core/local-entries.ts";
import { planPush, sendPush, type PushNeeds, type PushPlan, type PushPlanCounts } from "../../core/push.ts";
import { unreadIn } from "../../core/unread.ts";
import type { App, OpenProject, Run } from "../../host/app.ts";
import { ask } from "../../host/ask.ts";
import { sha1, yieldNow } from "../../host/clock.ts";
import { chooseSignedIn, nameOf } from "../../host/needs.ts";
import { CommandError, type CommandResult, type CommonOptions } from "../../host/outcome.ts";
import { counted } from "../../host/counted.ts";
import { l10n } from "../../host/words.ts";
import { KeyLimit } from "./key-limit.ts";
import { guardMapping } from "./mapping.ts";
import { showPreview, type PushChoice } from "./preview.ts";
import { tellPushed } from "./report.ts";

/** Options of `projectTranslations.push`. */
export interface PushOptions extends CommonOptions {
  readonly dryRun?: boolean;
  readonly archiveMissing?: boolean;
  /** Hashes: only these keys. */
  readonly only?: readonly string[];
}

export interface PushFields {
  readonly plan: PushPlanCounts;
  /** Absent in a dry run. */
  readonly result?: SyncResult;
}

const NOTHING_SENT: SyncResult = {
  created: 0,
  updated: 0,
  restored: 0,
  unchanged: 0,
  archived: 0,
  rejected: [],
};

/** Registers `projectTranslations.push`. */
export function registerPush(app: App): void {
  app.command("projectTranslations.push", l10n.t("Push"), (options: PushOptions, run) =>
    push(app, options, run),
  );
}

async function push(app: App, options: PushOptions, run: Run): Promise<CommandResult<PushFields>> {
  const quiet = options.confirm === false;
  const chosen = await chooseSignedIn(app, options, "write");
  if (chosen === undefined) return { outcome: "cancelled" };
  const { open, client } = chosen;
  const needs: PushNeeds = { client, project: open.project, sha1, yieldNow };

  run.report(l10n.t("Reading the source files"));
  const snapshot = await readSource(open, run, quiet);
  if (!quiet && options.dryRun !== true && !(await savedOrAgreed(snapshot, run)))
    return { outcome: "cancelled" };
  const source = await open.local.load(run.signal);
  const local = [...source.entries(source.sourceLocale).values()];

  if (!open.project.keysComplete)
    await (await open.refresher).refresh({ priority: "person", signal: run.signal });
  const verdict = await guardMapping(app, open, local, { quiet: quiet || options.dryRun === true, run });
  if (verdict === "closed") return { outcome: "cancelled" };
  if (verdict === "changed") return push(app, options, run);

  const plan = async (archiveMissing: boolean): Promise<PushPlan> => {
    run.report(l10n.t("Comparing {0}", counted.keys(local.length)));
    return planPush(needs, local, {
      signal: run.signal,
      archiveMissing,
      unread: unreadIn(source),
      ...(options.only === undefined ? {} : { only: new Set(options.only) }),
    });
  };
  const planned = await plan(options.archiveMissing === true);
  // Whoever is not asked must not take "nothing to archive" for an answer.
  if ((quiet || options.dryRun === true) && planned.unread.length > 0)
    throw new CommandError("invalid", unreadWords(planned.unread), { reason: "unread_source" });
  const changes = planned.items.filter((item) => item.change !== "unchanged");
  const { counts } = planned;
  if (changes.length === 0 && planned.archive.length === 0) {
    if (!quiet) void vscode.window.showInformationMessage(nothingWords(open, planned));
    return {
      outcome: "unchanged",
      plan: counts,
      ...(options.dryRun === true ? {} : { result: NOTHING_SENT }),
    };
  }
  if (options.dryRun === true) return { outcome: "done", plan: counts };

  const limit = new KeyLimit(app, open);
  let choice: PushChoice | undefined = { items: changes, archive: planned.archive };
  if (!quiet) {
    run.pause();
    choice = await showPreview(app, planned, {
      name: nameOf(open),
      notes: notesOf(snapshot, planned, limit),
      archiveTicked: options.archiveMissing === true,
      ...(options.archiveMissing === true || options.only !== undefined
        ? {}
        : {
            withArchive: async () => {
              const archiving = await plan(true).finally(() => run.pause());
              if (archiving.unread.length > 0)
                void vscode.window.showWarningMessage(unreadWords(archiving.unread));
              return archiving;
            },
          }),
    });
  }
  if (choice === undefined) return { outcome: "cancelled" };
  const { items, archive } = choice;
  if (items.length + archive.length === 0)
    return { outcome: "unchanged", plan: counts, result: NOTHING_SENT };

  const total = items.length + archive.length;
  run.report(l10n.t("Sending {0}", counted.keys(total)), 0);
  try {
    const { result, failure } = await sendPush(needs, items, archive, {
      signal: run.signal,
      onProgress: (done) => run.report(l10n.t("Sending {0}", counted.keys(total)), (100 * done) / total),
    });
    limit.sent(result);
    tellPushed(app, open, { items, archive, result, quiet, partial: failure !== null });
    if (failure !== null) throw failure.error;
    return { outcome: "done", plan: counts, result };
  } catch (error) {
    limit.learn(error);
    throw error;
  } finally {
    // What the service made of it (outdated marks, counts) is shown soon; nobody waits for it.
    void open.refresher.then((refresher) => refresher.refresh({ priority: "person" }));
  }
}

/** The local files, with at least one of the source language. Throws CommandError. */
async function readSource(open: OpenProject, run: Run, quiet: boolean): Promise<LocalSnapshot> {
  let snapshot = await open.local.load(run.signal);
  const found = (): boolean => snapshot.files.some((file) => file.place.locale === snapshot.sourceLocale);
  if (!found() && (open.file.files ?? []).length === 0 && !quiet) {
    // Where no layout is known, the ones that are found are proposed first.
    run.pause();
    await vscode.commands.executeCommand("projectTranslations.setUpProjectFile", { folder: open.root });
    snapshot = await open.local.load(run.signal);
  }
  if (found()) return snapshot;
  throw new CommandError(
    "invalid",
    l10n.t(
      "No translation files of the source language ({0}) were found. Set “files” in project-translations.json.",
      snapshot.sourceLocale,
    ),
    { reason: "no_source_files" },
  );
}

/** Unsaved source files are saved first, or pushed as the editor shows them: a person decides. */
async function savedOrAgreed(snapshot: LocalSnapshot, run: Run): Promise<boolean> {
  const dirty = snapshot.files.filter((file) => file.dirty && file.place.locale === snapshot.sourceLocale);
  if (dirty.length === 0) return true;
  run.pause();
  const answer = await ask(
    l10n.t("Unsaved changes in {0}", counted.files(dirty.length)),
    dirty.map((file) => file.place.path).join(", "),
    [
      { label: l10n.t("Save and Go On"), value: "save" as const },
      {
        label: l10n.t("Go On Without Saving"),
        detail: l10n.t("What the editor shows is pushed."),
        value: "shown" as const,
      },
    ],
  );
  if (answer === "save") {
    const paths = new Set(dirty.map((file) => file.place.path));
    for (const document of vscode.workspace.textDocuments) {
      const isMeant = [...paths].some((path) => document.uri.path.endsWith(`/${path}`));
      if (document.isDirty && isMeant) await document.save();
    }
  }
  return answer !== undefined;
}

function notesOf(snapshot: LocalSnapshot, plan: PushPlan, limit: KeyLimit): string[] {
  const notes: string[] = [];
  const over = limit.forecast(plan);
  if (over !== null) notes.push(over);
  const twice = snapshot.problems.filter(({ code }) => code === "duplicate" || code === "elsewhere");
  const source = twice.filter(({ path }) =>
    snapshot.files.some((file) => file.place.path === path && file.place.locale === snapshot.sourceLocale),
  );
  if (source.length > 0) {
    const [first] = source;
    notes.push(
      l10n.t(
        "More than once: {0} ({1} in {2})",
        counted.keys(source.length),
        first?.key ?? "",
        first?.path ?? "",
      ),
    );
  }
  const switches = plan.items.filter((item) => item.pluralSwitch).length;
  if (switches > 0)
    notes.push(l10n.t("Will be refused: {0}, plural here or there only", counted.keys(switches)));
  if (plan.unread.length > 0) notes.push(unreadWords(plan.unread));
  if (plan.empty.length > 0)
    notes.push(l10n.t("Left out, since without a text: {0}.", counted.keys(plan.empty.length)));
  return notes;
}

function unreadWords(paths: readonly string[]): string {
  return l10n.t(
    "Nothing is archived, since these files cannot be read whole: {0}. Mend them first.",
    paths.join(", "),
  );
}

function nothingWords(open: OpenProject, { counts, empty }: PushPlan): string {
  const words = l10n.t(
    "Nothing to push: {0} has all {1} source texts as they are here.",
    nameOf(open),
    counts.unchanged,
  );
  return empty.length === 0
    ? words
    : `${words} ${l10n.t("Left out, since without a text: {0}.", counted.keys(empty.length))}`;
}
