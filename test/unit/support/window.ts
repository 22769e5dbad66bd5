/**
 * One window's worth of the core against a real local service: what the host builds, on plain Node. Requests are
 * counted, so that a test can say what something costs.
 */
import { join } from "node:path";
import { createClient, type Client } from "../../../src/api/client.ts";
import { openDatabase } from "../../../src/database/database.ts";
import { Jobs, type UnattendedEnd } from "../../../src/sync/follow-jobs.ts";
import { LocalEntries } from "../../../src/workspace/local-files/local-entries.ts";
import { LocalFileIndexer } from "../../../src/workspace/local-files/local-file-indexer.ts";
import type { Clock } from "../../../src/model/platform.ts";
import type { ProjectFile } from "../../../src/workspace/project-file/project-file.ts";
import { Project } from "../../../src/database/project-state.ts";
import { Refresher } from "../../../src/sync/refresh/refresh.ts";
import type { Disk } from "../../../src/workspace/files/disk.ts";
import { clock, keptLog, projectFiles } from "./node-ports.ts";
import { yieldNow } from "../../../src/model/time-slices.ts";

/**
 * Stands between the window and the service: passes a request on (`asked` is its method, path and query), holds it, or
 * changes the answer.
 */
export type Between = (
  asked: string,
  pass: () => Promise<Response>,
  signal: AbortSignal | undefined,
) => Promise<Response>;

export interface WindowOptions {
  readonly baseUrl: string;
  readonly token: string;
  /** Holds `app` (the project's root). */
  readonly folder: string;
  /** The database's path; default: in the folder. */
  readonly database?: string;
  readonly file?: ProjectFile;
  readonly preview?: readonly string[];
  /** Name of the window among those of the folder. */
  readonly window?: string;
  readonly between?: Between;
  /** Milliseconds that this machine's clock is ahead. */
  readonly ahead?: number;
  /** In place of the real ones. */
  readonly clock?: Clock;
  readonly fetch?: typeof fetch;
  /** Files are written as the host does, on this disk; notes lie in `notes` of the folder. */
  readonly disk?: Disk;
}

export async function openWindow(options: WindowOptions) {
  const requests: string[] = [];
  const log = keptLog();
  let online = true;
  const fetchCounted: typeof fetch = (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const asked = `${init?.method ?? "GET"} ${url.pathname.replace("/v1", "")}${url.search}`;
    requests.push(asked);
    const pass = (): Promise<Response> =>
      online ? (options.fetch ?? fetch)(input, init) : Promise.reject(new TypeError("fetch failed"));
    return options.between === undefined ? pass() : options.between(asked, pass, init?.signal ?? undefined);
  };
  // Polls and pauses pass ten times as fast; what is waited for is real.
  const real = clock(10);
  const fast: Clock = options.clock ?? { ...real, now: () => real.now() + (options.ahead ?? 0) };
  const client: Client = createClient({
    baseUrl: options.baseUrl,
    token: options.token,
    fetch: fetchCounted,
    clock: fast,
    log,
    locale: () => "en",
  });
  const database = openDatabase(options.database ?? join(options.folder, "project.db"), log);
  const project = new Project("test", "Test", database);
  const session = { kind: "signed-in", baseUrl: options.baseUrl, slug: "test", name: "Test" } as const;
  const signIn = (): void => project.setSession({ ...session, canWrite: true });
  signIn();
  let current: Client | null = client;
  const { disk } = options;
  const files = projectFiles(
    join(options.folder, "app"),
    disk && { disk, journalFolder: join(options.folder, "notes") },
  );
  const file = options.file ?? {};
  const refresher = await Refresher.open({
    project,
    client: () => current,
    onAccepted: signIn,
    preview: () => options.preview ?? ["en", "nl", "fr"],
    clock: fast,
    log,
  });
  const window = options.window ?? "one";
  const unattended: UnattendedEnd[] = [];
  const onUnattendedEnd = (end: UnattendedEnd): void => void unattended.push(end);
  const jobs = new Jobs({
    project,
    client: () => current,
    clock: fast,
    log,
    window,
    onUnattendedEnd,
  });
  const local = new LocalEntries({
    database,
    version: "1",
    files,
    keys: () => project.keys,
    indexing: new LocalFileIndexer(database),
  });
  const configure = (): void =>
    local.configure({
      files: file.files ?? [],
      locales: file.locales ?? {},
      sourceLocale: project.sourceLocale,
      serviceLocales: project.stats?.languages.map((language) => language.locale) ?? [],
    });
  configure();
  project.onDidChange((change) => change.stats && configure());
  return {
    client,
    project,
    refresher,
    jobs,
    /** Jobs whose end this window saw and nobody waited for. */
    unattended,
    local,
    files,
    database,
    requests,
    log,
    file,
    yieldNow,
    /** From now on nothing gets through. */
    goOffline: () => {
      online = false;
    },
    /** From now on nobody is signed in, and all that came from the service is forgotten. */
    signOut: () => {
      current = null;
      project.syncState.clear(null);
      project.reset({ kind: "signed-out" });
    },
    /** What was asked since the last call. */
    taken: () => requests.splice(0),
  };
}
export type TestWindow = Awaited<ReturnType<typeof openWindow>>;
