/**
 * `npm run test:host`: runs the suites in VS Code's server with a headless browser as its window.
 *
 * Options: those of runner.ts, and `--minimum` for the oldest VS Code that is supported.
 */
import { parseArgs } from "node:util";
import { onExit } from "../../setup/cleanup.ts";
import { keepTemporaryFilesInMemory } from "../../setup/temporary-files.ts";
import { clearStorage, openBrowser, readStorage, windowUrl } from "./browser.ts";
import { commonOptions, runSuites, type StartVscode, type TestWindow } from "./runner.ts";
import { startVscodeServer } from "./vscode-server.ts";

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { ...commonOptions, minimum: { type: "boolean", default: false } },
});

keepTemporaryFilesInMemory();
await runSuites(positionals, options, async (): Promise<StartVscode> => {
  const browser = await openBrowser();
  onExit(() => browser.close());
  const version = options.minimum ? "minimum" : "newest";
  return async (environment) => {
    // Our features beside those of language servers are for the full run.
    const server = await startVscodeServer({ version, ...environment, languageServers: !options.journeys });
    const origin = `http://${server.authority}`;
    const context = await browser.newProfile();
    return {
      async openWindow({ workspace, extension, testModule, settings, log }): Promise<TestWindow> {
        server.resetProfile(settings);
        const page = await context.newPage();
        const requestedUrls: string[] = [];
        page.on("request", (request) => requestedUrls.push(request.url()));
        const ended = new Promise<string>((resolve) => {
          const onLog = (type: string, args: readonly unknown[]) =>
            log(`host ${type}: ${args.map(String).join(" ")}`);
          void page.exposeFunction("codeAutomationLog", onLog);
          void page.exposeFunction("codeAutomationExit", (code: number) =>
            resolve(`the extension host ended (${code})`),
          );
          void server.process.ended.then((code) => resolve(`the server of VS Code ended (${code})`));
          page.on("crash", () => resolve("the page crashed"));
        });
        const remote = (path: string) => `vscode-remote://${server.authority}${path}`;
        const payload = {
          extensionDevelopmentPath: remote(extension),
          extensionTestsPath: remote(testModule),
        };
        await page.goto(windowUrl(server.authority, workspace, payload), { waitUntil: "commit" });
        return {
          page,
          ended,
          output: () => server.process.output(),
          folder: server.folder,
          storedTexts: async () => [
            { name: "the requested URLs", text: requestedUrls.join("\n") },
            ...(await readStorage(page)),
          ],
          async close() {
            const blank = await context.newPage();
            for (const other of context.pages()) {
              if (other === blank) continue;
              // Navigate before closing: otherwise the server keeps the window's extension host running.
              await other.goto("about:blank");
              await other.close();
            }
            await clearStorage(blank, origin);
            await blank.close();
          },
        };
      },
      async close() {
        await context.close();
        await server.process.stop();
      },
    };
  };
});
