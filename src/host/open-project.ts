/** One open project: its folder, its state and all that serves it, put together for one base URL. */
import { Uri, workspace, type ExtensionContext } from "vscode";
import type { Client } from "../api/client.ts";
import type { FormatName } from "../api/schemas.ts";
import { Cache } from "../core/cache.ts";
import { formatOfPath } from "../core/formats/recognise.ts";
import { Jobs } from "../core/jobs.ts";
import { LocalEntries } from "../core/local-entries.ts";
import { previewLocales } from "../core/preview-locales.ts";
import {
  PROJECT_FILE_NAME,
  type ParsedProjectFile,
  type ProjectFile,
  type ProjectFileError,
} from "../core/project-file.ts";
import type { ProjectFiles, Store, TranslationFiles } from "../core/ports.ts";
import { Project } from "../core/project.ts";
import { Refresher } from "../core/refresh.ts";
import type { OpenProject } from "./app.ts";
import { clock, sha1, yieldNow } from "./clock.ts";
import { sweep } from "./disk.ts";
import { openFiles } from "./files.ts";
import type { LogChannel } from "./log.ts";
import { showWarning } from "./notifications.ts";
import { CommandError } from "./outcome.ts";
import type { Results } from "./results.ts";
import { ProjectSession, type Verified } from "./session.ts";
import { finishReplacing } from "./staged-files.ts";
import { openStore } from "./store.ts";
import { l10n } from "./words.ts";

export interface OpenProjectNeeds {
  readonly context: ExtensionContext;
  readonly log: LogChannel;
  readonly formats: TranslationFiles;
  readonly root: Uri;
  /** Normal form; `null`: none is set. */
  readonly baseUrl: string | null;
  /** Whether a file below the root is this project's and not one's further down. */
  readonly owns: (uri: Uri) => boolean;
  /** The project file was written from here: resolves when it is taken over. */
  readonly fileWritten: () => Promise<void>;
  readonly results: Results;
}

/** Tells this window from others. */
const WINDOW = crypto.randomUUID();

export class OpenedProject implements OpenProject {
  readonly root: Uri;
  readonly fileUri: Uri;
  readonly project: Project;
  readonly files: ProjectFiles;
  readonly local: LocalEntries;
  readonly store: Store;
  readonly jobs: Jobs;
  readonly baseUrl: string | null;
  readonly session: ProjectSession;
  readonly #log: LogChannel;
  readonly #fileWritten: () => Promise<void>;
  readonly #results: Results;
  /** Where the store lies, and the notes of files that are being replaced. */
  readonly #stored: string;
  readonly #notes: string;
  #file: ProjectFile;
  #fileErrors: readonly ProjectFileError[];
  #ready: Promise<void> | null = null;
  #refresher: Promise<Refresher> | null = null;
  readonly #subscription: { dispose(): void };

