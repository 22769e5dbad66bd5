/**
 * The problems of all files of each project, the newest files first: found by the indexing process after the first index, and
 * again when something has changed that they depend on.
 */
import * as vscode from "vscode";
import type { StoreTable } from "../../database/store.ts";
import { getOrCreate } from "../../util/maps.ts";
import { TimeSlices } from "../../util/event-loop.ts";
import { fingerprintOf } from "../../util/fingerprint.ts";
import { WorkQueue } from "../../util/work-queue.ts";
import type { App } from "../../vscode/app.ts";
import type { OpenProject } from "../../vscode/projects/open-project.ts";
import { SEVERITY_SETTINGS } from "../../messages/findings.ts";
import { language } from "../../util/l10n.ts";
import { familiesOf } from "../../vscode/ui/input/translation-input-checks.ts";
import {
  areKeysKnown,
  diagnosticsOfProblem,
  type KeyDiagnostic,
  problemsRequest,
} from "./compute-diagnostics.ts";

/** Problems of a project. With more, the newest files have to be mended first. */
const MAX_PROBLEMS = 1_000;
/** What problems depend on, beside what is looked for. */
const TABLES: readonly StoreTable[] = [
  "usages",
  "files",
  "keys",
  "translations",
  "search",
  "session",
  "settings",
  "projects",
];

/** The problems of files, by URI. */
export type ListedProblems = ReadonlyMap<string, readonly KeyDiagnostic[]>;

interface Listing {
  problems: ListedProblems;
  /** Fingerprint of what they were found in; `null`: of nothing. */
  version: string | null;
  readonly queue: WorkQueue;
}

/**
 * Lists the problems of the projects of the window.
 * @param onChange called with the URIs of the files whose problems may have changed
 */
export function listProjectProblems(
  app: App,
  onChange: (uris: Iterable<string>) => void,
): { of(uri: vscode.Uri): readonly KeyDiagnostic[] } {
  const listings = new Map<OpenProject, Listing>();
  const closed = new AbortController();

  const run = async (open: OpenProject, listing: Listing): Promise<void> => {
    if (closed.signal.aborted || !app.usages.isComplete(open)) return;
    const { families, request, version } = stateOf(app, open);
    if (version === listing.version) return;
    const { connection } = open;
    await connection.checkTexts(families, closed.signal);
    const found = await connection.problems.find(request, closed.signal);
    const problems = new Map<string, KeyDiagnostic[]>();
    const slices = new TimeSlices();
    for (const problem of found) {
      if (slices.isOver) await slices.next();
      const uri = vscode.Uri.joinPath(open.root, problem.path);
      const diagnostics = diagnosticsOfProblem(app, open, uri, problem);
      if (diagnostics.length > 0) getOrCreate(problems, uri.toString(), () => []).push(...diagnostics);
    }
    if (closed.signal.aborted || !listings.has(open) || connection.hasEnded) return;
    // If a setting has changed meanwhile, they are shown by that one: it may be as it was by the next time.
    listing.version = stateOf(app, open).version === version ? version : null;
    const uris = new Set([...listing.problems.keys(), ...problems.keys()]);
    listing.problems = problems;
    onChange(uris);
  };
  const update = async (open: OpenProject): Promise<void> => {
    const listing = getOrCreate(listings, open, () => ({
      problems: new Map(),
      version: null,
      queue: new WorkQueue(),
    }));
    try {
      await listing.queue.run(() => run(open, listing), { name: "problems" });
    } catch (error) {
      if (!closed.signal.aborted)
        app.log.warn(`The problems of ${open.root.toString()} could not be found: ${String(error)}`);
    }
  };
  const updateAll = (): void => {
    const all = new Set(app.projects.all);
    for (const open of listings.keys()) if (!all.has(open)) listings.delete(open);
    for (const open of all) void update(open);
  };
  app.addDisposable({ dispose: () => closed.abort() }, app.store.subscribe([...TABLES, "stats"], updateAll));
  return {
    of: (uri) => {
      const name = uri.toString();
      return [...listings.values()].flatMap(({ problems }) => problems.get(name) ?? []);
    },
  };
}

/** Returns what the problems of a project are found in, and its fingerprint. */
function stateOf(app: App, open: OpenProject) {
  const families = familiesOf(app, open);
  const request = problemsRequest(app, open, MAX_PROBLEMS);
  const settings = app.settings.of(open.root);
  const version = fingerprintOf([
    families,
    request,
    // How the problems are shown: settings belong to no project, so that none counts them.
    SEVERITY_SETTINGS.map((name) => settings[name]),
    language(),
    TABLES.map((table) => open.version(table)),
    app.projects.all.map((each) => [
      each.version("keys"),
      each.version("files"),
      areKeysKnown(app, open, each, false),
    ]),
  ]);
  return { families, request, version };
}
