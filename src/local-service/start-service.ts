/** Runs the service in this process, for the command line and for tests. */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAdaptorServer } from "@hono/node-server";
import { aiJob, type AiRequest } from "./ai-translation-job.ts";
import { DEMO_PROJECT, seedDemo } from "./demo-project.ts";
import { exportJob } from "./endpoints/exports.ts";
import { loadTokens } from "./http/authentication.ts";
import { importJob } from "./imports/import-job.ts";
import { addJob, deleteExpired, JobRunner } from "./jobs.ts";
import { applyLanguages, queueSourceChange, sourceChangeJob } from "./project-languages.ts";
import { answerProtocolErrors } from "./http/protocol-errors.ts";
import { RateLimit } from "./http/rate-limit.ts";
import { createApp } from "./http/server.ts";
import type { Service, Timing } from "./service-context.ts";
import {
  completeSettings,
  parseProjectFile,
  SettingsError,
  type ProjectFile,
  type Settings,
} from "./service-settings.ts";
import {
  LOCK_WAIT_MS,
  JOB_TYPE_AI,
  JOB_TYPE_EXPORT,
  JOB_TYPE_IMPORT,
  JOB_TYPE_SOURCE,
  LIMITS,
  RETRY_DELAYS_MS,
} from "./specification-decisions.ts";
import { getMeta, getOrCreateMeta, incrementContentVersion, setMeta } from "./store/store-rows.ts";
import { Store, type Connection } from "./store/store.ts";
import { WebhookSender, recordCompletedLanguages } from "./send-webhooks.ts";

export interface ServiceOptions {
  /** The store's file; default: a temporary store, which is deleted when the service stops. */
  readonly data?: string | undefined;
  /** Default: a free port. */
  readonly port?: number | undefined;
  /** Path of a project file. */
  readonly project?: string | undefined;
  /** Fills an empty store with the demo project. */
  readonly demo?: boolean;
  readonly timing?: Partial<Timing>;
  readonly log?: (text: string) => void;
}

export interface RunningService {
  /** `http://127.0.0.1:PORT/v1` */
  readonly baseUrl: string;
  readonly token: string;
  readonly readToken: string;
  /** Queues an AI translation job; returns its id. */
  startAiJob(request: AiRequest): Promise<number>;
  cancelAiJob(id: number): void;
  /** Stops cleanly, once: confirmed writes are stored, and an interrupted job runs again at the next start. */
  stop(): Promise<void>;
}

/** How long requests in flight may take when the service stops. */
const STOP_GRACE_MS = 2_000;
/** How often connections that became idle are closed while it stops. */
const IDLE_CHECK_MS = 20;
const HOST = "127.0.0.1";
/** The endpoints limit their parameters themselves, since Node would not reject a long URL with JSON. */
const MAX_HEADER_BYTES = 1024 * 1024;

/**
 * Starts the service.
 * @throws {StoreError} if the data cannot be used
 * @throws {SettingsError} if the project file is invalid
 */