  constructor(
    { context, log, formats, root, baseUrl, owns, fileWritten, results }: OpenProjectNeeds,
    { file, errors }: ParsedProjectFile,
  ) {
    this.root = root;
    this.fileUri = Uri.joinPath(root, PROJECT_FILE_NAME);
    this.baseUrl = baseUrl;
    this.#log = log;
    this.#fileWritten = fileWritten;
    this.#results = results;
    this.#file = file;
    this.#fileErrors = errors;
    const id = sha1(`${root.toString()}\u001f${baseUrl ?? ""}`);
    this.project = new Project(id, labelOf(root));
    const formatAt = (path: string): FormatName | undefined =>
      this.local.placeOf(path)?.entry.format ?? formatOfPath(path) ?? undefined;
    const folder = Uri.joinPath(context.globalStorageUri, "projects", id);
    this.#stored = folder.fsPath;
    this.#notes = Uri.joinPath(context.globalStorageUri, "writing", sha1(root.toString())).fsPath;
    this.files = this.#told(openFiles({ root, owns, formatAt, notes: this.#notes }));
    this.store = openStore(folder);
    this.session = new ProjectSession({
      secrets: context.secrets,
      log,
      project: this.project,
      root: root.toString(),
      baseUrl,
    });
    const knownKeys = (): Project["keys"] => this.project.keys;
    this.local = new LocalEntries({ files: this.files, sha1, yieldNow, knownKeys, formats });
    this.jobs = new Jobs({
      project: this.project,
      store: this.store,
      client: () => this.session.client,
      clock,
      log,
      window: WINDOW,
    });
    this.#subscription = this.project.onDidChange((change) => {
      if (change.stats === true) this.#configureLocal();
    });
    this.#configureLocal();
  }

  get file(): ProjectFile {
    return this.#file;
  }
  get fileErrors(): readonly ProjectFileError[] {
    return this.#fileErrors;
  }
  get ready(): Promise<void> {
    return (this.#ready ??= this.#start());
  }
  get refresher(): Promise<Refresher> {
    return (this.#refresher ??= Refresher.open({
      project: this.project,
      cache: new Cache(this.store, this.#log, yieldNow),
      client: () => this.session.client,
      preview: () => previewLocales(this.#file, this.project.stats),
      clock,
      log: this.#log,
      yieldNow,
    }));
  }

  client(): Client {
    if (!workspace.isTrusted) {
      throw new CommandError(
        "untrusted",
        l10n.t("This folder is not trusted, so nothing is sent to the service. Trust it first."),
      );
    }
    const { client } = this.session;
    if (client !== null) return client;
    const { session } = this.project;
    if (session.kind === "rejected" && session.reason === "archived") {
      throw new CommandError(
        "forbidden",
        l10n.t("The project is archived. Have it restored, or sign in to another."),
      );
    }
    if (session.kind === "rejected") {
      throw new CommandError(
        "unauthorized",
        l10n.t("The service does not accept the token. Sign in with a new one."),
      );
    }
    throw new CommandError(
      "not_signed_in",
      l10n.t("Nobody is signed in to {0}. Sign in first.", this.project.label),
    );
  }

  retrySession(): void {
    this.session.retry();
  }

  relative(uri: Uri): string | null {
    const prefix = this.root.path.endsWith("/") ? this.root.path : `${this.root.path}/`;
    const isHere = uri.scheme === this.root.scheme && uri.authority === this.root.authority;
    return isHere && uri.path.startsWith(prefix) ? uri.path.slice(prefix.length) : null;
  }

  /** Takes the project file's new content; whoever shows it is told by the caller. */
  setFile({ file, errors }: ParsedProjectFile): void {
    this.#file = file;
    this.#fileErrors = errors;
    this.#configureLocal();
  }

  /** Keeps the verified token; what was cached of another project of the service goes. */
  async signIn(verified: Verified): Promise<void> {
    const before = this.project.session;
    if (before.kind !== "signed-in" || before.slug !== verified.record.slug) await this.#forgetAll();
    await this.session.keep(verified);
    this.project.setStats(verified.stats, { kind: "fresh", at: clock.now() });
    await this.refresher;
  }

  async signOut(): Promise<void> {
    await this.session.forget();
    await this.#forgetAll();
  }

  /** Another window signed in or out, or trust was given: takes over what the secret storage says now. */
  async restoreSession(): Promise<void> {
    const had = this.session.client !== null;
    await this.session.restore();
    const has = this.session.client !== null;
    if (had && !has) await this.#forgetAll();
    if (!had && has) await this.jobs.resume();
  }

  dispose(): void {
    void this.#refresher?.then((refresher) => refresher.dispose()).catch(() => undefined);
    this.#subscription.dispose();
    this.session.dispose();
    this.jobs.dispose();
  }

  async #start(): Promise<void> {
    if (workspace.isTrusted) await this.#finishWriting();
    await this.session.restore();
    if (this.session.client === null) return;
    // The cache must not make anybody wait who only wants to know who is signed in.
    void Promise.all([this.refresher, this.jobs.resume()]).catch((error: unknown) =>
      this.#log.error("The cache could not be read", error),
    );
  }

  /** What a window that was closed, or broke down, had begun to write. */
  async #finishWriting(): Promise<void> {
    try {
      await sweep(this.#stored);
      for (const { kind, paths } of await finishReplacing(this.#notes)) {
        const files = paths.map((path) => this.relative(Uri.file(path)) ?? path);
        this.local.invalidate(files);
        const words =
          kind === "completed"
            ? l10n.t(
                "The window ended while files were being written; they were completed now: {0}.",
                files.join(", "),
              )
            : l10n.t(
                "The window ended before files were written, so they are as they were: {0}. Do it again.",
                files.join(", "),
              );
        this.#log.warn(words);
        void showWarning(words);
        this.#results.add(this, words, kind === "completed" ? "done" : "failed");
      }
    } catch (error) {
      this.#log.error("What was being written when the last window ended could not be looked at", error);
    }
  }

  async #forgetAll(): Promise<void> {
    const refresher = await this.#refresher?.catch(() => null);
    this.#refresher = null;
    refresher?.dispose();
    this.jobs.dispose();
    await Promise.all([refresher?.saved(), this.jobs.saved()]);
    await this.store.clear();
    this.project.forget(this.project.session);
  }

  /** Our own writes are known at once; the watcher of the files tells of them only later. */
  #told(files: ProjectFiles): ProjectFiles {
    return {
      ...files,
      write: async (writes) => {
        const outcome = await files.write(writes);
        if (outcome.kind === "written") {
          this.local.invalidate(writes.map((write) => write.path));
          this.project.localChanged();
          if (writes.some((write) => write.path === PROJECT_FILE_NAME)) await this.#fileWritten();
        }
        return outcome;
      },
    };
  }

  #configureLocal(): void {
    const languages = this.project.stats?.languages ?? [];
    this.local.configure({
      files: this.#file.files ?? [],
      locales: this.#file.locales ?? {},
      sourceLocale: this.project.sourceLocale,
      serviceLocales: languages.map((language) => language.locale),
    });
  }
}

/** The folder's name, in a window of many with the way to it. */
function labelOf(root: Uri): string {
  return workspace.asRelativePath(root, true) === root.fsPath
    ? (root.path.split("/").at(-1) ?? root.path)
    : workspace.asRelativePath(root, (workspace.workspaceFolders?.length ?? 0) > 1);
}
