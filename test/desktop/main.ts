/**
 * `npm run test:desktop`: runs the suites of test/host in a desktop VS Code, which @vscode/test-electron downloads.
 * For people's own machines and hosted CI; on a Linux without a screen under `xvfb-run`.
 *
 * `npm run test:desktop -- [--vscode VERSION | --executable FILE]` and what runner.ts takes. VERSION is as
 * test-electron has it (`stable`, `insiders`, `1.105.0`); FILE is an installed one, or `test/desktop/in-browser.mjs`.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { downloadAndUnzipVSCode } from "@vscode/test-electron";
import { chromium, type Browser, type Page } from "playwright-core";
import { commonOptions, runSuites, type StartVscode } from "../host/harness/runner.ts";
import { installExtensions } from "../host/harness/suites.ts";
import { SetupError, cache } from "../setup/ensure.mjs";
import { onExit } from "../setup/cleanup.ts";
import { startProcess } from "../setup/managed-process.ts";

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    ...commonOptions,
    vscode: { type: "string", default: "stable" },
    executable: { type: "string" },
  },
});

await runSuites(positionals, options, async (): Promise<StartVscode> => {
  const executable =
    options.executable === undefined ? await download(options.vscode) : resolve(options.executable);
  // Each window is a VS Code of its own: its profile is chosen when it starts.
  return ({ trusted, locale, env, extensions }) => {
    let closeWindow = () => Promise.resolve();
    onExit(() => closeWindow());
    return Promise.resolve({
      async openWindow({ workspace, extension, testModule, settings, log }) {
        const profile = mkdtempSync(join(tmpdir(), "pt-"));
        mkdirSync(join(profile, "data", "User"), { recursive: true });
        writeFileSync(join(profile, "data", "User", "settings.json"), JSON.stringify(settings));
        installExtensions(extensions, join(profile, "extensions"));
        const port = await freePort();
        const args = [
          workspace,
          `--extensionDevelopmentPath=${extension}`,
          `--extensionTestsPath=${testModule}`,
          `--user-data-dir=${join(profile, "data")}`,
          `--extensions-dir=${join(profile, "extensions")}`,
          `--remote-debugging-port=${port}`,
          `--locale=${locale}`,
          ...(extensions.length === 0 ? ["--disable-extensions"] : []),
          "--disable-updates",
          "--no-sandbox",
          "--disable-gpu-sandbox",
          "--skip-welcome",
          "--skip-release-notes",
          "--no-cached-data",
          ...(trusted ? ["--disable-workspace-trust"] : []),
        ];
        const process = startProcess(executable, args, { env: environment(env) });
        const shown: { browser?: Browser } = {};
        closeWindow = async () => {
          closeWindow = () => Promise.resolve();
          await shown.browser?.close();
          await process.stop();
          // Not as soon as VS Code has ended, which it does by itself: what it leaves is searched for tokens first.
          rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
        };
        const ended = process.ended.then((code) => `VS Code ended (${code})`);
        const { browser, page } = await findPage(port, ended).catch((error: unknown) => {
          throw new SetupError(
            `${error instanceof Error ? error.message : String(error)}\n${process.output()}`,
          );
        });
        shown.browser = browser;
        page.on("console", (message) => log(`page: ${message.text()}`));
        return {
          page,
          ended,
          output: () => process.output(),
          folder: profile,
          // The profile holds them all.
          storedTexts: () => Promise.resolve([]),
          close: () => closeWindow(),
        };
      },
      close: () => closeWindow(),
    });
  };
});

async function download(version: string): Promise<string> {
  try {
    return await downloadAndUnzipVSCode({ version, cachePath: join(cache, "vscode") });
  } catch (error) {
    throw new SetupError(
      `VS Code could not be downloaded (${String(error)}); name an installed one with --executable.`,
    );
  }
}

/** The workbench of the VS Code that listens on a debugging port. */
async function findPage(port: number, ended: Promise<string>): Promise<{ browser: Browser; page: Page }> {
  let over = "";
  void ended.then((how) => (over = how));
  const end = Date.now() + 60_000;
  for (;;) {
    const browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`).catch(() => undefined);
    const page = browser
      ?.contexts()
      .flatMap((context) => context.pages())
      .find((it) => /workbench|[?&]payload=/.test(it.url()));
    if (browser && page) return { browser, page };
    await browser?.close();
    if (over) throw new Error(`${over} before it showed a window.`);
    if (Date.now() > end) throw new Error("VS Code showed no window within a minute.");
    await new Promise((later) => setTimeout(later, 200));
  }
}

/** Nothing of a VS Code that this may run in. */
function environment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(VSCODE_|ELECTRON_|NODE_OPTIONS$)/.test(name),
  );
  return { ...Object.fromEntries(inherited), ...env };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((listening) => server.once("listening", listening));
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return port;
}
