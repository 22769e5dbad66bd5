/**
 * The usage index of each open project, kept current: built in the background soon after the project opens, mended
 * when files are saved, made or removed, and told of new key names. What it holds is core/usage-index.ts's.
 */
import * as vscode from "vscode";
import { DEFAULT_INCLUDE } from "../core/usage-files.ts";
import { UsageIndex, type UsageIndexOptions } from "../core/usage-index.ts";
import type { CodeSearch, Log } from "../core/ports.ts";
import type { OpenProject, Projects } from "./app.ts";
import type { CodeKeys } from "./code-keys.ts";
import { searchIn } from "./code-thread.ts";
import { raced } from "./raced.ts";
import { WorkThread } from "./work-thread.ts";

/** The window has its first second for itself. Milliseconds. */
const START_AFTER = 1_500;
/** Saves come in bursts (a checkout, a formatter). Milliseconds. */
const GATHER = 400;

interface Indexed {
  readonly fingerprint: string;
  readonly index: UsageIndex;
  readonly stop: AbortController;
  built: Promise<void> | undefined;
  /** What is found means what the project's newest names say. */
  named: Promise<void>;
}

export class Usages implements vscode.Disposable {
  readonly #projects: Projects;
  readonly #code: CodeKeys;
  readonly #log: Log;
  readonly #thread: WorkThread;
  readonly #indexed = new Map<OpenProject, Indexed>();
  readonly #changed = new vscode.EventEmitter<OpenProject>();
  readonly #disposables: vscode.Disposable[] = [this.#changed];
  readonly #waiting = new Map<string, vscode.Uri>();
  #timer: NodeJS.Timeout | undefined;
  #gathering: NodeJS.Timeout | undefined;

  /** Other uses stand in the index now, or they mean other keys. */
  readonly onDidChange: vscode.Event<OpenProject> = this.#changed.event;

  /** `program`: of the thread that searches code files (`code-worker.ts`, bundled). */
  constructor(projects: Projects, code: CodeKeys, log: Log, program: string) {
    this.#thread = new WorkThread({ program, name: "code files", warn: (text) => log.warn(text) });
    this.#projects = projects;
    this.#code = code;
    this.#log = log;
    this.#timer = setTimeout(() => this.#buildAll(), START_AFTER);
    const watchers = DEFAULT_INCLUDE.map((glob) => vscode.workspace.createFileSystemWatcher(glob));
    for (const watcher of watchers) {
      const changed = (uri: vscode.Uri): void => this.#gather(uri);
      this.#disposables.push(
        watcher,
        watcher.onDidChange(changed),
        watcher.onDidCreate(changed),
        watcher.onDidDelete(changed),
      );
    }
    this.#disposables.push(
      projects.onDidChange(() => this.#buildAll()),
      code.onDidChange((open) => void this.#buildSoon(open)),
      projects.onDidChangeState(({ open, change }) => {
        const indexed = this.#indexed.get(open);
        if (change.keys && indexed !== undefined) indexed.named = indexed.index.setNames(code.names(open));
      }),
    );
  }

  dispose(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#gathering);
    for (const { stop } of this.#indexed.values()) stop.abort();
    this.#thread.dispose();
    for (const disposable of this.#disposables) disposable.dispose();
  }

  /**
   * The project's index after it went through the whole workspace once, for the keys that are known now. Rejects with
   * the signal's reason.
   */
  async ready(open: OpenProject, signal?: AbortSignal): Promise<UsageIndex> {
    for (;;) {
      const indexed = this.#of(open);
      const { named } = indexed;
      this.#build(open);
      await raced(Promise.all([indexed.built, named]), signal);
      // Other keys, or other options of the search, may have come meanwhile.
      if (this.#of(open) === indexed && indexed.named === named) return indexed.index;
    }
  }

  /** How the project's code files are searched off this thread. */
  aside(open: OpenProject): CodeSearch {
    return searchIn(this.#thread, open.root);
  }

  /** The project's index as far as it is. */
  index(open: OpenProject): UsageIndex {
    return this.#of(open).index;
  }

  #of(open: OpenProject): Indexed {
    const options = this.#options(open);
    const { find, lookup, include, exclude } = options;
    const sets = [find.frameworks, find.domains ?? []].map((set) => [...set].sort());
    const fingerprint = JSON.stringify([sets, find.functions, lookup, include, exclude]);
    const before = this.#indexed.get(open);
    if (before?.fingerprint === fingerprint) return before;
    before?.stop.abort();
    const ports = {
      files: open.files,
      store: open.store,
      aside: this.aside(open),
      now: () => performance.now(),
      yieldNow: () => new Promise<void>((resolve) => setImmediate(resolve)),
      log: this.#log,
    };
    const index = new UsageIndex(ports, options, this.#code.names(open));
    index.onDidChange(() => this.#changed.fire(open));
    const indexed = {
      fingerprint,
      index,
      stop: new AbortController(),
      built: undefined,
      named: Promise.resolve(),
    };
    this.#indexed.set(open, indexed);
    return indexed;
  }

  #options(open: OpenProject): UsageIndexOptions {
    const { include, exclude } = open.file.usage ?? {};
    return {
      find: this.#code.findOptions(open),
      lookup: this.#code.lookupOptions(open),
      ...(include === undefined ? {} : { include }),
      ...(exclude === undefined ? {} : { exclude }),
    };
  }

  #buildAll(): void {
    for (const [open, { stop }] of this.#indexed) {
      if (this.#projects.all.includes(open)) continue;
      stop.abort();
      this.#indexed.delete(open);
    }
    for (const open of this.#projects.all) void this.#buildSoon(open);
  }

  /** What was kept of the service comes first: somebody may point at a key already. */
  async #buildSoon(open: OpenProject): Promise<void> {
    await open.ready.catch(() => undefined);
    if (open.project.session.kind === "signed-in") await open.refresher.catch(() => undefined);
    if (this.#projects.all.includes(open)) this.#build(open);
  }

  #build(open: OpenProject): void {
    const indexed = this.#of(open);
    indexed.built ??= indexed.index.build(indexed.stop.signal).catch((error: unknown) => {
      indexed.built = undefined;
      if (!indexed.stop.signal.aborted)
        this.#log.warn(`The usage index could not be built: ${String(error)}`);
    });
  }

  #gather(uri: vscode.Uri): void {
    if (uri.path.includes("/node_modules/") || uri.path.includes("/.git/")) return;
    this.#waiting.set(uri.toString(), uri);
    this.#gathering ??= setTimeout(() => {
      this.#gathering = undefined;
      const uris = [...this.#waiting.values()];
      this.#waiting.clear();
      void this.#mend(uris);
    }, GATHER);
  }

  async #mend(uris: readonly vscode.Uri[]): Promise<void> {
    for (const uri of uris) {
      const open = this.#projects.of(uri);
      const index = open && this.#indexed.get(open)?.index;
      const path = open?.relative(uri);
      if (index === undefined || path === undefined || path === null) continue;
      try {
        await index.update(path);
      } catch (error) {
        this.#log.warn(`uses: ${path} could not be read: ${String(error)}`);
      }
    }
  }
}
