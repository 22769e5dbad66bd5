/**
 * One window's worth of the core against a real local service: what the host builds, on plain Node. Requests are
 * counted, so that a test can say what something costs.
 */
import { direct } from "../../../src/core/formats/direct.ts";
import { join } from "node:path";
import { createClient, type Client } from "../../../src/api/client.ts";
import { Cache } from "../../../src/core/cache.ts";
import { Jobs } from "../../../src/core/jobs.ts";
import { LocalEntries } from "../../../src/core/local-entries.ts";
import type { Clock, Store } from "../../../src/core/ports.ts";
import type { ProjectFile } from "../../../src/core/project-file.ts";
import { Project } from "../../../src/core/project.ts";
import { Refresher } from "../../../src/core/refresh.ts";
import type { Disk } from "../../../src/host/disk.ts";
import { clock, inflate, keptLog, projectFiles, sha1, store, yieldNow } from "./node-ports.ts";

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
  /** Holds `app` (the project's root) and `store`. */
  readonly folder: string;
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
  /** Files and store are written as the host does, on this disk; notes lie in `notes` of the folder. */
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
  const project = new Project("test", "Test");
  project.setSession({
    kind: "signed-in",
    baseUrl: options.baseUrl,
    slug: "test",
    name: "Test",
    canWrite: true,
  });
  let current: Client | null = client;
  const written: string[] = [];
  const { disk } = options;
  const onDisk = store(join(options.folder, "store"), disk);
  const kept: Store = {
    ...onDisk,
    write: (name, bytes) => {
      written.push(name);
      return onDisk.write(name, bytes);
    },
  };
  const files = projectFiles(
    join(options.folder, "app"),
    disk && { disk, notes: join(options.folder, "notes") },
  );
  const file = options.file ?? {};
  const refresher = await Refresher.open({
    project,
    cache: new Cache(kept, log, yieldNow),
    client: () => current,
    preview: () => options.preview ?? ["en", "nl", "fr"],
    clock: fast,
    log,
    yieldNow,
  });
  const window = options.window ?? "one";
  const jobs = new Jobs({ project, store: kept, client: () => current, clock: fast, log, window });
  const local = new LocalEntries({ files, sha1, yieldNow, knownKeys: () => project.keys, formats: direct });
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
    local,
    files,
    store: kept,
    requests,
    log,
    file,
    sha1,
    inflate,
    yieldNow,
    /** Names of what was put into the store, in order. */
    written,
    /** From now on nothing gets through. */
    goOffline: () => {
      online = false;
    },
    /** From now on nobody is signed in, and all that came from the service is forgotten. */
    signOut: () => {
      current = null;
      project.forget({ kind: "signed-out" });
    },
    /** What was asked since the last call. */
    taken: () => requests.splice(0),
  };
}
export type TestWindow = Awaited<ReturnType<typeof openWindow>>;
