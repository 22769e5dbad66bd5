/**
 * Runs commands without VS Code, on the files and the service of a test window: without prompts, or with lists that a test
 * answers. What they would show is recorded.
 */
import { join, relative } from "node:path";
import type { Memento, Uri } from "vscode";
import { parseOptions } from "../../../src/commands/parse-options.ts";
import type { CommandDeclaration, FieldsOf, OptionsOf } from "../../../src/commands/define-command.ts";
import { KeySearch } from "../../../src/database/full-text-search.ts";
import { PendingChangeQueries } from "../../../src/database/pending-change-queries.ts";
import { DatabaseQueries } from "../../../src/database/translation-editor-queries.ts";
import { countPendingChanges } from "../../../src/sync/count-pending-changes.ts";
import type { UnattendedEnd } from "../../../src/sync/poll-jobs.ts";
import type { App, CommandWork, SignedInProject } from "../../../src/vscode/app.ts";
import { requireNeeds } from "../../../src/vscode/commands/command-requirements.ts";
import {
  CommandCancelled,
  CommandError,
  PartialResultError,
  type CommandResult,
  type CommandRun,
  type CommonOptions,
  type NextAction,
} from "../../../src/commands/command-types.ts";
import { toFailure } from "../../../src/messages/error-messages.ts";
import type { ProjectConnection } from "../../../src/vscode/projects/project-connection.ts";
import type { OpenProject } from "../../../src/vscode/projects/open-project.ts";
import type { TestWindow } from "./test-window.ts";
import { Uri as FileUri } from "./vscode-stub.ts";

interface EndedJob {
  readonly open: OpenProject;
  readonly end: UnattendedEnd;
}

export interface CommandRunner {
  /** What features are registered with. */
  readonly app: App;
  /** The project, as features get it. */
  readonly open: OpenProject;
  /** Runs a command with `confirm: false`. */
  run<Declared extends CommandDeclaration>(
    declaration: Declared,
    options: OptionsOf<Declared>,
  ): Promise<CommandResult<FieldsOf<Declared>>>;
  /** Runs a command as a user does, whose answers to lists are those of `answerNextList`. */
  readonly ask: CommandRunner["run"];
  /** Cancels the commands that are running, as the button of their progress does. */
  cancel(): void;
  /** Tells the features of a job that ended while nobody waited for it. */
  endJob(end: UnattendedEnd): void;
  /** Connects the project as the other one is, as signing in elsewhere does. */
  connect(other: OpenProject): void;
  /** The documents that were opened for reading: their names and texts. */
  readonly documents: readonly (readonly [string, string])[];
  /** The results that Activity lists; `context`: the kind of a row that has a menu. */
  readonly results: readonly {
    readonly message: string;
    readonly kind: string;
    readonly context?: string | undefined;
  }[];
  /** What errors offered to do. */
  readonly offered: readonly NextAction[];
  /** What the progress of commands said, with the percentage. */
  readonly progress: readonly string[];
}

