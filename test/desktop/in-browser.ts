/** What in-browser.mjs starts: VS Code's server and a headless browser, until the tests have ended. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openBrowser, windowUrl } from "../host/harness/browser.ts";
import { startVscodeServer } from "../host/harness/vscode-server.ts";
import { exit, onExit } from "../setup/cleanup.ts";

const words = process.argv.slice(2);
const named = (name: string) =>
  words.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3) ?? "";
const folder = words.find((word) => !word.startsWith("--")) ?? "";

const browser = await openBrowser({ debuggingPort: named("remote-debugging-port") });
onExit(() => browser.close());
const server = await startVscodeServer({
  version: "newest",
  trusted: words.includes("--disable-workspace-trust"),
  locale: named("locale"),
  env: {},
  extensions: [],
  languageServers: true,
});
onExit(() => server.process.stop());
const settings = readFileSync(join(named("user-data-dir"), "User", "settings.json"), "utf8");
server.resetProfile(JSON.parse(settings) as Record<string, unknown>);
const page = await (await browser.newProfile()).newPage();
await page.exposeFunction("codeAutomationLog", () => {});
await page.exposeFunction("codeAutomationExit", (code: number) => exit(code));
const remote = (path: string) => `vscode-remote://${server.authority}${path}`;
const payload = {
  extensionDevelopmentPath: remote(named("extensionDevelopmentPath")),
  extensionTestsPath: remote(named("extensionTestsPath")),
};
await page.goto(windowUrl(server.authority, folder, payload), { waitUntil: "commit" });
