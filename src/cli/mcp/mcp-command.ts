/** `project-translations mcp`: a server for agents on standard input and output. */
import { connect } from "node:net";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { toolCalls } from "../../agent-tools/tool-calls.ts";
import { WorkQueue } from "../../util/work-queue.ts";
import { l10n } from "../../util/l10n.ts";
import { EXIT, printError, singleFolder, version } from "../arguments.ts";
import { programCommand } from "../command.ts";
import { folderToolHost } from "./folder-tool-host.ts";

interface McpOptions {
  readonly folder: string;
  readonly cache?: string | undefined;
  readonly version: string;
}

/** Serves agents until standard input ends. `--window`: passes on to a window of VS Code. */
export const mcp = programCommand({
  operands: "[FOLDER]",
  options: {
    cache: { type: "string", value: "FOLDER" },
    window: { type: "string", isHidden: true },
  },
  run: async ({ operands, values: { window, cache } }, signal) => {
    signal.addEventListener("abort", () => process.stdin.destroy(), { once: true });
    if (window === undefined)
      await serveFolder({ folder: singleFolder(operands), cache, version: version() });
    else if (!(await connectWindow(window)) && !signal.aborted) {
      printError(l10n.t("The window of VS Code is closed."));
      return EXIT.failed;
    }
    return EXIT.nothing;
  },
});

/** Serves the folder until standard input ends. */
async function serveFolder({ folder, cache, version }: McpOptions): Promise<void> {
  const { serveMcp } = await import("../../mcp/mcp-server.ts");
  const host = folderToolHost(folder, { cache });
  const callTool = toolCalls(host);
  // One after the other: each may write, or open the folder again.
  const queue = new WorkQueue();
  try {
    await serveMcp({
      callTool: (...call) => queue.run(() => callTool(...call)),
      hasWindow: false,
      version,
      chatFolder: join(import.meta.dirname, "..", "media", "chat"),
      input: process.stdin,
      output: process.stdout,
      onError: ({ message }) => process.stderr.write(`${message}\n`),
    });
  } finally {
    await queue.run(() => host.close());
  }
}

/**
 * Passes bytes on between standard input and output and a window of VS Code, which serves them, until standard input ends.
 * @param path of the window's socket or pipe
 * @returns whether the window was there until then
 */
async function connectWindow(path: string): Promise<boolean> {
  const socket = connect(path);
  try {
    await Promise.all([pipeline(process.stdin, socket), pipeline(socket, process.stdout, { end: false })]);
    return true;
  } catch {
    return false;
  }
}
