/**
 * One window's worth of the core against a real local service: what the host builds, on plain Node. Requests are
 * counted, so that a test can say what something costs.
 */
import { join } from "node:path";
import { createClient, type Client } from "../../../src/api/client.ts";
import { Cache } from "../../../src/core/cache.ts";
import { Jobs } from "../../../src/core/jobs.ts";
import { LocalEntries } from "../../../src/core/local-entries.ts";
import type { ProjectFile } from "../../../src/core/project-file.ts";
import { Project } from "../../../src/core/project.ts";
import { Refresher } from "../../../src/core/refresh.ts";
import { clock, inflate, keptLog, projectFiles, sha1, store, yieldNow } from "./node-ports.ts";

export interface WindowOptions {
  readonly baseUrl: string;
  readonly token: string;
  /** Holds `app` (the project's root) and `store`. */
  readonly folder: string;
  readonly file?: ProjectFile;
  readonly preview?: readonly string[];
  /** Name of the window among those of the folder. */
  readonly window?: string;
}

export async function openWindow(options: WindowOptions) {
  const requests: string[] = [];
  const log = keptLog();
  let online = true;
  const fetchCounted: typeof fetch = (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    requests.push(`${init?.method ?? "GET"} ${url.pathname.replace("/v1", "")}${url.search}`);
    return online ? fetch(input, init) : Promise.reject(new TypeError("fetch failed"));
  };
  // Polls and pauses pass ten times as fast; what is waited for is real.
  const fast = clock(10);
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
  const kept = store(join(options.folder, "store"));
  const files = projectFiles(join(options.folder, "app"));
  const file = options.file ?? {};
  const refresher = await Refresher.open({
    project,
    cache: new Cache(kept, log, yieldNow),
    client: () => client,
    preview: () => options.preview ?? ["en", "nl", "fr"],
    clock: fast,
    log,
    yieldNow,
  });
  const window = options.window ?? "one";
  const jobs = new Jobs({ project, store: kept, client: () => client, clock: fast, log, window });
  const local = new LocalEntries({ files, sha1, yieldNow, knownKeys: () => project.keys });
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
    /** From now on nothing gets through. */
    goOffline: () => {
      online = false;
    },
    /** What was asked since the last call. */
    taken: () => requests.splice(0),
  };
}
export type TestWindow = Awaited<ReturnType<typeof openWindow>>;