/** @param folder the project's root @param features register their commands */
export function createCommandRunner(
  window: TestWindow,
  folder: string,
  features: readonly ((app: App) => void)[],
): CommandRunner {
  const works = new Map<
    string,
    [CommandWork<CommandDeclaration>, (options: object) => Promise<OpenProject>]
  >();
  const results: { message: string; kind: string; context?: string | undefined }[] = [];
  const offered: NextAction[] = [];
  const progress: string[] = [];
  const documents: (readonly [string, string])[] = [];
  const root = FileUri.file(folder);
  const { project, jobs, ...others } = window;
  const connection = Object.assign(project, {
    ...others,
    jobPoller: jobs,
    ready: Promise.resolve(),
    refresher: Promise.resolve(window.refresher),
    client: () => window.client,
    projectId: "test",
    keySearch: new KeySearch(window.database),
    queries: new DatabaseQueries(window.database),
    hasEnded: false,
    loadLocal: () => Promise.resolve(),
    countPendingChanges: async (signal?: AbortSignal) =>
      countPendingChanges(
        project,
        await window.local.load(),
        new PendingChangeQueries(window.database),
        signal,
      ),
  }) as unknown as ProjectConnection;
  const ofFolder = {
    root,
    fileUri: FileUri.joinPath(root, "project-translations.json"),
    file: window.file,
    files: window.files,
    relative: ({ fsPath }: Uri) => {
      const path = relative(folder, fsPath);
      return path.startsWith("..") ? null : path;
    },
    connection,
  };
  // Everything else is that of the connection, as in `OpenProject`.
  const open = new Proxy(ofFolder, {
    has: (folderOnly, name) => name in folderOnly || name in folderOnly.connection,
    get: (folderOnly, name) => {
      if (name in folderOnly) return Reflect.get(folderOnly, name);
      const value: unknown = Reflect.get(folderOnly.connection, name, folderOnly.connection);
      return typeof value === "function" ? value.bind(folderOnly.connection) : value;
    },
  }) as unknown as OpenProject;
  const nothing = { dispose: () => undefined };
  const running = new Set<AbortController>();
  const execute = async (
    declaration: CommandDeclaration,
    options: object,
    quiet: boolean,
  ): Promise<CommandResult> => {
    const parsed = parseOptions(declaration, quiet ? { ...options, confirm: false } : options);
    if (parsed.kind !== "valid") throw new Error(JSON.stringify(parsed.problem));
    const [work, choose] = works.get(declaration.id) ?? [];
    if (work === undefined || choose === undefined) throw new Error(`${declaration.id} is not registered`);
    const abort = new AbortController();
    const { signal } = abort;
    running.add(abort);
    const context: CommandRun = {
      signal,
      quiet,
      report: (text, percent) =>
        void progress.push(percent === undefined ? text : `${text}: ${Math.floor(percent)} %`),
      pause: () => undefined,
    };
    try {
      const granted = await requireNeeds(declaration.needs, () => choose(parsed.options));
      return await work(app, parsed.options, { ...context, ...(granted as SignedInProject) });
    } catch (error) {
      if (error instanceof CommandCancelled || (signal.aborted && error === signal.reason))
        return { outcome: "cancelled" };
      if (error instanceof CommandError && error.step !== undefined) offered.push(error.step);
      const partly = error instanceof PartialResultError ? error : null;
      const done: object = partly?.fields ?? {};
      return { outcome: "failed", error: toFailure(partly?.cause ?? error, partly?.message), ...done };
    } finally {
      running.delete(abort);
    }
  };
  const run = ((declaration, options) => execute(declaration, options, true)) as CommandRunner["run"];
  const ask = ((declaration, options) => execute(declaration, options, false)) as CommandRunner["run"];
  const runAsked = ((declaration, options) =>
    execute(declaration, options, (options as CommonOptions).confirm === false)) as CommandRunner["run"];
  const usages = {
    usagesOf: () => [],
    usagesOfName: () => [],
    countUsages: () => 0,
    countUsagesOfName: () => 0,
    patternsOf: () => [],
  };
  const onEnd: ((ended: EndedJob) => void)[] = [];
  const onChange: (() => void)[] = [];
  const all = [open];
  const app = {
    log: window.log,
    context: { globalState: memento(), workspaceState: memento() },
    usages: {
      reload: () => Promise.resolve(usages),
      of: () => usages,
      countUsages: () => 0,
      areAllComplete: () => true,
    },
    usageReports: { stateOf: () => undefined },
    documentUsages: { lookupOptions: () => ({ frameworks: new Set() }) },
    projects: {
      all,
      choose: () => Promise.resolve(open),
      onDidEndJob: (listener: (ended: EndedJob) => void) => {
        onEnd.push(listener);
        return nothing;
      },
      onDidChange: (listener: () => void) => {
        onChange.push(listener);
        return nothing;
      },
      subscribe: () => nothing,
    },
    store: { subscribe: () => nothing },
    results: {
      add: (_open: OpenProject, message: string, kind = "done", context?: string) =>
        void results.push({ message, kind, context }),
      end: () => undefined,
    },
    command: (
      declaration: CommandDeclaration,
      work: CommandWork<CommandDeclaration>,
      choose = () => Promise.resolve(open),
    ) => void works.set(declaration.id, [work, choose]),
    run: runAsked,
    virtualDocuments: {
      closeDifferences: () => Promise.resolve(),
      diffBelowList: () => Promise.resolve(),
      open: (name: string, text: string) => void documents.push([name, text]),
    },
    addDisposable: () => undefined,
  } as unknown as App;
  for (const register of features) register(app);
  return {
    app,
    open,
    run,
    ask,
    cancel: () => running.forEach((abort) => abort.abort()),
    documents,
    results,
    offered,
    progress,
    endJob: (end) => onEnd.forEach((listener) => listener({ open, end })),
    connect: (other) => {
      const client = (): never => {
        throw new CommandError("not_signed_in", "Another project was signed in to.");
      };
      Object.assign(ofFolder.connection, { hasEnded: true, client });
      ofFolder.connection = other.connection;
      onChange.forEach((listener) => listener());
    },
  };
}

/** What VS Code stores for an extension, in memory. */
function memento(): Pick<Memento, "get" | "update"> {
  const values = new Map<string, unknown>();
  return {
    get: <Value>(name: string, missing?: Value) => (values.get(name) ?? missing) as Value,
    update: (name, value) => Promise.resolve(void values.set(name, value)),
  };
}

/** Returns the root of the project of a fixture. */
export function rootOf({ folder }: { readonly folder: string }): string {
  return join(folder, "app");
}
