/**
 * Offers agents of the editor, also those outside of this window, a server of the Model Context Protocol. The editor starts
 * a program that only passes bytes on to this process, which serves them: with unsaved texts, and with the session, whose
 * token stays here.
 */
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Disposable, EventEmitter, lm, McpStdioServerDefinition, workspace } from "vscode";
import { toolCalls } from "../../agent-tools/tool-calls.ts";
import type { App } from "../../vscode/app.ts";
import { windowToolHost } from "../../vscode/window-tool-host.ts";

/** As in the manifest. */
const PROVIDER = "projectTranslations";

/** Registers the provider. */
export function registerMcpServer(app: App): void {
  // Editors built on VS Code may not have it.
  const api: Partial<typeof lm> | undefined = lm;
  if (typeof api?.registerMcpServerDefinitionProvider !== "function") return;
  const endpoint = new McpEndpoint(app);
  const changed = new EventEmitter<void>();
  const program = app.context.asAbsolutePath("dist/cli.mjs");
  const { version } = app.context.extension.packageJSON as { readonly version: string };
  app.addDisposable(
    endpoint,
    changed,
    app.projects.onDidChange(() => changed.fire()),
    workspace.onDidGrantWorkspaceTrust(() => changed.fire()),
    api.registerMcpServerDefinitionProvider(PROVIDER, {
      onDidChangeMcpServerDefinitions: changed.event,
      provideMcpServerDefinitions: async () => {
        await app.projects.ready;
        if (!workspace.isTrusted || app.projects.all.length === 0) return [];
        const env = { ELECTRON_RUN_AS_NODE: "1" };
        return [
          new McpStdioServerDefinition(
            "Project Translations",
            process.execPath,
            [program, "mcp"],
            env,
            version,
          ),
        ];
      },
      resolveMcpServerDefinition: async (definition) => {
        if (definition instanceof McpStdioServerDefinition)
          definition.args = [program, "mcp", "--window", await endpoint.path()];
        return definition;
      },
    }),
  );
}

/** Where the programs of agents connect to this window: only this user's can. */
class McpEndpoint implements Disposable {
  readonly #app: App;
  readonly #connections = new Set<Socket>();
  #opened: Promise<{ readonly path: string; readonly server: Server; readonly folder: string }> | null = null;

  constructor(app: App) {
    this.#app = app;
  }

  /** Listens, if it does not yet, and returns the path of the socket or pipe. */
  async path(): Promise<string> {
    this.#opened ??= this.#listen();
    try {
      return (await this.#opened).path;
    } catch (error) {
      this.#opened = null;
      throw error;
    }
  }

  async #listen() {
    // Nobody else may enter the folder. Others may read from a pipe of Windows, but neither write nor guess its name.
    const folder = await mkdtemp(join(tmpdir(), "pt-"));
    const isWindows = process.platform === "win32";
    const path = isWindows ? String.raw`\\.\pipe\project-translations-${randomUUID()}` : join(folder, "mcp");
    const server = createServer((socket) => void this.#serve(socket));
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(path, resolve);
    });
    return { path, server, folder };
  }

  async #serve(socket: Socket): Promise<void> {
    const { context, log } = this.#app;
    const onError = (error: Error): void => log.warn(`An agent could not be served: ${error.message}`);
    this.#connections.add(socket);
    socket.on("error", onError);
    try {
      const { serveMcp } = await import("../../mcp/mcp-server.ts");
      const { version } = context.extension.packageJSON as { readonly version: string };
      await serveMcp({
        callTool: toolCalls(windowToolHost(this.#app)),
        hasWindow: true,
        version,
        chatFolder: context.asAbsolutePath("media/chat"),
        input: socket,
        output: socket,
        onError,
      });
    } catch (error) {
      log.error("An agent could not be served", error);
    } finally {
      socket.destroy();
      this.#connections.delete(socket);
    }
  }

  dispose(): void {
    for (const socket of this.#connections) socket.destroy();
    void this.#opened?.then(
      ({ server, folder }) => {
        server.close();
        return rm(folder, { recursive: true, force: true });
      },
      () => undefined,
    );
  }
}