export async function startService(options: ServiceOptions = {}): Promise<RunningService> {
  const projectFile = options.project === undefined ? undefined : readProjectFile(options.project);
  const folder =
    options.data === undefined ? mkdtempSync(join(tmpdir(), "project-translations-")) : undefined;
  const store = new Store(options.data ?? join(folder ?? "", "store.sqlite"));
  const cleanUp = async (): Promise<void> => {
    await store.close();
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  };
  try {
    const { service, tokens } = await store.write((connection) => {
      const { settings, seedsDemo } = loadSettings(connection, projectFile, options.demo ?? false);
      const created: Service = {
        store,
        settings,
        timing: { ...DEFAULT_TIMING, ...options.timing },
        cursorSecret: getOrCreateMeta(connection, "cursorSecret", () => randomBytes(32).toString("hex")),
        progress: new Map(),
        cancelledJobs: new Set(),
        recentExports: new Map(),
        log: options.log ?? (() => undefined),
        now: () => Date.now(),
        monotonic: () => performance.now(),
      };
      if (seedsDemo) {
        applyLanguages(connection, settings, settings.sourceLocale);
        seedDemo(created, connection);
      }
      deleteExpired(created, connection);
      const sourceLocale = queueSourceChange(created, connection);
      if (applyLanguages(connection, settings, sourceLocale)) incrementContentVersion(connection);
      recordCompletedLanguages(connection);
      return { service: created, tokens: loadTokens(connection) };
    });
    const perAddress = new RateLimit(service.settings.limits.perAddress, service.monotonic);
    const server = createAdaptorServer({
      fetch: createApp(service, tokens, perAddress).fetch,
      hostname: HOST,
      serverOptions: { maxHeaderSize: MAX_HEADER_BYTES, requireHostHeader: false },
    }) as Server;
    answerProtocolErrors(server, perAddress);
    // Longer than the idle timeout of clients, so that no connection is closed just as a client reuses it.
    server.keepAliveTimeout = 75_000;
    const port = await listen(server, options.port ?? 0);
    const runner = new JobRunner(service, JOB_HANDLERS);
    const webhookSender = new WebhookSender(service);
    runner.start();
    webhookSender.schedule();
    const stop = async (): Promise<void> => {
      await close(server);
      await runner.stop();
      await webhookSender.stop();
      await cleanUp();
    };
    let stopped: Promise<void> | undefined;
    return {
      baseUrl: `http://${HOST}:${port}/v1`,
      ...tokens,
      startAiJob: (request) =>
        store.write((connection) => addJob(connection, JOB_TYPE_AI, request, service.now())),
      cancelAiJob: (id) => void service.cancelledJobs.add(id),
      stop: () => (stopped ??= stop()),
    };
  } catch (error) {
    await cleanUp();
    throw error;
  }
}

const JOB_HANDLERS = {
  [JOB_TYPE_IMPORT]: importJob,
  [JOB_TYPE_EXPORT]: exportJob,
  [JOB_TYPE_SOURCE]: sourceChangeJob,
  [JOB_TYPE_AI]: aiJob,
};

const DEFAULT_TIMING: Timing = {
  translationsUpdatedMs: LIMITS.translationsUpdatedMs,
  webhookAnswerMs: LIMITS.webhookAnswerMs,
  retryDelaysMs: RETRY_DELAYS_MS,
  lockWaitMs: LOCK_WAIT_MS,
};

function readProjectFile(path: string): ProjectFile {
  if (!existsSync(path)) throw new SettingsError(`There is no project file at ${path}.`);
  return parseProjectFile(readFileSync(path, "utf8"));
}

/** Returns the settings. A project file is stored for starts without one. */
function loadSettings(
  connection: Connection,
  projectFile: ProjectFile | undefined,
  demo: boolean,
): { readonly settings: Settings; readonly seedsDemo: boolean } {
  const seedsDemo = demo && connection.get("SELECT 1 FROM keys LIMIT 1") === undefined;
  if (seedsDemo) setMeta(connection, "base", "demo");
  const base: ProjectFile = getMeta(connection, "base") === "demo" ? DEMO_PROJECT : {};
  const stored = getMeta(connection, "settings");
  const current: ProjectFile =
    projectFile !== undefined || stored === undefined || seedsDemo
      ? { ...base, ...projectFile }
      : (JSON.parse(stored) as ProjectFile);
  setMeta(connection, "settings", JSON.stringify(current));
  return { settings: completeSettings(current), seedsDemo };
}

async function listen(server: Server, port: number): Promise<number> {
  server.listen(port, HOST);
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

async function close(server: Server): Promise<void> {
  const late = setTimeout(() => server.closeAllConnections(), STOP_GRACE_MS);
  server.close();
  // Connections that were busy then stay open until their keep-alive ends.
  const idle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
  await once(server, "close");
  clearTimeout(late);
  clearInterval(idle);
}
