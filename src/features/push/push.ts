/**
 * Push: compares the source texts of the local files with the service, shows what is new and changed, sends what is
 * ticked, and tells what came of it. Unsaved text of an open editor counts as it is shown there.
 */
import * as vscode from "vscode";
import type { SyncResult } from "../../api/schemas.ts";
import type { LocalEntry, LocalSnapshot } from "../../core/local-entries.ts";
import { mayHoldSources } from "../../core/local-snapshot.ts";
import { planPush, sendPush, type PushNeeds, type PushPlan, type PushPlanCounts } from "../../core/push.ts";
import { unreadIn } from "../../core/unread.ts";
import type { App, OpenProject, Run } from "../../host/app.ts";
import { ask } from "../../host/ask.ts";
import { sha1, yieldNow } from "../../host/clock.ts";
import { firstSourceProblem } from "../../host/file-problems.ts";
import { chooseSignedIn, nameOf } from "../../host/needs.ts";
import { showInformation, showWarning } from "../../host/notifications.ts";
import { CommandError, type CommandResult, type CommonOptions } from "../../host/outcome.ts";
import { counted } from "../../host/counted.ts";
import { l10n } from "../../host/words.ts";
import { KeyLimit } from "./key-limit.ts";
import { guardMapping } from "./mapping.ts";
import { notesOf, nothingWords, unreadWords } from "./notes.ts";
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

/** Entries made between two chances for other work; some 5 ms. */
const SLICE = 2_000;

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
  const local: LocalEntry[] = [];
  for (const entry of source.entries(source.sourceLocale).values()) {
    if (local.push(entry) % SLICE === 0) await yieldNow();
  }

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
    if (!quiet) tellNothing(open, planned, options);
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
              if (archiving.unread.length > 0) void showWarning(unreadWords(archiving.unread));
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

/** Waits for no answer. What no local file has is looked for only when somebody wants that. */
function tellNothing(open: OpenProject, plan: PushPlan, options: PushOptions): void {
  const look = l10n.t("Look for Keys to Archive");
  const actions = options.archiveMissing === true || options.only !== undefined ? [] : [look];
  void showInformation(nothingWords(open, plan), ...actions).then((chosen) => {
    if (chosen !== look) return undefined;
    const again = { ...options, folder: open.root, archiveMissing: true };
    return vscode.commands.executeCommand("projectTranslations.push", again);
  });
}

/** The local files, with at least one of the source language. Throws CommandError. */
async function readSource(open: OpenProject, run: Run, quiet: boolean): Promise<LocalSnapshot> {
  let snapshot = await open.local.load(run.signal);
  const found = (): boolean => snapshot.locales.includes(snapshot.sourceLocale);
  if (!found() && (open.file.files ?? []).length === 0 && !quiet) {
    // Where no layout is known, the ones that are found are proposed first.
    run.pause();
    await vscode.commands.executeCommand("projectTranslations.setUpProjectFile", { folder: open.root });
    snapshot = await open.local.load(run.signal);
  }
  if (snapshot.entries(snapshot.sourceLocale).size > 0) return snapshot;
  const problem = firstSourceProblem(open);
  if (problem !== undefined) throw new CommandError("invalid", `${problem}.`, { reason: "unread_source" });
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
  const dirty = snapshot.files.filter((file) => file.dirty && mayHoldSources(file, snapshot));
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
