/**
 * `npm run test:host`: runs the suites in VS Code's server with a headless browser as its window.
 *
 * `npm run test:host -- [--minimum]` and what runner.ts takes; `--minimum` is the oldest VS Code that is supported.
 */
import { parseArgs } from "node:util";
import { onTheWayOut } from "../../setup/way-out.ts";
import { openBrowser, storageOf, windowAddress } from "./browser.ts";
import { commonOptions, runSuites, type OpenWindow } from "./runner.ts";
import { startVscodeServer } from "./vscode-server.ts";

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { ...commonOptions, minimum: { type: "boolean", default: false } },
});

await runSuites(positionals, options, async (): Promise<OpenWindow> => {
  const browser = await openBrowser();
  onTheWayOut(() => browser.close());
  const version = options.minimum ? "minimum" : "newest";
  return async ({ settings, trusted, locale }, laid, env, hear) => {
    const server = await startVscodeServer({ version, settings, trusted, locale, env });
    const context = await browser.person();
    const page = await context.newPage();
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    const ended = new Promise<string>((resolve) => {
      const log = (type: string, args: readonly unknown[]) =>
        hear(`host ${type}: ${args.map(String).join(" ")}`);
      void page.exposeFunction("codeAutomationLog", log);
      void page.exposeFunction("codeAutomationExit", (code: number) =>
        resolve(`the extension host ended (${code})`),
      );
      void server.process.ended.then((code) => resolve(`the server of VS Code ended (${code})`));
      page.on("crash", () => resolve("the page crashed"));
    });
    const remote = (path: string) => `vscode-remote://${server.authority}${path}`;
    const payload = {
      extensionDevelopmentPath: remote(laid.extension),
      extensionTestsPath: remote(laid.module),
    };
    await page.goto(windowAddress(server.authority, laid.workspace, payload), { waitUntil: "commit" });
    return {
      page,
      ended,
      output: () => server.process.output(),
      folder: server.folder,
      traces: async () => [
        { name: "the addresses asked for", text: asked.join("\n") },
        ...(await storageOf(page)),
      ],
      async close() {
        await context.close();
        await server.process.stop();
      },
    };
  };
});
