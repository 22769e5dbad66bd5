/**
 * A window without VS Code: client, database, refresh, jobs and local files, against a real local service. Requests are
 * recorded.
 */
import { dirname, join } from "node:path";
import { createClient, type Client, type ClientSettings } from "../../../src/api/client.ts";
import { openDatabase, openPersonalDatabase } from "../../../src/database/database-recovery.ts";
import { PersonalData } from "../../../src/database/personal/personal-data.ts";
import { Jobs, type UnattendedEnd } from "../../../src/sync/poll-jobs.ts";
import { LocalEntries } from "../../../src/workspace/local-files/local-entries.ts";
import { createLocalFileIndexing } from "../../../src/workspace/local-files/local-file-loader.ts";
import { folderFiles } from "../../../src/workspace/file-system/disk-files.ts";
import type { Clock, FileContent, ProjectFiles } from "../../../src/model/platform.ts";
import type { ProjectFile } from "../../../src/workspace/project-file/project-file.ts";
import { Project } from "../../../src/database/project-state.ts";
import { Refresher } from "../../../src/sync/refresh/refresh.ts";
import type { Disk } from "../../../src/workspace/file-system/atomic-write.ts";
import { fastClock, recordingLog, projectFiles, sha1 } from "./node-platform.ts";
import { yieldNow } from "../../../src/util/event-loop.ts";

/**
 * Intercepts a request (`request` is its method, path and query): forwards it, delays it, or changes the response.
 */
export type Interceptor = (
  request: string,
  forward: () => Promise<Response>,
  signal: AbortSignal | undefined,
) => Promise<Response>;

export interface WindowOptions {
  readonly baseUrl: string;
  readonly token: string;
  /** The parent folder of `app`, the project's root. */
  readonly folder: string;
  /** The path of the database; default: in `folder`. */
  readonly database?: string;
  readonly file?: ProjectFile;
  readonly preview?: readonly string[];
  /** The window's name, unique in the folder. */
  readonly window?: string;
  readonly intercept?: Interceptor;
  /** How far this machine's clock is ahead, in milliseconds. */
  readonly clockAheadMs?: number;
  /** Replace the real ones. */
  readonly clock?: Clock;
  readonly fetch?: typeof fetch;
  /** The unsaved texts of editors, by path; may change. */
  readonly unsaved?: ReadonlyMap<string, string>;
  /** Writes files in transactions on this disk, with journals in the subfolder `notes`. */
  readonly disk?: Disk;
  /** The most items of one request. */
  readonly maxItems?: ClientSettings["maxItems"];
}

export async function openWindow(options: WindowOptions) {
  const requests: string[] = [];
  const log = recordingLog();
  let online = true;
  const fetchCounted: typeof fetch = (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const request = `${init?.method ?? "GET"} ${url.pathname.replace("/v1", "")}${url.search}`;
    requests.push(request);
    const forward = (): Promise<Response> =>
      online ? (options.fetch ?? fetch)(input, init) : Promise.reject(new TypeError("fetch failed"));
    return options.intercept === undefined
      ? forward()
      : options.intercept(request, forward, init?.signal ?? undefined);
  };
  const real = fastClock();
  const fast: Clock = options.clock ?? { ...real, now: () => real.now() + (options.clockAheadMs ?? 0) };
  const client: Client = createClient({
    baseUrl: options.baseUrl,
    token: options.token,
    fetch: fetchCounted,
    clock: fast,
    log,
    locale: () => "en",
    ...(options.maxItems === undefined ? {} : { maxItems: options.maxItems }),
  });
  const database = openDatabase(options.database ?? join(options.folder, "project.db"), log);
  const personal = openPersonalDatabase(
    join(options.database === undefined ? options.folder : dirname(options.database), "personal.db"),
    log,
  );
  const project = new Project("test", "Test", database, new PersonalData(personal, "test"));
  const session = { kind: "signed-in", baseUrl: options.baseUrl, slug: "test", name: "Test" } as const;
  const signIn = (): void => project.setSession({ ...session, canWrite: true });
  signIn();
  let current: Client | null = client;
  const { disk, unsaved = new Map<string, string>() } = options;
  const onDisk = projectFiles(
    join(options.folder, "app"),
    disk && { disk, journalFolder: join(options.folder, "notes") },
  );
  const contentOf = (text: string): FileContent => {
    const bytes = new TextEncoder().encode(text);
    return { bytes, stamp: { size: -1, modified: Number.parseInt(sha1(text).slice(0, 8), 16) }, dirty: true };
  };
  const files: ProjectFiles = {
    ...onDisk,
    read: async (path) => {
      const text = unsaved.get(path);
      return text === undefined ? onDisk.read(path) : { kind: "read", ...contentOf(text) };
    },
  };
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
  const fileIndexing = createLocalFileIndexing(database, folderFiles(join(options.folder, "app")));
  const local = new LocalEntries({
    database,
    version: "1",
    files,
    keysVersion: () => project.version("keys"),
    unsavedFiles: () => new Map(Array.from(unsaved, ([path, text]) => [path, contentOf(text)])),
    indexing: () => fileIndexing,
  });
  const configure = (): void =>
    local.configure({
      files: file.files ?? [],
      locales: file.locales ?? {},
      sourceLocale: project.sourceLocale,
      serviceLocales: project.stats?.languages.map((language) => language.locale) ?? [],
    });
  configure();
  project.onDidChange((table) => table === "stats" && configure());
  return {
    client,
    clock: fast,
    project,
    refresher,
    jobs,
    /** Jobs that ended without a caller waiting for them. */
    unattended,
    local,
    files,
    database,
    requests,
    log,
    file,
    yieldNow,
    /** Makes all further requests fail. */
    goOffline: () => {
      online = false;
    },
    /** Signs out and discards all data from the service. */
    signOut: () => {
      current = null;
      project.syncMetadata.clear(null);
      project.reset({ kind: "signed-out" });
    },
    /** Follows no jobs any more: the tests of another file would see its requests. */
    close: () => jobs.dispose(),
    /** Returns and clears the recorded requests. */
    takeRequests: () => requests.splice(0),
  };
}
export type TestWindow = Awaited<ReturnType<typeof openWindow>>;
